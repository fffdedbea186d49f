//! States and derivatives.

use crate::fmi::component::{
    Component, Direction, FmuState, directional_derivative, free_state, get_state, load_state, set_state, state_size,
    store_state,
};
use std::ffi::c_int;

/// `fmi2GetFMUstate`.
///
/// # Safety
/// pointers are NULL or valid as the standard says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetFMUstate(component: *mut Component, state: *mut FmuState) -> c_int {
    // SAFETY: by contract.
    unsafe { get_state(component, state) }
}

/// `fmi2SetFMUstate`.
///
/// # Safety
/// pointers are NULL or valid as the standard says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2SetFMUstate(component: *mut Component, state: FmuState) -> c_int {
    // SAFETY: by contract.
    unsafe { set_state(component, state) }
}

/// `fmi2FreeFMUstate`.
///
/// # Safety
/// pointers are NULL or valid as the standard says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2FreeFMUstate(component: *mut Component, state: *mut FmuState) -> c_int {
    // SAFETY: by contract.
    unsafe { free_state(component, state) }
}

/// `fmi2SerializedFMUstateSize`.
///
/// # Safety
/// pointers are NULL or valid as the standard says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2SerializedFMUstateSize(
    component: *mut Component,
    state: FmuState,
    size: *mut usize,
) -> c_int {
    // SAFETY: by contract.
    unsafe { state_size(component, state, size) }
}

/// `fmi2SerializeFMUstate`.
///
/// # Safety
/// pointers are NULL or valid as the standard says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2SerializeFMUstate(
    component: *mut Component,
    state: FmuState,
    bytes: *mut u8,
    size: usize,
) -> c_int {
    // SAFETY: by contract.
    unsafe { store_state(component, state, bytes, size) }
}

/// `fmi2DeSerializeFMUstate`.
///
/// # Safety
/// pointers are NULL or valid as the standard says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2DeSerializeFMUstate(
    component: *mut Component,
    bytes: *const u8,
    size: usize,
    state: *mut FmuState,
) -> c_int {
    // SAFETY: by contract.
    unsafe { load_state(component, bytes, size, state) }
}

/// `fmi2GetDirectionalDerivative`: of outputs by inputs.
///
/// # Safety
/// pointers are NULL or valid as the standard says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetDirectionalDerivative(
    component: *mut Component,
    unknowns: *const u32,
    unknown_count: usize,
    knowns: *const u32,
    known_count: usize,
    seed: *const f64,
    sensitivity: *mut f64,
) -> c_int {
    // SAFETY: by contract.
    unsafe {
        let of = Direction {
            unknowns: (unknowns, unknown_count),
            knowns: (knowns, known_count),
            seed: (seed, known_count),
            sensitivity: (sensitivity, unknown_count),
        };
        directional_derivative(component, &of)
    }
}
