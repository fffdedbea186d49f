//! The matrices of a linear system, and its eigenvalues.

use crate::abi::error::Failure;
use crate::abi::status::fourbar_status;
use crate::abi::{guard, view};

use super::system::fourbar_system;

/// The matrices of a linear system.
#[allow(non_camel_case_types)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(i32)]
pub enum fourbar_matrix {
    /// A, n x n.
    FOURBAR_MATRIX_A = 1,
    /// B, n x m.
    FOURBAR_MATRIX_B = 2,
    /// C, q x n.
    FOURBAR_MATRIX_C = 3,
    /// D, q x m.
    FOURBAR_MATRIX_D = 4,
}

/// A matrix of the system, column after column: `which` is a value of `fourbar_matrix`, `length` rows times columns as `fourbar_system_dimensions` gives them.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_INVALID` for another matrix, `FOURBAR_LENGTH`.
///
/// # Safety
/// `system` is NULL or alive; `values` is NULL or has `length` values.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_system_matrix(
    system: *const fourbar_system,
    which: i32,
    values: *mut f64,
    length: usize,
) -> fourbar_status {
    // SAFETY: by contract.
    guard::guard(|| unsafe {
        let system = &view::reference(system, "system")?.system;
        use fourbar_matrix as M;
        let all = [
            (M::FOURBAR_MATRIX_A, system.a()),
            (M::FOURBAR_MATRIX_B, system.b()),
            (M::FOURBAR_MATRIX_C, system.c()),
            (M::FOURBAR_MATRIX_D, system.d()),
        ];
        let matrix = match all.iter().find(|(known, _)| *known as i32 == which) {
            Some((_, matrix)) => matrix,
            None => {
                let text = format!("which is {which}, which is no fourbar_matrix");
                return Err(Failure::new(fourbar_status::FOURBAR_INVALID, text));
            }
        };
        view::copy(matrix.as_slice(), values, length, "values")
    })
}

/// The eigenvalues of A, real and imaginary parts \[1/s\], in the order of falling real parts; `length` is n. Pairs of conjugates stand side by side,
/// the positive imaginary part first.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_LENGTH`, `FOURBAR_OVERFLOW`, `FOURBAR_NUMERICAL`.
///
/// # Safety
/// `system` is NULL or alive; `real` and `imaginary` are NULL or have `length` values and do not overlap.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_system_eigenvalues(
    system: *const fourbar_system,
    real: *mut f64,
    imaginary: *mut f64,
    length: usize,
) -> fourbar_status {
    // SAFETY: by contract.
    guard::guard(|| unsafe {
        let eigenvalues = view::reference(system, "system")?.system.poles()?;
        let part = |of: fn(&nalgebra::Complex<f64>) -> f64| eigenvalues.iter().map(of).collect::<Vec<f64>>();
        view::copy(&part(|value| value.re), real, length, "real")?;
        view::copy(&part(|value| value.im), imaginary, length, "imaginary")
    })
}
