//! Reactions of all joints and motions of a mechanism, with their names.

use super::statics::with_ground;
use crate::Error;
use fourbar_multibody::analysis::{Reactions, Wrench};
use fourbar_multibody::mechanism::ConstraintSet;
use fourbar_multibody::space::Pose;
use fourbar_multibody::{Mechanism, State};

/// What a joint or motion does to the body of its marker I; a coupler, gear or rack to that of its first joint.
#[derive(Debug, Clone, PartialEq)]
pub struct NamedWrench {
    /// Name of the joint or motion.
    pub name: String,
    /// Whether it is a motion.
    pub motion: bool,
    /// Force, and torque about the origin of marker I, global axes [N, N m].
    pub wrench: Wrench,
    /// Of a motion, what its drive gives along or about z of J: force \[N\] or torque \[N m\].
    pub effort: Option<f64>,
}

impl NamedWrench {
    /// Those of all joints and motions at `state`, which has its multipliers.
    pub(super) fn all(reactions: &mut Reactions, mechanism: &Mechanism, state: &State) -> Result<Vec<Self>, Error> {
        let poses = with_ground(state);
        // The multipliers are those of the rows that suit the positions.
        let chosen = mechanism.chosen_at(state);
        let mechanism = chosen.as_ref().unwrap_or(mechanism);
        reactions.solve(mechanism, state, &poses)?;
        let sets = mechanism.constraint_sets().iter().enumerate();
        Ok(sets.map(|(k, set)| Self::of(set, reactions.wrench(mechanism, k, &poses), &poses)).collect())
    }

    fn of(set: &ConstraintSet, wrench: Wrench, poses: &[Pose]) -> Self {
        let motion = set.is_motion();
        let axis = set.j.axis(poses, 2);
        // A motion loads its one coordinate: either part is zero along the axis.
        let along = |wrench: &Wrench| if wrench.force.norm() > 0.0 { wrench.force } else { wrench.torque }.dot(&axis);
        Self { name: set.name.clone(), motion, wrench, effort: motion.then(|| along(&wrench)) }
    }
}
