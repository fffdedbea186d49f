//! Matrices that turn more than they stretch: their skew part outweighs the rest, so that flips of pairs are driven about.

use super::scaled::Scaled;
use crate::{dense::Cholesky, problem::Lcp};

/// Size of the skew part beside the mean of the diagonal from which on a matrix counts as one that turns.
const TURNS: f64 = 3.0;

/// What is added to the diagonal, of ones, of a symmetric part that counts as semidefinite.
const SEMIDEFINITE: f64 = 1e-9;
/// Share of two entries below which their sum is round-off of zero.
const ROUND_OFF: f64 = 4.0 * f64::EPSILON;

/// How much a matrix turns.
#[derive(Debug, Clone, Copy)]
pub(super) struct Whirl {
    /// Root mean square of the singular values of the skew part of M~.
    pub(super) size: f64,
    /// The same beside the mean of the diagonal: infinite for a diagonal of zeros.
    pub(super) share: f64,
}

impl Whirl {
    /// That of a matrix that turns, its diagonal not negative.
    pub(super) fn of(scaled: &Scaled) -> Option<Self> {
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
        let size = (0.5 * skew / n as f64).sqrt();
        let share = size * n as f64 / diagonal;
        (skew > even && share > TURNS).then_some(Self { size, share })
    }
}

/// Whether z^T M z is nowhere negative, to round-off: interior points need it.
pub(super) fn monotone(lcp: &Lcp, room: &mut Cholesky) -> bool {
    let (n, m) = (lcp.len(), lcp.m());
    if (0..n).any(|i| m[(i, i)] < 0.0) {
        return false;
    }
    room.factor(n, 0.0, |a| {
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
    fn skew_matrices_are_monotone_and_turn_without_bound() {
        let lcp = problem(&[0.0, 1.0, -2.0, -1.0, 0.0, 3.0, 2.0, -3.0, 0.0]);
        let mut scaled = Scaled::default();
        scaled.take(&lcp);
        assert!(Whirl::of(&scaled).is_some_and(|whirl| whirl.share.is_infinite() && whirl.size > 0.1));
        assert!(monotone(&lcp, &mut Cholesky::default()));
    }

    #[test]
    fn a_zero_on_the_diagonal_lets_nothing_but_skew_entries_be_monotone() {
        let room = &mut Cholesky::default();
        assert!(monotone(&problem(&[1.0, 1.0, -2.0, 1.0, 1.0, 3.0, 2.0, -3.0, 0.0]), room));
        assert!(!monotone(&problem(&[1.0, 1.0, -2.0, 1.0, 1.0, 3.0, 2.0, -2.9, 0.0]), room));
        assert!(!monotone(&problem(&[1.0, 1.1, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0]), room));
        assert!(!monotone(&problem(&[1.0, 0.0, 0.0, 0.0, -1e-3, 0.0, 0.0, 0.0, 1.0]), room));
    }
}
