//! Skew-dominant matrices: their skew part outweighs the rest, so that principal pivots cycle through many active sets.

use super::scaled::Scaled;
use crate::{dense::Cholesky, problem::Lcp};

/// Skew ratio from which on a matrix counts as skew-dominant.
const DOMINANT: f64 = 3.0;

/// What is added to the diagonal, of ones, of a symmetric part that counts as semidefinite.
const SEMIDEFINITE: f64 = 1e-9;
/// Share of two entries below which their sum is round-off of zero.
const ROUND_OFF: f64 = 4.0 * f64::EPSILON;

/// Skew ratio of a skew-dominant matrix whose diagonal is not negative: the root mean square of the singular values of the skew part of M~ over the
/// mean of the diagonal. Infinite for a diagonal of zeros.
pub(super) fn skew_ratio(scaled: &Scaled) -> Option<f64> {
    let n = scaled.len();
    let (mut skew, mut even, mut diagonal) = (0.0, 0.0, 0.0);
    for j in 0..n {
        let column = scaled.column(j);
        if column[j] < 0.0 {
            return None;
        }
        diagonal += column[j];
        for i in 0..j {
            let (upper, lower) = (column[i], scaled.column(i)[j]);
            skew += (upper - lower) * (upper - lower);
            even += (upper + lower) * (upper + lower);
        }
    }
    let ratio = (0.5 * skew / n as f64).sqrt() * n as f64 / diagonal;
    (skew > even && ratio > DOMINANT).then_some(ratio)
}

/// Whether z^T M z is nowhere negative, to round-off: interior points need it.
pub(super) fn monotone(lcp: &Lcp, factors: &mut Cholesky) -> bool {
    let (n, m) = (lcp.len(), lcp.m());
    if (0..n).any(|i| m[(i, i)] < 0.0) {
        return false;
    }
    factors.factor(n, 0.0, |a| {
        for (j, column) in a.chunks_exact_mut(n).enumerate() {
            for i in j + 1..n {
                let (lower, upper) = (m[(i, j)], m[(j, i)]);
                let even = 0.5 * (lower + upper);
                // Beside a zero on the diagonal nothing but zeros is semidefinite: the quotient is infinite, and no pivot is found.
                if even.abs() > ROUND_OFF * (lower.abs() + upper.abs()) {
                    column[i] = even / (m[(i, i)] * m[(j, j)]).sqrt();
                }
            }
            column[j] = 1.0 + SEMIDEFINITE;
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::{DMatrix, DVector};

    fn problem(m: &[f64]) -> Lcp {
        Lcp::new(DMatrix::from_row_slice(3, 3, m), DVector::from_element(3, -1.0)).unwrap()
    }

    #[test]
    fn skew_matrices_are_monotone_and_dominant_without_bound() {
        let lcp = problem(&[0.0, 1.0, -2.0, -1.0, 0.0, 3.0, 2.0, -3.0, 0.0]);
        let mut scaled = Scaled::default();
        scaled.take(&lcp);
        assert!(skew_ratio(&scaled).is_some_and(f64::is_infinite));
        assert!(monotone(&lcp, &mut Cholesky::default()));
    }

    #[test]
    fn a_zero_on_the_diagonal_lets_nothing_but_skew_entries_be_monotone() {
        let factors = &mut Cholesky::default();
        assert!(monotone(&problem(&[1.0, 1.0, -2.0, 1.0, 1.0, 3.0, 2.0, -3.0, 0.0]), factors));
        assert!(!monotone(&problem(&[1.0, 1.0, -2.0, 1.0, 1.0, 3.0, 2.0, -2.9, 0.0]), factors));
        assert!(!monotone(&problem(&[1.0, 1.1, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0]), factors));
        assert!(!monotone(&problem(&[1.0, 0.0, 0.0, 0.0, -1e-3, 0.0, 0.0, 0.0, 1.0]), factors));
    }
}
