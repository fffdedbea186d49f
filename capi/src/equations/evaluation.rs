//! Residual, matrix and right-hand side at a point, and what happens between two points.

use fourbar::dae::Dae;
use fourbar::dae::ode::Ode;

use super::mechanism::{fourbar_mechanism_equations, with};
use super::open::{Form, Open};
use super::shape::{check_length, only_implicit};
use crate::abi::error::Failure;
use crate::abi::status::fourbar_status;
use crate::abi::view;
use crate::model::failure;

/// `length` finite values, as many as there are unknowns.
///
/// # Safety
/// `values` is NULL or has `length` values.
pub(super) unsafe fn point<'a>(
    open: &Open,
    values: *const f64,
    length: usize,
    name: &str,
) -> Result<&'a [f64], Failure> {
    check_length(name, length, open.dimension())?;
    // SAFETY: by contract.
    let values = unsafe { view::slice(values, length, name) }?;
    match values.iter().position(|value| !value.is_finite()) {
        None => Ok(values),
        Some(i) => {
            let text = format!("'{name}' is {} for {}; give finite numbers", values[i], open.form.unknown_name(i));
            Err(Failure::new(fourbar_status::FOURBAR_NOT_FINITE, text))
        }
    }
}

pub(super) fn time(t: f64) -> Result<f64, Failure> {
    if t.is_finite() {
        return Ok(t);
    }
    Err(Failure::new(fourbar_status::FOURBAR_NOT_FINITE, format!("'t' is {t}; give a finite number")))
}

/// F(t, y, y') into `residual`; `length` = n values each.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_LENGTH`; `FOURBAR_NOT_FINITE`; `FOURBAR_NUMERICAL`, `FOURBAR_CALLBACK` where a force cannot be evaluated, which a shorter step
/// may avoid; `FOURBAR_UNSUPPORTED` for y' = f(t, y).
///
/// # Safety
/// `equations` is NULL or alive; the arrays are NULL or have `length` values, and `residual` overlaps none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_mechanism_equations_residual(
    equations: *mut fourbar_mechanism_equations,
    t: f64,
    y: *const f64,
    yp: *const f64,
    residual: *mut f64,
    length: usize,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(equations, |open| {
            let (t, y, yp) = (time(t)?, point(open, y, length, "y")?, point(open, yp, length, "yp")?);
            let residual = view::slice_mut(residual, length, "residual")?;
            match &mut open.form {
                Form::Implicit(equations) => failure::evaluate(|| equations.residual(t, y, yp, residual)),
                Form::Partitioned(_) => Err(only_implicit("residual")),
            }
        })
    }
}

/// dF/dy + c dF/dy' into `values`, `entries` in the order of `fourbar_mechanism_equations_pattern`, for c >= 0 \[1/s\]; `length` = n values of y and y'.
///
/// Errors: as `fourbar_mechanism_equations_residual`.
///
/// # Safety
/// `equations` is NULL or alive; the arrays are NULL or as long as they say, and `values` overlaps none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_mechanism_equations_jacobian(
    equations: *mut fourbar_mechanism_equations,
    t: f64,
    y: *const f64,
    yp: *const f64,
    length: usize,
    c: f64,
    values: *mut f64,
    entries: usize,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(equations, |open| {
            let (t, y, yp) = (time(t)?, point(open, y, length, "y")?, point(open, yp, length, "yp")?);
            if !c.is_finite() {
                let text = format!("'c' is {c}; give a finite number");
                return Err(Failure::new(fourbar_status::FOURBAR_NOT_FINITE, text));
            }
            let needed = open.pattern().nnz();
            match &mut open.form {
                Form::Implicit(equations) => {
                    check_length("values", entries, needed)?;
                    let values = view::slice_mut(values, entries, "values")?;
                    failure::evaluate(|| equations.jacobian(t, y, yp, c, values))
                }
                Form::Partitioned(_) => Err(only_implicit("matrix")),
            }
        })
    }
}

/// f(t, y) of the partitioned equations into `yp`; `length` = n values each. Dependent coordinates of y are first guesses: f is computed from those that
/// satisfy the constraints, which `fourbar_mechanism_equations_between_steps` puts into y.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_LENGTH`; `FOURBAR_NOT_FINITE`; `FOURBAR_NUMERICAL`, `FOURBAR_CALLBACK` where constraints cannot be satisfied or a force cannot be
/// evaluated, which a shorter step may avoid; `FOURBAR_UNSUPPORTED` for I3, SI2 and SI1.
///
/// # Safety
/// `equations` is NULL or alive; the arrays are NULL or have `length` values and do not overlap.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_mechanism_equations_rhs(
    equations: *mut fourbar_mechanism_equations,
    t: f64,
    y: *const f64,
    yp: *mut f64,
    length: usize,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(equations, |open| {
            let (t, y) = (time(t)?, point(open, y, length, "y")?);
            let yp = view::slice_mut(yp, length, "yp")?;
            match &mut open.form {
                Form::Partitioned(equations) => failure::evaluate(|| equations.rhs(t, y, yp)),
                Form::Implicit(_) => {
                    let text =
                        "equations F(t, y, y') = 0 have no right-hand side: take FOURBAR_FORMULATION_PARTITIONED";
                    Err(Failure::new(fourbar_status::FOURBAR_UNSUPPORTED, text))
                }
            }
        })
    }
}

/// To be called after each accepted step, with y and y' at its end (`length` = n values each), which it may change. It counts angles on through full
/// turns; I3, SI2, SI1: writes orientations in other Euler angles before these become singular; partitioned: puts y onto the constraints, and chooses
/// other independent coordinates where those of now wear out. `changed` (may be NULL) receives 1 where y is another one or its coordinates mean something
/// else: a method with a history begins anew then; else 0.
///
/// Errors: as `fourbar_mechanism_equations_rhs`, but for `FOURBAR_UNSUPPORTED`.
///
/// # Safety
/// `equations` is NULL or alive; the arrays are NULL or have `length` values; `changed` is NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_mechanism_equations_between_steps(
    equations: *mut fourbar_mechanism_equations,
    t: f64,
    y: *mut f64,
    yp: *mut f64,
    length: usize,
    changed: *mut i32,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(equations, |open| {
            let t = time(t)?;
            let (mut own, mut rates) = (point(open, y, length, "y")?.to_vec(), point(open, yp, length, "yp")?.to_vec());
            let moved = failure::evaluate(|| open.form.between_steps(t, &mut own, &mut rates))?;
            view::copy(&own, y, length, "y")?;
            view::copy(&rates, yp, length, "yp")?;
            if !changed.is_null() {
                changed.write(i32::from(moved));
            }
            Ok(())
        })
    }
}

/// From now on the inputs are polynomials about `t` \[s\]: `values` holds value, first and second derivative of the first input, then of the second, ...
/// in the order of FOURBAR_PART_INPUT; `length` is three times their number.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_LENGTH`, `FOURBAR_NOT_FINITE`: the inputs then stay as they were.
///
/// # Safety
/// `equations` is NULL or alive; `values` is NULL or has `length` values.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_mechanism_equations_set_inputs(
    equations: *mut fourbar_mechanism_equations,
    t: f64,
    values: *const f64,
    length: usize,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(equations, |open| {
            check_length("values", length, 3 * open.inputs.len())?;
            let values = view::slice(values, length, "values")?;
            let Open { mechanism, inputs, form, system, .. } = open;
            inputs.set(mechanism, t, values.chunks_exact(3).map(|v| [v[0], v[1], v[2]]))?;
            form.inputs_mut().clone_from(inputs);
            system.inputs_mut().clone_from(inputs);
            Ok(())
        })
    }
}
