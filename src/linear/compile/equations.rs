//! The equations of a linear system in numbers.

use fourbar_linalg::CscMatrix;
use fourbar_lti::StateSpace;

/// The equations of a linear system, by the way they are stored.
#[derive(Debug, Clone)]
pub enum Equations {
    /// Matrices without structure.
    Dense(StateSpace),
    /// Matrices with few entries.
    Sparse(SparseSystem),
}

/// dx/dt = A x + B u with sparse matrices, and values of x interpolated between two states.
#[derive(Debug, Clone)]
pub struct SparseSystem {
    /// A, n x n \[1/s\].
    pub a: CscMatrix<f64>,
    /// B, n x m.
    pub b: CscMatrix<f64>,
    /// Outputs, each a sum of two states with weights.
    pub probes: Vec<[(usize, f64); 2]>,
}
