//! Problems: linear complementarity, mixed, friction in reduced form, friction in global form; from arrays and from JSON.

use std::ffi::c_char;

use fourbar::contact::friction::{Cone, Rows};
use fourbar::contact::problem::{FrictionProblem, GlobalFriction, Lcp, MixedLcp};
use nalgebra::DVector;

use super::failure::of_contact;
use crate::abi::error::Failure;
use crate::abi::status::fourbar_status;
use crate::abi::{guard, handle, view};
use crate::lti::system::matrix;

/// Kinds of problems.
#[allow(non_camel_case_types)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(i32)]
pub enum fourbar_contact_kind {
    /// w = M z + q, 0 <= z _|_ w >= 0. In JSON: {"M": [[..], ..], "q": [..]}, matrices by rows.
    FOURBAR_CONTACT_LCP = 1,
    /// A u + B z + a = 0, w = C u + D z + b, 0 <= z _|_ w >= 0, u free. In JSON: an object with "A", "B", "C", "D", "a", "b".
    FOURBAR_CONTACT_MIXED = 2,
    /// u = W S + q with the law of Coulomb at each contact. In JSON: {"W": [[..], ..], "q": [..], "mu": [..]}, and "rows", "spinning", "rolling"
    /// where contacts have other than three rows.
    FOURBAR_CONTACT_FRICTION = 3,
    /// Bodies, contacts and bilateral rows between them; W is never formed. In JSON: an object with "bodies", "contacts", "bilateral".
    FOURBAR_CONTACT_GLOBAL = 4,
}

/// One of them.
pub(super) enum Problem {
    Lcp(Lcp),
    Mixed(MixedLcp),
    Friction(FrictionProblem),
    Global(GlobalFriction),
}

/// A problem of complementarity or of friction. It never changes: any number of threads may use it.
#[allow(non_camel_case_types)]
pub struct fourbar_contact_problem {
    pub(super) problem: Problem,
}

impl From<Problem> for fourbar_contact_problem {
    fn from(problem: Problem) -> Self {
        Self { problem }
    }
}

/// The linear complementarity problem of M (n x n, column after column) and q (n values).
///
/// Errors: `FOURBAR_NULL`; `FOURBAR_NOT_FINITE`; `FOURBAR_LENGTH` when the matrix cannot be that large.
///
/// # Safety
/// The arrays are NULL or have as many values as said; `out` is NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_lcp_new(
    n: usize,
    m: *const f64,
    q: *const f64,
    out: *mut *mut fourbar_contact_problem,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        handle::give(out, "out", || {
            let lcp = Lcp::new(matrix(m, n, n, "m")?, vector(q, n, "q")?).map_err(|error| of_contact(&error))?;
            Ok(Problem::Lcp(lcp).into())
        })
    }
}

/// The mixed problem of f free variables and n complementary pairs: A (f x f), B (f x n), C (n x f), D (n x n), each column after column,
/// a (f values, `constants`) and b (n values, `offsets`). An array without values may be NULL.
///
/// Errors: as `fourbar_lcp_new`.
///
/// # Safety
/// The arrays are NULL or have as many values as said; `out` is NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_mixed_lcp_new(
    f: usize,
    n: usize,
    a: *const f64,
    b: *const f64,
    c: *const f64,
    d: *const f64,
    constants: *const f64,
    offsets: *const f64,
    out: *mut *mut fourbar_contact_problem,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        handle::give(out, "out", || {
            let [a, b, c, d] = [(a, f, f, "a"), (b, f, n, "b"), (c, n, f, "c"), (d, n, n, "d")]
                .map(|(values, rows, columns, name)| matrix(values, rows, columns, name));
            let (constants, offsets) = (vector(constants, f, "constants")?, vector(offsets, n, "offsets")?);
            let mixed = MixedLcp::new(a?, b?, c?, d?, constants, offsets).map_err(|error| of_contact(&error))?;
            Ok(Problem::Mixed(mixed).into())
        })
    }
}

/// The problem with friction of `contacts` contacts in reduced form: W (n x n, column after column; symmetric for rigid
/// bodies; one that is not is taken as it stands) \[1/kg\], q (n values) \[m/s\], `mu` (one value
/// each). `rows` holds 1 (the normal), 3 (and two tangential rows) or 6 (and one of spinning, two of rolling) for each contact; NULL:
/// 3 each. `spinning` and `rolling` \[m\] hold one value each; NULL: 0. The rows of all contacts must be n.
///
/// Errors: `FOURBAR_NULL`; `FOURBAR_NOT_FINITE`; `FOURBAR_LENGTH`; `FOURBAR_INVALID` for other numbers of rows, and coefficients below 0.
///
/// # Safety
/// The arrays are NULL or have as many values as said; `out` is NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_friction_new(
    contacts: usize,
    rows: *const u32,
    mu: *const f64,
    spinning: *const f64,
    rolling: *const f64,
    n: usize,
    w: *const f64,
    q: *const f64,
    out: *mut *mut fourbar_contact_problem,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        handle::give(out, "out", || {
            let (w, q) = (matrix(w, n, n, "w")?, vector(q, n, "q")?);
            let friction = view::slice(mu, contacts, "mu")?;
            let rows = optional(rows, contacts, "rows")?;
            let (spinning, rolling) =
                (optional(spinning, contacts, "spinning")?, optional(rolling, contacts, "rolling")?);
            let cones: Result<Vec<Cone>, Failure> = (0..contacts)
                .map(|i| {
                    Ok(Cone {
                        rows: rows.map_or(Ok(Rows::Sliding), |rows| rows_of(rows[i], i))?,
                        friction: friction[i],
                        spinning: spinning.map_or(0.0, |spinning| spinning[i]),
                        rolling: rolling.map_or(0.0, |rolling| rolling[i]),
                    })
                })
                .collect();
            let problem = FrictionProblem::new(w, q, cones?).map_err(|error| of_contact(&error))?;
            Ok(Problem::Friction(problem).into())
        })
    }
}

/// 1, 3 or 6 rows of contact `i`.
pub(super) fn rows_of(count: u32, i: usize) -> Result<Rows, Failure> {
    Rows::try_from(count as usize)
        .map_err(|reason| Failure::new(fourbar_status::FOURBAR_INVALID, format!("rows of contact {i}: {reason}")))
}

/// # Safety
/// `values` is NULL or has `n` values.
unsafe fn vector(values: *const f64, n: usize, name: &str) -> Result<DVector<f64>, Failure> {
    // SAFETY: by contract.
    unsafe { view::slice(values, n, name) }.map(DVector::from_column_slice)
}

/// # Safety
/// `pointer` is NULL or has `n` values.
unsafe fn optional<'a, T>(pointer: *const T, n: usize, name: &str) -> Result<Option<&'a [T]>, Failure> {
    if pointer.is_null() {
        return Ok(None);
    }
    // SAFETY: by contract.
    unsafe { view::slice(pointer, n, name) }.map(Some)
}

/// A problem from a JSON text, UTF-8 with a NUL at its end; `kind` is a value of `fourbar_contact_kind`, which says how it is written.
///
/// Errors: `FOURBAR_NULL`; `FOURBAR_TEXT` where the text is not UTF-8; `FOURBAR_INVALID` where it is not such a problem: the error says at which line
/// and column, or which matrix has the wrong shape.
///
/// # Safety
/// `text` is NULL or ends with a NUL; `out` is NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_contact_problem_from_json(
    kind: i32,
    text: *const c_char,
    out: *mut *mut fourbar_contact_problem,
) -> fourbar_status {
    use fourbar_contact_kind as K;
    // SAFETY: by contract.
    unsafe {
        handle::give(out, "out", || {
            let text = view::text(text, "text")?;
            let is = |expected: K| expected as i32 == kind;
            let read = if is(K::FOURBAR_CONTACT_LCP) {
                serde_json::from_str(text).map(Problem::Lcp)
            } else if is(K::FOURBAR_CONTACT_MIXED) {
                serde_json::from_str(text).map(Problem::Mixed)
            } else if is(K::FOURBAR_CONTACT_FRICTION) {
                serde_json::from_str(text).map(Problem::Friction)
            } else if is(K::FOURBAR_CONTACT_GLOBAL) {
                serde_json::from_str(text).map(Problem::Global)
            } else {
                let text = format!("kind is {kind}, which is no fourbar_contact_kind");
                return Err(Failure::new(fourbar_status::FOURBAR_INVALID, text));
            };
            let problem = read.map_err(|error| Failure::new(fourbar_status::FOURBAR_INVALID, error))?;
            Ok(problem.into())
        })
    }
}

/// The problem as a JSON text into `buffer` of `size` bytes; `needed` receives the bytes that it takes with its NUL. With `size` 0, `buffer` may be
/// NULL. All digits are kept.
///
/// Errors: `FOURBAR_NULL`; `FOURBAR_LENGTH` when the buffer is too short.
///
/// # Safety
/// `buffer` is NULL or has `size` bytes; the others are NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_contact_problem_to_json(
    problem: *const fourbar_contact_problem,
    buffer: *mut c_char,
    size: usize,
    needed: *mut usize,
) -> fourbar_status {
    // SAFETY: by contract.
    guard::guard(|| unsafe {
        let text = match &view::reference(problem, "problem")?.problem {
            Problem::Lcp(problem) => serde_json::to_string(problem),
            Problem::Mixed(problem) => serde_json::to_string(problem),
            Problem::Friction(problem) => serde_json::to_string(problem),
            Problem::Global(problem) => serde_json::to_string(problem),
        };
        let text = text.map_err(|error| Failure::new(fourbar_status::FOURBAR_INVALID, error))?;
        view::copy_text(&text, buffer, size, needed)
    })
}

/// What a problem is and how large: its `kind` (a value of `fourbar_contact_kind`), the number of free variables (of a mixed problem; of a global
/// one, six velocities a body) and of complementary variables or rows of contacts. Each may be NULL where it is not asked for.
///
/// Errors: `FOURBAR_NULL`.
///
/// # Safety
/// Pointers are NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_contact_problem_size(
    problem: *const fourbar_contact_problem,
    kind: *mut i32,
    free: *mut usize,
    rows: *mut usize,
) -> fourbar_status {
    use fourbar_contact_kind as K;
    // SAFETY: by contract.
    guard::guard(|| unsafe {
        let (own, f, n) = match &view::reference(problem, "problem")?.problem {
            Problem::Lcp(problem) => (K::FOURBAR_CONTACT_LCP, 0, problem.len()),
            Problem::Mixed(problem) => (K::FOURBAR_CONTACT_MIXED, problem.free(), problem.len()),
            Problem::Friction(problem) => (K::FOURBAR_CONTACT_FRICTION, 0, problem.rows()),
            Problem::Global(problem) => {
                let rows = problem.contacts.iter().map(|contact| contact.cone.size()).sum();
                (K::FOURBAR_CONTACT_GLOBAL, 6 * problem.bodies.len(), rows)
            }
        };
        if !kind.is_null() {
            kind.write(own as i32);
        }
        for (out, value) in [(free, f), (rows, n)] {
            if !out.is_null() {
                out.write(value);
            }
        }
        Ok(())
    })
}

/// Frees a problem. NULL is allowed.
///
/// # Safety
/// `problem` is NULL or alive, and not used afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_contact_problem_free(problem: *mut fourbar_contact_problem) {
    // SAFETY: by contract.
    unsafe { handle::free(problem) }
}

const _: () = {
    const fn shared<T: Send + Sync>() {}
    shared::<fourbar_contact_problem>();
};
