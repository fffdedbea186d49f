//! The methods as plain data, and the default that picks among them and says what it did.

use super::{
    convex::Rounds,
    homotopy,
    newton::Effort,
    scaled::ACCEPTED,
    stages::{ITERATIONS, Stage, Workspace, alternating, fixed_point, gauss_seidel, interior, newton, record},
};
use crate::{
    Error,
    problem::{FrictionProblem, finite, shape},
    solution::{MethodName, Solution, Status},
};

/// How to solve a problem with friction.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Method {
    /// A few sweeps and Newton steps, then the interior point with the exact law, then, in large problems, many sweeps, then a round of
    /// the fixed point over convex problems, in small problems sweeps from points about the best, and a short continuation from contacts
    /// that give way, then the last three at length, then sweeps and Newton in turn, until one succeeds; else the best point of all.
    /// Without any friction the linear complementarity problem of the normals comes first.
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

/// Sweeps with which the automatic method begins.
const SWEEPS: usize = 10;
/// Both of its end, where round-off is all that is left to fight.
const LAST: [(usize, usize); 4] = [(60, 25), (250, 40), (1000, 60), (20_000, 60)];
/// Rows from which on a factorization is dearer than hundreds of sweeps.
const LARGE: usize = 200;
/// What follows the path with the exact law, in problems below and above that: first what is soon over.
const FEW: [Stage; 10] = [
    Stage::FirstRound,
    Stage::Sweeps(60),
    Stage::ScatteredSweeps(5, 60),
    Stage::Continuation(3, 200),
    Stage::Rounds(Rounds::Long),
    Stage::Rounds(Rounds::Again),
    Stage::ScatteredSweeps(5, 1000),
    Stage::Continuation(12, homotopy::LIMIT),
    Stage::Rounds(Rounds::Forgetful),
    Stage::Rounds(Rounds::Again),
];
const MANY: [Stage; 8] = [
    Stage::Sweeps(1000),
    Stage::Sweeps(5000),
    Stage::FirstRound,
    Stage::Continuation(1, 60),
    Stage::Rounds(Rounds::Long),
    Stage::Rounds(Rounds::Again),
    Stage::Continuation(12, homotopy::LIMIT),
    Stage::Rounds(Rounds::Again),
];
/// Coefficients of friction above which the problem is solved with these first: what sticks or opens does so with larger ones, too.
const CAPS: [f64; 2] = [10.0, 1e3];
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
        workspace.scaled.meter.begin(&workspace.budget);
        workspace.scaled.assign(problem);
        workspace.scaled.start(guess, &mut workspace.x);
        workspace.least = f64::INFINITY;
        workspace.keep_better();
        solution.status = self.run(workspace, solution);
        workspace.x.copy_from(&workspace.best);
        workspace.scaled.report(problem, &workspace.x, self.tolerance, solution);
        if solution.solved() {
            return Ok(());
        }
        if workspace.infeasible.proves(problem, &workspace.scaled, &mut solution.certificate) {
            solution.status = Status::Infeasible;
        } else if workspace.scaled.meter.is_over() {
            solution.status = Status::OutOfBudget;
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
            if workspace.scaled.meter.is_over() || !workspace.scaled.cap(largest) {
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
        let stages: &[Stage] = if workspace.scaled.n < LARGE { &FEW } else { &MANY };
        for &stage in stages {
            if workspace.scaled.meter.is_over() {
                break;
            }
            workspace.x.copy_from(&workspace.best);
            if stage.run(workspace, solution, target, self.tolerance) == Status::Solved {
                return Status::Solved;
            }
        }
        for (sweeps, iterations) in LAST {
            if workspace.scaled.meter.is_over() {
                break;
            }
            gauss_seidel(workspace, solution, sweeps, target, self.tolerance);
            if newton(workspace, solution, (iterations, Effort::Patient), target, self.tolerance) == Status::Solved {
                return Status::Solved;
            }
        }
        Status::MaxIterations
    }
}
