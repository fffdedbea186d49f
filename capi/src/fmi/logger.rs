//! The logger of the importer.

use std::ffi::{CString, c_char, c_int, c_void};

/// `fmi2CallbackLogger`: environment, name of the instance, status, category, message as a format of `printf`, arguments.
pub(super) type Logger2 = unsafe extern "C" fn(*mut c_void, *const c_char, c_int, *const c_char, *const c_char, ...);
/// `fmi3LogMessageCallback`: environment, status, category, message.
pub(super) type Logger3 = unsafe extern "C" fn(*mut c_void, c_int, *const c_char, *const c_char);

/// The category of all messages.
const CATEGORY: &std::ffi::CStr = c"logStatusError";

/// Where texts of errors go.
#[derive(Debug)]
pub(super) struct Logger {
    function: Function,
    environment: *mut c_void,
    /// Of the instance.
    name: CString,
}

#[derive(Debug, Clone, Copy)]
enum Function {
    None,
    V2(Logger2),
    V3(Logger3),
}

// SAFETY: the environment is handed back to the importer, never read; the standard lets an importer use an instance from any thread.
unsafe impl Send for Logger {}
// SAFETY: as above; nothing in it changes.
unsafe impl Sync for Logger {}

impl Logger {
    pub(super) fn of_version_2(function: Option<Logger2>, environment: *mut c_void, name: &str) -> Self {
        Self { function: function.map_or(Function::None, Function::V2), environment, name: c_text(name) }
    }

    pub(super) fn of_version_3(function: Option<Logger3>, environment: *mut c_void, name: &str) -> Self {
        Self { function: function.map_or(Function::None, Function::V3), environment, name: c_text(name) }
    }

    /// Tells the importer.
    pub(super) fn tell(&self, status: c_int, text: &str) {
        let (environment, category) = (self.environment, CATEGORY.as_ptr());
        match self.function {
            Function::None => {}
            Function::V2(function) => {
                // It is a format: what would ask for an argument stands for itself.
                let message = c_text(&text.replace('%', "%%"));
                // SAFETY: the importer's own function and environment, valid as long as the instance; texts that end with a NUL.
                unsafe { function(environment, self.name.as_ptr(), status, category, message.as_ptr()) }
            }
            Function::V3(function) => {
                let message = c_text(text);
                // SAFETY: as above.
                unsafe { function(environment, status, category, message.as_ptr()) }
            }
        }
    }
}

/// The text without what C takes for its end.
fn c_text(text: &str) -> CString {
    CString::new(text.replace('\0', "")).unwrap_or_default()
}
