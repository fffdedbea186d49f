//! Inputs and outputs of a simulator by name and by index.

use std::ffi::c_char;

use fourbar::coupling::Variable;
use fourbar::multibody::expression::nearest_name;
use fourbar::simulation::Stepped;

use super::simulator::{fourbar_simulator, with};
use crate::abi::error::Failure;
use crate::abi::status::fourbar_status;
use crate::abi::view;
use crate::coupling::of_model;
use crate::model::mechanism::{check_index, fourbar_part};

/// Inputs (FOURBAR_PART_INPUT) or outputs (FOURBAR_PART_MEASURE) of a simulator, and what they are called.
fn variables(simulator: &Stepped, part: i32) -> Result<(&[Variable], &'static str), Failure> {
    if part == fourbar_part::FOURBAR_PART_INPUT as i32 {
        Ok((simulator.input_variables(), "inputs"))
    } else if part == fourbar_part::FOURBAR_PART_MEASURE as i32 {
        Ok((simulator.output_variables(), "measured numbers"))
    } else {
        let text = format!("part is {part}; a simulator has FOURBAR_PART_INPUT and FOURBAR_PART_MEASURE");
        Err(Failure::new(fourbar_status::FOURBAR_INVALID, text))
    }
}

fn variable(simulator: &Stepped, part: i32, index: usize) -> Result<&Variable, Failure> {
    let (all, what) = variables(simulator, part)?;
    check_index(index, all.len(), what)?;
    Ok(&all[index])
}

fn find(all: &[Variable], what: &str, name: &str) -> Result<usize, Failure> {
    all.iter().position(|known| known.name == name).ok_or_else(|| {
        let near = nearest_name(name, all.iter().map(|known| known.name.as_str()));
        let remedy = near.map_or(String::new(), |near| format!("; did you mean \"{near}\"?"));
        let text = format!("\"{name}\" is none of the {what} of the simulator{remedy}");
        Failure::new(fourbar_status::FOURBAR_NO_SUCH_NAME, text)
    })
}

/// The numbers of inputs and of measured numbers; each may be NULL where it is not asked for.
///
/// Errors: `FOURBAR_NULL`.
///
/// # Safety
/// Pointers are NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_simulator_size(
    simulator: *const fourbar_simulator,
    inputs: *mut usize,
    measures: *mut usize,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(simulator, |simulator| {
            if !inputs.is_null() {
                inputs.write(simulator.input_variables().len());
            }
            if !measures.is_null() {
                measures.write(simulator.output_variables().len());
            }
            Ok(())
        })
    }
}

/// The name of an input (`part` FOURBAR_PART_INPUT) or a measured number (FOURBAR_PART_MEASURE), `index` from 0. The text with its NUL goes to
/// `buffer` of `size` bytes, the bytes that it needs to `needed` (may be NULL); with `size` 0, `buffer` may be NULL.
///
/// Errors: `FOURBAR_NULL`; `FOURBAR_INVALID` for another part or an index beyond the last; `FOURBAR_LENGTH` for a buffer that is too short.
///
/// # Safety
/// `simulator` is NULL or alive; `buffer` is NULL or has `size` bytes; `needed` is NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_simulator_name(
    simulator: *const fourbar_simulator,
    part: i32,
    index: usize,
    buffer: *mut c_char,
    size: usize,
    needed: *mut usize,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(simulator, |simulator| view::copy_text(&variable(simulator, part, index)?.name, buffer, size, needed))
    }
}

/// Its unit, empty for a bare number, as `fourbar_simulator_name` does.
///
/// Errors: as `fourbar_simulator_name`.
///
/// # Safety
/// As `fourbar_simulator_name`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_simulator_unit(
    simulator: *const fourbar_simulator,
    part: i32,
    index: usize,
    buffer: *mut c_char,
    size: usize,
    needed: *mut usize,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(simulator, |simulator| view::copy_text(&variable(simulator, part, index)?.unit, buffer, size, needed))
    }
}

/// The index of the input or measured number of that name.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_TEXT`, `FOURBAR_INVALID` for another part, `FOURBAR_NO_SUCH_NAME` with the nearest name.
///
/// # Safety
/// `simulator` is NULL or alive; `name` is NULL or ends with a NUL; `index` is NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_simulator_find(
    simulator: *const fourbar_simulator,
    part: i32,
    name: *const c_char,
    index: *mut usize,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(simulator, |simulator| {
            let (all, what) = variables(simulator, part)?;
            view::write(index, find(all, what, view::text(name, "name")?)?, "index")
        })
    }
}

/// From now on the input of that name has the value `value` and the rate `rate` \[1/s\]; the others go on as they were set. A rate makes the input a
/// ramp until it is set again.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_TEXT`, `FOURBAR_NO_SUCH_NAME`, `FOURBAR_NOT_FINITE`.
///
/// # Safety
/// `simulator` is NULL or alive; `name` is NULL or ends with a NUL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_simulator_set_input(
    simulator: *mut fourbar_simulator,
    name: *const c_char,
    value: f64,
    rate: f64,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(simulator, |simulator| {
            let index = find(simulator.input_variables(), "inputs", view::text(name, "name")?)?;
            simulator.set_input(index, [value, rate, 0.0]).map_err(|error| of_model(&error))
        })
    }
}

/// From now on the inputs are polynomials about the present time: `values` holds value, first and second derivative of the first input, then of
/// the second, ...; `length` is three times their number.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_LENGTH`, `FOURBAR_NOT_FINITE`: the inputs then stay as they were.
///
/// # Safety
/// `simulator` is NULL or alive; `values` is NULL or has `length` values.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_simulator_set_inputs(
    simulator: *mut fourbar_simulator,
    values: *const f64,
    length: usize,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(simulator, |simulator| {
            let needed = 3 * simulator.input_variables().len();
            if length != needed {
                let text = format!("'values' has length {length}, but must have length {needed}");
                return Err(Failure::new(fourbar_status::FOURBAR_LENGTH, text));
            }
            let values = view::slice(values, length, "values")?;
            let inputs: Vec<[f64; 3]> = values.chunks_exact(3).map(|v| [v[0], v[1], v[2]]).collect();
            simulator.set_inputs(&inputs).map_err(|error| of_model(&error))
        })
    }
}

/// The inputs now: value, first and second derivative of each, as for `fourbar_simulator_set_inputs`.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_LENGTH`.
///
/// # Safety
/// `simulator` is NULL or alive; `values` is NULL or has `length` values.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_simulator_inputs(
    simulator: *const fourbar_simulator,
    values: *mut f64,
    length: usize,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe { with(simulator, |simulator| view::copy(simulator.inputs_now().as_flattened(), values, length, "values")) }
}

/// All measured numbers of now, `length` values in the order of FOURBAR_PART_MEASURE: the columns that a run of the model has.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_LENGTH`, `FOURBAR_NUMERICAL` where they cannot be evaluated.
///
/// # Safety
/// `simulator` is NULL or alive; `values` is NULL or has `length` values.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_simulator_measures(
    simulator: *const fourbar_simulator,
    values: *mut f64,
    length: usize,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe { with(simulator, |simulator| view::copy(&measured(simulator)?, values, length, "values")) }
}

/// The measured number of that name.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_TEXT`, `FOURBAR_NO_SUCH_NAME`; as `fourbar_simulator_measures`.
///
/// # Safety
/// `simulator` is NULL or alive; `name` is NULL or ends with a NUL; `value` is NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_simulator_measure(
    simulator: *const fourbar_simulator,
    name: *const c_char,
    value: *mut f64,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(simulator, |simulator| {
            let index = find(simulator.output_variables(), "measured numbers", view::text(name, "name")?)?;
            view::write(value, measured(simulator)?[index], "value")
        })
    }
}

fn measured(simulator: &mut Stepped) -> Result<Vec<f64>, Failure> {
    let mut values = vec![0.0; simulator.output_variables().len()];
    simulator.outputs(&mut values).map_err(|error| of_model(&error))?;
    Ok(values)
}
