//! What changes as a stepper advances, saved and put back.

use fourbar::lti::StepperState;

use super::stepper::{fourbar_stepper, with};
use crate::abi::handle::Exclusive;
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
            handle::nested(handle::give(out, "out", || Ok(fourbar_stepper_state { own })))
        })
    }
}

/// The same into a copy made before by this stepper; allocates nothing.
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
            handle::nested(saved.own.with("saved", |saved| {
                stepper.save_into(saved);
                Ok(())
            }))
        })
    }
}

/// Back to a saved state, exact to the last bit; allocates nothing.
///
/// Errors: `FOURBAR_NULL`; `FOURBAR_STATE` when it was saved by a stepper of other dimensions, another step or another hold.
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
            handle::nested(saved.own.with("saved", |saved| Ok(stepper.restore(saved)?)))
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
