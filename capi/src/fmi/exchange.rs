//! Model exchange, for both versions of the standard.

use super::component::{Component, DISCARD, ERROR, call, call_noting, failure};
use crate::abi::view;
use fourbar::fmi::{Error, EventUpdate, Instance};
use std::cell::Cell;
use std::ffi::c_int;

/// Reads an array; "discard" where the equations cannot be evaluated here, and may be elsewhere.
///
/// # Safety
/// `component` is NULL or alive; `values` is NULL or has `count` values.
pub(super) unsafe fn read(
    component: *mut Component,
    values: *mut f64,
    count: usize,
    name: &str,
    read: impl FnOnce(&mut Instance, &mut [f64]) -> Result<(), Error>,
) -> c_int {
    let status = Cell::new(ERROR);
    // SAFETY: by contract.
    unsafe {
        call_noting(component, &status, |instance| {
            read(instance, view::slice_mut(values, count, name)?).map_err(|error| {
                if error.is_recoverable() {
                    status.set(DISCARD);
                }
                failure(error)
            })
        })
    }
}

/// Sets the states.
///
/// # Safety
/// `component` is NULL or alive; `states` is NULL or has `count` values.
pub(super) unsafe fn set_states(component: *mut Component, states: *const f64, count: usize) -> c_int {
    // SAFETY: by contract.
    unsafe {
        call(component, |instance| {
            instance.set_states(view::slice(states, count, "continuousStates")?).map_err(failure)
        })
    }
}

/// Handles events; `write` takes what it came to.
///
/// # Safety
/// `component` is NULL or alive.
pub(super) unsafe fn update(
    component: *mut Component,
    write: impl FnOnce(EventUpdate) -> Result<(), crate::abi::error::Failure>,
) -> c_int {
    // SAFETY: by contract.
    unsafe { call(component, |instance| write(instance.update_discrete_states().map_err(failure)?)) }
}
