//! What increments of multipliers are measured against: what they do to the bodies.
//!
//! lambda changes V by h beta_0 M^-1 Phi_q^T lambda, mu changes x likewise. Lambdas that are alike at both ends of a body hardly move it: in a chain
//! they carry all that follows, and what places of bodies lose to round-off makes them as much larger as there are bodies behind.

use super::Equations;
use crate::dae::ErrorWeights;

/// How far, in errors allowed of the velocities that it changes, lambda may be from where it will be while all other unknowns have
/// settled. It is taken times the joints that follow each other, since the body it acts on is one of as many.
const SETTLED: f64 = 100.0;

impl Equations {
    /// Multipliers by what they do to the bodies in a step: h beta_0 M^-1 Phi_q^T lambda to velocities, or h beta_0 times as much to positions
    /// where velocities have no constraints. What that does is seen in x, e, V and H themselves; so mu is not asked at all, and lambda only whether it
    /// is near to where it will be.
    pub(super) fn weigh_multipliers(&self, weights: &mut ErrorWeights<'_>) {
        let l = self.layout;
        let ErrorWeights { relative, sizes, absolute, .. } = weights;
        let settled = SETTLED * self.chain as f64;
        for (k, effect) in self.effects.iter().enumerate() {
            let weight = |i: usize| *relative * sizes[i] + absolute[i];
            let (linear, angular) = if l.stabilized { (l.v(0), l.w(0)) } else { (l.x(0), l.e(0)) };
            let force = |b: usize| self.mechanism.bodies[b].mass * weight(linear + super::PER_BODY * b);
            let torque = |b: usize| self.sizes.inertia[b] * weight(angular + super::PER_BODY * b);
            let lambda = effect.bearable(l.bodies, force, torque);
            absolute[l.lambda() + k] = settled * lambda;
            if l.stabilized {
                absolute[l.mu() + k] = f64::INFINITY;
            }
        }
    }
}
