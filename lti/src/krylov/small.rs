//! Exponentials of the small projected matrices, with storage for every size made once.

use fourbar_linalg::phi::PhiFunctions;
use nalgebra::DMatrix;

/// Sizes go by this step; smaller matrices are bordered with zeros, which their exponential does not notice.
const STEP: usize = 4;

/// Work for e^{factor M} of matrices up to a largest size.
#[derive(Debug, Clone)]
pub(super) struct SmallExponential {
    entries: Vec<(DMatrix<f64>, PhiFunctions<f64>)>,
}

impl SmallExponential {
    pub(super) fn new(largest: usize) -> Self {
        let sizes = (1..=largest.div_ceil(STEP)).map(|k| STEP * k);
        Self { entries: sizes.map(|n| (DMatrix::zeros(n, n), PhiFunctions::new(n, 1))).collect() }
    }

    /// The first columns of e^{factor M} and phi_1(factor M) for the `size` x `size` matrix of the given entries; none when they overflow.
    pub(super) fn first_columns(
        &mut self,
        size: usize,
        factor: f64,
        entry: impl Fn(usize, usize) -> f64,
    ) -> Option<[&[f64]; 2]> {
        let (matrix, phi) = self.entries.get_mut(size.div_ceil(STEP).checked_sub(1)?)?;
        let n = matrix.nrows();
        for j in 0..n {
            for i in 0..n {
                matrix[(i, j)] = if i < size && j < size { entry(i, j) } else { 0.0 };
            }
        }
        phi.compute(matrix, factor).ok()?;
        Some([0, 1].map(|k| &phi.phi(k).as_slice()[..size]))
    }
}
