//! States and derivatives.

use crate::fmi::component::{
    Component, Direction, FmuState, directional_derivative, free_state, get_state, load_state, set_state, state_size,
    store_state,
};
use std::ffi::c_int;

entries! {
    /// `fmi2GetFMUstate`.
    fmi2GetFMUstate(state: *mut FmuState) => get_state;

    /// `fmi2SetFMUstate`.
    fmi2SetFMUstate(state: FmuState) => set_state;

    /// `fmi2FreeFMUstate`.
    fmi2FreeFMUstate(state: *mut FmuState) => free_state;

    /// `fmi2SerializedFMUstateSize`.
    fmi2SerializedFMUstateSize(state: FmuState, size: *mut usize) => state_size;

    /// `fmi2SerializeFMUstate`.
    fmi2SerializeFMUstate(state: FmuState, bytes: *mut u8, size: usize) => store_state;

    /// `fmi2DeSerializeFMUstate`.
    fmi2DeSerializeFMUstate(bytes: *const u8, size: usize, state: *mut FmuState) => load_state;
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
