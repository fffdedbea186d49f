//! The matrices e^{AT} and G_i(T).

use fourbar::lti::{GMatrices, Method};

use super::system::{check_room, entries, matrix};
use crate::abi::error::Failure;
use crate::abi::status::fourbar_status;
use crate::abi::{guard, view};

/// e^{AT} and G_i(T) = integral from 0 to T of e^{A(T-s)} (s/T)^i ds for i = 0 .. `order`, for any A: of dimension time, whatever i. The response to an
/// input u(s) = sum of c_i (s/T)^i over the step is the sum of G_i B c_i.
///
/// `a` is n x n, column after column; `step` is T > 0 \[s\]. `exponential` receives n x n values, `g` the matrices G_0, G_1, ... one after the
/// other, `g_length` = (`order` + 1) n n values in all; either may be NULL where it is not asked for (`g_length` 0).
///
/// Errors: `FOURBAR_NULL`; `FOURBAR_LENGTH`; `FOURBAR_INVALID` for a step that is not positive or an order too high; `FOURBAR_NOT_FINITE`;
/// `FOURBAR_OVERFLOW` when e^{AT} leaves the range of double.
///
/// # Safety
/// The arrays are NULL or have as many values as said.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_g_matrices(
    n: usize,
    a: *const f64,
    step: f64,
    order: usize,
    exponential: *mut f64,
    g: *mut f64,
    g_length: usize,
) -> fourbar_status {
    // SAFETY: by contract.
    guard::guard(|| unsafe {
        view::slice(a, entries(n, n, "a")?, "a")?;
        if !(step > 0.0 && step.is_finite()) {
            let text = format!("step is {step} s; it must be positive and finite");
            return Err(Failure::new(fourbar_status::FOURBAR_INVALID, text));
        }
        let expected = order.checked_add(1).and_then(|count| count.checked_mul(n * n));
        if g_length != 0 && Some(g_length) != expected {
            let text = format!("g_length is {g_length}, but {order} + 1 matrices of {n} x {n} are asked for");
            return Err(Failure::new(fourbar_status::FOURBAR_LENGTH, text));
        }
        let values = view::slice_mut(g, g_length, "g")?;
        check_room(n, order.min(Method::MAX_ORDER) + 1)?;
        let matrices = GMatrices::new(&matrix(a, n, n, "a")?, step, order)?;
        for (i, values) in values.chunks_exact_mut((n * n).max(1)).enumerate() {
            values.copy_from_slice(matrices.g(i).as_slice());
        }
        if !exponential.is_null() {
            view::slice_mut(exponential, n * n, "exponential")?.copy_from_slice(matrices.exp().as_slice());
        }
        Ok(())
    })
}
