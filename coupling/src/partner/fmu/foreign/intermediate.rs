//! Inputs within a step: FMI 3.0, section 4.2.2, `fmi3IntermediateUpdateCallback`.

use super::Environment;
use super::functions::{Component, Number3};
use crate::function::Signal;
use std::ffi::c_void;
use std::sync::PoisonError;

/// Polynomials of the inputs that may be set within a step.
pub(super) struct Intermediate {
    pub(super) component: Component,
    pub(super) set: Number3,
    pub(super) references: Vec<u32>,
    pub(super) signals: Vec<Signal>,
    /// Time of the polynomials \[s\].
    pub(super) since: f64,
    pub(super) values: Vec<f64>,
}

// SAFETY: the pointer is used by the callback alone, which the FMU calls while the instance lives.
unsafe impl Send for Intermediate {}

/// The callback: writes the inputs at the time of the FMU where it asks for them. It never asks for an early return.
pub(super) extern "C" fn update(
    environment: *mut c_void,
    time: f64,
    set_requested: bool,
    _get_allowed: bool,
    _step_finished: bool,
    _can_return_early: bool,
    early_return: *mut bool,
    _early_return_time: *mut f64,
) {
    // SAFETY: the FMU passes a place for the answer, or NULL.
    if let Some(early_return) = unsafe { early_return.as_mut() } {
        *early_return = false;
    }
    // SAFETY: the environment is that of the instance, and outlives it.
    let Some(environment) = (unsafe { environment.cast::<Environment>().as_ref() }) else { return };
    if !set_requested {
        return;
    }
    let mut guard = environment.intermediate.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(intermediate) = guard.as_mut() else { return };
    let Intermediate { component, set, references, signals, since, values } = intermediate;
    for (value, signal) in values.iter_mut().zip(signals.iter()) {
        *value = signal.at(time - *since);
    }
    if let Some(set) = set.set {
        let count = references.len();
        // SAFETY: the FMU has asked for the call; the arrays have `count` entries. A status cannot be handed on: doStep tells of it.
        unsafe { set(*component, references.as_ptr(), count, values.as_ptr().cast(), count) };
    }
}
