//! Every entry runs in here: what fails becomes a status and a text, and nothing unwinds into the host.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::error::{Failure, remember};
use super::interrupt;
use super::panic::{self, Inside};
use super::status::fourbar_status;
use crate::log;

/// What the host reads after a panic, followed by what the panic said; the log gets that too.
pub(crate) const PANIC_TEXT: &str =
    "an error inside fourbar: please report it with the call that led to it; the handle can only be freed";

/// Runs `call`, which uses no handle that could be left half changed.
pub(crate) fn guard(call: impl FnOnce() -> Result<(), Failure>) -> fourbar_status {
    match run(call) {
        Ok(()) => fourbar_status::FOURBAR_OK,
        Err(failure) => fail(&failure),
    }
}

/// A panic is a failure too.
#[inline]
pub(crate) fn run(call: impl FnOnce() -> Result<(), Failure>) -> Result<(), Failure> {
    // What `call` leaves half changed after a panic is poisoned by whoever lent it.
    let call = || {
        #[cfg(debug_assertions)]
        super::provoke::panic_if_armed();
        call()
    };
    let _inside = Inside::enter();
    catch_unwind(AssertUnwindSafe(call)).unwrap_or_else(|payload| Err(panicked(payload))).map_err(interrupt::named)
}

#[cold]
fn panicked(payload: Box<dyn Any + Send>) -> Failure {
    let words = panic::words().unwrap_or_else(|| "nothing is known of it".into());
    // A payload may panic in its destructor, and that panic have such a payload again: the second one is left where it is.
    if let Err(second) = catch_unwind(AssertUnwindSafe(|| drop(payload))) {
        std::mem::forget(second);
        let _ = panic::words();
    }
    log::warn(|| format!("an error inside fourbar: {words}"));
    Failure::new(fourbar_status::FOURBAR_PANIC, format!("{PANIC_TEXT}; it says: {words}"))
}

/// The text onto the thread, the status to the host.
#[cold]
pub(crate) fn fail(failure: &Failure) -> fourbar_status {
    remember(failure.text());
    failure.status()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::abi::error::fourbar_last_error;

    #[test]
    fn a_panic_becomes_a_status_with_a_text() {
        let status = guard(|| panic!("provoked by a test"));
        assert_eq!(status, fourbar_status::FOURBAR_PANIC);
        // SAFETY: a NUL-terminated text that lives as long as this thread.
        let text = unsafe { std::ffi::CStr::from_ptr(fourbar_last_error()) };
        let text = text.to_str().unwrap();
        assert!(text.starts_with(PANIC_TEXT) && text.contains("provoked by a test (capi/src/abi/guard.rs:"), "{text}");
        assert_eq!(guard(|| Ok(())), fourbar_status::FOURBAR_OK);
    }
}
