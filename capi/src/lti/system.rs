//! A linear system, shared by whatever is made from it.

use fourbar::lti::StateSpace;
use nalgebra::DMatrix;

use crate::abi::error::Failure;
use crate::abi::status::fourbar_status;
use crate::abi::{guard, handle, memory, view};

/// A linear system dx/dt = A x + B u, y = C x + D u. It never changes: any number of threads may use it.
#[allow(non_camel_case_types)]
pub struct fourbar_system {
    pub(crate) system: StateSpace,
}

/// A system of n states, m inputs and q outputs from its matrices, each column after column: `a` n x n, `b` n x m, `c` q x n, `d` q x m.
/// A matrix without entries may be NULL. The matrices are copied.
///
/// Errors: `FOURBAR_NULL`; `FOURBAR_NOT_FINITE`; `FOURBAR_LENGTH` when a matrix cannot be that large.
///
/// # Safety
/// The matrices are NULL or have as many values as said; `out` is NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_system_new(
    n: usize,
    m: usize,
    q: usize,
    a: *const f64,
    b: *const f64,
    c: *const f64,
    d: *const f64,
    out: *mut *mut fourbar_system,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        handle::give(out, "out", || {
            let shapes = [(a, n, n, "a"), (b, n, m, "b"), (c, q, n, "c"), (d, q, m, "d")];
            // All are looked at before the first is copied.
            for (values, rows, columns, name) in shapes {
                view::slice(values, entries(rows, columns, name)?, name)?;
            }
            let [a, b, c, d] = shapes.map(|(values, rows, columns, name)| matrix(values, rows, columns, name));
            Ok(fourbar_system { system: StateSpace::new(a?, b?, c?, d?)? })
        })
    }
}

/// The numbers of states, inputs and outputs; each may be NULL where it is not asked for.
///
/// Errors: `FOURBAR_NULL`.
///
/// # Safety
/// `system` is NULL or alive; the others are NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_system_dimensions(
    system: *const fourbar_system,
    n: *mut usize,
    m: *mut usize,
    q: *mut usize,
) -> fourbar_status {
    // SAFETY: by contract.
    guard::guard(|| unsafe {
        let system = &view::reference(system, "system")?.system;
        for (out, value) in [(n, system.states()), (m, system.inputs()), (q, system.outputs())] {
            if !out.is_null() {
                out.write(value);
            }
        }
        Ok(())
    })
}

/// Frees a system; steppers made from it live on. NULL is allowed.
///
/// # Safety
/// `system` is NULL or alive, and not used afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_system_free(system: *mut fourbar_system) {
    // SAFETY: by contract.
    unsafe { handle::free(system) }
}

/// Numbers for each entry of A that the matrices of a step need while they are computed, beside those that are kept.
const WORK: usize = 20;

/// Whether the matrices of a step of `n` states can be computed, of which `kept` are kept.
pub(super) fn check_room(n: usize, kept: usize) -> Result<(), Failure> {
    let each = kept.checked_add(WORK);
    if memory::holds(each.and_then(|each| each.checked_mul(n)?.checked_mul(n))) {
        return Ok(());
    }
    let text = format!("there is no memory for the matrices of a step of {n} states");
    Err(Failure::new(fourbar_status::FOURBAR_LENGTH, text))
}

/// # Safety
/// `values` is NULL or has `rows` times `columns` values.
pub(crate) unsafe fn matrix(
    values: *const f64,
    rows: usize,
    columns: usize,
    name: &str,
) -> Result<DMatrix<f64>, Failure> {
    let length = entries(rows, columns, name)?;
    // SAFETY: by contract.
    let values = unsafe { view::slice(values, length, name) }?;
    if !memory::holds(Some(length)) {
        let text = format!("there is no memory for a copy of '{name}', {rows} x {columns}");
        return Err(Failure::new(fourbar_status::FOURBAR_LENGTH, text));
    }
    Ok(DMatrix::from_column_slice(rows, columns, values))
}

/// Number of entries of a matrix.
pub(crate) fn entries(rows: usize, columns: usize, name: &str) -> Result<usize, Failure> {
    rows.checked_mul(columns).ok_or_else(|| {
        let text = format!("{rows} x {columns} values of '{name}' do not fit into memory");
        Failure::new(fourbar_status::FOURBAR_LENGTH, text)
    })
}

#[cfg(test)]
mod tests {
    use super::{check_room, entries, fourbar_status};

    #[test]
    fn sizes_beyond_memory_are_told_as_given() {
        assert!(matches!(entries(3, 4, "a"), Ok(12)));
        let refused = entries(1 << 40, 1 << 30, "b").unwrap_err();
        assert_eq!(refused.status(), fourbar_status::FOURBAR_LENGTH);
        assert_eq!(refused.text(), "1099511627776 x 1073741824 values of 'b' do not fit into memory");
    }

    #[test]
    fn systems_that_no_machine_can_step_are_refused() {
        assert!(check_room(100, 3).is_ok());
        for n in [1 << 20, usize::MAX] {
            let refused = check_room(n, 3).unwrap_err();
            assert_eq!(refused.status(), fourbar_status::FOURBAR_LENGTH);
            assert!(refused.text().contains(&n.to_string()));
        }
    }
}
