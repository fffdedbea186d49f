//! Runs of coupled simulators.

use super::active::{ActiveRun, Advance, Setup};
use super::plan::OUTPUTS;
use super::watch::Watch;
use super::{Plan, Step};
use crate::Error;
use crate::coupled::{CoupledModel, CoupledSettings, SAME, Settled, SimulatorKind};
use crate::results::{Column, CoupledDetails, Details, algorithm};
use fourbar_coupling::{Algorithm, Master, Options, RunState};
use fourbar_linalg::text::Brief;
use std::fmt;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};

/// What is said of a setting that does nothing.
const NO_EVENTS: &str = "`events = true` has no effect: no simulator ends its steps at events or has an output whose jumps in time are known; give \
                         jumps as functions of `time` in `equations`, or lower `step`";

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
        let notes: Vec<String> =
            note.into_iter().chain(model.passed_over(&settled.options)?).chain(model.left_at_zero()).collect();
        let master = model.master_with(&settled.options, interrupt)?;
        let idle = (settled.options.events && !master.ends_at_events()).then(|| NO_EVENTS.to_owned());
        let notes = notes.into_iter().chain(idle).collect();
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
    let (end, step, start) = (settled.end.ok_or(Error::NoEnd)?, settled.options.step, settled.options.start);
    let output_step = match settled.output_step {
        None if settled.options.adaptive.is_none() => Some(((end - start) / OUTPUTS / step).round().max(1.0) * step),
        given => given,
    };
    Plan::between(start, Some(end), output_step)
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
        let every = self.model.simulators.iter().map(|simulator| simulator.place.every.unwrap_or(1)).collect();
        let mut watch = Watch::new(self.recorded.clone()).between(every, master.discrete_outputs());
        master.initialize(&mut watch)?;
        Ok(Box::new(CoupledRun { master, watch, options: self.options.clone(), notes: self.notes.clone() }))
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
        let mut state = self.master.step(&mut self.watch)?;
        // What lies between the points of those that take part more seldom is known when they have stepped.
        while self.watch.is_waiting() && state == RunState::Running {
            state = self.master.step(&mut self.watch)?;
        }
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
        let faults = self.watch.faults().to_vec();
        Ok(Details::Coupled(CoupledDetails::new(&mut self.master, &self.options, faults)))
    }

    fn warnings(&mut self) -> Vec<String> {
        let mut warnings = CoupledDetails::new(&mut self.master, &self.options, Vec::new()).warnings();
        warnings.extend(self.master.warnings());
        warnings.extend(self.notes.iter().cloned());
        warnings
    }
}
