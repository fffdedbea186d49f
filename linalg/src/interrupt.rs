//! A flag that another thread raises to end a computation that takes long.
//!
//! It is given to a computation, or to a thread: [`Interrupt::watch`] puts it over all that the thread computes from then on. A computation
//! that sees it raised ends with an error, and leaves what it works on as it was before its last step.

use std::cell::{Cell, RefCell};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Shared by its clones; the default is never raised. Pivots of a matrix of ten thousand bodies are chosen in seconds: whoever waits for them may
/// have enough of it ([`CalahanOptions::interrupt`](crate::CalahanOptions::interrupt)).
#[derive(Debug, Clone, Default)]
pub struct Interrupt(Option<Arc<AtomicBool>>);

thread_local! {
    /// What this thread watches.
    static WATCHED: RefCell<Interrupt> = const { RefCell::new(Interrupt::never()) };
    /// Whether a computation on this thread has seen it raised since [`Interrupt::take_notice`].
    static NOTICED: Cell<bool> = const { Cell::new(false) };
}

impl Interrupt {
    /// One that nobody raises.
    #[must_use]
    pub const fn never() -> Self {
        Self(None)
    }

    /// Whether it was raised, or that which this thread watches.
    #[must_use]
    pub fn is_raised(&self) -> bool {
        self.flag_is_raised() || Self::thread_is_interrupted()
    }

    fn flag_is_raised(&self) -> bool {
        self.0.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed))
    }

    /// From now on every computation of this thread ends soon after it is raised; returns what was watched before. Other threads that a
    /// computation begins do not watch it.
    pub fn watch(self) -> Self {
        // A thread that is ending computes nothing more.
        WATCHED.try_with(|watched| watched.replace(self)).unwrap_or_default()
    }

    /// Runs `call`, which looks at nothing that this thread watches: it changes much in several places, and is to be interrupted before or after.
    pub fn unwatched<T>(call: impl FnOnce() -> T) -> T {
        struct Again(Interrupt);
        impl Drop for Again {
            fn drop(&mut self) {
                std::mem::take(&mut self.0).watch();
            }
        }
        let _again = Again(Self::never().watch());
        call()
    }

    /// What this thread watches.
    #[must_use]
    pub fn watched() -> Self {
        WATCHED.try_with(|watched| watched.borrow().clone()).unwrap_or_default()
    }

    /// The flag itself, if there is one.
    #[must_use]
    pub fn flag(&self) -> Option<&Arc<AtomicBool>> {
        self.0.as_ref()
    }

    /// Whether what this thread watches was raised: for computations that are given no interrupt of their own.
    #[must_use]
    pub fn thread_is_interrupted() -> bool {
        let raised = WATCHED.try_with(|watched| watched.borrow().flag_is_raised()).unwrap_or_default();
        if raised {
            let _ = NOTICED.try_with(|noticed| noticed.set(true));
        }
        raised
    }

    /// Whether a computation of this thread has seen it raised since this was last asked: what tells an error that it led to from others.
    #[must_use]
    pub fn take_notice() -> bool {
        NOTICED.try_with(Cell::take).unwrap_or_default()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_sees_what_it_watches() {
        let flag = Arc::new(AtomicBool::new(true));
        let own = Interrupt::from(Arc::clone(&flag));
        assert!(own.is_raised() && !Interrupt::take_notice(), "one that was given is not that of the thread");
        assert_eq!(own.clone().watch(), Interrupt::never());
        assert!(Interrupt::never().is_raised() && Interrupt::take_notice() && !Interrupt::take_notice());
        assert!(!std::thread::spawn(|| Interrupt::never().is_raised()).join().unwrap());
        flag.store(false, Ordering::Relaxed);
        assert!(!Interrupt::thread_is_interrupted() && Interrupt::watched() == own);
        flag.store(true, Ordering::Relaxed);
        assert!(!Interrupt::unwatched(|| Interrupt::never().is_raised()) && Interrupt::never().is_raised());
        assert_eq!(Interrupt::never().watch(), own);
    }
}
