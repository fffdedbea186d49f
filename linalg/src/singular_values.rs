//! Singular value decompositions that end, whatever the numbers.

use nalgebra::{DMatrix, Dyn, SVD};

/// Sweeps allowed for each singular value, as in LAPACK's xBDSQR; regular matrices take about two.
const SWEEPS: usize = 30;

/// The singular value decomposition of a matrix, with the left and the right singular vectors if asked for. `None` where the iteration does not
/// converge, as on numbers that overflow or are none: nalgebra's `svd` would go on for ever.
#[must_use]
pub fn singular_values(matrix: DMatrix<f64>, left: bool, right: bool) -> Option<SVD<f64, Dyn, Dyn>> {
    let sweeps = SWEEPS * matrix.nrows().max(matrix.ncols()).max(1);
    matrix.try_svd(left, right, 5.0 * f64::EPSILON, sweeps)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wild_numbers_end() {
        for wild in [f64::NAN, f64::INFINITY, 1e200, f64::MAX] {
            let matrix = DMatrix::from_fn(4, 4, |i, j| if i == j { wild } else { 1.0 + (i + 2 * j) as f64 });
            if let Some(svd) = singular_values(matrix, true, true) {
                assert_eq!(svd.singular_values.len(), 4, "{wild}");
            }
        }
        assert!(singular_values(DMatrix::from_element(3, 3, f64::NAN), true, true).is_none());
    }

    #[test]
    fn tame_numbers_are_decomposed() {
        let matrix = DMatrix::from_row_slice(2, 2, &[3.0, 0.0, 4.0, 5.0]);
        let svd = singular_values(matrix, false, false).expect("two by two");
        assert!((svd.singular_values.max() - 45.0_f64.sqrt()).abs() < 1e-14);
        assert!((svd.singular_values.min() - 5.0_f64.sqrt()).abs() < 1e-14);
    }
}
