//! Friction with a polygon in place of the cone: a linear complementarity problem.

use fourbar::contact::friction::Polyhedral;
use fourbar::contact::problem::FrictionProblem;

use super::failure::of_contact;
use super::problem::{Problem, fourbar_contact_problem};
use crate::abi::error::Failure;
use crate::abi::status::fourbar_status;
use crate::abi::{guard, handle, view};

fn polygon(directions: u32) -> Polyhedral {
    Polyhedral { directions: directions as usize, ..Polyhedral::default() }
}

/// # Safety
/// `problem` is NULL or alive.
unsafe fn friction<'a>(problem: *const fourbar_contact_problem) -> Result<&'a FrictionProblem, Failure> {
    // SAFETY: by contract.
    match &unsafe { view::reference(problem, "problem") }?.problem {
        Problem::Friction(problem) => Ok(problem),
        _ => {
            let text = "'problem' is not one of friction in reduced form, FOURBAR_CONTACT_FRICTION";
            Err(Failure::new(fourbar_status::FOURBAR_UNSUPPORTED, text))
        }
    }
}

/// The linear complementarity problem that arises from one of friction in reduced form (three or more rows a contact) when the cone becomes
/// a pyramid with `directions` sides, even and at least 4 (Stewart, Trinkle 1996).
///
/// Errors: `FOURBAR_NULL`; `FOURBAR_UNSUPPORTED` for a problem of another kind; `FOURBAR_INVALID` for another number of directions, and for one
/// with which the problem would have more than 2^15 variables.
///
/// # Safety
/// Pointers are NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_friction_polyhedral(
    problem: *const fourbar_contact_problem,
    directions: u32,
    out: *mut *mut fourbar_contact_problem,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        handle::give(out, "out", || {
            let lcp = polygon(directions).lcp(friction(problem)?).map_err(|error| of_contact(&error))?;
            Ok(Problem::Lcp(lcp).into())
        })
    }
}

/// The impulses in the rows of the problem with friction (`length` = n values) from a solution z (`z_length` values) of the linear one.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_LENGTH`, `FOURBAR_UNSUPPORTED`, `FOURBAR_INVALID`.
///
/// # Safety
/// The arrays are NULL or have as many values as said; `problem` is NULL or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_friction_polyhedral_impulses(
    problem: *const fourbar_contact_problem,
    directions: u32,
    z: *const f64,
    z_length: usize,
    impulses: *mut f64,
    length: usize,
) -> fourbar_status {
    // SAFETY: by contract.
    guard::guard(|| unsafe {
        let problem = friction(problem)?;
        let z = view::slice(z, z_length, "z")?;
        let own = polygon(directions).impulses(problem, z).map_err(|error| of_contact(&error))?;
        view::copy(&own, impulses, length, "impulses")
    })
}
