//! Eigenvalues and eigenvectors of symmetric matrices: Jacobi's rotations (Jacobi 1846; Golub and Van Loan, *Matrix Computations*, 4th ed., section
//! 8.5), which always end; of large ones nalgebra's tridiagonal QR, where its result passes the test A V = V L.

use nalgebra::allocator::Allocator;
use nalgebra::{DMatrix, DefaultAllocator, Dim, Dyn, OMatrix, OVector, SymmetricEigen};

/// Sweeps over all pairs; ten are usual, and convergence is quadratic.
const SWEEPS: usize = 60;
/// Rows from which the QR iteration is tried first: rotations take some thirty times as long.
const LARGE: usize = 48;
/// What A V - V L and V^T V - I may be off by, in round-off of the largest entry times the number of rows.
const ALLOWED: f64 = 100.0;
/// Iterations of QR for each eigenvalue.
const ITERATIONS: usize = 60;

/// Eigenvalues in any order, and eigenvectors of length 1 as columns, of a matrix whose lower triangle is read. Entries that are not finite
/// give eigenvalues that are not.
#[must_use]
pub fn symmetric_eigen<D: Dim>(matrix: &OMatrix<f64, D, D>) -> SymmetricEigen<f64, D>
where
    DefaultAllocator: Allocator<D, D> + Allocator<D>,
{
    let (rows, columns) = matrix.shape_generic();
    let n = rows.value();
    let mut a = OMatrix::from_fn_generic(rows, columns, |i, j| matrix[(i.max(j), i.min(j))]);
    let mut v = OMatrix::identity_generic(rows, columns);
    let size = a.iter().fold(0.0_f64, |size, x| size.max(x.abs()));
    if size > 0.0 && size.is_finite() {
        // Of size 1, so that no square leaves the range.
        let unit = size.log2().floor().exp2();
        a /= unit;
        for _ in 0..SWEEPS {
            let mut rotated = false;
            for p in 0..n {
                for q in p + 1..n {
                    rotated |= turn(&mut a, &mut v, p, q);
                }
            }
            if !rotated {
                break;
            }
        }
        a *= unit;
    }
    let eigenvalues = OVector::from_fn_generic(rows, nalgebra::Const::<1>, |i, _| a[(i, i)]);
    SymmetricEigen { eigenvectors: v, eigenvalues }
}

/// The same of a matrix of any number of rows.
#[must_use]
pub fn large_symmetric_eigen(matrix: &DMatrix<f64>) -> SymmetricEigen<f64, Dyn> {
    let n = matrix.nrows();
    if n >= LARGE && matrix.iter().all(|x| x.is_finite()) {
        let whole = DMatrix::from_fn(n, n, |i, j| matrix[(i.max(j), i.min(j))]);
        let found = SymmetricEigen::try_new(whole.clone(), f64::EPSILON, ITERATIONS * n);
        if let Some(found) = found.filter(|found| holds(&whole, found)) {
            return found;
        }
    }
    symmetric_eigen(matrix)
}

fn holds(matrix: &DMatrix<f64>, found: &SymmetricEigen<f64, Dyn>) -> bool {
    let (v, n) = (&found.eigenvectors, matrix.nrows());
    let allowed = ALLOWED * f64::EPSILON * n as f64;
    let mut off = matrix * v;
    for (k, mut column) in off.column_iter_mut().enumerate() {
        column.axpy(-found.eigenvalues[k], &v.column(k), 1.0);
    }
    let along = v.tr_mul(v) - DMatrix::identity(n, n);
    off.amax() <= allowed * matrix.amax() && along.amax() <= allowed
}

/// Turns coordinates p and q so that entry (p, q) of A vanishes; whether it was more than round-off of its neighbours.
fn turn<D: Dim>(a: &mut OMatrix<f64, D, D>, v: &mut OMatrix<f64, D, D>, p: usize, q: usize) -> bool
where
    DefaultAllocator: Allocator<D, D>,
{
    let (entry, first, second) = (a[(p, q)], a[(p, p)], a[(q, q)]);
    // Beside entries of size 1 what is below this changes nothing, and neither does what is round-off of both diagonal entries.
    let round_off = f64::EPSILON * (first.abs().sqrt() * second.abs().sqrt()).max(f64::EPSILON * f64::EPSILON);
    if entry.abs() <= round_off || entry.abs() < f64::MIN_POSITIVE {
        return false;
    }
    let zeta = (second - first) / (2.0 * entry);
    let tangent = 1.0_f64.copysign(zeta) / (zeta.abs() + 1.0_f64.hypot(zeta));
    let c = 1.0 / 1.0_f64.hypot(tangent);
    let s = c * tangent;
    let n = a.nrows();
    for k in (0..n).filter(|k| *k != p && *k != q) {
        let (x, y) = (a[(k, p)], a[(k, q)]);
        let (x, y) = (c * x - s * y, s * x + c * y);
        (a[(k, p)], a[(p, k)], a[(k, q)], a[(q, k)]) = (x, x, y, y);
    }
    (a[(p, p)], a[(q, q)]) = (first - tangent * entry, second + tangent * entry);
    (a[(p, q)], a[(q, p)]) = (0.0, 0.0);
    for k in 0..n {
        let (x, y) = (v[(k, p)], v[(k, q)]);
        (v[(k, p)], v[(k, q)]) = (c * x - s * y, s * x + c * y);
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::{Matrix3, Vector3};
    use proptest::prelude::*;

    fn check(matrix: &DMatrix<f64>) {
        for found in [symmetric_eigen(matrix), large_symmetric_eigen(matrix)] {
            assert!(matrix.amax() == 0.0 || holds(matrix, &found), "{matrix}: {found:?}");
        }
    }

    #[test]
    fn equal_and_vanishing_values_are_found() {
        for n in [1, 2, 5, 36, 60] {
            check(&DMatrix::from_element(n, n, 1.0));
            check(&DMatrix::identity(n, n));
            check(&DMatrix::zeros(n, n));
            // A chain of springs: 2 - 2 cos(k pi / (n + 1)).
            let chain = DMatrix::from_fn(n, n, |i, j| match i.abs_diff(j) {
                0 => 2.0,
                1 => -1.0,
                _ => 0.0,
            });
            check(&chain);
            let mut values: Vec<f64> = large_symmetric_eigen(&chain).eigenvalues.iter().copied().collect();
            values.sort_by(f64::total_cmp);
            for (k, value) in values.iter().enumerate() {
                let exact = 2.0 - 2.0 * ((k + 1) as f64 * std::f64::consts::PI / (n + 1) as f64).cos();
                assert!((value - exact).abs() < 1e-14 * n as f64);
            }
        }
    }

    #[test]
    fn numbers_that_are_none_end() {
        let wild = Matrix3::from_element(f64::NAN);
        assert!(symmetric_eigen(&wild).eigenvalues.iter().all(|value| value.is_nan()));
        assert_eq!(symmetric_eigen(&Matrix3::from_diagonal_element(1e300)).eigenvalues, Vector3::from_element(1e300));
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

        #[test]
        fn squares_of_random_matrices_are_made_up_again(n in 1..12usize, rank in 1..12usize, seed in any::<u64>()) {
            let mut state = seed | 1;
            let factor = DMatrix::from_fn(n, rank, |_, _| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (state >> 33) as f64 / f64::from(1_u32 << 30) - 1.0
            });
            check(&(&factor * factor.transpose()));
        }
    }
}
