//! The backward error of a solution: how little the equations must change for it to be exact.

use crate::SparsityPattern;

/// Work for r = b - A x and for |A| |x| + |b|.
#[derive(Debug, Clone)]
pub(super) struct BackwardError {
    /// b - A x of the last call.
    pub(super) residual: Vec<f64>,
    magnitude: Vec<f64>,
    /// sum_j |a_ij| c_j with the sizes c_j of the unknowns, for rows whose own unknowns are all negligible.
    row_norm: Vec<f64>,
}

impl BackwardError {
    pub(super) fn new(n: usize) -> Self {
        Self { residual: vec![0.0; n], magnitude: vec![0.0; n], row_norm: vec![0.0; n] }
    }

    /// max_i |r_i| / (|A| |x| + |b|)_i (Oettli and Prager, Numer. Math. 6 (1964) 405).
    ///
    /// A row whose denominator is itself round-off, because all its unknowns should be zero, says nothing by that ratio; there the
    /// denominator is (|A| c)_i max_j |x_j| / c_j (Arioli, Demmel, Duff, SIAM J. Matrix Anal. Appl. 10 (1989) 165), where
    /// c_j = 1 / max_i |a_ij| is the natural size of unknown j beside the others.
    pub(super) fn of(&mut self, pattern: &SparsityPattern, values: &[f64], b: &[f64], x: &[f64]) -> f64 {
        self.residual.copy_from_slice(b);
        self.row_norm.fill(0.0);
        for (m, b) in self.magnitude.iter_mut().zip(b) {
            *m = b.abs();
        }
        let mut size = 0.0;
        for j in 0..x.len() {
            let entries = pattern.major_offsets()[j]..pattern.major_offsets()[j + 1];
            let column = &values[entries.clone()];
            let largest = column.iter().fold(0.0, |max: f64, a| max.max(a.abs()));
            let scale = 1.0 / largest;
            size = f64::max(size, x[j].abs() * largest);
            for (&i, &a) in pattern.minor_indices()[entries].iter().zip(column) {
                let product = a * x[j];
                self.residual[i] -= product;
                self.magnitude[i] += product.abs();
                self.row_norm[i] += a.abs() * scale;
            }
        }
        self.worst(size)
    }

    fn worst(&self, size: f64) -> f64 {
        let negligible = 1e3 * self.residual.len() as f64 * f64::EPSILON;
        let mut worst = 0.0;
        for ((r, &m), norm) in self.residual.iter().zip(&self.magnitude).zip(&self.row_norm) {
            let whole = norm * size;
            let denominator = if m > negligible * whole { m } else { m + whole };
            let ratio = if *r == 0.0 { 0.0 } else { r.abs() / denominator };
            if ratio.is_nan() {
                return f64::NAN;
            }
            worst = f64::max(worst, ratio);
        }
        worst
    }
}
