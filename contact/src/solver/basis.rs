//! M_aa of an active set a: its factorization, whether or not it is singular, and the solution of M_aa z_a = -q_a.

use super::{factors::Factors, scaled::Scaled};

/// A pivot of the scaled matrix below this counts as zero.
const SINGULAR: f64 = 1e-13;

/// What is added to the diagonal of a singular matrix: round-off over it stays small, and so does it beside entries of size one.
pub(crate) const SHIFT: f64 = 1e-9;

/// Factors of a principal submatrix.
#[derive(Debug, Clone, Default)]
pub(crate) struct Basis {
    /// The active set, ascending.
    pub(crate) active: Vec<usize>,
    factors: Factors,
    rhs: Vec<f64>,
    w: Vec<f64>,
}

impl Basis {
    /// Makes `active` those i for which `is` holds.
    pub(crate) fn select(&mut self, n: usize, is: impl Fn(usize) -> bool) {
        self.active.clear();
        self.active.extend((0..n).filter(|&i| is(i)));
    }

    /// Factors M_aa + shift I. False if it is singular.
    pub(crate) fn factor(&mut self, scaled: &Scaled, shift: f64) -> bool {
        let smallest = if shift > 0.0 { 0.0 } else { SINGULAR };
        self.factors.factor(scaled, &self.active, smallest, |_| shift)
    }

    /// One step of z_a += -(M_aa + shift I)^-1 (M z + q + shift (z - anchor))_a; all other z must be zero.
    pub(crate) fn correct(&mut self, scaled: &Scaled, shift: f64, anchor: &[f64], z: &mut [f64]) {
        self.rhs.clear();
        self.rhs.extend(self.active.iter().map(|&i| -scaled.q[i] - shift * (z[i] - anchor[i])));
        if scaled.pattern.sparse {
            self.w.resize(scaled.len(), 0.0);
            scaled.product(z, &mut self.w);
            self.rhs.iter_mut().zip(&self.active).for_each(|(r, &i)| *r -= self.w[i]);
        } else {
            for &j in &self.active {
                let (column, zj) = (scaled.column(j), z[j]);
                if zj != 0.0 {
                    self.rhs.iter_mut().zip(&self.active).for_each(|(r, &i)| *r -= column[i] * zj);
                }
            }
        }
        self.factors.solve(&mut self.rhs);
        for (&i, step) in self.active.iter().zip(&self.rhs) {
            z[i] += step;
        }
    }
}
