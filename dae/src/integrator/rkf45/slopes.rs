//! What the further steps depend on: the slopes of the last step, and its error.

use super::radau;
use super::tableau::{STAGES, extension};
use crate::integrator::copying::kept;
use crate::integrator::explicit::OUT_OF_DOMAIN;
use crate::ode::Fast;

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

/// The slopes of the last step.
#[derive(Debug)]
pub struct Slopes {
    /// One vector for each stage. The last one, at the end, becomes the first of the next step when that begins; where no step was taken
    /// the first is the slope at the present time.
    pub(super) k: Vec<Vec<f64>>,
    /// End of the step less that of its continuous extension: what settling moved, and the estimate without local extrapolation.
    pub(super) moved: Vec<f64>,
    /// The formula whose slopes those of stages are, and its length \[s\].
    pub(super) formula: Formula,
    pub(super) length: f64,
    /// Fast unknowns at its end.
    pub(super) fast: Fast,
    /// Error of the step before, in tolerances.
    error_before: f64,
}

kept!(Slopes { k, moved, formula, length, fast, error_before });

impl Slopes {
    pub(super) fn new(n: usize) -> Self {
        Self {
            k: vec![vec![0.0; n]; STAGES],
            moved: vec![0.0; n],
            formula: Formula::Fehlberg,
            length: 0.0,
            fast: Fast::default(),
            error_before: 1.0,
        }
    }

    /// A step says nothing of the error of the next.
    pub(super) fn forget_error(&mut self) {
        self.error_before = 1.0;
    }

    /// Value and slope within a step of length h from `start` at `from`: the continuous extension, and a cubic that takes up what was moved.
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

    /// Ratio of the next step to one that passed with `error`.
    pub(super) fn ratio_after_success(&mut self, error: f64, after_rejection: bool) -> f64 {
        let error = error.max(ERROR_FLOOR);
        let ratio = SAFETY * error.powf(-PROPORTIONAL) * self.error_before.powf(INTEGRAL);
        self.error_before = error;
        let largest = if after_rejection { 1.0 } else { RATIO[1] };
        ratio.clamp(RATIO[0], largest)
    }

    /// Ratio of the next attempt to one that failed its test with `error`.
    pub(super) fn ratio_after_failure(error: Option<f64>) -> f64 {
        error.map_or(OUT_OF_DOMAIN, |error| (SAFETY * error.powf(-0.2)).clamp(RATIO[0], SAFETY))
    }
}
