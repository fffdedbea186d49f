//! The methods as stages of the default: each works on the point at hand, notes its try, and leaves the best point of all behind.

use super::{
    admm,
    convex::{self, Rounds},
    homotopy, infeasible,
    newton::{self, Effort},
    scaled::{Iterate, Scaled},
    sweep,
};
use crate::budget::Budget;
use crate::solution::{Attempt, MethodName, Solution, Status};

/// Room of the solvers, kept from solve to solve.
#[derive(Debug, Clone, Default)]
pub struct Workspace {
    /// What a solve may cost; without limit by default.
    pub budget: Budget,
    pub(super) scaled: Scaled,
    pub(super) x: Iterate,
    // On the heap: by themselves they are small enough for any stack.
    sweeps: Box<sweep::Room>,
    newton: Box<newton::Room>,
    convex: Box<convex::Room>,
    admm: Box<admm::Room>,
    pub(super) infeasible: Box<infeasible::Room>,
    homotopy: Box<homotopy::Room>,
    /// The best point of all methods, and its measure.
    pub(super) best: Iterate,
    pub(super) least: f64,
    /// The best point, while a problem with smaller coefficients is solved.
    pub(super) aside: Iterate,
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
}

/// Newton iterations behind sweeps.
pub(super) const ITERATIONS: usize = 4;

/// What the default tries in turn, each time from the best point so far.
#[derive(Debug, Clone, Copy)]
pub(super) enum Stage {
    /// So many sweeps with Newton behind.
    Sweeps(usize),
    /// The same from so many points about the best: where contacts jam there, others may not.
    ScatteredSweeps(usize, usize),
    /// The first round of the fixed point over convex problems, which leads to another path with the exact law.
    FirstRound,
    /// Rounds of it.
    Rounds(Rounds),
    /// Along so many curves from contacts that give way, over so many factorizations each: where they lead straight on, they are soon over.
    Continuation(usize, usize),
}

impl Stage {
    pub(super) fn run(self, workspace: &mut Workspace, solution: &mut Solution, target: f64, tolerance: f64) -> Status {
        match self {
            Self::Sweeps(count) => sweeps(workspace, solution, target, tolerance, count),
            Self::ScatteredSweeps(starts, count) => scattered(workspace, solution, target, tolerance, (starts, count)),
            Self::Rounds(which) => {
                let Workspace { scaled, x, newton, convex, .. } = &mut *workspace;
                let steps = convex::rounds(scaled, x, (target, tolerance), which, convex, newton);
                record(workspace, solution, MethodName::FixedPoint, steps, tolerance)
            }
            Self::FirstRound => {
                let Workspace { scaled, x, newton, convex, .. } = &mut *workspace;
                let steps = convex::first_round(scaled, x, target, convex, newton);
                record(workspace, solution, MethodName::FixedPoint, steps, tolerance)
            }
            Self::Continuation(curves, longest) => {
                let Workspace { scaled, x, newton, homotopy, .. } = &mut *workspace;
                let steps = homotopy::follow(scaled, x, target, (curves, longest), homotopy, newton);
                record(workspace, solution, MethodName::Homotopy, steps, tolerance)
            }
        }
    }
}

fn sweeps(workspace: &mut Workspace, solution: &mut Solution, target: f64, tolerance: f64, count: usize) -> Status {
    gauss_seidel(workspace, solution, count, target, tolerance);
    newton(workspace, solution, (ITERATIONS, Effort::Quick), target, tolerance)
}

/// Sweeps from so many points about the best: the impulses of each contact multiplied by a number between 0 and 2.
fn scattered(
    workspace: &mut Workspace,
    solution: &mut Solution,
    target: f64,
    tolerance: f64,
    (starts, count): (usize, usize),
) -> Status {
    let (mut random, attempts, mut status) = (homotopy::SEED, solution.attempts, Status::MaxIterations);
    let iterations = solution.iterations;
    for _ in 0..starts {
        let Workspace { scaled, x, best, .. } = &mut *workspace;
        x.copy_from(best);
        for c in 0..scaled.cones.len() {
            let factor = 2.0 * homotopy::uniform(&mut random);
            x.s[scaled.offsets[c]..scaled.offsets[c + 1]].iter_mut().for_each(|s| *s *= factor);
        }
        scaled.refresh(x);
        status = sweeps(workspace, solution, target, tolerance, count);
        if status == Status::Solved || workspace.scaled.meter.is_over() {
            break;
        }
    }
    // One try, with what all of them took.
    let taken = solution.iterations - iterations;
    (solution.attempts, solution.iterations) = (attempts, iterations);
    let residual = workspace.scaled.measure(&workspace.x);
    solution.attempts.push(Attempt { method: MethodName::GaussSeidel, status, iterations: taken, residual });
    solution.iterations += taken;
    status
}

pub(super) fn interior(workspace: &mut Workspace, solution: &mut Solution, target: f64, tolerance: f64) -> Status {
    let Workspace { scaled, x, newton, convex, .. } = workspace;
    let steps = convex::exact_path(scaled, x, target, convex, newton);
    record(workspace, solution, MethodName::InteriorPoint, steps, tolerance)
}

pub(super) fn gauss_seidel(
    workspace: &mut Workspace,
    solution: &mut Solution,
    limit: usize,
    target: f64,
    tolerance: f64,
) -> Status {
    let Workspace { scaled, x, sweeps, .. } = &mut *workspace;
    let sweeps = sweep::sweeps(scaled, x, limit, target, sweeps);
    record(workspace, solution, MethodName::GaussSeidel, sweeps, tolerance)
}

pub(super) fn newton(
    workspace: &mut Workspace,
    solution: &mut Solution,
    (limit, effort): (usize, Effort),
    target: f64,
    tolerance: f64,
) -> Status {
    let iterations = newton::newton(&workspace.scaled, &mut workspace.x, limit, target, effort, &mut workspace.newton);
    record(workspace, solution, MethodName::Newton, iterations, tolerance)
}

pub(super) fn fixed_point(workspace: &mut Workspace, solution: &mut Solution, target: f64, tolerance: f64) -> Status {
    let Workspace { scaled, x, newton, convex, .. } = workspace;
    let steps = convex::fixed_point(scaled, x, target, tolerance, convex, newton);
    record(workspace, solution, MethodName::FixedPoint, steps, tolerance)
}

pub(super) fn alternating(
    workspace: &mut Workspace,
    solution: &mut Solution,
    limit: usize,
    penalty: f64,
    target: f64,
    tolerance: f64,
) -> Status {
    let Workspace { scaled, x, admm, .. } = workspace;
    let iterations = admm::admm(scaled, x, limit, target, penalty, admm);
    record(workspace, solution, MethodName::AugmentedLagrangian, iterations, tolerance)
}

/// Notes a try.
pub(super) fn record(
    workspace: &mut Workspace,
    solution: &mut Solution,
    method: MethodName,
    iterations: usize,
    tolerance: f64,
) -> Status {
    let residual = workspace.keep_better();
    let status = if residual <= tolerance { Status::Solved } else { Status::MaxIterations };
    solution.attempts.push(Attempt { method, status, iterations, residual });
    solution.iterations += iterations;
    status
}
