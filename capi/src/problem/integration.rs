//! A problem advanced in time.

use std::ffi::c_char;

use super::options::{fourbar_integration_options, method_of};
use super::stepper::{Stepper, derivative};
use super::stop::fourbar_stop;
use super::system::fourbar_problem;
use crate::abi::error::Failure;
use crate::abi::handle::Exclusive;
use crate::abi::status::fourbar_status;
use crate::abi::{handle, view};
use crate::simulation::saving::flatten;

/// An integrator at work on a problem. Used by one thread at a time; the functions of the problem are called on that thread, and get
/// `FOURBAR_BUSY` where they call back.
#[allow(non_camel_case_types)]
pub struct fourbar_integration {
    own: Exclusive<Stepper>,
}

/// # Safety
/// `integration` is NULL or alive.
#[inline]
pub(super) unsafe fn with(
    integration: *const fourbar_integration,
    call: impl FnOnce(&mut Stepper) -> Result<(), Failure>,
) -> fourbar_status {
    // SAFETY: by contract.
    match unsafe { integration.as_ref() } {
        Some(integration) => integration.own.with("integration", call),
        None => handle::null("integration"),
    }
}

/// # Safety
/// `pointer` is NULL or has `length` values.
unsafe fn optional<'a>(pointer: *const f64, length: usize, name: &str) -> Result<Option<&'a [f64]>, Failure> {
    if pointer.is_null() {
        return Ok(None);
    }
    // SAFETY: by contract.
    unsafe { view::slice(pointer, length, name) }.map(Some)
}

/// An integration from t on, with y and y' of `length` = n values each; `options` NULL means the defaults. The start has to satisfy the
/// equations (`fourbar_problem_consistent_start`); for equations y' = f(t, y), `yp` may be NULL. The end time is infinity at first. The
/// problem may be freed afterwards.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_STRUCT_SIZE`, `FOURBAR_LENGTH`, `FOURBAR_NOT_FINITE`, `FOURBAR_INVALID` for an option out of its range, `FOURBAR_CALLBACK`;
/// `FOURBAR_UNSUPPORTED` for RKF45 or ABAM on equations F(t, y, y') = 0, and for a constant step of ABAM.
///
/// # Safety
/// `y` and `yp` are NULL or have `length` values; the options are NULL or as they say; the others are NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_integration_new(
    problem: *const fourbar_problem,
    options: *const fourbar_integration_options,
    t: f64,
    y: *const f64,
    yp: *const f64,
    length: usize,
    out: *mut *mut fourbar_integration,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        handle::give(out, "out", || {
            let table = &view::reference(problem, "problem")?.table;
            let method = method_of(options, table.unknowns.len())?;
            let y = view::slice(y, length, "y")?;
            let yp = derivative(table, t, y, optional(yp, length, "yp")?)?;
            Ok(fourbar_integration { own: Exclusive::new(Stepper::start(table, method, t, y, &yp)?) })
        })
    }
}

/// One accepted step, or the rest of one behind an event; none where the end time is reached. `stop` receives a value of `fourbar_stop`.
///
/// Errors: `FOURBAR_NUMERICAL` where the step would have to be smaller than the smallest, or the steps allowed are used up; `FOURBAR_CALLBACK`
/// where a function of the problem says that the run must stop, or no step avoids the points that it cannot evaluate. The integration then
/// stands at the last accepted step, or at an event that is not handled, and the call may be repeated.
///
/// # Safety
/// Pointers are NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_integration_step(
    integration: *mut fourbar_integration,
    stop: *mut i32,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(integration, |stepper| {
            view::reference(stop, "stop")?;
            view::write(stop, stepper.step()? as i32, "stop")
        })
    }
}

/// Steps up to t = `end` \[s\], on which the last step lands exactly, and beyond stop times. Comes back earlier with `FOURBAR_STOP_EVENT` where the
/// problem has no event function, and with `FOURBAR_STOP_HOST` where that asks for it.
///
/// Errors: as `fourbar_integration_step`; `FOURBAR_INVALID` when `end` lies before the present time; `FOURBAR_NOT_FINITE`.
///
/// # Safety
/// Pointers are NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_integration_run(
    integration: *mut fourbar_integration,
    end: f64,
    stop: *mut i32,
) -> fourbar_status {
    use fourbar_stop as S;
    // SAFETY: by contract.
    unsafe {
        with(integration, |stepper| {
            view::reference(stop, "stop")?;
            if end == f64::INFINITY {
                let text = "'end' is infinite: the run would not come back; use fourbar_integration_step";
                return Err(Failure::new(fourbar_status::FOURBAR_INVALID, text));
            }
            stepper.integrator_mut().set_end_time(end)?;
            let reached = loop {
                match stepper.step()? {
                    S::FOURBAR_STOP_STEP | S::FOURBAR_STOP_TIME => {}
                    S::FOURBAR_STOP_EVENT if stepper.has_event_function() => {}
                    stop => break stop,
                }
            };
            view::write(stop, reached as i32, "stop")
        })
    }
}

/// Moves the end time \[s\] of `fourbar_integration_step`; steps land on it exactly. Infinity is allowed.
///
/// Errors: `FOURBAR_NULL`; `FOURBAR_INVALID` when it lies before the present time; `FOURBAR_NOT_FINITE`.
///
/// # Safety
/// `integration` is NULL or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_integration_set_end(
    integration: *mut fourbar_integration,
    end: f64,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe { with(integration, |stepper| Ok(stepper.integrator_mut().set_end_time(end)?)) }
}

/// The times \[s\] on which steps land exactly, ascending, in place of those before; those not after the present time are passed over.
///
/// Errors: `FOURBAR_NULL`; `FOURBAR_INVALID` when they do not ascend; `FOURBAR_NOT_FINITE`.
///
/// # Safety
/// `times` is NULL or has `length` values.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_integration_set_stop_times(
    integration: *mut fourbar_integration,
    times: *const f64,
    length: usize,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(integration, |stepper| {
            Ok(stepper.integrator_mut().set_stop_times(view::slice(times, length, "times")?)?)
        })
    }
}

/// Begins anew at t with y and y' of `length` = n values each, as after a jump. For equations y' = f(t, y), `yp` may be NULL. Stop and end times
/// stay.
///
/// Errors: `FOURBAR_NULL`; `FOURBAR_LENGTH`; `FOURBAR_NOT_FINITE`; `FOURBAR_INVALID` when t lies behind the end time; `FOURBAR_CALLBACK`.
///
/// # Safety
/// `y` and `yp` are NULL or have `length` values.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_integration_restart(
    integration: *mut fourbar_integration,
    t: f64,
    y: *const f64,
    yp: *const f64,
    length: usize,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(integration, |stepper| {
            let y = view::slice(y, length, "y")?;
            stepper.restart(t, y, optional(yp, length, "yp")?)
        })
    }
}

/// The state of the mechanism whose equations are integrated (`fourbar_problem_from_equations`) at the present time, as numbers (`length` values), as
/// `fourbar_simulation_get_state` gives it.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_LENGTH`; `FOURBAR_UNSUPPORTED` for equations of the host; partitioned: `FOURBAR_NUMERICAL`, `FOURBAR_CALLBACK`.
///
/// # Safety
/// `integration` is NULL or alive; `state` is NULL or has `length` values.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_integration_mechanism_state(
    integration: *mut fourbar_integration,
    state: *mut f64,
    length: usize,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(integration, |stepper| match stepper.mechanism_state()? {
            Some(now) => view::copy(&flatten(&now), state, length, "state"),
            None => {
                let text = "these are equations of the host: a state of a mechanism is behind fourbar_problem_from_equations alone";
                Err(Failure::new(fourbar_status::FOURBAR_UNSUPPORTED, text))
            }
        })
    }
}

/// The text of the last failure on this handle, empty before the first: valid as long as the handle.
///
/// # Safety
/// `integration` is NULL or alive; no other thread uses it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_integration_error(integration: *const fourbar_integration) -> *const c_char {
    // SAFETY: by contract.
    unsafe { integration.as_ref() }.map_or(c"".as_ptr(), |integration| integration.own.message())
}

/// Frees an integration. NULL is allowed.
///
/// # Safety
/// `integration` is NULL or alive, and not used afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_integration_free(integration: *mut fourbar_integration) {
    // SAFETY: by contract.
    unsafe { handle::free(integration) }
}
