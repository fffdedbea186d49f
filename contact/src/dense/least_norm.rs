//! The minimum-norm solution of A x = b, by the Householder QR factorization of A^T.
//!
//! A has independent rows, at most as many as columns: R^T y = b, x = Q y (Å. Björck, Numerical Methods for Least Squares Problems, SIAM 1996,
//! section 2.4).

use super::{axpy, dot};

/// Of the largest diagonal entry of R: below it a row counts as depending on others. The square root of round-off, as for the singular values that are
/// the other way.
const DEPENDENT: f64 = 1.490_116_119_384_765_6e-8;

/// Reflections and R of the transpose of a matrix, and the memory to make them.
#[derive(Debug, Clone, Default)]
pub(crate) struct LeastNorm {
    rows: usize,
    columns: usize,
    /// A row of the matrix after the other: R above the diagonal, reflections v from it on, of which v^T v = 2 or 0.
    factors: Vec<f64>,
    diagonal: Vec<f64>,
}

impl LeastNorm {
    /// Factors the matrix of `rows` x `columns` with the entries `entry(i, j)`. False where its rows depend on each other.
    pub(crate) fn factor(&mut self, rows: usize, columns: usize, entry: impl Fn(usize, usize) -> f64) -> bool {
        (self.rows, self.columns) = (rows, columns);
        self.factors.clear();
        self.diagonal.clear();
        if columns < rows {
            return false;
        }
        self.factors.extend((0..rows).flat_map(|i| (0..columns).map(move |j| (i, j))).map(|(i, j)| entry(i, j)));
        for k in 0..rows {
            let (done, rest) = self.factors.split_at_mut((k + 1) * columns);
            let reflection = &mut done[k * columns + k..];
            self.diagonal.push(reflect(reflection));
            for row in rest.chunks_exact_mut(columns) {
                let row = &mut row[k..];
                axpy(row, -dot(reflection, row), reflection);
            }
        }
        let largest = self.diagonal.iter().fold(0.0_f64, |a, d| a.max(d.abs()));
        self.diagonal.iter().all(|d| d.abs() > DEPENDENT * largest)
    }

    /// The `x` of least norm for the right-hand sides `b`.
    pub(crate) fn solve(&self, b: &[f64], x: &mut [f64]) {
        let n = self.columns;
        x.fill(0.0);
        for i in 0..self.rows {
            let above = &self.factors[i * n..i * n + i];
            x[i] = (b[i] - dot(above, &x[..i])) / self.diagonal[i];
        }
        for k in (0..self.rows).rev() {
            let (reflection, x) = (&self.factors[k * n + k..(k + 1) * n], &mut x[k..]);
            axpy(x, -dot(reflection, x), reflection);
        }
    }
}

/// Replaces `x` by its Householder vector v, with v^T v = 2, and returns the first entry of (I - v v^T) x, whose others are zero.
fn reflect(x: &mut [f64]) -> f64 {
    let size = x.iter().fold(0.0_f64, |a, x| a.max(x.abs()));
    if !(size > 0.0) {
        return size;
    }
    x.iter_mut().for_each(|x| *x /= size);
    let norm = -dot(x, x).sqrt() * if x[0] < 0.0 { -1.0 } else { 1.0 };
    // v = (x - norm e) sqrt(2) / |x - norm e|, and |x - norm e|^2 = 2 norm (norm - x0).
    let scale = (norm * (norm - x[0])).sqrt();
    x[0] -= norm;
    x.iter_mut().for_each(|x| *x /= scale);
    norm * size
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::{DMatrix, DVector};

    #[test]
    fn solves_with_the_least_norm() {
        for (rows, columns) in [(1, 1), (1, 5), (3, 3), (4, 9), (12, 30)] {
            for size in [1e-200, 1.0, 1e150] {
                let a = DMatrix::from_fn(rows, columns, |i, j| {
                    size * (((i * i * 7 + j * 13 + i * j * 5) % 23) as f64 - 10.5)
                });
                let b = DVector::from_fn(rows, |i, _| 1.0 - i as f64 / 3.0);
                let mut factors = LeastNorm::default();
                assert!(factors.factor(rows, columns, |i, j| a[(i, j)]));
                let mut x = DVector::zeros(columns);
                factors.solve(b.as_slice(), x.as_mut_slice());
                assert!((&a * &x - &b).amax() < 1e-12, "{rows} x {columns}");
                // What is of least norm lies among the rows: their normal equations give it back.
                let scaled = &a / size;
                let y = (&scaled * scaled.transpose()).lu().solve(&(&b / size)).expect("independent rows");
                let along = scaled.transpose() * y;
                assert!((along - &x).amax() < 1e-9 * x.amax(), "{rows} x {columns}");
            }
        }
    }

    #[test]
    fn rows_that_depend_on_each_other_are_refused() {
        let mut factors = LeastNorm::default();
        assert!(!factors.factor(2, 3, |i, j| (i + 1) as f64 * (j + 1) as f64));
        assert!(!factors.factor(3, 2, |i, j| f64::from(u8::from(i == j))));
        assert!(!factors.factor(1, 2, |_, _| 0.0));
        assert!(!factors.factor(1, 2, |_, _| f64::NAN));
    }
}
