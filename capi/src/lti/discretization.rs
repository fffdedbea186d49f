//! The matrices of one step.

use fourbar::lti::{Discretization, suggest_step};

use super::method::{fourbar_hold, method_of};
use super::system::{check_room, fourbar_system};
use crate::abi::error::Failure;
use crate::abi::status::fourbar_status;
use crate::abi::{guard, handle, view};

/// x(k+1) = e^{AT} x(k) + sum over i of Phi_i u(t_k + offset_i). It never changes: any number of threads may use it.
#[allow(non_camel_case_types)]
pub struct fourbar_discretization {
    discretization: Discretization,
}

/// The matrices of a step of `step` \[s\] with a hold; `hold` NULL means the first-order hold.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_INVALID`, `FOURBAR_STRUCT_SIZE`, `FOURBAR_OVERFLOW`; `FOURBAR_LENGTH` where memory is too small for them.
///
/// # Safety
/// Pointers are NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_discretization_new(
    system: *const fourbar_system,
    step: f64,
    hold: *const fourbar_hold,
    out: *mut *mut fourbar_discretization,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        handle::give(out, "out", || {
            let system = &view::reference(system, "system")?.system;
            let (method, precision) = method_of(hold)?;
            check_room(system.states(), method.nodes().map_or(0, |nodes| nodes.len()))?;
            let discretization = Discretization::with_precision(system, step, method, precision)?;
            Ok(fourbar_discretization { discretization })
        })
    }
}

/// The number of samples that enter a step, those that it shares with the step before among them.
///
/// # Safety
/// Pointers are NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_discretization_samples(
    discretization: *const fourbar_discretization,
    samples: *mut usize,
) -> fourbar_status {
    // SAFETY: by contract.
    guard::guard(|| unsafe {
        let own = &view::reference(discretization, "discretization")?.discretization;
        view::write(samples, own.nodes().len(), "samples")
    })
}

/// The times of all these samples as offsets from the beginning of the step \[s\]; `length` is that of `fourbar_discretization_samples`.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_LENGTH`.
///
/// # Safety
/// `offsets` is NULL or has `length` values.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_discretization_offsets(
    discretization: *const fourbar_discretization,
    offsets: *mut f64,
    length: usize,
) -> fourbar_status {
    // SAFETY: by contract.
    guard::guard(|| unsafe {
        let own = &view::reference(discretization, "discretization")?.discretization;
        let all: Vec<f64> = own.nodes().iter().map(|theta| theta * own.step()).collect();
        view::copy(&all, offsets, length, "offsets")
    })
}

/// e^{AT}, n x n values, column after column.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_LENGTH`.
///
/// # Safety
/// `values` is NULL or has `length` values.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_discretization_exponential(
    discretization: *const fourbar_discretization,
    values: *mut f64,
    length: usize,
) -> fourbar_status {
    // SAFETY: by contract.
    guard::guard(|| unsafe {
        let own = &view::reference(discretization, "discretization")?.discretization;
        view::copy(own.exp().as_slice(), values, length, "values")
    })
}

/// Phi_i, the matrix of sample `i` (from 0), n x m values, column after column.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_LENGTH`, `FOURBAR_INVALID` when there is no such sample.
///
/// # Safety
/// `values` is NULL or has `length` values.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_discretization_input_matrix(
    discretization: *const fourbar_discretization,
    i: usize,
    values: *mut f64,
    length: usize,
) -> fourbar_status {
    // SAFETY: by contract.
    guard::guard(|| unsafe {
        let own = &view::reference(discretization, "discretization")?.discretization;
        let samples = own.nodes().len();
        if i >= samples {
            let text = format!("sample {i} was asked for; there are {samples}, counted from 0");
            return Err(Failure::new(fourbar_status::FOURBAR_INVALID, text));
        }
        view::copy(own.input_matrix(i).as_slice(), values, length, "values")
    })
}

/// The largest step up to `largest` \[s\] whose leading local error stays within `tolerance` (largest absolute value over the states)
/// where the derivatives of the m inputs, of the order that the hold does not follow exactly, reach `derivatives`.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_LENGTH`, `FOURBAR_INVALID`, `FOURBAR_UNSUPPORTED` for the classical methods.
///
/// # Safety
/// `derivatives` is NULL or has `length` values; the others are NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_system_suggest_step(
    system: *const fourbar_system,
    hold: *const fourbar_hold,
    derivatives: *const f64,
    length: usize,
    tolerance: f64,
    largest: f64,
    step: *mut f64,
) -> fourbar_status {
    // SAFETY: by contract.
    guard::guard(|| unsafe {
        let system = &view::reference(system, "system")?.system;
        let derivatives = view::slice(derivatives, length, "derivatives")?;
        let suggested = suggest_step(system, &method_of(hold)?.0, derivatives, tolerance, largest)?;
        view::write(step, suggested, "step")
    })
}

/// Frees a discretization. NULL is allowed.
///
/// # Safety
/// `discretization` is NULL or alive, and not used afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_discretization_free(discretization: *mut fourbar_discretization) {
    // SAFETY: by contract.
    unsafe { handle::free(discretization) }
}

const _: () = {
    const fn shared<T: Send + Sync>() {}
    shared::<fourbar_discretization>();
    shared::<fourbar_system>();
};
