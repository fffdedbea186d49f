//! Values: all variables are reals.

use crate::fmi::component::{Component, get_reals, no_such, set_reals};
use std::ffi::{c_char, c_int};

/// `fmi2GetReal`.
///
/// # Safety
/// pointers are NULL or valid as the standard says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetReal(
    component: *mut Component,
    references: *const u32,
    count: usize,
    values: *mut f64,
) -> c_int {
    // SAFETY: by contract.
    unsafe { get_reals(component, references, count, values, count) }
}

/// `fmi2SetReal`.
///
/// # Safety
/// pointers are NULL or valid as the standard says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2SetReal(
    component: *mut Component,
    references: *const u32,
    count: usize,
    values: *const f64,
) -> c_int {
    // SAFETY: by contract.
    unsafe { set_reals(component, references, count, values, count) }
}

/// `fmi2GetInteger`: there are none.
///
/// # Safety
/// pointers are NULL or valid as the standard says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetInteger(
    component: *mut Component,
    references: *const u32,
    count: usize,
    _values: *mut c_int,
) -> c_int {
    // SAFETY: by contract.
    unsafe { no_such(component, references, count, "integer") }
}

/// `fmi2SetInteger`: there are none.
///
/// # Safety
/// pointers are NULL or valid as the standard says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2SetInteger(
    component: *mut Component,
    references: *const u32,
    count: usize,
    _values: *const c_int,
) -> c_int {
    // SAFETY: by contract.
    unsafe { no_such(component, references, count, "integer") }
}

/// `fmi2GetBoolean`: there are none.
///
/// # Safety
/// pointers are NULL or valid as the standard says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetBoolean(
    component: *mut Component,
    references: *const u32,
    count: usize,
    _values: *mut c_int,
) -> c_int {
    // SAFETY: by contract.
    unsafe { no_such(component, references, count, "Boolean") }
}

/// `fmi2SetBoolean`: there are none.
///
/// # Safety
/// pointers are NULL or valid as the standard says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2SetBoolean(
    component: *mut Component,
    references: *const u32,
    count: usize,
    _values: *const c_int,
) -> c_int {
    // SAFETY: by contract.
    unsafe { no_such(component, references, count, "Boolean") }
}

/// `fmi2GetString`: there are none.
///
/// # Safety
/// pointers are NULL or valid as the standard says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetString(
    component: *mut Component,
    references: *const u32,
    count: usize,
    _values: *mut *const c_char,
) -> c_int {
    // SAFETY: by contract.
    unsafe { no_such(component, references, count, "string") }
}

/// `fmi2SetString`: there are none.
///
/// # Safety
/// pointers are NULL or valid as the standard says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2SetString(
    component: *mut Component,
    references: *const u32,
    count: usize,
    _values: *const *const c_char,
) -> c_int {
    // SAFETY: by contract.
    unsafe { no_such(component, references, count, "string") }
}
