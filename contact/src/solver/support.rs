//! M_aa of an active set a: its factorization, whether or not it is singular, and the solution of M_aa z_a = -q_a.

use super::scaled::Scaled;
use crate::dense::{Cholesky, Lu, dot};

/// A pivot of the scaled matrix below this counts as zero.
const SINGULAR: f64 = 1e-13;

/// What is added to the diagonal of a singular matrix: round-off over it stays small, and so does it beside entries of size one.
pub(crate) const SHIFT: f64 = 1e-9;

/// Factors of a principal submatrix.
#[derive(Debug, Clone, Default)]
pub(crate) struct Support {
    /// The active set, ascending.
    pub(crate) active: Vec<usize>,
    cholesky: Cholesky,
    lu: Lu,
    definite: bool,
    rhs: Vec<f64>,
}

impl Support {
    /// Makes `active` those i for which `is` holds.
    pub(crate) fn select(&mut self, n: usize, is: impl Fn(usize) -> bool) {
        self.active.clear();
        self.active.extend((0..n).filter(|&i| is(i)));
    }

    /// Factors M_aa + shift I, by Cholesky where the problem is symmetric and the submatrix definite, else by LU. False if it is singular.
    pub(crate) fn factor(&mut self, scaled: &Scaled, shift: f64) -> bool {
        let (active, k) = (&self.active, self.active.len());
        let smallest = if shift > 0.0 { 0.0 } else { SINGULAR };
        let fill = |lower: bool| {
            move |entries: &mut [f64]| {
                for (place, &j) in active.iter().enumerate() {
                    let (from, to) = (scaled.column(j), &mut entries[place * k..(place + 1) * k]);
                    let first = if lower { place } else { 0 };
                    to[first..].iter_mut().zip(&active[first..]).for_each(|(entry, &i)| *entry = from[i]);
                    to[place] += shift;
                }
            }
        };
        self.definite = scaled.symmetric && self.cholesky.factor(k, smallest, fill(true));
        self.definite || self.lu.factor(k, smallest, fill(false))
    }

    /// x becomes (M_aa + shift I)^-1 x, by the last factors; x has one entry a member of the active set.
    pub(crate) fn solve(&self, x: &mut [f64]) {
        if self.definite { self.cholesky.solve(x) } else { self.lu.solve(x) }
    }

    /// One step of z_a += -(M_aa + shift I)^-1 (M z + q + shift (z - anchor))_a; all other z must be zero. Returns the size of the step.
    pub(crate) fn correct(&mut self, scaled: &Scaled, shift: f64, anchor: &[f64], z: &mut [f64]) -> f64 {
        self.rhs.clear();
        self.rhs.extend(self.active.iter().map(|&i| -scaled.q[i] - shift * (z[i] - anchor[i])));
        for &j in &self.active {
            let (column, zj) = (scaled.column(j), z[j]);
            if zj != 0.0 {
                self.rhs.iter_mut().zip(&self.active).for_each(|(r, &i)| *r -= column[i] * zj);
            }
        }
        if self.definite {
            self.cholesky.solve(&mut self.rhs)
        } else {
            self.lu.solve(&mut self.rhs)
        }
        for (&i, step) in self.active.iter().zip(&self.rhs) {
            z[i] += step;
        }
        dot(&self.rhs, &self.rhs).sqrt()
    }
}
