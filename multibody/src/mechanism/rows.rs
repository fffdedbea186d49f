//! Constraint rows: which are kept, which depend on others, and whose they are.

use super::Mechanism;
use crate::constraint::{Constraint, Form, table};
use crate::space::wrap;

/// Number of a row that depends on others and was dropped.
pub const DROPPED: u32 = u32::MAX;

/// A basic constraint of a joint or motion.
#[derive(Debug, Clone, PartialEq)]
pub struct BoundConstraint {
    /// The constraint.
    pub constraint: Constraint,
    /// Joint or motion it belongs to, an index of [`Mechanism::constraint_sets`].
    pub set: usize,
    /// Number of each row among the independent ones, or [`DROPPED`].
    pub rows: [u32; 3],
    /// Number of its first row among all.
    pub first: usize,
    /// Drive whose value is subtracted.
    pub drive: Option<usize>,
}

impl BoundConstraint {
    /// Phi: the row less the prescribed value; an angle is reduced to (-pi, pi].
    #[inline]
    #[must_use]
    pub fn defect(&self, phi: f64, prescribed: f64) -> f64 {
        match (self.drive, self.constraint.form) {
            (None, _) => phi,
            (Some(_), Form::Angle) => wrap(phi - prescribed),
            (Some(_), _) => phi - prescribed,
        }
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

impl Mechanism {
    /// Name of the independent row `k`: joint and what it keeps.
    pub(crate) fn row_name(&self, k: usize) -> String {
        for bound in &self.constraints {
            if let Some(row) = bound.rows[..bound.constraint.row_count()].iter().position(|&r| r as usize == k) {
                return self.describe(bound, row);
            }
        }
        format!("row {k}")
    }

    /// Name of row `k` among all rows, and the set it belongs to.
    pub(crate) fn all_row(&self, k: usize) -> (&BoundConstraint, usize) {
        let at = self.constraints.partition_point(|c| c.first <= k) - 1;
        let bound = &self.constraints[at];
        (bound, k - bound.first)
    }

    /// Name of a joint or motion with its kind.
    pub(crate) fn set_name(&self, set: usize) -> String {
        let set = &self.sets[set];
        let kind = if set.joint.is_some() { "joint" } else { "motion" };
        format!("{kind} \"{}\"", set.name)
    }

    pub(crate) fn describe(&self, bound: &BoundConstraint, row: usize) -> String {
        format!("{} ({})", self.set_name(bound.set), table::describe(bound.constraint.form, row))
    }
}
