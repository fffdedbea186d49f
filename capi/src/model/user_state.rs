//! Unknowns of the user.

use std::ffi::c_char;

use fourbar::multibody::expression::Expression;
use fourbar::multibody::model::UserState;

use super::joint::expression;
use super::model::{fourbar_model, number, with};
use crate::abi::status::fourbar_status;
use crate::abi::view;

/// Adds a state: an unknown x of `unit` (NULL: a bare number), solved with the mechanism. Forces, measures and other states use it by its name, and it
/// is a measure. With `implicit` 0 its equation is x' = `equation` and `start` its value at the start; else 0 = `equation`, and `start` is a guess.
/// `size` is its typical size, above 0: the error test goes by it as long as x rests at 0.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_TEXT`, `FOURBAR_NOT_FINITE`, `FOURBAR_INVALID` for an equation that is no expression.
///
/// # Safety
/// `model` is NULL or alive; texts are NULL or end with a NUL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_model_add_state(
    model: *mut fourbar_model,
    name: *const c_char,
    unit: *const c_char,
    equation: *const c_char,
    implicit: i32,
    start: f64,
    size: f64,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(model, |draft| {
            let equation = expression(equation, "equation")?;
            let (rate, zero) = if implicit == 0 { (Some(equation), None) } else { (None, Some(equation)) };
            let state = UserState {
                name: view::text(name, "name")?.to_owned(),
                unit: if unit.is_null() { "" } else { view::text(unit, "unit")? }.to_owned(),
                rate,
                zero,
                start: Expression::constant(number(start, "start")?),
                size: Expression::constant(number(size, "size")?),
            };
            draft.change().model.states.push(state);
            Ok(())
        })
    }
}
