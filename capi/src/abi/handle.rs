//! Objects behind opaque pointers: exclusive ones, which notice a second user, and shared ones, which are only read.

use std::cell::UnsafeCell;
use std::ffi::c_char;
use std::sync::atomic::{AtomicU8, Ordering};

use fourbar::linalg::Interrupt;

use super::error::{Failure, Message, remember};
use super::status::fourbar_status;
use super::{guard, helgrind, interrupt};

const IDLE: u8 = 0;
const BUSY: u8 = 1;
const POISONED: u8 = 2;

/// An object that one call at a time uses: of two threads that come together, one is turned away. The pointers given to C point to it; all its
/// parts are reached through `&self`.
pub(crate) struct Exclusive<T> {
    use_state: AtomicU8,
    message: Message,
    value: UnsafeCell<T>,
}

impl<T: Send> Exclusive<T> {
    pub(crate) fn new(value: T) -> Self {
        Self { use_state: AtomicU8::new(IDLE), message: Message::new(), value: UnsafeCell::new(value) }
    }

    /// Runs `call` on the object unless somebody else does; keeps the text of a failure on the handle and on the thread.
    #[inline]
    pub(crate) fn with(&self, name: &str, call: impl FnOnce(&mut T) -> Result<(), Failure>) -> fourbar_status {
        if let Err(present) = self.enter() {
            return refuse(name, present);
        }
        // SAFETY: one call is let in until the store below.
        let result = guard::run(|| call(unsafe { &mut *self.value.get() }));
        match result {
            Ok(()) => {
                self.leave(IDLE);
                fourbar_status::FOURBAR_OK
            }
            // SAFETY: still alone.
            Err(failure) => unsafe { self.fail(failure) },
        }
    }

    #[inline]
    fn enter(&self) -> Result<(), u8> {
        helgrind::shared(&raw const self.use_state);
        self.use_state.compare_exchange(IDLE, BUSY, Ordering::Acquire, Ordering::Relaxed)?;
        helgrind::entered(self);
        Ok(())
    }

    #[inline]
    fn leave(&self, after: u8) {
        helgrind::leaves(self);
        self.use_state.store(after, Ordering::Release);
    }

    /// Ends a call that failed. Out of line: what a successful call has to step over is what it costs beyond its work.
    ///
    /// # Safety
    /// The caller is the one that [`Exclusive::with`] let in.
    #[cold]
    #[inline(never)]
    unsafe fn fail(&self, failure: Failure) -> fourbar_status {
        // SAFETY: alone by contract.
        unsafe { self.message.write(failure.text()) };
        let after = if failure.status() == fourbar_status::FOURBAR_PANIC { POISONED } else { IDLE };
        self.leave(after);
        guard::fail(&failure)
    }

    /// The text of the last failure on this handle.
    pub(crate) fn message(&self) -> *const c_char {
        self.message.pointer()
    }
}

#[cold]
fn refuse(name: &str, present: u8) -> fourbar_status {
    let (status, text) = if present == POISONED {
        (
            fourbar_status::FOURBAR_POISONED,
            format!("'{name}' failed inside fourbar in an earlier call: it can only be freed"),
        )
    } else {
        let text = format!("'{name}' is in use by another thread, or by the call from which this callback came");
        (fourbar_status::FOURBAR_BUSY, text)
    };
    remember(&text);
    status
}

/// A handle that is NULL.
#[cold]
pub(crate) fn null(name: &str) -> fourbar_status {
    guard::fail(&Failure::null(name))
}

/// The outcome of a call on a second handle within one on a first: its text is on the thread already, and goes onto the first handle too.
pub(crate) fn nested(status: fourbar_status) -> Result<(), Failure> {
    if status == fourbar_status::FOURBAR_OK {
        return Ok(());
    }
    Err(Failure::new(status, super::error::remembered()))
}

/// Gives an object to the host: writes its pointer to `out`, which is valid.
///
/// # Safety
/// `out` is NULL or valid for writes.
pub(crate) unsafe fn give<H>(
    out: *mut *mut H,
    name: &str,
    make: impl FnOnce() -> Result<H, Failure>,
) -> fourbar_status {
    guard::guard(|| {
        if out.is_null() {
            return Err(Failure::null(name));
        }
        // Not of a call before.
        let _ = Interrupt::take_notice();
        let made = Box::new(make()?);
        if Interrupt::take_notice() {
            // What went on in another way, as where no solution is found, is not what was asked for.
            return Err(interrupt::interrupted("nothing was made"));
        }
        let handle = Box::into_raw(made);
        // SAFETY: not NULL, valid by contract.
        unsafe { out.write(handle) };
        Ok(())
    })
}

/// Takes an object back.
///
/// # Safety
/// `handle` is NULL or came from [`give`] and is not used any more.
pub(crate) unsafe fn free<H>(handle: *mut H) {
    if !handle.is_null() {
        // A destructor that panics must not unwind into the host.
        // SAFETY: from a box, by contract.
        let _ = guard::run(|| {
            drop(unsafe { Box::from_raw(handle) });
            Ok(())
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_handle_is_used_once_at_a_time_and_not_after_a_panic() {
        let handle = Exclusive::new(1);
        let mut inner = fourbar_status::FOURBAR_OK;
        let outer = handle.with("handle", |_| {
            inner = handle.with("handle", |_| Ok(()));
            Ok(())
        });
        assert_eq!((outer, inner), (fourbar_status::FOURBAR_OK, fourbar_status::FOURBAR_BUSY));
        assert_eq!(handle.with("handle", |_| panic!("provoked by a test")), fourbar_status::FOURBAR_PANIC);
        assert_eq!(handle.with("handle", |_| Ok(())), fourbar_status::FOURBAR_POISONED);
        // SAFETY: the handle lives, and nobody writes.
        let text = unsafe { std::ffi::CStr::from_ptr(handle.message()) };
        assert!(text.to_str().unwrap().starts_with(guard::PANIC_TEXT));
    }
}
