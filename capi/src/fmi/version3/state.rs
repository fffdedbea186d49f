//! States and derivatives.

use crate::fmi::component::{
    Component, Direction, FmuState, directional_derivative, free_state, get_state, load_state, set_state, state_size,
    store_state, unsupported,
};
use std::ffi::c_int;

entries! {
    /// `fmi3GetFMUState`.
    fmi3GetFMUState(state: *mut FmuState) => get_state;

    /// `fmi3SetFMUState`.
    fmi3SetFMUState(state: FmuState) => set_state;

    /// `fmi3FreeFMUState`.
    fmi3FreeFMUState(state: *mut FmuState) => free_state;

    /// `fmi3SerializedFMUStateSize`.
    fmi3SerializedFMUStateSize(state: FmuState, size: *mut usize) => state_size;

    /// `fmi3SerializeFMUState`.
    fmi3SerializeFMUState(state: FmuState, bytes: *mut u8, size: usize) => store_state;

    /// `fmi3DeserializeFMUState`.
    fmi3DeserializeFMUState(bytes: *const u8, size: usize, state: *mut FmuState) => load_state;
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

entries! {
    /// `fmi3GetAdjointDerivative`: not claimed.
    fmi3GetAdjointDerivative(_unknowns: *const u32, _unknown_count: usize, _knowns: *const u32, _known_count: usize, _seed: *const f64, _seed_count: usize, _sensitivity: *mut f64, _sensitivity_count: usize) =>
        |component, _, _, _, _, _, _, _, _| unsupported(component, "an adjoint derivative");
}
