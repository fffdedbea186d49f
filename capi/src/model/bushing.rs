//! Bushings of a model.

use std::ffi::c_char;

use fourbar::multibody::expression::Expression;
use fourbar::multibody::model::{Bushing, ElasticAngles, Force, Six};

use super::model::{fourbar_model, numbers, with};
use crate::abi::error::Failure;
use crate::abi::status::fourbar_status;
use crate::abi::view;

/// Adds a bushing: force and torque preload - K q - C q' on the marker or body `i` in the axes of `j`, the opposite on the body of `j` at
/// the origin of `i`. q: way from the origin of `j` to that of `i` \[m\], angles about the axes of `j` \[rad\].
///
/// stiffness, damping: K and C, 36 values each, row by row \[N/m, N/rad, N m/m, N m/rad; the same times s\]. preload: 6 values \[N, N m\].
/// Each may be NULL for zeros. All values are copied.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_TEXT`, `FOURBAR_NOT_FINITE`.
///
/// # Safety
/// `model` is NULL or alive; texts are NULL or end with a NUL; `stiffness`, `damping` and `preload` are NULL or have as many values as
/// said.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_model_add_bushing(
    model: *mut fourbar_model,
    name: *const c_char,
    i: *const c_char,
    j: *const c_char,
    stiffness: *const f64,
    damping: *const f64,
    preload: *const f64,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(model, |draft| {
            let zeros = || [0.0; 6].map(Expression::constant);
            let bushing = Bushing {
                name: view::text(name, "name")?.to_owned(),
                i: view::text(i, "i")?.into(),
                j: view::text(j, "j")?.into(),
                stiffness: zeros(),
                damping: zeros(),
                stiffness_matrix: Some(rows(or_zeros(stiffness, "stiffness")?)),
                damping_matrix: Some(rows(or_zeros(damping, "damping")?)),
                preload: or_zeros(preload, "preload")?,
                angles: ElasticAngles::default(),
            };
            draft.change().model.forces.push(Force::Bushing(Box::new(bushing)));
            Ok(())
        })
    }
}

/// # Safety
/// `values` is NULL or has N values.
unsafe fn or_zeros<const N: usize>(values: *const f64, name: &str) -> Result<[Expression; N], Failure> {
    // SAFETY: by contract.
    let values = if values.is_null() { [0.0; N] } else { unsafe { numbers(values, name)? } };
    Ok(values.map(Expression::constant))
}

fn rows(values: [Expression; 36]) -> [Six; 6] {
    let mut values = values.into_iter();
    std::array::from_fn(|_| std::array::from_fn(|_| values.next().unwrap_or_else(|| Expression::constant(0.0))))
}
