//! A run: a model simulated over time, reported to observers as it goes.

mod active;
mod circuit;
pub(crate) mod contact;
mod coupled;
mod frame;
mod linear;
mod mechanism;
mod overrides;
mod plan;
pub(crate) mod schedule;
mod settings;
mod watch;

pub use crate::observer::{ContactLoad, Frame, Observer, Step};
pub(crate) use frame::{Framer, contact_load};
pub(crate) use linear::{Estimates, Exact, ExactPoint, Grid, Inputs, Rows};
pub use overrides::Overrides;
pub use plan::Plan;
pub(crate) use plan::SAME;
pub use settings::{Allowed, ModelKind, RUN_SETTINGS, RunSetting};
#[cfg(feature = "fmi")]
pub(crate) use watch::Watch;

use crate::observer::Column;
use crate::result_units::{self, Conversion, ResultUnits};
use crate::results::{Status, Summary};
use crate::{Document, Error};
use active::{ActiveRun, Setup};
use circuit::CircuitSetup;
use contact::ContactSetup;
use coupled::CoupledSetup;
use fourbar_hydraulics::Circuit;
use fourbar_linalg::Interrupt;
use fourbar_linalg::text::printable;
use fourbar_multibody::Mechanism;
use fourbar_multibody::host::HostFunctions;
use linear::LinearSetup;
use mechanism::MechanismSetup;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A model compiled and ready to run.
#[derive(Debug)]
pub struct Run {
    setup: Box<dyn Setup>,
    plan: Plan,
    columns: Vec<Column>,
    /// How values in SI units become those of the columns.
    conversions: Vec<Conversion>,
    /// What a reader should know of the model itself.
    advice: Vec<String>,
    interrupt: Arc<AtomicBool>,
}

/// What a run leaves.
#[derive(Debug)]
pub struct Outcome {
    /// The end of the run.
    pub summary: Summary,
    /// What ended it early, if something failed; outputs and summary up to there stand.
    pub failure: Option<Error>,
}

impl Run {
    /// Compiles a model of any kind and settles how it is run; entries of `overrides` take precedence over those of the model.
    ///
    /// # Errors
    /// [`Error::Multibody`], [`Error::Contact`], [`Error::LinearModel`], [`Error::Circuit`], [`Error::CoupledModel`], [`Error::Coupling`] or
    /// [`Error::Simulator`] if the model is not valid or does not assemble; [`Error::NoEnd`],
    /// [`Error::TooManyOutputs`], [`Error::TooManySteps`], [`Error::OutputsBetweenSteps`]; [`Error::NotForKind`] for an entry of `overrides`.
    pub fn new(document: &Document, overrides: &Overrides) -> Result<Self, Error> {
        Self::with_functions(document, overrides, &HostFunctions::default())
    }

    /// As [`Run::new`]; forces and motions of a mechanism that `functions` names are computed by them. Models of other kinds have none.
    ///
    /// # Errors
    /// As [`Run::new`].
    pub fn with_functions(
        document: &Document,
        overrides: &Overrides,
        functions: &HostFunctions,
    ) -> Result<Self, Error> {
        let interrupt = Arc::default();
        let mut advice = Vec::new();
        let shown;
        let (setup, plan): (Box<dyn Setup>, Plan) = match document {
            Document::Mechanism(mechanism) => {
                let whole = mechanism.expand().map_err(fourbar_multibody::Error::Model)?;
                advice = [whole.advice(), result_units::advice(mechanism)].concat();
                shown = ResultUnits::of_mechanism(&whole).map_err(fourbar_multibody::Error::Model)?;
                if whole.has_contacts() {
                    let (times, following) = overrides.for_contacts()?;
                    let (setup, plan) = ContactSetup::new(&whole, functions, &times, &following)?;
                    (Box::new(setup), plan)
                } else {
                    whole.measured_pairs().map_err(fourbar_multibody::Error::Model)?;
                    let (setup, plan) = MechanismSetup::new(&whole.model, functions, &overrides.for_mechanism()?)?;
                    (Box::new(setup), plan)
                }
            }
            Document::Linear(model) => {
                shown = ResultUnits::new(&model.result_units).map_err(fourbar_multibody::Error::Model)?;
                let (setup, plan) = LinearSetup::new(model, &overrides.for_linear()?)?;
                (Box::new(setup), plan)
            }
            Document::Circuit(model) => {
                shown = ResultUnits::new(&model.model.result_units).map_err(fourbar_multibody::Error::Model)?;
                let (setup, plan) = CircuitSetup::new(model, &overrides.for_circuit()?)?;
                (Box::new(setup), plan)
            }
            Document::Coupled(model) => {
                shown = ResultUnits::new(&model.result_units).map_err(fourbar_multibody::Error::Model)?;
                let (setup, plan) = CoupledSetup::new(model, &overrides.for_coupled()?, &interrupt)?;
                (Box::new(setup), plan)
            }
        };
        let mut columns = setup.columns();
        let conversions = shown.show(&mut columns).map_err(fourbar_multibody::Error::Model)?;
        Ok(Self { setup, plan, columns, conversions, advice, interrupt })
    }

    /// When the run ends and when it gives outputs.
    #[must_use]
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Names and units of the measures.
    #[must_use]
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// What was compiled of a mechanism, with contacts or without; None for other kinds.
    #[must_use]
    pub fn mechanism(&self) -> Option<&Mechanism> {
        self.setup.mechanism()
    }

    /// What was compiled of a hydraulic circuit; None for other kinds.
    #[must_use]
    pub fn circuit(&self) -> Option<&Circuit> {
        self.setup.circuit()
    }

    /// How the model is run as pairs of name and value, for a report.
    #[must_use]
    pub fn settings(&self) -> Vec<(String, String)> {
        self.plan.describe().into_iter().chain(self.setup.describe()).collect()
    }

    /// A flag for [`Run::execute`]: raised by another thread it ends the run also within a step that takes long, where the model is a
    /// mechanism, and where a coupled simulator on a thread or in a process of its own does not answer. Lower it before the next run.
    #[must_use]
    pub fn interrupt(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.interrupt)
    }

    /// Begins a run and leaves it at that: the measures at its start, in the order of the columns. What [`Run::execute`] would refuse
    /// before its first step is refused here.
    ///
    /// # Errors
    /// Those of [`Run::execute`], but for [`Error::Write`].
    pub fn begin(&self) -> Result<Vec<f64>, Error> {
        let mut active = self.setup.begin(&self.plan, &self.interrupt)?;
        let (time, mut values) = (active.time(), vec![0.0; self.columns.len()]);
        active.values_at(time, &mut values)?;
        convert(&self.conversions, &mut values);
        Ok(values)
    }

    /// Runs from t = 0 to the end time, or to the first accepted step after `stop` is raised; with [`Run::interrupt`] for `stop`, only to
    /// the last one before. What the calling thread watches ([`Interrupt::watch`]) ends it too.
    ///
    /// Outputs come at the multiples of the output step and at the end. A run that fails half way is an outcome too; it carries the
    /// error.
    ///
    /// # Errors
    /// [`Error::Write`] if an observer fails; [`Error::Multibody`], [`Error::Contact`], [`Error::Linear`], [`Error::Circuit`], [`Error::Coupling`] or
    /// [`Error::Input`] if the run cannot begin.
    pub fn execute(&self, observers: &mut [&mut dyn Observer], stop: &AtomicBool) -> Result<Outcome, Error> {
        let begun = Stopwatch::start();
        let values = vec![0.0; self.columns.len()];
        let gaps = vec![Gap::default(); self.columns.len()];
        let active = self.setup.begin(&self.plan, &self.interrupt)?;
        let (plan, conversions) = (&self.plan, &self.conversions[..]);
        let mut execution = Execution { plan, conversions, active, observers, values, outputs: 0, gaps, end: 0.0 };
        execution.begin(&self.columns)?;
        let (status, failure) = match execution.advance(stop).and_then(|status| execution.finish().map(|()| status)) {
            Ok(status) => (status, None),
            Err(error @ Error::Write { .. }) => return Err(error),
            Err(error) => {
                execution.finish_after_failure()?;
                (Status::Failed, Some(error))
            }
        };
        let at_start = |mechanism: &Mechanism| [mechanism.assembly().warnings(), mechanism.advice().to_vec()].concat();
        let mut warnings: Vec<String> = self.mechanism().map(at_start).unwrap_or_default();
        warnings.extend_from_slice(&self.advice);
        warnings.extend(execution.active.warnings());
        warnings.extend(execution.gap_warnings(&self.columns));
        let shown = |text: String| printable(&text).into_owned();
        let summary = Summary {
            model: self.setup.name().to_owned(),
            status,
            error: failure.as_ref().map(ToString::to_string).map(shown),
            warnings: warnings.into_iter().map(shown).collect(),
            end_time: execution.end,
            last: self.columns.iter().cloned().zip(execution.values.iter().copied()).collect(),
            details: Interrupt::unwatched(|| execution.active.details())?,
            wall_seconds: begun.seconds(),
        };
        Ok(Outcome { summary, failure })
    }
}

/// Makes values in SI units those in the units of their columns.
fn convert(conversions: &[Conversion], values: &mut [f64]) {
    values.iter_mut().zip(conversions).for_each(|(value, conversion)| *value = conversion.apply(*value));
}

/// Time since the beginning of a run.
struct Stopwatch(#[cfg(feature = "clock")] std::time::Instant);

impl Stopwatch {
    fn start() -> Self {
        Self(
            #[cfg(feature = "clock")]
            std::time::Instant::now(),
        )
    }

    /// \[s\]; 0 in a build without a clock.
    fn seconds(&self) -> f64 {
        #[cfg(feature = "clock")]
        return self.0.elapsed().as_secs_f64();
        #[cfg(not(feature = "clock"))]
        0.0
    }
}

/// Outputs at which a measure had no finite value.
#[derive(Debug, Clone, Copy, Default)]
struct Gap {
    first: f64,
    count: u64,
}

/// A run under way with those who watch it.
struct Execution<'a, 'o> {
    plan: &'a Plan,
    conversions: &'a [Conversion],
    active: Box<dyn ActiveRun>,
    observers: &'a mut [&'o mut dyn Observer],
    values: Vec<f64>,
    /// Outputs done.
    outputs: u64,
    gaps: Vec<Gap>,
    /// Where it ends: the time of the last output, which the last step reaches but for round-off \[s\].
    end: f64,
}

impl Execution<'_, '_> {
    fn begin(&mut self, columns: &[Column]) -> Result<(), Error> {
        let time = self.active.time();
        self.observers
            .iter_mut()
            .try_for_each(|observer| observer.begin(columns))
            .map_err(|source| Error::Write { time, source })?;
        self.output(time)
    }

    fn advance(&mut self, stop: &AtomicBool) -> Result<Status, Error> {
        loop {
            let interrupted = || stop.load(Ordering::Relaxed) || Interrupt::thread_is_interrupted();
            if interrupted() {
                return Ok(Status::Interrupted);
            }
            let advance = match self.active.ends_within_steps() {
                true => self.active.advance(),
                false => Interrupt::unwatched(|| self.active.advance()),
            };
            let advance = match advance {
                // Within the step, from which nothing remains.
                Err(_) if interrupted() => return Ok(Status::Interrupted),
                result => result?,
            };
            let step = advance.step;
            self.observers
                .iter_mut()
                .try_for_each(|observer| observer.step(&step))
                .map_err(|source| Error::Write { time: step.time, source })?;
            while let Some(time) = self.plan.output_time(self.outputs).filter(|time| *time <= step.time) {
                self.output(time)?;
            }
            if advance.finished {
                return Ok(Status::Done);
            }
        }
    }

    fn output(&mut self, time: f64) -> Result<(), Error> {
        self.output_as(time, time)
    }

    /// Gives the measures at the time `at` as those of `time`.
    fn output_as(&mut self, time: f64, at: f64) -> Result<(), Error> {
        self.values_at(at)?;
        self.outputs += 1;
        for (gap, value) in self.gaps.iter_mut().zip(&self.values) {
            if !value.is_finite() {
                gap.first = if gap.count == 0 { time } else { gap.first };
                gap.count += 1;
            }
        }
        self.observers
            .iter_mut()
            .try_for_each(|observer| observer.output(time, &self.values))
            .map_err(|source| Error::Write { time, source })?;
        self.frame(time)
    }

    /// Shows the bodies to those who want to see them.
    fn frame(&mut self, time: f64) -> Result<(), Error> {
        if self.observers.iter().all(|observer| !observer.wants_frames()) {
            return Ok(());
        }
        let Some(frame) = Interrupt::unwatched(|| self.active.frame())? else { return Ok(()) };
        self.observers
            .iter_mut()
            .filter(|observer| observer.wants_frames())
            .try_for_each(|observer| observer.frame(frame))
            .map_err(|source| Error::Write { time, source })
    }

    /// The measures at a time within the last step, which are had also of a run that was interrupted.
    fn values_at(&mut self, time: f64) -> Result<(), Error> {
        Interrupt::unwatched(|| self.active.values_at(time, &mut self.values))?;
        convert(self.conversions, &mut self.values);
        Ok(())
    }

    /// Puts the measures at the last accepted step into `values`; reports them unless an output has fallen there.
    fn finish(&mut self) -> Result<(), Error> {
        let time = self.active.time();
        // Steps add up to the times of outputs but for round-off.
        let is_now = |output: &f64| (output - time).abs() <= SAME * self.plan.output_step;
        let last = self.outputs.checked_sub(1).and_then(|output| self.plan.output_time(output));
        self.end = time;
        if let Some(last) = last.filter(is_now) {
            self.end = last;
            return self.values_at(time);
        }
        self.end = self.plan.output_time(self.outputs).filter(is_now).unwrap_or(time);
        self.output_as(self.end, time)
    }

    /// As [`Execution::finish`], where the measures at the last accepted step may be what cannot be evaluated: they are NaN then.
    fn finish_after_failure(&mut self) -> Result<(), Error> {
        match self.finish() {
            Ok(()) => Ok(()),
            Err(error @ Error::Write { .. }) => Err(error),
            Err(_) => {
                self.values.fill(f64::NAN);
                Ok(())
            }
        }
    }

    fn gap_warnings(&self, columns: &[Column]) -> Vec<String> {
        let outputs = self.outputs;
        let warning = |(gap, column): (&Gap, &Column)| {
            let Gap { first, count } = gap;
            format!("`{}` is not finite at {count} of {outputs} outputs, first at t = {first} s", column.name)
        };
        self.gaps.iter().zip(columns).filter(|(gap, _)| gap.count > 0).map(warning).collect()
    }
}
