//! The backward error of a solution: how little the equations must change for it to be exact.

use nalgebra_sparse::pattern::SparsityPattern;

/// Work for r = b - A x and for |A| |x| + |b|.
#[derive(Debug, Clone)]
pub(super) struct BackwardError {
    /// b - A x of the last call.
    pub(super) residual: Vec<f64>,
    magnitude: Vec<f64>,
    /// sum_j |a_ij| c_j, for rows whose own unknowns are all negligible.
    row_norm: Vec<f64>,
    /// Natural sizes c_j of the unknowns beside each other: the column factors of the equilibration.
    size: Vec<f64>,
}

impl BackwardError {
    pub(super) fn new(size: Vec<f64>) -> Self {
        let n = size.len();
        Self { residual: vec![0.0; n], magnitude: vec![0.0; n], row_norm: vec![0.0; n], size }
    }

    /// max_i |r_i| / (|A| |x| + |b|)_i (Oettli and Prager, Numer. Math. 6 (1964) 405).
    ///
    /// A row whose denominator is itself round-off, because all its unknowns should be zero, says nothing by that ratio; there the
    /// denominator is (|A| c)_i max_j |x_j| / c_j (Arioli, Demmel, Duff, SIAM J. Matrix Anal. Appl. 10 (1989) 165), where
    /// c_j is the size of unknown j beside the others. It is larger, so it is asked for only where the first exceeds `enough`.
    pub(super) fn of(&mut self, pattern: &SparsityPattern, values: &[f64], b: &[f64], x: &[f64], enough: f64) -> f64 {
        self.residual.copy_from_slice(b);
        for (m, b) in self.magnitude.iter_mut().zip(b) {
            *m = b.abs();
        }
        for (j, &x) in x.iter().enumerate() {
            let entries = pattern.major_offsets()[j]..pattern.major_offsets()[j + 1];
            for (&i, &a) in pattern.minor_indices()[entries.clone()].iter().zip(&values[entries]) {
                let product = a * x;
                self.residual[i] -= product;
                self.magnitude[i] += product.abs();
            }
        }
        let plain = self.plain();
        if plain <= enough { plain } else { self.beside_sizes(pattern, values, x) }
    }

    /// The first of these ratios; NaN where one is. Numbers that underflow have lost their digits.
    fn plain(&self) -> f64 {
        self.residual.iter().zip(&self.magnitude).fold(0.0, |worst: f64, (r, m)| {
            let ratio = if r.abs() <= f64::MIN_POSITIVE { 0.0 } else { r.abs() / m };
            if ratio > worst || ratio.is_nan() { ratio } else { worst }
        })
    }

    /// The second where it is needed.
    fn beside_sizes(&mut self, pattern: &SparsityPattern, values: &[f64], x: &[f64]) -> f64 {
        self.row_norm.fill(0.0);
        let mut largest = 0.0;
        for (j, (&x, &size)) in x.iter().zip(&self.size).enumerate() {
            let entries = pattern.major_offsets()[j]..pattern.major_offsets()[j + 1];
            largest = f64::max(largest, x.abs() / size);
            for (&i, &a) in pattern.minor_indices()[entries.clone()].iter().zip(&values[entries]) {
                self.row_norm[i] += a.abs() * size;
            }
        }
        self.worst(largest)
    }

    fn worst(&self, largest: f64) -> f64 {
        let negligible = self.residual.len() as f64 * f64::EPSILON;
        let mut worst = 0.0;
        for ((r, &m), norm) in self.residual.iter().zip(&self.magnitude).zip(&self.row_norm) {
            let whole = norm * largest;
            let denominator = if m > negligible * whole { m } else { m + whole };
            // What is lost where numbers underflow is no matter of the matrix.
            let lost = f64::MIN_POSITIVE * (1.0 + norm);
            let ratio = if r.abs() <= lost { 0.0 } else { r.abs() / denominator };
            if ratio.is_nan() {
                return f64::NAN;
            }
            worst = f64::max(worst, ratio);
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
