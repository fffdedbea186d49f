//! Coupled models as one simulator: inputs that no output feeds come from outside, outputs are the recorded columns.

use super::{Abilities, Experiment, Motion, Point, Polynomials, Reached, not_this_kind};
use crate::coupled::{CoupledModel, CoupledSettings, SAME, Settled};
use crate::fmi::exchange::Start;
use crate::fmi::parameters::parameters;
use crate::run::Watch;
use crate::{Document, Error};
use fourbar_coupling::management::{Report, View};
use fourbar_coupling::{
    Checkpoint, Error as CouplingError, Master, Observer, Proceed, RunState, Variability, Variable,
};
use fourbar_linalg::checkpoint::{Source, Stored};
use std::any::Any;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

pub(super) struct CoupledMotion {
    master: Master,
    seen: Seen,
    inputs: Vec<Variable>,
    outputs: Vec<Variable>,
    /// Parameters that simulators can go on with other values of, and are not inputs.
    tunable: BTreeSet<String>,
    place: Place,
}

/// Where a motion stands.
#[derive(Clone)]
struct Place {
    now: f64,
    /// The inputs from outside.
    given: Vec<f64>,
}

fourbar_linalg::stored!(struct Place { now, given });

struct CoupledPoint {
    place: Place,
    seen: Seen,
    /// Partners on threads borrow their parts.
    master: Mutex<Checkpoint>,
}

/// The recorded columns, and the inputs at the last communication point.
#[derive(Clone, Default)]
struct Seen {
    watch: Watch,
    inputs: Vec<f64>,
}

fourbar_linalg::stored!(struct Seen { watch, inputs });

impl Observer for Seen {
    fn exchanged(&mut self, view: &View<'_>) -> Proceed {
        self.inputs.clear();
        self.inputs.extend(view.inputs());
        self.watch.exchanged(view)
    }

    fn fault(&mut self, report: &Report<'_>) {
        self.watch.fault(report);
    }
}

impl CoupledMotion {
    pub(super) fn new(
        model: &CoupledModel,
        experiment: &Experiment,
        inputs: Option<&Polynomials>,
    ) -> Result<Self, Error> {
        let mut settled = Settled::new(model, &CoupledSettings::default()).map_err(Error::CoupledModel)?;
        settled.options.start = experiment.start;
        let mut master = compile(model, &settled, experiment.end)?;
        let (names, units) = (master.input_names(), master.input_units());
        let outputs = master.output_names();
        let count = outputs.len();
        let columns: Vec<(String, String)> = outputs
            .into_iter()
            .zip(master.output_units())
            .chain(names.iter().cloned().zip(units.iter().cloned()))
            .collect();
        let all: Vec<String> = columns.iter().map(|(name, _)| name.clone()).collect();
        let recorded = settled.recorded(&all, count)?;
        let discrete = master.discrete_outputs();
        let variable = |&k: &usize| {
            let held = discrete.get(k).is_some_and(|discrete| *discrete);
            let variability = if held { Variability::Discrete } else { Variability::Continuous };
            measured(&master, Variable::output(&columns[k].0, &columns[k].1)).changing(variability)
        };
        let outputs: Vec<Variable> = recorded.iter().map(variable).collect();
        let connections = model.connections()?;
        let is_open = |k: &usize| connections.iter().all(|connection| connection.to != names[*k]);
        let open: Vec<usize> = (0..names.len()).filter(is_open).collect();
        for (&k, input) in open.iter().zip(inputs.into_iter().flatten()) {
            master.set_input(&names[k], input[0])?;
        }
        let mut seen = Seen { watch: Watch::new(recorded), inputs: Vec::new() };
        master.initialize(&mut seen)?;
        let start = |k: usize| seen.inputs.get(k).copied().unwrap_or(0.0);
        let input = |&k: &usize| measured(&master, Variable::input(&names[k], &units[k]).start(start(k)));
        let inputs: Vec<Variable> = open.iter().map(input).collect();
        let place = Place { now: experiment.start, given: inputs.iter().map(|input| input.start).collect() };
        let tunable = master.parameters().into_iter().filter(|own| own.is_tunable && !names.contains(&own.name));
        let tunable = tunable.map(|own| own.name).collect();
        Ok(Self { master, seen, inputs, outputs, tunable, place })
    }
}

/// With the unit as its simulator knows it.
fn measured(master: &Master, own: Variable) -> Variable {
    let measure = master.variable(&own.name).ok().and_then(|known| known.measure);
    Variable { measure, ..own }
}

/// The master, which ends at `end` \[s\] if that is a communication point, else nowhere.
fn compile(model: &CoupledModel, settled: &Settled, end: f64) -> Result<Master, Error> {
    let mut options = settled.options.clone();
    // Whoever steps it keeps the time of the clock.
    options.pacing = None;
    options.end = end;
    match model.master_with(&options, &Arc::default()) {
        Err(Error::Coupling(CouplingError::EndBetweenPoints { .. })) => {
            options.end = f64::INFINITY;
            model.master_with(&options, &Arc::default())
        }
        master => master,
    }
}

impl Motion for CoupledMotion {
    fn inputs(&self) -> &[Variable] {
        &self.inputs
    }

    fn outputs(&self) -> &[Variable] {
        &self.outputs
    }

    fn abilities(&self) -> Abilities {
        let (state, bytes) = self.master.can_save();
        Abilities {
            state,
            bytes,
            input_order: 0,
            derivatives: false,
            may_end: false,
            has_events: false,
            retunes: !self.tunable.is_empty(),
            keeps_parameters: true,
        }
    }

    fn set_inputs(&mut self, inputs: &Polynomials) -> Result<(), Error> {
        let values = inputs.iter().map(|input| input[0]);
        if values.clone().eq(self.place.given.iter().copied()) {
            return Ok(());
        }
        for (input, value) in self.inputs.iter().zip(values.clone()) {
            self.master.set_input(&input.name, value)?;
        }
        self.place.given = values.collect();
        Ok(())
    }

    fn step(&mut self, time: f64) -> Result<Reached, Error> {
        let round_off = SAME * self.master.clock().tick();
        let is_there = |own: &Self| own.master.clock().time() >= time - round_off;
        let goes_on = is_there(self) || self.master.step(&mut self.seen)? != RunState::Finished;
        self.place.now = if !goes_on || is_there(self) { time } else { self.master.clock().time() };
        Ok(Reached::plain(self.place.now))
    }

    fn retune(&mut self, document: &Document) -> Result<(), Error> {
        let wanted = parameters(document)?;
        if document.coupled().is_none() {
            return Err(not_this_kind(document));
        }
        let now: BTreeMap<String, f64> =
            self.master.parameters().into_iter().map(|own| (own.name, own.value)).collect();
        let other = wanted.iter().filter(|own| {
            own.is_free && self.tunable.contains(&own.name) && now.get(&own.name).is_some_and(|now| *now != own.value)
        });
        let other: Vec<(&str, f64)> = other.map(|own| (own.name.as_str(), own.value)).collect();
        Ok(self.master.set_parameters(&other)?)
    }

    fn tunes(&self, parameter: &str) -> bool {
        self.tunable.contains(parameter)
    }

    fn equations(&mut self) -> Result<Start, Error> {
        Err(Error::NotForKind { setting: "equations for model exchange", kind: "coupled" })
    }

    fn observe(&mut self, values: &mut [f64]) -> Result<(), Error> {
        self.seen.watch.at(self.place.now, SAME * self.master.clock().tick(), values);
        Ok(())
    }

    fn derivatives(&mut self) -> Result<Vec<f64>, Error> {
        Err(Error::NotForKind { setting: "derivatives by inputs", kind: "coupled" })
    }

    fn save(&mut self) -> Result<Point, Error> {
        let mut checkpoint = Checkpoint::default();
        self.master.save(&mut checkpoint)?;
        let (place, seen) = (self.place.clone(), self.seen.clone());
        Ok(Box::new(CoupledPoint { place, seen, master: Mutex::new(checkpoint) }))
    }

    fn restore(&mut self, point: &(dyn Any + Send + Sync)) -> Result<bool, Error> {
        let Some(CoupledPoint { place, seen, master }) = point.downcast_ref() else { return Ok(false) };
        self.master.restore(&mut master.lock().unwrap_or_else(PoisonError::into_inner))?;
        self.place.clone_from(place);
        self.seen.clone_from(seen);
        Ok(true)
    }

    fn store(&mut self, point: &(dyn Any + Send + Sync), to: &mut Vec<u8>) -> Result<bool, Error> {
        let Some(CoupledPoint { place, seen, master }) = point.downcast_ref() else { return Ok(false) };
        place.store(to);
        seen.store(to);
        let mut master = master.lock().unwrap_or_else(PoisonError::into_inner);
        to.extend(self.master.checkpoint_to_bytes(&mut master)?);
        Ok(true)
    }

    fn load(&mut self, bytes: &[u8]) -> Result<Point, Error> {
        let mut from = Source::new(bytes);
        let (mut place, mut seen) = (self.place.clone(), self.seen.clone());
        place.load(&mut from)?;
        seen.load(&mut from)?;
        let left = from.left();
        let master = self.master.checkpoint_from_bytes(from.take(left)?)?;
        Ok(Box::new(CoupledPoint { place, seen, master: Mutex::new(master) }))
    }
}
