//! Splines of a model: curves through points for expressions.

use std::ffi::c_char;

use fourbar::multibody::model::Spline;

use super::model::{fourbar_model, with};
use crate::abi::error::Failure;
use crate::abi::status::fourbar_status;
use crate::abi::view;

/// Adds a curve through the points `x`, `y`, or a family of curves: expressions use it by its name, as `akispl(time, name)` or
/// `cubspl(time, name)`.
///
/// x: count values, each above the one before it. y: curves times count values, curve by curve. z: curves values, each above the one
/// before it, if there is more than one; NULL for a single curve, `curves` then being 1. All values are copied.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_TEXT`, `FOURBAR_INVALID` for points that are no curve.
///
/// # Safety
/// `model` is NULL or alive; `name` is NULL or ends with a NUL; `x`, `y` and `z` are NULL or have as many values as said.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_model_add_spline(
    model: *mut fourbar_model,
    name: *const c_char,
    x: *const f64,
    y: *const f64,
    count: usize,
    z: *const f64,
    curves: usize,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(model, |draft| {
            let name = view::text(name, "name")?;
            let total = count.checked_mul(curves).ok_or_else(|| invalid("count times curves exceeds the memory"))?;
            let (x, y) = (view::slice(x, count, "x")?, view::slice(y, total, "y")?);
            let z = if z.is_null() { &[][..] } else { view::slice(z, curves, "z")? };
            let rows = if count == 0 { Vec::new() } else { y.chunks_exact(count).map(<[f64]>::to_vec).collect() };
            let spline = Spline::family(name, x, rows, z);
            spline.interpolated().map_err(|error| invalid(&format!("spline \"{name}\": {error}")))?;
            draft.change().model.splines.push(spline);
            Ok(())
        })
    }
}

fn invalid(problem: &str) -> Failure {
    Failure::new(fourbar_status::FOURBAR_INVALID, problem.to_owned())
}
