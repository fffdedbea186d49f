//! What local errors are measured against.

use crate::dae::{ErrorWeights, Unknown};
use crate::integrator::copying::kept;
use crate::integrator::options::Tolerance;
use crate::ode::Ode;

/// Weights below this have fewer digits than others, or none: the smallest normal number over the relative rounding error.
const LEAST_WEIGHT: f64 = f64::MIN_POSITIVE / f64::EPSILON;

/// Part of what an attempt moves an unknown by that its error may be where that still says how far the unknown goes. It holds of powers of the time up to 11;
/// an attempt that is not stable fails it.
const ROUGH: f64 = 0.5;
/// Attempts after which what they move counts at any error: behind so many fifths or halves none is unstable any more. Powers of the time beyond 11, whose
/// error is as large at any step, come to it.
const SELF_SIMILAR: u32 = 8;

/// Tolerances, and the sizes of unknowns.
#[derive(Debug)]
pub(in crate::integrator) struct Weighing {
    pub(in crate::integrator) relative: f64,
    absolute: Vec<f64>,
    /// Whether the system says what errors are measured against; then that, and what the caller asked for.
    pub(in crate::integrator) told: bool,
    sizes: Vec<f64>,
    /// How far attempts that failed would have moved unknowns that had not moved before.
    foreseen: Vec<f64>,
    given: Vec<f64>,
    pub(in crate::integrator) tested: Vec<bool>,
}

kept!(Weighing { relative, absolute, told, sizes, foreseen, given, tested });

impl Weighing {
    pub(in crate::integrator) fn new(tolerance: &Tolerance, unknowns: &[Unknown], told: bool) -> Self {
        Self {
            relative: tolerance.relative,
            absolute: tolerance.absolutes(unknowns),
            told,
            sizes: vec![0.0; unknowns.len()],
            foreseen: vec![0.0; unknowns.len()],
            given: tolerance.given(unknowns),
            tested: unknowns.iter().map(|u| u.error_tested).collect(),
        }
    }

    /// Weight of unknown i, of magnitude `size`.
    fn weight(&self, i: usize, size: f64) -> f64 {
        self.relative * if self.told { self.sizes[i] } else { size } + self.absolute[i]
    }

    /// Absolute tolerance of unknown i.
    pub(super) fn absolute(&self, i: usize) -> f64 {
        self.absolute[i]
    }

    /// Weight of unknown i in a step from `begin` to `end`. What the step itself moves belongs to the way so far, which may be nothing
    /// that numbers resolve: a drive by a bell, tanh or exp(-1/t) starts below the smallest numbers.
    pub(in crate::integrator) fn weight_of_step(&self, i: usize, begin: f64, end: f64) -> f64 {
        let weight = self.weight(i, begin.abs().max(end.abs()));
        weight.max(self.relative * (end - begin).abs().max(self.foreseen[i])).max(LEAST_WEIGHT)
    }

    /// Takes note of how far an attempt from `begin` to `end` moves unknowns that have not moved before; it failed as the `rejections`-th of its step with
    /// these `errors`, in tolerances. From rest at 0 the error of a step is the same part of what it moves however short it is: of x' = t^p no step
    /// would be short enough.
    pub(super) fn foresee(&mut self, begin: &[f64], end: &[f64], errors: &[f64], rejections: u32) {
        let moved = |i: usize| (end[i] - begin[i]).abs();
        let is_rough = |i: usize| {
            let error = errors[i] * self.weight_of_step(i, begin[i], end[i]);
            !self.tested[i] || errors[i] <= 1.0 || error <= ROUGH * moved(i)
        };
        if self.told && (rejections >= SELF_SIMILAR || (0..begin.len()).all(is_rough)) {
            for i in (0..begin.len()).filter(|&i| self.sizes[i] == 0.0 && moved(i).is_finite()) {
                self.foreseen[i] = self.foreseen[i].max(moved(i));
            }
        }
    }

    /// What was foreseen does not come: the equations or the state jump.
    pub(super) fn forget(&mut self) {
        self.foreseen.fill(0.0);
    }

    /// Largest of |v_i| over the weights at y of the tested unknowns.
    pub(in crate::integrator) fn norm(&self, y: &[f64], v: impl Iterator<Item = f64>) -> f64 {
        v.enumerate()
            .filter(|&(i, _)| self.tested[i])
            .fold(0.0, |max, (i, v)| f64::max(max, v.abs() / self.weight(i, y[i].abs())))
    }

    /// Renews what a system that measures errors itself says at y, for a step of length `step`.
    pub(super) fn renew(&mut self, ode: &impl Ode, y: &[f64], step: f64) {
        if self.told {
            self.absolute.copy_from_slice(&self.given);
            let (sizes, absolute) = (&mut self.sizes[..], &mut self.absolute[..]);
            ode.weigh(y, &mut ErrorWeights { relative: self.relative, step, sizes, absolute });
        }
    }
}
