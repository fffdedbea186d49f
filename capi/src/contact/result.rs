//! How a solve ended.

use fourbar::contact::solution::{MethodName, Solution, Status};

use super::options::fourbar_contact_method as M;
use crate::abi::options::Grows;

/// How a solve ended.
#[allow(non_camel_case_types)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(i32)]
pub enum fourbar_contact_status {
    /// The residual of the problem as it was given is at most the tolerance.
    FOURBAR_CONTACT_SOLVED = 0,
    /// A path of pivots ended on a ray, which proves nothing.
    FOURBAR_CONTACT_RAY = 1,
    /// There is no solution: `fourbar_contact_solver_get_certificate` has the proof.
    FOURBAR_CONTACT_INFEASIBLE = 2,
    /// The equations of a mixed problem contradict each other.
    FOURBAR_CONTACT_INCONSISTENT = 3,
    /// The iterations ran out.
    FOURBAR_CONTACT_MAX_ITERATIONS = 4,
    /// Round-off, a singular matrix or lack of progress stopped the method.
    FOURBAR_CONTACT_NUMERICAL_TROUBLE = 5,
    /// The work or the time of the options was spent, or the solve was interrupted (`fourbar_interrupt_raise`).
    FOURBAR_CONTACT_OUT_OF_BUDGET = 6,
}

/// How a solve ended, and by how much the best point found misses the problem as it was given.
#[allow(non_camel_case_types)]
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct fourbar_contact_result {
    /// sizeof(fourbar_contact_result).
    pub struct_size: usize,
    /// A value of `fourbar_contact_status`.
    pub status: i32,
    /// Who solved it, or came nearest: a value of `fourbar_contact_method`.
    pub method: i32,
    /// Iterations, pivots or sweeps, all tries together.
    pub iterations: u64,
    /// Number of tries; `fourbar_contact_solver_attempt` tells about the first 16.
    pub attempts: u64,
    /// Of a mixed problem: directions of u that its equations leave open.
    pub undetermined: u64,
    /// The one number that decides: the larger of `natural` and `mixed`, over the size of the constants, so that it is the same in any units; of a
    /// global problem the natural map as a velocity over the largest velocity of the contacts without impulses.
    pub residual: f64,
    /// Scaled natural map. NaN for a global problem, as the next four.
    pub natural: f64,
    /// |z^T w|, in the units of z times w.
    pub complementarity: f64,
    /// Worst negative z, in its units.
    pub negative_z: f64,
    /// Worst negative w, in its units.
    pub negative_w: f64,
    /// Violation of the equations of a mixed problem over their largest constant, rows scaled.
    pub mixed: f64,
}

// SAFETY: numbers, the size first.
unsafe impl Grows for fourbar_contact_result {
    const NAME: &'static str = "fourbar_contact_result";
    const FIRST: usize = size_of::<Self>();

    fn defaults() -> Self {
        of_solution(&Solution::default())
    }
}

/// The result of a solve in reduced form or without friction.
pub(super) fn of_solution(solution: &Solution) -> fourbar_contact_result {
    let best = solution.attempts.iter().reduce(|best, next| if next.residual <= best.residual { next } else { best });
    let residual = &solution.residual;
    fourbar_contact_result {
        struct_size: size_of::<fourbar_contact_result>(),
        status: status_of(solution.status) as i32,
        method: best.map_or(M::FOURBAR_CONTACT_AUTOMATIC, |best| method_of(best.method)) as i32,
        iterations: solution.iterations as u64,
        attempts: solution.attempts.count as u64,
        undetermined: solution.undetermined as u64,
        residual: residual.value(),
        natural: residual.natural,
        complementarity: residual.complementarity,
        negative_z: residual.negative_z,
        negative_w: residual.negative_w,
        mixed: residual.mixed,
    }
}

pub(super) fn status_of(status: Status) -> fourbar_contact_status {
    use fourbar_contact_status as S;
    match status {
        Status::Solved => S::FOURBAR_CONTACT_SOLVED,
        Status::Ray => S::FOURBAR_CONTACT_RAY,
        Status::Infeasible => S::FOURBAR_CONTACT_INFEASIBLE,
        Status::Inconsistent => S::FOURBAR_CONTACT_INCONSISTENT,
        Status::MaxIterations => S::FOURBAR_CONTACT_MAX_ITERATIONS,
        Status::OutOfBudget => S::FOURBAR_CONTACT_OUT_OF_BUDGET,
        _ => S::FOURBAR_CONTACT_NUMERICAL_TROUBLE,
    }
}

pub(super) fn method_of(name: MethodName) -> M {
    match name {
        MethodName::Trivial => M::FOURBAR_CONTACT_TRIVIAL,
        MethodName::ActiveSet => M::FOURBAR_CONTACT_ACTIVE_SET,
        MethodName::Lemke => M::FOURBAR_CONTACT_LEMKE,
        MethodName::GaussSeidel => M::FOURBAR_CONTACT_GAUSS_SEIDEL,
        MethodName::AugmentedLagrangian => M::FOURBAR_CONTACT_AUGMENTED_LAGRANGIAN,
        MethodName::Newton => M::FOURBAR_CONTACT_NEWTON,
        MethodName::InteriorPoint => M::FOURBAR_CONTACT_INTERIOR_POINT,
        MethodName::Enumeration => M::FOURBAR_CONTACT_ENUMERATION,
        MethodName::Feasibility => M::FOURBAR_CONTACT_FEASIBILITY,
        MethodName::BlockTriangular => M::FOURBAR_CONTACT_BLOCK_TRIANGULAR,
        MethodName::FixedPoint => M::FOURBAR_CONTACT_FIXED_POINT,
        MethodName::Continuation => M::FOURBAR_CONTACT_CONTINUATION,
        _ => M::FOURBAR_CONTACT_AUTOMATIC,
    }
}
