//! What an FMU says through its logger, and what it asks for within a step. Both callbacks may come from any thread of the FMU.

use super::functions::{DISCARD, ERROR, Status, Text, WARNING};
use std::ffi::{CStr, c_void};
use std::sync::Mutex;

/// Longest text that is kept \[bytes\].
const LONGEST: usize = 2000;
/// Most different warnings that are kept.
const MOST_WARNINGS: usize = 20;

/// The words of one instance.
#[derive(Debug, Default)]
pub(super) struct Log {
    words: Mutex<Words>,
}

#[derive(Debug, Default)]
struct Words {
    /// The last message of an error.
    error: String,
    warnings: Vec<String>,
}

impl Log {
    fn take(&self, status: Status, message: Text) {
        if message.is_null() || status < WARNING {
            return;
        }
        // SAFETY: the standard has the FMU pass a text that ends with a zero byte and stays during the call.
        let text = unsafe { CStr::from_ptr(message) }.to_string_lossy();
        let text: String = text.trim().chars().take(LONGEST).collect();
        // A thread that panicked while it held the lock left words that are whole.
        let mut words = self.words.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if status >= ERROR || status == DISCARD {
            words.error = text;
        } else if words.warnings.len() < MOST_WARNINGS && !words.warnings.contains(&text) {
            words.warnings.push(text);
        }
    }

    /// The last error, which is then forgotten.
    pub(super) fn error(&self) -> String {
        std::mem::take(&mut self.words.lock().unwrap_or_else(std::sync::PoisonError::into_inner).error)
    }

    pub(super) fn warnings(&self) -> Vec<String> {
        self.words.lock().unwrap_or_else(std::sync::PoisonError::into_inner).warnings.clone()
    }
}

/// fmi2CallbackLogger with its fixed arguments: the caller removes the others, which stay unread, by the conventions of all systems supported.
pub(super) extern "C" fn log2(environment: *mut c_void, _name: Text, status: Status, _category: Text, message: Text) {
    log3(environment, status, _category, message);
}

/// fmi3LogMessageCallback.
pub(super) extern "C" fn log3(environment: *mut c_void, status: Status, _category: Text, message: Text) {
    // SAFETY: the environment is the log that the instance was created with; it outlives the instance.
    if let Some(environment) = unsafe { environment.cast::<super::Environment>().as_ref() } {
        environment.log.take(status, message);
    }
}
