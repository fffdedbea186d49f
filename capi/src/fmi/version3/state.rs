//! States and derivatives.

use crate::fmi::component::{
    Component, Direction, FmuState, directional_derivative, free_state, get_state, load_state, set_state, state_size,
    store_state, unsupported,
};
use std::ffi::c_int;

/// `fmi3GetFMUState`.
///
/// # Safety
/// pointers are NULL or valid as the standard says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetFMUState(component: *mut Component, state: *mut FmuState) -> c_int {
    // SAFETY: by contract.
    unsafe { get_state(component, state) }
}

/// `fmi3SetFMUState`.
///
/// # Safety
/// pointers are NULL or valid as the standard says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3SetFMUState(component: *mut Component, state: FmuState) -> c_int {
    // SAFETY: by contract.
    unsafe { set_state(component, state) }
}

/// `fmi3FreeFMUState`.
///
/// # Safety
/// pointers are NULL or valid as the standard says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3FreeFMUState(component: *mut Component, state: *mut FmuState) -> c_int {
    // SAFETY: by contract.
    unsafe { free_state(component, state) }
}

/// `fmi3SerializedFMUStateSize`.
///
/// # Safety
/// pointers are NULL or valid as the standard says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3SerializedFMUStateSize(
    component: *mut Component,
    state: FmuState,
    size: *mut usize,
) -> c_int {
    // SAFETY: by contract.
    unsafe { state_size(component, state, size) }
}

/// `fmi3SerializeFMUState`.
///
/// # Safety
/// pointers are NULL or valid as the standard says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3SerializeFMUState(
    component: *mut Component,
    state: FmuState,
    bytes: *mut u8,
    size: usize,
) -> c_int {
    // SAFETY: by contract.
    unsafe { store_state(component, state, bytes, size) }
}

/// `fmi3DeserializeFMUState`.
///
/// # Safety
/// pointers are NULL or valid as the standard says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3DeserializeFMUState(
    component: *mut Component,
    bytes: *const u8,
    size: usize,
    state: *mut FmuState,
) -> c_int {
    // SAFETY: by contract.
    unsafe { load_state(component, bytes, size, state) }
}

/// `fmi3GetDirectionalDerivative`: of outputs by inputs.
///
/// # Safety
/// pointers are NULL or valid as the standard says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetDirectionalDerivative(
    component: *mut Component,
    unknowns: *const u32,
    unknown_count: usize,
    knowns: *const u32,
    known_count: usize,
    seed: *const f64,
    seed_count: usize,
    sensitivity: *mut f64,
    sensitivity_count: usize,
) -> c_int {
    // SAFETY: by contract.
    unsafe {
        let of = Direction {
            unknowns: (unknowns, unknown_count),
            knowns: (knowns, known_count),
            seed: (seed, seed_count),
            sensitivity: (sensitivity, sensitivity_count),
        };
        directional_derivative(component, &of)
    }
}

/// `fmi3GetAdjointDerivative`: not claimed.
///
/// # Safety
/// pointers are NULL or valid as the standard says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetAdjointDerivative(
    component: *mut Component,
    _unknowns: *const u32,
    _unknown_count: usize,
    _knowns: *const u32,
    _known_count: usize,
    _seed: *const f64,
    _seed_count: usize,
    _sensitivity: *mut f64,
    _sensitivity_count: usize,
) -> c_int {
    // SAFETY: by contract.
    unsafe { unsupported(component, "an adjoint derivative") }
}
