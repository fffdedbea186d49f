//! The problem as the methods see it: M~ = R M C, q~ = R q / |R q|, with R = C and a diagonal of ones for all but wild problems, so that one is large and round-off is small.

use super::pattern::Pattern;
use crate::{budget::Meter, dense::dot, problem::Lcp, residual::size, scaling::Scales};

/// Entries of M~ and M~^T may differ by this before the problem counts as not symmetric (data rounded to a few digits less than double).
const SYMMETRIC: f64 = 1e-13;

/// Share of |y|_1 by which M~^T y may exceed zero, and by which q~^T y must lie below it, for y to prove that no point is feasible.
const CERTIFICATE: [f64; 2] = [1e-11, 1e-7];

/// Entries of y below this share of the largest are round-off of zero.
const STRAY: f64 = 1e-10;
/// Share of the terms of an entry of M~^T y that is round-off.
const TERMS: f64 = 1e-7;

/// A problem in scaled variables: z = size c z~, w = size w~ / r.
#[derive(Debug, Clone, Default)]
pub struct Scaled {
    n: usize,
    m: Vec<f64>,
    pub(crate) q: Vec<f64>,
    pub(crate) scales: Scales,
    /// |R q|_inf of the original, 1 if that is zero.
    pub(crate) size: f64,
    pub(crate) symmetric: bool,
    /// Whether no entry off the diagonal is positive: a Z matrix.
    pub(crate) repelling: bool,
    pub(crate) pattern: Pattern,
    /// What may still be spent.
    pub(crate) meter: Meter,
}

impl Scaled {
    /// Takes a problem.
    pub(crate) fn take(&mut self, lcp: &Lcp) {
        let n = lcp.len();
        self.n = n;
        self.scales.take(lcp);
        let Scales { rows, columns, .. } = &self.scales;
        self.m.clear();
        for j in 0..n {
            let cj = columns[j];
            self.m.extend(lcp.column(j).iter().zip(rows).map(|(mij, ri)| mij * ri * cj));
        }
        self.q.clear();
        self.q.extend(lcp.q().iter().zip(rows).map(|(qi, ri)| qi * ri));
        let size = size(&self.q);
        self.size = if size > 0.0 { size } else { 1.0 };
        let divisor = self.size;
        self.q.iter_mut().for_each(|qi| *qi /= divisor);
        self.pattern.take(n, &self.m);
        self.symmetric = self.is_symmetric();
        self.repelling =
            (0..n).all(|j| self.m[j * n..(j + 1) * n].iter().enumerate().all(|(i, &mij)| i == j || mij <= 0.0));
    }

    fn is_symmetric(&self) -> bool {
        if self.pattern.sparse {
            let twin = |i: usize, j: usize| self.m[i * self.n + j];
            return (0..self.n).all(|j| self.pattern.column(j).all(|(i, mij)| (mij - twin(i, j)).abs() <= SYMMETRIC));
        }
        (0..self.n).all(|j| (0..j).all(|i| (self.m[j * self.n + i] - self.m[i * self.n + j]).abs() <= SYMMETRIC))
    }

    /// Root mean square of the lengths of the rows of M~.
    pub(crate) fn row(&self) -> f64 {
        (dot(&self.m, &self.m) / self.n as f64).sqrt()
    }

    /// Number of pairs.
    pub(crate) fn len(&self) -> usize {
        self.n
    }

    /// Column j of M~.
    pub(crate) fn column(&self, j: usize) -> &[f64] {
        &self.m[j * self.n..(j + 1) * self.n]
    }

    /// w~ = M~ z~ + q~.
    pub(crate) fn w(&self, z: &[f64], w: &mut [f64]) {
        w.copy_from_slice(&self.q);
        self.add_product(z, w);
    }

    /// x = M~ z~.
    pub(crate) fn product(&self, z: &[f64], x: &mut [f64]) {
        x.fill(0.0);
        self.add_product(z, x);
    }

    fn add_product(&self, z: &[f64], x: &mut [f64]) {
        self.meter.spend(self.n * self.n);
        for (j, &zj) in z.iter().enumerate().filter(|(_, zj)| **zj != 0.0) {
            if self.pattern.sparse {
                self.pattern.column(j).for_each(|(i, mij)| x[i] += mij * zj);
            } else {
                x.iter_mut().zip(self.column(j)).for_each(|(xi, mij)| *xi += mij * zj);
            }
        }
    }

    /// Natural map of the scaled problem, max_i |min(z~_i, w~_i)|; infinite if a number is none.
    pub(crate) fn natural(z: &[f64], w: &[f64]) -> f64 {
        z.iter().zip(w).fold(
            0.0,
            |worst, (zi, wi)| {
                if (zi + wi).is_nan() { f64::INFINITY } else { worst.max(zi.min(*wi).abs()) }
            },
        )
    }

    /// Whether y >= 0 proves that no z~ >= 0 has w~ >= 0 (Farkas): M~^T y <= 0 and q~^T y < 0. Entries that are negative or round-off of
    /// zero are set to zero first. What M~^T y exceeds zero by must be round-off beside its own terms too: a large z~_j makes much of a small entry.
    pub(crate) fn certifies(&self, y: &mut [f64]) -> bool {
        let largest = y.iter().fold(0.0, |largest: f64, yi| largest.max(*yi));
        y.iter_mut().filter(|yi| !(**yi > STRAY * largest)).for_each(|yi| *yi = 0.0);
        let size: f64 = y.iter().sum();
        let proved = |j: usize| {
            let column = self.column(j);
            let excess = dot(column, y);
            let terms = || column.iter().zip(y.iter()).map(|(mij, yi)| (mij * yi).abs()).sum::<f64>();
            excess <= 0.0 || (excess <= CERTIFICATE[0] * size && excess <= TERMS * terms())
        };
        size > 0.0 && size.is_finite() && dot(&self.q, y) < -CERTIFICATE[1] * size && (0..self.n).all(proved)
    }

    /// z of the original from z~.
    pub(crate) fn unscale(&self, scaled: &[f64], z: &mut [f64]) {
        for i in 0..self.n {
            z[i] = scaled[i] * self.scales.columns[i] * self.size;
        }
    }
}
