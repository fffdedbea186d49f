//! The complementarity problem of impact laws and time steps, by the solver of frictional problems.

use super::collision::Impact;
use crate::Budget;
use crate::error::Error;
use crate::friction::{Cone, Coulomb, Workspace};
use crate::problem::FrictionProblem;
use crate::solution::{Solution, Status};
use crate::surface::Surface;
use nalgebra::{DMatrix, DVector};

/// Residual that counts as solved: a velocity of this part of the largest one, or of the reference.
const TOLERANCE: f64 = 1e-13;
/// The same for time steps: less is enough, as the next step corrects this one.
const STEPPING: f64 = 1e-9;

/// Problem, workspace and solution, kept from solve to solve.
#[derive(Debug, Clone)]
pub(crate) struct ConeSolver {
    problem: FrictionProblem,
    /// On the heap: impacts, steps and projections have one each, and are moved about while they are set up.
    workspace: Box<Workspace>,
    solution: Solution,
    tolerance: f64,
    /// Velocity, or gap, beside which those of a problem may be round-off.
    pub(crate) reference: f64,
}

impl Default for ConeSolver {
    fn default() -> Self {
        Self {
            problem: FrictionProblem::empty(),
            workspace: Box::default(),
            solution: Solution::default(),
            tolerance: TOLERANCE,
            reference: 0.0,
        }
    }
}

impl ConeSolver {
    /// For time steps: less is enough where the last digits are hard to come by, as the next step corrects this one.
    pub(crate) fn stepping() -> Self {
        Self { tolerance: STEPPING, ..Self::default() }
    }

    /// What the solves to come may cost.
    pub(crate) fn set_budget(&mut self, budget: &Budget) {
        self.workspace.budget.clone_from(budget);
    }

    /// Whether the last solve ended at its budget.
    pub(crate) fn out_of_budget(&self) -> bool {
        self.solution.status == Status::OutOfBudget
    }

    /// Whether the last problem is proved to have no solution.
    pub(crate) fn contradicts(&self) -> bool {
        self.solution.status == Status::Infeasible
    }

    /// Velocities u of the last solve, and the velocity of this problem that is none.
    pub(crate) fn velocities(&self) -> (&[f64], f64) {
        let size = self.problem.q().amax().max(self.reference);
        (&self.solution.w, self.tolerance * size)
    }

    /// The contact that missed its law most in the last solve.
    pub(crate) fn hardest(&self) -> usize {
        self.workspace.hardest()
    }

    /// Impulses S in their cones with u = W S + q obeying Signorini's and Coulomb's laws, and the residual. Allocates nothing once it
    /// has grown.
    pub(crate) fn solve(&mut self, w: &DMatrix<f64>, surfaces: &[Surface], q: &[f64]) -> Result<(&[f64], f64), Error> {
        self.solve_from(w, surfaces, q, None)
    }

    /// The same from a guess of the impulses.
    pub(crate) fn solve_from(
        &mut self,
        w: &DMatrix<f64>,
        surfaces: &[Surface],
        q: &[f64],
        guess: Option<&[f64]>,
    ) -> Result<(&[f64], f64), Error> {
        self.problem.refill(w, q, surfaces.iter().map(Cone::of))?;
        self.problem.set_reference(self.reference);
        let solver = Coulomb { tolerance: self.tolerance, goal: TOLERANCE, ..Coulomb::default() };
        solver.solve_in(&self.problem, guess, &mut self.workspace, &mut self.solution)?;
        Ok((&self.solution.z, self.solution.residual.value()))
    }
}

/// As [`ConeSolver::solve`], once, beside the velocities with which the contacts collide.
pub(crate) fn solve(impact: &Impact, q: &DVector<f64>) -> Result<(DVector<f64>, f64), Error> {
    let mut solver = ConeSolver { reference: impact.fastest(), ..ConeSolver::default() };
    let (impulses, residual) = solver.solve(impact.w, impact.surfaces, q.as_slice())?;
    Ok((DVector::from_column_slice(impulses), residual))
}
