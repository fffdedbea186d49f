//! The local error of a step, estimated from the samples at hand: the leading term, valid at any stiffness.

use nalgebra::DMatrix;

use super::recurrence::Recurrence;
use crate::{Discretization, Error};

/// E = W sum_i weights_i u_i over the nodes of the step and the sample that left the delay line last: the sum is the divided
/// difference T^N/N! u^(N).
#[derive(Debug, Clone)]
pub(crate) struct Estimate {
    /// W, n x m.
    matrix: DMatrix<f64>,
    weights: Vec<f64>,
}

impl Estimate {
    /// None for the classical methods.
    pub(crate) fn new(discretization: &Discretization, recurrence: &Recurrence) -> Result<Option<Self>, Error> {
        let Some(matrix) = discretization.error_matrix() else {
            return Ok(None);
        };
        let extra = recurrence.nodes[recurrence.leaving] - 1.0;
        Ok(Some(Self { matrix: matrix.clone(), weights: discretization.difference_weights(extra)? }))
    }

    /// E of the step that `samples` belong to, m values of each node and of the one that left.
    pub(crate) fn evaluate(&self, samples: &[f64], error: &mut [f64]) {
        error.fill(0.0);
        for (j, column) in self.matrix.column_iter().enumerate() {
            let samples = samples.iter().skip(j).step_by(self.matrix.ncols());
            let difference: f64 = samples.zip(&self.weights).map(|(u, weight)| u * weight).sum();
            for (error, w) in error.iter_mut().zip(&column) {
                *error += w * difference;
            }
        }
    }
}
