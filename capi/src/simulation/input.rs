//! Inputs of a simulation, set between steps.

use std::ffi::c_char;

use super::simulation::{fourbar_simulation, with};
use crate::abi::error::Failure;
use crate::abi::status::fourbar_status;
use crate::abi::view;
use crate::model::failure;
use crate::model::mechanism::{fourbar_part, place};

/// From now on the input of that name has the value `value` and the rate `rate` \[1/s\]; the others go on as they were set. A rate makes the input a
/// ramp until it is set again.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_TEXT`, `FOURBAR_NO_SUCH_NAME`, `FOURBAR_NOT_FINITE`; with contacts those of `fourbar_simulation_step_to`.
///
/// # Safety
/// `simulation` is NULL or alive; `name` is NULL or ends with a NUL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_simulation_set_input(
    simulation: *mut fourbar_simulation,
    name: *const c_char,
    value: f64,
    rate: f64,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(simulation, |simulation| {
            let index =
                place(simulation.compiled(), fourbar_part::FOURBAR_PART_INPUT, "input", view::text(name, "name")?)?;
            let mut inputs = simulation.inputs_now();
            inputs[index] = [value, rate, 0.0];
            failure::run(|| simulation.set_inputs(&inputs))
        })
    }
}

/// From now on the inputs are polynomials about the present time: `values` holds value, first and second derivative of the first input, then of
/// the second, ... in the order of FOURBAR_PART_INPUT; `length` is three times their number.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_LENGTH`, `FOURBAR_NOT_FINITE`: the inputs then stay as they were; with contacts those of `fourbar_simulation_step_to`.
///
/// # Safety
/// `simulation` is NULL or alive; `values` is NULL or has `length` values.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_simulation_set_inputs(
    simulation: *mut fourbar_simulation,
    values: *const f64,
    length: usize,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(simulation, |simulation| {
            let needed = 3 * simulation.inputs().len();
            if length != needed {
                let text = format!("'values' has length {length}, but must have length {needed}");
                return Err(Failure::new(fourbar_status::FOURBAR_LENGTH, text));
            }
            let values = view::slice(values, length, "values")?;
            let inputs: Vec<[f64; 3]> = values.chunks_exact(3).map(|v| [v[0], v[1], v[2]]).collect();
            failure::run(|| simulation.set_inputs(&inputs))
        })
    }
}

/// The inputs now: value, first and second derivative of each, as for `fourbar_simulation_set_inputs`.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_LENGTH`.
///
/// # Safety
/// `simulation` is NULL or alive; `values` is NULL or has `length` values.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_simulation_inputs(
    simulation: *const fourbar_simulation,
    values: *mut f64,
    length: usize,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(simulation, |simulation| view::copy(simulation.inputs_now().as_flattened(), values, length, "values"))
    }
}
