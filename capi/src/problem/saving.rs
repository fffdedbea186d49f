//! An integration saved and restored.

use fourbar::multibody::integrator::Snapshot;

use super::integration::{fourbar_integration, with};
use crate::abi::error::Failure;
use crate::abi::handle::{self, Exclusive, nested};
use crate::abi::status::fourbar_status;

/// A saved point of an integration. What the host's functions remember behind `user` is not part of it.
#[allow(non_camel_case_types)]
pub struct fourbar_integration_state {
    own: Exclusive<Snapshot>,
}

/// Saves everything on which the further steps depend.
///
/// Errors: `FOURBAR_NULL`.
///
/// # Safety
/// Pointers are NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_integration_save(
    integration: *const fourbar_integration,
    out: *mut *mut fourbar_integration_state,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(integration, |stepper| {
            nested(handle::give(out, "out", || {
                let mut snapshot = Snapshot::new();
                stepper.integrator().save(&mut snapshot);
                Ok(fourbar_integration_state { own: Exclusive::new(snapshot) })
            }))
        })
    }
}

/// The same into a state that was saved before, in place: allocates nothing where that came from the same kind of integration.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_BUSY`.
///
/// # Safety
/// Pointers are NULL or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_integration_save_into(
    integration: *const fourbar_integration,
    state: *mut fourbar_integration_state,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(integration, |stepper| {
            let state = state.as_ref().ok_or_else(|| Failure::null("state"))?;
            nested(state.own.with("state", |snapshot| {
                stepper.integrator().save(snapshot);
                Ok(())
            }))
        })
    }
}

/// Returns to a saved point: the further steps are those that followed it, bit for bit.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_BUSY`; `FOURBAR_STATE` when it was saved by another kind of integrator or on other equations.
///
/// # Safety
/// Pointers are NULL or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_integration_restore(
    integration: *mut fourbar_integration,
    state: *const fourbar_integration_state,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(integration, |stepper| {
            let state = state.as_ref().ok_or_else(|| Failure::null("state"))?;
            nested(state.own.with("state", |snapshot| {
                stepper.integrator_mut().restore(snapshot)?;
                stepper.forget_events();
                Ok(())
            }))
        })
    }
}

/// Frees a saved state. NULL is allowed.
///
/// # Safety
/// `state` is NULL or alive, and not used afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_integration_state_free(state: *mut fourbar_integration_state) {
    // SAFETY: by contract.
    unsafe { handle::free(state) }
}
