//! Why equations could not be evaluated.

use fourbar_linalg::text::Brief;

/// Why an evaluation could not be done.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum EvalError {
    /// The point lies outside the domain (a square root of a negative number, a NaN); a smaller step may avoid it.
    #[error("{element} cannot be evaluated at t = {time}: {reason}", time = Brief(*.time))]
    Recoverable {
        /// The element or equation concerned.
        element: String,
        /// Time of the evaluation \[s\].
        time: f64,
        /// What was wrong.
        reason: String,
    },
    /// The run must stop.
    #[error("{element} failed at t = {time}: {reason}", time = Brief(*.time))]
    Fatal {
        /// The element or equation concerned.
        element: String,
        /// Time of the evaluation \[s\].
        time: f64,
        /// What was wrong.
        reason: String,
    },
}
