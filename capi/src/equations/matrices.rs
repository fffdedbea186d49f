//! M, Phi_q, Phi and forces of a mechanism, in the velocities (V, omega) of its bodies: M u' + Phi_q^T lambda = Q.

use super::evaluation::{point, time};
use super::mechanism::{fourbar_mechanism_equations, with};
use super::open::Open;
use super::shape::{check_length, write_pattern};
use crate::abi::error::Failure;
use crate::abi::status::fourbar_status;
use crate::abi::view;
use crate::model::failure;
use crate::model::joint::choose;

/// Matrices of a mechanism. Velocities u are V of the centre of mass \[m/s\] and omega \[rad/s\] of each body, global frame, six a body.
#[allow(non_camel_case_types)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(i32)]
pub enum fourbar_mechanism_matrix {
    /// M, velocities x velocities: mass and inertia about the centre of mass, global frame.
    FOURBAR_MATRIX_MASS = 1,
    /// `Phi_q`, constraints x velocities: the rates of the constraints are `Phi_q` u + `Phi_t`.
    FOURBAR_MATRIX_CONSTRAINT_JACOBIAN = 2,
}

/// Vectors of a mechanism: M u' + `Phi_q`^T lambda = Q, `Phi_q` u' = gamma.
#[allow(non_camel_case_types)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(i32)]
pub enum fourbar_mechanism_vector {
    /// Q, one value a velocity: applied forces less gyroscopic torques, without friction at joints \[N, N m\].
    FOURBAR_VECTOR_FORCES = 1,
    /// Phi, one value a constraint \[m, rad\]; 0 where it is kept.
    FOURBAR_VECTOR_CONSTRAINTS = 2,
    /// Their rates `Phi_q` u + `Phi_t` \[m/s, rad/s\].
    FOURBAR_VECTOR_CONSTRAINT_RATES = 3,
    /// gamma, what `Phi_q` u' must be \[m/s^2, rad/s^2\].
    FOURBAR_VECTOR_CONSTRAINT_ACCELERATIONS = 4,
}

fn matrix_of(which: i32) -> Result<fourbar_mechanism_matrix, Failure> {
    use fourbar_mechanism_matrix as M;
    choose("which", "fourbar_mechanism_matrix", which, &[M::FOURBAR_MATRIX_MASS, M::FOURBAR_MATRIX_CONSTRAINT_JACOBIAN])
}

/// The pattern of a matrix, a value of `fourbar_mechanism_matrix`, compressed by columns as that of `fourbar_mechanism_equations_pattern`:
/// `offsets_length` is the number of velocities + 1, `rows_length` that of its entries.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_LENGTH`; `FOURBAR_INVALID` for another matrix.
///
/// # Safety
/// `equations` is NULL or alive; the arrays are NULL or as long as they say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_mechanism_equations_matrix_pattern(
    equations: *const fourbar_mechanism_equations,
    which: i32,
    offsets: *mut usize,
    offsets_length: usize,
    rows: *mut usize,
    rows_length: usize,
) -> fourbar_status {
    use fourbar_mechanism_matrix as M;
    // SAFETY: by contract.
    unsafe {
        with(equations, |open| {
            let pattern = match matrix_of(which)? {
                M::FOURBAR_MATRIX_MASS => open.system.mass.pattern(),
                M::FOURBAR_MATRIX_CONSTRAINT_JACOBIAN => &open.columns.pattern,
            };
            write_pattern(pattern, offsets, offsets_length, rows, rows_length)
        })
    }
}

/// A matrix at t and y (`length` = n values) into `values`: `entries` in the order of `fourbar_mechanism_equations_matrix_pattern`.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_LENGTH`; `FOURBAR_NOT_FINITE`; `FOURBAR_INVALID` for another matrix; partitioned: `FOURBAR_NUMERICAL`, `FOURBAR_CALLBACK`.
///
/// # Safety
/// `equations` is NULL or alive; the arrays are NULL or as long as they say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_mechanism_equations_matrix(
    equations: *mut fourbar_mechanism_equations,
    which: i32,
    t: f64,
    y: *const f64,
    length: usize,
    values: *mut f64,
    entries: usize,
) -> fourbar_status {
    use fourbar_mechanism_matrix as M;
    // SAFETY: by contract.
    unsafe {
        with(equations, |open| {
            let (which, t, y) = (matrix_of(which)?, time(t)?, point(open, y, length, "y")?);
            open.place(t, y)?;
            let (mechanism, system, poses, _) = open.placed();
            match which {
                M::FOURBAR_MATRIX_MASS => {
                    system.evaluate_mass(mechanism, poses);
                    view::copy(system.mass.values(), values, entries, "values")
                }
                M::FOURBAR_MATRIX_CONSTRAINT_JACOBIAN => {
                    system.evaluate_phi(mechanism, poses);
                    let Open { system, columns, .. } = open;
                    let by_rows = system.phi.values();
                    let by_columns: Vec<f64> = columns.places.iter().map(|&k| by_rows[k]).collect();
                    view::copy(&by_columns, values, entries, "values")
                }
            }
        })
    }
}

/// A vector, a value of `fourbar_mechanism_vector`, at t and y (`length` = n values) into `values`, `values_length` velocities or constraints.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_LENGTH`; `FOURBAR_NOT_FINITE`; `FOURBAR_INVALID` for another vector; `FOURBAR_NUMERICAL`, `FOURBAR_CALLBACK`.
///
/// # Safety
/// `equations` is NULL or alive; the arrays are NULL or as long as they say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_mechanism_equations_vector(
    equations: *mut fourbar_mechanism_equations,
    which: i32,
    t: f64,
    y: *const f64,
    length: usize,
    values: *mut f64,
    values_length: usize,
) -> fourbar_status {
    use fourbar_mechanism_vector as V;
    let all = [
        V::FOURBAR_VECTOR_FORCES,
        V::FOURBAR_VECTOR_CONSTRAINTS,
        V::FOURBAR_VECTOR_CONSTRAINT_RATES,
        V::FOURBAR_VECTOR_CONSTRAINT_ACCELERATIONS,
    ];
    // SAFETY: by contract.
    unsafe {
        with(equations, |open| {
            let which = choose("which", "fourbar_mechanism_vector", which, &all)?;
            let (t, y) = (time(t)?, point(open, y, length, "y")?);
            let of_forces = which == V::FOURBAR_VECTOR_FORCES;
            let needed = if of_forces { open.system.mass.nrows() } else { open.system.row_count() };
            check_length("values", values_length, needed)?;
            open.place(t, y)?;
            let (mechanism, system, poses, state) = open.placed();
            let mut found = vec![0.0; needed];
            match which {
                V::FOURBAR_VECTOR_FORCES => {
                    failure::evaluate(|| system.forces(mechanism, t, poses, &state.angles, &mut found))?;
                }
                V::FOURBAR_VECTOR_CONSTRAINTS => system.defects(mechanism, poses, &mut found),
                V::FOURBAR_VECTOR_CONSTRAINT_RATES => system.defect_rates(mechanism, poses, &mut found),
                V::FOURBAR_VECTOR_CONSTRAINT_ACCELERATIONS => system.gamma(mechanism, poses, &mut found),
            }
            view::copy(&found, values, values_length, "values")
        })
    }
}
