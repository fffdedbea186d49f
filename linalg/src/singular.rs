//! Singular value decompositions by rotations of columns.
//!
//! One-sided Jacobi rotations (Hestenes 1958; Golub and Van Loan, *Matrix Computations*, 4th ed., section 8.6.3) make the columns of A V orthogonal: their
//! lengths are the singular values. It always ends, and small singular values and vectors of equal ones keep their digits. nalgebra 0.35 has an
//! iteration of Golub and Kahan, whose singular vectors are wrong in the first digit for some matrices of low rank, all ones among them.

use nalgebra::{DMatrix, DVector};

/// Sweeps over all pairs of columns; ten are usual, and convergence is quadratic.
const SWEEPS: usize = 60;

/// A = U S V^T of a matrix of m x n, with k = min(m, n) singular values.
#[derive(Debug, Clone)]
pub struct SingularValues {
    /// Left singular vectors, m x k; columns of zeros where m >= n and the singular value is round-off.
    pub u: DMatrix<f64>,
    /// Singular values, descending.
    pub values: DVector<f64>,
    /// Right singular vectors, n x k; columns of zeros where m < n and the singular value is round-off.
    pub v: DMatrix<f64>,
}

impl SingularValues {
    /// The decomposition of `matrix`; none where an entry is not finite.
    #[must_use]
    pub fn new(matrix: &DMatrix<f64>) -> Option<Self> {
        if !matrix.iter().all(|x| x.is_finite()) {
            return None;
        }
        if matrix.nrows() < matrix.ncols() {
            let Self { u, values, v } = Self::tall(matrix.transpose());
            return Some(Self { u: v, values, v: u });
        }
        Some(Self::tall(matrix.clone()))
    }

    /// Of at least as many rows as columns.
    fn tall(mut columns: DMatrix<f64>) -> Self {
        let n = columns.ncols();
        // Of size 1, so that no square leaves the range.
        let size = columns.amax();
        let unit = if size > 0.0 { size.log2().floor().exp2() } else { 1.0 };
        columns /= unit;
        let zero = f64::EPSILON * columns.nrows() as f64 * columns.norm();
        let mut v = DMatrix::identity(n, n);
        for _ in 0..SWEEPS {
            if !sweep(&mut columns, &mut v, zero) {
                break;
            }
        }
        let lengths: Vec<f64> = columns.column_iter().map(|column| column.norm()).collect();
        let mut order: Vec<usize> = (0..n).collect();
        order.sort_by(|&a, &b| lengths[b].total_cmp(&lengths[a]));
        let mut u = columns.select_columns(&order);
        for (mut column, &k) in u.column_iter_mut().zip(&order) {
            column *= if lengths[k] > zero { 1.0 / lengths[k] } else { 0.0 };
        }
        let values = DVector::from_iterator(n, order.iter().map(|&k| lengths[k] * unit));
        Self { u, values, v: v.select_columns(&order) }
    }

    /// The largest singular value; 0 of an empty matrix.
    #[must_use]
    pub fn largest(&self) -> f64 {
        self.values.iter().copied().fold(0.0, f64::max)
    }

    /// How many singular values are above `least`.
    #[must_use]
    pub fn rank(&self, least: f64) -> usize {
        self.values.iter().filter(|value| **value > least).count()
    }

    /// The shortest x (n entries) for which A x comes nearest to `right` (m entries); singular values up to `least` count as zero.
    #[must_use]
    pub fn solve(&self, right: &DVector<f64>, least: f64) -> DVector<f64> {
        let mut parts = self.u.tr_mul(right);
        parts
            .iter_mut()
            .zip(&self.values)
            .for_each(|(part, &value)| *part = if value > least { *part / value } else { 0.0 });
        &self.v * parts
    }

    /// The pseudo-inverse, n x m; singular values up to `least` count as zero.
    #[must_use]
    pub fn pseudo_inverse(&self, least: f64) -> DMatrix<f64> {
        let mut scaled = self.v.clone();
        for (mut column, &value) in scaled.column_iter_mut().zip(&self.values) {
            column *= if value > least { 1.0 / value } else { 0.0 };
        }
        scaled * self.u.transpose()
    }
}

/// Rotates each pair of columns until they are orthogonal; whether any was not. Columns of up to `zero` are round-off, and left alone.
fn sweep(columns: &mut DMatrix<f64>, v: &mut DMatrix<f64>, zero: f64) -> bool {
    let n = columns.ncols();
    let mut rotated = false;
    for p in 0..n {
        for q in p + 1..n {
            let (a, b) = (columns.column(p).norm(), columns.column(q).norm());
            if a.min(b) <= zero {
                continue;
            }
            let product = columns.column(p).dot(&columns.column(q));
            if product.abs() <= f64::EPSILON * a * b * (columns.nrows() as f64).sqrt() {
                continue;
            }
            rotated = true;
            let zeta = (b - a) * (b + a) / (2.0 * product);
            let tangent = 1.0_f64.copysign(zeta) / (zeta.abs() + 1.0_f64.hypot(zeta));
            let cosine = 1.0 / 1.0_f64.hypot(tangent);
            rotate(columns, [p, q], cosine, cosine * tangent);
            rotate(v, [p, q], cosine, cosine * tangent);
        }
    }
    rotated
}

/// Columns p and q become c p - s q and s p + c q.
pub(crate) fn rotate(matrix: &mut DMatrix<f64>, [p, q]: [usize; 2], c: f64, s: f64) {
    let rows = matrix.nrows();
    let (before, behind) = matrix.as_mut_slice().split_at_mut(q * rows);
    for (x, y) in before[p * rows..(p + 1) * rows].iter_mut().zip(&mut behind[..rows]) {
        (*x, *y) = (c * *x - s * *y, s * *x + c * *y);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(matrix: &DMatrix<f64>) {
        let svd = SingularValues::new(matrix).expect("finite");
        let size = svd.largest().max(f64::MIN_POSITIVE);
        let again = &svd.u * DMatrix::from_diagonal(&svd.values) * svd.v.transpose();
        let bound = 1e-14 * (matrix.nrows() + matrix.ncols()) as f64;
        assert!((again - matrix).amax() <= bound * size, "{matrix}");
        let rank = svd.rank(1e-11 * size);
        for vectors in [&svd.u, &svd.v] {
            let kept = vectors.columns(0, rank);
            assert!((kept.tr_mul(&kept) - DMatrix::identity(rank, rank)).amax() <= bound, "{matrix}");
        }
        assert!(svd.values.as_slice().is_sorted_by(|a, b| a >= b));
    }

    #[test]
    fn wild_numbers_end() {
        for wild in [f64::NAN, f64::INFINITY] {
            assert!(SingularValues::new(&DMatrix::from_element(3, 3, wild)).is_none());
        }
        for wild in [1e200, f64::MAX, 1e-300] {
            let matrix = DMatrix::from_fn(4, 4, |i, j| if i == j { wild } else { 1.0 + (i + 2 * j) as f64 });
            assert_eq!(SingularValues::new(&matrix).expect("finite").values.len(), 4, "{wild}");
        }
    }

    /// All ones, where nalgebra 0.35 has wrong vectors: values 5 and 0.
    #[test]
    fn matrices_of_low_rank_are_made_up_again() {
        for (m, n) in [(5, 5), (3, 7), (7, 3), (1, 4), (4, 1), (36, 36)] {
            let ones = DMatrix::from_element(m, n, 1.0);
            check(&ones);
            let svd = SingularValues::new(&ones).expect("finite");
            assert!((svd.largest() - ((m * n) as f64).sqrt()).abs() < 1e-13 && svd.rank(1e-10) == 1);
            let x = svd.solve(&DVector::from_element(m, 3.0), 1e-10);
            assert!(x.iter().all(|x| (x - 3.0 / n as f64).abs() < 1e-14));
        }
        check(&DMatrix::zeros(3, 2));
        check(&DMatrix::zeros(0, 2));
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

        #[test]
        fn products_of_random_factors_are_made_up_again(
            m in 1..14usize, n in 1..14usize, rank in 1..14usize, whole in any::<bool>(), power in -200..200i32, seed in any::<u64>(),
        ) {
            let mut state = seed | 1;
            let mut next = || {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let value = (state >> 33) as f64 / f64::from(1_u32 << 30) - 1.0;
                // Whole numbers make equal and vanishing singular values.
                if whole { value.round() } else { value }
            };
            let left = DMatrix::from_fn(m, rank, |_, _| next());
            let right = DMatrix::from_fn(rank, n, |_, _| next());
            check(&(left * right * 2.0_f64.powi(power)));
        }

        /// A matrix of known singular values 1 to 1e-12 (rotations of a diagonal one): each to round-off of the largest.
        #[test]
        fn known_values_are_found(angles in prop::collection::vec(-3.0..3.0f64, 12), spread in 0.0..3.0f64) {
            let values = DVector::from_fn(5, |k, _| 10.0_f64.powf(-spread * k as f64));
            let mut matrix = DMatrix::from_diagonal(&values);
            for (k, angle) in angles.iter().enumerate() {
                let (p, q) = (k % 4, k % 4 + 1);
                rotate(&mut matrix, [p, q], angle.cos(), angle.sin());
                matrix.transpose_mut();
            }
            let found = SingularValues::new(&matrix).expect("finite").values;
            prop_assert!((found - values).amax() < 1e-14);
        }
    }
}
