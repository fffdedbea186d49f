//! L U of a matrix whose rows and columns begin late: what stands before the first entry of a row, and above that of a column, stays zero
//! without pivoting (skyline; Jennings, Comput. J. 9 (1966) 281).
//!
//! The matrices of contacts are W, semidefinite, with blocks on the diagonal that make it regular: pivots are rarely needed. Whether they
//! were is seen in the answer, A x against b; then, and where the skyline saves nothing, a dense factorization with row pivots takes over.

use pulp::Arch;

use super::cone::worst;
use crate::dense::Lu;

/// Share of the multiplications of a dense factorization above which the skyline is not worth it.
const WORTH: f64 = 0.5;
/// Order up to which a dense factorization is never faster, since its panels are small.
const SMALL: usize = 96;
/// Largest |A x - b| over |b| that is let pass.
const LOOSE: f64 = 1e-6;
/// Rows eliminated together, as many as a contact has: what remains is read and written once for all of them.
const GROUP: usize = 3;

/// A matrix, its factors, and the workspace to make them.
#[derive(Debug, Clone, Default)]
pub(crate) struct Skyline {
    n: usize,
    /// The matrix, column by column.
    a: Vec<f64>,
    /// First column of each row, which is the first row of each column; and the last.
    first: Vec<usize>,
    last: Vec<usize>,
    /// The factors of the transpose, row by row, in one square: L below its unit diagonal, and U.
    lu: Vec<f64>,
    /// 1 over the diagonal of U.
    inverse: Vec<f64>,
    dense: Lu,
    /// Which factors hold, and whether an answer has shown that they do.
    pivoted: bool,
    proved: bool,
    /// Multiplications of the last factorization.
    work: usize,
    /// The right-hand side, and what A x leaves of it.
    right: Vec<f64>,
    rest: Vec<f64>,
}

impl Skyline {
    /// Factors the n x n matrix that `fill` writes, column by column, into workspace that is empty; row i and column i begin at `first(i)`.
    /// False if it is singular.
    pub(crate) fn factor(
        &mut self,
        n: usize,
        first: impl Fn(usize) -> usize,
        fill: impl FnOnce(&mut Vec<f64>),
    ) -> bool {
        self.n = n;
        self.a.clear();
        fill(&mut self.a);
        self.first.clear();
        self.first.extend((0..n).map(|i| first(i).min(i)));
        let work: usize = self.first.iter().enumerate().map(|(i, first)| (i - first) * (i - first)).sum();
        self.proved = false;
        self.work = work;
        let narrow = n <= SMALL || work as f64 <= WORTH * (n * n * n) as f64 / 3.0;
        self.pivoted = !(narrow && self.eliminate());
        !self.pivoted || self.pivot()
    }

    fn pivot(&mut self) -> bool {
        self.pivoted = true;
        self.work += self.n * self.n * self.n / 3;
        let a = &self.a;
        self.dense.factor(self.n, 0.0, |dense| dense.copy_from_slice(a))
    }

    /// Group by group, what remains updated by each. The columns that are given are the rows of the transpose. False at a pivot of zero.
    fn eliminate(&mut self) -> bool {
        self.find_last();
        self.lu.clone_from(&self.a);
        self.inverse.clear();
        Arch::new().dispatch(|| (0..self.n).step_by(GROUP).all(|from| self.group(from)))
    }

    /// The last row and column that begin at or before each.
    fn find_last(&mut self) {
        self.last.clear();
        self.last.extend(0..self.n);
        for (i, &first) in self.first.iter().enumerate() {
            self.last[first] = i;
        }
        for i in 1..self.n {
            self.last[i] = self.last[i].max(self.last[i - 1]);
        }
    }

    #[inline(always)]
    fn group(&mut self, from: usize) -> bool {
        let (n, to) = (self.n, (from + GROUP).min(self.n));
        let end = self.last[to - 1] + 1;
        for p in from..to {
            let (above, below) = self.lu.split_at_mut((p + 1) * n);
            let u = &above[p * n + p..p * n + end];
            if !(u[0] != 0.0 && u[0].is_finite()) {
                return false;
            }
            let inverse = 1.0 / u[0];
            self.inverse.push(inverse);
            for row in below.chunks_exact_mut(n).take(to - p - 1) {
                let l = row[p] * inverse;
                row[p] = l;
                row[p + 1..end].iter_mut().zip(&u[1..]).for_each(|(x, u)| *x -= l * u);
            }
        }
        // A group that is not full is the last: nothing remains.
        if to == from + GROUP {
            self.update(from, end);
        }
        true
    }

    /// Rows and columns behind a full group, up to `end`, lose its share.
    #[inline(always)]
    fn update(&mut self, from: usize, end: usize) {
        let (n, to) = (self.n, from + GROUP);
        let (above, below) = self.lu.split_at_mut(to * n);
        let [a, b, c] = [0, 1, 2].map(|p| &above[(from + p) * n..][..end]);
        let inverse = &self.inverse[from..];
        let (a_rest, b_rest, c_rest) = (&a[to..], &b[to..], &c[to..]);
        for (row, _) in below.chunks_exact_mut(n).zip(&self.first[to..end]).filter(|(_, first)| **first < to) {
            let x = row[from] * inverse[0];
            let y = (row[from + 1] - x * a[from + 1]) * inverse[1];
            let z = (row[from + 2] - x * a[from + 2] - y * b[from + 2]) * inverse[2];
            row[from..to].copy_from_slice(&[x, y, z]);
            for (((rest, a), b), c) in row[to..end].iter_mut().zip(a_rest).zip(b_rest).zip(c_rest) {
                *rest -= x * a + y * b + z * c;
            }
        }
    }

    /// Multiplications of the last factorization, about.
    pub(crate) fn work(&self) -> usize {
        self.work
    }

    /// Sign of the determinant: +1 or -1.
    pub(crate) fn sign(&self) -> f64 {
        if self.pivoted {
            return self.dense.sign();
        }
        self.inverse.iter().fold(1.0, |sign: f64, pivot| sign * pivot.signum())
    }

    /// x becomes A^-1 x; with row pivots if it does not without. False if it does not at all.
    pub(crate) fn solve(&mut self, x: &mut [f64]) -> bool {
        if !self.pivoted {
            self.right.clear();
            self.right.extend_from_slice(x);
            Arch::new().dispatch(|| self.substitute(x));
            self.proved = self.proved && x.iter().all(|x| x.is_finite()) || Arch::new().dispatch(|| self.fits(x));
            if self.proved {
                return true;
            }
            if !self.pivot() {
                return false;
            }
            x.copy_from_slice(&self.right);
        }
        self.dense.solve(x);
        x.iter().all(|x| x.is_finite())
    }

    /// A = U^T L^T: from the first row on, then back.
    #[inline(always)]
    fn substitute(&self, x: &mut [f64]) {
        for (k, row) in self.lu.chunks_exact(self.n.max(1)).enumerate() {
            let end = self.last[k] + 1;
            x[k] *= self.inverse[k];
            let value = x[k];
            x[k + 1..end].iter_mut().zip(&row[k + 1..end]).for_each(|(x, u)| *x -= u * value);
        }
        for (k, row) in self.lu.chunks_exact(self.n.max(1)).enumerate().rev() {
            let (value, begin) = (x[k], self.first[k]);
            x[begin..k].iter_mut().zip(&row[begin..k]).for_each(|(x, l)| *x -= l * value);
        }
    }

    /// Whether A x is the right-hand side, nearly.
    #[inline(always)]
    fn fits(&mut self, x: &[f64]) -> bool {
        let size = self.right.iter().fold(0.0, |size: f64, b| size.max(b.abs()));
        self.rest.clone_from(&self.right);
        for (j, (column, &x)) in self.a.chunks_exact(self.n.max(1)).zip(x).enumerate() {
            let rows = self.first[j]..self.last[j] + 1;
            self.rest[rows.clone()].iter_mut().zip(&column[rows]).for_each(|(b, a)| *b -= a * x);
        }
        self.rest.iter().fold(0.0, |miss: f64, b| worst(miss, b.abs())) <= LOOSE * size
    }
}

#[cfg(test)]
mod tests {
    use nalgebra::{DMatrix, DVector};

    use super::*;

    /// Bands, arrows, full matrices, and one that needs row pivots at once, of orders on both sides of the choice.
    #[test]
    fn solves_what_it_is_given() {
        let mut skyline = Skyline::default();
        let shapes: [fn(usize, usize) -> usize; 4] = [
            |i, _| i.saturating_sub(3),
            |i, n| if i + 1 == n { 0 } else { i.saturating_sub(1) },
            |_, _| 0,
            |i, _| i - i % 2,
        ];
        for n in [1, 2, 30, 120] {
            for (kind, shape) in shapes.iter().enumerate() {
                let a = DMatrix::from_fn(n, n, |i, j| {
                    let swap = kind == 3 && n % 2 == 0;
                    let diagonal = if swap { i != j && i / 2 == j / 2 } else { i == j };
                    let inside = j.min(i) >= shape(i.max(j), n) && !(swap && i == j);
                    f64::from(u8::from(diagonal)) * 9.0
                        + if inside { ((i * 7919 + j * 104_729) % 97) as f64 / 97.0 - 0.4 } else { 0.0 }
                });
                assert!(skyline.factor(n, |i| shape(i, n), |to| to.extend_from_slice(a.as_slice())));
                let b = DVector::from_fn(n, |i, _| 1.0 + i as f64);
                let mut x = b.clone();
                assert!(skyline.solve(x.as_mut_slice()));
                assert!((&a * x - &b).amax() < 1e-12 * b.amax(), "{n}, {kind}");
            }
        }
    }

    #[test]
    fn a_singular_matrix_is_told() {
        let mut skyline = Skyline::default();
        assert!(!skyline.factor(2, |_| 0, |to| to.extend_from_slice(&[1.0, 2.0, 2.0, 4.0])));
    }
}
