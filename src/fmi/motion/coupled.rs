//! Coupled models as one simulator: inputs that no output feeds come from outside, outputs are the recorded columns.
//!
//! A master keeps no checkpoints. What was done to it is kept instead, and to return to a point is to do it again: the same bits, at the cost of the
//! simulation up to there.

use super::{Abilities, Experiment, Motion, Point, Polynomials, Reached, not_this_kind};
use crate::coupled::{CoupledModel, CoupledSettings, SAME, Settled};
use crate::fmi::exchange::Start;
use crate::run::Watch;
use crate::{Document, Error};
use fourbar_coupling::management::{Report, View};
use fourbar_coupling::{Error as CouplingError, Master, Observer, Proceed, RunState, Variable};
use fourbar_linalg::checkpoint::{Source, Stored, store_list};
use std::any::Any;
use std::sync::Arc;

pub(super) struct CoupledMotion {
    model: Arc<CoupledModel>,
    experiment: Experiment,
    master: Master,
    seen: Seen,
    inputs: Vec<Variable>,
    outputs: Vec<Variable>,
    now: f64,
    history: History,
}

/// What was done to the master: steps, and before which of them the inputs became what.
#[derive(Debug, Clone, PartialEq)]
struct History {
    steps: u64,
    inputs: Vec<(u64, Vec<f64>)>,
}

struct CoupledPoint {
    now: f64,
    history: History,
}

/// The recorded columns, and the inputs at the last communication point.
#[derive(Default)]
struct Seen {
    watch: Watch,
    inputs: Vec<f64>,
}

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
        let values = inputs.map(|inputs| inputs.iter().map(|input| input[0]).collect());
        Self::begin(&Arc::new(model.clone()), experiment, values)
    }

    fn begin(model: &Arc<CoupledModel>, experiment: &Experiment, values: Option<Vec<f64>>) -> Result<Self, Error> {
        let settled = Settled::new(model, &CoupledSettings::default()).map_err(Error::CoupledModel)?;
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
        let variable = |&k: &usize| Variable::output(&columns[k].0, &columns[k].1);
        let outputs = recorded.iter().map(variable).collect();
        let is_open = |k: &usize| model.connections.iter().all(|connection| connection.to != names[*k]);
        let open: Vec<usize> = (0..names.len()).filter(is_open).collect();
        for (&k, &value) in open.iter().zip(values.iter().flatten()) {
            master.set_input(&names[k], value)?;
        }
        let mut seen = Seen { watch: Watch::new(recorded), inputs: Vec::new() };
        master.initialize(&mut seen)?;
        let start = |k: usize| seen.inputs.get(k).copied().unwrap_or(0.0);
        let inputs: Vec<Variable> =
            open.iter().map(|&k| Variable::input(&names[k], &units[k]).start(start(k))).collect();
        let first = inputs.iter().map(|input| input.start).collect();
        let history = History { steps: 0, inputs: vec![(0, first)] };
        let (model, experiment) = (Arc::clone(model), *experiment);
        Ok(Self { model, experiment, master, seen, inputs, outputs, now: 0.0, history })
    }

    fn give(&mut self, values: &[f64]) -> Result<(), Error> {
        for (input, &value) in self.inputs.iter().zip(values) {
            self.master.set_input(&input.name, value)?;
        }
        self.history.inputs.push((self.history.steps, values.to_vec()));
        Ok(())
    }

    /// One communication step; false at the end of the run.
    fn step_once(&mut self) -> Result<bool, Error> {
        let before = self.master.clock().stamp();
        let state = self.master.step(&mut self.seen)?;
        self.history.steps += u64::from(self.master.clock().stamp() > before);
        Ok(state != RunState::Finished)
    }
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
        Abilities {
            state: true,
            bytes: true,
            input_order: 0,
            derivatives: false,
            may_end: false,
            has_events: false,
            retunes: false,
        }
    }

    fn set_inputs(&mut self, inputs: &Polynomials) -> Result<(), Error> {
        let values: Vec<f64> = inputs.iter().map(|input| input[0]).collect();
        if self.history.inputs.last().is_some_and(|(_, last)| *last == values) {
            return Ok(());
        }
        self.give(&values)
    }

    fn step(&mut self, time: f64) -> Result<Reached, Error> {
        let round_off = SAME * self.master.clock().tick();
        let is_there = |own: &Self| own.master.clock().time() >= time - round_off;
        let goes_on = is_there(self) || self.step_once()?;
        self.now = if !goes_on || is_there(self) { time } else { self.master.clock().time() };
        Ok(Reached::plain(self.now))
    }

    fn retune(&mut self, document: &Document) -> Result<(), Error> {
        Err(not_this_kind(document))
    }

    fn equations(&mut self) -> Result<Start, Error> {
        Err(Error::NotForKind { setting: "equations for model exchange", kind: "coupled" })
    }

    fn observe(&mut self, values: &mut [f64]) -> Result<(), Error> {
        self.seen.watch.at(self.now, SAME * self.master.clock().tick(), values);
        Ok(())
    }

    fn derivatives(&mut self) -> Result<Vec<f64>, Error> {
        Err(Error::NotForKind { setting: "derivatives by inputs", kind: "coupled" })
    }

    fn save(&mut self) -> Result<Point, Error> {
        Ok(Box::new(CoupledPoint { now: self.now, history: self.history.clone() }))
    }

    fn restore(&mut self, point: &(dyn Any + Send + Sync)) -> Result<bool, Error> {
        let Some(CoupledPoint { now, history }) = point.downcast_ref() else { return Ok(false) };
        if *history != self.history {
            let mut given = history.inputs.iter();
            let first = given.next().map(|(_, values)| values.clone());
            let mut again = Self::begin(&self.model, &self.experiment, first)?;
            for (before, values) in given {
                while again.history.steps < *before && again.step_once()? {}
                again.give(values)?;
            }
            while again.history.steps < history.steps && again.step_once()? {}
            *self = again;
        }
        self.now = *now;
        Ok(true)
    }

    fn store(&self, point: &(dyn Any + Send + Sync), to: &mut Vec<u8>) -> Result<bool, Error> {
        let Some(CoupledPoint { now, history }) = point.downcast_ref() else { return Ok(false) };
        now.store(to);
        history.steps.store(to);
        store_list(&history.inputs, to);
        Ok(true)
    }

    fn load(&mut self, bytes: &[u8]) -> Result<Point, Error> {
        let mut from = Source::new(bytes);
        let (now, steps) = from.value()?;
        let mut inputs = Vec::new();
        from.list_like(&mut inputs, &(0u64, vec![0.0; self.inputs.len()]))?;
        from.finish()?;
        Ok(Box::new(CoupledPoint { now, history: History { steps, inputs } }))
    }
}
