//! Blocks of a model: transfer functions, linear systems by their matrices, and PID controllers.

use std::ffi::c_char;

use fourbar::multibody::expression::Expression;
use fourbar::multibody::model::{Pid, StateSpaceBlock, TransferFunction};

use super::joint::expression;
use super::model::{fourbar_model, number, with};
use crate::abi::error::Failure;
use crate::abi::options::{self, Grows};
use crate::abi::status::fourbar_status;
use crate::abi::{guard, view};

/// Adds a block y = H(s) u of `unit` (NULL: a bare number). u is the expression `input` of `time`, measures, inputs and states. Coefficients of H come with the
/// highest power of s first; the numerator has at most as many as the denominator. y is a measure of the name, u the measure `name.u`; states are
/// `name.x1` and so on, 0 at the start.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_TEXT`, `FOURBAR_NOT_FINITE`, `FOURBAR_INVALID` for an input that is no expression. Coefficients that are no transfer
/// function are errors of `fourbar_model_compile`.
///
/// # Safety
/// `model` is NULL or alive; texts are NULL or end with a NUL; `numerator` and `denominator` are NULL or have as many values as said.
#[unsafe(no_mangle)]
#[allow(clippy::too_many_arguments)]
pub unsafe extern "C" fn fourbar_model_add_transfer_function(
    model: *mut fourbar_model,
    name: *const c_char,
    unit: *const c_char,
    input: *const c_char,
    numerator: *const f64,
    numerator_count: usize,
    denominator: *const f64,
    denominator_count: usize,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(model, |draft| {
            let block = TransferFunction {
                name: view::text(name, "name")?.to_owned(),
                unit: unit_of(unit)?,
                input: expression(input, "input")?,
                numerator: constants(view::slice(numerator, numerator_count, "numerator")?, "numerator")?,
                denominator: constants(view::slice(denominator, denominator_count, "denominator")?, "denominator")?,
            };
            draft.change().model.transfer_functions.push(block);
            Ok(())
        })
    }
}

/// A linear system x' = A x + B u, y = C x + D u as a block; set by `fourbar_state_space_init` first. Matrices are stored column after column, as those of
/// `fourbar_system_new`. Texts and numbers are copied.
#[allow(non_camel_case_types)]
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct fourbar_state_space {
    /// sizeof(fourbar_state_space).
    pub struct_size: usize,
    /// Name: a single output is the measure of that name, several are `name.y1` and so on; inputs are `name.u1`, states `name.x1`.
    pub name: *const c_char,
    /// Unit of the outputs; NULL (the default): bare numbers.
    pub unit: *const c_char,
    /// What enters: expressions of `time`, measures, inputs and states.
    pub inputs: *const *const c_char,
    /// Number of inputs.
    pub input_count: usize,
    /// Number of states, n.
    pub state_count: usize,
    /// Number of outputs.
    pub output_count: usize,
    /// n x n.
    pub a: *const f64,
    /// n x inputs.
    pub b: *const f64,
    /// Outputs x n.
    pub c: *const f64,
    /// Outputs x inputs; NULL (the default): zero.
    pub d: *const f64,
    /// x at the start, n values; NULL (the default): zero.
    pub start: *const f64,
}

// SAFETY: numbers and pointers, the size first.
unsafe impl Grows for fourbar_state_space {
    const NAME: &'static str = "fourbar_state_space";
    const FIRST: usize = size_of::<Self>();

    fn defaults() -> Self {
        let (text, values) = (std::ptr::null(), std::ptr::null());
        Self {
            struct_size: size_of::<Self>(),
            name: text,
            unit: text,
            inputs: std::ptr::null(),
            input_count: 0,
            state_count: 0,
            output_count: 0,
            a: values,
            b: values,
            c: values,
            d: values,
            start: values,
        }
    }
}

/// Sets the defaults; `size` is sizeof(fourbar_state_space).
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_STRUCT_SIZE`.
///
/// # Safety
/// `block` is NULL or has `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_state_space_init(block: *mut fourbar_state_space, size: usize) -> fourbar_status {
    // SAFETY: by contract.
    guard::guard(|| unsafe { options::write(block, size, &fourbar_state_space::defaults()) })
}

/// Adds a linear system as a block.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_STRUCT_SIZE`, `FOURBAR_TEXT`, `FOURBAR_NOT_FINITE`, `FOURBAR_INVALID` for an input that is no expression, or numbers of
/// rows and columns whose product no memory holds.
///
/// # Safety
/// `model` is NULL or alive; `block` is NULL or a struct of the size it says, its texts NULL or ending with a NUL, its arrays NULL or as long as it says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_model_add_state_space(
    model: *mut fourbar_model,
    block: *const fourbar_state_space,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(model, |draft| {
            view::reference(block, "block")?;
            let given = options::read(block)?;
            let texts = view::slice(given.inputs, given.input_count, "inputs")?;
            let inputs: Result<Vec<Expression>, Failure> =
                texts.iter().map(|text| expression(*text, "inputs")).collect();
            let (n, outputs) = (given.state_count, given.output_count);
            let d = if given.d.is_null() { Vec::new() } else { rows(given.d, outputs, given.input_count, "d")? };
            let start = if given.start.is_null() {
                Vec::new()
            } else {
                constants(view::slice(given.start, n, "start")?, "start")?
            };
            let block = StateSpaceBlock {
                name: view::text(given.name, "name")?.to_owned(),
                unit: unit_of(given.unit)?,
                inputs: inputs?,
                a: rows(given.a, n, n, "a")?,
                b: rows(given.b, n, given.input_count, "b")?,
                c: rows(given.c, outputs, n, "c")?,
                d,
                start,
            };
            draft.change().model.state_spaces.push(block);
            Ok(())
        })
    }
}

/// A controller y = kp e + ki times the integral of e + kd times its filtered rate, between limits; set by `fourbar_pid_init` first. Texts and numbers are
/// copied.
#[allow(non_camel_case_types)]
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct fourbar_pid {
    /// sizeof(fourbar_pid).
    pub struct_size: usize,
    /// Name: y is a measure of that name, e the measure `name.u`, y without limits `name.raw`; states are `name.integral` and `name.filtered`.
    pub name: *const c_char,
    /// Unit of y; NULL (the default): a bare number.
    pub unit: *const c_char,
    /// The error e, an expression of `time`, measures, inputs and states.
    pub input: *const c_char,
    /// Proportional gain; 0 by default.
    pub kp: f64,
    /// Integral gain; 0 by default.
    pub ki: f64,
    /// Derivative gain; 0 by default.
    pub kd: f64,
    /// Time constant of the filter of the rate \[s\], needed with `kd`; NaN (the default): none.
    pub filter: f64,
    /// Smallest y; minus infinity by default.
    pub lower: f64,
    /// Largest y; infinity by default.
    pub upper: f64,
    /// Time within which the integral returns from a limit \[s\]; NaN (the default): kp/ki.
    pub tracking: f64,
    /// Part of the integral in y at the start; 0 by default.
    pub start: f64,
    /// Error before the start, from which the rate begins; 0 by default.
    pub start_input: f64,
}

// SAFETY: numbers and pointers, the size first.
unsafe impl Grows for fourbar_pid {
    const NAME: &'static str = "fourbar_pid";
    const FIRST: usize = size_of::<Self>();

    fn defaults() -> Self {
        Self {
            struct_size: size_of::<Self>(),
            name: std::ptr::null(),
            unit: std::ptr::null(),
            input: std::ptr::null(),
            kp: 0.0,
            ki: 0.0,
            kd: 0.0,
            filter: f64::NAN,
            lower: f64::NEG_INFINITY,
            upper: f64::INFINITY,
            tracking: f64::NAN,
            start: 0.0,
            start_input: 0.0,
        }
    }
}

/// Sets the defaults; `size` is sizeof(fourbar_pid).
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_STRUCT_SIZE`.
///
/// # Safety
/// `pid` is NULL or has `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_pid_init(pid: *mut fourbar_pid, size: usize) -> fourbar_status {
    // SAFETY: by contract.
    guard::guard(|| unsafe { options::write(pid, size, &fourbar_pid::defaults()) })
}

/// Adds a controller.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_STRUCT_SIZE`, `FOURBAR_TEXT`, `FOURBAR_NOT_FINITE`, `FOURBAR_INVALID` for an error that is no expression. Limits and times
/// that make no controller are errors of `fourbar_model_compile`.
///
/// # Safety
/// `model` is NULL or alive; `pid` is NULL or a struct of the size it says, its texts NULL or ending with a NUL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_model_add_pid(model: *mut fourbar_model, pid: *const fourbar_pid) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(model, |draft| {
            view::reference(pid, "pid")?;
            let given = options::read(pid)?;
            let constant = |value: f64, name: &str| number(value, name).map(Expression::constant);
            // A number that stands for none is left out.
            let unless = |none: bool, value: f64, name: &str| (!none).then(|| constant(value, name)).transpose();
            let block = Pid {
                name: view::text(given.name, "name")?.to_owned(),
                unit: unit_of(given.unit)?,
                input: expression(given.input, "input")?,
                kp: constant(given.kp, "kp")?,
                ki: constant(given.ki, "ki")?,
                kd: constant(given.kd, "kd")?,
                filter: unless(given.filter.is_nan(), given.filter, "filter")?,
                lower: unless(given.lower == f64::NEG_INFINITY, given.lower, "lower")?,
                upper: unless(given.upper == f64::INFINITY, given.upper, "upper")?,
                tracking: unless(given.tracking.is_nan(), given.tracking, "tracking")?,
                start: constant(given.start, "start")?,
                start_input: constant(given.start_input, "start_input")?,
            };
            draft.change().model.pids.push(block);
            Ok(())
        })
    }
}

/// # Safety
/// `unit` is NULL or ends with a NUL.
unsafe fn unit_of(unit: *const c_char) -> Result<String, Failure> {
    // SAFETY: by contract.
    Ok(if unit.is_null() { "" } else { unsafe { view::text(unit, "unit") }? }.to_owned())
}

fn constants(values: &[f64], name: &str) -> Result<Vec<Expression>, Failure> {
    values.iter().map(|value| number(*value, name).map(Expression::constant)).collect()
}

/// The rows of a matrix that is stored column after column.
///
/// # Safety
/// `values` is NULL or has rows times columns values.
unsafe fn rows(values: *const f64, rows: usize, columns: usize, name: &str) -> Result<Vec<Vec<Expression>>, Failure> {
    let too_many = || {
        let text = format!("'{name}' of {rows} rows and {columns} columns exceeds the memory");
        Failure::new(fourbar_status::FOURBAR_INVALID, text)
    };
    let total = rows.checked_mul(columns).ok_or_else(too_many)?;
    // SAFETY: by contract.
    let values = unsafe { view::slice(values, total, name) }?;
    let row = |k: usize| constants(&values.iter().copied().skip(k).step_by(rows).collect::<Vec<_>>(), name);
    (0..rows).map(row).collect()
}
