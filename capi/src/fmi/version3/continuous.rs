//! Model exchange.

use crate::abi::view;
use crate::fmi::component::{Component, call, failure};
use crate::fmi::exchange::{read, set_states, update};
use std::ffi::c_int;

entries! {
    /// `fmi3EnterContinuousTimeMode`.
    fmi3EnterContinuousTimeMode() => |component| call(component, |instance| instance.enter_continuous_time().map_err(failure));
}

/// `fmi3CompletedIntegratorStep`.
///
/// # Safety
/// pointers are NULL or valid as the standard says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3CompletedIntegratorStep(
    component: *mut Component,
    _no_set_state: u8,
    enter_event_mode: *mut u8,
    terminate: *mut u8,
) -> c_int {
    // SAFETY: by contract.
    unsafe {
        call(component, |instance| {
            view::write(terminate, 0, "terminateSimulation")?;
            let enter = instance.completed_step().map_err(failure)?;
            view::write(enter_event_mode, u8::from(enter), "enterEventMode")
        })
    }
}

entries! {
    /// `fmi3SetTime`.
    fmi3SetTime(time: f64) => |component, time| call(component, |instance| instance.set_time(time).map_err(failure));

    /// `fmi3SetContinuousStates`.
    fmi3SetContinuousStates(states: *const f64, count: usize) => set_states;

    /// `fmi3GetContinuousStateDerivatives`.
    fmi3GetContinuousStateDerivatives(derivatives: *mut f64, count: usize) =>
        |component, derivatives, count| read(component, derivatives, count, "derivatives", |own, values| own.state_derivatives(values));

    /// `fmi3GetEventIndicators`.
    fmi3GetEventIndicators(indicators: *mut f64, count: usize) =>
        |component, indicators, count| read(component, indicators, count, "eventIndicators", |own, values| own.event_indicators(values));

    /// `fmi3GetContinuousStates`.
    fmi3GetContinuousStates(states: *mut f64, count: usize) =>
        |component, states, count| read(component, states, count, "continuousStates", |own, values| own.states(values));

    /// `fmi3GetNominalsOfContinuousStates`.
    fmi3GetNominalsOfContinuousStates(nominals: *mut f64, count: usize) =>
        |component, nominals, count| read(component, nominals, count, "nominals", |own, values| own.nominals(values));

    /// `fmi3GetNumberOfEventIndicators`.
    fmi3GetNumberOfEventIndicators(count: *mut usize) =>
        |component, count| call(component, |instance| view::write(count, instance.variables().indicators(), "count"));

    /// `fmi3GetNumberOfContinuousStates`.
    fmi3GetNumberOfContinuousStates(count: *mut usize) =>
        |component, count| call(component, |instance| view::write(count, instance.variables().states(), "count"));
}

/// `fmi3UpdateDiscreteStates`.
///
/// # Safety
/// pointers are NULL or valid as the standard says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3UpdateDiscreteStates(
    component: *mut Component,
    need_update: *mut u8,
    terminate: *mut u8,
    nominals_changed: *mut u8,
    values_changed: *mut u8,
    next_event_defined: *mut u8,
    next_event: *mut f64,
) -> c_int {
    // SAFETY: by contract.
    unsafe {
        update(component, |update| {
            view::write(need_update, 0, "discreteStatesNeedUpdate")?;
            view::write(terminate, 0, "terminateSimulation")?;
            view::write(nominals_changed, 0, "nominalsOfContinuousStatesChanged")?;
            view::write(values_changed, u8::from(update.states_changed), "valuesOfContinuousStatesChanged")?;
            view::write(next_event_defined, u8::from(update.next_event.is_some()), "nextEventTimeDefined")?;
            view::write(next_event, update.next_event.unwrap_or_default(), "nextEventTime")
        })
    }
}
