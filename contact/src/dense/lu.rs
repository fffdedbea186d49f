//! P A = L U with row pivoting.

use std::ops::Range;

use pulp::Arch;

use super::{BLOCK, axpy, product::Product, subtract_four};

/// The factors of a square matrix and the workspace to make them.
#[derive(Debug, Clone, Default)]
pub(crate) struct Lu {
    n: usize,
    lu: Vec<f64>,
    /// Row exchanged with row k in step k.
    exchanges: Vec<usize>,
    product: Product,
}

impl Lu {
    /// Factors the n x n matrix that `fill` writes, column by column. False if no pivot of a column is above `smallest`.
    pub(crate) fn factor(&mut self, n: usize, smallest: f64, fill: impl FnOnce(&mut [f64])) -> bool {
        self.n = n;
        self.lu.clear();
        self.lu.resize(n * n, 0.0);
        self.exchanges.clear();
        fill(&mut self.lu);
        for k0 in (0..n).step_by(BLOCK) {
            let end = (k0 + BLOCK).min(n);
            if !Arch::new().dispatch(|| self.panel(k0, end, smallest)) {
                return false;
            }
            Arch::new().dispatch(|| self.right_of_panel(k0, end));
            if end < n {
                self.product.lu_update(&mut self.lu, n, k0, end);
            }
        }
        true
    }

    /// Columns `k0..end`, with the row exchanges carried out in all columns before `end`.
    #[inline(always)]
    fn panel(&mut self, k0: usize, end: usize, smallest: f64) -> bool {
        let n = self.n;
        for k in k0..end {
            let (before, here) = self.lu.split_at_mut(k * n);
            let column = &mut here[..n];
            eliminate(column, before, n, k0..k);
            let mut pivot = k;
            for i in k + 1..n {
                if column[i].abs() > column[pivot].abs() {
                    pivot = i;
                }
            }
            if !(column[pivot].abs() > smallest) {
                return false;
            }
            self.exchanges.push(pivot);
            if pivot != k {
                for line in self.lu[..end * n].chunks_exact_mut(n) {
                    line.swap(k, pivot);
                }
            }
            let (head, tail) = self.lu[k * n..(k + 1) * n].split_at_mut(k + 1);
            tail.iter_mut().for_each(|entry| *entry /= head[k]);
        }
        true
    }

    /// The exchanges of the panel and U12 = L11^-1 A12 in the columns after it.
    #[inline(always)]
    fn right_of_panel(&mut self, k0: usize, end: usize) {
        let n = self.n;
        let (before, after) = self.lu.split_at_mut(end * n);
        for column in after.chunks_exact_mut(n) {
            for k in k0..end {
                column.swap(k, self.exchanges[k]);
            }
            eliminate(&mut column[..end], before, n, k0..end);
        }
    }

    /// Sign of the determinant: +1 or -1.
    pub(crate) fn sign(&self) -> f64 {
        let of = |k: usize| {
            let turned = if self.exchanges[k] == k { 1.0 } else { -1.0 };
            turned * self.lu[k * self.n + k].signum()
        };
        (0..self.n).map(of).product()
    }

    /// Sizes of the smallest and the largest pivot.
    pub(crate) fn pivots(&self) -> (f64, f64) {
        let sizes = (0..self.n).map(|k| self.lu[k * self.n + k].abs());
        sizes.fold((f64::INFINITY, 0.0), |(least, largest), size| (size.min(least), size.max(largest)))
    }

    /// Determinant of the matrix.
    pub(crate) fn determinant(&self) -> f64 {
        self.sign() * (0..self.n).map(|k| self.lu[k * self.n + k].abs()).product::<f64>()
    }

    /// x becomes A^-1 x.
    pub(crate) fn solve(&self, x: &mut [f64]) {
        let n = self.n;
        for k in 0..n {
            x.swap(k, self.exchanges[k]);
        }
        for k in 0..n {
            let xk = x[k];
            axpy(&mut x[k + 1..n], -xk, &self.lu[k * n + k + 1..(k + 1) * n]);
        }
        for k in (0..n).rev() {
            x[k] /= self.lu[k * n + k];
            let xk = x[k];
            axpy(&mut x[..k], -xk, &self.lu[k * n..k * n + k]);
        }
    }
}

/// L^-1 of these columns of `factors`, n high, on a column: four at a time, since each pass reads and writes it once.
#[inline(always)]
fn eliminate(column: &mut [f64], factors: &[f64], n: usize, columns: Range<usize>) {
    let height = column.len();
    let multipliers = |j: usize| &factors[j * n..j * n + height];
    let mut j = columns.start;
    while j + 4 <= columns.end {
        let four = [0, 1, 2, 3].map(|i| multipliers(j + i));
        for i in 1..4 {
            for m in 0..i {
                column[j + i] -= column[j + m] * four[m][j + i];
            }
        }
        let head = [0, 1, 2, 3].map(|i| column[j + i]);
        subtract_four(&mut column[j + 4..], head, four.map(|multipliers| &multipliers[j + 4..]));
        j += 4;
    }
    for j in j..columns.end {
        let factor = column[j];
        axpy(&mut column[j + 1..], -factor, &multipliers(j)[j + 1..]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::{DMatrix, DVector};

    #[test]
    fn solves_on_both_sides_of_a_block() {
        for n in [1, 3, 47, 48, 49, 53, 101] {
            let a = DMatrix::from_fn(n, n, |i, j| ((i * i * 7 + j * 13 + i * j * 5) % 23) as f64 - 11.0)
                + DMatrix::from_fn(n, n, |i, j| if (i + 1) % n == j { 17.0 } else { 0.0 });
            let x = DVector::from_fn(n, |i, _| 1.0 - i as f64 / 3.0);
            let b = &a * &x;
            let mut lu = Lu::default();
            assert!(lu.factor(n, 0.0, |l| l.copy_from_slice(a.as_slice())));
            let mut found = b.clone();
            lu.solve(found.as_mut_slice());
            assert!((&a * &found - &b).amax() < 1e-12 * b.amax(), "n = {n}");
        }
    }

    #[test]
    fn a_singular_matrix_is_told() {
        let mut lu = Lu::default();
        assert!(!lu.factor(2, 1e-14, |l| l.copy_from_slice(&[1.0, 2.0, 2.0, 4.0])));
        assert!(!lu.factor(1, 0.0, |l| l[0] = f64::NAN));
    }
}
