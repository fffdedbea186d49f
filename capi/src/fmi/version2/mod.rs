//! FMI 2.0.5: `fmi2Functions.h`.
#![allow(non_snake_case)]

mod exchange;
mod lifecycle;
mod state;
mod stepping;
mod values;

pub use exchange::*;
pub use lifecycle::*;
pub use state::*;
pub use stepping::*;
pub use values::*;

use super::logger::Logger2;
use std::ffi::c_void;

/// `fmi2CallbackFunctions`.
#[derive(Debug)]
#[repr(C)]
pub struct CallbackFunctions {
    /// Takes the texts of errors.
    pub logger: Option<Logger2>,
    /// Not used: the library has an allocator of its own.
    pub allocate_memory: Option<unsafe extern "C" fn(usize, usize) -> *mut c_void>,
    /// Not used.
    pub free_memory: Option<unsafe extern "C" fn(*mut c_void)>,
    /// Not used: steps are made before they return.
    pub step_finished: Option<unsafe extern "C" fn(*mut c_void, i32)>,
    /// What the logger is called with.
    pub component_environment: *mut c_void,
}
