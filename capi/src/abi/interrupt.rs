//! What ends calls that take long: a flag that threads watch, and another thread or a signal handler raises.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use fourbar::linalg::Interrupt;

use super::error::Failure;
use super::status::fourbar_status;
use super::{guard, handle};

/// What ends calls that take long. A thread watches it (`fourbar_interrupt_watch`); once another one has raised it, the call that is under way on
/// the thread ends with FOURBAR_INTERRUPTED, soon, and so does each that takes long until it is lowered. Any number of threads may watch and
/// raise it.
#[allow(non_camel_case_types)]
pub struct fourbar_interrupt {
    flag: Arc<AtomicBool>,
}

/// An interrupt, not raised.
///
/// Errors: `FOURBAR_NULL`.
///
/// # Safety
/// `out` is NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_interrupt_new(out: *mut *mut fourbar_interrupt) -> fourbar_status {
    // SAFETY: by contract.
    unsafe { handle::give(out, "out", || Ok(fourbar_interrupt { flag: Arc::default() })) }
}

/// From now on calls of this thread end once `interrupt` is raised; NULL: no call is interrupted any more. Each thread says for itself what it
/// watches. Partners of a coupling that are on threads of their own do not watch it.
///
/// An interrupted call leaves its handle as a failed one does: at the end of the last step that was made, to be read and used on once the
/// interrupt is lowered. A call that makes an object makes none. What ends where is in docs/c-abi.md.
///
/// Errors: none.
///
/// # Safety
/// `interrupt` is NULL or alive; it may be freed while it is watched.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_interrupt_watch(interrupt: *const fourbar_interrupt) -> fourbar_status {
    // SAFETY: by contract.
    guard::guard(|| unsafe {
        let watched = interrupt.as_ref().map_or(Interrupt::never(), |own| Arc::clone(&own.flag).into());
        watched.watch();
        let _ = Interrupt::take_notice();
        Ok(())
    })
}

/// Ends what is under way on threads that watch it. May be called from any thread, at any time, and from a signal handler: it stores a number
/// and does nothing else.
///
/// Errors: `FOURBAR_NULL`.
///
/// # Safety
/// `interrupt` is NULL or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_interrupt_raise(interrupt: *const fourbar_interrupt) -> fourbar_status {
    // SAFETY: by contract.
    unsafe { store(interrupt, true) }
}

/// Lets calls run again.
///
/// Errors: `FOURBAR_NULL`.
///
/// # Safety
/// `interrupt` is NULL or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_interrupt_lower(interrupt: *const fourbar_interrupt) -> fourbar_status {
    // SAFETY: by contract.
    unsafe { store(interrupt, false) }
}

/// Without the guard, which allocates on its way: a signal handler may be at work. Nothing here can panic.
///
/// # Safety
/// `interrupt` is NULL or alive.
unsafe fn store(interrupt: *const fourbar_interrupt, raised: bool) -> fourbar_status {
    // SAFETY: by contract.
    match unsafe { interrupt.as_ref() } {
        Some(own) => {
            own.flag.store(raised, Ordering::Relaxed);
            fourbar_status::FOURBAR_OK
        }
        None => handle::null("interrupt"),
    }
}

/// Frees an interrupt; threads that watch it are not interrupted by it any more. NULL is allowed.
///
/// # Safety
/// `interrupt` is NULL or alive, and not used afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_interrupt_free(interrupt: *mut fourbar_interrupt) {
    // SAFETY: by contract.
    unsafe {
        if let Some(own) = interrupt.as_ref() {
            own.flag.store(false, Ordering::Relaxed);
        }
        handle::free(interrupt);
    }
}

/// Between two steps of a call that is not interrupted within one.
pub(crate) fn go_on() -> Result<(), Failure> {
    if Interrupt::thread_is_interrupted() { Err(interrupted("it ended between two steps")) } else { Ok(()) }
}

/// The failure of a call that was interrupted.
#[cold]
pub(crate) fn interrupted(text: &str) -> Failure {
    // It has its name.
    let _ = Interrupt::take_notice();
    Failure::new(fourbar_status::FOURBAR_INTERRUPTED, format!("the call was interrupted: {text}"))
}

/// A failure under its right name: a computation that saw what the thread watches says in its own words why it ended.
#[cold]
pub(super) fn named(failure: Failure) -> Failure {
    use fourbar_status as S;
    let led_to = matches!(
        failure.status(),
        S::FOURBAR_INVALID | S::FOURBAR_NUMERICAL | S::FOURBAR_CALLBACK | S::FOURBAR_OVERFLOW | S::FOURBAR_STATE
    );
    if Interrupt::take_notice() && led_to { interrupted(failure.text()) } else { failure }
}
