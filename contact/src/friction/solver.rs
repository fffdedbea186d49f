//! The methods as plain data, and the default that picks among them and says what it did.

use super::{
    admm, convex, homotopy, infeasible,
    newton::{self, Effort},
    scaled::{ACCEPTED, Iterate, Scaled},
    sweep,
};
use crate::{
    Error,
    problem::{FrictionProblem, finite, shape},
    solution::{Attempt, MethodName, Solution, Status},
};

/// How to solve a problem with friction.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Method {
    /// A few sweeps and Newton steps, then the interior point with the exact law, then, in large problems, many sweeps, then a few rounds
    /// of the fixed point over convex problems and a short continuation from contacts that give way, then both at length, then sweeps and
    /// Newton in turn, until one succeeds; else the best point of all. Without any friction the linear complementarity problem of the
    /// normals comes first.
    #[default]
    Automatic,
    /// Block Gauss-Seidel with the exact solution of each contact, at most so many sweeps; fifty and more are accelerated, ten by ten.
    GaussSeidel {
        /// Sweeps.
        sweeps: usize,
    },
    /// Nonsmooth Newton with line search, at most so many iterations; Gauss-Seidel sweeps, at most so many, bring it near.
    Newton {
        /// Iterations.
        iterations: usize,
        /// Sweeps before.
        sweeps: usize,
    },
    /// Interior point with the exact law, handed over to Newton as soon as that finds the rest; then on convex problems with the fixed
    /// point that makes them exact.
    FixedPoint,
    /// Augmented Lagrangian by alternating directions.
    AugmentedLagrangian {
        /// Iterations.
        iterations: usize,
        /// Penalty rho over the mean diagonal of W.
        penalty: f64,
    },
}

/// A method and how exactly it solves.
///
/// ```
/// use fourbar_contact::{friction::Coulomb, problem::FrictionProblem};
///
/// // A block of 1 kg pushed down at 4 m/s and along at 5 m/s: it slips.
/// let text = r#"{"W": [[1, 0, 0], [0, 1, 0], [0, 0, 1]], "q": [-4, 3, -4], "mu": [0.2]}"#;
/// let problem: FrictionProblem = serde_json::from_str(text)?;
/// let solution = Coulomb::default().solve(&problem)?;
/// assert!(solution.solved());
/// assert!((solution.z[1] + 0.48).abs() < 1e-12 && (solution.z[2] - 0.64).abs() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Coulomb {
    /// The method.
    pub method: Method,
    /// Largest residual, [`Residual::natural`](crate::solution::Residual::natural), that counts as solved. Dimensionless.
    pub tolerance: f64,
    /// Residual that is aimed at: methods go on below the tolerance down to it while that is cheap. Above the tolerance it counts as
    /// the tolerance.
    pub goal: f64,
}

impl Default for Coulomb {
    fn default() -> Self {
        Self { method: Method::Automatic, tolerance: ACCEPTED, goal: 1e-10 }
    }
}

/// Room of the solvers, kept from solve to solve.
#[derive(Debug, Clone, Default)]
pub struct Workspace {
    scaled: Scaled,
    x: Iterate,
    sweeps: sweep::Room,
    newton: newton::Room,
    convex: convex::Room,
    admm: admm::Room,
    infeasible: infeasible::Room,
    homotopy: homotopy::Room,
    /// The best point of all methods, and its measure.
    best: Iterate,
    least: f64,
    /// The best point, while a problem with smaller coefficients is solved.
    aside: Iterate,
}

/// Sweeps and Newton iterations with which the automatic method begins.
const SWEEPS: usize = 10;
const ITERATIONS: usize = 4;
/// Both of its end, where round-off is all that is left to fight.
const LAST: [(usize, usize); 4] = [(60, 25), (250, 40), (1000, 60), (20_000, 60)];
/// Rows from which on a factorization is dearer than hundreds of sweeps; and many sweeps, each time with Newton behind: in large problems
/// before the fixed point, in small ones behind what is brief.
const LARGE: usize = 200;
const CREEP: [usize; 2] = [1000, 5000];
const CREEP_OF_FEW: [usize; 1] = [300];
/// Coefficients of friction above which the problem is solved with these first: what sticks or opens does so with larger ones, too.
const CAPS: [f64; 2] = [10.0, 1e3];
/// Curves of its continuation, and factorizations of the one that is tried earlier: where it leads straight on, it is over soon.
const CURVES: usize = 12;
const BRIEF: usize = 60;

impl Workspace {
    /// Keeps x if it is the best so far; its measure.
    fn keep_better(&mut self) -> f64 {
        let measure = self.scaled.measure(&self.x);
        if measure < self.least || self.least == f64::INFINITY {
            self.least = measure;
            self.best.copy_from(&self.x);
        }
        measure
    }
}

impl Coulomb {
    /// Solves, in room of its own.
    ///
    /// # Errors
    /// A tolerance or goal that is no positive number.
    pub fn solve(&self, problem: &FrictionProblem) -> Result<Solution, Error> {
        let mut solution = Solution::default();
        self.solve_in(problem, None, &mut Workspace::default(), &mut solution)?;
        Ok(solution)
    }

    /// Solves from a guess of the impulses (those of the last step, say), in room that is reused: nothing is allocated once it has grown.
    /// `solution.z` are the impulses, `solution.w` the velocities u = W S + q.
    ///
    /// # Errors
    /// A guess of the wrong length or not finite; a tolerance or goal that is no positive number.
    pub fn solve_in(
        &self,
        problem: &FrictionProblem,
        guess: Option<&[f64]>,
        workspace: &mut Workspace,
        solution: &mut Solution,
    ) -> Result<(), Error> {
        for (what, value) in [("tolerance", self.tolerance), ("goal", self.goal)] {
            if !(value > 0.0) {
                let remedy = "give a positive number such as 1e-10";
                return Err(Error::Coefficient { what, place: "solver", index: 0, value, remedy });
            }
        }
        if let Some(guess) = guess {
            shape("the guess", (guess.len(), 1), (problem.rows(), 1))?;
            finite("the guess", guess, guess.len())?;
        }
        solution.reset(0, problem.rows());
        workspace.scaled.assign(problem);
        workspace.scaled.start(guess, &mut workspace.x);
        workspace.least = f64::INFINITY;
        workspace.keep_better();
        solution.status = self.run(workspace, solution);
        workspace.x.copy_from(&workspace.best);
        workspace.scaled.report(problem, &workspace.x, self.tolerance, solution);
        if !solution.solved() && workspace.infeasible.proves(problem, &workspace.scaled, &mut solution.certificate) {
            solution.status = Status::Infeasible;
        }
        Ok(())
    }

    fn run(&self, workspace: &mut Workspace, solution: &mut Solution) -> Status {
        let target = self.target();
        if workspace.least <= f64::EPSILON {
            record(workspace, solution, MethodName::Trivial, 0, self.tolerance);
            return Status::Solved;
        }
        match self.method {
            Method::Automatic => {
                let mut status = self.capped(workspace, solution);
                if status != Status::Solved {
                    status = self.automatic(workspace, solution);
                }
                self.last_digits(status, workspace, solution);
                status
            }
            Method::GaussSeidel { sweeps } => gauss_seidel(workspace, solution, sweeps, target, self.tolerance),
            Method::Newton { iterations, sweeps } => {
                if sweeps > 0 {
                    gauss_seidel(workspace, solution, sweeps, target, self.tolerance);
                }
                newton(workspace, solution, (iterations, Effort::Patient), target, self.tolerance)
            }
            Method::FixedPoint => fixed_point(workspace, solution, target, self.tolerance),
            Method::AugmentedLagrangian { iterations, penalty } => {
                alternating(workspace, solution, iterations, penalty, target, self.tolerance)
            }
        }
    }

    /// One digit beyond what is aimed at: the residual is that of the problem in its own units.
    fn target(&self) -> f64 {
        0.1 * self.goal.min(self.tolerance)
    }

    /// Contacts without friction are a linear complementarity problem.
    fn frictionless(&self, workspace: &mut Workspace, solution: &mut Solution, target: f64) -> Status {
        let Workspace { scaled, x, infeasible, .. } = workspace;
        let Some(impulses) = infeasible.frictionless(scaled) else { return Status::NumericalTrouble };
        let before = scaled.measure(x);
        x.s.copy_from_slice(impulses);
        scaled.refresh(x);
        if !(scaled.measure(x) < before) {
            scaled.start(None, x);
        }
        record(workspace, solution, MethodName::ActiveSet, 1, target)
    }

    /// Newton once more where the tolerance was reached and the goal was not: cut short before, it often brings what is missing.
    fn last_digits(&self, status: Status, workspace: &mut Workspace, solution: &mut Solution) {
        if status == Status::Solved && workspace.least > self.goal.min(self.tolerance) {
            workspace.x.copy_from(&workspace.best);
            newton(workspace, solution, (LAST[0].1, Effort::Patient), self.target(), self.tolerance);
        }
    }

    /// Contacts of very large coefficients stick or open, mostly, and then their coefficients do not matter: smaller ones are far easier.
    /// What slips all the same is left to Newton.
    fn capped(&self, workspace: &mut Workspace, solution: &mut Solution) -> Status {
        let (target, goal) = (self.target(), self.goal.min(self.tolerance));
        for largest in CAPS {
            if !workspace.scaled.cap(largest) {
                break;
            }
            let (attempts, iterations) = (solution.attempts, solution.iterations);
            let least = std::mem::replace(&mut workspace.least, f64::INFINITY);
            std::mem::swap(&mut workspace.best, &mut workspace.aside);
            workspace.keep_better();
            self.automatic(workspace, solution);
            workspace.scaled.restore();
            std::mem::swap(&mut workspace.x, &mut workspace.best);
            std::mem::swap(&mut workspace.best, &mut workspace.aside);
            workspace.least = least;
            // Its tries speak of another problem: one of this is what they come to.
            let taken = solution.iterations - iterations;
            solution.attempts = attempts;
            solution.iterations = iterations;
            record(workspace, solution, MethodName::Homotopy, taken, goal);
            if newton(workspace, solution, (ITERATIONS, Effort::Patient), target, goal) == Status::Solved {
                return Status::Solved;
            }
        }
        Status::MaxIterations
    }

    fn automatic(&self, workspace: &mut Workspace, solution: &mut Solution) -> Status {
        let (target, goal) = (self.target(), self.goal.min(self.tolerance));
        if workspace.scaled.smooth() && self.frictionless(workspace, solution, target) == Status::Solved {
            return Status::Solved;
        }
        gauss_seidel(workspace, solution, SWEEPS, target, goal);
        // Newton also when the sweeps have arrived: it brings the last digits.
        if newton(workspace, solution, (ITERATIONS, Effort::Quick), target, goal) == Status::Solved {
            return Status::Solved;
        }
        if workspace.scaled.lost(&workspace.x) {
            workspace.scaled.start(None, &mut workspace.x);
        }
        // What these leave above the goal, no other method brings below it: the tolerance is enough.
        if interior(workspace, solution, target, self.tolerance) == Status::Solved {
            return Status::Solved;
        }
        if workspace.infeasible.suspects(&workspace.scaled) {
            return Status::NumericalTrouble;
        }
        if workspace.scaled.n >= LARGE && creep(workspace, solution, target, self.tolerance, &CREEP) == Status::Solved {
            return Status::Solved;
        }
        if first_rounds(workspace, solution, target, self.tolerance) == Status::Solved {
            return Status::Solved;
        }
        for method in [brief_homotopy, creep_of_few, rounds, again, homotopy, again] {
            workspace.x.copy_from(&workspace.best);
            if method(workspace, solution, target, self.tolerance) == Status::Solved {
                return Status::Solved;
            }
        }
        for (sweeps, iterations) in LAST {
            gauss_seidel(workspace, solution, sweeps, target, self.tolerance);
            if newton(workspace, solution, (iterations, Effort::Patient), target, self.tolerance) == Status::Solved {
                return Status::Solved;
            }
        }
        Status::MaxIterations
    }
}

/// Many sweeps from the best point, and Newton.
fn creep(workspace: &mut Workspace, solution: &mut Solution, target: f64, tolerance: f64, counts: &[usize]) -> Status {
    workspace.x.copy_from(&workspace.best);
    for &sweeps in counts {
        gauss_seidel(workspace, solution, sweeps, target, tolerance);
        if newton(workspace, solution, (ITERATIONS, Effort::Quick), target, tolerance) == Status::Solved {
            return Status::Solved;
        }
    }
    Status::MaxIterations
}

fn creep_of_few(workspace: &mut Workspace, solution: &mut Solution, target: f64, tolerance: f64) -> Status {
    let counts = if workspace.scaled.n < LARGE { &CREEP_OF_FEW[..] } else { &[] };
    creep(workspace, solution, target, tolerance, counts)
}

fn interior(workspace: &mut Workspace, solution: &mut Solution, target: f64, tolerance: f64) -> Status {
    let Workspace { scaled, x, newton, convex, .. } = workspace;
    let steps = convex::exact_path(scaled, x, target, convex, newton);
    record(workspace, solution, MethodName::InteriorPoint, steps, tolerance)
}

fn rounds(workspace: &mut Workspace, solution: &mut Solution, target: f64, tolerance: f64) -> Status {
    let Workspace { scaled, x, newton, convex, .. } = workspace;
    let steps = convex::rounds(scaled, x, (target, tolerance), convex, newton);
    record(workspace, solution, MethodName::FixedPoint, steps, tolerance)
}

fn first_rounds(workspace: &mut Workspace, solution: &mut Solution, target: f64, tolerance: f64) -> Status {
    let Workspace { scaled, x, newton, convex, .. } = workspace;
    let steps = convex::first_rounds(scaled, x, (target, tolerance), convex, newton);
    record(workspace, solution, MethodName::FixedPoint, steps, tolerance)
}

fn again(workspace: &mut Workspace, solution: &mut Solution, target: f64, tolerance: f64) -> Status {
    let Workspace { scaled, x, newton, convex, .. } = workspace;
    let steps = convex::rounds_from(scaled, x, (target, tolerance), convex, newton);
    record(workspace, solution, MethodName::FixedPoint, steps, tolerance)
}

fn gauss_seidel(
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

fn newton(
    workspace: &mut Workspace,
    solution: &mut Solution,
    (limit, effort): (usize, Effort),
    target: f64,
    tolerance: f64,
) -> Status {
    let iterations = newton::newton(&workspace.scaled, &mut workspace.x, limit, target, effort, &mut workspace.newton);
    record(workspace, solution, MethodName::Newton, iterations, tolerance)
}

fn fixed_point(workspace: &mut Workspace, solution: &mut Solution, target: f64, tolerance: f64) -> Status {
    let Workspace { scaled, x, newton, convex, .. } = workspace;
    let steps = convex::fixed_point(scaled, x, target, tolerance, convex, newton);
    record(workspace, solution, MethodName::FixedPoint, steps, tolerance)
}

fn brief_homotopy(workspace: &mut Workspace, solution: &mut Solution, target: f64, tolerance: f64) -> Status {
    follow_curves(workspace, solution, target, tolerance, (1, BRIEF))
}

fn homotopy(workspace: &mut Workspace, solution: &mut Solution, target: f64, tolerance: f64) -> Status {
    follow_curves(workspace, solution, target, tolerance, (CURVES, homotopy::LIMIT))
}

fn follow_curves(
    workspace: &mut Workspace,
    solution: &mut Solution,
    target: f64,
    tolerance: f64,
    effort: (usize, usize),
) -> Status {
    let Workspace { scaled, x, newton, homotopy, .. } = workspace;
    let steps = homotopy::follow(scaled, x, target, effort, homotopy, newton);
    record(workspace, solution, MethodName::Homotopy, steps, tolerance)
}

fn alternating(
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
fn record(
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
