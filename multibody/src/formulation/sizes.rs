//! What the errors of a mechanism are measured against: how far and how fast it has moved so far.
//!
//! | unknown | size | round-off |
//! |---|---|---|
//! | x | longest way of a centre of mass from its start, or part [`TOUCHED`] of that of a point that is touched | u (R + L) |
//! | e | largest turn of a body from its start | u (1 + R/L) |
//! | q, where a chart has half turns | 1/64 of that of e | half of that of e |
//! | V | highest speed of a centre of mass so far, or that part of the speed of such a point | u' (R + L)/h |
//! | omega | highest angular speed of a body so far | u' (1 + R/L)/h |
//! | H | that of omega times the moment of inertia of the body | likewise |
//!
//! Touched are the points at which joints, forces and rollers act ([`Touched`]): of a disc that rolls about its resting centre they alone move.
//!
//! Where a body turns by more than [`TURN`] within a step, an error of omega turns it by so much times the step: omega counts as TURN/h then, and its own
//! round-off, u times the part of its speed beyond, comes to that of omega, times h to e, and times L to V and x.
//!
//! What motions prescribe has a round-off of its own, [`PRESCRIBED`] times the largest length or angle prescribed so far: behind 1e5 turns the angle of a
//! crank is known to 1e-10 rad. It counts for x and e, an angle times L for x and a length over L for e.
//!
//! Sizes are [`SHARE`] times what the table says. L is the length of the mechanism, R the largest coordinate of a centre of mass so far, h the
//! step, u = [`implicit`] or [`EXPLICIT`], u' = [`EXPLICIT`]. All bodies share the sizes. They grow only. None contains a unit, and none the place of the origin but for the round-off of the coordinates.

use super::touched::Touched;
use crate::dae::ErrorWeights;
use crate::mechanism::Mechanism;
use crate::space::{M3, Pose, V3};

/// u of a method that solves for positions by Newton's iteration on F: it stops at a thirtieth of the tolerance, some thirty units of round-off.
/// What a coordinate loses in its subtractions (Phi of markers far from the centre of mass) is a few of them.
const IMPLICIT: f64 = 1e3 * f64::EPSILON;
/// Joints behind one another from which on u grows: each adds its round-off to the places of the bodies behind it, as a random walk does, and thirty units
/// are three, what a joint loses, times the root of this.
const JOINTS: f64 = 100.0;
/// u of a method that is given positions to round-off.
pub(super) const EXPLICIT: f64 = 32.0 * f64::EPSILON;
/// Part of the way, turn and speeds that sizes are. Of an oscillation released from rest the amplitude is half the way; local errors add up besides.
/// With this part, found by trial, a hundred periods keep their amplitude to 5e-4 at the tolerance 1e-6, and fifty periods of a pendulum their energy
/// to 1e-6 at 1e-8.
pub(super) const SHARE: f64 = 0.4;
/// Weight of the displacement and speed of a touched point next to those of centres of mass: the tip of a rod that turns about its end moves twice as far
/// as its centre.
const TOUCHED: f64 = 0.5;
/// The largest turn from a start \[rad\], as sizes measure it.
const TURN: f64 = 2.0;
/// Size of q over that of e: at order 5 the error of a step is as the sixth derivative, and that of sin(w t/2) is so much of that of sin(w t). A
/// body that tumbles then takes the steps that a turn by w t would ask for.
const HALF_TURN: f64 = 1.0 / 64.0;
/// Round-off of a prescribed value, relative to it: half a unit of its last place, which differences of order 5 magnify by 2^5.
const PRESCRIBED: f64 = 16.0 * f64::EPSILON;
/// Part of the error allowed that the first step from rest may make.
pub(super) const FIRST: f64 = 0.25;

/// u of [`IMPLICIT`] for a mechanism in which at most `joints` follow each other.
pub(super) fn implicit(joints: usize) -> f64 {
    IMPLICIT * (joints as f64 / JOINTS).sqrt().max(1.0)
}

/// Ways, turns and speeds of a mechanism since its start.
#[derive(Debug, Clone)]
pub struct Sizes {
    start: Vec<(V3, M3)>,
    touched: Touched,
    length: f64,
    round_off: f64,
    /// Moment of inertia of each body; of a point mass that at the length of the mechanism.
    pub(crate) inertia: Vec<f64>,
    reach: f64,
    way: f64,
    turn: f64,
    speed: f64,
    spin: f64,
    /// Largest prescribed length and angle.
    prescribed: [f64; 2],
}

/// Size and absolute tolerance of positions, orientations, velocities, angular velocities.
pub(crate) type Classes = [[f64; 2]; 4];

impl Sizes {
    /// Of a mechanism that starts at `poses`.
    pub fn new(mechanism: &Mechanism, poses: &[Pose], round_off: f64) -> Self {
        let length = mechanism.length;
        let moment = |inertia: &M3, mass: f64| {
            let mean = inertia.trace() / 3.0;
            if mean > 0.0 { mean } else { mass * length * length }
        };
        let bodies = &mechanism.bodies;
        let mut sizes = Self {
            start: poses.iter().take(bodies.len()).map(|pose| (pose.x, pose.a)).collect(),
            touched: Touched::of(mechanism),
            length,
            round_off,
            inertia: bodies.iter().map(|body| moment(&body.inertia, body.mass)).collect(),
            reach: 0.0,
            way: 0.0,
            turn: 0.0,
            speed: 0.0,
            spin: 0.0,
            prescribed: [0.0; 2],
        };
        poses.iter().take(bodies.len()).enumerate().for_each(|(b, pose)| sizes.follow(b, pose));
        sizes
    }

    /// Takes note of where body `b` is.
    #[inline]
    pub fn follow(&mut self, b: usize, pose: &Pose) {
        let (x, a) = &self.start[b];
        let (dx, change) = (pose.x - x, pose.a - a);
        let [way, turn, speed, spin] = [dx.norm(), change.norm(), pose.v.norm(), pose.w.norm()];
        self.reach = self.reach.max(pose.x.amax());
        self.way = self.way.max(way);
        self.speed = self.speed.max(speed);
        self.spin = self.spin.max(spin);
        // Twice the sine of half the angle.
        self.turn = self.turn.max(turn / std::f64::consts::SQRT_2);
        // Points of a body go no farther and no faster than this, which mostly says enough.
        let far = self.touched.farthest(b);
        if TOUCHED * (way + turn * far) > self.way || TOUCHED * (speed + spin * far) > self.speed {
            let [way, speed] = self.touched.squares(b, &dx, &change, pose).map(|square| TOUCHED * square.sqrt());
            self.way = self.way.max(way);
            self.speed = self.speed.max(speed);
        }
    }

    /// Takes note of what the drives of `mechanism` prescribe.
    pub(crate) fn prescribe(&mut self, mechanism: &Mechanism, drives: &[[f64; 3]]) {
        for (values, angular) in drives.iter().zip(mechanism.drives_angular()) {
            let largest = &mut self.prescribed[usize::from(angular)];
            *largest = largest.max(values[0].abs());
        }
    }

    /// Sizes and absolute tolerances by class at a step of length `step`.
    pub(crate) fn classes(&self, step: f64) -> Classes {
        let spin = self.spin.min(TURN / step);
        let lost = self.round_off * (self.spin - spin);
        let [x, e, v, w] = self.slow(step);
        let length = self.length;
        [
            [x[0], x[1] + lost * length * step],
            [e[0], e[1] + lost * step],
            [v[0], v[1] + lost * length],
            [SHARE * spin, w[1] + lost],
        ]
    }

    /// Those of bodies that turn by less than [`TURN`] within the step.
    fn slow(&self, step: f64) -> Classes {
        let [way, turn] = self.prescribed.map(|largest| PRESCRIBED * largest);
        let x = self.round_off * (self.reach + self.length) + way + turn * self.length;
        let e = x / self.length;
        let v = EXPLICIT * (self.reach + self.length) / step;
        [[SHARE * self.way, x], [SHARE * self.turn, e], [SHARE * self.speed, v], [SHARE * self.spin, v / self.length]]
    }

    /// A time of the motion \[s\]: the shorter of those in which it goes its way and its turn at the largest speeds. 0 at the start of
    /// a motion and at rest.
    pub(crate) fn time(&self) -> f64 {
        // Of a motion that only turns, or does not turn, one of both is NaN, and the other one is taken.
        (self.way / self.speed).min(self.turn / self.spin).max(0.0)
    }

    /// The first step, of order 1, for accelerations of at most `a` [m/s^2, rad/s^2]: y - y_p is a h^2 then.
    pub(crate) fn first_step(&self, relative: f64, a: [f64; 2]) -> f64 {
        // The step is not known yet: what bodies turn by within it counts for nothing.
        let classes = self.slow(1.0);
        let step = |k: usize| (2.0 * FIRST * (relative * classes[k][0] + classes[k][1]) / a[k]).sqrt();
        step(0).min(step(1))
    }

    /// The first step of order 2, for accelerations of at most `a` [m/s^2, rad/s^2]. Over a time T a motion of these accelerations and of the speeds
    /// now is as long as the mechanism, or a turn by 1 rad. Where third derivatives are L/T^3, the error test D = L (h/T)^3/18 <= u L is
    /// just passed then; where they are larger, it shortens the step.
    pub(crate) fn first_step_of_order_2(&self, a: [f64; 2]) -> f64 {
        let time = |length: f64, speed: f64, a: f64| (length / a).sqrt().min(length / speed);
        let times = time(self.length, self.speed, a[0]).min(time(1.0, self.spin, a[1]));
        times * (18.0 * self.round_off).cbrt()
    }

    /// Appends what it remembers.
    pub(crate) fn save(&self, store: &mut Vec<f64>) {
        for (x, a) in &self.start {
            store.extend_from_slice(x.as_slice());
            store.extend_from_slice(a.as_slice());
        }
        store.extend([self.reach, self.way, self.turn, self.speed, self.spin]);
        store.extend(self.prescribed);
    }

    /// Numbers that [`Sizes::save`] appends.
    pub(crate) fn stored(&self) -> usize {
        12 * self.start.len() + 7
    }

    /// Takes back what [`Sizes::save`] appended, `stored` numbers.
    pub(crate) fn restore(&mut self, store: &[f64]) {
        let (starts, rest) = store.split_at(12 * self.start.len());
        for ((x, a), saved) in self.start.iter_mut().zip(starts.chunks_exact(12)) {
            x.copy_from_slice(&saved[..3]);
            a.copy_from_slice(&saved[3..]);
        }
        if let &[reach, way, turn, speed, spin, length, angle] = rest {
            self.prescribed = [length, angle];
            (self.reach, self.way, self.turn, self.speed, self.spin) = (reach, way, turn, speed, spin);
        }
    }
}

/// The class of q for that of the angles e.
pub(crate) fn half_turn([size, absolute]: [f64; 2]) -> [f64; 2] {
    [size * HALF_TURN, 0.5 * absolute]
}

/// Writes `class` times `unit` to three unknowns from `first` on; absolute tolerances asked for stay, where they are larger.
pub(crate) fn put(weights: &mut ErrorWeights<'_>, first: usize, count: usize, class: [f64; 2], unit: f64) {
    for i in first..first + count {
        weights.sizes[i] = unit * class[0];
        weights.absolute[i] = weights.absolute[i].max(unit * class[1]);
    }
}
