//! Why an attempt failed.

use crate::dae::EvalError;

/// Why an attempt failed.
#[derive(Debug)]
pub(super) enum Failure {
    /// Its error, in tolerances.
    Error(f64),
    /// The equations could not be evaluated.
    Evaluation(EvalError),
    /// Derivative of this unknown is not a number.
    NotFinite(usize),
    /// This unknown left the range of f64 in a stage.
    Overflow(usize),
}
