//! The gyroscopic impulse of a step in which contacts and joints push.
//!
//! A step solves I(q_m) (w+ - w) = T + G, T the impulse of all torques and G that of turning, I the inertia in global axes at the
//! positions q_m of its matrices. What turning does is to carry I along, so that angular momentum and energy become
//!
//! ```text
//! I(q+) w+ - I(q) w = T                                        (1)
//! (w+ . I(q+) w+ - w . I(q) w)/2 = T . (w + w+)/2              (2)
//! ```
//!
//! each at the time of its velocity, (theta - 1/2) h before the positions. G of the free rotation ([`super::gyroscopic_impulse`]) does both for
//! T = 0; with it alone a wobbling body on a floor gains energy without bound, as its w+ is not that of the free rotation. G depends on
//! w+ and so on what contacts do: a step is solved again with G of the w+ it found, until that changes nothing that counts. Each time
//! the error falls by the angle of the step; a body with three equal moments of inertia, or at rest, has none. (1) and (2) agree to
//! third order where velocities change little in a step; where they jump, (2) is kept, by a part of G along w + w+.
//!
//! Whatever moves a body without a velocity, as the projection of its position does, leaves it its angular momentum.

use super::gyroscopic_impulse::spun;
use fourbar_multibody::Mechanism;
use fourbar_multibody::mechanism::RigidBody;
use fourbar_multibody::space::{M3, Pose, V3, rotation};

/// How often a step is solved again at most.
const PASSES: usize = 8;
/// Change of G that does not count, as part of the angular momentum of its body, and one that may be all that solvers leave.
const SETTLED: f64 = 1e-8;
const NEARLY: f64 = 1e-6;
/// Part of its change before that the change of G must fall to: where a step turns a body by a radian and more nothing converges.
const FALLS: f64 = 0.7;
/// Iterations for the axes in which an angular momentum is to be had.
const CARRYINGS: usize = 3;

/// G of one body.
#[derive(Debug, Clone, Copy, Default)]
struct Spin {
    /// Axes of the body at the positions of the matrices.
    middle: M3,
    /// That of the free rotation [N m s].
    free: V3,
    /// What it differs by from (1).
    rest: V3,
    /// The one in use, and by how much it changed; zero where it is to stay.
    used: V3,
    changed: f64,
}

/// G of all bodies.
#[derive(Debug, Clone, Default)]
pub(super) struct GyroscopicImpulses {
    h: f64,
    theta: f64,
    spins: Vec<Spin>,
    passes: usize,
    /// Changes of angular momentum to be solved for, six numbers a body, of which three are zero.
    impulse: Vec<f64>,
    /// By how much the angular velocities at the end of the flight of a step, without impulses, are ahead of those that it leaves.
    ahead: Vec<V3>,
}

/// Angular momentum of a body with the axes `a` and angular velocity `w`.
fn momentum(inertia: &M3, a: &M3, w: &V3) -> V3 {
    a * (inertia * a.tr_mul(w))
}

/// The same where the body was for the time `late` before.
fn momentum_before(inertia: &M3, a: &M3, w: &V3, late: f64) -> V3 {
    if late == 0.0 { momentum(inertia, a, w) } else { momentum(inertia, &(rotation(&(w * -late)) * a), w) }
}

/// The angular velocity, near `w`, that has the angular momentum `target` where the body was for the time `late` before; `w` for a
/// body without inertia.
pub(super) fn with_momentum(inertia: &M3, a: &M3, w: &V3, target: &V3, late: f64) -> V3 {
    let Some(inverse) = inertia.try_inverse() else { return *w };
    let mut w = *w;
    for _ in 0..if late == 0.0 { 1 } else { CARRYINGS } {
        let a = rotation(&(w * -late)) * a;
        w = a * (inverse * a.tr_mul(target));
    }
    w
}

/// Whether inertia is the same about any axis: its momentum follows w wherever it turns.
fn round(body: &RigidBody) -> bool {
    let i = &body.inertia;
    i[(0, 0)] == i[(1, 1)] && i[(1, 1)] == i[(2, 2)] && i[(0, 1)] == 0.0 && i[(1, 2)] == 0.0 && i[(2, 0)] == 0.0
}

impl Spin {
    /// Of the free rotation from `begin`.
    fn free(inertia: &M3, begin: &Pose, middle: M3, [h, theta]: [f64; 2]) -> Self {
        let after = spun(inertia, begin, h, theta);
        let free = momentum(inertia, &middle, &(after - begin.w));
        let spin = Self { middle, free, used: free, rest: V3::zeros(), changed: f64::INFINITY };
        Self { rest: free - spin.carried(inertia, begin, &after, [h, theta]).0, ..spin }
    }

    /// Angular momentum that turning carried along, I(q_m) (w+ - w) - I(q+) w+ + I(q) w, the same in the energy, and the size of the
    /// momentum.
    fn carried(&self, inertia: &M3, begin: &Pose, after: &V3, [h, theta]: [f64; 2]) -> (V3, f64, f64) {
        let w = begin.w;
        let a = rotation(&((w * (1.0 - theta) + after * theta) * h)) * begin.a;
        let late = (theta - 0.5) * h;
        let first = momentum_before(inertia, &begin.a, &w, late);
        let last = momentum_before(inertia, &a, after, late);
        let held = momentum(inertia, &self.middle, &(after - w));
        let energy = 0.5 * ((w + after).dot(&held) - after.dot(&last) + w.dot(&first));
        (held - last + first, energy, first.norm() + last.norm())
    }

    /// G for the angular velocity that came of it: by how much it changes, if that counts.
    fn follow(&mut self, inertia: &M3, begin: &Pose, after: &V3, step: [f64; 2]) -> Option<V3> {
        if self.changed == 0.0 {
            return None;
        }
        let (carried, energy, size) = self.carried(inertia, begin, after, step);
        let mean = 0.5 * (begin.w + after);
        let mut next = self.rest + carried;
        if mean != V3::zeros() {
            next += mean * ((energy - next.dot(&mean)) / mean.norm_squared());
        }
        let change = (next - self.used).norm();
        if change <= SETTLED * size {
            return None;
        }
        let before = self.used;
        if change <= FALLS * self.changed {
            (self.used, self.changed) = (next, change);
        } else {
            self.changed = 0.0;
            if change <= NEARLY * size {
                return None;
            }
            self.used = self.free;
        }
        Some(self.used - before)
    }
}

impl GyroscopicImpulses {
    /// Begins a step with G of the free rotation, in place of the gyroscopic torque that is in `force`, six numbers a body.
    pub(super) fn begin(
        &mut self,
        mechanism: &Mechanism,
        [begin, middle]: [&[Pose]; 2],
        step: [f64; 2],
        force: &mut [f64],
    ) {
        ([self.h, self.theta], self.passes) = (step, 0);
        self.spins.clear();
        let poses = begin.iter().zip(middle);
        for ((body, (begin, middle)), force) in mechanism.bodies().iter().zip(poses).zip(force.chunks_exact_mut(6)) {
            let spin = if round(body) { Spin::default() } else { Spin::free(&body.inertia, begin, middle.a, step) };
            let torque = middle.w.cross(&body.momentum(middle)) + spin.free / self.h;
            force[3..].iter_mut().zip(torque.iter()).for_each(|(force, torque)| *force += torque);
            self.spins.push(spin);
        }
    }

    /// Changes G for the angular velocities `after` that came of it: the changes, six numbers a body, unless none counts.
    pub(super) fn follow(
        &mut self,
        mechanism: &Mechanism,
        begin: &[Pose],
        after: impl Iterator<Item = V3>,
    ) -> Option<&[f64]> {
        if self.passes == PASSES {
            return None;
        }
        self.passes += 1;
        self.no_impulse();
        let mut follows = false;
        let bodies = mechanism.bodies().iter().zip(&mut self.spins).zip(begin.iter().zip(after));
        for (((body, spin), (begin, after)), impulse) in bodies.zip(self.impulse.chunks_exact_mut(6)) {
            if round(body) {
                continue;
            }
            if let Some(change) = spin.follow(&body.inertia, begin, &after, [self.h, self.theta]) {
                follows = true;
                impulse[3..].copy_from_slice(change.as_slice());
            }
        }
        follows.then_some(self.impulse.as_slice())
    }

    /// What lacks, six numbers a body, for the angular momentum that bodies have at the end of a step of which `changes` are all changes
    /// of the velocities: what they had, and the torques of the step.
    pub(super) fn lacking(
        &mut self,
        mechanism: &Mechanism,
        [begin, end]: [&[Pose]; 2],
        changes: [&[f64]; 2],
    ) -> &[f64] {
        self.no_impulse();
        self.ahead.clear();
        self.ahead.resize(self.spins.len(), V3::zeros());
        let late = (self.theta - 0.5) * self.h;
        let bodies = mechanism.bodies().iter().zip(&self.spins).zip(begin.iter().zip(end));
        for (k, ((body, spin), (begin, end))) in bodies.enumerate().filter(|(_, ((body, _), _))| !round(body)) {
            let turn = |d: &[f64]| V3::from_column_slice(&d[6 * k + 3..6 * k + 6]);
            let [change, closing] = changes.map(turn);
            let torque = momentum(&body.inertia, &spin.middle, &(change + closing)) - spin.free;
            let target = momentum_before(&body.inertia, &begin.a, &begin.w, late) + torque + spin.rest;
            let w = with_momentum(&body.inertia, &end.a, &end.w, &target, late);
            if late != 0.0 {
                self.ahead[k] = with_momentum(&body.inertia, &end.a, &w, &target, 0.0) - w;
            }
            let lacking = momentum(&body.inertia, &end.a, &(w - end.w));
            self.impulse[6 * k + 3..6 * k + 6].copy_from_slice(lacking.as_slice());
        }
        &self.impulse
    }

    fn no_impulse(&mut self) {
        self.impulse.clear();
        self.impulse.resize(6 * self.spins.len(), 0.0);
    }

    /// After the impact at the end of a step: impulses change velocities at the positions, and those of the step are late by as much as
    /// bodies turn by then.
    pub(super) fn leave(&self, mechanism: &Mechanism, poses: &mut [Pose]) {
        let late = (self.theta - 0.5) * self.h;
        // What joints hold does not turn as it likes.
        if late == 0.0 || mechanism.row_count() > 0 {
            return;
        }
        for ((body, ahead), pose) in mechanism.bodies().iter().zip(&self.ahead).zip(poses) {
            if !round(body) {
                let there = pose.w + ahead;
                let target = momentum(&body.inertia, &pose.a, &there);
                pose.w = with_momentum(&body.inertia, &pose.a, &there, &target, late);
            }
        }
    }

    /// Leaves bodies that were moved from the axes in `from` the angular momentum they had there.
    pub(super) fn keep_momentum(&self, mechanism: &Mechanism, from: &[Pose], to: &mut [Pose]) {
        let late = (self.theta - 0.5) * self.h;
        for (body, (from, to)) in mechanism.bodies().iter().zip(from.iter().zip(to)) {
            if from.a != to.a && !round(body) {
                let target = momentum_before(&body.inertia, &from.a, &to.w, late);
                to.w = with_momentum(&body.inertia, &to.a, &to.w, &target, late);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A step of one body under the torque impulse `torque`, its matrices at the begin: the angular velocity, and what (1) and (2) miss.
    fn step(inertia: &M3, pose: &Pose, torque: &V3, [h, theta]: [f64; 2]) -> (V3, V3, f64) {
        let mut spin = Spin::free(inertia, pose, pose.a, [h, theta]);
        let mut w = pose.w;
        for _ in 0..30 {
            w = with_momentum(inertia, &pose.a, &w, &(torque + spin.used), 0.0) + pose.w;
            if spin.follow(inertia, pose, &w, [h, theta]).is_none() {
                break;
            }
        }
        let a = rotation(&((pose.w * (1.0 - theta) + w * theta) * h)) * pose.a;
        let late = (theta - 0.5) * h;
        let [first, last] = [momentum_before(inertia, &pose.a, &pose.w, late), momentum_before(inertia, &a, &w, late)];
        let energy = 0.5 * (w.dot(&last) - pose.w.dot(&first)) - 0.5 * torque.dot(&(w + pose.w));
        (w, last - first - torque, energy)
    }

    fn body(moments: [f64; 3]) -> M3 {
        let [a, b, c] = moments;
        M3::from_diagonal(&V3::new(b + c, c + a, a + b))
    }

    proptest! {
        /// Whatever pushes in a step that turns a body by up to a quarter of a radian: its energy changes by the work done on it.
        #[test]
        fn energy_changes_by_the_work_done(
            w in prop::array::uniform3(-1.0..1.0_f64), torque in prop::array::uniform3(-1.0..1.0_f64),
            moments in prop::array::uniform3(0.1..1.0_f64), turn in prop::array::uniform3(-3.0..3.0_f64),
            h in 1e-3..0.1_f64,
        ) {
            let (inertia, a) = (body(moments), rotation(&V3::from(turn)));
            let pose = Pose { x: V3::zeros(), a, v: V3::zeros(), w: V3::from(w) };
            for theta in [0.5, 0.75, 1.0] {
                let (end, _, missed) = step(&inertia, &pose, &V3::from(torque), [h, theta]);
                let size = inertia.norm() * (pose.w.norm_squared() + end.norm_squared());
                prop_assert!(missed.abs() <= 1e-6 * size, "{theta}: {missed:e} of {size:e}");
            }
        }

        /// Under a torque that acts for the step, angular momentum misses it by h^3.
        #[test]
        fn momentum_follows_the_torque_to_third_order(
            w in prop::array::uniform3(-1.0..1.0_f64), torque in prop::array::uniform3(-1.0..1.0_f64),
            moments in prop::array::uniform3(0.1..1.0_f64), h in 1e-2..0.1_f64,
        ) {
            let inertia = body(moments);
            let pose = Pose { x: V3::zeros(), a: M3::identity(), v: V3::zeros(), w: V3::from(w) };
            for theta in [0.5, 1.0] {
                let (_, missed, _) = step(&inertia, &pose, &(V3::from(torque) * h), [h, theta]);
                prop_assert!(missed.norm() <= 40.0 * h * h * h, "{theta}: {:e}", missed.norm());
            }
        }
    }
}
