//! Steps.

use crate::abi::view;
use crate::fmi::component::{Component, DISCARD, OK, call, failure, tell, unsupported};
use fourbar::fmi::Phase;
use std::ffi::{c_char, c_int};

/// `fmi2LastSuccessfulTime`.
const LAST_SUCCESSFUL_TIME: c_int = 2;
/// `fmi2Terminated`.
const TERMINATED: c_int = 3;

/// `fmi2DoStep`; "discard" where the model ends the simulation before the end of the step.
///
/// # Safety
/// `component` is NULL or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2DoStep(component: *mut Component, time: f64, step: f64, _no_set_state: c_int) -> c_int {
    let mut ended_by = None;
    // SAFETY: by contract.
    unsafe {
        let status = call(component, |instance| {
            ended_by = instance.step(time, step).map_err(failure)?.ended_by;
            Ok(())
        });
        match ended_by {
            Some(sensor) if status == OK => {
                tell(component, DISCARD, &format!("the sensor \"{sensor}\" has ended the simulation"));
                DISCARD
            }
            _ => status,
        }
    }
}

/// `fmi2SetRealInputDerivatives`: for the next step.
///
/// # Safety
/// pointers are NULL or valid as the standard says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2SetRealInputDerivatives(
    component: *mut Component,
    references: *const u32,
    count: usize,
    orders: *const c_int,
    values: *const f64,
) -> c_int {
    // SAFETY: by contract.
    unsafe {
        call(component, |instance| {
            let references = view::slice(references, count, "valueReferences")?;
            let (orders, values) = (view::slice(orders, count, "orders")?, view::slice(values, count, "values")?);
            let mut all = references.iter().zip(orders).zip(values);
            all.try_for_each(|((r, order), value)| instance.set_derivative(*r, *order, *value)).map_err(failure)
        })
    }
}

entries! {
    /// `fmi2GetRealOutputDerivatives`: not claimed.
    fmi2GetRealOutputDerivatives(_references: *const u32, _count: usize, _orders: *const c_int, _values: *mut f64) =>
        |component, _, _, _, _| unsupported(component, "a derivative of an output");

    /// `fmi2CancelStep`: steps are made before they return.
    fmi2CancelStep() => |component| unsupported(component, "a step that goes on in the background");

    /// `fmi2GetStatus`: steps are made before they return.
    fmi2GetStatus(_kind: c_int, _value: *mut c_int) =>
        |component, _, _| unsupported(component, "the status of a step that goes on in the background");

    /// `fmi2GetIntegerStatus`: steps are made before they return.
    fmi2GetIntegerStatus(_kind: c_int, _value: *mut c_int) =>
        |component, _, _| unsupported(component, "the status of a step that goes on in the background");

    /// `fmi2GetStringStatus`: steps are made before they return.
    fmi2GetStringStatus(_kind: c_int, _value: *mut *const c_char) =>
        |component, _, _| unsupported(component, "the status of a step that goes on in the background");
}

/// `fmi2GetRealStatus`: the last successful time.
///
/// # Safety
/// pointers are NULL or valid as the standard says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetRealStatus(component: *mut Component, kind: c_int, value: *mut f64) -> c_int {
    // SAFETY: by contract.
    unsafe {
        call(component, |instance| match kind {
            LAST_SUCCESSFUL_TIME => view::write(value, instance.time(), "value"),
            _ => Err(failure(format!("there is no real status of the kind {kind}; 2 is the last successful time"))),
        })
    }
}

/// `fmi2GetBooleanStatus`: whether the model has ended the simulation.
///
/// # Safety
/// pointers are NULL or valid as the standard says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetBooleanStatus(component: *mut Component, kind: c_int, value: *mut c_int) -> c_int {
    // SAFETY: by contract.
    unsafe {
        call(component, |instance| match kind {
            TERMINATED => view::write(value, c_int::from(instance.phase() == Phase::Ended), "value"),
            _ => Err(failure(format!(
                "there is no Boolean status of the kind {kind}; 3 tells whether the model has ended"
            ))),
        })
    }
}
