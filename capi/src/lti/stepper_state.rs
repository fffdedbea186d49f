//! What changes as a stepper advances, saved and put back.

use fourbar::lti::StepperState;

use super::stepper::{fourbar_stepper, with};
use crate::abi::handle::{Exclusive, nested};
use crate::abi::status::fourbar_status;
use crate::abi::{handle, view};

/// Everything that changes as a stepper advances.
#[allow(non_camel_case_types)]
pub struct fourbar_stepper_state {
    own: Exclusive<StepperState>,
}

/// A copy of everything that changes.
///
/// # Safety
/// Pointers are NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_stepper_save(
    stepper: *const fourbar_stepper,
    out: *mut *mut fourbar_stepper_state,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(stepper, |stepper| {
            let own = Exclusive::new(stepper.save());
            nested(handle::give(out, "out", || Ok(fourbar_stepper_state { own })))
        })
    }
}

/// The same into a copy made before by this stepper, or one of the same system, step and hold; allocates nothing.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_BUSY`; `FOURBAR_STATE` for a copy of another system, step or hold: it is then what it was.
///
/// # Safety
/// Pointers are NULL or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_stepper_save_into(
    stepper: *const fourbar_stepper,
    saved: *mut fourbar_stepper_state,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(stepper, |stepper| {
            let saved = view::reference(saved, "saved")?;
            nested(saved.own.with("saved", |saved| Ok(stepper.save_into(saved)?)))
        })
    }
}

/// Back to a saved state, bitwise; allocates nothing.
///
/// Errors: `FOURBAR_NULL`; `FOURBAR_STATE` when it was saved by a stepper of another system, step or hold.
///
/// # Safety
/// Pointers are NULL or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_stepper_restore(
    stepper: *mut fourbar_stepper,
    saved: *const fourbar_stepper_state,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(stepper, |stepper| {
            let saved = view::reference(saved, "saved")?;
            nested(saved.own.with("saved", |saved| Ok(stepper.restore(saved)?)))
        })
    }
}

/// The bytes of a checkpoint, to be kept in a file or sent to another process: into `buffer` of `size` bytes; `needed` receives how many they
/// are, also where `size` is 0 and `buffer` NULL. `fourbar_stepper_state_from_bytes` makes the checkpoint again.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_BUSY`; `FOURBAR_LENGTH` for a buffer that is too short; `FOURBAR_STATE` for a checkpoint of another system, step or hold.
///
/// # Safety
/// Handles are NULL or alive; `buffer` is NULL or has `size` bytes; `needed` is NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_stepper_state_to_bytes(
    stepper: *const fourbar_stepper,
    saved: *const fourbar_stepper_state,
    buffer: *mut u8,
    size: usize,
    needed: *mut usize,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(stepper, |stepper| {
            let saved = view::reference(saved, "saved")?;
            nested(
                saved
                    .own
                    .with("saved", |saved| view::copy_bytes(&stepper.state_to_bytes(saved)?, buffer, size, needed)),
            )
        })
    }
}

/// The checkpoint whose bytes these are, for `fourbar_stepper_restore`. It was written by a stepper of the same system, step
/// and hold, in this process or another.
/// `stepper` itself stays where it is.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_BUSY`; `FOURBAR_INVALID` for bytes that are no checkpoint, incomplete or damaged; `FOURBAR_STATE` for a checkpoint of another system, step or hold;
/// `FOURBAR_UNSUPPORTED` for one that another version of the library wrote.
///
/// # Safety
/// `stepper` is NULL or alive; `bytes` is NULL or has `length` bytes; `out` is NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_stepper_state_from_bytes(
    stepper: *const fourbar_stepper,
    bytes: *const u8,
    length: usize,
    out: *mut *mut fourbar_stepper_state,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(stepper, |stepper| {
            nested(handle::give(out, "out", || {
                let own = Exclusive::new(stepper.state_from_bytes(view::slice(bytes, length, "bytes")?)?);
                Ok(fourbar_stepper_state { own })
            }))
        })
    }
}

/// Frees a saved state. NULL is allowed.
///
/// # Safety
/// `saved` is NULL or alive, and not used afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_stepper_state_free(saved: *mut fourbar_stepper_state) {
    // SAFETY: by contract.
    unsafe { handle::free(saved) }
}
