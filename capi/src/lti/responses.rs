//! Frequency responses, and the matrices of sampled systems.

use fourbar::lti::Hold;

use super::system::fourbar_system;
use crate::abi::error::Failure;
use crate::abi::status::fourbar_status;
use crate::abi::view::copy;
use crate::abi::{guard, view};

/// How a sampled system stands for a continuous one.
#[allow(non_camel_case_types)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(i32)]
pub enum fourbar_sampling {
    /// The input keeps the value of its last sample.
    FOURBAR_SAMPLING_ZERO_ORDER = 1,
    /// Straight lines from sample to sample (triangle). The state is that of the continuous system less G_1 B u(k).
    FOURBAR_SAMPLING_FIRST_ORDER = 2,
    /// The answer to the samples 1, 0, 0, ... is T times the impulse response at the samples.
    FOURBAR_SAMPLING_IMPULSE = 3,
    /// Bilinear: s = (2/T)(z - 1)/(z + 1), or prewarped.
    FOURBAR_SAMPLING_TUSTIN = 4,
}

/// H(i w) = C (i w I - A)^{-1} B + D at `count` angular frequencies w \[rad/s\]: real and imaginary parts, one matrix after the other, each q x m, column
/// after column; `length` is `count` q m. At a pole, and beyond the range of double, the entries of that frequency are NaN.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_LENGTH`; `FOURBAR_NOT_FINITE` for a frequency.
///
/// # Safety
/// `frequencies` is NULL or has `count` values; `real` and `imaginary` are NULL or have `length` values and do not overlap; `system` is NULL or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_system_frequency_response(
    system: *const fourbar_system,
    frequencies: *const f64,
    count: usize,
    real: *mut f64,
    imaginary: *mut f64,
    length: usize,
) -> fourbar_status {
    // SAFETY: by contract.
    guard::guard(|| unsafe {
        let system = &view::reference(system, "system")?.system;
        let frequencies = view::slice(frequencies, count, "frequencies")?;
        let entries = system.outputs() * system.inputs();
        if entries.checked_mul(count) != Some(length) {
            let text = format!("'length' is {length}, but {count} matrices of {entries} values are asked for");
            return Err(Failure::new(fourbar_status::FOURBAR_LENGTH, text));
        }
        let (mut re, mut im) = (vec![f64::NAN; length], vec![f64::NAN; length]);
        for (k, response) in system.frequency_grid(frequencies)?.iter().enumerate() {
            for (i, value) in response.iter().flat_map(|own| own.iter()).enumerate() {
                (re[k * entries + i], im[k * entries + i]) = (value.re, value.im);
            }
        }
        copy(&re, real, length, "real")?;
        copy(&im, imaginary, length, "imaginary")
    })
}

/// The sampled system x(k+1) = A_d x(k) + B_d u(k), y(k) = C_d x(k) + D_d u(k) for the step `step` \[s\]; `sampling` is a value of `fourbar_sampling`,
/// `prewarped_at` the angular frequency \[rad/s\] below pi/T at which FOURBAR_SAMPLING_TUSTIN has the response of the continuous system (0: none; the
/// others do not use it). The matrices have the dimensions and the order of those of the system; each may be NULL where it is not asked for.
///
/// Errors: `FOURBAR_NULL`; `FOURBAR_INVALID` for a step that is not positive, another sampling, a frequency out of range, or a pole that Tustin takes to
/// infinity; `FOURBAR_OVERFLOW`.
///
/// # Safety
/// `system` is NULL or alive; the matrices are NULL or have room for n n, n m, q n and q m values, and do not overlap.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_system_sampled(
    system: *const fourbar_system,
    step: f64,
    sampling: i32,
    prewarped_at: f64,
    a: *mut f64,
    b: *mut f64,
    c: *mut f64,
    d: *mut f64,
) -> fourbar_status {
    // SAFETY: by contract.
    guard::guard(|| unsafe {
        let system = &view::reference(system, "system")?.system;
        let sampled = system.sampled(step, hold_of(sampling, prewarped_at)?)?;
        for (out, matrix, name) in
            [(a, sampled.a(), "a"), (b, sampled.b(), "b"), (c, sampled.c(), "c"), (d, sampled.d(), "d")]
        {
            if !out.is_null() {
                copy(matrix.as_slice(), out, matrix.len(), name)?;
            }
        }
        Ok(())
    })
}

fn hold_of(sampling: i32, prewarped_at: f64) -> Result<Hold, Failure> {
    use fourbar_sampling as S;
    let is = |known: S| known as i32 == sampling;
    if is(S::FOURBAR_SAMPLING_ZERO_ORDER) {
        Ok(Hold::ZeroOrder)
    } else if is(S::FOURBAR_SAMPLING_FIRST_ORDER) {
        Ok(Hold::FirstOrder)
    } else if is(S::FOURBAR_SAMPLING_IMPULSE) {
        Ok(Hold::Impulse)
    } else if is(S::FOURBAR_SAMPLING_TUSTIN) {
        Ok(Hold::Tustin { prewarped_at: (prewarped_at != 0.0).then_some(prewarped_at) })
    } else {
        let text = format!("sampling is {sampling}, which is no fourbar_sampling");
        Err(Failure::new(fourbar_status::FOURBAR_INVALID, text))
    }
}
