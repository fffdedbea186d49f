//! A simulator in C within this program: what a shared library exports, as a table of functions.

use std::ffi::{c_char, c_void};

/// `create` of a [`FunctionTable`]: pointer of the host, `fourbar_partner_options`, place for the instance, room for words and its size.
pub type CreateFunction = unsafe extern "C" fn(*mut c_void, *const c_void, *mut *mut c_void, *mut c_char, usize) -> i32;
/// `exchange` of a [`FunctionTable`]: instance, `fourbar_partner_data`, room for words and its size.
pub type ExchangeFunction = unsafe extern "C" fn(*mut c_void, *mut c_void, *mut c_char, usize) -> i32;
/// `state` of a [`FunctionTable`]: instance, action, bytes and their number, room for words and its size.
pub type StateFunction = unsafe extern "C" fn(*mut c_void, i32, *mut c_void, *mut usize, *mut c_char, usize) -> i32;
/// `destroy` of a [`FunctionTable`]: instance.
pub type DestroyFunction = unsafe extern "C" fn(*mut c_void);

/// The functions of a partner; `fourbar_partner.h` says what they do. [`Library::of_table`](super::Library::of_table) makes a simulator of
/// them.
#[derive(Debug, Clone, Copy)]
pub struct FunctionTable {
    /// A `fourbar_partner_description`; it is copied.
    pub description: *const c_void,
    /// A pointer of the host, passed to `create`; the instance itself where there is no such function.
    pub user: *mut c_void,
    /// Makes an instance.
    pub create: Option<CreateFunction>,
    /// Takes inputs, steps, gives outputs.
    pub exchange: ExchangeFunction,
    /// Saves and restores; without it the simulator cannot, whatever its description says.
    pub state: Option<StateFunction>,
    /// Ends an instance.
    pub destroy: Option<DestroyFunction>,
}
