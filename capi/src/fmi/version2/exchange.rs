//! Model exchange.

use crate::abi::view;
use crate::fmi::component::{Component, call, failure};
use crate::fmi::exchange::{read, set_states, update};
use std::ffi::c_int;

/// `fmi2EventInfo`.
#[derive(Debug)]
#[repr(C)]
pub struct EventInfo {
    /// Whether another update is needed at this time: never.
    pub new_discrete_states_needed: c_int,
    /// Whether the model has ended the simulation: never.
    pub terminate_simulation: c_int,
    /// Whether nominal values have changed: never.
    pub nominals_changed: c_int,
    /// Whether states have other values.
    pub values_changed: c_int,
    /// Whether the next event in time is known.
    pub next_event_time_defined: c_int,
    /// Its time \[s\].
    pub next_event_time: f64,
}

entries! {
    /// `fmi2EnterEventMode`.
    fmi2EnterEventMode() => |component| call(component, |instance| instance.enter_event().map_err(failure));
}

/// `fmi2NewDiscreteStates`.
///
/// # Safety
/// pointers are NULL or valid as the standard says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2NewDiscreteStates(component: *mut Component, info: *mut EventInfo) -> c_int {
    // SAFETY: by contract.
    unsafe {
        update(component, |update| {
            let told = EventInfo {
                new_discrete_states_needed: 0,
                terminate_simulation: 0,
                nominals_changed: 0,
                values_changed: c_int::from(update.states_changed),
                next_event_time_defined: c_int::from(update.next_event.is_some()),
                next_event_time: update.next_event.unwrap_or_default(),
            };
            view::write(info, told, "eventInfo")
        })
    }
}

entries! {
    /// `fmi2EnterContinuousTimeMode`.
    fmi2EnterContinuousTimeMode() => |component| call(component, |instance| instance.enter_continuous_time().map_err(failure));
}

/// `fmi2CompletedIntegratorStep`.
///
/// # Safety
/// pointers are NULL or valid as the standard says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2CompletedIntegratorStep(
    component: *mut Component,
    _no_set_state: c_int,
    enter_event_mode: *mut c_int,
    terminate: *mut c_int,
) -> c_int {
    // SAFETY: by contract.
    unsafe {
        call(component, |instance| {
            view::write(terminate, 0, "terminateSimulation")?;
            let enter = instance.completed_step().map_err(failure)?;
            view::write(enter_event_mode, c_int::from(enter), "enterEventMode")
        })
    }
}

entries! {
    /// `fmi2SetTime`.
    fmi2SetTime(time: f64) => |component, time| call(component, |instance| instance.set_time(time).map_err(failure));

    /// `fmi2SetContinuousStates`.
    fmi2SetContinuousStates(states: *const f64, count: usize) => set_states;

    /// `fmi2GetDerivatives`.
    fmi2GetDerivatives(derivatives: *mut f64, count: usize) =>
        |component, derivatives, count| read(component, derivatives, count, "derivatives", |own, values| own.state_derivatives(values));

    /// `fmi2GetEventIndicators`.
    fmi2GetEventIndicators(indicators: *mut f64, count: usize) =>
        |component, indicators, count| read(component, indicators, count, "eventIndicators", |own, values| own.event_indicators(values));

    /// `fmi2GetContinuousStates`.
    fmi2GetContinuousStates(states: *mut f64, count: usize) =>
        |component, states, count| read(component, states, count, "x", |own, values| own.states(values));

    /// `fmi2GetNominalsOfContinuousStates`.
    fmi2GetNominalsOfContinuousStates(nominals: *mut f64, count: usize) =>
        |component, nominals, count| read(component, nominals, count, "x_nominal", |own, values| own.nominals(values));
}
