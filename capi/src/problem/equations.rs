//! Equations as the host describes them.

use std::ffi::{c_char, c_void};

use fourbar::dae::Kind;
use fourbar::multibody::formulation::kinds;

use crate::abi::guard;
use crate::abi::options::{self, Grows};
use crate::abi::status::fourbar_status;

/// What an unknown stands for: its unit and, with the index of the system, how its error is treated.
#[allow(non_camel_case_types)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(i32)]
pub enum fourbar_kind {
    /// A differential unknown of no further kind.
    FOURBAR_KIND_STATE = 0,
    /// An unknown whose derivative does not occur.
    FOURBAR_KIND_ALGEBRAIC = 1,
    /// A length \[m\].
    FOURBAR_KIND_POSITION = 2,
    /// An orientation coordinate \[rad\].
    FOURBAR_KIND_ORIENTATION = 3,
    /// A velocity \[m/s\].
    FOURBAR_KIND_VELOCITY = 4,
    /// An angular velocity \[rad/s\].
    FOURBAR_KIND_ANGULAR_VELOCITY = 5,
    /// An angular momentum \[kg m^2/s\].
    FOURBAR_KIND_MOMENTUM = 6,
    /// A Lagrange multiplier \[N or N m\].
    FOURBAR_KIND_MULTIPLIER = 7,
    /// A multiplier that keeps a stabilized system of index 2 on its position constraints.
    FOURBAR_KIND_STABILIZER = 8,
    /// An unknown whose derivative is a Lagrange multiplier \[N s or N m s\].
    FOURBAR_KIND_MULTIPLIER_INTEGRAL = 9,
    /// An unknown whose derivative is a multiplier that keeps a stabilized system on its position constraints.
    FOURBAR_KIND_STABILIZER_INTEGRAL = 10,
}

pub(super) const KINDS: [(fourbar_kind, Kind); 11] = {
    use fourbar_kind as K;
    [
        (K::FOURBAR_KIND_STATE, Kind::STATE),
        (K::FOURBAR_KIND_ALGEBRAIC, Kind::ALGEBRAIC),
        (K::FOURBAR_KIND_POSITION, kinds::POSITION),
        (K::FOURBAR_KIND_ORIENTATION, kinds::ORIENTATION),
        (K::FOURBAR_KIND_VELOCITY, kinds::VELOCITY),
        (K::FOURBAR_KIND_ANGULAR_VELOCITY, kinds::ANGULAR_VELOCITY),
        (K::FOURBAR_KIND_MOMENTUM, kinds::MOMENTUM),
        (K::FOURBAR_KIND_MULTIPLIER, kinds::MULTIPLIER),
        (K::FOURBAR_KIND_STABILIZER, kinds::STABILIZER),
        (K::FOURBAR_KIND_MULTIPLIER_INTEGRAL, kinds::MULTIPLIER_INTEGRAL),
        (K::FOURBAR_KIND_STABILIZER_INTEGRAL, kinds::STABILIZER_INTEGRAL),
    ]
};

/// The number of a kind in C.
pub(crate) fn number_of(kind: Kind) -> i32 {
    let known = KINDS.iter().find(|(_, own)| *own == kind);
    known.map_or(fourbar_kind::FOURBAR_KIND_STATE, |(number, _)| *number) as i32
}

/// What an event function asks for.
#[allow(non_camel_case_types)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(i32)]
pub enum fourbar_event_action {
    /// Go on with the history: nothing has changed.
    FOURBAR_EVENT_CONTINUE = 0,
    /// Begin anew from the y and y' that the function wrote.
    FOURBAR_EVENT_RESTART = 1,
    /// As RESTART; y' of the differential unknowns and the algebraic unknowns are found first, as by `fourbar_problem_consistent_start`.
    FOURBAR_EVENT_RESTART_CONSISTENT = 2,
    /// Go on with the history, but come back to the caller with `FOURBAR_STOP_HOST`.
    FOURBAR_EVENT_STOP = 3,
}

/// Writes F(t, y, y') to `residual`, or f(t, y) to `yp`: see `fourbar_equations`. Returns 0; a positive number where the point lies outside
/// the domain, so that a shorter step may avoid it; a negative one to stop the run. A NaN counts as outside the domain.
#[allow(non_camel_case_types)]
pub type fourbar_residual_function =
    Option<unsafe extern "C" fn(user: *mut c_void, t: f64, y: *const f64, yp: *const f64, residual: *mut f64) -> i32>;

/// Writes f(t, y) to `yp`. Returns as `fourbar_residual_function`.
#[allow(non_camel_case_types)]
pub type fourbar_rhs_function =
    Option<unsafe extern "C" fn(user: *mut c_void, t: f64, y: *const f64, yp: *mut f64) -> i32>;

/// Writes the entries of the matrix, in the order of the pattern, to `values`: dF/dy + c dF/dy', linear in c >= 0 \[1/s\]; or df/dy for equations
/// y' = f(t, y), where `yp` is NULL and c is 0. Returns as `fourbar_residual_function`.
#[allow(non_camel_case_types)]
pub type fourbar_jacobian_function = Option<
    unsafe extern "C" fn(user: *mut c_void, t: f64, y: *const f64, yp: *const f64, c: f64, values: *mut f64) -> i32,
>;

/// Writes the `root_count` root functions to `roots`; they should be continuous between restarts. Returns 0, or another number to stop the run.
#[allow(non_camel_case_types)]
pub type fourbar_roots_function =
    Option<unsafe extern "C" fn(user: *mut c_void, t: f64, y: *const f64, yp: *const f64, roots: *mut f64) -> i32>;

/// Called where root functions changed their signs: `count` of them, by `indices` (from 0) and `directions` (1 rising, -1 falling). It may
/// change `y` and `yp` (n values each), and writes a value of `fourbar_event_action` to `action`, which is FOURBAR_EVENT_CONTINUE before.
/// Returns 0, or another number to stop the run: the integration then stands at the event as it was found, and the next step calls it again.
#[allow(non_camel_case_types)]
pub type fourbar_event_function = Option<
    unsafe extern "C" fn(
        user: *mut c_void,
        t: f64,
        y: *mut f64,
        yp: *mut f64,
        indices: *const usize,
        directions: *const i32,
        count: usize,
        action: *mut i32,
    ) -> i32,
>;

/// A system of n equations in n unknowns, F(t, y, y') = 0 by `residual` or y' = f(t, y) by `rhs`; set by `fourbar_equations_init` first. The
/// functions may be called from whichever thread uses an integration, and must not call back into it. Arrays are copied by
/// `fourbar_problem_new`, `user` is not.
#[allow(non_camel_case_types)]
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct fourbar_equations {
    /// sizeof(fourbar_equations).
    pub struct_size: usize,
    /// Passed to all functions; has to live as long as the problem and all that is made from it.
    pub user: *mut c_void,
    /// n.
    pub dimension: usize,
    /// F(t, y, y'); NULL where `rhs` is given.
    pub residual: fourbar_residual_function,
    /// f(t, y); NULL where `residual` is given.
    pub rhs: fourbar_rhs_function,
    /// The matrix; NULL: it is differenced, in as few evaluations as the pattern allows.
    pub jacobian: fourbar_jacobian_function,
    /// Pattern of the matrix, compressed by columns: column j has the rows `pattern_rows[pattern_offsets[j]]` to
    /// `pattern_rows[pattern_offsets[j + 1] - 1]`, ascending. n + 1 offsets; NULL: all n x n entries, column after column. GSTIFF then takes about
    /// 90 n^2 + 4/3 n^3 bytes; RKF45 and ABAM need no matrix.
    pub pattern_offsets: *const usize,
    /// `pattern_length` rows, from 0.
    pub pattern_rows: *const usize,
    /// Number of entries.
    pub pattern_length: usize,
    /// n values of `fourbar_kind`; NULL: all states.
    pub kinds: *const i32,
    /// Of a system F = 0, its differentiation index: 0 or 1, 2, 3; 1 by default. By it, unknowns of the kinds are treated as in a mechanism. Index 3:
    /// positions and states are tested for their errors, velocities and multipliers scaled by h and h^2. Index 2: velocities are tested too,
    /// multipliers scaled by h. Algebraic unknowns and multipliers are never tested, integrals of multipliers are.
    pub index: i32,
    /// Number of root functions.
    pub root_count: u32,
    /// n values, 0 or 1: whether the error of an unknown decides on the step; NULL: by kind and index.
    pub error_tested: *const i32,
    /// n values 0 to 3: power p, where h^p times an unknown is comparable with a position; NULL: by kind and index.
    pub scale_powers: *const i32,
    /// n positive values: a magnitude of each unknown that is neither large nor small, in its unit; NULL: 1.
    pub typical: *const f64,
    /// n names for messages; NULL: "unknown 0", "unknown 1", ...
    pub names: *const *const c_char,
    /// Root functions; NULL where, and only where, `root_count` is 0.
    pub roots: fourbar_roots_function,
    /// `root_count` values: 1 for changes from negative to positive alone, -1 for the others alone, 0 for both; NULL: all 0.
    pub root_directions: *const i32,
    /// What to do at events; NULL: the caller decides, after `FOURBAR_STOP_EVENT`. NULL where `root_count` is 0.
    pub event: fourbar_event_function,
}

// SAFETY: numbers and pointers, the size first; a function pointer that is not NULL is one by contract.
unsafe impl Grows for fourbar_equations {
    const NAME: &'static str = "fourbar_equations";
    const FIRST: usize = size_of::<Self>();

    fn defaults() -> Self {
        Self {
            struct_size: size_of::<Self>(),
            user: std::ptr::null_mut(),
            dimension: 0,
            residual: None,
            rhs: None,
            jacobian: None,
            pattern_offsets: std::ptr::null(),
            pattern_rows: std::ptr::null(),
            pattern_length: 0,
            kinds: std::ptr::null(),
            index: 1,
            root_count: 0,
            error_tested: std::ptr::null(),
            scale_powers: std::ptr::null(),
            typical: std::ptr::null(),
            names: std::ptr::null(),
            roots: None,
            root_directions: std::ptr::null(),
            event: None,
        }
    }
}

/// Sets the defaults: no functions, index 1, a full pattern, states alone; `size` is sizeof(fourbar_equations).
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_STRUCT_SIZE`.
///
/// # Safety
/// `equations` is NULL or has `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_equations_init(equations: *mut fourbar_equations, size: usize) -> fourbar_status {
    // SAFETY: by contract.
    guard::guard(|| unsafe { options::write(equations, size, &fourbar_equations::defaults()) })
}
