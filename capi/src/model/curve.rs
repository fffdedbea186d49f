//! Curves of a model, what stays on them, and constraints by expression.

use std::ffi::c_char;

use fourbar::multibody::expression::Expression;
use fourbar::multibody::model::{Curve, CurveOnCurve, EquationConstraint, MarkerRef, PointOnCurve};

use super::joint::expression;
use super::model::{fourbar_model, number, with};
use crate::abi::error::Failure;
use crate::abi::status::fourbar_status;
use crate::abi::view;

/// Adds a curve through `count` points, fixed to `marker`, the name of a marker or of a body; NULL: the global frame. `points` has `dimensions` values a
/// point, point by point \[m\]: 2 of a plane curve (x and y of the marker), 3 of one in space. The last point of a closed curve (`closed` not 0) is
/// its first.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_TEXT`, `FOURBAR_NOT_FINITE`, `FOURBAR_INVALID` for other dimensions. Points that are no curve are errors of
/// `fourbar_model_compile`.
///
/// # Safety
/// `model` is NULL or alive; `points` is NULL or has `count` times `dimensions` values; texts are NULL or end with a NUL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_model_add_curve(
    model: *mut fourbar_model,
    name: *const c_char,
    marker: *const c_char,
    points: *const f64,
    count: usize,
    dimensions: usize,
    closed: i32,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(model, |draft| {
            let name = view::text(name, "name")?.to_owned();
            let invalid = |text: String| Failure::new(fourbar_status::FOURBAR_INVALID, text);
            // Before the array is read: a wrong number may be any.
            if !(2..=3).contains(&dimensions) {
                return Err(invalid(format!("dimensions is {dimensions}; a point has 2 or 3 coordinates")));
            }
            let total = count.checked_mul(dimensions);
            let total = total.ok_or_else(|| invalid("count times dimensions exceeds the memory".to_owned()))?;
            let values = view::slice(points, total, "points")?;
            let coordinate = |value: &f64| number(*value, "points").map(Expression::constant);
            let point = |point: &[f64]| point.iter().map(coordinate).collect::<Result<Vec<_>, _>>();
            let points = values.chunks_exact(dimensions).map(point).collect::<Result<Vec<_>, _>>()?;
            let marker = if marker.is_null() { None } else { Some(MarkerRef::from(view::text(marker, "marker")?)) };
            draft.change().model.curves.push(Curve { name, marker, points, closed: closed != 0, ..Curve::default() });
            Ok(())
        })
    }
}

/// Keeps the origin of `i`, the name of a marker or of a body, on `curve`, which is on another body. Its reaction is that of a
/// `FOURBAR_PART_COUPLER`.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_TEXT`. Names that nothing has are errors of `fourbar_model_compile`.
///
/// # Safety
/// `model` is NULL or alive; texts are NULL or end with a NUL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_model_add_point_on_curve(
    model: *mut fourbar_model,
    name: *const c_char,
    i: *const c_char,
    curve: *const c_char,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(model, |draft| {
            let name = view::text(name, "name")?.to_owned();
            let (i, curve) = (view::text(i, "i")?.into(), view::text(curve, "curve")?.to_owned());
            draft.change().model.points_on_curves.push(PointOnCurve { name, i, curve });
            Ok(())
        })
    }
}

/// Lets two plane curves on different bodies touch: `curve_1` and `curve_2` have a point and the tangent there in common. Joints keep both in one
/// plane. Its reaction is that of a `FOURBAR_PART_COUPLER`, on the body of the first.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_TEXT`. Names that nothing has are errors of `fourbar_model_compile`.
///
/// # Safety
/// `model` is NULL or alive; texts are NULL or end with a NUL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_model_add_curve_on_curve(
    model: *mut fourbar_model,
    name: *const c_char,
    curve_1: *const c_char,
    curve_2: *const c_char,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(model, |draft| {
            let name = view::text(name, "name")?.to_owned();
            let curves = [view::text(curve_1, "curve_1")?.to_owned(), view::text(curve_2, "curve_2")?.to_owned()];
            draft.change().model.curves_on_curves.push(CurveOnCurve { name, curves });
            Ok(())
        })
    }
}

/// Adds a constraint by expression: `equation`, of measures of positions, distances and angles, `time`, parameters and splines, is zero. Its reaction,
/// that of a `FOURBAR_PART_COUPLER`, is told on the body of `i` about the origin of that marker; NULL: the first marker of the first displacement.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_TEXT`, `FOURBAR_INVALID` for a text that is no expression. Names that nothing has are errors of
/// `fourbar_model_compile`.
///
/// # Safety
/// `model` is NULL or alive; texts are NULL or end with a NUL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_model_add_constraint(
    model: *mut fourbar_model,
    name: *const c_char,
    equation: *const c_char,
    i: *const c_char,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(model, |draft| {
            let name = view::text(name, "name")?.to_owned();
            let equation = expression(equation, "equation")?;
            let i = if i.is_null() { None } else { Some(MarkerRef::from(view::text(i, "i")?)) };
            draft.change().model.equations.push(EquationConstraint { name, equation, i });
            Ok(())
        })
    }
}
