//! Choice of the step: the first one, and the next after an accepted or rejected one.

use super::failure::Failure;
use super::{ExplicitStepper, Formula};
use crate::integrator::error::{Cause, Error, Share};
use crate::ode::Ode;

impl<S: Ode, F: Formula> ExplicitStepper<S, F> {
    pub(super) fn smallest_step(&self) -> f64 {
        self.formula.limits().smallest.max(16.0 * f64::EPSILON * self.course.leg.time.abs()).max(f64::MIN_POSITIVE)
    }

    /// First step (Hairer, Norsett, Wanner I, II.4): that of an Euler step which changes y by a hundredth of itself tells the second
    /// derivative; the larger of the two derivatives gives h^(p + 1) = 0.01.
    pub(super) fn first_step(&mut self) -> Result<f64, Error> {
        if let Some(step) = self.formula.fixed() {
            return Ok(step);
        }
        let limits = *self.formula.limits();
        let smallest = self.smallest_step();
        let target = self.course.targets.end().min(self.course.targets.next_break);
        let largest = limits.largest.min(target - self.course.leg.time).max(smallest);
        if limits.first > 0.0 {
            return Ok(limits.first.clamp(smallest, largest));
        }
        let Self { ode, formula, course, scratch, .. } = self;
        let (weighing, first) = (&course.weighing, formula.slope(false));
        if weighing.told {
            // Ten times more from step to step lead from a step of order 1 to one of order 5.
            let advised = ode.first_step(&course.leg.y, first, weighing.relative);
            let cap = if largest.is_finite() { 1e-3 * largest } else { f64::INFINITY };
            return Ok(if advised.is_finite() { advised.min(cap) } else { cap.min(1e-3) }.clamp(smallest, largest));
        }
        let norm = |v: &mut dyn Iterator<Item = f64>| weighing.norm(&course.leg.y, v);
        let size = norm(&mut course.leg.y.iter().copied());
        let slope = norm(&mut first.iter().copied());
        let trial = if size < 1e-5 || slope < 1e-5 { 1e-6 } else { 0.01 * size / slope };
        let trial = trial.clamp(smallest, largest);
        for (stage, (y, k)) in scratch.trial.iter_mut().zip(course.leg.y.iter().zip(first)) {
            *stage = y + trial * k;
        }
        course.statistics.residual_evaluations += 1;
        let second = &mut scratch.error;
        let curvature = match ode.rhs(course.leg.time + trial, &scratch.trial, second) {
            Ok(()) => norm(&mut second.iter().zip(first).map(|(b, a)| b - a)) / trial,
            Err(fatal @ crate::dae::EvalError::Fatal { .. }) => return Err(fatal.into()),
            Err(_) => f64::NAN,
        };
        let speed = slope.max(curvature);
        let step = if !curvature.is_finite() {
            trial
        } else if speed <= 1e-15 {
            1e-3 * trial.max(1e-3)
        } else {
            (0.01 / speed).powf(1.0 / f64::from(F::FIRST_ORDER + 1)).min(100.0 * trial)
        };
        Ok(step.clamp(smallest, largest))
    }

    /// What is said when the step cannot shrink further.
    pub(super) fn explain(&self, failure: Failure) -> Cause {
        match failure {
            Failure::Error(error) => Cause::ErrorTest { error, worst: self.worst() },
            Failure::Evaluation(error) => Cause::Evaluation(error),
            Failure::NotFinite(i) => {
                Cause::NotFinite { what: format!("the derivative of {}", self.ode.unknown_name(i)) }
            }
            Failure::Overflow(i) => Cause::NotFinite { what: self.ode.unknown_name(i) },
        }
    }

    /// The three unknowns with the largest errors.
    fn worst(&self) -> Vec<Share> {
        let tested = (0..self.scratch.error.len()).filter(|&i| self.course.weighing.tested[i]);
        let mut all: Vec<(usize, f64)> = tested.map(|i| (i, self.scratch.error[i])).collect();
        all.sort_by(|a, b| b.1.total_cmp(&a.1));
        let share = |&(i, magnitude): &(usize, f64)| Share { unknown: self.ode.unknown_name(i), magnitude };
        all.iter().take(3).map(share).collect()
    }
}
