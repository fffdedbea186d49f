//! Model exchange and event mode: not claimed.

use crate::fmi::component::{Component, unsupported};
use std::ffi::c_int;

/// `fmi3EnterContinuousTimeMode`: not claimed.
///
/// # Safety
/// pointers are NULL or valid as the standard says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3EnterContinuousTimeMode(component: *mut Component) -> c_int {
    // SAFETY: by contract.
    unsafe { unsupported(component, "model exchange") }
}

/// `fmi3CompletedIntegratorStep`: not claimed.
///
/// # Safety
/// pointers are NULL or valid as the standard says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3CompletedIntegratorStep(
    component: *mut Component,
    _no_set_state: u8,
    _enter_event_mode: *mut u8,
    _terminate: *mut u8,
) -> c_int {
    // SAFETY: by contract.
    unsafe { unsupported(component, "model exchange") }
}

/// `fmi3SetTime`: not claimed.
///
/// # Safety
/// pointers are NULL or valid as the standard says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3SetTime(component: *mut Component, _time: f64) -> c_int {
    // SAFETY: by contract.
    unsafe { unsupported(component, "model exchange") }
}

/// `fmi3SetContinuousStates`: not claimed.
///
/// # Safety
/// pointers are NULL or valid as the standard says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3SetContinuousStates(
    component: *mut Component,
    _states: *const f64,
    _count: usize,
) -> c_int {
    // SAFETY: by contract.
    unsafe { unsupported(component, "model exchange") }
}

/// `fmi3GetContinuousStateDerivatives`: not claimed.
///
/// # Safety
/// pointers are NULL or valid as the standard says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetContinuousStateDerivatives(
    component: *mut Component,
    _derivatives: *mut f64,
    _count: usize,
) -> c_int {
    // SAFETY: by contract.
    unsafe { unsupported(component, "model exchange") }
}

/// `fmi3GetEventIndicators`: not claimed.
///
/// # Safety
/// pointers are NULL or valid as the standard says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetEventIndicators(
    component: *mut Component,
    _indicators: *mut f64,
    _count: usize,
) -> c_int {
    // SAFETY: by contract.
    unsafe { unsupported(component, "model exchange") }
}

/// `fmi3GetContinuousStates`: not claimed.
///
/// # Safety
/// pointers are NULL or valid as the standard says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetContinuousStates(component: *mut Component, _states: *mut f64, _count: usize) -> c_int {
    // SAFETY: by contract.
    unsafe { unsupported(component, "model exchange") }
}

/// `fmi3GetNominalsOfContinuousStates`: not claimed.
///
/// # Safety
/// pointers are NULL or valid as the standard says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetNominalsOfContinuousStates(
    component: *mut Component,
    _nominals: *mut f64,
    _count: usize,
) -> c_int {
    // SAFETY: by contract.
    unsafe { unsupported(component, "model exchange") }
}

/// `fmi3GetNumberOfEventIndicators`: not claimed.
///
/// # Safety
/// pointers are NULL or valid as the standard says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetNumberOfEventIndicators(component: *mut Component, _count: *mut usize) -> c_int {
    // SAFETY: by contract.
    unsafe { unsupported(component, "model exchange") }
}

/// `fmi3GetNumberOfContinuousStates`: not claimed.
///
/// # Safety
/// pointers are NULL or valid as the standard says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetNumberOfContinuousStates(component: *mut Component, _count: *mut usize) -> c_int {
    // SAFETY: by contract.
    unsafe { unsupported(component, "model exchange") }
}

/// `fmi3UpdateDiscreteStates`: not claimed.
///
/// # Safety
/// pointers are NULL or valid as the standard says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3UpdateDiscreteStates(
    component: *mut Component,
    _need_update: *mut u8,
    _terminate: *mut u8,
    _nominals_changed: *mut u8,
    _values_changed: *mut u8,
    _next_event_defined: *mut u8,
    _next_event: *mut f64,
) -> c_int {
    // SAFETY: by contract.
    unsafe { unsupported(component, "model exchange") }
}
