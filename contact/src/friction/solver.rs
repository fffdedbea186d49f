//! The default solver of problems with friction: a sequence of methods, of which each takes what the one before it left.

use std::borrow::Cow;

use super::{
    methods::{Method, Workspace},
    newton::Effort,
    scaled::ACCEPTED,
};
use crate::{
    Error,
    problem::{FrictionProblem, finite, shape},
    solution::{MethodName, Solution, Status},
};

/// How to solve a problem with friction: by which methods, in turn, and how exactly. A problem without any friction is given to the solver of
/// linear complementarity problems first.
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
///
/// Other methods take the place of the default ones as data:
///
/// ```
/// use fourbar_contact::friction::{Coulomb, Method};
///
/// let solver = Coulomb { methods: vec![Method::InteriorPoint, Method::FixedPoint { rounds: 20 }].into(), ..Coulomb::default() };
/// # assert_eq!(solver.methods.len(), 2);
/// ```
#[derive(Debug, Clone, PartialEq)]
#[doc(alias("De Saxcé", "Delassus", "friction cone"))]
pub struct Coulomb {
    /// The methods, in turn, until one solves; else the best point of all is the answer. [`DEFAULT`] by default.
    pub methods: Cow<'static, [Method]>,
    /// Largest residual, [`Residual::natural`](crate::solution::Residual::natural), that counts as solved. Dimensionless.
    pub tolerance: f64,
    /// Residual that is aimed at: methods go on below the tolerance down to it while that is cheap. Above the tolerance it counts as
    /// the tolerance.
    pub goal: f64,
}

impl Default for Coulomb {
    fn default() -> Self {
        Self { methods: Cow::Borrowed(&DEFAULT), tolerance: ACCEPTED, goal: 1e-10 }
    }
}

/// What the default tries in turn, the cheap first. Measured by `friction_collection::fresh_families`.
pub const DEFAULT: [Method; 5] = [
    Method::Newton { iterations: 4, sweeps: 10 },
    Method::InteriorPoint,
    Method::Newton { iterations: 12, sweeps: 1000 },
    Method::FixedPoint { rounds: 5 },
    Method::Continuation { curves: 3, factorizations: 1200 },
];
/// Methods that have failed before it is asked whether the normals alone contradict each other.
const SUSPECT: usize = 2;
/// Newton iterations at the end, where the goal was not reached.
const LAST_DIGITS: usize = 25;

impl Coulomb {
    /// Solves, in a workspace of its own.
    ///
    /// # Errors
    /// A tolerance or goal that is no positive number.
    pub fn solve(&self, problem: &FrictionProblem) -> Result<Solution, Error> {
        let mut solution = Solution::default();
        self.solve_in(problem, None, &mut Workspace::default(), &mut solution)?;
        Ok(solution)
    }

    /// Solves from a guess of the impulses (those of the last step, say), in a workspace that is reused: nothing is allocated once it has
    /// grown.
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
            return workspace.record(solution, MethodName::Trivial, 0, self.tolerance);
        }
        if workspace.scaled.smooth() && self.frictionless(workspace, solution, target) == Status::Solved {
            return Status::Solved;
        }
        for (k, method) in self.methods.iter().enumerate() {
            if workspace.scaled.meter.is_over() || k == SUSPECT && workspace.infeasible.suspects(&workspace.scaled) {
                break;
            }
            workspace.x.copy_from(&workspace.best);
            if workspace.scaled.lost(&workspace.x) {
                workspace.scaled.start(None, &mut workspace.x);
            }
            // The first is cheap enough to be asked for the goal; what others leave above it, no method brings below: the tolerance is enough.
            let more = k + 1 < self.methods.len();
            let enough = if k == 0 && more { self.goal.min(self.tolerance) } else { self.tolerance };
            let effort = if more { Effort::Quick } else { Effort::Patient };
            if method.run(workspace, solution, (target, enough), effort) == Status::Solved {
                break;
            }
        }
        self.last_digits(workspace, solution);
        if workspace.least <= self.tolerance { Status::Solved } else { Status::MaxIterations }
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
        workspace.record(solution, MethodName::ActiveSet, 1, target)
    }

    /// Newton once more where the goal was not reached: cut short before, it often brings what is missing.
    fn last_digits(&self, workspace: &mut Workspace, solution: &mut Solution) {
        if self.methods.len() > 1
            && !workspace.scaled.meter.is_over()
            && workspace.least > self.goal.min(self.tolerance)
        {
            workspace.x.copy_from(&workspace.best);
            workspace.newton(solution, (LAST_DIGITS, Effort::Patient), self.target(), self.tolerance);
        }
    }
}
