//! Choice of the step: the first one, and the next after an accepted or rejected one.

use super::stepper::{Rkf45Stepper, State};
use crate::dae::ErrorWeights;
use crate::integrator::error::{Cause, Error, Share};
use crate::ode::Ode;

/// Safety factor of a step (Hairer, Norsett, Wanner I, II.4).
const SAFETY: f64 = 0.9;
/// Exponent of the error of the last step: 0.7/5 (Hairer, Wanner II, IV.2).
const PROPORTIONAL: f64 = 0.14;
/// Exponent of the error of the step before: 0.4/5.
const INTEGRAL: f64 = 0.08;
/// Bounds of the ratio of two steps.
const RATIO: [f64; 2] = [0.2, 5.0];
/// Errors below this do not let the step grow further.
const ERROR_FLOOR: f64 = 1e-4;
/// Weights below this have fewer digits than others, or none: the smallest normal number over the relative rounding error.
const LEAST_WEIGHT: f64 = f64::MIN_POSITIVE / f64::EPSILON;

/// Why an attempt failed.
#[derive(Debug)]
pub(super) enum Failure {
    /// Its error, in tolerances.
    Error(f64),
    /// The equations could not be evaluated.
    Evaluation(crate::dae::EvalError),
    /// Derivative of this unknown is not a number.
    NotFinite(usize),
    /// This unknown left the range of f64 in a stage.
    Overflow(usize),
}

impl State {
    /// Ratio of the next step to one that passed with `error`.
    pub(super) fn ratio_after_success(&mut self, error: f64, after_rejection: bool) -> f64 {
        let error = error.max(ERROR_FLOOR);
        let ratio = SAFETY * error.powf(-PROPORTIONAL) * self.error_before.powf(INTEGRAL);
        self.error_before = error;
        let largest = if after_rejection { 1.0 } else { RATIO[1] };
        ratio.clamp(RATIO[0], largest)
    }

    /// Ratio of the next attempt to one that failed its test with `error`.
    pub(super) fn ratio_after_failure(error: f64) -> f64 {
        (SAFETY * error.powf(-0.2)).clamp(RATIO[0], SAFETY)
    }

    /// Weight of unknown i, of magnitude `size`.
    pub(super) fn weight(&self, i: usize, size: f64) -> f64 {
        self.relative * if self.told { self.sizes[i] } else { size } + self.absolute[i]
    }

    /// Weight of unknown i in a step from y that ends at `end`. What the step itself moves belongs to the way so far, which may be nothing
    /// that numbers resolve: a drive by a bell, tanh or exp(-1/t) starts below the smallest numbers.
    pub(super) fn weight_of_step(&self, i: usize, end: f64) -> f64 {
        let begin = self.leg.y[i];
        let weight = self.weight(i, begin.abs().max(end.abs()));
        weight.max(self.relative * (end - begin).abs()).max(LEAST_WEIGHT)
    }

    /// Largest of |v_i| over the weights at y of the tested unknowns.
    pub(super) fn norm(&self, v: impl Iterator<Item = f64>) -> f64 {
        v.enumerate()
            .filter(|&(i, _)| self.tested[i])
            .fold(0.0, |max, (i, v)| f64::max(max, v.abs() / self.weight(i, self.leg.y[i].abs())))
    }

    /// Renews what a system that measures errors itself says, for a step of length `step`.
    pub(super) fn renew(&mut self, ode: &impl Ode, step: f64) {
        if self.told {
            self.absolute.copy_from_slice(&self.given);
            let (sizes, absolute) = (&mut self.sizes[..], &mut self.absolute[..]);
            ode.weigh(&self.leg.y, &mut ErrorWeights { relative: self.relative, step, sizes, absolute });
        }
    }
}

impl<S: Ode> Rkf45Stepper<S> {
    pub(super) fn smallest_step(&self) -> f64 {
        self.method.step.smallest.max(16.0 * f64::EPSILON * self.state.leg.time.abs()).max(f64::MIN_POSITIVE)
    }

    /// First step (Hairer, Norsett, Wanner I, II.4): that of an Euler step which changes y by a hundredth of itself tells the second
    /// derivative; the larger of the two derivatives gives h^5 = 0.01.
    pub(super) fn first_step(&mut self) -> Result<f64, Error> {
        if let Some(step) = self.method.fixed {
            return Ok(step);
        }
        let limits = self.method.step;
        let smallest = self.smallest_step();
        let target = self.state.targets.end().min(self.state.targets.next_break);
        let largest = limits.largest.min(target - self.state.leg.time).max(smallest);
        if limits.first > 0.0 {
            return Ok(limits.first.clamp(smallest, largest));
        }
        if self.state.told {
            // Ten times more from step to step lead from a step of order 1 to one of order 5.
            let advised = self.ode.first_step(&self.state.leg.y, &self.state.leg.k[0], self.state.relative);
            let cap = if largest.is_finite() { 1e-3 * largest } else { f64::INFINITY };
            return Ok(if advised.is_finite() { advised.min(cap) } else { cap.min(1e-3) }.clamp(smallest, largest));
        }
        let s = &mut self.state;
        let size = s.norm(s.leg.y.iter().copied());
        let slope = s.norm(s.leg.k[0].iter().copied());
        let trial = if size < 1e-5 || slope < 1e-5 { 1e-6 } else { 0.01 * size / slope };
        let trial = trial.clamp(smallest, largest);
        for (stage, (y, k)) in self.trial.iter_mut().zip(s.leg.y.iter().zip(&s.leg.k[0])) {
            *stage = y + trial * k;
        }
        s.statistics.residual_evaluations += 1;
        let curvature = match self.ode.rhs(s.leg.time + trial, &self.trial, &mut s.leg.k[1]) {
            Ok(()) => s.norm(s.leg.k[1].iter().zip(&s.leg.k[0]).map(|(b, a)| b - a)) / trial,
            Err(fatal @ crate::dae::EvalError::Fatal { .. }) => return Err(fatal.into()),
            Err(_) => f64::NAN,
        };
        let speed = slope.max(curvature);
        let step = if !curvature.is_finite() {
            trial
        } else if speed <= 1e-15 {
            1e-3 * trial.max(1e-3)
        } else {
            (0.01 / speed).powf(0.2).min(100.0 * trial)
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
        let tested = (0..self.error.len()).filter(|&i| self.state.tested[i]);
        let mut all: Vec<(usize, f64)> = tested.map(|i| (i, self.error[i])).collect();
        all.sort_by(|a, b| b.1.total_cmp(&a.1));
        let share = |&(i, magnitude): &(usize, f64)| Share { unknown: self.ode.unknown_name(i), magnitude };
        all.iter().take(3).map(share).collect()
    }
}
