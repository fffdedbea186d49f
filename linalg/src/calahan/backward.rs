//! The backward error of a solution: how little the equations must change for it to be exact.

use nalgebra_sparse::pattern::SparsityPattern;

/// Work for r = b - A x and for |A| |x| + |b|.
#[derive(Debug, Clone)]
pub(super) struct BackwardError {
    /// b - A x of the last call.
    pub(super) residual: Vec<f64>,
    /// Of each row r, |A| |x| + |b|, and sum_j |a_ij| c_j, for rows whose own unknowns are all negligible: side by side, since every entry adds
    /// to each.
    sums: Vec<[f64; 3]>,
    /// Natural sizes c_j of the unknowns beside each other: the column factors of the equilibration.
    size: Vec<f64>,
}

impl BackwardError {
    pub(super) fn new(size: Vec<f64>) -> Self {
        let n = size.len();
        Self { residual: vec![0.0; n], sums: vec![[0.0; 3]; n], size }
    }

    /// max_i |r_i| / (|A| |x| + |b|)_i (Oettli and Prager, Numer. Math. 6 (1964) 405).
    ///
    /// A row whose denominator is itself round-off, because all its unknowns should be zero, says nothing by that ratio; there the
    /// denominator is (|A| c)_i max_j |x_j| / c_j (Arioli, Demmel, Duff, SIAM J. Matrix Anal. Appl. 10 (1989) 165), where
    /// c_j is the size of unknown j beside the others.
    pub(super) fn of(&mut self, pattern: &SparsityPattern, values: &[f64], b: &[f64], x: &[f64]) -> f64 {
        for (sums, b) in self.sums.iter_mut().zip(b) {
            *sums = [*b, b.abs(), 0.0];
        }
        let mut largest = 0.0;
        for (j, (&x, &size)) in x.iter().zip(&self.size).enumerate() {
            let entries = pattern.major_offsets()[j]..pattern.major_offsets()[j + 1];
            largest = f64::max(largest, x.abs() / size);
            for (&i, &a) in pattern.minor_indices()[entries.clone()].iter().zip(&values[entries]) {
                let (product, sums) = (a * x, &mut self.sums[i]);
                sums[0] -= product;
                sums[1] += product.abs();
                sums[2] += a.abs() * size;
            }
        }
        self.worst(largest)
    }

    fn worst(&mut self, largest: f64) -> f64 {
        let negligible = self.residual.len() as f64 * f64::EPSILON;
        let mut worst = 0.0;
        for (residual, &[r, m, norm]) in self.residual.iter_mut().zip(&self.sums) {
            *residual = r;
            let whole = norm * largest;
            let denominator = if m > negligible * whole { m } else { m + whole };
            // What is lost where numbers underflow is no matter of the matrix.
            let lost = f64::MIN_POSITIVE * (1.0 + norm);
            let ratio = if r.abs() <= lost { 0.0 } else { r.abs() / denominator };
            // One that is not a number stays.
            worst = if ratio > worst || ratio.is_nan() { ratio } else { worst };
        }
        worst
    }
}

#[cfg(test)]
mod tests {
    use crate::{Calahan, CalahanOptions};
    use nalgebra_sparse::pattern::SparsityPattern;

    #[test]
    fn right_sides_that_underflow_are_no_fault_of_the_matrix() {
        let pattern = SparsityPattern::try_from_offsets_and_indices(1, 1, vec![0, 1], vec![0]).unwrap();
        let mut factors = Calahan::new(&pattern, &[1e7], &CalahanOptions::default()).unwrap();
        for b in [1e-312, 1e-318, 5e-324] {
            let mut x = [0.0];
            let solved = factors.solve_checked(&[1e7], &[b], &mut x).unwrap();
            assert!(solved.backward_error < 1e-6, "{b:e}");
        }
    }
}
