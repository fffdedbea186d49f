//! The derivatives of all wrenches as matrix entries, body by body.

use super::Loads;
use crate::force::{Entry, Parts, ScalarLaw, VectorForce};
use crate::mechanism::Mechanism;
use crate::space::{M3, Pose, V3, skew, turned_right};

impl Loads {
    /// Emits the derivative of all wrenches, always in the same order.
    pub fn emit(&self, mechanism: &Mechanism, poses: &[Pose], emit: &mut dyn FnMut(Entry<'_>)) {
        for (force, state) in mechanism.scalar_forces.iter().zip(&self.lines) {
            let (i, j) = force.line.bodies();
            let (constraint, curvature) = (&force.line.frames(), &state.curvature);
            emit(Entry::Curvature { constraint, mask: force.line.mask(), curvature, weight: state.force });
            for (body, wrench) in [i, j].into_iter().zip(state.wrenches) {
                let linear = force.line.has_force();
                match force.law {
                    ScalarLaw::Spring { damping, .. } => {
                        let parts = Parts { force: linear, centers: linear, rates: damping != 0.0 };
                        for (by, gradient) in [i, j].into_iter().zip(state.gradients) {
                            emit(Entry::Gradient { body, wrench, by, gradient, parts });
                        }
                    }
                    ScalarLaw::Program(p) => self.emit_program(mechanism, p, body, wrench, linear, emit),
                }
            }
        }
        for force in &mechanism.vector_forces {
            self.emit_vector(mechanism, force, poses, emit);
        }
        mechanism.flexible.iter().for_each(|body| body.emit(poses, &mechanism.gravity, emit));
    }

    fn emit_program(
        &self,
        mechanism: &Mechanism,
        p: usize,
        body: usize,
        wrench: [V3; 2],
        force: bool,
        emit: &mut dyn FnMut(Entry<'_>),
    ) {
        let parts = Parts { force, centers: true, rates: true };
        for (&by, &gradient) in mechanism.programs[p].bodies.iter().zip(&self.program_gradients[p]) {
            emit(Entry::Gradient { body, wrench, by, gradient, parts });
        }
        for (&by, &gradient) in mechanism.programs[p].states.iter().zip(&self.program_by_states[p]) {
            emit(Entry::State { body, wrench: wrench.map(|part| part * gradient), by, force });
        }
    }

    fn emit_vector(&self, mechanism: &Mechanism, force: &VectorForce, poses: &[Pose], emit: &mut dyn FnMut(Entry<'_>)) {
        let axes = force.frame.axes(poses);
        let value = self.vector(force, poses);
        let (i, j, by) = (force.i.body, force.reaction, force.frame.body);
        let arm = force.i.arm(poses);
        let arms = [(i, 1.0, arm), (j, -1.0, poses[i].x + arm - poses[j].x)];
        for (body, sign, arm) in arms {
            for (k, &p) in force.programs.iter().enumerate() {
                let unit: V3 = axes.column(k) * sign;
                let wrench = if force.torque { [V3::zeros(), unit] } else { [unit, arm.cross(&unit)] };
                self.emit_program(mechanism, p, body, wrench, !force.torque, emit);
            }
            // The frame turns the vector: d value = -[value]x dpi.
            let turn = skew(&value) * -sign;
            if force.torque {
                emit(Entry::Turn { body, by, torque: turn, force: M3::zeros() });
            } else {
                emit(Entry::Turn { body, by, torque: skew(&arm) * turn, force: turn });
                // The arm: d(arm x value) = -value x d arm, with d arm = dpi_i x s, and the way between the bodies.
                let own = -turned_right(&value, &force.i.arm(poses)) * sign;
                emit(Entry::Turn { body, by: i, torque: own, force: M3::zeros() });
                if body != i {
                    emit(Entry::Shift { body, by: i, torque: skew(&value) * -sign });
                    emit(Entry::Shift { body, by: j, torque: skew(&value) * sign });
                }
            }
        }
    }
}
