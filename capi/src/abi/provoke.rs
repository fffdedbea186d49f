//! A panic on demand, so that programs in C can meet a real one. Only in builds with debug assertions: it is not in the header, and no
//! release exports it.

use std::cell::Cell;

thread_local! {
    static ARMED: Cell<bool> = const { Cell::new(false) };
}

/// The next call on this thread panics inside; from a function of the host, the call that called it, once the function says that it failed.
#[unsafe(no_mangle)]
pub extern "C" fn fourbar_provoke_panic() {
    ARMED.set(true);
}

pub(super) fn panic_if_armed() {
    assert!(!ARMED.take(), "provoked by a test");
}
