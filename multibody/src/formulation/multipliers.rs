//! What increments of multipliers are measured against: what they do to the bodies.
//!
//! lambda changes V by h beta_0 M^-1 Phi_q^T lambda, mu changes x likewise. Lambdas that are alike at both ends of a body hardly move it: in a chain
//! they carry all that follows, and what places of bodies lose to round-off makes them as much larger as there are bodies behind.
//!
//! Where multipliers are integrated, eta = int lambda dt changes V by M^-1 Phi_q^T eta. Its local error
//! is tested too: eta may be off by what the velocities may be off, and by the relative tolerance times F T, the largest force of a
//! row so far over a time of the motion. Without the second, a body that is held at rest under a changing force would ask for its reactions to round-off.
//! xi = int mu dt changes x by Phi_q^T xi, and is asked as little as mu: only its derivative takes part, and where rows nearly depend on each other that
//! combination of them which moves no body is nothing but round-off.

use super::Equations;
use crate::dae::{ErrorWeights, History};

/// How far, in errors allowed of the velocities that it changes, lambda may be from where it will be while all other unknowns have
/// settled. It is taken times the joints that follow each other, since the body it acts on is one of as many.
const SETTLED: f64 = 100.0;

impl Equations {
    /// Multipliers by what they do to the bodies in a step: h beta_0 M^-1 Phi_q^T lambda to velocities, or h beta_0 times as much to positions
    /// where velocities have no constraints. What that does is seen in x, e, V and H themselves; so mu is not asked at all, and lambda only whether it
    /// is near to where it will be.
    pub(super) fn weigh_multipliers(&self, weights: &mut ErrorWeights<'_>) {
        let l = self.layout;
        if l.integrated {
            return self.weigh_integrals(weights);
        }
        let ErrorWeights { relative, sizes, absolute, .. } = weights;
        let settled = SETTLED * self.chain as f64;
        for (k, effect) in self.effects.iter().enumerate() {
            let weight = |i: usize| *relative * sizes[i] + absolute[i];
            let (linear, angular) = if l.stabilized { (l.v(0), l.w(0)) } else { (l.x(0), l.e(0)) };
            let force = |b: usize| self.mechanism.bodies[b].mass * weight(linear + l.per_body() * b);
            let torque = |b: usize| self.sizes.inertia[b] * weight(angular + l.per_body() * b);
            let lambda = effect.allowed(l.bodies, force, torque);
            absolute[l.lambda() + k] = settled * lambda;
            if l.stabilized {
                absolute[l.mu() + k] = f64::INFINITY;
            }
        }
    }

    /// Integrals of multipliers by what they do to the bodies, as the module says; times the joints that follow each other, as multipliers are.
    fn weigh_integrals(&self, weights: &mut ErrorWeights<'_>) {
        let l = self.layout;
        let ErrorWeights { relative, step, sizes, absolute } = weights;
        let impulse = *relative * self.force * self.sizes.time().max(*step);
        let (length, chain) = (self.mechanism.length, self.chain as f64);
        for (k, effect) in self.effects.iter().enumerate() {
            let weight = |i: usize| *relative * sizes[i] + absolute[i];
            let at = |first: usize, b: usize| weight(first + l.per_body() * b);
            let momentum = effect.allowed(
                l.bodies,
                |b| self.mechanism.bodies[b].mass * at(l.v(0), b),
                |b| self.sizes.inertia[b] * at(l.w(0), b),
            );
            let eta = chain * momentum + impulse / effect.strength(length);
            // Not by their own sizes: they count from the last start on.
            (sizes[l.lambda() + k], absolute[l.lambda() + k]) = (0.0, eta);
            (sizes[l.mu() + k], absolute[l.mu() + k]) = (0.0, f64::INFINITY);
        }
    }

    /// Takes note of multipliers, where they are integrated.
    pub(super) fn follow_forces(&mut self, multiplier: impl Fn(usize) -> f64) {
        if !self.layout.integrated {
            return;
        }
        let length = self.mechanism.length;
        let forces = self.effects.iter().enumerate().map(|(k, effect)| (multiplier(k) * effect.strength(length)).abs());
        self.force = forces.fold(self.force, f64::max);
    }

    /// Writes the history of the multipliers of rows that were kept as that of the rows kept now, which `carry` makes of one value each.
    pub(crate) fn carry_multipliers(
        &mut self,
        history: &mut dyn History,
        mut carry: impl FnMut(&mut [f64], &mut Vec<f64>),
    ) {
        let l = self.layout;
        let (mut values, mut all) = (vec![0.0; l.rows], Vec::new());
        let blocks = if l.stabilized { 2 } else { 1 };
        for first in [l.lambda(), l.mu()].into_iter().take(blocks) {
            for power in 0..=history.order() {
                values.iter_mut().enumerate().for_each(|(k, value)| *value = history.coefficient(first + k, power));
                carry(&mut values, &mut all);
                values.iter().enumerate().for_each(|(k, value)| history.set_coefficient(first + k, power, *value));
            }
        }
    }

    /// The same at an accepted step.
    pub(super) fn follow_history(&mut self, history: &dyn History) {
        let first = self.layout.lambda();
        self.follow_forces(|k| history.coefficient(first + k, 1) / history.step());
    }
}
