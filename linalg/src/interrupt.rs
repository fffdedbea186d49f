//! A flag that another thread raises to end a search that takes long.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Shared by its clones; the default is never raised. Pivots of a matrix of ten thousand bodies are chosen in seconds: whoever waits for them may
/// have enough of it ([`CalahanOptions::interrupt`](crate::CalahanOptions::interrupt)).
#[derive(Debug, Clone, Default)]
pub struct Interrupt(Option<Arc<AtomicBool>>);

impl Interrupt {
    /// One that nobody raises.
    #[must_use]
    pub const fn never() -> Self {
        Self(None)
    }

    /// Whether it was raised.
    #[must_use]
    pub fn is_raised(&self) -> bool {
        self.0.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed))
    }
}

impl From<Arc<AtomicBool>> for Interrupt {
    fn from(flag: Arc<AtomicBool>) -> Self {
        Self(Some(flag))
    }
}

/// The same flag.
impl PartialEq for Interrupt {
    fn eq(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Some(a), Some(b)) => Arc::ptr_eq(a, b),
            (None, None) => true,
            _ => false,
        }
    }
}
