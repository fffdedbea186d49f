//! Steps.

use crate::abi::view;
use crate::fmi::component::{Component, call, failure, unsupported};
use std::ffi::c_int;

/// `fmi3DoStep`; a sensor of the model that ends the simulation returns early and asks to terminate it.
///
/// # Safety
/// pointers are NULL or valid as the standard says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3DoStep(
    component: *mut Component,
    time: f64,
    step: f64,
    _no_set_state: u8,
    event_handling_needed: *mut u8,
    terminate_simulation: *mut u8,
    early_return: *mut u8,
    last_successful_time: *mut f64,
) -> c_int {
    // SAFETY: by contract.
    unsafe {
        call(component, |instance| {
            // Checked before the step: what fails here leaves the instance as it was.
            view::write(event_handling_needed, 0, "eventHandlingNeeded")?;
            view::write(terminate_simulation, 0, "terminateSimulation")?;
            view::write(early_return, 0, "earlyReturn")?;
            view::write(last_successful_time, instance.time(), "lastSuccessfulTime")?;
            let reached = instance.step(time, step).map_err(failure)?;
            view::write(terminate_simulation, u8::from(reached.ended_by.is_some()), "terminateSimulation")?;
            view::write(early_return, u8::from(reached.ended_by.is_some()), "earlyReturn")?;
            view::write(last_successful_time, reached.time, "lastSuccessfulTime")
        })
    }
}

/// `fmi3GetOutputDerivatives`: not claimed.
///
/// # Safety
/// pointers are NULL or valid as the standard says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetOutputDerivatives(
    component: *mut Component,
    _references: *const u32,
    _count: usize,
    _orders: *const i32,
    _values: *mut f64,
    _value_count: usize,
) -> c_int {
    // SAFETY: by contract.
    unsafe { unsupported(component, "a derivative of an output") }
}
