//! Whole signals in, whole trajectories out.

use std::ffi::c_void;

use fourbar::linalg::text::Brief;
use fourbar::lti::simulate;

use super::stepper::{fourbar_stepper, with};
use crate::abi::environment::of_host;
use crate::abi::error::Failure;
use crate::abi::status::fourbar_status;
use crate::abi::{callback, interrupt, view};

/// Many steps through sampled input: `samples` holds the samples of one step after the other, `outputs` receives q values a step, `steps`
/// (may be NULL) their number. After a failure the stepper stands before the step that failed.
///
/// Errors: as `fourbar_stepper_step`; `FOURBAR_LENGTH` when `samples` is not a whole number of steps or `outputs` does not fit it.
///
/// # Safety
/// `samples` is NULL or has `samples_length` values, `outputs` is NULL or has `outputs_length`; they do not overlap.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_stepper_run(
    stepper: *mut fourbar_stepper,
    samples: *const f64,
    samples_length: usize,
    outputs: *mut f64,
    outputs_length: usize,
    steps: *mut usize,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(stepper, |stepper| {
            let samples = view::slice(samples, samples_length, "samples")?;
            let made = stepper.run(samples, view::slice_mut(outputs, outputs_length, "outputs")?)?;
            if !steps.is_null() {
                steps.write(made);
            }
            Ok(())
        })
    }
}

/// The input at the time `t` \[s\], which the host writes into the `m` values of `u`. Returns 0, or another number to stop (see
/// `fourbar_callback_error`). It may not call back into the stepper that called it.
#[allow(non_camel_case_types)]
pub type fourbar_input_function = Option<unsafe extern "C" fn(user: *mut c_void, t: f64, u: *mut f64, m: usize) -> i32>;

type Input = unsafe extern "C" fn(*mut c_void, f64, *mut f64, usize) -> i32;

/// Steps from the present time on by `outputs_length` / q steps under an input that the host computes at the times the method asks for;
/// `outputs` receives the q outputs at the end of each step. A history that is still empty is filled by the one-step method of the same
/// order, as the source does it.
///
/// Errors: `FOURBAR_NULL`; `FOURBAR_LENGTH` when `outputs` is not a whole number of steps; `FOURBAR_CALLBACK` when `input` returns another
/// number than 0, or writes NaN or infinity; `FOURBAR_STATE` for a method without start-up that lacks its history;
/// `FOURBAR_OVERFLOW`. The stepper then stands before the step that failed, and the outputs before it are written.
///
/// # Safety
/// `outputs` is NULL or has `outputs_length` values; `input` is NULL or a function of the type, that does not unwind.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_stepper_simulate(
    stepper: *mut fourbar_stepper,
    input: fourbar_input_function,
    user: *mut c_void,
    outputs: *mut f64,
    outputs_length: usize,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(stepper, |stepper| {
            let input = input.ok_or_else(|| Failure::null("input"))?;
            let outputs = view::slice_mut(outputs, outputs_length, "outputs")?;
            let mut failed = None;
            let result = simulate(
                stepper,
                |t, u| {
                    // NaN stops the step before it changes anything.
                    match failed {
                        None => failed = ask(input, user, t, u).err(),
                        Some(_) => u.fill(f64::NAN),
                    }
                },
                outputs,
            );
            match failed {
                Some(failure) => Err(failure),
                None => Ok(result?),
            }
        })
    }
}

/// What the host's function writes for the time `t`, or NaN and why.
///
/// # Safety
/// `input` is as its type says.
unsafe fn ask(input: Input, user: *mut c_void, t: f64, u: &mut [f64]) -> Result<(), Failure> {
    // What it forgets to write is no number.
    u.fill(f64::NAN);
    interrupt::go_on()?;
    // SAFETY: by contract; the array has the length it is told.
    let returned = of_host(|| unsafe { input(user, t, u.as_mut_ptr(), u.len()) });
    let reason = match u.iter().position(|value| !value.is_finite()) {
        _ if returned != 0 => callback::reason(returned),
        Some(i) => format!("it gives {} for u[{i}]", u[i]),
        None => {
            callback::forget();
            return Ok(());
        }
    };
    u.fill(f64::NAN);
    let text = format!("the input function failed at t = {} s: {reason}", Brief(t));
    Err(Failure::new(fourbar_status::FOURBAR_CALLBACK, text))
}
