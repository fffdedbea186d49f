//! Steps.

use crate::abi::error::Failure;
use crate::abi::view;
use crate::fmi::component::{Component, ERROR, OK, call, failure, unsupported};
use fourbar::fmi::{Advance, Instance};
use std::ffi::c_int;

/// `fmi3DoStep`; a sensor of the model that ends the simulation returns early and asks to terminate it. Where the importer allows it, steps return
/// early at events too, and after an intermediate update that asks for it.
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
    let told = |advance: &Advance, early: bool| -> Result<(), Failure> {
        // SAFETY: by contract.
        unsafe {
            view::write(event_handling_needed, 0, "eventHandlingNeeded")?;
            view::write(terminate_simulation, u8::from(advance.ended_by.is_some()), "terminateSimulation")?;
            view::write(early_return, u8::from(early || advance.ended_by.is_some()), "earlyReturn")?;
            view::write(last_successful_time, advance.time, "lastSuccessfulTime")
        }
    };
    let mut to = time;
    let begin = |instance: &mut Instance| {
        // Checked before the step: what fails here leaves the instance as it was.
        let still = Advance { time: instance.time(), ended_by: None, at_event: false, is_whole: false };
        told(&still, false)?;
        to = instance.begin_step(time, step).map_err(failure)?;
        Ok(())
    };
    // SAFETY: by contract.
    let begun = unsafe { call(component, begin) };
    if begun != OK {
        return begun;
    }
    // SAFETY: by contract; it is not NULL, or the step would not have begun.
    let Some(intermediate) = (unsafe { component.as_ref() }).map(|own| &own.intermediate) else { return ERROR };
    loop {
        let mut advance = None;
        let step_on = |instance: &mut Instance| {
            let reached = instance.step_on(to).map_err(failure)?;
            told(&reached, false)?;
            advance = Some(reached);
            Ok(())
        };
        // SAFETY: by contract. Between the parts of a step the importer may call functions that read values.
        let status = unsafe { call(component, step_on) };
        let Some(advance) = advance.filter(|advance| status == OK && !advance.is_whole) else { return status };
        let at_event = intermediate.may_leave && advance.at_event && advance.time > time;
        if intermediate.tell(advance.time) || at_event {
            let leave = |instance: &mut Instance| {
                instance.leave_step();
                told(&advance, true)
            };
            // SAFETY: by contract.
            return unsafe { call(component, leave) };
        }
    }
}

entries! {
    /// `fmi3GetOutputDerivatives`: not claimed.
    fmi3GetOutputDerivatives(_references: *const u32, _count: usize, _orders: *const i32, _values: *mut f64, _value_count: usize) =>
        |component, _, _, _, _, _| unsupported(component, "a derivative of an output");
}
