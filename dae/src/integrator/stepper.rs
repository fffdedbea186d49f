//! Backward differentiation formulas at work: plan, predict, correct, test; then accept or reject.
//!
//! `start` begins, `jump` begins anew behind a jump, `reject` shortens the step, `accept` takes it into the history and chooses the next order and step, `interface`
//! is the [`Integrator`](super::Integrator) that the world sees.

mod accept;
mod course;
mod failures;
mod interface;
mod jump;
mod jumps;
mod reject;
mod schedule;
mod start;
mod state;
mod watch;

use failures::Failures;
use schedule::Schedule;
use state::State;

use super::bdf::Bdf;
use super::corrector::{Corrector, Failure, Point};
use super::dense::Probe;
use super::error::Error;
use super::nordsieck::Trial;
use super::options::ATTEMPTS_MAX;
use super::statistics::Renewal;
use super::targets::Plan;
use super::weights::Weights;
use crate::dae::{Dae, StepErrors};

/// A backward differentiation method at work on a system.
#[derive(Debug)]
pub struct BdfStepper<D> {
    method: Bdf,
    dae: D,
    state: State,
    corrector: Corrector,
    trial: Trial,
    probe: Probe,
    /// Error of functions of time over the last attempt, in tolerances.
    of_time: f64,
    /// The state before a step, to take it back, where conditions are watched.
    before: Option<Box<State>>,
    /// Arguments of watched conditions at a switch and a little later.
    watched: [Vec<f64>; 2],
}

/// The step that was solved last.
struct Solved<'a> {
    weights: &'a Weights,
    corrector: &'a mut Corrector,
}

impl StepErrors for Solved<'_> {
    fn weight(&self, i: usize) -> f64 {
        self.weights.of(i)
    }
    fn solve(&mut self, residual: &mut [f64]) {
        self.corrector.apply(residual);
    }
    fn slope(&self) -> f64 {
        self.corrector.memory.slope()
    }
}

impl<D: Dae> BdfStepper<D> {
    /// The system.
    pub fn dae(&self) -> &D {
        &self.dae
    }

    /// The system, to change it between steps; after a jump call [`Integrator::restart`](super::Integrator::restart).
    pub fn dae_mut(&mut self) -> &mut D {
        &mut self.dae
    }

    /// Length and end of the next step.
    fn plan(&self) -> Plan {
        let s = &self.state;
        s.targets.plan(s.course.time(), s.schedule.step(), self.method.fixed.is_none())
    }

    /// One attempt; Ok(Ok(norm)) is the error norm of y - y_p.
    fn attempt(&mut self, plan: Plan) -> Result<Result<f64, Failure>, Error> {
        let Self { dae, state: s, corrector, trial, .. } = self;
        let order = s.schedule.order();
        s.course.adapt(order);
        let formula = s.course.formula(order, plan.h);
        let coefficients = s.course.coefficients();
        let point = Point { t: plan.t, h_beta0: plan.h * formula.beta0, order, coefficients };
        s.weights.rescale(point.h_beta0);
        s.course.predict(order, plan.h, trial);
        let solved = corrector.solve(dae, point, trial, &s.weights, &mut s.statistics)?;
        if !matches!(solved, Err(Failure::Slow { fresh: false, .. })) {
            return Ok(solved);
        }
        corrector.memory.renewal = Some(Renewal::SlowConvergence);
        s.course.predict(order, plan.h, trial);
        corrector.solve(dae, point, trial, &s.weights, &mut s.statistics)
    }

    /// Error of what depends on the time by itself over the step that was solved, in tolerances.
    fn defect(&mut self, plan: Plan) -> f64 {
        if self.method.fixed.is_some() {
            return 0.0;
        }
        let Self { dae, state: s, corrector, .. } = self;
        dae.defect(plan.t, plan.h, s.schedule.order(), &mut Solved { weights: &s.weights, corrector })
    }

    /// Whether the attempt that was made last ended beside a singular position, and multipliers are off by more than what they do to the others.
    fn is_beside_singular(&mut self, plan: Plan) -> bool {
        let y = self.trial.y.as_slice();
        let [multipliers, others] = self.state.weights.parts(&self.trial.delta);
        self.method.fixed.is_none()
            && multipliers > others
            && y.iter().all(|y| y.is_finite())
            && self.dae.is_beside_singular(plan.t, y)
    }

    /// Repeats attempts with shorter steps until one passes. Returns its plan and local error.
    fn advance(&mut self) -> Result<(Plan, f64), Error> {
        let mut failures = Failures::default();
        let before = self.state.schedule.clone();
        loop {
            let plan = self.plan();
            let mut divides = true;
            let cause = match self.attempt(plan)? {
                Ok(norm) => {
                    let constant = self.state.course.formula(self.state.schedule.order(), plan.h).error;
                    let beside = norm > constant && self.is_beside_singular(plan);
                    // Multipliers there are round-off times the condition of their rows.
                    let norm = if beside { self.state.weights.parts(&self.trial.delta)[1] } else { norm };
                    let error = norm / constant;
                    self.of_time = if error <= 1.0 { self.defect(plan) } else { 0.0 };
                    let error = error.max(self.of_time);
                    if error <= 1.0 || self.method.fixed.is_some() {
                        return Ok((plan, error));
                    }
                    if self.state.schedule.coasts(error, beside) {
                        return Ok((plan, 1.0));
                    }
                    if failures.is_inconsistency(error) {
                        self.state.statistics.consistency_corrections += 1;
                        return Ok((plan, error));
                    }
                    match failures.leap(plan.h, beside) {
                        Some(step) => self.leap(step, true),
                        None => self.reject_error(plan.h, error, &mut failures),
                    }
                    None
                }
                Err(failure) => {
                    let stagnates = matches!(failure, Failure::Slow { fresh: true, .. });
                    let beside = stagnates && self.is_beside_singular(plan);
                    match failures.leap(plan.h, beside) {
                        Some(step) => self.leap(step, false),
                        None => divides = self.reject_newton(plan, &failure, &mut failures),
                    }
                    Some(failure)
                }
            };
            if self.meets_expected_jump() {
                failures = Failures::default();
                continue;
            }
            let smallest = self.smallest_step();
            if self.state.schedule.step() < smallest || failures.error + failures.newton >= ATTEMPTS_MAX || !divides {
                return Err(self.give_up(plan, cause, before));
            }
        }
    }

    /// No step succeeds, the last one tried being that of `plan`; `before` is the schedule before the first one.
    fn give_up(&mut self, plan: Plan, failure: Option<Failure>, before: Schedule) -> Error {
        let cause = match failure {
            Some(failure) => self.corrector.explain(failure, &self.dae, &self.state.weights),
            None => self.explain_error(plan.h),
        };
        let (smallest, time) = (self.smallest_step(), self.state.course.time());
        match self.method.fixed {
            Some(fixed) => {
                self.state.schedule = before;
                Error::FixedStep { time, step: fixed.step, cause }
            }
            None => {
                self.state.schedule.set_step(plan.h);
                Error::SmallestStep { time, step: plan.h, smallest, cause }
            }
        }
    }
}
