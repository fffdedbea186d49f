//! What the library has to say beside errors. It never prints: without a log function nothing is said.

use std::ffi::{CString, c_char, c_void};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::abi::callback::User;
use crate::abi::environment::of_host;
use crate::abi::guard;
use crate::abi::status::fourbar_status;

/// How much a message matters.
#[allow(non_camel_case_types)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(i32)]
pub enum fourbar_log_level {
    /// Results may not be what the caller thinks.
    FOURBAR_LOG_WARNING = 2,
    /// What was done on the way.
    FOURBAR_LOG_INFO = 3,
}

/// Takes a message: a value of `fourbar_log_level` and a text, which lives as long as the call.
#[allow(non_camel_case_types)]
pub type fourbar_log_function = Option<unsafe extern "C" fn(user: *mut c_void, level: i32, text: *const c_char)>;

type Sink = (unsafe extern "C" fn(*mut c_void, i32, *const c_char), User);

static SINK: Mutex<Option<Sink>> = Mutex::new(None);
/// Whether there is a sink, so that nothing is written for nobody.
static HEARD: AtomicBool = AtomicBool::new(false);

/// From now on `function` takes the messages of all threads, with `user`; NULL (the default): nobody does. It is called on the thread whose
/// call has something to say, from several threads at the same time, and must not throw or jump out. A call on another thread that has
/// begun already may still reach the function that was set before.
///
/// Errors: none.
///
/// # Safety
/// `function` may be called with `user` until another one is set and the calls under way have ended.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_log_set(function: fourbar_log_function, user: *mut c_void) -> fourbar_status {
    guard::guard(|| {
        let sink = function.map(|function| (function, User(user)));
        HEARD.store(sink.is_some(), Ordering::Release);
        *SINK.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = sink;
        Ok(())
    })
}

pub(crate) fn warn(text: impl FnOnce() -> String) {
    say(fourbar_log_level::FOURBAR_LOG_WARNING, text);
}

pub(crate) fn inform(text: impl FnOnce() -> String) {
    say(fourbar_log_level::FOURBAR_LOG_INFO, text);
}

fn say(level: fourbar_log_level, text: impl FnOnce() -> String) {
    if !HEARD.load(Ordering::Acquire) {
        return;
    }
    // Copied out, so that the function may set another one.
    let sink = *SINK.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let Some((function, user)) = sink else { return };
    // A NUL cannot stand in a text for C; names from TOML may hold one.
    let text = CString::new(text().replace('\0', " ")).unwrap_or_default();
    // SAFETY: by contract of `fourbar_log_set`.
    of_host(|| unsafe { function(user.0, level as i32, text.as_ptr()) });
}
