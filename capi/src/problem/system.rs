//! A problem of the host: its equations, checked and copied.

use std::sync::Arc;

use fourbar::dae::integrator::{Error, consistent_start};
use fourbar::dae::ode::Ode;

use super::adapter::Adapter;
use super::equations::fourbar_equations;
use super::table::Table;
use crate::abi::error::Failure;
use crate::abi::status::fourbar_status;
use crate::abi::view::check_length;
use crate::abi::{guard, handle, options, view};
use crate::equations::mechanism::{self, fourbar_mechanism_equations};
use crate::equations::open::Taken;
use crate::model::failure;

/// Equations F(t, y, y') = 0 or y' = f(t, y). It never changes: any number of threads may use it, if its functions allow that.
#[allow(non_camel_case_types)]
pub struct fourbar_problem {
    pub(super) table: Arc<Table>,
}

/// A problem from its functions.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_STRUCT_SIZE`, `FOURBAR_INVALID` (both or none of `residual` and `rhs`, no unknowns, a pattern out of order, a value
/// that is no kind, ...), `FOURBAR_LENGTH`, `FOURBAR_TEXT`.
///
/// # Safety
/// The struct is NULL or as it says, the functions and the arrays in it as its documentation says; `out` is NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_problem_new(
    equations: *const fourbar_equations,
    out: *mut *mut fourbar_problem,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        handle::give(out, "out", || {
            view::reference(equations, "equations")?;
            let table = Table::new(&options::read(equations)?)?;
            Ok(fourbar_problem { table: Arc::new(table) })
        })
    }
}

/// The equations of a mechanism as a problem: I3, SI2 and SI1 under backward differentiation, the partitioned ones under RKF45 and ABAM. y and y' mean what they mean in `equations` now, whose
/// charts and inputs are taken over; between steps an integration may change its charts: `fourbar_integration_mechanism_state` reads what y says. Where
/// forces jump or bend, integrations end their steps there. The equations may be used on or freed.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_BUSY`; `FOURBAR_NUMERICAL` where coordinates cannot be partitioned.
///
/// # Safety
/// `equations` is NULL or alive; `out` is NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_problem_from_equations(
    equations: *const fourbar_mechanism_equations,
    out: *mut *mut fourbar_problem,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        mechanism::with(equations, |open| {
            handle::nested(handle::give(out, "out", || {
                Ok(fourbar_problem { table: Arc::new(Table::of_mechanism(open.take())?) })
            }))
        })
    }
}

/// The number n of unknowns.
///
/// Errors: `FOURBAR_NULL`.
///
/// # Safety
/// Pointers are NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_problem_dimension(
    problem: *const fourbar_problem,
    dimension: *mut usize,
) -> fourbar_status {
    // SAFETY: by contract.
    guard::guard(|| unsafe {
        let table = &view::reference(problem, "problem")?.table;
        view::write(dimension, table.unknowns.len(), "dimension")
    })
}

/// Makes a start consistent. Of a mechanism: positions and velocities in `y` are put onto the constraints by the smallest corrections, accelerations and multipliers
/// follow from the forces; what `y` and `yp` hold beside is not used. Else: t and the differential unknowns in `y` are kept; y' of these, and the algebraic unknowns and multipliers in `y`, are
/// found from the equations, beginning at what the arrays hold. For systems of index 1 and explicit ones; where the index is higher, the
/// caller gives a start that satisfies the constraints and their derivatives. `iterations` may be NULL.
///
/// Errors: `FOURBAR_NULL`; `FOURBAR_LENGTH`; `FOURBAR_NOT_FINITE`; `FOURBAR_NUMERICAL` where the equations are singular (a higher index) or Newton's
/// iteration does not converge; `FOURBAR_CALLBACK`. The arrays are then as before.
///
/// # Safety
/// `y` and `yp` are NULL or have `length` values; the others are NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_problem_consistent_start(
    problem: *const fourbar_problem,
    t: f64,
    y: *mut f64,
    yp: *mut f64,
    length: usize,
    iterations: *mut usize,
) -> fourbar_status {
    // SAFETY: by contract.
    guard::guard(|| unsafe {
        let table = &view::reference(problem, "problem")?.table;
        let y = view::slice_mut(y, length, "y")?;
        let yp = view::slice_mut(yp, length, "yp")?;
        let spent = make_consistent(table, t, y, yp)?;
        if !iterations.is_null() {
            iterations.write(spent);
        }
        Ok(())
    })
}

/// Returns the iterations spent.
pub(super) fn make_consistent(table: &Arc<Table>, t: f64, y: &mut [f64], yp: &mut [f64]) -> Result<usize, Failure> {
    if let Some(equations) = table.mechanism() {
        return of_mechanism(table, equations, t, y, yp);
    }
    if !table.is_explicit() {
        return Ok(consistent_start(&mut Adapter::implicit(table)?, t, y, yp)?.iterations);
    }
    check_start(table, t, y, yp)?;
    let mut slope = vec![0.0; table.unknowns.len()];
    Adapter::explicit(table).rhs(t, y, &mut slope)?;
    yp.copy_from_slice(&slope);
    Ok(0)
}

fn check_start(table: &Table, t: f64, y: &[f64], yp: &[f64]) -> Result<(), Failure> {
    for (given, what) in [(y.len(), "y"), (yp.len(), "yp")] {
        check_length(what, given, table.unknowns.len())?;
    }
    if !t.is_finite() {
        return Err(Error::NotFinite { what: "time", name: "the start".into(), value: t }.into());
    }
    match y.iter().position(|y| !y.is_finite()) {
        Some(i) => Err(Error::NotFinite { what: "start value", name: table.name(i), value: y[i] }.into()),
        None => Ok(()),
    }
}

/// In the charts in which y is given.
fn of_mechanism(table: &Table, equations: &Taken, t: f64, y: &mut [f64], yp: &mut [f64]) -> Result<usize, Failure> {
    check_start(table, t, y, yp)?;
    let (mut own, mut rates) = (y.to_vec(), yp.to_vec());
    failure::run(|| Ok(equations.form()?.settle(&equations.inputs, t, &mut own, &mut rates)?))?;
    y.copy_from_slice(&own);
    yp.copy_from_slice(&rates);
    Ok(0)
}

/// Frees a problem; integrations made from it live on. NULL is allowed.
///
/// # Safety
/// `problem` is NULL or alive, and not used afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_problem_free(problem: *mut fourbar_problem) {
    // SAFETY: by contract.
    unsafe { handle::free(problem) }
}

const _: () = {
    const fn shared<T: Send + Sync>() {}
    shared::<fourbar_problem>();
};
