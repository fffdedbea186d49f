//! What does not change about the equations of a mechanism: sizes, unknowns, names, the pattern of the matrix.

use std::ffi::c_char;

use fourbar::dae::{Dae, Kind};
use fourbar::linalg::SparsityPattern;
use fourbar::multibody::formulation::kinds;

use super::mechanism::{fourbar_mechanism_equations, with};
use super::open::{Form, Open};
use crate::abi::error::Failure;
use crate::abi::options::{self, Grows};
use crate::abi::status::fourbar_status;
use crate::abi::view;
use crate::model::mechanism::check_index;
use crate::problem::equations::number_of;

/// Sizes of the equations of a mechanism.
#[allow(non_camel_case_types)]
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct fourbar_mechanism_equations_figures {
    /// sizeof(fourbar_mechanism_equations_figures).
    pub struct_size: usize,
    /// n, the number of unknowns and of equations.
    pub dimension: usize,
    /// Entries of the matrix dF/dy + c dF/dy'; 0 for y' = f(t, y).
    pub entries: usize,
    /// Components of the velocities: V and omega of each body, six times their number.
    pub velocities: usize,
    /// Independent constraint rows.
    pub constraints: usize,
    /// Entries of the mass matrix.
    pub mass_entries: usize,
    /// Entries of the constraint Jacobian.
    pub constraint_entries: usize,
    /// Values of a state as numbers: 13 a body, and the coordinates of motions given by velocity (one) or acceleration (two).
    pub state_length: usize,
    /// Differentiation index of F = 0: 3 for I3, 2 for SI2; 0 for y' = f(t, y).
    pub index: i32,
    /// Not used; 0.
    pub reserved: i32,
}

// SAFETY: numbers, the size first.
unsafe impl Grows for fourbar_mechanism_equations_figures {
    const NAME: &'static str = "fourbar_mechanism_equations_figures";
    const FIRST: usize = size_of::<Self>();

    fn defaults() -> Self {
        Self {
            struct_size: size_of::<Self>(),
            dimension: 0,
            entries: 0,
            velocities: 0,
            constraints: 0,
            mass_entries: 0,
            constraint_entries: 0,
            state_length: 0,
            index: 0,
            reserved: 0,
        }
    }
}

fn figures(open: &Open) -> fourbar_mechanism_equations_figures {
    use fourbar::multibody::Formulation;
    fourbar_mechanism_equations_figures {
        dimension: open.dimension(),
        entries: open.pattern().nnz(),
        velocities: open.system.mass.nrows(),
        constraints: open.system.row_count(),
        mass_entries: open.system.mass.nnz(),
        constraint_entries: open.system.phi.nnz(),
        state_length: crate::model::state::numbers_of(&open.mechanism),
        index: match &open.form {
            Form::Implicit(equations) => match equations.formulation() {
                Formulation::I3 => 3,
                Formulation::Si1 => 1,
                _ => 2,
            },
            Form::Partitioned(_) => 0,
        },
        ..fourbar_mechanism_equations_figures::defaults()
    }
}

/// Sizes; `size` is sizeof(fourbar_mechanism_equations_figures).
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_STRUCT_SIZE`.
///
/// # Safety
/// `equations` is NULL or alive; `out` is NULL or has `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_mechanism_equations_get_figures(
    equations: *const fourbar_mechanism_equations,
    out: *mut fourbar_mechanism_equations_figures,
    size: usize,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe { with(equations, |open| options::write(out, size, &figures(open))) }
}

/// What the unknowns are, `length` = n values each: values of `fourbar_kind`; whether the derivative of each occurs (1 or 0), as IDA's id; whether the local error of each decides on steps (1 or 0); the power p
/// where h^p times an unknown is comparable with a position; a magnitude that is neither large nor small. Each may be NULL. They are what
/// `fourbar_equations` asks for.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_LENGTH`.
///
/// # Safety
/// `equations` is NULL or alive; the arrays are NULL or have `length` values.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_mechanism_equations_unknowns(
    equations: *const fourbar_mechanism_equations,
    kinds: *mut i32,
    differential: *mut i32,
    error_tested: *mut i32,
    scale_powers: *mut i32,
    typical: *mut f64,
    length: usize,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(equations, |open| {
            let unknowns = open.form.unknowns();
            check_length("kinds", length, unknowns.len())?;
            let explicit = matches!(open.form, Form::Partitioned(_));
            let numbers: [(*mut i32, &dyn Fn(usize) -> i32); 4] = [
                (kinds, &|i| number_of(unknowns[i].kind)),
                (differential, &|i| i32::from(explicit || is_differential(unknowns[i].kind))),
                (error_tested, &|i| i32::from(unknowns[i].error_tested)),
                (scale_powers, &|i| i32::from(unknowns[i].scale_power)),
            ];
            for (to, value) in numbers.into_iter().filter(|(to, _)| !to.is_null()) {
                let to = view::slice_mut(to, length, "an array of the unknowns")?;
                to.iter_mut().enumerate().for_each(|(i, to)| *to = value(i));
            }
            if !typical.is_null() {
                let to = view::slice_mut(typical, length, "typical")?;
                to.iter_mut().zip(unknowns).for_each(|(to, unknown)| *to = unknown.typical);
            }
            Ok(())
        })
    }
}

/// Whether the derivative of an unknown occurs in F: omega is that of no equation, H has the derivative.
fn is_differential(kind: Kind) -> bool {
    !matches!(kind, kinds::ANGULAR_VELOCITY | kinds::MULTIPLIER | kinds::STABILIZER | Kind::ALGEBRAIC)
}

/// Before an array is looked at: a wrong length may be any number.
pub(super) fn check_length(what: &str, given: usize, needed: usize) -> Result<(), Failure> {
    if given == needed {
        return Ok(());
    }
    let text = format!("'{what}' has length {given}, but must have length {needed}");
    Err(Failure::new(fourbar_status::FOURBAR_LENGTH, text))
}

/// The name of unknown `i` (from 0), such as "body \"crank\" psi", into `buffer` of `size` bytes; `needed` receives the bytes that it takes with its NUL.
/// With `size` 0, `buffer` may be NULL.
///
/// Errors: `FOURBAR_NULL`; `FOURBAR_INVALID` for another index; `FOURBAR_LENGTH` when the buffer is too short.
///
/// # Safety
/// `equations` is NULL or alive; `buffer` is NULL or has `size` bytes; `needed` is NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_mechanism_equations_unknown_name(
    equations: *const fourbar_mechanism_equations,
    i: usize,
    buffer: *mut c_char,
    size: usize,
    needed: *mut usize,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(equations, |open| {
            check_index(i, open.dimension(), "unknowns")?;
            view::copy_text(&open.form.unknown_name(i), buffer, size, needed)
        })
    }
}

/// The name of equation `i` (from 0), such as "body \"crank\" force balance x", as `fourbar_mechanism_equations_unknown_name` does. Equations
/// y' = f(t, y) are called as their unknowns.
///
/// Errors: as `fourbar_mechanism_equations_unknown_name`.
///
/// # Safety
/// As `fourbar_mechanism_equations_unknown_name`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_mechanism_equations_equation_name(
    equations: *const fourbar_mechanism_equations,
    i: usize,
    buffer: *mut c_char,
    size: usize,
    needed: *mut usize,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(equations, |open| {
            check_index(i, open.dimension(), "equations")?;
            let name = match &open.form {
                Form::Implicit(equations) => equations.equation_name(i),
                Form::Partitioned(_) => open.form.unknown_name(i),
            };
            view::copy_text(&name, buffer, size, needed)
        })
    }
}

/// The pattern of dF/dy + c dF/dy', compressed by columns: column j has the rows `rows[offsets[j]]` to `rows[offsets[j + 1] - 1]`, ascending. `offsets` has
/// `offsets_length` = n + 1 values, `rows` has `rows_length` = entries.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_LENGTH`; `FOURBAR_UNSUPPORTED` for y' = f(t, y).
///
/// # Safety
/// `equations` is NULL or alive; the arrays are NULL or as long as they say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_mechanism_equations_pattern(
    equations: *const fourbar_mechanism_equations,
    offsets: *mut usize,
    offsets_length: usize,
    rows: *mut usize,
    rows_length: usize,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(equations, |open| match &open.form {
            Form::Implicit(equations) => write_pattern(equations.pattern(), offsets, offsets_length, rows, rows_length),
            Form::Partitioned(_) => Err(only_implicit("matrix")),
        })
    }
}

/// # Safety
/// The arrays are NULL or as long as they say.
pub(super) unsafe fn write_pattern(
    pattern: &SparsityPattern,
    offsets: *mut usize,
    offsets_length: usize,
    rows: *mut usize,
    rows_length: usize,
) -> Result<(), Failure> {
    let (own_offsets, own_rows) = (pattern.major_offsets(), pattern.minor_indices());
    check_length("offsets", offsets_length, own_offsets.len())?;
    check_length("rows", rows_length, own_rows.len())?;
    // SAFETY: by contract.
    unsafe {
        let (offsets, rows) =
            (view::slice_mut(offsets, offsets_length, "offsets")?, view::slice_mut(rows, rows_length, "rows")?);
        offsets.copy_from_slice(own_offsets);
        rows.copy_from_slice(own_rows);
    }
    Ok(())
}

#[cold]
pub(super) fn only_implicit(what: &str) -> Failure {
    let text = format!(
        "equations y' = f(t, y) have no {what}: take the formulation I3 or SI2, or fourbar_mechanism_equations_rhs"
    );
    Failure::new(fourbar_status::FOURBAR_UNSUPPORTED, text)
}
