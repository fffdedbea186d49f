//! Where the equations begin, and what y means: the way between unknowns and states as numbers.

use super::evaluation::{point, time};
use super::mechanism::{fourbar_mechanism_equations, with};
use super::open::Open;
use super::shape::check_length;
use crate::abi::error::Failure;
use crate::abi::status::fourbar_status;
use crate::abi::view;
use crate::model::failure;
use crate::simulation::saving::{flatten, unflatten};

/// Writes `open.state` as y and y'.
///
/// # Safety
/// The arrays are NULL or have `length` values.
unsafe fn write(open: &mut Open, y: *mut f64, yp: *mut f64, length: usize) -> Result<(), Failure> {
    let n = open.dimension();
    check_length("y", length, n)?;
    let (mut own, mut rates) = (vec![0.0; n], vec![0.0; n]);
    let Open { form, state, .. } = open;
    failure::run(|| Ok(form.write(state, &mut own, &mut rates)?))?;
    // SAFETY: by contract.
    unsafe {
        let (y, yp) = (view::slice_mut(y, length, "y")?, view::slice_mut(yp, length, "yp")?);
        y.copy_from_slice(&own);
        yp.copy_from_slice(&rates);
    }
    Ok(())
}

/// The assembled start of the mechanism, consistent: its time into `t` (may be NULL), y and y' of `length` = n values each. Charts are chosen for it.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_LENGTH`; partitioned: `FOURBAR_NUMERICAL`, `FOURBAR_CALLBACK`.
///
/// # Safety
/// `equations` is NULL or alive; `t` is NULL or valid; the arrays are NULL or have `length` values.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_mechanism_equations_start(
    equations: *mut fourbar_mechanism_equations,
    t: *mut f64,
    y: *mut f64,
    yp: *mut f64,
    length: usize,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(equations, |open| {
            open.state.clone_from(open.mechanism.start());
            write(open, y, yp, length)?;
            if !t.is_null() {
                t.write(open.state.time);
            }
            Ok(())
        })
    }
}

/// y as a state as numbers (`state_length` values): of each body the centre of mass \[m\], the quaternion w, x, y, z of the body frame, the velocity of the
/// centre of mass \[m/s\] and the angular velocity \[rad/s\], global frame; then the coordinates of motions. As of `fourbar_simulation_get_state`.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_LENGTH`; `FOURBAR_NOT_FINITE`; partitioned: `FOURBAR_NUMERICAL`, `FOURBAR_CALLBACK`.
///
/// # Safety
/// `equations` is NULL or alive; the arrays are NULL or as long as they say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_mechanism_equations_get_state(
    equations: *mut fourbar_mechanism_equations,
    t: f64,
    y: *const f64,
    length: usize,
    state: *mut f64,
    state_length: usize,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(equations, |open| {
            let (t, y) = (time(t)?, point(open, y, length, "y")?);
            open.place(t, y)?;
            view::copy(&flatten(&open.state), state, state_length, "state")
        })
    }
}

/// A consistent start from a state as numbers (`state_length` values) at `t` \[s\]: it is put onto the constraints by the smallest corrections, positions
/// first, then velocities; accelerations and multipliers follow from the forces. Written as y and y', `length` = n values each; charts are chosen for it.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_LENGTH`, `FOURBAR_NOT_FINITE`; `FOURBAR_INVALID` for a quaternion 0; `FOURBAR_NUMERICAL` where joints cannot be closed from there,
/// `FOURBAR_CALLBACK`.
///
/// # Safety
/// `equations` is NULL or alive; the arrays are NULL or as long as they say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_mechanism_equations_set_state(
    equations: *mut fourbar_mechanism_equations,
    t: f64,
    state: *const f64,
    state_length: usize,
    y: *mut f64,
    yp: *mut f64,
    length: usize,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(equations, |open| {
            check_length("state", state_length, crate::model::state::numbers_of(&open.mechanism))?;
            check_length("y", length, open.dimension())?;
            let values = view::slice(state, state_length, "state")?;
            open.state.time = time(t)?;
            unflatten(values, &mut open.state)?;
            let Open { mechanism, state, inputs, .. } = open;
            *state = failure::run(|| Ok(mechanism.consistent(state, inputs)?))?;
            write(open, y, yp, length)
        })
    }
}
