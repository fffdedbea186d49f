//! L U of a matrix whose rows and columns begin late: what stands before the first entry of a row, and above that of a column, stays zero
//! without pivoting (skyline; Jennings, Comput. J. 9 (1966) 281).
//!
//! The matrices of contacts are W, semidefinite, with blocks on the diagonal that make it regular: pivots are rarely needed. Whether they
//! were is seen in the answer, A x against b; then, and where the envelope saves nothing, a dense factorization with row pivots takes over.

use super::cone::worst;
use crate::dense::{Lu, dot};

/// Share of the multiplications of a dense factorization above which the envelope is not worth it.
const WORTH: f64 = 0.5;
/// Order up to which a dense factorization is never faster, since its panels are small.
const SMALL: usize = 96;
/// Largest |A x - b| over |b| that is let pass.
const LOOSE: f64 = 1e-6;

/// A matrix, its factors, and the room to make them.
#[derive(Debug, Clone, Default)]
pub(crate) struct Envelope {
    n: usize,
    /// The matrix, column by column.
    a: Vec<f64>,
    /// First column of each row, which is the first row of each column.
    first: Vec<usize>,
    /// Where the row of L, and the column of U, begin; one more at the end.
    start: Vec<usize>,
    /// L without its unit diagonal, by rows, and U without its diagonal, by columns.
    l: Vec<f64>,
    u: Vec<f64>,
    /// 1 over the diagonal of U.
    inverse: Vec<f64>,
    dense: Lu,
    /// Which factors hold.
    pivoted: bool,
    /// The right-hand side, and what A x leaves of it.
    right: Vec<f64>,
    rest: Vec<f64>,
}

impl Envelope {
    /// Factors the n x n matrix that `fill` writes, column by column, into zeros; row i and column i begin at `first(i)`. False if it
    /// is singular.
    pub(crate) fn factor(&mut self, n: usize, first: impl Fn(usize) -> usize, fill: impl FnOnce(&mut [f64])) -> bool {
        self.n = n;
        self.a.clear();
        self.a.resize(n * n, 0.0);
        fill(&mut self.a);
        self.first.clear();
        self.start.clear();
        let (mut place, mut work) = (0, 0.0);
        for i in 0..n {
            let begin = first(i).min(i);
            self.first.push(begin);
            self.start.push(place);
            place += i - begin;
            work += ((i - begin) * (i - begin)) as f64;
        }
        self.start.push(place);
        let narrow = n <= SMALL || work <= WORTH * (n * n * n) as f64 / 3.0;
        self.pivoted = !(narrow && self.eliminate());
        !self.pivoted || self.pivot()
    }

    fn pivot(&mut self) -> bool {
        self.pivoted = true;
        let a = &self.a;
        self.dense.factor(self.n, 0.0, |dense| dense.copy_from_slice(a))
    }

    /// Row by row of L and column by column of U (Crout). False at a pivot of zero.
    fn eliminate(&mut self) -> bool {
        let n = self.n;
        self.l.resize(self.start[n], 0.0);
        self.u.resize(self.start[n], 0.0);
        self.inverse.clear();
        for i in 0..n {
            let (begin, place) = (self.first[i], self.start[i]);
            let (l_done, l_row) = self.l.split_at_mut(place);
            let (u_done, u_column) = self.u.split_at_mut(place);
            for j in begin..i {
                let from = begin.max(self.first[j]);
                let (mine, theirs) =
                    (from - begin..j - begin, self.start[j] + (from - self.first[j])..self.start[j + 1]);
                let l = self.a[j * n + i] - dot(&l_row[mine.clone()], &u_done[theirs.clone()]);
                u_column[j - begin] = self.a[i * n + j] - dot(&l_done[theirs], &u_column[mine]);
                l_row[j - begin] = l * self.inverse[j];
            }
            let pivot = self.a[i * n + i] - dot(&l_row[..i - begin], &u_column[..i - begin]);
            if !(pivot != 0.0 && pivot.is_finite()) {
                return false;
            }
            self.inverse.push(1.0 / pivot);
        }
        true
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
            self.substitute(x);
            if self.fits(x) {
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

    fn substitute(&self, x: &mut [f64]) {
        for i in 0..self.n {
            let row = &self.l[self.start[i]..self.start[i + 1]];
            x[i] -= dot(row, &x[self.first[i]..i]);
        }
        for i in (0..self.n).rev() {
            x[i] *= self.inverse[i];
            let (value, column) = (x[i], &self.u[self.start[i]..self.start[i + 1]]);
            x[self.first[i]..i].iter_mut().zip(column).for_each(|(x, u)| *x -= u * value);
        }
    }

    /// Whether A x is the right-hand side, nearly.
    fn fits(&mut self, x: &[f64]) -> bool {
        let size = self.right.iter().fold(0.0, |size: f64, b| size.max(b.abs()));
        self.rest.clone_from(&self.right);
        for (column, &x) in self.a.chunks_exact(self.n.max(1)).zip(x) {
            self.rest.iter_mut().zip(column).for_each(|(b, a)| *b -= a * x);
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
        let mut envelope = Envelope::default();
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
                assert!(envelope.factor(n, |i| shape(i, n), |to| to.copy_from_slice(a.as_slice())));
                let b = DVector::from_fn(n, |i, _| 1.0 + i as f64);
                let mut x = b.clone();
                assert!(envelope.solve(x.as_mut_slice()));
                assert!((&a * x - &b).amax() < 1e-12 * b.amax(), "{n}, {kind}");
            }
        }
    }

    #[test]
    fn a_singular_matrix_is_told() {
        let mut envelope = Envelope::default();
        assert!(!envelope.factor(2, |_| 0, |to| to.copy_from_slice(&[1.0, 2.0, 2.0, 4.0])));
    }
}
