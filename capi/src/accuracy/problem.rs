//! A problem with a known solution: what it asks for, and the errors of an answer.

use std::ffi::c_char;

use super::shipped::{Shipped, names};
use crate::abi::status::fourbar_status;
use crate::abi::{guard, handle, view};

/// A problem with a known solution of 9 to 16 digits (docs/accuracy.md). It never changes: any number of threads may use it at once.
///
/// Libraries without `FOURBAR_HAS_ACCURACY` have none: their functions here end with `FOURBAR_UNSUPPORTED`.
#[allow(non_camel_case_types)]
pub struct fourbar_accuracy(Shipped);

/// The names of all problems, one a line, into `buffer` of `size` bytes; `needed` receives the bytes that they take with a NUL. With `size` 0,
/// `buffer` may be NULL.
///
/// Errors: `FOURBAR_NULL`; `FOURBAR_LENGTH` when the buffer is too short; `FOURBAR_UNSUPPORTED`.
///
/// # Safety
/// `buffer` is NULL or has `size` bytes; `needed` is NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_accuracy_names(
    buffer: *mut c_char,
    size: usize,
    needed: *mut usize,
) -> fourbar_status {
    // SAFETY: by contract.
    guard::guard(|| unsafe { view::copy_text(&names()?.join("\n"), buffer, size, needed) })
}

/// The problem `name`.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_TEXT`; `FOURBAR_NO_SUCH_NAME`; `FOURBAR_UNSUPPORTED`.
///
/// # Safety
/// `name` is NULL or ends with a NUL, `out` is NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_accuracy_new(name: *const c_char, out: *mut *mut fourbar_accuracy) -> fourbar_status {
    // SAFETY: by contract.
    unsafe { handle::give(out, "out", || Ok(fourbar_accuracy(Shipped::find(view::text(name, "name")?)?))) }
}

/// What is asked for, as a JSON text into `buffer` as `fourbar_accuracy_names` does: `problem`, `title`, `times` \[s\], `columns` (each with `name`,
/// `unit`, `quantity`), `start` (their values at the first time), `model` (the model file of a mechanism, else null).
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_LENGTH`.
///
/// # Safety
/// `problem` is NULL or alive; the others as of `fourbar_accuracy_names`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_accuracy_question(
    problem: *const fourbar_accuracy,
    buffer: *mut c_char,
    size: usize,
    needed: *mut usize,
) -> fourbar_status {
    // SAFETY: by contract.
    guard::guard(|| unsafe {
        let problem = view::reference(problem, "problem")?;
        view::copy_text(&problem.0.question(), buffer, size, needed)
    })
}

/// The errors of an answer, as a JSON text into `buffer` as `fourbar_accuracy_names` does: `position`, `velocity`, `acceleration`, `multiplier`, `state`
/// (relative, null where there is none) and `digits`. `values` holds all columns at the first time, then at the second, ...; `length` is
/// their number times that of the times. A column with a NaN is not compared.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_LENGTH`.
///
/// # Safety
/// `problem` is NULL or alive; `values` is NULL or has `length` values; the others as of `fourbar_accuracy_names`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_accuracy_judge(
    problem: *const fourbar_accuracy,
    values: *const f64,
    length: usize,
    buffer: *mut c_char,
    size: usize,
    needed: *mut usize,
) -> fourbar_status {
    // SAFETY: by contract.
    guard::guard(|| unsafe {
        let problem = view::reference(problem, "problem")?;
        let errors = problem.0.judge(view::slice(values, length, "values")?)?;
        view::copy_text(&errors, buffer, size, needed)
    })
}

/// Frees a problem. NULL is allowed.
///
/// # Safety
/// `problem` is NULL or alive, and not used afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_accuracy_free(problem: *mut fourbar_accuracy) {
    // SAFETY: by contract.
    unsafe { handle::free(problem) }
}
