//! Fast unknowns of a system at one point, and the dense equations of a step that is implicit in them.

use crate::dae::EvalError;
use crate::ode::{Fast, Ode};

impl Fast {
    /// Asks the system, straight after an evaluation of f.
    pub(super) fn ask(&mut self, ode: &mut impl Ode) -> Result<(), EvalError> {
        for values in [&mut self.residual, &mut self.slope, &mut self.by_y, &mut self.effect] {
            values.clear();
        }
        ode.fast(self)
    }

    pub(super) fn count(&self) -> usize {
        self.slope.len()
    }

    /// dg_k/dy of n entries.
    pub(super) fn by_y(&self, k: usize) -> &[f64] {
        let n = self.by_y.len() / self.count();
        &self.by_y[k * n..(k + 1) * n]
    }

    /// df/dw_k of n entries.
    pub(super) fn effect(&self, k: usize) -> &[f64] {
        let n = self.effect.len() / self.count();
        &self.effect[k * n..(k + 1) * n]
    }

    /// A bound of the eigenvalues of df/dw dw/dy [1/s]; infinite where dg/dw is zero.
    pub(super) fn rate(&self) -> f64 {
        let coupling = |k: usize| (0..self.count()).map(|l| dot(self.by_y(k), self.effect(l)).abs()).sum::<f64>();
        (0..self.count()).fold(0.0, |rate, k| {
            let coupling = coupling(k);
            if coupling == 0.0 { rate } else { rate.max(coupling / self.slope[k].abs()) }
        })
    }
}

pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Solves the square system `matrix` x = `x` in place, rows one after the other, by elimination with row pivots. False if singular.
pub(super) fn solve(matrix: &mut [f64], x: &mut [f64]) -> bool {
    let n = x.len();
    for k in 0..n {
        let size = |i: &usize| matrix[i * n + k].abs();
        let Some(pivot) = (k..n).max_by(|a, b| size(a).total_cmp(&size(b))) else { return false };
        if !(matrix[pivot * n + k].abs() > 0.0) {
            return false;
        }
        if pivot != k {
            for j in k..n {
                matrix.swap(pivot * n + j, k * n + j);
            }
            x.swap(pivot, k);
        }
        let (above, below) = matrix.split_at_mut((k + 1) * n);
        let row = &above[k * n..];
        for (i, line) in below.chunks_exact_mut(n).enumerate() {
            let factor = line[k] / row[k];
            if factor != 0.0 {
                line[k + 1..].iter_mut().zip(&row[k + 1..]).for_each(|(a, b)| *a -= factor * b);
                x[k + 1 + i] -= factor * x[k];
            }
        }
    }
    for k in (0..n).rev() {
        let sum = dot(&matrix[k * n + k + 1..(k + 1) * n], &x[k + 1..]);
        x[k] = (x[k] - sum) / matrix[k * n + k];
    }
    true
}
