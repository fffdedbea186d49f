//! Rolling elements of a model.

use std::ffi::c_char;

use fourbar::multibody::expression::Expression;
use fourbar::multibody::model::{MarkerRef, Rolling, RollingShape};

use super::joint::choose;
use super::model::{fourbar_model, number, with};
use crate::abi::status::fourbar_status;
use crate::abi::view;

/// What rolls.
#[allow(non_camel_case_types)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(i32)]
pub enum fourbar_rolling_shape {
    /// A sphere about the origin of I.
    FOURBAR_ROLLING_SPHERE = 1,
    /// A disc with a sharp edge, about z of I.
    FOURBAR_ROLLING_DISC = 2,
}

/// Adds a sphere or disc (`shape`, a value of `fourbar_rolling_shape`) of a `radius` \[m\] about marker `i` that rolls on the x-y plane of marker `j` without
/// sliding; each is the name of a marker or of a body, or "ground", and `j` may be NULL for the global x-y plane. Among the joints of the compiled
/// mechanism rolling elements follow those of `fourbar_model_add_joint`.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_TEXT`, `FOURBAR_NOT_FINITE`, `FOURBAR_INVALID` for an unknown shape.
///
/// # Safety
/// `model` is NULL or alive; texts are NULL or end with a NUL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_model_add_rolling(
    model: *mut fourbar_model,
    name: *const c_char,
    shape: i32,
    i: *const c_char,
    j: *const c_char,
    radius: f64,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(model, |draft| {
            let shapes = [RollingShape::Sphere, RollingShape::Disc];
            let rolling = Rolling {
                name: view::text(name, "name")?.to_owned(),
                shape: choose("shape", "fourbar_rolling_shape", shape, &shapes)?,
                radius: Expression::constant(number(radius, "radius")?),
                i: view::text(i, "i")?.into(),
                j: if j.is_null() { None } else { Some(MarkerRef::from(view::text(j, "j")?)) },
            };
            draft.change().model.rolling.push(rolling);
            Ok(())
        })
    }
}
