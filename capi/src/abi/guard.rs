//! Every entry runs in here: what fails becomes a status and a text, and nothing unwinds into the host.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::error::{Failure, remember};
use super::status::fourbar_status;

/// What the host reads after a panic; the panic hook has told the rest.
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
    catch_unwind(AssertUnwindSafe(call)).unwrap_or_else(|payload| Err(panicked(payload)))
}

#[cold]
fn panicked(payload: Box<dyn Any + Send>) -> Failure {
    // A payload may panic in its destructor, and that panic have such a payload again: the second one is left where it is.
    if let Err(second) = catch_unwind(AssertUnwindSafe(|| drop(payload))) {
        std::mem::forget(second);
    }
    Failure::new(fourbar_status::FOURBAR_PANIC, PANIC_TEXT)
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
        assert_eq!(text.to_str().unwrap(), PANIC_TEXT);
        assert_eq!(guard(|| Ok(())), fourbar_status::FOURBAR_OK);
    }
}
