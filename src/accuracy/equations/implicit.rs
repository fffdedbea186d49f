//! Equations F(t, y, y') = 0 that are neither mechanisms nor y' = f(t, y): circuits, reactions in equilibrium.

use super::{FLOOR, System, full};
use fourbar_multibody::dae::{Dae, Differences, EvalError, Unknown};
use nalgebra_sparse::pattern::SparsityPattern;
use std::marker::PhantomData;

/// F(t, y, y') = 0. What is compared are the unknowns.
pub(super) trait Law: 'static {
    /// What each unknown is.
    fn unknowns() -> Vec<Unknown>;

    /// y and y' at t = 0, consistent.
    fn start() -> [Vec<f64>; 2];

    /// Writes F. Outside its domain it is no number. At a break it is that before the break.
    fn residual(t: f64, y: &[f64], yp: &[f64], residual: &mut [f64]);

    /// Times at which inputs bend \[s\], increasing.
    fn breaks() -> Vec<f64> {
        Vec::new()
    }
}

/// A law with differences for its matrix.
pub(super) struct Implicit<L> {
    unknowns: Vec<Unknown>,
    pattern: SparsityPattern,
    differences: Differences,
    breaks: Vec<f64>,
    /// The last break that was passed.
    passed: f64,
    law: PhantomData<L>,
}

impl<L: Law> Implicit<L> {
    pub(super) fn boxed(_: &str) -> Option<Box<dyn System>> {
        let unknowns = L::unknowns();
        let pattern = full(unknowns.len());
        let floors: Vec<f64> = unknowns.iter().map(|own| FLOOR * own.typical).collect();
        Some(Box::new(Self {
            differences: Differences::new(&pattern, &floors),
            unknowns,
            pattern,
            breaks: L::breaks(),
            passed: f64::NEG_INFINITY,
            law: PhantomData,
        }))
    }
}

impl<L: Law> Dae for Implicit<L> {
    fn dimension(&self) -> usize {
        self.unknowns.len()
    }
    fn unknowns(&self) -> &[Unknown] {
        &self.unknowns
    }
    fn pattern(&self) -> &SparsityPattern {
        &self.pattern
    }
    fn residual(&mut self, t: f64, y: &[f64], yp: &[f64], residual: &mut [f64]) -> Result<(), EvalError> {
        L::residual(t, y, yp, residual);
        Ok(())
    }
    fn jacobian(&mut self, t: f64, y: &[f64], yp: &[f64], c: f64, values: &mut [f64]) -> Result<(), EvalError> {
        self.differences.evaluate(&self.pattern, y, yp, c, values, |y, yp, residual| {
            L::residual(t, y, yp, residual);
            Ok(())
        })
    }
    fn next_break(&mut self, t: f64) -> f64 {
        let ahead = |time: &&f64| **time >= t && **time > self.passed;
        self.breaks.iter().find(ahead).copied().unwrap_or(f64::INFINITY)
    }
    /// Begins anew with the rates before the break: the error test finds a first step of order 1 for which they are good enough.
    fn pass_jump(&mut self, t: f64, _: &mut [f64], _: &mut [f64]) -> Result<bool, EvalError> {
        self.passed = t;
        Ok(true)
    }
}

impl<L: Law> System for Implicit<L> {
    fn start(&self) -> [Vec<f64>; 2] {
        L::start()
    }
    fn values(&mut self, _: f64, y: &[f64], _: &[f64], values: &mut [f64]) {
        values.copy_from_slice(y);
    }
    fn dae(&mut self) -> &mut dyn Dae {
        self
    }
}

/// The largest entry of F at the start of a law.
#[cfg(test)]
pub(super) fn start_residual<L: Law>() -> f64 {
    let [y, yp] = L::start();
    let mut residual = vec![0.0; y.len()];
    L::residual(0.0, &y, &yp, &mut residual);
    residual.iter().fold(0.0, |worst, value| worst.max(value.abs()))
}
