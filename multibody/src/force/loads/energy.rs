//! What forces store, and what they take.

use super::Loads;
use crate::force::ScalarLaw;
use crate::mechanism::Mechanism;
use crate::space::Pose;
use crate::state::Tracked;

impl Loads {
    /// Power of everything that has no potential: dampers and programs \[W\], for the state last given to [`Loads::apply`].
    #[must_use]
    pub fn power(&self, mechanism: &Mechanism, t: f64, poses: &[Pose], tracked: &[Tracked]) -> f64 {
        let mut power = 0.0;
        for force in &mechanism.scalar_forces {
            let (i, j) = force.line.bodies();
            let row = force.line.row(t, poses, tracked);
            let rate = row.rate(&poses[i], &poses[j]);
            power += rate
                * match force.law {
                    ScalarLaw::Spring { damping, .. } => -damping * rate,
                    ScalarLaw::Program(p) => self.values[p],
                };
        }
        for force in &mechanism.vector_forces {
            let value = self.vector(force, poses);
            let (i, j) = (&poses[force.i.body], &poses[force.reaction]);
            power += if force.torque {
                value.dot(&(i.w - j.w))
            } else {
                let point = force.i.origin(poses);
                value.dot(&(force.i.velocity(poses) - j.v - j.w.cross(&(point - j.x))))
            };
        }
        power += mechanism.flexible.iter().map(|body| body.power(poses)).sum::<f64>();
        // The six numbers of bushings and beams are among the forces; what they store is no loss.
        power + mechanism.elastic_forces.iter().map(|f| f.potential_rate(t, poses, tracked)).sum::<f64>()
    }

    /// Potential energy of springs, bushings, beams and flexible bodies \[J\].
    #[must_use]
    pub fn potential(mechanism: &Mechanism, t: f64, poses: &[Pose], tracked: &[Tracked]) -> f64 {
        let springs = mechanism.scalar_forces.iter().map(|f| f.law.potential(f.line.row(t, poses, tracked).phi));
        let elastic = mechanism.elastic_forces.iter().map(|f| f.potential(t, poses, tracked));
        let flexible = mechanism.flexible.iter().map(|body| body.potential_energy(poses, &mechanism.gravity));
        springs.chain(elastic).chain(flexible).sum()
    }
}
