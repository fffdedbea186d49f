//! Displacements of any size between two frames, by the rotation vector and the frame half way between them.
//!
//! q is the way d from the origin of J to that of I in the axes of the frame that is turned from J by half the rotation, and the rotation
//! vector p of I against J; q' are the velocities seen from that frame. Force and torque follow from -K q - C q' by virtual work, so that what a
//! symmetric K stores is given back; exchanged markers I and J exchange the signs of q alone. The half-way frame is that of the linear bushing of
//! Drake, the conjugate of the rotation vector that of Simo and Vu-Quoc 1986 (A three-dimensional finite-strain rod model, part II).
//!
//! With R the rotation, of quaternion (s, v), and n its axis, the half-way frame turns by A w = (w - tan(angle/4) n x w)/2 against J, w the angular velocity
//! of I against J; tan(angle/4) n = v/(1 + s).
//!
//! Turns about one axis of J are counted: p is then the vector of the rotation that is left plus whole turns.

use super::ElasticLaw;
use super::rotation::{Quaternion, plus, scaled};
use crate::expression::Scalar;
use crate::measure::{BodyGradient, Dual12, MovingPose, cross, dot, gradient, sub};
use crate::space::{FixedFrame, Pose};
use crate::state::Tracked;
use nalgebra::Vector6;
use std::f64::consts::TAU;

/// The frames, and the counters of turns about the axes of J.
#[derive(Debug, Clone)]
pub(crate) struct Middle {
    pub i: FixedFrame,
    pub j: FixedFrame,
    pub counters: [usize; 3],
    /// Their counted angles: frames whose twist about z is that about the axes of J.
    pub twists: [crate::mechanism::TurnCounter; 3],
}

/// Where I is against J, in the axes of J except where the middle frame is named.
struct Place<T> {
    /// Of the rotation, of at most half a turn.
    whole: Quaternion<T>,
    /// Of half of it.
    half: Quaternion<T>,
    /// The signs of the axes after whole turns: an odd number turns the middle frame by half a turn.
    signs: [f64; 3],
    /// Rotation vector of `whole`, and the same with counted turns.
    principal: [T; 3],
    counted: [T; 3],
    /// From J to I.
    way: [T; 3],
    /// As seen from J.
    velocity: [T; 3],
    spin: [T; 3],
}

impl<T: Scalar> Place<T> {
    fn signed(&self, a: &[T; 3]) -> [T; 3] {
        std::array::from_fn(|k| a[k] * self.signs[k])
    }

    /// From axes of J to those of the middle frame.
    fn in_middle(&self, a: &[T; 3]) -> [T; 3] {
        self.half.turn_back(&self.signed(a))
    }

    /// From axes of the middle frame to those of J.
    fn in_j(&self, a: &[T; 3]) -> [T; 3] {
        self.signed(&self.half.turn(a))
    }

    /// Angular velocity of the middle frame against J.
    fn middle_spin(&self) -> [T; 3] {
        let across = scaled(&cross(&self.whole.v, &self.spin), T::from(1.0) / (self.whole.s + T::from(1.0)));
        self.signed(&scaled(&sub(&self.spin, &across), T::from(0.5)))
    }

    /// The torque on I whose power is that of `moment` by the angular velocity of the middle frame.
    fn by_middle_spin(&self, moment: &[T; 3]) -> [T; 3] {
        let moment = self.signed(moment);
        let across = scaled(&cross(&self.whole.v, &moment), T::from(1.0) / (self.whole.s + T::from(1.0)));
        scaled(&plus(&moment, &across), T::from(0.5))
    }

    /// q - free, with the way as it is in the axes of J at small angles: that of the middle frame plus p/2 x the free way.
    fn displacement(&self, law: &ElasticLaw) -> [T; 6] {
        let lever = lever(law);
        let way = plus(&self.in_middle(&self.way), &scaled(&cross(&self.counted, &lever), T::from(0.5)));
        std::array::from_fn(|k| (if k < 3 { way[k] } else { self.counted[k - 3] }) - T::from(law.free[k]))
    }

    /// q', likewise.
    fn rates(&self, law: &ElasticLaw) -> [T; 6] {
        let carried = cross(&self.middle_spin(), &self.way);
        let velocity = self.in_middle(&sub(&self.velocity, &carried));
        let spin = self.in_middle(&self.spin);
        let velocity = plus(&velocity, &scaled(&cross(&spin, &lever(law)), T::from(0.5)));
        std::array::from_fn(|k| if k < 3 { velocity[k] } else { spin[k - 3] })
    }

    /// Force and torque on I.
    fn wrench(&self, law: &ElasticLaw) -> [T; 6] {
        let (q, rates) = (self.displacement(law), self.rates(law));
        let product = |row: usize, matrix: &nalgebra::Matrix6<f64>, of: &[T; 6]| -> T {
            (0..6).map(|k| of[k] * matrix[(row, k)]).fold(T::from(0.0), |sum, x| sum + x)
        };
        let elastic: [T; 6] = std::array::from_fn(|k| T::from(law.preload[k]) - product(k, &law.stiffness, &q));
        let damping: [T; 6] = std::array::from_fn(|k| -product(k, &law.damping, &rates));
        let ([pull, bend], [drag, brake]) = (parts(&elastic), parts(&damping));
        let half_moment = |force: &[T; 3]| scaled(&cross(&lever(law), force), T::from(0.5));
        let bend = self.whole.torque(&self.principal, &plus(&bend, &half_moment(&pull)));
        let brake = self.in_j(&plus(&brake, &half_moment(&drag)));
        let force = self.in_j(&plus(&pull, &drag));
        let carried = self.by_middle_spin(&cross(&self.way, &force));
        let torque = sub(&plus(&bend, &brake), &carried);
        std::array::from_fn(|k| if k < 3 { force[k] } else { torque[k - 3] })
    }
}

fn parts<T: Scalar>(of: &[T; 6]) -> [[T; 3]; 2] {
    [[of[0], of[1], of[2]], [of[3], of[4], of[5]]]
}

/// The way without force.
fn lever<T: Scalar>(law: &ElasticLaw) -> [T; 3] {
    std::array::from_fn(|k| T::from(law.free[k]))
}

impl Middle {
    fn place<T: Scalar>(
        &self,
        t: f64,
        pose: impl Fn(usize) -> MovingPose<T>,
        poses: &[Pose],
        tracked: &[Tracked],
    ) -> Place<T> {
        let (i, j) = (pose(self.i.body), pose(self.j.body));
        let axes = [0, 1, 2].map(|k| j.axis(&self.j, k));
        let own = [0, 1, 2].map(|k| i.axis(&self.i, k));
        let along = |a: &[T; 3]| axes.map(|axis| dot(&axis, a));
        let whole = Quaternion::of(&axes.map(|axis| own.map(|k| dot(&axis, &k))));
        let principal = whole.vector();
        let turns: [f64; 3] = std::array::from_fn(|k| {
            let [raw, rate] = self.twists[k].angle(poses);
            ((tracked[self.counters[k]].continued(raw, rate, t) - principal[k].re()) / TAU).round()
        });
        let odd = turns.map(|k| k.rem_euclid(2.0) == 1.0);
        // Half a turn about an axis changes the signs of the others.
        let sign = |k: usize| if odd[(k + 1) % 3] != odd[(k + 2) % 3] { -1.0 } else { 1.0 };
        let way = sub(&i.origin(&self.i), &j.origin(&self.j));
        let carried = cross(&j.w, &way);
        Place {
            half: whole.half(),
            signs: [sign(0), sign(1), sign(2)],
            counted: std::array::from_fn(|k| principal[k] + T::from(TAU * turns[k])),
            principal,
            velocity: along(&sub(&sub(&i.velocity(&self.i), &j.velocity(&self.j)), &carried)),
            spin: along(&sub(&i.w, &j.w)),
            way: along(&way),
            whole,
        }
    }

    fn at(&self, t: f64, poses: &[Pose], tracked: &[Tracked]) -> Place<f64> {
        self.place(t, |b| MovingPose::fixed(&poses[b]), poses, tracked)
    }

    pub(super) fn value(&self, law: &ElasticLaw, t: f64, poses: &[Pose], tracked: &[Tracked]) -> Vector6<f64> {
        self.at(t, poses, tracked).wrench(law).into()
    }

    /// q - free.
    pub(super) fn way(&self, law: &ElasticLaw, t: f64, poses: &[Pose], tracked: &[Tracked]) -> Vector6<f64> {
        self.at(t, poses, tracked).displacement(law).into()
    }

    /// Power of the wrench \[W\].
    pub(super) fn power(&self, law: &ElasticLaw, t: f64, poses: &[Pose], tracked: &[Tracked]) -> f64 {
        let place = self.at(t, poses, tracked);
        let [force, torque] = parts(&place.wrench(law));
        dot(&force, &place.velocity) + dot(&torque, &place.spin)
    }

    pub(super) fn gradients(
        &self,
        law: &ElasticLaw,
        t: f64,
        body: usize,
        poses: &[Pose],
        tracked: &[Tracked],
    ) -> [BodyGradient; 6] {
        let pose =
            |b: usize| if b == body { MovingPose::variable(&poses[b]) } else { MovingPose::<Dual12>::fixed(&poses[b]) };
        self.place(t, pose, poses, tracked).wrench(law).map(|value| gradient(&value))
    }
}
