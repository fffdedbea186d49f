//! A flag that another thread raises to end a run, also in the middle of a step.
//!
//! A step of ten thousand bodies may take seconds, and the search for a step that passes many more. The equations look at the flag at each
//! evaluation and fail there; what was accepted before stays as it was.

use crate::dae::EvalError;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Shared by its clones. See the [module](self).
#[derive(Debug, Clone, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl From<Arc<AtomicBool>> for Interrupt {
    fn from(flag: Arc<AtomicBool>) -> Self {
        Self(flag)
    }
}

impl Interrupt {
    /// Fails if the flag is raised.
    pub(crate) fn check(&self, time: f64) -> Result<(), EvalError> {
        if !self.0.load(Ordering::Relaxed) {
            return Ok(());
        }
        Err(EvalError::Fatal { element: "the run".to_owned(), time, reason: "it was interrupted".to_owned() })
    }
}
