//! Hydraulic circuits, under the method of a run: it steps past the communication point, and what changes there undoes its last step.

use super::{Abilities, Experiment, Motion, Point, Polynomials, Reached, moved, not_this_kind};
use crate::circuit::{CircuitModel, CompiledCircuit};
use crate::fmi::exchange::{CircuitEquations, Start};
use crate::run::Plan;
use crate::{Document, Error};
use fourbar_coupling::{Variability, Variable};
use fourbar_hydraulics::Circuit;
use fourbar_linalg::checkpoint::{Source, Stored};
use fourbar_multibody::dae::Dae;
use fourbar_multibody::integrator::{BdfStepper, Error as IntegratorError, Integrator, Snapshot, Stop};
use std::any::Any;
use std::sync::Arc;

pub(super) struct CircuitMotion {
    stepper: BdfStepper<Circuit>,
    inputs: Vec<Variable>,
    outputs: Vec<Variable>,
    experiment: Experiment,
    /// y and y' at the present time.
    values: [Vec<f64>; 2],
    place: Place,
}

/// Where a motion stands.
#[derive(Clone)]
struct Place {
    now: f64,
    /// The inputs as polynomials about the time at which they were set.
    given: Vec<[f64; 3]>,
    set: f64,
    /// The integrator before its last step.
    before: Option<Arc<Snapshot>>,
}

struct CircuitPoint {
    integrator: Snapshot,
    place: Place,
}

fn failed(error: IntegratorError) -> Error {
    fourbar_multibody::Error::from(error).into()
}

impl CircuitMotion {
    pub(super) fn new(
        model: &CircuitModel,
        experiment: &Experiment,
        inputs: Option<&Polynomials>,
    ) -> Result<Self, Error> {
        let from = experiment.start;
        let mut compiled = compiled(model, experiment)?;
        let (variables, outputs) = variables(&compiled.circuit);
        let mut given: Vec<[f64; 3]> = variables.iter().map(|own| [own.start, 0.0, 0.0]).collect();
        if let Some(inputs) = inputs.filter(|inputs| **inputs != *given) {
            compiled.circuit.set_inputs(from, inputs.iter().copied())?;
            given = inputs.to_vec();
        }
        let (circuit, start) = compiled.begin_at(from)?;
        let stepper = compiled.method.start(circuit, from, &start.y, &start.yp, experiment.end).map_err(failed)?;
        let place = Place { now: from, given, set: from, before: None };
        Ok(Self { stepper, inputs: variables, outputs, experiment: *experiment, values: [start.y, start.yp], place })
    }

    fn save_integrator(&self) -> Snapshot {
        let mut snapshot = Snapshot::new();
        self.stepper.save(&mut snapshot);
        snapshot
    }

    fn return_to(&mut self, snapshot: &Snapshot) -> Result<(), Error> {
        self.stepper.restore(snapshot).map_err(failed)?;
        let Place { given, set, .. } = &self.place;
        Ok(self.stepper.dae_mut().set_inputs(*set, given.iter().copied())?)
    }

    /// Undoes what lies behind the present time.
    fn go_back(&mut self) -> Result<(), Error> {
        if self.stepper.time() <= self.place.now {
            return Ok(());
        }
        let Some(before) = self.place.before.take() else { return Ok(()) };
        self.return_to(&before)?;
        self.stepper.set_end_time(self.place.now).map_err(failed)?;
        while self.stepper.step().map_err(failed)? != Stop::EndTime {}
        self.stepper.set_end_time(self.experiment.end).map_err(failed)
    }

    /// y and y' at the present time into `values`.
    fn look(&mut self) -> Result<(), Error> {
        let (time, [y, yp]) = (self.place.now, &mut self.values);
        if time == self.stepper.time() {
            y.copy_from_slice(self.stepper.state());
            return Ok(());
        }
        self.stepper.interpolate(time, y, yp).map_err(failed)
    }

    /// The inputs about the present time.
    fn given_now(&self) -> Vec<[f64; 3]> {
        let since = self.place.now - self.place.set;
        self.place.given.iter().map(|own| moved(*own, since)).collect()
    }
}

/// The circuit of `model` with the method by which it is run.
fn compiled(model: &CircuitModel, experiment: &Experiment) -> Result<CompiledCircuit, Error> {
    let mut compiled = CompiledCircuit::new(model, &experiment.overrides().for_circuit()?)?;
    if let Some(step) = Plan::output_step(compiled.end, compiled.output_step).filter(|_| compiled.by_outputs) {
        let largest = &mut compiled.method.step.largest;
        *largest = largest.min(step);
    }
    Ok(compiled)
}

/// Inputs and outputs of a circuit.
pub(in crate::fmi) fn variables(circuit: &Circuit) -> (Vec<Variable>, Vec<Variable>) {
    let names = circuit.inputs();
    let output = |(k, own): (usize, fourbar_hydraulics::Variable)| {
        let direct: Vec<&str> = circuit.instant_inputs(k).into_iter().map(|i| names[i].name.as_str()).collect();
        // Output k is unknown k as long as there are unknowns.
        let nominal = circuit.unknowns().get(k).map_or(0.0, |unknown| unknown.typical);
        let variability = Variability::where_inputs(|inputs| circuit.changes(k, inputs));
        Variable::output(own.name, own.unit).nominal(nominal).depends_on(&direct).changing(variability)
    };
    let outputs = circuit.outputs().into_iter().enumerate().map(output).collect();
    (names.iter().map(|own| Variable::input(&own.name, &own.unit).start(own.start)).collect(), outputs)
}

impl Motion for CircuitMotion {
    fn inputs(&self) -> &[Variable] {
        &self.inputs
    }

    fn outputs(&self) -> &[Variable] {
        &self.outputs
    }

    fn abilities(&self) -> Abilities {
        Abilities {
            state: true,
            bytes: true,
            input_order: 2,
            derivatives: false,
            may_end: false,
            has_events: false,
            // Waves on their way belong to the lines that they are in.
            retunes: self.stepper.dae().longest_step().is_none(),
            keeps_parameters: false,
        }
    }

    fn set_inputs(&mut self, inputs: &Polynomials) -> Result<(), Error> {
        let since = self.place.now - self.place.set;
        if self.place.given.iter().zip(inputs).all(|(own, new)| moved(*own, since) == *new) {
            return Ok(());
        }
        self.go_back()?;
        self.stepper.dae_mut().set_inputs(self.place.now, inputs.iter().copied())?;
        self.stepper.expect_jump();
        (self.place.given, self.place.set) = (inputs.to_vec(), self.place.now);
        Ok(())
    }

    fn step(&mut self, time: f64) -> Result<Reached, Error> {
        let mut ended = false;
        if self.stepper.time() < time {
            if !self.inputs.is_empty() {
                self.place.before = Some(Arc::new(self.save_integrator()));
            }
            ended = self.stepper.step().map_err(failed)? == Stop::EndTime;
        }
        // The end may miss the time that is asked for by round-off.
        self.place.now = if ended { time } else { self.stepper.time().min(time) };
        Ok(Reached::plain(self.place.now))
    }

    fn retune(&mut self, document: &Document) -> Result<(), Error> {
        let Some(model) = document.circuit() else { return Err(not_this_kind(document)) };
        let (now, given) = (self.place.now, self.given_now());
        self.look()?;
        let mut compiled = compiled(model, &self.experiment)?;
        compiled.circuit.set_inputs(now, given.iter().copied())?;
        let start = compiled.circuit.complete(now, self.values[0].clone())?;
        let begun = compiled.method.start(compiled.circuit, now, &start.y, &start.yp, self.experiment.end);
        self.stepper = begun.map_err(failed)?;
        self.place = Place { now, given, set: now, before: None };
        Ok(())
    }

    fn equations(&mut self) -> Result<Start, Error> {
        self.look()?;
        let (now, given) = (self.place.now, self.given_now());
        CircuitEquations::at(self.stepper.dae().clone(), now, self.values[0].clone(), &given)
    }

    fn observe(&mut self, values: &mut [f64]) -> Result<(), Error> {
        self.look()?;
        let (time, [y, _]) = (self.place.now, &self.values);
        Ok(self.stepper.dae_mut().observe(time, y, values).map_err(fourbar_hydraulics::Error::from)?)
    }

    fn derivatives(&mut self) -> Result<Vec<f64>, Error> {
        Err(Error::NotForKind { setting: "derivatives by inputs", kind: "circuit" })
    }

    fn save(&mut self) -> Result<Point, Error> {
        Ok(Box::new(CircuitPoint { integrator: self.save_integrator(), place: self.place.clone() }))
    }

    fn restore(&mut self, point: &(dyn Any + Send + Sync)) -> Result<bool, Error> {
        let Some(point) = point.downcast_ref::<CircuitPoint>() else { return Ok(false) };
        self.place.clone_from(&point.place);
        self.return_to(&point.integrator)?;
        Ok(true)
    }

    fn store(&mut self, point: &(dyn Any + Send + Sync), to: &mut Vec<u8>) -> Result<bool, Error> {
        let Some(CircuitPoint { integrator, place }) = point.downcast_ref() else { return Ok(false) };
        (place.now, place.set).store(to);
        place.given.store(to);
        integrator.store(to);
        place.before.is_some().store(to);
        if let Some(before) = &place.before {
            before.store(to);
        }
        Ok(true)
    }

    fn load(&mut self, bytes: &[u8]) -> Result<Point, Error> {
        let mut from = Source::new(bytes);
        let (now, set) = from.value()?;
        let mut given = self.place.given.clone();
        given.load(&mut from)?;
        let integrator = self.stepper.load(&mut from)?;
        let before = if from.value()? { Some(Arc::new(self.stepper.load(&mut from)?)) } else { None };
        from.finish()?;
        Ok(Box::new(CircuitPoint { integrator, place: Place { now, given, set, before } }))
    }
}
