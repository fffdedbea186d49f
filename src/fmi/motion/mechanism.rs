//! Mechanisms, with contacts or without.
//!
//! Without contacts the integrator runs ahead of the communication point and is read by its polynomial, as in a run. Where an input changes, its
//! last step is undone, and a shorter one ends at the point.

use super::{Abilities, Experiment, Motion, Point, Polynomials, Reached, moved, not_this_kind, state_at};
use crate::fmi::exchange::{MechanismEquations, Start};
use crate::run::Overrides;
use crate::simulation::{CompiledModel, Progress, Saved, Simulation};
use crate::{Document, Error};
use fourbar_coupling::{Variability, Variable};
use fourbar_linalg::checkpoint::{Source, Stored};
use fourbar_multibody::host::HostFunctions;
use std::any::Any;
use std::sync::Arc;

pub(super) struct MechanismMotion {
    simulation: Simulation,
    inputs: Vec<Variable>,
    outputs: Vec<Variable>,
    experiment: Experiment,
    place: Place,
}

/// Where a motion stands.
#[derive(Clone)]
struct Place {
    now: f64,
    /// The inputs as polynomials about the time at which they were set.
    given: Vec<[f64; 3]>,
    set: f64,
    /// The simulation before its last step, with which it may have passed `now`.
    before: Option<Arc<Saved>>,
}

/// A checkpoint.
struct MechanismPoint {
    simulation: Saved,
    place: Place,
}

impl MechanismMotion {
    pub(super) fn new(
        compiled: &Arc<CompiledModel>,
        experiment: &Experiment,
        inputs: Option<&Polynomials>,
    ) -> Result<Self, Error> {
        let mut simulation = simulation(compiled, experiment)?;
        let given = compiled.mechanism().inputs().iter().map(|input| [input.start, 0.0, 0.0]).collect();
        let (variables, outputs) = variables(compiled);
        let start = experiment.start;
        let mut place = Place { now: start, given, set: start, before: None };
        if let Some(state) = state_at(compiled, start, inputs)? {
            simulation.set_state(&state)?;
        }
        if let Some(inputs) = inputs.filter(|inputs| **inputs != *place.given) {
            simulation.set_inputs(inputs)?;
            place.given = inputs.to_vec();
        }
        Ok(Self { simulation, inputs: variables, outputs, experiment: *experiment, place })
    }

    /// Takes a step, which may lead past `time`, unless the last one did.
    fn pass(&mut self, time: f64) -> Result<Progress, Error> {
        if self.simulation.time() >= time {
            return Ok(Progress::Step);
        }
        if !self.inputs.is_empty() {
            self.place.before = Some(Arc::new(self.simulation.save()));
        }
        self.simulation.pass(self.experiment.end)
    }

    /// Undoes what lies behind the present time.
    fn go_back(&mut self) -> Result<(), Error> {
        if self.simulation.time() > self.place.now
            && let Some(before) = self.place.before.take()
        {
            self.simulation.restore(&before)?;
            self.simulation.step_to(self.place.now)?;
        }
        Ok(())
    }
}

fn simulation(compiled: &Arc<CompiledModel>, experiment: &Experiment) -> Result<Simulation, Error> {
    match Simulation::new(compiled, &experiment.overrides()) {
        // Fixed steps have no tolerance, and an importer cannot know that.
        Err(Error::NotForKind { .. }) if experiment.tolerance.is_some() => {
            Simulation::new(compiled, &Overrides::default())
        }
        begun => begun,
    }
}

/// Inputs and outputs of a mechanism.
pub(in crate::fmi) fn variables(compiled: &CompiledModel) -> (Vec<Variable>, Vec<Variable>) {
    let own = compiled.mechanism().inputs();
    let mechanism = compiled.mechanism();
    // Columns behind the measures are those of contacts, whose forces follow all others.
    let output = |(k, column): (usize, &crate::results::Column)| {
        let depends = match k < mechanism.measures().len() {
            true => mechanism.feedthrough(k),
            false => (0..own.len()).collect(),
        };
        let names: Vec<&str> = depends.iter().map(|&k| own[k].name.as_str()).collect();
        let variability = Variability::where_inputs(|inputs| mechanism.changes(k, inputs));
        Variable::output(&column.name, &column.unit).depends_on(&names).changing(variability)
    };
    let inputs = own.iter().map(|input| Variable::input(&input.name, &input.unit).start(input.start)).collect();
    (inputs, compiled.columns().iter().enumerate().map(output).collect())
}

impl Motion for MechanismMotion {
    fn inputs(&self) -> &[Variable] {
        &self.inputs
    }

    fn outputs(&self) -> &[Variable] {
        &self.outputs
    }

    fn abilities(&self) -> Abilities {
        let switches = self.simulation.compiled().mechanism().has_switches();
        Abilities {
            state: true,
            // What sensors made of a mechanism stays in the process.
            bytes: !switches,
            input_order: 2,
            derivatives: self.simulation.is_dense() && !self.inputs.is_empty(),
            may_end: switches,
            has_events: switches || !self.simulation.is_dense(),
            retunes: !switches,
            keeps_parameters: false,
        }
    }

    fn compiled(&self) -> Option<Arc<CompiledModel>> {
        Some(Arc::clone(self.simulation.compiled()))
    }

    fn set_inputs(&mut self, inputs: &Polynomials) -> Result<(), Error> {
        let since = self.place.now - self.place.set;
        if self.place.given.iter().zip(inputs).all(|(own, new)| moved(*own, since) == *new) {
            return Ok(());
        }
        self.go_back()?;
        self.simulation.set_inputs(inputs)?;
        (self.place.given, self.place.set) = (inputs.to_vec(), self.place.now);
        Ok(())
    }

    fn step(&mut self, time: f64) -> Result<Reached, Error> {
        let progress = if self.simulation.is_dense() {
            self.pass(time)?
        } else {
            let progress = self.simulation.advance(time)?;
            self.simulation.clear_events();
            progress
        };
        let reached = self.simulation.time().min(time);
        let ended_by = self.simulation.ended_by().filter(|_| reached < time).map(str::to_owned);
        // The end may miss the time that is asked for by round-off.
        self.place.now = if progress == Progress::End && ended_by.is_none() { time } else { reached };
        let at_event = progress == Progress::Event && self.simulation.time() <= time;
        Ok(Reached { time: self.place.now, ended_by, at_event })
    }

    fn retune(&mut self, document: &Document) -> Result<(), Error> {
        let Some(model) = document.mechanism() else { return Err(not_this_kind(document)) };
        let compiled = Arc::new(CompiledModel::new(model, &HostFunctions::default())?);
        let Place { now, set, .. } = self.place;
        let state = self.simulation.motion_at(now)?;
        let given: Vec<[f64; 3]> = self.place.given.iter().map(|own| moved(*own, now - set)).collect();
        let mut simulation = simulation(&compiled, &self.experiment)?;
        if !given.is_empty() {
            simulation.set_inputs(&given)?;
        }
        simulation.set_state(&state)?;
        self.simulation = simulation;
        self.place = Place { now, given, set: now, before: None };
        Ok(())
    }

    fn equations(&mut self) -> Result<Start, Error> {
        let Place { now, set, .. } = self.place;
        let state = self.simulation.motion_at(now)?;
        let given: Vec<[f64; 3]> = self.place.given.iter().map(|own| moved(*own, now - set)).collect();
        MechanismEquations::begin(self.simulation.compiled(), Some(&state), &given)
    }

    fn observe(&mut self, values: &mut [f64]) -> Result<(), Error> {
        self.simulation.measures_at(self.place.now, values)
    }

    fn derivatives(&mut self) -> Result<Vec<f64>, Error> {
        let point = self.save()?;
        self.go_back()?;
        let linear = self.simulation.linearize();
        self.restore(&*point)?;
        let d = linear?.d;
        Ok((0..d.nrows()).flat_map(|i| (0..d.ncols()).map(move |j| (i, j))).map(|at| d[at]).collect())
    }

    fn save(&mut self) -> Result<Point, Error> {
        Ok(Box::new(MechanismPoint { simulation: self.simulation.save(), place: self.place.clone() }))
    }

    fn restore(&mut self, point: &(dyn Any + Send + Sync)) -> Result<bool, Error> {
        let Some(point) = point.downcast_ref::<MechanismPoint>() else { return Ok(false) };
        self.simulation.restore(&point.simulation)?;
        self.place.clone_from(&point.place);
        Ok(true)
    }

    fn store(&mut self, point: &(dyn Any + Send + Sync), to: &mut Vec<u8>) -> Result<bool, Error> {
        let Some(MechanismPoint { simulation, place }) = point.downcast_ref() else { return Ok(false) };
        (place.now, place.set).store(to);
        place.given.store(to);
        for saved in [Some(simulation), place.before.as_deref()] {
            let bytes = saved.map(|saved| self.simulation.checkpoint_to_bytes(saved)).transpose()?.unwrap_or_default();
            bytes.len().store(to);
            to.extend_from_slice(&bytes);
        }
        Ok(true)
    }

    fn load(&mut self, bytes: &[u8]) -> Result<Point, Error> {
        let mut from = Source::new(bytes);
        let (now, set) = from.value()?;
        let mut given = self.place.given.clone();
        given.load(&mut from)?;
        let mut saved = || -> Result<Option<Saved>, Error> {
            let length = from.value()?;
            let bytes = from.take(length)?;
            Ok(if bytes.is_empty() { None } else { Some(self.simulation.checkpoint_from_bytes(bytes)?) })
        };
        let (simulation, before) = (saved()?, saved()?.map(Arc::new));
        let simulation = simulation.ok_or_else(|| from.refuse("the state of a mechanism"))?;
        from.finish()?;
        Ok(Box::new(MechanismPoint { simulation, place: Place { now, given, set, before } }))
    }
}
