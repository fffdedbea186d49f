//! Clocks: there are none.

use crate::fmi::component::{Component, no_such, unsupported};
use std::ffi::c_int;

/// `fmi3GetClock`: there are none.
///
/// # Safety
/// pointers are NULL or valid as the standard says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetClock(
    component: *mut Component,
    references: *const u32,
    count: usize,
    _values: *mut u8,
) -> c_int {
    // SAFETY: by contract.
    unsafe { no_such(component, references, count, "Clock") }
}

/// `fmi3SetClock`: there are none.
///
/// # Safety
/// pointers are NULL or valid as the standard says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3SetClock(
    component: *mut Component,
    references: *const u32,
    count: usize,
    _values: *const u8,
) -> c_int {
    // SAFETY: by contract.
    unsafe { no_such(component, references, count, "Clock") }
}

/// `fmi3GetIntervalDecimal`: there are none.
///
/// # Safety
/// pointers are NULL or valid as the standard says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetIntervalDecimal(
    component: *mut Component,
    references: *const u32,
    count: usize,
    _intervals: *mut f64,
    _qualifiers: *mut c_int,
) -> c_int {
    // SAFETY: by contract.
    unsafe { no_such(component, references, count, "Clock") }
}

/// `fmi3GetIntervalFraction`: there are none.
///
/// # Safety
/// pointers are NULL or valid as the standard says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetIntervalFraction(
    component: *mut Component,
    references: *const u32,
    count: usize,
    _counters: *mut u64,
    _resolutions: *mut u64,
    _qualifiers: *mut c_int,
) -> c_int {
    // SAFETY: by contract.
    unsafe { no_such(component, references, count, "Clock") }
}

/// `fmi3GetShiftDecimal`: there are none.
///
/// # Safety
/// pointers are NULL or valid as the standard says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetShiftDecimal(
    component: *mut Component,
    references: *const u32,
    count: usize,
    _shifts: *mut f64,
) -> c_int {
    // SAFETY: by contract.
    unsafe { no_such(component, references, count, "Clock") }
}

/// `fmi3GetShiftFraction`: there are none.
///
/// # Safety
/// pointers are NULL or valid as the standard says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetShiftFraction(
    component: *mut Component,
    references: *const u32,
    count: usize,
    _counters: *mut u64,
    _resolutions: *mut u64,
) -> c_int {
    // SAFETY: by contract.
    unsafe { no_such(component, references, count, "Clock") }
}

/// `fmi3SetIntervalDecimal`: there are none.
///
/// # Safety
/// pointers are NULL or valid as the standard says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3SetIntervalDecimal(
    component: *mut Component,
    references: *const u32,
    count: usize,
    _intervals: *const f64,
) -> c_int {
    // SAFETY: by contract.
    unsafe { no_such(component, references, count, "Clock") }
}

/// `fmi3SetIntervalFraction`: there are none.
///
/// # Safety
/// pointers are NULL or valid as the standard says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3SetIntervalFraction(
    component: *mut Component,
    references: *const u32,
    count: usize,
    _counters: *const u64,
    _resolutions: *const u64,
) -> c_int {
    // SAFETY: by contract.
    unsafe { no_such(component, references, count, "Clock") }
}

/// `fmi3SetShiftDecimal`: there are none.
///
/// # Safety
/// pointers are NULL or valid as the standard says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3SetShiftDecimal(
    component: *mut Component,
    references: *const u32,
    count: usize,
    _shifts: *const f64,
) -> c_int {
    // SAFETY: by contract.
    unsafe { no_such(component, references, count, "Clock") }
}

/// `fmi3SetShiftFraction`: there are none.
///
/// # Safety
/// pointers are NULL or valid as the standard says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3SetShiftFraction(
    component: *mut Component,
    references: *const u32,
    count: usize,
    _counters: *const u64,
    _resolutions: *const u64,
) -> c_int {
    // SAFETY: by contract.
    unsafe { no_such(component, references, count, "Clock") }
}

/// `fmi3ActivateModelPartition`: not claimed.
///
/// # Safety
/// pointers are NULL or valid as the standard says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3ActivateModelPartition(component: *mut Component, _clock: u32, _time: f64) -> c_int {
    // SAFETY: by contract.
    unsafe { unsupported(component, "scheduled execution") }
}
