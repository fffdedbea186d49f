//! What each force element does, for those who draw or list it.

use super::Loads;
use crate::dae::EvalError;
use crate::mechanism::Mechanism;
use crate::space::{FixedFrame, Pose, V3};
use crate::state::{State, Tracked};

/// Force and torque of a force element on the body of its marker I.
#[derive(Debug, Clone, PartialEq)]
pub struct ElementLoad {
    /// Name of the element. One of force and torque both, as a bushing, comes twice, first with its force.
    pub name: String,
    /// Marker I.
    pub i: FixedFrame,
    /// Force, global axes \[N\].
    pub force: V3,
    /// Torque about the origin of I, global axes \[N m\].
    pub torque: V3,
    /// Whether it is a torque alone.
    pub is_torque: bool,
}

impl Loads {
    /// Force, and torque about the origin of its marker I, of the force element of that name on the body of I, global axes.
    pub(crate) fn wrench_of(
        &mut self,
        mechanism: &Mechanism,
        name: &str,
        (t, poses, tracked): (f64, &[Pose], &[Tracked]),
    ) -> Result<[V3; 2], EvalError> {
        self.evaluate(mechanism, t, poses, tracked)?;
        let mut wrench = [V3::zeros(); 2];
        for force in mechanism.vector_forces.iter().filter(|force| force.name == name) {
            wrench[usize::from(force.torque)] += self.vector(force, poses);
        }
        let Some(force) = mechanism.scalar_forces.iter().find(|force| force.name == name) else {
            return Ok(wrench);
        };
        let (i, j) = force.line.bodies();
        let row = force.line.row(t, poses, tracked);
        let f = self.size(&force.law, row.phi, row.rate(&poses[i], &poses[j]));
        let (push, torque) = (row.g * f, row.gi * f);
        Ok([push, torque - force.line.marker().arm(poses).cross(&push)])
    }

    /// What the force elements do at `state`, whose poses with the ground last are `poses`; `elements` is filled anew, always in the same order.
    ///
    /// # Errors
    /// [`EvalError`] of the first force that cannot be evaluated.
    pub fn elements(
        &mut self,
        mechanism: &Mechanism,
        state: &State,
        poses: &[Pose],
        elements: &mut Vec<ElementLoad>,
    ) -> Result<(), EvalError> {
        self.set_states(mechanism.states_in(&state.drives));
        self.evaluate(mechanism, state.time, poses, &state.angles)?;
        elements.clear();
        for force in &mechanism.scalar_forces {
            let (i, j) = force.line.bodies();
            let row = force.line.row(state.time, poses, &state.angles);
            let f = self.size(&force.law, row.phi, row.rate(&poses[i], &poses[j]));
            let (marker, push, torque) = (force.line.marker(), row.g * f, row.gi * f);
            let torque = torque - marker.arm(poses).cross(&push);
            elements.push(ElementLoad {
                name: force.name.clone(),
                i: *marker,
                force: push,
                torque,
                is_torque: !force.line.has_force(),
            });
        }
        for force in &mechanism.vector_forces {
            let value = self.vector(force, poses);
            let (force_part, torque) = if force.torque { (V3::zeros(), value) } else { (value, V3::zeros()) };
            elements.push(ElementLoad {
                name: force.name.clone(),
                i: force.i,
                force: force_part,
                torque,
                is_torque: force.torque,
            });
        }
        Ok(())
    }
}
