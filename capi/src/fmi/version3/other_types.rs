//! Values of types that no variable has.

use crate::fmi::component::{Component, no_such};
use std::ffi::{c_char, c_int};

/// `fmi3GetFloat32`: there are none.
///
/// # Safety
/// pointers are NULL or valid as the standard says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetFloat32(
    component: *mut Component,
    references: *const u32,
    count: usize,
    _values: *mut f32,
    _value_count: usize,
) -> c_int {
    // SAFETY: by contract.
    unsafe { no_such(component, references, count, "Float32") }
}

/// `fmi3SetFloat32`: there are none.
///
/// # Safety
/// pointers are NULL or valid as the standard says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3SetFloat32(
    component: *mut Component,
    references: *const u32,
    count: usize,
    _values: *const f32,
    _value_count: usize,
) -> c_int {
    // SAFETY: by contract.
    unsafe { no_such(component, references, count, "Float32") }
}

/// `fmi3GetInt8`: there are none.
///
/// # Safety
/// pointers are NULL or valid as the standard says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetInt8(
    component: *mut Component,
    references: *const u32,
    count: usize,
    _values: *mut i8,
    _value_count: usize,
) -> c_int {
    // SAFETY: by contract.
    unsafe { no_such(component, references, count, "Int8") }
}

/// `fmi3SetInt8`: there are none.
///
/// # Safety
/// pointers are NULL or valid as the standard says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3SetInt8(
    component: *mut Component,
    references: *const u32,
    count: usize,
    _values: *const i8,
    _value_count: usize,
) -> c_int {
    // SAFETY: by contract.
    unsafe { no_such(component, references, count, "Int8") }
}

/// `fmi3GetUInt8`: there are none.
///
/// # Safety
/// pointers are NULL or valid as the standard says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetUInt8(
    component: *mut Component,
    references: *const u32,
    count: usize,
    _values: *mut u8,
    _value_count: usize,
) -> c_int {
    // SAFETY: by contract.
    unsafe { no_such(component, references, count, "UInt8") }
}

/// `fmi3SetUInt8`: there are none.
///
/// # Safety
/// pointers are NULL or valid as the standard says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3SetUInt8(
    component: *mut Component,
    references: *const u32,
    count: usize,
    _values: *const u8,
    _value_count: usize,
) -> c_int {
    // SAFETY: by contract.
    unsafe { no_such(component, references, count, "UInt8") }
}

/// `fmi3GetInt16`: there are none.
///
/// # Safety
/// pointers are NULL or valid as the standard says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetInt16(
    component: *mut Component,
    references: *const u32,
    count: usize,
    _values: *mut i16,
    _value_count: usize,
) -> c_int {
    // SAFETY: by contract.
    unsafe { no_such(component, references, count, "Int16") }
}

/// `fmi3SetInt16`: there are none.
///
/// # Safety
/// pointers are NULL or valid as the standard says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3SetInt16(
    component: *mut Component,
    references: *const u32,
    count: usize,
    _values: *const i16,
    _value_count: usize,
) -> c_int {
    // SAFETY: by contract.
    unsafe { no_such(component, references, count, "Int16") }
}

/// `fmi3GetUInt16`: there are none.
///
/// # Safety
/// pointers are NULL or valid as the standard says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetUInt16(
    component: *mut Component,
    references: *const u32,
    count: usize,
    _values: *mut u16,
    _value_count: usize,
) -> c_int {
    // SAFETY: by contract.
    unsafe { no_such(component, references, count, "UInt16") }
}

/// `fmi3SetUInt16`: there are none.
///
/// # Safety
/// pointers are NULL or valid as the standard says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3SetUInt16(
    component: *mut Component,
    references: *const u32,
    count: usize,
    _values: *const u16,
    _value_count: usize,
) -> c_int {
    // SAFETY: by contract.
    unsafe { no_such(component, references, count, "UInt16") }
}

/// `fmi3GetInt32`: there are none.
///
/// # Safety
/// pointers are NULL or valid as the standard says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetInt32(
    component: *mut Component,
    references: *const u32,
    count: usize,
    _values: *mut i32,
    _value_count: usize,
) -> c_int {
    // SAFETY: by contract.
    unsafe { no_such(component, references, count, "Int32") }
}

/// `fmi3SetInt32`: there are none.
///
/// # Safety
/// pointers are NULL or valid as the standard says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3SetInt32(
    component: *mut Component,
    references: *const u32,
    count: usize,
    _values: *const i32,
    _value_count: usize,
) -> c_int {
    // SAFETY: by contract.
    unsafe { no_such(component, references, count, "Int32") }
}

/// `fmi3GetUInt32`: there are none.
///
/// # Safety
/// pointers are NULL or valid as the standard says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetUInt32(
    component: *mut Component,
    references: *const u32,
    count: usize,
    _values: *mut u32,
    _value_count: usize,
) -> c_int {
    // SAFETY: by contract.
    unsafe { no_such(component, references, count, "UInt32") }
}

/// `fmi3SetUInt32`: there are none.
///
/// # Safety
/// pointers are NULL or valid as the standard says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3SetUInt32(
    component: *mut Component,
    references: *const u32,
    count: usize,
    _values: *const u32,
    _value_count: usize,
) -> c_int {
    // SAFETY: by contract.
    unsafe { no_such(component, references, count, "UInt32") }
}

/// `fmi3GetInt64`: there are none.
///
/// # Safety
/// pointers are NULL or valid as the standard says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetInt64(
    component: *mut Component,
    references: *const u32,
    count: usize,
    _values: *mut i64,
    _value_count: usize,
) -> c_int {
    // SAFETY: by contract.
    unsafe { no_such(component, references, count, "Int64") }
}

/// `fmi3SetInt64`: there are none.
///
/// # Safety
/// pointers are NULL or valid as the standard says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3SetInt64(
    component: *mut Component,
    references: *const u32,
    count: usize,
    _values: *const i64,
    _value_count: usize,
) -> c_int {
    // SAFETY: by contract.
    unsafe { no_such(component, references, count, "Int64") }
}

/// `fmi3GetUInt64`: there are none.
///
/// # Safety
/// pointers are NULL or valid as the standard says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetUInt64(
    component: *mut Component,
    references: *const u32,
    count: usize,
    _values: *mut u64,
    _value_count: usize,
) -> c_int {
    // SAFETY: by contract.
    unsafe { no_such(component, references, count, "UInt64") }
}

/// `fmi3SetUInt64`: there are none.
///
/// # Safety
/// pointers are NULL or valid as the standard says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3SetUInt64(
    component: *mut Component,
    references: *const u32,
    count: usize,
    _values: *const u64,
    _value_count: usize,
) -> c_int {
    // SAFETY: by contract.
    unsafe { no_such(component, references, count, "UInt64") }
}

/// `fmi3GetBoolean`: there are none.
///
/// # Safety
/// pointers are NULL or valid as the standard says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetBoolean(
    component: *mut Component,
    references: *const u32,
    count: usize,
    _values: *mut u8,
    _value_count: usize,
) -> c_int {
    // SAFETY: by contract.
    unsafe { no_such(component, references, count, "Boolean") }
}

/// `fmi3SetBoolean`: there are none.
///
/// # Safety
/// pointers are NULL or valid as the standard says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3SetBoolean(
    component: *mut Component,
    references: *const u32,
    count: usize,
    _values: *const u8,
    _value_count: usize,
) -> c_int {
    // SAFETY: by contract.
    unsafe { no_such(component, references, count, "Boolean") }
}

/// `fmi3GetString`: there are none.
///
/// # Safety
/// pointers are NULL or valid as the standard says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetString(
    component: *mut Component,
    references: *const u32,
    count: usize,
    _values: *mut *const c_char,
    _value_count: usize,
) -> c_int {
    // SAFETY: by contract.
    unsafe { no_such(component, references, count, "String") }
}

/// `fmi3SetString`: there are none.
///
/// # Safety
/// pointers are NULL or valid as the standard says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3SetString(
    component: *mut Component,
    references: *const u32,
    count: usize,
    _values: *const *const c_char,
    _value_count: usize,
) -> c_int {
    // SAFETY: by contract.
    unsafe { no_such(component, references, count, "String") }
}
