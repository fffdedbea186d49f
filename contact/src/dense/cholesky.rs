//! A = L L^T of a symmetric positive definite matrix.

use pulp::Arch;

use super::{BLOCK, axpy, dot, product::Product, subtract_four};

/// Lower triangular factor and the workspace to make it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Cholesky {
    n: usize,
    l: Vec<f64>,
    product: Product,
}

impl Cholesky {
    /// Factors the n x n matrix whose lower triangle `fill` writes, column by column. False if a pivot is not above `smallest`.
    pub(crate) fn factor(&mut self, n: usize, smallest: f64, fill: impl FnOnce(&mut [f64])) -> bool {
        self.n = n;
        self.l.clear();
        self.l.resize(n * n, 0.0);
        fill(&mut self.l);
        for k0 in (0..n).step_by(BLOCK) {
            let end = (k0 + BLOCK).min(n);
            if !Arch::new().dispatch(|| self.panel(k0, end, smallest)) {
                return false;
            }
            if end < n {
                self.product.cholesky_update(&mut self.l, n, k0, end);
            }
        }
        true
    }

    /// Columns `k0..end`, earlier ones already taken off.
    #[inline(always)]
    fn panel(&mut self, k0: usize, end: usize, smallest: f64) -> bool {
        let n = self.n;
        for j in k0..end {
            let (before, column) = self.l.split_at_mut(j * n);
            let other = |k: usize| &before[k * n + j..(k + 1) * n];
            for k in (k0..j.saturating_sub(3)).step_by(4) {
                let four = [k, k + 1, k + 2, k + 3].map(other);
                subtract_four(&mut column[j..n], four.map(|other| other[0]), four);
            }
            for k in j - (j - k0) % 4..j {
                axpy(&mut column[j..n], -other(k)[0], other(k));
            }
            let pivot = column[j];
            if !(pivot > smallest) {
                return false;
            }
            let root = pivot.sqrt();
            column[j] = root;
            column[j + 1..n].iter_mut().for_each(|entry| *entry /= root);
        }
        true
    }

    /// x becomes A^-1 x.
    pub(crate) fn solve(&self, x: &mut [f64]) {
        let n = self.n;
        for j in 0..n {
            let column = &self.l[j * n..(j + 1) * n];
            x[j] /= column[j];
            let xj = x[j];
            axpy(&mut x[j + 1..n], -xj, &column[j + 1..]);
        }
        for j in (0..n).rev() {
            let column = &self.l[j * n..(j + 1) * n];
            x[j] = (x[j] - dot(&column[j + 1..], &x[j + 1..n])) / column[j];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::{DMatrix, DVector};

    #[test]
    fn solves_on_both_sides_of_a_block() {
        for n in [1, 3, 47, 48, 49, 53, 101] {
            let g = DMatrix::from_fn(n, n, |i, j| ((i * 7 + j * 13) % 11) as f64 - 5.0);
            let a = &g * g.transpose() + DMatrix::identity(n, n) * 0.5;
            let x = DVector::from_fn(n, |i, _| 1.0 - i as f64 / 3.0);
            let mut b = &a * &x;
            let scale = b.amax();
            let mut cholesky = Cholesky::default();
            assert!(cholesky.factor(n, 0.0, |l| l.copy_from_slice(a.as_slice())));
            cholesky.solve(b.as_mut_slice());
            assert!((&a * (&b - &x)).amax() < 1e-13 * scale, "n = {n}");
        }
    }

    #[test]
    fn an_indefinite_matrix_is_told() {
        let mut cholesky = Cholesky::default();
        assert!(!cholesky.factor(2, 0.0, |l| l.copy_from_slice(&[1.0, 2.0, 2.0, 1.0])));
        assert!(!cholesky.factor(1, 0.0, |l| l[0] = f64::NAN));
    }
}
