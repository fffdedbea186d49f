//! Accepted steps: into the history, past the system's own changes, and on to the next order and step.

use super::GstiffStepper;
use super::start::first_step;
use super::state::State;
use crate::dae::{Dae, History};
use crate::integrator::coefficients::FACTORIAL;
use crate::integrator::controller::{Choice, Estimates, TOO_LONG, WORTHWHILE, choose, choose_higher};
use crate::integrator::error::Error;
use crate::integrator::lanes::largest_difference;
use crate::integrator::nordsieck::Nordsieck;
use crate::integrator::statistics::Renewal;
use crate::integrator::targets::Plan;

/// Growth of the step allowed at the very first change, when the step was only guessed.
const GROWTH_AT_START: f64 = 1e4;
/// A landing on a stop time with less than this part of the planned step is followed by a restart at order 1: scaling
/// such a short step up again would amplify the noise in the high derivatives.
const SHORT_LANDING: f64 = 0.02;
/// Steps until the next look when a change was not worthwhile.
const HOLD_AGAIN: usize = 2;

impl<D: Dae> GstiffStepper<D> {
    /// Takes the trial into the history. Returns the step that was planned.
    pub(super) fn take(&mut self, plan: Plan) -> f64 {
        let Self { state: s, trial, .. } = self;
        let (k, planned) = (s.order, s.step);
        let same = k == s.history.order && (plan.h / s.history.step - 1.0).abs() < 1e-9;
        if !same {
            s.hold = k + 1;
        }
        s.dense.hold(s.history.column(0), s.yp.as_slice());
        s.history.accept(k, plan.h, trial);
        std::mem::swap(&mut s.delta_before, &mut s.delta);
        std::mem::swap(&mut s.delta, &mut trial.delta);
        std::mem::swap(&mut s.yp, &mut trial.yp);
        s.deltas_match = same;
        (s.previous, s.time, s.step) = (s.time, plan.t, plan.h);
        planned
    }

    /// Lets the system see the step that was taken, and chooses the next.
    pub(super) fn conclude(&mut self, plan: Plan, planned: f64, error: f64) -> Result<(), Error> {
        let s = &mut self.state;
        let k = s.order;
        s.statistics.accept(plan.h, k);
        self.corrector.memory.age += 1;
        s.hold = s.hold.saturating_sub(1);
        s.growth.passed();

        let mut choice = self.next_choice(error);
        let s = &mut self.state;
        let tolerance = self.method.tolerance.relative;
        let mut window = Window { time: plan.t, tolerance, history: &mut s.history };
        if self.dae.after_step(&mut window)? {
            s.yp.as_mut_slice().copy_from_slice(s.history.column(1));
            s.yp.as_mut_slice().iter_mut().for_each(|yp| *yp /= plan.h);
            self.corrector.memory.renewal = Some(Renewal::ChartExchange);
            s.deltas_match = false;
            choice = choice.filter(|c| c.order <= k);
        }
        self.apply(choice, plan.h < SHORT_LANDING * planned);
        Ok(())
    }

    /// Lets the system change the history at the present point, as where a force jumps and the way it went on jumps with it. Between
    /// steps; nothing is changed while the last step goes on behind an event.
    pub fn amend(&mut self, change: impl FnOnce(&mut D, &mut dyn History)) {
        let s = &mut self.state;
        if s.dense.time() != s.time {
            return;
        }
        let tolerance = self.method.tolerance.relative;
        change(&mut self.dae, &mut Window { time: s.time, tolerance, history: &mut s.history });
        let step = s.history.step;
        for (yp, z) in s.yp.as_mut_slice().iter_mut().zip(s.history.column(1)) {
            *yp = z / step;
        }
        s.deltas_match = false;
    }

    /// Order and step for the next step, where they may change now.
    fn next_choice(&self, error: f64) -> Option<Choice> {
        let s = &self.state;
        let k = s.order;
        if let Some(fixed) = self.method.fixed {
            return (k < fixed.order).then_some(Choice { order: k + 1, ratio: 1.0 });
        }
        if s.hold > 0 {
            return None;
        }
        let of_time = self.is_of_time(error);
        let lower = (k > 1 && !of_time).then(|| lower_error(s, k));
        let higher = (k < self.method.order_max && s.deltas_match).then(|| {
            let difference = largest_difference(&s.delta.lanes, &s.delta_before.lanes, &s.weights.error.lanes);
            difference / (k + 2) as f64
        });
        let estimates = Estimates { same: error, lower, higher };
        let rise = if s.growth.is_limited() { choose_higher(k, estimates) } else { None };
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
        s.weights.renew(&self.dae, s.history.column(0), s.history.step);
        if short_landing && self.method.fixed.is_none() {
            s.order = 1;
            s.step = first_step(&self.method, s, &self.dae).min(s.step / SHORT_LANDING);
            (s.hold, s.starting) = (2, true);
            s.statistics.restarts += 1;
            return;
        }
        let Some(choice) = choice else { return };
        let fixed = self.method.fixed.is_some();
        if (TOO_LONG..WORTHWHILE).contains(&choice.ratio) && !fixed {
            s.hold = HOLD_AGAIN;
            return;
        }
        if choice.order > s.order {
            s.history.append(&s.delta);
        }
        s.order = choice.order;
        s.hold = s.order + 1;
        if !fixed {
            let limit = if s.starting { GROWTH_AT_START } else { s.growth.limit(s.order) };
            let ratio = choice.ratio.min(limit);
            s.growth.tried(ratio);
            s.step = (s.step * ratio).min(self.method.step.largest);
            s.starting = false;
        }
    }
}

/// D_- = (k-1)! ||z_k|| at the step of the history.
pub(super) fn lower_error(s: &State, k: usize) -> f64 {
    FACTORIAL[k - 1] * s.history.column_norm(k, &s.weights.error)
}

/// The history as a [`Dae`] sees it.
struct Window<'a> {
    time: f64,
    tolerance: f64,
    history: &'a mut Nordsieck,
}

impl History for Window<'_> {
    fn time(&self) -> f64 {
        self.time
    }
    fn step(&self) -> f64 {
        self.history.step
    }
    fn tolerance(&self) -> f64 {
        self.tolerance
    }
    fn order(&self) -> usize {
        self.history.order
    }
    fn coefficient(&self, unknown: usize, power: usize) -> f64 {
        self.history.column(power)[unknown]
    }
    fn set_coefficient(&mut self, unknown: usize, power: usize, value: f64) {
        self.history.column_mut(power)[unknown] = value;
    }
}
