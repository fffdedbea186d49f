//! Runs of coupled simulators.

use super::active::{ActiveRun, Advance, Setup};
use super::plan::OUTPUTS;
use super::{Plan, Step};
use crate::Error;
use crate::coupled::{CoupledModel, CoupledSettings, SAME, Settled, SimulatorKind};
use crate::results::{Column, CoupledDetails, Details, FaultReport, algorithm};
use fourbar_coupling::management::{Report, View};
use fourbar_coupling::{Algorithm, Master, Observer, Options, Proceed, RunState};
#[cfg(feature = "fmi")]
use fourbar_linalg::checkpoint::{CheckpointError, Source, Stored};
use fourbar_linalg::text::Brief;
use std::collections::VecDeque;
use std::fmt;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};

/// Faults kept at most.
const FAULTS: usize = 1000;
/// Communication points kept, for outputs between them.
const KEPT: usize = 4;

/// Coupled simulators and how they are stepped.
pub(super) struct CoupledSetup {
    model: CoupledModel,
    options: Options,
    /// Set up when the settings were checked, until the first run takes it.
    prepared: Mutex<Option<Master>>,
    /// Which outputs and inputs are recorded, among all.
    recorded: Vec<usize>,
    columns: Vec<Column>,
    /// What was settled otherwise than the model says, and what partners do not see.
    notes: Vec<String>,
}

impl fmt::Debug for CoupledSetup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CoupledSetup")
            .field("model", &self.model)
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
}

/// Has reactions taken at multiples of that time \[s\], also within coupled simulators.
fn take_reactions(model: &mut CoupledModel, every: Option<f64>) {
    for simulator in &mut model.simulators {
        if let Some(outputs) = &mut simulator.reactions {
            outputs.every = every;
        }
        if let SimulatorKind::Coupled(inner) = &mut simulator.kind {
            take_reactions(inner, every);
        }
    }
}

impl CoupledSetup {
    pub(super) fn new(
        model: &CoupledModel,
        overrides: &CoupledSettings,
        interrupt: &Arc<AtomicBool>,
    ) -> Result<(Self, Plan), Error> {
        let mut settled = Settled::new(model, overrides).map_err(Error::CoupledModel)?;
        let given = overrides.step.is_some() && overrides.output_step.is_none();
        let note = if given { settled.fit_output_step() } else { None };
        let plan = plan(&settled)?;
        let mut model = model.clone();
        // Outputs between communication points are made of those beside them.
        let lie_on_points = settled.options.adaptive.is_none() && is_multiple(plan.output_step, settled.options.step);
        take_reactions(&mut model, lie_on_points.then_some(plan.output_step));
        let notes = note.into_iter().chain(model.passed_over(&settled.options)?).chain(model.left_at_zero()).collect();
        let master = model.master_with(&settled.options, interrupt)?;
        let outputs = master.output_names();
        let count = outputs.len();
        let names = [outputs, master.input_names()].concat();
        let units = [master.output_units(), master.input_units()].concat();
        let recorded = settled.recorded(&names, count)?;
        let column = |&k: &usize| Column { name: names[k].clone(), unit: units[k].clone() };
        let columns = recorded.iter().map(column).collect();
        let prepared = Mutex::new(Some(master));
        Ok((Self { model, options: settled.options, prepared, recorded, columns, notes }, plan))
    }
}

/// Whether a time is a multiple of another one.
fn is_multiple(time: f64, of: f64) -> bool {
    (time / of - (time / of).round()).abs() < SAME
}

/// The plan; without an output step one with about 1000 outputs, at communication points.
fn plan(settled: &Settled) -> Result<Plan, Error> {
    settled.check_output_step()?;
    let (end, step) = (settled.end.ok_or(Error::NoEnd)?, settled.options.step);
    let output_step = match settled.output_step {
        None if settled.options.adaptive.is_none() => Some((end / OUTPUTS / step).round().max(1.0) * step),
        given => given,
    };
    Plan::new(Some(end), output_step)
}

impl Setup for CoupledSetup {
    fn name(&self) -> &str {
        &self.model.name
    }

    fn columns(&self) -> Vec<Column> {
        self.columns.clone()
    }

    fn describe(&self) -> Vec<(String, String)> {
        let mut settings = vec![
            ("algorithm".to_owned(), algorithm(&self.options.algorithm)),
            ("communication step".to_owned(), format!("{} s", self.options.step)),
        ];
        if let Some(adaptive) = &self.options.adaptive {
            let undone = if adaptive.rollback { "undone" } else { "kept" };
            let text = format!("tolerance {}, steps that miss it are {undone}", Brief(adaptive.tolerance));
            settings.push(("adaptive step".to_owned(), text));
        }
        if let Some(pacing) = &self.options.pacing {
            settings.push(("real-time factor".to_owned(), pacing.real_time_factor.to_string()));
        }
        let simulators = self.model.simulators.iter();
        settings.extend(simulators.map(|simulator| {
            let every = simulator.place.every.filter(|every| *every > 1);
            let every = every.map(|every| format!(", every {every} communication points")).unwrap_or_default();
            (format!("simulator {}", simulator.name), format!("{}{every}", simulator.kind.name()))
        }));
        settings
    }

    fn begin(&self, _plan: &Plan, interrupt: &Arc<AtomicBool>) -> Result<Box<dyn ActiveRun>, Error> {
        // Nothing that panics holds the lock.
        let prepared = self.prepared.lock().unwrap_or_else(PoisonError::into_inner).take();
        let mut master = prepared.map_or_else(|| self.model.master_with(&self.options, interrupt), Ok)?;
        let mut watch = Watch::new(self.recorded.clone());
        master.initialize(&mut watch)?;
        Ok(Box::new(CoupledRun { master, watch, options: self.options.clone(), notes: self.notes.clone() }))
    }
}

/// What is seen of a run: the recorded values at the last communication points, and the faults.
#[derive(Clone, Default)]
pub(crate) struct Watch {
    recorded: Vec<usize>,
    /// Times and values, the oldest first.
    points: VecDeque<(f64, Vec<f64>)>,
    all: Vec<f64>,
    faults: Vec<FaultReport>,
}

/// What was seen last, for a checkpoint; faults stay in the process that met them.
#[cfg(feature = "fmi")]
impl Stored for Watch {
    fn store(&self, to: &mut Vec<u8>) {
        self.points.len().store(to);
        for (time, row) in &self.points {
            time.store(to);
            row.store(to);
        }
    }

    fn load(&mut self, from: &mut Source<'_>) -> Result<(), CheckpointError> {
        let count: usize = from.value()?;
        if count > KEPT {
            return Err(from.refuse("the number of points"));
        }
        self.points.clear();
        for _ in 0..count {
            let (time, mut row) = (from.value()?, vec![0.0; self.recorded.len()]);
            row.load(from)?;
            self.points.push_back((time, row));
        }
        Ok(())
    }
}

impl Observer for Watch {
    fn exchanged(&mut self, view: &View<'_>) -> Proceed {
        self.all.clear();
        let packets = (0..view.partners()).filter_map(|i| view.received(i));
        packets.for_each(|packet| self.all.extend_from_slice(&packet.values));
        // Sorted: the last is an input if any is.
        if self.recorded.last().is_some_and(|&k| k >= self.all.len()) {
            self.all.extend(view.inputs());
        }
        let mut row =
            if self.points.len() == KEPT { self.points.pop_front().unwrap_or_default().1 } else { Vec::new() };
        row.clear();
        row.extend(self.recorded.iter().map(|&k| self.all[k]));
        self.points.push_back((view.time(), row));
        Proceed::Continue
    }

    fn fault(&mut self, report: &Report<'_>) {
        if self.faults.len() < FAULTS {
            self.faults.push(FaultReport::new(report));
        }
    }
}

impl Watch {
    /// Of the outputs and inputs at these places among all; they increase.
    pub(crate) fn new(recorded: Vec<usize>) -> Self {
        Self { recorded, ..Self::default() }
    }

    /// The recorded values at a time within the last step: the polynomial through the last communication points.
    pub(crate) fn at(&self, time: f64, tolerance: f64, values: &mut [f64]) {
        if let Some((_, row)) = self.points.iter().rev().find(|(t, _)| (t - time).abs() <= tolerance) {
            values.copy_from_slice(row);
            return;
        }
        values.fill(0.0);
        for (i, (own, row)) in self.points.iter().enumerate() {
            let others = self.points.iter().enumerate().filter(|(j, _)| *j != i);
            let weight: f64 = others.map(|(_, (other, _))| (time - other) / (own - other)).product();
            for (value, entry) in values.iter_mut().zip(row) {
                *value += weight * entry;
            }
        }
    }
}

struct CoupledRun {
    master: Master,
    watch: Watch,
    options: Options,
    notes: Vec<String>,
}

impl ActiveRun for CoupledRun {
    fn time(&self) -> f64 {
        self.master.clock().time()
    }

    fn ends_within_steps(&self) -> bool {
        false
    }

    fn advance(&mut self) -> Result<Advance, Error> {
        let before = self.time();
        let state = self.master.step(&mut self.watch)?;
        let time = self.time();
        let order = match &self.options.algorithm {
            Algorithm::Jacobi { order } | Algorithm::GaussSeidel { order, .. } | Algorithm::Iterated { order, .. } => {
                *order as usize
            }
            _ => 0,
        };
        Ok(Advance { step: Step { time, size: time - before, order }, finished: state == RunState::Finished })
    }

    fn values_at(&mut self, time: f64, values: &mut [f64]) -> Result<(), Error> {
        self.watch.at(time, SAME * self.master.clock().tick(), values);
        Ok(())
    }

    fn details(&mut self) -> Result<Details, Error> {
        let faults = self.watch.faults.clone();
        Ok(Details::Coupled(CoupledDetails::new(&self.master, &self.options, faults)))
    }

    fn warnings(&mut self) -> Vec<String> {
        let mut warnings = CoupledDetails::new(&self.master, &self.options, Vec::new()).warnings();
        warnings.extend(self.master.warnings());
        warnings.extend(self.notes.iter().cloned());
        warnings
    }
}
