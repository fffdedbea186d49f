//! A flag that another thread raises to end a run, also in the middle of a step.
//!
//! A step of ten thousand bodies may take seconds, and the search for a step that passes many more. The equations look at the flag at each
//! evaluation and fail there, and so does the choice of pivots at each pivot; what was accepted before stays as it was.

use crate::dae::EvalError;

pub use fourbar_linalg::Interrupt;

/// Fails if the flag is raised, or that which this thread watches.
///
/// # Errors
/// [`EvalError::Fatal`].
pub fn check(interrupt: &Interrupt, time: f64) -> Result<(), EvalError> {
    if !interrupt.is_raised() {
        return Ok(());
    }
    Err(EvalError::Fatal { element: "the run".to_owned(), time, reason: "it was interrupted".to_owned() })
}
