//! Exponentials of the small projected matrices, with storage for every size made once.

use fourbar_linalg::phi::PhiFunctions;
use nalgebra::DMatrix;

/// Sizes go by this step; smaller matrices are bordered with zeros, which their exponential does not notice.
const STEP: usize = 4;

/// The norm of the perturbation that stands for round-off of the projection and of the small exponential, relative to the matrix.
const ROUND_OFF: f64 = 4.0 * f64::EPSILON;

/// An entry of a perturbation of norm about `size` times [`ROUND_OFF`]: fixed, signs without order.
pub(super) fn perturbation(size: f64, dimension: usize, i: usize, j: usize) -> f64 {
    let mixed =
        (i as u64 * 0x9e37_79b9 + 1).wrapping_mul(j as u64 * 0x85eb_ca6b + 1).wrapping_mul(0x2545_f491_4f6c_dd1d);
    let sign = if mixed >> 63 == 0 { 1.0 } else { -1.0 };
    sign * ROUND_OFF * size / (dimension.max(1) as f64).sqrt()
}

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
