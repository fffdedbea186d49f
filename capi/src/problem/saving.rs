//! An integration saved and restored.

use super::integration::{fourbar_integration, with};
use super::stepper::Checkpoint;
use crate::abi::error::Failure;
use crate::abi::handle::{self, Exclusive, nested};
use crate::abi::status::fourbar_status;
use crate::abi::view;

/// A checkpoint of an integration. What the host's functions remember behind `user` is not part of it.
#[allow(non_camel_case_types)]
pub struct fourbar_integration_state {
    own: Exclusive<Checkpoint>,
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
                let mut point = Checkpoint::default();
                stepper.save(&mut point);
                Ok(fourbar_integration_state { own: Exclusive::new(point) })
            }))
        })
    }
}

/// The same into a state that was saved before, in place: allocates nothing.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_BUSY`; `FOURBAR_STATE` for a state of other equations or options: it is then what it was.
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
            nested(state.own.with("state", |point| stepper.save_into(point)))
        })
    }
}

/// Returns to a checkpoint: the further steps are those that followed it, bit for bit.
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
            nested(state.own.with("state", |point| stepper.restore(point)))
        })
    }
}

/// The bytes of a checkpoint, to be kept in a file or sent to another process: into `buffer` of `size` bytes; `needed` receives how many they
/// are, also where `size` is 0 and `buffer` NULL. `fourbar_integration_state_from_bytes` makes the checkpoint again. What the host's functions remember
/// behind `user` is not part of it.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_BUSY`; `FOURBAR_LENGTH` for a buffer that is too short; `FOURBAR_STATE` for a checkpoint of another kind of integrator or other equations.
///
/// # Safety
/// Handles are NULL or alive; `buffer` is NULL or has `size` bytes; `needed` is NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_integration_state_to_bytes(
    integration: *const fourbar_integration,
    state: *const fourbar_integration_state,
    buffer: *mut u8,
    size: usize,
    needed: *mut usize,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(integration, |stepper| {
            let state = view::reference(state, "state")?;
            nested(state.own.with("state", |state| view::copy_bytes(&stepper.to_bytes(state)?, buffer, size, needed)))
        })
    }
}

/// The checkpoint whose bytes these are, for `fourbar_integration_restore`. It was written by an integration with the same
/// options of equations with the same unknowns, pattern and root functions, in this process or another; the host's functions are taken to be the same.
/// `integration` itself stays where it is.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_BUSY`; `FOURBAR_INVALID` for bytes that are no checkpoint, incomplete or damaged; `FOURBAR_STATE` for a point of other equations or options;
/// `FOURBAR_UNSUPPORTED` for one that another version of the library wrote.
///
/// # Safety
/// `integration` is NULL or alive; `bytes` is NULL or has `length` bytes; `out` is NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_integration_state_from_bytes(
    integration: *const fourbar_integration,
    bytes: *const u8,
    length: usize,
    out: *mut *mut fourbar_integration_state,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(integration, |stepper| {
            nested(handle::give(out, "out", || {
                let own = Exclusive::new(stepper.read_bytes(view::slice(bytes, length, "bytes")?)?);
                Ok(fourbar_integration_state { own })
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
