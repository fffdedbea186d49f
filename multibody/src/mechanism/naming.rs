//! Names of constraint rows and of what they belong to, for messages.

use super::{BoundConstraint, Counted, Mechanism};
use crate::constraint::table;
use crate::dae::EvalError;
use crate::error::Error;
use crate::model::JointKind;
use crate::space::Pose;
use fourbar_linalg::text::Brief;

/// Directions of a body.
const DIRECTIONS: [&str; 6] = ["along x", "along y", "along z", "about x", "about y", "about z"];

impl Mechanism {
    /// The body that a person knows: of what carries modal coordinates the flexible one.
    pub(crate) fn known_name(&self, body: usize) -> &str {
        let whole = self.flexible.iter().find(|flexible| flexible.carriers.contains(&body));
        &self.bodies[whole.map_or(body, |flexible| flexible.body)].name
    }

    /// The same with its kind.
    pub(crate) fn known_body(&self, body: usize) -> String {
        let kind = if self.carries_modes(body) { "flexible body" } else { "body" };
        format!("{kind} \"{}\"", self.known_name(body))
    }

    /// Coordinate 6 b + k by its body and direction, or as a mode.
    pub(crate) fn direction_name(&self, coordinate: usize) -> String {
        let [body, k] = [coordinate / 6, coordinate % 6];
        match self.flexible.iter().find(|flexible| flexible.carriers.contains(&body)) {
            Some(flexible) => {
                format!("{} in mode {}", self.known_body(body), 3 * (body - flexible.carriers.start) + k + 1)
            }
            None => format!("{} {}", self.known_body(body), DIRECTIONS[k]),
        }
    }

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
        let kind = match (set.relation, set.joint) {
            (Some(relation), _) => relation.kind(),
            (None, Some(JointKind::Rolling)) => "rolling",
            (None, Some(_)) => "joint",
            (None, None) => "motion",
        };
        format!("{kind} \"{}\"", set.name)
    }

    /// Refuses places beyond the ends of open curves.
    pub(crate) fn check_ends(&self, time: f64, poses: &[Pose], counted: Counted<'_>) -> Result<(), EvalError> {
        let Some((set, beyond)) = self.beyond_ends(poses, counted) else { return Ok(()) };
        let reason = format!(
            "it is {:.4} m beyond an end of its open curve; draw the curve further, close it, or stop the run before by a sensor",
            Brief(beyond)
        );
        Err(EvalError::Recoverable { element: self.set_name(set), time, reason })
    }

    /// Numbers of the independent rows that hold velocities alone.
    pub(crate) fn rolling_rows(&self) -> Vec<usize> {
        let rolling = self.constraints.iter().filter(|bound| bound.constraint.form.holds_velocities_only());
        rolling.map(|bound| bound.rows[0]).filter(|row| *row != super::DROPPED).map(|row| row as usize).collect()
    }

    /// Refuses an analysis that takes positions for all that is held.
    pub(crate) fn refuse_rolling(&self, analysis: &'static str) -> Result<(), Error> {
        match self.constraints.iter().find(|bound| bound.constraint.form.holds_velocities_only()) {
            Some(bound) => Err(Error::Rolling { analysis, element: self.set_name(bound.set) }),
            None => Ok(()),
        }
    }

    pub(crate) fn describe(&self, bound: &BoundConstraint, row: usize) -> String {
        if bound.is_composed() {
            let several = self.sets[bound.set].constraints.len() > 1 && bound.function().is_some();
            let first = self.constraints[self.sets[bound.set].constraints.start].first == bound.first;
            let which = if first { " (beside the curve)" } else { " (across the curve)" };
            return self.set_name(bound.set) + if several { which } else { "" };
        }
        format!("{} ({})", self.set_name(bound.set), table::describe(bound.constraint.form, row))
    }
}
