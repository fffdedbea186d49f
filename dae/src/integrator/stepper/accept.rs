//! Accepted steps: into the history, past the system's own changes, and on to the next order and step.

use super::BdfStepper;
use super::start::first_step;
use crate::dae::{Dae, History};
use crate::integrator::controller::{Choice, Estimates, TOO_LONG, WORTHWHILE, choose, choose_higher};
use crate::integrator::corrector::Corrector;
use crate::integrator::error::Error;
use crate::integrator::statistics::Renewal;
use crate::integrator::targets::Plan;

/// A landing on a stop time with less than this part of the planned step is followed by a restart at order 1: scaling
/// such a short step up again would amplify the noise in the high derivatives.
const SHORT_LANDING: f64 = 0.02;

impl<D: Dae> BdfStepper<D> {
    /// Takes the trial into the history. Returns the step that was planned.
    pub(super) fn take(&mut self, plan: Plan) -> f64 {
        let Self { state: s, trial, .. } = self;
        let k = s.schedule.order();
        let same = self.method.coefficients.follow_steps() || s.course.continues(k, plan.h);
        s.dense.hold(s.course.y(), s.course.slope().as_slice());
        s.course.accept(k, plan, trial);
        s.schedule.take(plan.h, same)
    }

    /// Lets the system see the step that was taken, and chooses the next.
    pub(super) fn conclude(&mut self, plan: Plan, planned: f64, error: f64) -> Result<(), Error> {
        let s = &mut self.state;
        let k = s.schedule.order();
        s.statistics.accept(plan.h, k);
        self.corrector.memory.age += 1;
        s.schedule.pass();

        let mut choice = self.next_choice(error);
        let s = &mut self.state;
        let changed = self.dae.after_step(&mut s.course.window(self.method.tolerance.relative))?;
        if changed {
            s.course.follow_history();
            self.corrector.memory.renewal = Some(Renewal::ChartExchange);
            choice = choice.filter(|c| c.order <= k);
        }
        let following = match self.method.fixed {
            Some(fixed) => self.state.schedule.keep(plan.t, planned, fixed.step),
            None => planned,
        };
        self.apply(choice, plan.h < SHORT_LANDING * following);
        Ok(())
    }

    /// Lets the system change the history at the present point, as where a force jumps and the way it went on jumps with it. Between
    /// steps; nothing is changed while the last step goes on behind an event.
    pub fn amend(&mut self, change: impl FnOnce(&mut D, &mut dyn History)) {
        let s = &mut self.state;
        if s.dense.time() != s.course.time() {
            return;
        }
        change(&mut self.dae, &mut s.course.window(self.method.tolerance.relative));
        s.course.follow_history();
    }

    /// Lets the system become one of the same unknowns with other equations that have the same solution, and the history of its algebraic unknowns with it.
    /// Between steps; false, and nothing done, while the last step goes on behind an event.
    pub fn renumber(&mut self, change: impl FnOnce(&mut D, &mut dyn History)) -> bool {
        let s = &mut self.state;
        if s.dense.time() != s.course.time() {
            return false;
        }
        change(&mut self.dae, &mut s.course.window(self.method.tolerance.relative));
        s.course.follow_history();
        s.statistics.row_choices += 1;
        self.corrector = Corrector::new(&self.dae, self.method.newton);
        s.weights.renew(&self.dae, s.course.y(), s.course.step());
        true
    }

    /// Order and step for the next step, where they may change now.
    fn next_choice(&self, error: f64) -> Option<Choice> {
        let s = &self.state;
        let k = s.schedule.order();
        if let Some(fixed) = self.method.fixed {
            return (k < fixed.order).then_some(Choice { order: k + 1, ratio: 1.0 });
        }
        if s.schedule.holds() {
            return None;
        }
        let of_time = self.is_of_time(error);
        let lower = (k > 1 && !of_time).then(|| s.course.lower_error(k, &s.weights));
        let higher = if k < self.method.order_max { s.course.higher_error(k, &s.weights) } else { None };
        let estimates = Estimates { same: error, lower, higher };
        let rise = if s.schedule.is_limited() { choose_higher(k, estimates) } else { None };
        let mut choice = rise.unwrap_or_else(|| choose(k, estimates));
        if of_time && choice.order > k {
            let own = choose(k, Estimates { lower: None, higher: None, ..estimates });
            choice.ratio = choice.ratio.min(own.ratio);
        }
        Some(choice)
    }

    /// Whether functions of time make the error of a step. It is seen by no other order's estimate, and grows at a lower order: in index 3, whose test
    /// of positions bears order 1, they would be rejected there for ever.
    pub(super) fn is_of_time(&self, error: f64) -> bool {
        self.of_time > 0.0 && self.of_time >= error
    }

    /// Carries out the choice and renews the weights.
    fn apply(&mut self, choice: Option<Choice>, short_landing: bool) {
        let s = &mut self.state;
        s.weights.renew(&self.dae, s.course.y(), s.course.step());
        if short_landing {
            let first = first_step(&self.method, s, &self.dae);
            let step = if self.method.fixed.is_some() { first } else { first.min(s.schedule.step() / SHORT_LANDING) };
            s.schedule.begin(step);
            s.statistics.restarts += 1;
            return;
        }
        let Some(choice) = choice else { return };
        let fixed = self.method.fixed.is_some();
        if (TOO_LONG..WORTHWHILE).contains(&choice.ratio) && !fixed {
            s.schedule.wait();
            return;
        }
        if choice.order > s.schedule.order() {
            s.course.rise();
        }
        s.schedule.change(choice, (!fixed).then_some(self.method.step.largest));
    }
}
