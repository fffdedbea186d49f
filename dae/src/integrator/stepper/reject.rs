//! Rejected attempts: how the step shrinks, and what is said when it cannot.

use super::BdfStepper;
use super::failures::Failures;
use crate::dae::Dae;
use crate::integrator::controller::{Choice, Estimates, choose};
use crate::integrator::corrector::{Failure, shares};
use crate::integrator::error::Cause;
use crate::integrator::lanes::largest;
use crate::integrator::targets::Plan;
use crate::integrator::weights::Weights;

/// How far the very first step, which was only guessed, may shrink at once where it is of order 2: its error is far above round-off.
const SHRINKS_AT_START: f64 = 1e-4;

impl<D: Dae> BdfStepper<D> {
    pub(super) fn smallest_step(&self) -> f64 {
        self.method.step.smallest.max(16.0 * f64::EPSILON * self.state.course.time().abs())
    }

    pub(super) fn explain_error(&self, h: f64) -> Cause {
        let (weights, delta) = (&self.state.weights, &self.trial.delta);
        let formula = self.state.course.formula(self.state.schedule.order(), h);
        let error = largest(&delta.lanes, &weights.error.lanes) / formula.error;
        Cause::ErrorTest { error, worst: shares(&self.dae, Weights::largest(delta, &weights.error)) }
    }

    pub(super) fn reject_error(&mut self, h: f64, error: f64, failures: &mut Failures) {
        let of_time = self.is_of_time(error);
        let s = &mut self.state;
        s.statistics.rejected_by_error += 1;
        failures.error += 1;
        let k = s.schedule.order();
        failures.at_order_1 = if k == 1 { error } else { 0.0 };
        let choice = if failures.error >= 3 {
            s.statistics.restarts += u64::from(k > 1);
            Choice { order: 1, ratio: 0.1 }
        } else {
            let shorter = h / s.course.step();
            let lower = (k > 1 && !of_time).then(|| s.course.lower_error(k, &s.weights) * shorter.powi(k as i32));
            let choice = choose(k, Estimates { same: error, lower, higher: None });
            let least = if k > 1 && s.course.is_new() { SHRINKS_AT_START } else { 0.1 };
            Choice { ratio: choice.ratio.clamp(least, 0.9), ..choice }
        };
        s.schedule.shorten(h, choice);
    }

    /// The next attempt, of length `step`, leads past a singular position: its last one failed the error test `by_error`, or the corrector did.
    pub(super) fn leap(&mut self, step: f64, by_error: bool) {
        let s = &mut self.state;
        s.statistics.rejected_by_error += u64::from(by_error);
        s.statistics.rejected_by_newton += u64::from(!by_error);
        s.schedule.leap(step);
    }

    /// Returns whether a shorter step may be tried.
    pub(super) fn reject_newton(&mut self, plan: Plan, failure: &Failure, failures: &mut Failures) -> bool {
        let s = &mut self.state;
        match failure {
            Failure::Slow { .. } | Failure::Singular { .. } => s.statistics.rejected_by_newton += 1,
            Failure::NotFinite(_) | Failure::Evaluation(_) => s.statistics.rejected_by_evaluation += 1,
        }
        failures.newton += 1;
        if self.method.fixed.is_some() {
            s.statistics.divided_steps += u64::from(s.schedule.grid().is_infinite());
            let shorter = s.schedule.halve(plan.h, plan.t);
            s.targets.next_break = s.targets.next_break.min(s.schedule.grid());
            return shorter;
        }
        let falls = s.schedule.shorten_after_newton(plan.h, failures.newton >= 3);
        s.statistics.restarts += u64::from(falls);
        true
    }
}
