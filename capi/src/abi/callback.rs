//! Functions of the host: how they say that they failed, and how their errors travel.
//!
//! A function of the host returns 0 when all is well, a positive number where the point it was given lies outside its domain (a shorter
//! step may avoid it), a negative one when the run must stop. Before it returns another number than 0 it may say why.

use std::cell::RefCell;
use std::ffi::{c_char, c_void};

use super::view;

thread_local! {
    static REASON: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Called by a function of the host before it returns a number other than 0: why. The text, UTF-8 with a NUL at its end, becomes part of the
/// error that the outer call returns; it is copied. NULL is allowed: no reason. A function that returns 0
/// after all gave none.
///
/// # Safety
/// `reason` is NULL or ends with a NUL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_callback_error(reason: *const c_char) {
    // SAFETY: by contract.
    let text = unsafe { view::text(reason, "reason") }.unwrap_or("no readable reason was given");
    let text = if reason.is_null() { "" } else { text };
    // A thread that is ending has no place for it.
    let _ = REASON.try_with(|own| text.clone_into(&mut own.borrow_mut()));
}

/// The reason given on this thread since the last call, which it forgets; without one, the number returned.
pub(crate) fn reason(returned: i32) -> String {
    #[cfg(debug_assertions)]
    super::provoke::panic_if_armed();
    let given = REASON.try_with(|own| std::mem::take(&mut *own.borrow_mut())).unwrap_or_default();
    if given.is_empty() { format!("it returned {returned}") } else { given }
}

/// Drops a reason that was given before a function returned 0: it belongs to no failure.
#[inline]
pub(crate) fn forget() {
    let _ = REASON.try_with(|own| own.borrow_mut().clear());
}

/// The host's own pointer, passed back to its functions.
#[derive(Debug, Clone, Copy)]
pub(crate) struct User(pub(crate) *mut c_void);

// SAFETY: never dereferenced here; which threads its functions may be called from is part of each handle's documentation.
unsafe impl Send for User {}
// SAFETY: as above.
unsafe impl Sync for User {}
