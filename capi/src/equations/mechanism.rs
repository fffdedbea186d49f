//! The handle of the equations of a mechanism.

use std::ffi::{CStr, c_char};

use super::open::{Choice, Open};
use crate::abi::error::Failure;
use crate::abi::handle::Exclusive;
use crate::abi::status::fourbar_status;
use crate::abi::{handle, view};
use crate::model::mechanism::fourbar_mechanism;

/// The equations of a mechanism, for integrators of the host: F(t, y, y') = 0 in the formulations I3, SI2 and SI1, y' = f(t, y) in
/// `FOURBAR_FORMULATION_PARTITIONED` (docs/c-abi.md says what the unknowns are). It keeps the charts in which orientations are written, and scratch. Used
/// by one thread at a time; any number of them share a mechanism.
#[allow(non_camel_case_types)]
pub struct fourbar_mechanism_equations {
    own: Exclusive<Open>,
}

/// # Safety
/// `equations` is NULL or alive.
#[inline]
pub(crate) unsafe fn with(
    equations: *const fourbar_mechanism_equations,
    call: impl FnOnce(&mut Open) -> Result<(), Failure>,
) -> fourbar_status {
    // SAFETY: by contract.
    match unsafe { equations.as_ref() } {
        Some(equations) => equations.own.with("equations", call),
        None => handle::null("equations"),
    }
}

/// The equations of `mechanism` in a form, a value of `fourbar_formulation`. Contacts of the model are not in them. Each evaluation is a function of its
/// arguments alone, but for the inputs, the charts and the turns of counted angles, which `fourbar_mechanism_equations_between_steps` follows. The
/// mechanism may be freed afterwards.
///
/// Errors: `FOURBAR_NULL`; `FOURBAR_INVALID` for another value; `FOURBAR_NUMERICAL` where coordinates cannot be partitioned at the start.
///
/// # Safety
/// Pointers are NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_mechanism_equations_new(
    mechanism: *const fourbar_mechanism,
    formulation: i32,
    out: *mut *mut fourbar_mechanism_equations,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        handle::give(out, "out", || {
            let compiled = &view::reference(mechanism, "mechanism")?.compiled;
            let open = Open::new(compiled, Choice::of(compiled, formulation)?)?;
            Ok(fourbar_mechanism_equations { own: Exclusive::new(open) })
        })
    }
}

/// The text of the last error on this handle; read it on the thread that uses the handle. Valid as long as the handle.
///
/// # Safety
/// `equations` is NULL (then the text is empty) or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_mechanism_equations_error(
    equations: *const fourbar_mechanism_equations,
) -> *const c_char {
    // SAFETY: by contract.
    unsafe { equations.as_ref() }.map_or(CStr::as_ptr(c""), |equations| equations.own.message())
}

/// Frees the equations. NULL is allowed.
///
/// # Safety
/// `equations` is NULL or alive, and not used afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_mechanism_equations_free(equations: *mut fourbar_mechanism_equations) {
    // SAFETY: by contract.
    unsafe { handle::free(equations) }
}
