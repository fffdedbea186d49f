//! The methods as data, and what each does: it works on the point at hand, notes its try, and leaves the best point of all behind.

use super::{
    continuation, fixed_point, infeasible,
    newton::{self, Effort},
    scaled::{Iterate, Scaled},
    sweep,
};
use crate::budget::Budget;
use crate::solution::{Attempt, MethodName, Solution, Status};

/// A method for problems with friction. Each goes on from the best point so far, and ends early where it arrives.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Method {
    /// Block Gauss-Seidel with the exact solution of each contact, at most so many sweeps. Fifty and more are accelerated, ten by ten
    /// (D. G. Anderson, J. ACM 12 (1965) 547). A sweep costs a product with W.
    GaussSeidel {
        /// Sweeps.
        sweeps: usize,
    },
    /// The same, then nonsmooth Newton with line search on the function of Alart and Curnier. An iteration costs a factorization of the rows of
    /// closed contacts.
    Newton {
        /// Iterations that may bring little, at most.
        iterations: usize,
        /// Sweeps before.
        sweeps: usize,
    },
    /// Interior point with the exact law (V. Acary, P. Armand, H. M. Nguyen, M. Shpakovych, Optim. Methods Softw. 38 (2023)), handed over to
    /// Newton as soon as that finds the rest: ten to twenty factorizations.
    InteriorPoint,
    /// Fixed point over second-order cone problems: the De Saxcé correction mu |u_T| in, the velocities of the cone problem out (F. Cadoux,
    /// thesis, Grenoble 2009; V. Acary, F. Cadoux, C. Lemaréchal, J. Malick, ZAMM 91 (2011) 155). A round costs an interior-point solve;
    /// in the first, whose correction is zero, the exact law is tried from the path.
    FixedPoint {
        /// Rounds.
        rounds: usize,
    },
    /// Continuation in contact compliance: W + delta D, delta falling, by arc length around turning points.
    Continuation {
        /// Curves, each of another D.
        curves: usize,
        /// Factorizations on each curve, at most.
        factorizations: usize,
    },
}

/// Workspace of the solvers, kept from solve to solve.
#[derive(Debug, Clone, Default)]
pub struct Workspace {
    /// What a solve may cost; without limit by default.
    pub budget: Budget,
    pub(super) scaled: Scaled,
    pub(super) x: Iterate,
    // On the heap: by themselves they are small enough for any stack.
    sweeps: Box<sweep::Workspace>,
    newton: Box<newton::Workspace>,
    fixed_point: Box<fixed_point::Workspace>,
    pub(super) infeasible: Box<infeasible::Workspace>,
    continuation: Box<continuation::Workspace>,
    /// The best point of all methods, and its measure.
    pub(super) best: Iterate,
    pub(super) least: f64,
}

impl Workspace {
    /// The contact that misses its law most at the answer of the last solve.
    pub(crate) fn hardest(&self) -> usize {
        self.scaled.hardest
    }

    /// Keeps x if it is the best so far; its measure.
    pub(super) fn keep_better(&mut self) -> f64 {
        let measure = self.scaled.measure(&self.x);
        if measure < self.least || self.least == f64::INFINITY {
            self.least = measure;
            self.best.copy_from(&self.x);
        }
        measure
    }

    /// Notes a try.
    pub(super) fn record(
        &mut self,
        solution: &mut Solution,
        method: MethodName,
        iterations: usize,
        tolerance: f64,
    ) -> Status {
        let residual = self.keep_better();
        let status = if residual <= tolerance { Status::Solved } else { Status::MaxIterations };
        solution.attempts.push(Attempt { method, status, iterations, residual });
        solution.iterations += iterations;
        status
    }

    pub(super) fn newton(
        &mut self,
        solution: &mut Solution,
        (iterations, effort): (usize, Effort),
        target: f64,
        tolerance: f64,
    ) -> Status {
        let done = newton::newton(&self.scaled, &mut self.x, iterations, target, effort, &mut self.newton);
        self.record(solution, MethodName::Newton, done, tolerance)
    }

    fn gauss_seidel(&mut self, solution: &mut Solution, sweeps: usize, target: f64, tolerance: f64) -> Status {
        let done = sweep::sweeps(&self.scaled, &mut self.x, sweeps, target, &mut self.sweeps);
        self.record(solution, MethodName::GaussSeidel, done, tolerance)
    }
}

impl Method {
    /// Runs to `target`; solved is what comes to `tolerance`.
    pub(super) fn run(
        self,
        workspace: &mut Workspace,
        solution: &mut Solution,
        (target, tolerance): (f64, f64),
        effort: Effort,
    ) -> Status {
        match self {
            Self::GaussSeidel { sweeps } => workspace.gauss_seidel(solution, sweeps, target, tolerance),
            Self::Newton { iterations, sweeps } => {
                if sweeps > 0 {
                    workspace.gauss_seidel(solution, sweeps, target, tolerance);
                }
                // Also when the sweeps have arrived: it brings the last digits.
                workspace.newton(solution, (iterations, effort), target, tolerance)
            }
            Self::InteriorPoint => {
                let Workspace { scaled, x, newton, fixed_point, .. } = &mut *workspace;
                let steps = fixed_point::exact_path(scaled, x, target, fixed_point, newton);
                workspace.record(solution, MethodName::InteriorPoint, steps, tolerance)
            }
            Self::FixedPoint { rounds } => {
                let Workspace { scaled, x, newton, fixed_point, .. } = &mut *workspace;
                let steps = fixed_point::fixed_point(scaled, x, (target, tolerance), rounds, fixed_point, newton);
                workspace.record(solution, MethodName::FixedPoint, steps, tolerance)
            }
            Self::Continuation { curves, factorizations } => {
                let Workspace { scaled, x, newton, continuation, .. } = &mut *workspace;
                let length = (curves, factorizations);
                let steps = continuation::follow(scaled, x, target, length, continuation, newton);
                workspace.record(solution, MethodName::Continuation, steps, tolerance)
            }
        }
    }
}
