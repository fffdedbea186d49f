//! What the solver in body-space form answers, and as bytes what the next solve starts from.

use super::settle::Outcome;
use crate::solution::Status;
use fourbar_linalg::checkpoint::{CheckpointError, Source, Stored, store_list};

/// What the solver answers. Kept from solve to solve: contacts that are still there start from their last impulses.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct GlobalSolution {
    /// Velocity and angular velocity of each body [m/s, rad/s].
    pub velocities: Vec<[f64; 6]>,
    /// Impulses of each contact, as many entries in use as it has rows [N s, N m s].
    pub impulses: Vec<[f64; 6]>,
    /// Impulses of the bilateral rows.
    pub bilateral: Vec<f64>,
    /// Largest residual of all islands, relative as [`GlobalCoulomb::tolerance`](super::GlobalCoulomb::tolerance) says.
    pub residual: f64,
    /// Sweeps of the island that took most.
    pub sweeps: usize,
    /// Factorizations, all islands together.
    pub factorizations: usize,
    /// Islands, and how many of them took factorizations.
    pub islands: [usize; 2],
    /// Whether the budget ended the solve.
    pub out_of_budget: bool,
    /// Whether the solve changed impulses on the island of each body; from an earlier solve, it says which islands keep less.
    pub changed: Vec<bool>,
    /// The contact that misses its law most, where the residual is above the tolerance.
    pub hardest: Option<usize>,
}

impl GlobalSolution {
    /// Solved to `tolerance`, or not.
    #[must_use]
    pub fn status(&self, tolerance: f64) -> Status {
        if self.residual <= tolerance {
            Status::Solved
        } else if self.out_of_budget {
            Status::OutOfBudget
        } else if self.residual.is_finite() {
            Status::MaxIterations
        } else {
            Status::NumericalTrouble
        }
    }
}

impl GlobalSolution {
    /// Takes how an island ended; in their order.
    pub(super) fn add(&mut self, tolerance: f64, outcome: &Outcome) {
        if outcome.residual > tolerance.max(self.residual) {
            self.hardest = outcome.hardest;
        }
        let residual = if outcome.residual.is_nan() { f64::INFINITY } else { outcome.residual };
        self.residual = self.residual.max(residual);
        self.sweeps = self.sweeps.max(outcome.sweeps);
        self.factorizations += outcome.factorizations;
        self.islands[1] += usize::from(outcome.factored);
    }
}

impl Stored for GlobalSolution {
    fn store(&self, to: &mut Vec<u8>) {
        store_list(&self.velocities, to);
        store_list(&self.impulses, to);
        store_list(&self.bilateral, to);
        self.residual.store(to);
        [self.sweeps, self.factorizations].store(to);
        self.islands.store(to);
        self.out_of_budget.store(to);
        store_list(&self.changed, to);
    }
    fn load(&mut self, from: &mut Source<'_>) -> Result<(), CheckpointError> {
        from.list(&mut self.velocities)?;
        from.list(&mut self.impulses)?;
        from.list(&mut self.bilateral)?;
        self.residual.load(from)?;
        [self.sweeps, self.factorizations] = from.value()?;
        self.islands.load(from)?;
        self.out_of_budget.load(from)?;
        from.list(&mut self.changed)
    }
}
