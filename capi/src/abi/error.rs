//! Errors on their way out: a status and a text, kept where no pointer to it dangles.
//!
//! The text lies in a fixed buffer of the thread and in one of the handle: overwritten by the next error, never freed while it may be
//! read. A C expression may evaluate `fourbar_last_error()` before or after the failing call; it never reads freed memory.

use std::cell::UnsafeCell;
use std::ffi::{c_char, c_int};

use super::status::fourbar_status;
use super::view;

/// Bytes of an error text with its NUL; a longer text is cut at a character.
pub const FOURBAR_ERROR_SIZE: usize = 1024;

/// Why a call failed. One pointer wide, so that the result of a call that succeeds travels in a register.
#[derive(Debug)]
pub(crate) struct Failure(Box<(fourbar_status, String)>);

impl Failure {
    #[cold]
    pub(crate) fn new(status: fourbar_status, text: impl ToString) -> Self {
        Self(Box::new((status, text.to_string())))
    }

    pub(crate) fn status(&self) -> fourbar_status {
        self.0.0
    }

    pub(crate) fn text(&self) -> &str {
        &self.0.1
    }

    #[cold]
    pub(crate) fn null(name: &str) -> Self {
        Self::new(fourbar_status::FOURBAR_NULL, format!("'{name}' is NULL"))
    }
}

/// A text in a fixed place. Whoever writes it has the thread or the handle for itself.
pub(crate) struct Message(UnsafeCell<[u8; FOURBAR_ERROR_SIZE]>);

impl Message {
    pub(crate) const fn new() -> Self {
        Self(UnsafeCell::new([0; FOURBAR_ERROR_SIZE]))
    }

    /// # Safety
    /// No other thread reads or writes at the same time.
    pub(crate) unsafe fn write(&self, text: &str) {
        // SAFETY: exclusive by contract; no reference to the bytes outlives this function or `pointer`'s reader.
        let bytes = unsafe { &mut *self.0.get() };
        let mut length = text.len().min(FOURBAR_ERROR_SIZE - 1);
        while !text.is_char_boundary(length) {
            length -= 1;
        }
        bytes[..length].copy_from_slice(&text.as_bytes()[..length]);
        bytes[length] = 0;
    }

    pub(crate) fn pointer(&self) -> *const c_char {
        self.0.get().cast()
    }
}

thread_local! {
    static LAST: Message = const { Message::new() };
}

/// Keeps the text for [`fourbar_last_error`] of this thread.
pub(crate) fn remember(text: &str) {
    // SAFETY: the buffer is this thread's, and nothing else runs on it meanwhile. A thread that is ending has no buffer any more.
    let _ = LAST.try_with(|last| unsafe { last.write(text) });
}

/// The text that [`remember`] keeps.
pub(crate) fn remembered() -> String {
    // SAFETY: the bytes end with a NUL, and only this thread writes them.
    let read = |last: &Message| unsafe { std::ffi::CStr::from_ptr(last.pointer()) }.to_string_lossy().into_owned();
    LAST.try_with(read).unwrap_or_default()
}

/// The text of the last error on this thread, empty before the first. The pointer stays valid as long as the thread; the text is
/// overwritten by the next error on it.
#[unsafe(no_mangle)]
pub extern "C" fn fourbar_last_error() -> *const c_char {
    LAST.try_with(Message::pointer).unwrap_or(c"".as_ptr())
}

/// Copies the text of the last error on this thread into `buffer`, cut to `size` bytes with its NUL. Returns the bytes that the whole text
/// needs with its NUL; with `size` 0, `buffer` may be NULL.
///
/// # Safety
/// `buffer` points to `size` writable bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_last_error_copy(buffer: *mut c_char, size: usize) -> usize {
    LAST.try_with(|last| {
        // SAFETY: the bytes end with a NUL, and `buffer` has `size` bytes by contract.
        unsafe {
            let text = std::ffi::CStr::from_ptr(last.pointer()).to_bytes_with_nul();
            if let Ok(buffer) = view::slice_mut(buffer.cast::<u8>(), size, "buffer")
                && !buffer.is_empty()
            {
                let length = text.len().min(buffer.len());
                buffer[..length].copy_from_slice(&text[..length]);
                buffer[length - 1] = 0;
            }
            text.len()
        }
    })
    .unwrap_or(1)
}

/// The name of a status, such as "FOURBAR_OK"; "unknown status" for other numbers. Never NULL, never freed.
#[unsafe(no_mangle)]
pub extern "C" fn fourbar_status_name(status: c_int) -> *const c_char {
    use fourbar_status as S;
    let names = [
        (S::FOURBAR_OK, c"FOURBAR_OK"),
        (S::FOURBAR_NULL, c"FOURBAR_NULL"),
        (S::FOURBAR_INVALID, c"FOURBAR_INVALID"),
        (S::FOURBAR_STRUCT_SIZE, c"FOURBAR_STRUCT_SIZE"),
        (S::FOURBAR_LENGTH, c"FOURBAR_LENGTH"),
        (S::FOURBAR_STATE, c"FOURBAR_STATE"),
        (S::FOURBAR_NOT_FINITE, c"FOURBAR_NOT_FINITE"),
        (S::FOURBAR_BUSY, c"FOURBAR_BUSY"),
        (S::FOURBAR_TEXT, c"FOURBAR_TEXT"),
        (S::FOURBAR_NO_SUCH_NAME, c"FOURBAR_NO_SUCH_NAME"),
        (S::FOURBAR_OVERFLOW, c"FOURBAR_OVERFLOW"),
        (S::FOURBAR_NUMERICAL, c"FOURBAR_NUMERICAL"),
        (S::FOURBAR_UNSUPPORTED, c"FOURBAR_UNSUPPORTED"),
        (S::FOURBAR_CALLBACK, c"FOURBAR_CALLBACK"),
        (S::FOURBAR_FILE, c"FOURBAR_FILE"),
        (S::FOURBAR_INTERRUPTED, c"FOURBAR_INTERRUPTED"),
        (S::FOURBAR_PANIC, c"FOURBAR_PANIC"),
        (S::FOURBAR_POISONED, c"FOURBAR_POISONED"),
    ];
    names.iter().find(|(known, _)| *known as c_int == status).map_or(c"unknown status", |(_, name)| name).as_ptr()
}
