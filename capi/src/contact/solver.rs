//! A solver with what it keeps from solve to solve, and its last answer.

use std::ffi::c_char;

use fourbar::contact::solution::{Solution, Status};
use fourbar::linalg::Interrupt;

use super::dispatch::{Choice, Rooms, mixed};
use super::options::fourbar_contact_options;
use super::problem::{Problem, fourbar_contact_problem};
use super::result::{fourbar_contact_result, method_of, of_solution, status_of};
use crate::abi::error::Failure;
use crate::abi::handle::Exclusive;
use crate::abi::interrupt::interrupted;
use crate::abi::options;
use crate::abi::status::fourbar_status;
use crate::abi::{handle, view};

struct Solver {
    choice: Choice,
    rooms: Rooms,
    solution: Solution,
    solved_once: bool,
}

/// A solver of contact problems: a method, the room it works in, and its last answer. Used by one thread at a time.
#[allow(non_camel_case_types)]
pub struct fourbar_contact_solver {
    own: Exclusive<Solver>,
}

/// # Safety
/// `solver` is NULL or alive.
unsafe fn with(
    solver: *const fourbar_contact_solver,
    call: impl FnOnce(&mut Solver) -> Result<(), Failure>,
) -> fourbar_status {
    // SAFETY: by contract.
    match unsafe { solver.as_ref() } {
        Some(solver) => solver.own.with("solver", call),
        None => handle::null("solver"),
    }
}

/// As [`with`], for a solver that has an answer.
///
/// # Safety
/// `solver` is NULL or alive.
unsafe fn with_answer(
    solver: *const fourbar_contact_solver,
    call: impl FnOnce(&Solver) -> Result<(), Failure>,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(solver, |solver| {
            if !solver.solved_once {
                let text = "nothing has been solved yet: call fourbar_contact_solver_solve first";
                return Err(Failure::new(fourbar_status::FOURBAR_STATE, text));
            }
            call(solver)
        })
    }
}

/// A solver; `options` NULL means the automatic method with its tolerance.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_STRUCT_SIZE`, `FOURBAR_INVALID` for an option out of its range.
///
/// # Safety
/// The options are NULL or as they say; `out` is NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_contact_solver_new(
    options: *const fourbar_contact_options,
    out: *mut *mut fourbar_contact_solver,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        handle::give(out, "out", || {
            let choice = Choice::new(&options::read(options)?)?;
            let solver = Solver { choice, rooms: Rooms::default(), solution: Solution::default(), solved_once: false };
            Ok(fourbar_contact_solver { own: Exclusive::new(solver) })
        })
    }
}

/// Solves a problem, from `start` (`length` values: z, or the impulses, of a similar problem; NULL: from nothing; not used for mixed
/// problems). Not to find a solution is no error of the call: `fourbar_contact_solver_result` says how it ended and with what residual. The problem
/// may be freed afterwards.
///
/// Errors: `FOURBAR_NULL`; `FOURBAR_LENGTH` and `FOURBAR_NOT_FINITE` for the start; `FOURBAR_UNSUPPORTED` where the method is not for problems of this kind;
/// `FOURBAR_INTERRUPTED`: the best point until then is the answer, with `FOURBAR_CONTACT_OUT_OF_BUDGET`.
///
/// # Safety
/// `start` is NULL or has `length` values; the others are NULL or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_contact_solver_solve(
    solver: *mut fourbar_contact_solver,
    problem: *const fourbar_contact_problem,
    start: *const f64,
    length: usize,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(solver, |solver| {
            let problem = &view::reference(problem, "problem")?.problem;
            let start = if start.is_null() { None } else { Some(view::slice(start, length, "start")?) };
            check_start(start, problem)?;
            let Solver { choice, rooms, solution, solved_once } = solver;
            *solved_once = false;
            rooms.forget_bilateral();
            // Flags of threads end a solve as its budget does: with the best point until then.
            choice.budget.cancel = Interrupt::watched().flag().cloned();
            rooms.keep_to(&choice.budget);
            match problem {
                Problem::Lcp(problem) => rooms.lcp(choice, problem, start, solution)?,
                Problem::Mixed(problem) => *solution = mixed(choice, problem)?,
                Problem::Friction(problem) => rooms.friction(choice, problem, start, solution)?,
                Problem::Global(problem) => rooms.global(choice, problem, start, solution)?,
            }
            *solved_once = true;
            if solution.status == Status::OutOfBudget && Interrupt::thread_is_interrupted() {
                return Err(interrupted("the best point until then is the answer"));
            }
            Ok(())
        })
    }
}

fn check_start(start: Option<&[f64]>, problem: &Problem) -> Result<(), Failure> {
    let Some(start) = start else { return Ok(()) };
    let rows = match problem {
        Problem::Lcp(problem) => problem.len(),
        Problem::Mixed(problem) => problem.len(),
        Problem::Friction(problem) => problem.rows(),
        Problem::Global(problem) => problem.contacts.iter().map(|contact| contact.cone.size()).sum(),
    };
    if start.len() != rows {
        let text = format!("'start' has length {}, but must have length {rows}", start.len());
        return Err(Failure::new(fourbar_status::FOURBAR_LENGTH, text));
    }
    match start.iter().position(|value| !value.is_finite()) {
        Some(i) => {
            let text = format!("entry {i} of 'start' is {}; give finite numbers", start[i]);
            Err(Failure::new(fourbar_status::FOURBAR_NOT_FINITE, text))
        }
        None => Ok(()),
    }
}

/// How the last solve ended; `size` is sizeof(fourbar_contact_result).
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_STRUCT_SIZE`, `FOURBAR_STATE` before the first solve.
///
/// # Safety
/// `result` is NULL or has `size` bytes; `solver` is NULL or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_contact_solver_result(
    solver: *const fourbar_contact_solver,
    result: *mut fourbar_contact_result,
    size: usize,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe { with_answer(solver, |solver| options::write(result, size, &of_solution(&solver.solution))) }
}

/// The best point found: z (or the impulses) and w (or the velocities of contacts) of `rows` values each, u of `free` values (free variables of a
/// mixed problem; velocities of the bodies of a global one, six each), as `fourbar_contact_problem_size` says. Each may be NULL where it is not
/// asked for.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_LENGTH`, `FOURBAR_STATE` before the first solve.
///
/// # Safety
/// The arrays are NULL or have as many values as said; `solver` is NULL or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_contact_solver_get(
    solver: *const fourbar_contact_solver,
    z: *mut f64,
    w: *mut f64,
    rows: usize,
    u: *mut f64,
    free: usize,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with_answer(solver, |solver| {
            let own = &solver.solution;
            for (from, out, length, name) in [(&own.z, z, rows, "z"), (&own.w, w, rows, "w"), (&own.u, u, free, "u")] {
                if !out.is_null() {
                    view::copy(from, out, length, name)?;
                }
            }
            Ok(())
        })
    }
}

/// Impulses of the bilateral rows of a global problem, `length` values.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_LENGTH`, `FOURBAR_STATE` before the first solve.
///
/// # Safety
/// `impulses` is NULL or has `length` values; `solver` is NULL or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_contact_solver_get_bilateral(
    solver: *const fourbar_contact_solver,
    impulses: *mut f64,
    length: usize,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe { with_answer(solver, |solver| view::copy(solver.rooms.bilateral(), impulses, length, "impulses")) }
}

/// The proof that there is no solution, `length` values, one for each row: of a linear problem y >= 0 with M^T y <= 0 and q^T y < 0; with friction y >= 0 in
/// the normal rows and 0 in the others with W y = 0 and q^T y < 0.
///
/// Errors: `FOURBAR_NULL`; `FOURBAR_LENGTH`; `FOURBAR_STATE` where the last solve did not end with `FOURBAR_CONTACT_INFEASIBLE`.
///
/// # Safety
/// `certificate` is NULL or has `length` values; `solver` is NULL or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_contact_solver_get_certificate(
    solver: *const fourbar_contact_solver,
    certificate: *mut f64,
    length: usize,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with_answer(solver, |solver| {
            let own = &solver.solution.certificate;
            if own.is_empty() {
                let text = "the last solve did not prove that there is no solution";
                return Err(Failure::new(fourbar_status::FOURBAR_STATE, text));
            }
            view::copy(own, certificate, length, "certificate")
        })
    }
}

/// One of the tries of the last solve, `i` from 0: who tried, how it ended (`fourbar_contact_status`), its iterations, the residual it reached. Each may be
/// NULL where it is not asked for.
///
/// Errors: `FOURBAR_NULL`; `FOURBAR_INVALID` where there is no such try; `FOURBAR_STATE` before the first solve.
///
/// # Safety
/// Pointers are NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_contact_solver_attempt(
    solver: *const fourbar_contact_solver,
    i: usize,
    method: *mut i32,
    status: *mut i32,
    iterations: *mut usize,
    residual: *mut f64,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with_answer(solver, |solver| {
            let kept = solver.solution.attempts.iter().count();
            let Some(own) = solver.solution.attempts.iter().nth(i) else {
                let text = format!("try {i} was asked for; there are {kept}, counted from 0");
                return Err(Failure::new(fourbar_status::FOURBAR_INVALID, text));
            };
            for (out, value) in [(method, method_of(own.method) as i32), (status, status_of(own.status) as i32)] {
                if !out.is_null() {
                    out.write(value);
                }
            }
            if !iterations.is_null() {
                iterations.write(own.iterations);
            }
            if !residual.is_null() {
                residual.write(own.residual);
            }
            Ok(())
        })
    }
}

/// The text of the last failure on this handle, empty before the first: valid as long as the handle.
///
/// # Safety
/// `solver` is NULL or alive; no other thread uses it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_contact_solver_error(solver: *const fourbar_contact_solver) -> *const c_char {
    // SAFETY: by contract.
    unsafe { solver.as_ref() }.map_or(c"".as_ptr(), |solver| solver.own.message())
}

/// Frees a solver. NULL is allowed.
///
/// # Safety
/// `solver` is NULL or alive, and not used afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_contact_solver_free(solver: *mut fourbar_contact_solver) {
    // SAFETY: by contract.
    unsafe { handle::free(solver) }
}
