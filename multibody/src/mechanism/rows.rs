//! Constraint rows: which are kept, which depend on others, and whose they are.

use super::{Composed, Function};
use crate::constraint::{Constraint, Form};
use crate::space::wrap;

/// Number of a row that depends on others and was dropped.
pub const DROPPED: u32 = u32::MAX;

/// A basic constraint of a joint or motion.
#[derive(Debug, Clone, PartialEq)]
pub struct BoundConstraint {
    /// The constraint; of a composed row the term that gives it its unit.
    pub constraint: Constraint,
    /// Joint or motion it belongs to, an index of [`Mechanism::constraint_sets`](super::Mechanism::constraint_sets).
    pub set: usize,
    /// Number of each row among the independent ones, or [`DROPPED`].
    pub rows: [u32; 3],
    /// Number of its first row among all.
    pub first: usize,
    /// Drive whose value is subtracted.
    pub drive: Option<usize>,
    /// Of a composed row, its terms: it stands for their sum.
    pub composed: Option<Box<Composed>>,
}

impl BoundConstraint {
    /// Phi: the row less the prescribed value; an angle is reduced to (-pi, pi].
    #[inline]
    #[must_use]
    pub fn defect(&self, phi: f64, prescribed: f64) -> f64 {
        match (self.drive, self.constraint.form) {
            (None, _) => phi,
            (Some(_), Form::Angle | Form::Cardan { .. }) => wrap(phi - wrap(prescribed)),
            (Some(_), _) => phi - prescribed,
        }
    }
}

/// Constraints that few mechanisms have many of, as indices of them: steps look at these alone.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Roles {
    /// With a drive: motions.
    pub driven: Vec<usize>,
    /// Functions of the time, which do work as motions do.
    pub timed: Vec<usize>,
    /// Functions with a curve that ends.
    pub ended: Vec<usize>,
}

impl Roles {
    pub(crate) fn of(constraints: &[BoundConstraint]) -> Self {
        let which = |is: &dyn Fn(&BoundConstraint) -> bool| {
            constraints.iter().enumerate().filter(|(_, bound)| is(bound)).map(|(k, _)| k).collect()
        };
        Self {
            driven: which(&|bound| bound.drive.is_some()),
            timed: which(&BoundConstraint::is_timed),
            ended: which(&|bound| bound.function().is_some_and(Function::has_ends)),
        }
    }
}

/// Which of the dependent rows are kept, and what watches that they stay independent.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Choice {
    /// A number that no other choice has; 0 where no row depends on others.
    pub mark: u64,
    /// Whether kept rows may become dependent as the mechanism moves: rows were dropped, and their plane does not rest.
    pub moves: bool,
    /// Length of which positions of rows count as parts \[m\].
    pub extent: f64,
    /// Sum, with any signs, of the combinations of kept rows that make up the dropped ones, where they were chosen.
    pub reach: f64,
}

impl Choice {
    /// The number of a choice that drops `rows` of all rows, ascending.
    pub(crate) fn mark(rows: impl Iterator<Item = usize>) -> u64 {
        // Fowler, Noll and Vo's hash, 64 bits; checkpoints take smaller counts.
        let mark = rows.fold(0, |mark: u64, row| {
            let mark = if mark == 0 { 0xcbf2_9ce4_8422_2325 } else { mark };
            (mark ^ (row as u64 + 1)).wrapping_mul(0x0100_0000_01b3)
        });
        mark >> 3
    }
}

/// A constraint row that depends on others, agrees with them, and is not imposed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Redundancy {
    /// Joint or motion.
    pub joint: String,
    /// What the row keeps.
    pub row: String,
    /// Joints and motions whose rows already keep it.
    pub because_of: Vec<String>,
}
