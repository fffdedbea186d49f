//! Scales of the pairs of a problem: with z~ = z / s and w~ = s w the matrix S M S has a diagonal of ones.
//!
//! Contacts of a tower between grams and tonnes, or rows in metres beside rows in radians, weigh the same after it.

use crate::problem::Lcp;

/// How far above sqrt(M_ii M_jj) an entry (i, j) may stand before the diagonal under it counts as round-off.
const SPURIOUS: f64 = 1e6;

/// Fills `s` with s_i = 1/sqrt(|M_ii|). Where the diagonal is zero (games, multipliers of friction) or round-off beside its row and
/// column, the largest entry of both takes its place; a pair without any entry keeps s_i = 1.
pub(crate) fn scales(lcp: &Lcp, s: &mut Vec<f64>) {
    let n = lcp.len();
    s.clear();
    s.resize(n, 0.0);
    for j in 0..n {
        for (i, entry) in lcp.column(j).iter().enumerate() {
            s[i] = s[i].max(entry.abs());
            s[j] = s[j].max(entry.abs());
        }
    }
    for i in 0..n {
        let diagonal = lcp.column(i)[i].abs();
        if diagonal > 0.0 && (diagonal * SPURIOUS > s[i] || genuine(lcp, i, diagonal)) {
            s[i] = diagonal;
        }
    }
    for si in s {
        *si = if *si > 0.0 { 1.0 / si.sqrt() } else { 1.0 };
    }
}

/// Whether every entry beside a small diagonal keeps to |M_ij|^2 <= `SPURIOUS`^2 M_ii M_jj, as those of semidefinite matrices do
/// with 1 in place of `SPURIOUS`^2.
fn genuine(lcp: &Lcp, i: usize, diagonal: f64) -> bool {
    (0..lcp.len()).all(|j| {
        let entry = lcp.column(j)[i].abs().max(lcp.column(i)[j].abs());
        entry * entry <= SPURIOUS * SPURIOUS * diagonal * lcp.column(j)[j].abs()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::{DMatrix, DVector};

    fn of(n: usize, m: &[f64]) -> Vec<f64> {
        let mut s = Vec::new();
        scales(&Lcp::new(DMatrix::from_row_slice(n, n, m), DVector::zeros(n)).unwrap(), &mut s);
        s
    }

    #[test]
    fn diagonals_become_one() {
        assert_eq!(of(2, &[4.0, 1.0, -3.0, 1e-6]), [0.5, 1e3]);
        assert_eq!(of(2, &[4e-20, 1e-6, 1e-6, 1e10]), [5e9, 1e-5]);
    }

    #[test]
    fn round_off_and_zeros_on_the_diagonal_do_not_scale() {
        assert_eq!(of(2, &[1e-30, 4.0, 4.0, 1.0]), [0.5, 1.0]);
        assert_eq!(of(3, &[0.0, 9.0, 0.0, 4.0, 0.0, 0.0, 0.0, 0.0, 0.0]), [1.0 / 3.0, 1.0 / 3.0, 1.0]);
    }
}
