//! The equations of a step of the Radau IIA method, and room for its unknowns. `implicit_step` says which they are.

use super::radau::{A, NODES};
use super::stiff::{dot, solve};
use crate::ode::Fast;

/// Workspace of a step.
#[derive(Debug, Clone, Default)]
pub(super) struct Implicit {
    /// z_i, f_i and r_i.
    pub(super) increments: [Vec<f64>; NODES],
    pub(super) slopes: [Vec<f64>; NODES],
    pub(super) rest: [Vec<f64>; NODES],
    /// w_i, one stage after the other, and what is known of them.
    pub(super) w: Vec<f64>,
    pub(super) fast: [Fast; NODES],
    /// The equations of all w_i.
    pub(super) matrix: Vec<f64>,
    pub(super) x: Vec<f64>,
    pub(super) point: Vec<f64>,
}

/// What came of an attempt.
pub(super) enum Outcome {
    /// It converged; its error in tolerances. Up to 1 its end is in `trial`, settled.
    Error(f64),
    /// It did not.
    Diverged,
}

impl Implicit {
    pub(super) fn resize(&mut self, n: usize, fast: usize) {
        for vectors in [&mut self.increments, &mut self.slopes, &mut self.rest] {
            vectors.iter_mut().for_each(|v| v.resize(n, 0.0));
        }
        self.point.resize(n, 0.0);
        self.w.clear();
        self.w.resize(NODES * fast, 0.0);
        self.x.resize(NODES * fast, 0.0);
        self.matrix.resize((NODES * fast).pow(2), 0.0);
    }

    /// r_i, then dz_i in their places, and dw_i. False where the equations are singular.
    pub(super) fn correct(&mut self, h: f64) -> bool {
        for (i, rest) in self.rest.iter_mut().enumerate() {
            rest.iter_mut().zip(&self.increments[i]).for_each(|(r, z)| *r = -z);
            for (a, slope) in A[i].iter().zip(&self.slopes) {
                rest.iter_mut().zip(slope).for_each(|(r, f)| *r += h * a * f);
            }
        }
        let size = self.x.len();
        let m = size / NODES;
        for (row, (x, line)) in self.x.iter_mut().zip(self.matrix.chunks_exact_mut(size.max(1))).enumerate() {
            let (i, k) = (row / m, row % m);
            let (fast, by_y) = (&self.fast[i], self.fast[i].by_y(k));
            *x = -fast.residual[k] - dot(by_y, &self.rest[i]);
            for (column, entry) in line.iter_mut().enumerate() {
                *entry = h * A[i][column / m] * dot(by_y, self.fast[column / m].effect(column % m));
            }
            line[row] += fast.slope[k];
        }
        if !solve(&mut self.matrix, &mut self.x) {
            return false;
        }
        for (i, rest) in self.rest.iter_mut().enumerate() {
            for (column, x) in self.x.iter().enumerate() {
                let factor = h * A[i][column / m] * x;
                let effect = self.fast[column / m].effect(column % m);
                rest.iter_mut().zip(effect).for_each(|(r, effect)| *r += factor * effect);
            }
        }
        true
    }
}
