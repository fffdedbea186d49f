//! A run: a model simulated over time, reported to observers as it goes.

mod plan;

pub use plan::Plan;

use crate::Error;
use crate::results::{Column, Status, Summary};
use fourbar_multibody::integrator::Stop;
use fourbar_multibody::model::{Model, Settings};
use fourbar_multibody::{Dynamics, Mechanism, Violation};
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
    mechanism: Arc<Mechanism>,
    plan: Plan,
    columns: Vec<Column>,
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
    /// Compiles `model` and settles how it is run; entries of `overrides` take precedence over those of the model.
    ///
    /// # Errors
    /// [`Error::Multibody`] if the model is not valid or does not assemble; [`Error::NoEnd`], [`Error::TooManyOutputs`].
    pub fn new(model: &Model, overrides: &Settings) -> Result<Self, Error> {
        let mechanism = Arc::new(Mechanism::compile(model)?);
        let plan = Plan::new(model, overrides)?;
        let column = |measure: &fourbar_multibody::measure::MeasureInfo| Column {
            name: measure.name.clone(),
            unit: measure.unit.clone(),
        };
        let columns = mechanism.measures().iter().map(column).collect();
        Ok(Self { mechanism, plan, columns })
    }

    /// The compiled model.
    #[must_use]
    pub fn mechanism(&self) -> &Arc<Mechanism> {
        &self.mechanism
    }

    /// How the model is run.
    #[must_use]
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Names and units of the measures.
    #[must_use]
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// Runs from t = 0 to the end time, or to the first accepted step after `stop` is raised.
    ///
    /// Outputs come at the multiples of the output step and at the end, from the dense output of the integrator. A run that fails
    /// half way is an outcome too; it carries the error.
    ///
    /// # Errors
    /// [`Error::Write`] if an observer fails; [`Error::Multibody`] if the run cannot begin.
    pub fn execute(&self, observers: &mut [&mut dyn Observer], stop: &AtomicBool) -> Result<Outcome, Error> {
        let begun = Instant::now();
        let dynamics = Dynamics::new(&self.mechanism, &self.plan.dynamics)?;
        let values = vec![0.0; self.columns.len()];
        let mut course =
            Course { plan: &self.plan, dynamics, observers, values, outputs: 0, violation: Violation::default() };
        course.begin(&self.columns)?;
        let (status, failure) = match course.integrate(stop).and_then(|status| course.finish().map(|()| status)) {
            Ok(status) => (status, None),
            Err(error @ Error::Write { .. }) => return Err(error),
            Err(error) => {
                course.finish_after_failure()?;
                (Status::Failed, Some(error))
            }
        };
        let summary = Summary {
            model: self.mechanism.name().to_owned(),
            status,
            error: failure.as_ref().map(ToString::to_string),
            end_time: course.dynamics.time(),
            last: self.columns.iter().cloned().zip(course.values.iter().copied()).collect(),
            violation: course.violation,
            statistics: *course.dynamics.statistics(),
            energy: course.dynamics.energy()?,
            wall_seconds: begun.elapsed().as_secs_f64(),
        };
        Ok(Outcome { summary, failure })
    }
}

/// A run under way.
struct Course<'a, 'o> {
    plan: &'a Plan,
    dynamics: Dynamics,
    observers: &'a mut [&'o mut dyn Observer],
    values: Vec<f64>,
    /// Outputs done.
    outputs: u64,
    violation: Violation,
}

impl Course<'_, '_> {
    fn begin(&mut self, columns: &[Column]) -> Result<(), Error> {
        let time = self.dynamics.time();
        self.observers
            .iter_mut()
            .try_for_each(|observer| observer.begin(columns))
            .map_err(|source| Error::Write { time, source })?;
        self.violation = self.dynamics.violation()?;
        self.output(time)
    }

    fn integrate(&mut self, stop: &AtomicBool) -> Result<Status, Error> {
        loop {
            if stop.load(Ordering::Relaxed) {
                return Ok(Status::Interrupted);
            }
            let reason = self.dynamics.step()?;
            self.dynamics.account_energy()?;
            self.violation = self.violation.max(self.dynamics.violation()?);
            let step =
                Step { time: self.dynamics.time(), size: self.dynamics.step_size(), order: self.dynamics.order() };
            self.observers
                .iter_mut()
                .try_for_each(|observer| observer.step(&step))
                .map_err(|source| Error::Write { time: step.time, source })?;
            while let Some(time) = self.plan.output_time(self.outputs).filter(|time| *time <= step.time) {
                self.output(time)?;
            }
            if reason == Stop::EndTime {
                return Ok(Status::Done);
            }
        }
    }

    fn output(&mut self, time: f64) -> Result<(), Error> {
        self.dynamics.measures_at(time, &mut self.values)?;
        self.outputs += 1;
        self.observers
            .iter_mut()
            .try_for_each(|observer| observer.output(time, &self.values))
            .map_err(|source| Error::Write { time, source })
    }

    /// Puts the measures at the last accepted step into `values`; reports them unless an output has fallen there.
    fn finish(&mut self) -> Result<(), Error> {
        let time = self.dynamics.time();
        let last = self.outputs.checked_sub(1).and_then(|output| self.plan.output_time(output));
        if last == Some(time) {
            return self.dynamics.measures_at(time, &mut self.values).map_err(Error::from);
        }
        self.output(time)
    }

    /// As [`Course::finish`], where the measures at the last accepted step may be what cannot be evaluated: they are NaN then.
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
}
