//! Values: all variables are of 64 bits.

use crate::fmi::component::{Component, get_reals, no_such, set_reals, unsupported};
use std::ffi::c_int;

/// `fmi3GetFloat64`.
///
/// # Safety
/// pointers are NULL or valid as the standard says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetFloat64(
    component: *mut Component,
    references: *const u32,
    count: usize,
    values: *mut f64,
    value_count: usize,
) -> c_int {
    // SAFETY: by contract.
    unsafe { get_reals(component, references, count, values, value_count) }
}

/// `fmi3SetFloat64`.
///
/// # Safety
/// pointers are NULL or valid as the standard says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3SetFloat64(
    component: *mut Component,
    references: *const u32,
    count: usize,
    values: *const f64,
    value_count: usize,
) -> c_int {
    // SAFETY: by contract.
    unsafe { set_reals(component, references, count, values, value_count) }
}

/// `fmi3GetBinary`: there are none.
///
/// # Safety
/// pointers are NULL or valid as the standard says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetBinary(
    component: *mut Component,
    references: *const u32,
    count: usize,
    _sizes: *mut usize,
    _values: *mut *const u8,
    _value_count: usize,
) -> c_int {
    // SAFETY: by contract.
    unsafe { no_such(component, references, count, "Binary") }
}

/// `fmi3SetBinary`: there are none.
///
/// # Safety
/// pointers are NULL or valid as the standard says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3SetBinary(
    component: *mut Component,
    references: *const u32,
    count: usize,
    _sizes: *const usize,
    _values: *const *const u8,
    _value_count: usize,
) -> c_int {
    // SAFETY: by contract.
    unsafe { no_such(component, references, count, "Binary") }
}

/// `fmi3GetNumberOfVariableDependencies`: not claimed.
///
/// # Safety
/// pointers are NULL or valid as the standard says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetNumberOfVariableDependencies(
    component: *mut Component,
    _reference: u32,
    _count: *mut usize,
) -> c_int {
    // SAFETY: by contract.
    unsafe { unsupported(component, "dependencies of elements") }
}

/// `fmi3GetVariableDependencies`: not claimed.
///
/// # Safety
/// pointers are NULL or valid as the standard says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetVariableDependencies(
    component: *mut Component,
    _dependent: u32,
    _elements: *mut usize,
    _independents: *mut u32,
    _independent_elements: *mut usize,
    _kinds: *mut c_int,
    _count: usize,
) -> c_int {
    // SAFETY: by contract.
    unsafe { unsupported(component, "dependencies of elements") }
}
