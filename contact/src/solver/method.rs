//! What a method is, and a solve by any of them: scaled, polished, and measured on the problem as given.

use super::polish::Polish;
use super::scaled::Scaled;
use crate::{
    budget::{Budget, Meter},
    problem::Lcp,
    residual,
    solution::{Attempt, MethodName, Solution, Status},
};

/// What a run of a method says of itself.
#[derive(Debug, Clone, Copy)]
pub struct Outcome {
    pub(crate) status: Status,
    pub(crate) iterations: usize,
}

/// Where a run begins and ends, in scaled variables.
#[derive(Debug, Clone, Default)]
pub struct Point {
    /// z~: the start on entry, the best point found on return.
    pub(crate) z: Vec<f64>,
    /// A direction that may prove infeasibility; empty if there is none.
    pub(crate) ray: Vec<f64>,
    /// Whether z on entry is worth starting from.
    pub(crate) warm: bool,
}

mod sealed {
    use super::{Outcome, Point};
    use crate::solution::MethodName;
    use crate::solver::scaled::Scaled;

    /// The iteration of a method, on scaled variables.
    pub trait Run {
        /// Vectors and matrices kept between solves.
        type Workspace: Default + Clone + std::fmt::Debug;
        /// For the record.
        const NAME: MethodName;
        /// Whether the active set of the result is solved once more.
        const POLISHED: bool;
        /// Residual of the original problem that counts as solved.
        fn tolerance(&self) -> f64;
        /// From `point` towards a solution.
        fn run(&self, scaled: &Scaled, point: &mut Point, workspace: &mut Self::Workspace) -> Outcome;
    }
}
pub(crate) use sealed::Run;

/// A way to solve linear complementarity problems.
pub trait Method: Run + Sized {
    /// Solves `lcp` into `solution`, from `start` (n entries, a z of a similar problem) if there is one. Allocates nothing once
    /// `workspace` and `solution` have held a problem as large.
    ///
    /// # Panics
    /// If `start` has not n entries.
    fn solve_into(&self, lcp: &Lcp, start: Option<&[f64]>, workspace: &mut Workspace<Self>, solution: &mut Solution) {
        workspace.core.scaled.meter.begin(&workspace.budget);
        self.solve_begun(lcp, start, workspace, solution);
    }

    /// The same with the budget that the workspace has begun to spend.
    #[doc(hidden)]
    fn solve_begun(&self, lcp: &Lcp, start: Option<&[f64]>, workspace: &mut Workspace<Self>, solution: &mut Solution) {
        let core = &mut workspace.core;
        if core.begin(lcp, start, solution) {
            core.attempt(self, &mut workspace.own, lcp, self.tolerance(), solution);
        }
    }

    /// Solves `lcp` from scratch.
    fn solve(&self, lcp: &Lcp) -> Solution {
        let mut solution = Solution::default();
        self.solve_into(lcp, None, &mut Workspace::default(), &mut solution);
        solution
    }
}

impl<R: Run> Method for R {}

/// Vectors and matrices of a method, kept between solves.
#[derive(Debug, Clone)]
pub struct Workspace<M: Run> {
    /// What a solve may cost; without limit by default.
    pub budget: Budget,
    core: Core,
    own: M::Workspace,
}

impl<M: Run> Default for Workspace<M> {
    fn default() -> Self {
        Self { budget: Budget::default(), core: Core::default(), own: M::Workspace::default() }
    }
}

impl<M: Run> Workspace<M> {
    /// Solves on what is left of a budget.
    pub(super) fn under(&mut self, meter: &Meter, solve: impl FnOnce(&mut Self)) {
        self.core.scaled.meter.begin_under(meter);
        solve(self);
        meter.charge(&self.core.scaled.meter);
    }
}

/// What every solve needs, whatever the method.
#[derive(Debug, Clone, Default)]
pub(crate) struct Core {
    pub(super) scaled: Scaled,
    pub(super) polish: Polish,
    pub(super) point: Point,
    pub(super) z: Vec<f64>,
    pub(super) w: Vec<f64>,
}

impl Core {
    /// Takes the problem and the start. False if nothing is left to do: q >= 0.
    pub(super) fn begin(&mut self, lcp: &Lcp, start: Option<&[f64]>, solution: &mut Solution) -> bool {
        let n = lcp.len();
        solution.reset(0, n);
        self.z.clear();
        self.z.resize(n, 0.0);
        self.w.clear();
        self.w.resize(n, 0.0);
        self.scaled.take(lcp);
        let least = residual::keep_better(lcp, &self.z, &self.scaled.scales, &mut self.w, solution);
        if lcp.q().iter().all(|&qi| qi >= 0.0) {
            let status = Status::Solved;
            solution.status = status;
            let residual = least.value();
            solution.attempts.push(Attempt { method: MethodName::Trivial, status, iterations: 0, residual });
            return false;
        }
        self.point.z.clear();
        self.point.warm = start.is_some();
        match start {
            None => self.point.z.resize(n, 0.0),
            Some(start) => {
                assert_eq!(start.len(), n, "a start has one entry a pair");
                let scaled = &self.scaled;
                let shrunk =
                    start.iter().zip(&scaled.scales.columns).map(|(zi, ci)| (zi / (ci * scaled.size)).max(0.0));
                self.point.z.extend(shrunk);
                // It may be better than whatever a method finds, or the solution.
                self.verify(lcp, solution);
            }
        }
        true
    }

    /// Lets a method work on the problem taken, judges what it found, and enters it in the record.
    pub(super) fn attempt<R: Run>(
        &mut self,
        method: &R,
        workspace: &mut R::Workspace,
        lcp: &Lcp,
        tolerance: f64,
        solution: &mut Solution,
    ) {
        self.point.ray.clear();
        let outcome = method.run(&self.scaled, &mut self.point, workspace);
        if R::POLISHED {
            self.polish.improve(&self.scaled, &mut self.point.z);
        }
        let reached = self.verify(lcp, solution);
        let status = if reached <= tolerance {
            Status::Solved
        } else if !self.point.ray.is_empty() && self.scaled.certifies(&mut self.point.ray) {
            self.certificate(solution);
            Status::Infeasible
        } else if self.scaled.meter.is_over() {
            Status::OutOfBudget
        } else if outcome.status == Status::Solved {
            Status::NumericalTrouble
        } else {
            outcome.status
        };
        solution.status = if solution.residual.within(tolerance) { Status::Solved } else { status };
        solution.iterations += outcome.iterations;
        let iterations = outcome.iterations;
        solution.attempts.push(Attempt { method: R::NAME, status, iterations, residual: reached });
    }

    /// Measures the point reached on the original problem, with its negative entries, which are round-off, set to zero.
    fn verify(&mut self, lcp: &Lcp, solution: &mut Solution) -> f64 {
        self.scaled.unscale(&self.point.z, &mut self.z);
        self.z.iter_mut().filter(|zi| **zi < 0.0).for_each(|zi| *zi = 0.0);
        residual::keep_better(lcp, &self.z, &self.scaled.scales, &mut self.w, solution).value()
    }

    /// y of the original from that of the scaled problem, with largest entry 1.
    fn certificate(&mut self, solution: &mut Solution) {
        let (y, s) = (&self.point.ray, &self.scaled.scales.rows);
        let largest = y.iter().zip(s).fold(0.0, |largest: f64, (yi, si)| largest.max(yi * si));
        solution.certificate.clear();
        solution.certificate.extend(y.iter().zip(s).map(|(yi, si)| yi * si / largest));
    }
}
