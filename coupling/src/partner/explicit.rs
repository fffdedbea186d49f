//! y' = f(t, y, u) as a partner, by the Runge-Kutta method with error control of `fourbar-multibody`: equations that jump and bend.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use fourbar_dae::EvalError;
use fourbar_dae::integrator::{Error, Integrator, Rkf45, Rkf45Stepper, Snapshot as Saved, Stop};
use fourbar_dae::ode::Ode;
use fourbar_linalg::checkpoint::Source;

use super::{Passing, damaged};
use crate::function::{
    Capabilities, Causality, Description, Failure, Signal, Simulator, Snapshot, SolverCounts, Variable, end_of_step,
};

/// Part of times and steps by which a communication point and a jump differ that are meant to be the same: round-off of some sums.
const SAME_TIME: f64 = 16.0 * f64::EPSILON;

/// An explicit system with inputs and outputs.
pub trait DrivenOde: Ode + Send {
    /// Its variables: inputs in the order of [`DrivenOde::drive`], outputs in the order of [`DrivenOde::observe`].
    fn variables(&self) -> Vec<Variable>;

    /// From now on the inputs are these polynomials about the time `t` \[s\].
    fn drive(&mut self, t: f64, inputs: &[Signal]);

    /// Writes the outputs at (t, y).
    ///
    /// # Errors
    /// [`EvalError`] when the point cannot be evaluated.
    fn observe(&mut self, t: f64, y: &[f64], values: &mut [f64]) -> Result<(), EvalError>;

    /// Time of the next jump of an output behind `t` \[s\] that is known beforehand; infinite if there is none.
    fn next_jump(&self, _t: f64) -> f64 {
        f64::INFINITY
    }

    /// Takes over from `before`, equations with the same unknowns, what errors are measured against.
    fn follow(&mut self, _before: &Self)
    where
        Self: Sized,
    {
    }

    /// Whether nothing is known before the run of what this output does: it is then watched for what comes and goes within a step.
    fn is_watched(&self, _output: usize) -> bool {
        true
    }
}

/// A driven system with its integrator. Where it has inputs the method begins anew at every communication point, which costs a one-step method one
/// evaluation: what inputs do there is no error of a step.
pub struct Explicit<S> {
    stepper: Rkf45Stepper<S>,
    solver_step: Option<f64>,
    y: Vec<f64>,
    interrupt: Arc<AtomicBool>,
    passing: Passing,
    /// It has inputs.
    driven: bool,
    /// y' and the outputs within a step.
    slope: Vec<f64>,
    values: Vec<f64>,
}

impl<S: DrivenOde> Explicit<S> {
    /// Starts the method at t = `time` \[s\] with y (n entries). f is evaluated there, with inputs still to be set. A longest step of the method is
    /// described as the partner's solver step.
    ///
    /// # Errors
    /// As [`Rkf45::start`].
    pub fn new(method: &Rkf45, system: S, time: f64, y: &[f64]) -> Result<Self, Error> {
        let largest = method.step.largest;
        let driven = system.variables().iter().any(|variable| variable.causality == Causality::Input);
        let stepper = method.start(system, time, y, f64::INFINITY)?;
        let solver_step = largest.is_finite().then_some(largest);
        Ok(Self {
            stepper,
            solver_step,
            y: y.to_vec(),
            interrupt: Arc::default(),
            passing: Passing::default(),
            driven,
            slope: y.to_vec(),
            values: Vec::new(),
        })
    }

    /// Samples the outputs at a time within the last step. What cannot be evaluated there is no fault of the run: it is NaN.
    fn look(&mut self, time: f64) {
        let interpolated = self.stepper.interpolate(time, &mut self.y, &mut self.slope).is_ok();
        if !interpolated || self.stepper.ode_mut().observe(time, &self.y, &mut self.values).is_err() {
            self.values.fill(f64::NAN);
        }
    }

    /// Goes on where `before` stands, equations with the same unknowns and other numbers: at its time, with its state. Inputs are still to be set.
    ///
    /// # Errors
    /// As [`Integrator::restart`].
    pub fn follow(&mut self, before: &Self) -> Result<(), Error> {
        self.stepper.ode_mut().follow(before.stepper.ode());
        self.y.copy_from_slice(before.stepper.state());
        self.stepper.restart(before.stepper.time(), &self.y, &[])
    }

    /// The integrator, for its statistics.
    #[must_use]
    pub fn integrator(&self) -> &Rkf45Stepper<S> {
        &self.stepper
    }
}

fn failure(error: impl std::error::Error) -> Failure {
    Failure::new(error.to_string())
}

impl<S: DrivenOde> Simulator for Explicit<S> {
    fn describe(&self) -> Description {
        let variables = self.stepper.ode().variables();
        let ode = self.stepper.ode();
        let capabilities = Capabilities::FULL.written(true).stateless(ode.dimension() == 0);
        let capabilities = capabilities.event_times(ode.next_jump(self.stepper.time()).is_finite());
        Description { variables, solver_step: self.solver_step, capabilities }
    }

    fn set_inputs(&mut self, inputs: &[Signal]) -> Result<(), Failure> {
        let time = self.stepper.time();
        self.stepper.ode_mut().drive(time, inputs);
        Ok(())
    }

    fn step(&mut self, t: f64, h: f64) -> Result<f64, Failure> {
        self.y.copy_from_slice(self.stepper.state());
        let mut end = end_of_step(t, h);
        let jump = self.stepper.ode().next_jump(end);
        if jump - end <= SAME_TIME * end.abs().max(t.abs()).max(h) {
            // The point is meant to be that of the jump: values there are those behind it.
            end = jump;
        }
        self.stepper.set_end_time(end).map_err(failure)?;
        let now = self.stepper.time();
        if self.driven {
            self.stepper.restart(now, &self.y, &[]).map_err(failure)?;
        }
        let watched = !self.passing.is_idle();
        if watched {
            self.look(now);
            self.passing.begin(t, end, &self.values);
        }
        loop {
            let stop = self.stepper.step().map_err(failure)?;
            while let Some(time) = self.passing.next_time().filter(|time| *time <= self.stepper.time()) {
                self.look(time);
                self.passing.note(time, &self.values);
            }
            if stop == Stop::EndTime {
                break;
            }
            if self.interrupt.load(Ordering::Relaxed) {
                return Err(Failure::Interrupted);
            }
        }
        if watched {
            self.look(self.stepper.time());
            self.passing.finish(&self.values);
        }
        Ok(end_of_step(t, h))
    }

    fn next_event(&mut self) -> Option<f64> {
        Some(self.stepper.ode().next_jump(self.stepper.time()))
    }

    fn watch_outputs(&mut self, connected: &[usize]) {
        let variables = self.stepper.ode().variables();
        self.values = vec![0.0; variables.iter().filter(|v| v.causality == Causality::Output).count()];
        let watched = connected.iter().copied().filter(|&k| self.stepper.ode().is_watched(k));
        self.passing.watch(&watched.collect::<Vec<_>>(), &variables, |k| k);
    }

    fn warnings(&self) -> Vec<String> {
        self.passing.warnings().collect()
    }

    fn solver_counts(&self) -> Option<SolverCounts> {
        Some(self.stepper.statistics().into())
    }

    fn outputs(&mut self, values: &mut [f64]) -> Result<(), Failure> {
        let time = self.stepper.time();
        self.y.copy_from_slice(self.stepper.state());
        self.stepper.ode_mut().observe(time, &self.y, values).map_err(failure)
    }

    fn save(&mut self, snapshot: &mut Snapshot) -> Result<(), Failure> {
        let saved: &mut Saved = snapshot.content_mut();
        self.stepper.save(saved);
        Ok(())
    }

    fn store(&mut self, snapshot: &Snapshot, to: &mut Vec<u8>) -> Result<(), Failure> {
        snapshot.content::<Saved>()?.store(to);
        Ok(())
    }

    fn load(&mut self, bytes: &[u8], snapshot: &mut Snapshot) -> Result<(), Failure> {
        let mut from = Source::new(bytes);
        let saved = self.stepper.load(&mut from).map_err(damaged)?;
        from.finish().map_err(damaged)?;
        *snapshot.content_mut::<Saved>() = saved;
        Ok(())
    }

    fn restore(&mut self, snapshot: &Snapshot) -> Result<(), Failure> {
        self.stepper.restore(snapshot.content()?).map_err(failure)
    }

    fn interrupt_by(&mut self, flag: &Arc<AtomicBool>) {
        self.interrupt = Arc::clone(flag);
    }
}
