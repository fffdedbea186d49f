//! A system advanced step by step.

use std::ffi::c_char;

use fourbar::lti::Stepper;

use super::method::{fourbar_hold, method_of};
use super::system::{check_room, fourbar_system};
use crate::abi::error::Failure;
use crate::abi::handle::Exclusive;
use crate::abi::status::fourbar_status;
use crate::abi::{handle, view};

/// A linear system that advances in steps: state, input history, outputs. Used by one thread at a time. No step allocates.
#[allow(non_camel_case_types)]
pub struct fourbar_stepper {
    own: Exclusive<Stepper>,
}

/// # Safety
/// `stepper` is NULL or alive.
#[inline]
pub(super) unsafe fn with(
    stepper: *const fourbar_stepper,
    call: impl FnOnce(&mut Stepper) -> Result<(), Failure>,
) -> fourbar_status {
    // SAFETY: by contract.
    match unsafe { stepper.as_ref() } {
        Some(stepper) => stepper.own.with("stepper", call),
        None => handle::null("stepper"),
    }
}

/// A stepper of `system` with steps of `step` \[s\], at t = 0 in the state 0; `hold` NULL means the first-order hold. The system may be
/// freed afterwards.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_INVALID`, `FOURBAR_STRUCT_SIZE`, `FOURBAR_OVERFLOW`; `FOURBAR_LENGTH` where memory is too small for its matrices.
///
/// # Safety
/// Pointers are NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_stepper_new(
    system: *const fourbar_system,
    step: f64,
    hold: *const fourbar_hold,
    out: *mut *mut fourbar_stepper,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        handle::give(out, "out", || {
            let system = &view::reference(system, "system")?.system;
            let (method, precision) = method_of(hold)?;
            check_room(system.states(), method.nodes().map_or(0, |nodes| nodes.len()))?;
            Ok(fourbar_stepper { own: Exclusive::new(Stepper::with_precision(system, step, method, precision)?) })
        })
    }
}

/// The number of samples that `fourbar_stepper_step` takes, of m values each.
///
/// # Safety
/// Pointers are NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_stepper_samples(
    stepper: *const fourbar_stepper,
    samples: *mut usize,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe { with(stepper, |stepper| view::write(samples, stepper.sample_offsets().len(), "samples")) }
}

/// The times of the samples that `fourbar_stepper_step` takes, as offsets from the beginning of the step \[s\]; `length` is the number that
/// `fourbar_stepper_samples` gives.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_LENGTH`.
///
/// # Safety
/// `offsets` is NULL or has `length` values.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_stepper_offsets(
    stepper: *const fourbar_stepper,
    offsets: *mut f64,
    length: usize,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe { with(stepper, |stepper| view::copy(&stepper.sample_offsets(), offsets, length, "offsets")) }
}

/// The same for `fourbar_stepper_start_step`; none where the method needs no start-up. With `offsets` NULL only `count` is written.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_LENGTH`.
///
/// # Safety
/// `offsets` is NULL or has `length` values; `count` is NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_stepper_startup_offsets(
    stepper: *const fourbar_stepper,
    offsets: *mut f64,
    length: usize,
    count: *mut usize,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(stepper, |stepper| {
            let own = stepper.startup_offsets();
            if !offsets.is_null() {
                view::copy(&own, offsets, length, "offsets")?;
            }
            view::write(count, own.len(), "count")
        })
    }
}

/// Samples of the past that are still missing before `fourbar_stepper_step` may be called.
///
/// # Safety
/// Pointers are NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_stepper_missing_history(
    stepper: *const fourbar_stepper,
    samples: *mut usize,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe { with(stepper, |stepper| view::write(samples, stepper.missing_history(), "samples")) }
}

/// The input at the present time is `u` (m values), and what came before is forgotten: at the beginning, and after a jump of the input.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_LENGTH`, `FOURBAR_NOT_FINITE`.
///
/// # Safety
/// `u` is NULL or has `length` values.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_stepper_set_input(
    stepper: *mut fourbar_stepper,
    u: *const f64,
    length: usize,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe { with(stepper, |stepper| Ok(stepper.set_input(view::slice(u, length, "u")?)?)) }
}

/// The samples of the past that the first step needs, oldest first, m values each, as many as `fourbar_stepper_missing_history` says at
/// the start.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_LENGTH`, `FOURBAR_NOT_FINITE`.
///
/// # Safety
/// `samples` is NULL or has `length` values.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_stepper_set_history(
    stepper: *mut fourbar_stepper,
    samples: *const f64,
    length: usize,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe { with(stepper, |stepper| Ok(stepper.set_history(view::slice(samples, length, "samples")?)?)) }
}

/// One step: `u` holds the samples at `fourbar_stepper_offsets`, m values each; `y` receives the q outputs at its end. Allocates nothing.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_LENGTH`, `FOURBAR_NOT_FINITE`, `FOURBAR_STATE` while the history is empty: after these nothing has
/// changed. `FOURBAR_OVERFLOW` when an unstable state leaves the range of double: restore or reset.
///
/// # Safety
/// `u` is NULL or has `u_length` values, `y` is NULL or has `y_length`; they do not overlap.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_stepper_step(
    stepper: *mut fourbar_stepper,
    u: *const f64,
    u_length: usize,
    y: *mut f64,
    y_length: usize,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(stepper, |stepper| Ok(stepper.step(view::slice(u, u_length, "u")?, view::slice_mut(y, y_length, "y")?)?))
    }
}

/// One step with the one-step method of the same order, while the history of a multistep method fills; `u` holds the samples at
/// `fourbar_stepper_startup_offsets`.
///
/// Errors: as `fourbar_stepper_step`.
///
/// # Safety
/// As `fourbar_stepper_step`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_stepper_start_step(
    stepper: *mut fourbar_stepper,
    u: *const f64,
    u_length: usize,
    y: *mut f64,
    y_length: usize,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(stepper, |stepper| {
            Ok(stepper.start_step(view::slice(u, u_length, "u")?, view::slice_mut(y, y_length, "y")?)?)
        })
    }
}

/// The present time \[s\] and the number of steps made; either may be NULL.
///
/// # Safety
/// Pointers are NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_stepper_time(
    stepper: *const fourbar_stepper,
    time: *mut f64,
    steps: *mut u64,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(stepper, |stepper| {
            if !time.is_null() {
                time.write(stepper.time());
            }
            if !steps.is_null() {
                steps.write(stepper.steps());
            }
            Ok(())
        })
    }
}

/// x, n values.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_LENGTH`.
///
/// # Safety
/// `x` is NULL or has `length` values.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_stepper_get_state(
    stepper: *const fourbar_stepper,
    x: *mut f64,
    length: usize,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe { with(stepper, |stepper| view::copy(stepper.state(), x, length, "x")) }
}

/// Puts the system into the state `x` (n values); the input history stays.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_LENGTH`, `FOURBAR_NOT_FINITE`.
///
/// # Safety
/// `x` is NULL or has `length` values.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_stepper_set_state(
    stepper: *mut fourbar_stepper,
    x: *const f64,
    length: usize,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe { with(stepper, |stepper| Ok(stepper.set_state(view::slice(x, length, "x")?)?)) }
}

/// y = C x + D u for the present state and a given input `u` of m values; `y` receives q values.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_LENGTH`, `FOURBAR_NOT_FINITE`.
///
/// # Safety
/// `u` is NULL or has `u_length` values, `y` is NULL or has `y_length`; they do not overlap.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_stepper_output(
    stepper: *const fourbar_stepper,
    u: *const f64,
    u_length: usize,
    y: *mut f64,
    y_length: usize,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(stepper, |stepper| Ok(stepper.output(view::slice(u, u_length, "u")?, view::slice_mut(y, y_length, "y")?)?))
    }
}

/// The estimated local error of the state over the last step (exact minus computed), n values.
///
/// Errors: `FOURBAR_NULL`; `FOURBAR_LENGTH`; `FOURBAR_STATE` where there is none: the classical methods, or too few samples since the start
/// or the last jump.
///
/// # Safety
/// `error` is NULL or has `length` values.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_stepper_local_error(
    stepper: *const fourbar_stepper,
    error: *mut f64,
    length: usize,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(stepper, |stepper| {
            if stepper.local_error(view::slice_mut(error, length, "error")?)? {
                return Ok(());
            }
            let text = "there is no estimate of the local error: the method has none, or more steps must be made since the start or the last jump";
            Err(Failure::new(fourbar_status::FOURBAR_STATE, text))
        })
    }
}

/// Back to t = 0, state 0 and an empty history.
///
/// # Safety
/// `stepper` is NULL or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_stepper_reset(stepper: *mut fourbar_stepper) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(stepper, |stepper| {
            stepper.reset();
            Ok(())
        })
    }
}

/// Takes over time, state and present input of another stepper of the same system with another step or hold; the older input history is
/// forgotten.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_LENGTH` when the numbers of states or inputs differ, `FOURBAR_BUSY` when both are the same.
///
/// # Safety
/// Pointers are NULL or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_stepper_continue_from(
    stepper: *mut fourbar_stepper,
    other: *const fourbar_stepper,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe { with(stepper, |stepper| handle::nested(with(other, |other| Ok(stepper.continue_from(other)?)))) }
}

/// The text of the last error on this handle; read it on the thread that uses the handle. Valid as long as the handle.
///
/// # Safety
/// `stepper` is NULL (then the text is empty) or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_stepper_error(stepper: *const fourbar_stepper) -> *const c_char {
    // SAFETY: by contract.
    unsafe { stepper.as_ref() }.map_or(c"".as_ptr(), |stepper| stepper.own.message())
}

/// Frees a stepper. NULL is allowed.
///
/// # Safety
/// `stepper` is NULL or alive, and not used afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_stepper_free(stepper: *mut fourbar_stepper) {
    // SAFETY: by contract.
    unsafe { handle::free(stepper) }
}
