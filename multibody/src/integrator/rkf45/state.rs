//! What the further steps depend on: the last accepted step, and how errors are weighed.

use super::radau;
use super::tableau::{STAGES, extension};
use crate::dae::ErrorWeights;
use crate::integrator::copying::kept;
use crate::integrator::dense::DensePosition;
use crate::integrator::statistics::Statistics;
use crate::integrator::switching::Switching;
use crate::integrator::targets::Targets;
use crate::ode::{Fast, Ode};

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

/// All that the further steps depend on.
#[derive(Debug)]
pub(super) struct State {
    pub(super) leg: Leg,
    pub(super) targets: Targets,
    pub(super) dense: DensePosition,
    pub(super) switching: Switching,
    /// Length planned for the next step \[s\]; 0 before the first.
    pub(super) step: f64,
    /// Error of the step before, in tolerances.
    pub(super) error_before: f64,
    pub(super) relative: f64,
    pub(super) absolute: Vec<f64>,
    /// Whether the system says what errors are measured against; then that, and what the caller asked for.
    pub(super) told: bool,
    pub(super) sizes: Vec<f64>,
    pub(super) given: Vec<f64>,
    pub(super) tested: Vec<bool>,
    pub(super) statistics: Statistics,
}

kept!(State {
    leg,
    targets,
    dense,
    switching,
    step,
    error_before,
    relative,
    absolute,
    told,
    sizes,
    given,
    tested,
    statistics
});

impl State {
    /// Whether one that was read is sound, for so many fast unknowns and root functions.
    pub(super) fn fits(&self, fast: usize, roots: usize) -> bool {
        let leg = &self.leg;
        self.step.is_finite()
            && leg.previous <= leg.time
            && (leg.previous..=leg.time).contains(&self.dense.time())
            && self.dense.roots() == roots
            && leg.fast.fits(fast, leg.y.len())
    }
}

/// By which formula a step was taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Formula {
    Fehlberg,
    Radau,
}

fourbar_linalg::stored!(
    enum Formula {
        Fehlberg = 0,
        Radau = 1,
    }
);

/// The last accepted step.
#[derive(Debug)]
pub(super) struct Leg {
    /// Its end \[s\], and its start.
    pub(super) time: f64,
    pub(super) previous: f64,
    /// y at its end and at its start.
    pub(super) y: Vec<f64>,
    pub(super) start: Vec<f64>,
    /// Its slopes. The last one, at the end, becomes the first of the next step when that begins.
    pub(super) k: Vec<Vec<f64>>,
    /// End of the step less that of its continuous extension: what settling moved, and the estimate without local extrapolation.
    pub(super) moved: Vec<f64>,
    /// Whether there is a step; otherwise k_1 is the slope at the present time.
    pub(super) stepped: bool,
    /// Whether the coordinates have changed since: the slope is still to be evaluated.
    pub(super) stale: bool,
    /// The formula whose slopes those of stages are, and its length \[s\].
    pub(super) formula: Formula,
    pub(super) length: f64,
    /// Fast unknowns at its end.
    pub(super) fast: Fast,
}

kept!(Leg { time, previous, y, start, k, moved, stepped, stale, formula, length, fast });

impl Leg {
    /// Slope at the end.
    pub(super) fn slope(&self) -> &[f64] {
        &self.k[if self.stepped { STAGES - 1 } else { 0 }]
    }

    /// Value and slope at a time within, exact at both ends: the continuous extension, and a cubic that takes up what was moved.
    pub(super) fn interpolate(&self, time: f64, y: &mut [f64], yp: &mut [f64]) {
        if time == self.time {
            y.copy_from_slice(&self.y);
            yp.copy_from_slice(self.slope());
            return;
        }
        self.extend((&self.start, self.previous, self.time - self.previous), time, y, yp);
    }

    /// The same for slopes of a step of length h from `start` at `from`, one that is not accepted yet too.
    pub(super) fn extend(&self, (start, from, h): (&[f64], f64, f64), time: f64, y: &mut [f64], yp: &mut [f64]) {
        let theta = (time - from) / h;
        let (b, slope) = match self.formula {
            Formula::Fehlberg => extension(theta),
            Formula::Radau => radau::extension(theta),
        };
        let (cubic, rate) = (theta * theta * (3.0 - 2.0 * theta), 6.0 * theta * (1.0 - theta) / h);
        for i in 0..y.len() {
            let (mut value, mut derivative) = (0.0, 0.0);
            for j in 0..STAGES {
                value += b[j] * self.k[j][i];
                derivative += slope[j] * self.k[j][i];
            }
            y[i] = start[i] + h * value + cubic * self.moved[i];
            yp[i] = derivative + rate * self.moved[i];
        }
    }
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
