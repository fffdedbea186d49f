//! A run: a model simulated over time, reported to observers as it goes.

mod circuit;
pub(crate) mod contact;
mod coupled;
mod course;
mod linear;
mod mechanism;
mod overrides;
mod plan;
pub(crate) mod schedule;

pub(crate) use linear::{Estimates, Exact, ExactPoint, Grid, Inputs, Rows};
pub use overrides::Overrides;
pub use plan::Plan;

use crate::results::{Column, Status, Summary};
use crate::{Document, Error};
use circuit::CircuitJob;
use contact::ContactJob;
use coupled::CoupledJob;
use course::{Course, Job};
use fourbar_hydraulics::Circuit;
use fourbar_linalg::Interrupt;
use fourbar_linalg::text::printable;
use fourbar_multibody::Mechanism;
use linear::LinearJob;
use mechanism::MechanismJob;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Whoever wants to know what happens during a run. An error ends the run.
pub trait Observer {
    /// Called once, before the first output, with the names and units of the measures.
    ///
    /// # Errors
    /// Whatever keeps the observer from its work.
    fn begin(&mut self, _columns: &[Column]) -> io::Result<()> {
        Ok(())
    }

    /// Called at each output time \[s\] with the measures, in the order of the columns.
    ///
    /// # Errors
    /// Whatever keeps the observer from its work.
    fn output(&mut self, _time: f64, _values: &[f64]) -> io::Result<()> {
        Ok(())
    }

    /// Called after each accepted step.
    ///
    /// # Errors
    /// Whatever keeps the observer from its work.
    fn step(&mut self, _step: &Step) -> io::Result<()> {
        Ok(())
    }
}

/// An accepted step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Step {
    /// Its end \[s\].
    pub time: f64,
    /// Its length \[s\].
    pub size: f64,
    /// Order of the method.
    pub order: usize,
}

/// A model compiled and ready to run.
#[derive(Debug)]
pub struct Run {
    job: Box<dyn Job>,
    plan: Plan,
    columns: Vec<Column>,
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
        let interrupt = Arc::default();
        let (job, plan): (Box<dyn Job>, Plan) = match document {
            Document::Mechanism(mechanism) => {
                let whole = mechanism.expand().map_err(fourbar_multibody::Error::Model)?;
                if whole.has_contacts() {
                    let (times, following) = overrides.for_contacts()?;
                    let (job, plan) = ContactJob::new(&whole, &times, &following)?;
                    (Box::new(job), plan)
                } else {
                    whole.measured_pairs().map_err(fourbar_multibody::Error::Model)?;
                    let (job, plan) = MechanismJob::new(&whole.model, &overrides.for_mechanism()?)?;
                    (Box::new(job), plan)
                }
            }
            Document::Linear(model) => {
                let (job, plan) = LinearJob::new(model, &overrides.for_linear()?)?;
                (Box::new(job), plan)
            }
            Document::Circuit(model) => {
                let (job, plan) = CircuitJob::new(model, &overrides.for_circuit()?)?;
                (Box::new(job), plan)
            }
            Document::Coupled(model) => {
                let (job, plan) = CoupledJob::new(model, &overrides.for_coupled()?, &interrupt)?;
                (Box::new(job), plan)
            }
        };
        let columns = job.columns();
        Ok(Self { job, plan, columns, interrupt })
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
        self.job.mechanism()
    }

    /// What was compiled of a hydraulic circuit; None for other kinds.
    #[must_use]
    pub fn circuit(&self) -> Option<&Circuit> {
        self.job.circuit()
    }

    /// How the model is run as pairs of name and value, for a report.
    #[must_use]
    pub fn settings(&self) -> Vec<(String, String)> {
        self.plan.describe().into_iter().chain(self.job.describe()).collect()
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
        let mut course = self.job.begin(&self.plan, &self.interrupt)?;
        let (time, mut values) = (course.time(), vec![0.0; self.columns.len()]);
        course.values_at(time, &mut values)?;
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
        let begun = Instant::now();
        let values = vec![0.0; self.columns.len()];
        let gaps = vec![Gap::default(); self.columns.len()];
        let course = self.job.begin(&self.plan, &self.interrupt)?;
        let mut execution = Execution { plan: &self.plan, course, observers, values, outputs: 0, gaps };
        execution.begin(&self.columns)?;
        let (status, failure) = match execution.advance(stop).and_then(|status| execution.finish().map(|()| status)) {
            Ok(status) => (status, None),
            Err(error @ Error::Write { .. }) => return Err(error),
            Err(error) => {
                execution.finish_after_failure()?;
                (Status::Failed, Some(error))
            }
        };
        let mut warnings: Vec<String> =
            self.mechanism().map(|mechanism| mechanism.assembly().warnings()).unwrap_or_default();
        warnings.extend(execution.course.warnings());
        warnings.extend(execution.gap_warnings(&self.columns));
        let shown = |text: String| printable(&text).into_owned();
        let summary = Summary {
            model: self.job.name().to_owned(),
            status,
            error: failure.as_ref().map(ToString::to_string).map(shown),
            warnings: warnings.into_iter().map(shown).collect(),
            end_time: execution.course.time(),
            last: self.columns.iter().cloned().zip(execution.values.iter().copied()).collect(),
            details: Interrupt::unwatched(|| execution.course.details())?,
            wall_seconds: begun.elapsed().as_secs_f64(),
        };
        Ok(Outcome { summary, failure })
    }
}

/// Outputs at which a measure had no finite value.
#[derive(Debug, Clone, Copy, Default)]
struct Gap {
    first: f64,
    count: u64,
}

/// A course with those who watch it.
struct Execution<'a, 'o> {
    plan: &'a Plan,
    course: Box<dyn Course>,
    observers: &'a mut [&'o mut dyn Observer],
    values: Vec<f64>,
    /// Outputs done.
    outputs: u64,
    gaps: Vec<Gap>,
}

impl Execution<'_, '_> {
    fn begin(&mut self, columns: &[Column]) -> Result<(), Error> {
        let time = self.course.time();
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
            let advance = match self.course.ends_within_steps() {
                true => self.course.advance(),
                false => Interrupt::unwatched(|| self.course.advance()),
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
        self.values_at(time)?;
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
            .map_err(|source| Error::Write { time, source })
    }

    /// The measures at a time within the last step, which are had also of a run that was interrupted.
    fn values_at(&mut self, time: f64) -> Result<(), Error> {
        Interrupt::unwatched(|| self.course.values_at(time, &mut self.values))
    }

    /// Puts the measures at the last accepted step into `values`; reports them unless an output has fallen there.
    fn finish(&mut self) -> Result<(), Error> {
        let time = self.course.time();
        let last = self.outputs.checked_sub(1).and_then(|output| self.plan.output_time(output));
        if last == Some(time) {
            return self.values_at(time);
        }
        self.output(time)
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
