//! Length, mass and time of a scene: from these, and from nothing written in metres or seconds, comes what counts as nothing.
//!
//! A threshold is a part without a unit times a scale of the scene, so that a scene drawn in micrometres or kilometres, of milligrams or of
//! kilotonnes, in slow or in quick motion behaves as it does drawn in metres. Gaps that are angles have no unit: there the part
//! itself counts ([`SceneScales::of_gap`]). Round-off of the numbers themselves is [`SceneScales::round_off`]: no gap is known better.
//!
//! | threshold | part | of | why so large |
//! |---|---|---|---|
//! | gap of a fixed step at which a contact counts as closed | 1e-10 | length | above what round-off and projections leave of a gap, 1e-14, below any gap that matters |
//! | reach of a step, beside what the two fastest bodies may travel in it | 2; 1e-6 | h^2 acceleration, or that of the forces of the step; length | each of two bodies falls by half of that; what rests must be seen |
//! | violation that a projection leaves alone | 1e-14 | length, radian | round-off; never below 64 units of that of the positions as they are |
//! | closing speed that a projection of velocities leaves | 1e-15 | speed | round-off |
//! | residual that solves a problem of a step, reduced and global | 1e-9; 1e-8 | its velocities or the speed | what is left makes a body creep by as many lengths in the time of the scene, and the next step corrects this one |
//! | residual from which on a step is solved again, at length | 1e-5 | the same | hundreds of times what solvers leave otherwise |
//! | residual that ends a motion, reduced and global | 1e-5; 1e-2 | the same | thousands of times what solvers leave; a hundredth of the motion |
//! | closing speed that impacts need not stop | 1e-11 | speed | what solvers of impacts, which go to 1e-13, may leave of other velocities |
//! | fixed step where none is given ([`SceneScales::step`]) | 1/300; 1/20 | time of a fall by the length (time of the scene without gravity); time of the scene | what gravity does to velocities in it; ways of bodies in it |
//! | overlap of a start that is told (runs) | 1e-6 | length, radian | files have six digits and more |
//! | chamfer of the rim of a cylinder | 1e-7 | its radius | above what counts as touching, below what a start may overlap |
//! | point of deepest overlap of two shapes beside the corners of the manifold | 1e-8 | half the width of the smaller | round-off of the distance algorithm, squared |
//!
//! The residuals of [`friction`](crate::friction) and [`solver`](crate::solver) have no unit, as all their other constants: they work on a diagonal of
//! ones and constants of one. The strongest gravity that a model may have, 1e15 m/s^2, guards the
//! range of numbers.
//!
//! Parts of what a step has at hand (its change of velocity, its work, its length h) need no scale of the scene and stand where they are used.

use crate::Error;
use crate::configuration::Configuration;
use crate::unilateral::{Contacts, Unilateral};
use fourbar_multibody::space::{Pose, V3};
use fourbar_multibody::{Mechanism, State};

/// Units of round-off by which a gap may be off: sums of a few terms of the size of a position.
const ROUND_OFF: f64 = 8.0 * f64::EPSILON;

/// Fixed step, as part of the time of a fall by the length, and the way of the fastest body in it, as part of the length.
const STEP: f64 = 1.0 / 300.0;
const WAY: f64 = 1.0 / 20.0;

/// Scales of a scene. All positive; plain numbers, so that a checkpoint needs none of them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SceneScales {
    /// Size of a body that may move, the geometric mean of all \[m\]: outliers of either kind weigh little. The size of one is the larger
    /// of the reach of what may touch on it, from its centre of mass, and of the corner of a box of its inertia.
    pub length: f64,
    /// Mass of a body, the geometric mean \[kg\].
    pub mass: f64,
    /// Gravity; without it, the largest acceleration at the start [m/s^2]; 0 if there is none.
    pub acceleration: f64,
    /// The larger of the fastest speed at the start and that of a fall by the length [m/s].
    pub speed: f64,
    /// Largest coordinate of a position at the start, at least the length \[m\].
    pub extent: f64,
}

fourbar_linalg::stored!(struct SceneScales { length, mass, acceleration, speed, extent });

impl SceneScales {
    /// Those of a scene of which nothing is known: a metre, a kilogram, a metre a second.
    pub const UNIT: Self = Self { length: 1.0, mass: 1.0, acceleration: 1.0, speed: 1.0, extent: 1.0 };

    /// Those of a mechanism with its contacts at `start`.
    ///
    /// # Errors
    /// [`Error::Multibody`] where forces cannot be evaluated or the constraints are singular; those of [`Contacts::find`].
    pub fn new<C: Contacts>(configuration: &mut Configuration, contacts: &mut C, start: &State) -> Result<Self, Error> {
        let mechanism = std::sync::Arc::clone(configuration.mechanism());
        let mut sizes: Vec<f64> =
            mechanism.bodies().iter().map(|b| (5.0 * b.inertia.trace() / b.mass).sqrt()).collect();
        contacts.reaches(&mut sizes);
        let extent = start.poses.iter().fold(0.0, |far: f64, pose| far.max(pose.x.amax()));
        let length = geometric_mean(sizes.iter().copied()).unwrap_or(if extent > 0.0 { extent } else { 1.0 });
        let mass = geometric_mean(mechanism.bodies().iter().map(|b| b.mass)).unwrap_or(1.0);
        let mut fastest = start.poses.iter().zip(&sizes).fold(0.0, |v: f64, (p, r)| v.max(p.v.norm() + p.w.norm() * r));
        let mut found = Vec::new();
        configuration.look(start);
        // Walls that move: those near by.
        contacts.find(start.time, configuration.poses(), length, &mut found)?;
        for contact in &found {
            let unit = if is_angle(contact) { length } else { 1.0 };
            fastest = fastest.max(unit * contact.gap_rate.abs());
        }
        let gravity = mechanism.gravity().norm();
        let acceleration = if gravity > 0.0 { gravity } else { strongest(configuration, &mechanism, start, &sizes)? };
        let speed = fastest.max((acceleration * length).sqrt());
        // What neither moves nor is pushed has no speed of its own: until it has, a length a second is as good as any.
        let speed = if speed > 0.0 { speed } else { length };
        Ok(Self { length, mass, acceleration, speed, extent: extent.max(length) })
    }

    /// Time \[s\]: that of a length at the speed.
    #[must_use]
    pub fn time(&self) -> f64 {
        self.length / self.speed
    }

    /// Length of fixed steps where nobody gives one \[s\].
    ///
    /// Schemes of first order miss the time at which a contact closes by less than a step, and velocities by what forces do in one. So a step is a
    /// three-hundredth of the time of a fall by the length, sqrt(L/g), in which gravity changes velocities by a three-hundredth of the speed
    /// that such a fall gives: a millisecond for bodies of a metre on earth. Nor do bodies that are faster than that go farther in it than
    /// a twentieth of the length, from which on an overlap is told. Without gravity, which says how fast velocities may change, it is a
    /// three-hundredth of the time of the scene.
    #[must_use]
    pub fn step(&self, mechanism: &Mechanism) -> f64 {
        let gravity = mechanism.gravity().norm();
        if gravity > 0.0 { (STEP * (self.length / gravity).sqrt()).min(WAY * self.time()) } else { STEP * self.time() }
    }

    /// Energy \[J\].
    #[must_use]
    pub fn energy(&self) -> f64 {
        self.mass * self.speed * self.speed
    }

    /// What `part` of the length is in the unit of the gap of `contact` [m, rad], at least what round-off leaves of a gap.
    #[must_use]
    pub fn of_gap(&self, contact: &Unilateral, part: f64) -> f64 {
        if is_angle(contact) { part } else { self.of_length(part) }
    }

    /// What `part` of the length is \[m\], at least what round-off leaves of a gap.
    #[must_use]
    pub fn of_length(&self, part: f64) -> f64 {
        (part * self.length).max(self.round_off())
    }

    /// What `part` of the speed is in the unit of the rate of the gap of `contact` [m/s, rad/s].
    #[must_use]
    pub fn of_rate(&self, contact: &Unilateral, part: f64) -> f64 {
        if is_angle(contact) { part / self.time() } else { part * self.speed }
    }

    /// Finds the contacts whose gap is at most `margin` \[m\], or, where it is an angle, the same part of a radian as that is of the length.
    ///
    /// # Errors
    /// Those of [`Contacts::find`].
    pub fn find<C: Contacts + ?Sized>(
        &self,
        contacts: &mut C,
        (time, poses): (f64, &[Pose]),
        margin: f64,
        found: &mut Vec<Unilateral>,
    ) -> Result<(), Error> {
        if !contacts.has_angles() {
            return contacts.find(time, poses, margin, found);
        }
        let margins = [margin, margin / self.length];
        contacts.find(time, poses, margins[0].max(margins[1]), found)?;
        found.retain(|contact| contact.gap <= margins[usize::from(is_angle(contact))]);
        Ok(())
    }

    /// What round-off of positions leaves of a gap \[m\].
    #[must_use]
    pub fn round_off(&self) -> f64 {
        ROUND_OFF * self.extent
    }
}

/// Whether the gap of a contact is an angle: no displacement changes it.
#[must_use]
pub fn is_angle(contact: &Unilateral) -> bool {
    contact.rows[0].g == V3::zeros()
}

/// Geometric mean of those that are positive.
fn geometric_mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (count, sum) =
        values.filter(|value| *value > 0.0).fold((0.0, 0.0), |(count, sum), value| (count + 1.0, sum + value.ln()));
    (count > 0.0).then(|| (sum / count).exp())
}

/// Largest acceleration of a body at the start without contacts [m/s^2].
fn strongest(
    configuration: &mut Configuration,
    mechanism: &Mechanism,
    start: &State,
    sizes: &[f64],
) -> Result<f64, Error> {
    configuration.evaluate(start)?;
    let (mut top, mut bottom) = (vec![0.0; configuration.dimension()], vec![0.0; mechanism.row_count()]);
    configuration.free_acceleration(start, &mut top, &mut bottom)?;
    let of = |(a, size): (&[f64], &f64)| {
        V3::from_column_slice(&a[..3]).norm() + V3::from_column_slice(&a[3..]).norm() * size
    };
    Ok(top.chunks_exact(6).zip(sizes).map(of).fold(0.0, f64::max))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Contact, ContactKind, ContactModel, SpherePlane};
    use crate::pair::ContactSet;
    use fourbar_multibody::model::{Body, Model, vector, zero};
    use std::sync::Arc;

    /// A ball above the ground in units of length, mass and time.
    fn scales(length: f64, mass: f64, time: f64, gravity: f64, speed: f64) -> SceneScales {
        scene(length, mass, time, gravity, speed).0
    }

    fn scene(length: f64, mass: f64, time: f64, gravity: f64, speed: f64) -> (SceneScales, Arc<Mechanism>) {
        let ball = Body {
            name: "ball".into(),
            mass: mass.into(),
            inertia: vec![(0.004 * mass * length * length).into(); 3],
            center_of_mass: zero(),
            position: vector([0.0, 0.0, 1.1 * length]),
            orientation: Default::default(),
            velocity: vector([speed * length / time, 0.0, 0.0]),
            angular_velocity: zero(),
            exact: vec![],
            solids: Vec::new(),
        };
        let gravity = vector([0.0, 0.0, -gravity * length / time / time]);
        let model = Model { gravity, bodies: vec![ball], ..Model::default() };
        let plane =
            SpherePlane { i: "ball".into(), radius: (0.2 * length).into(), j: "ground".into(), offset: 0.0.into() };
        let contacts = ContactModel {
            contacts: vec![Contact::new("floor", ContactKind::SpherePlane(plane))],
            ..Default::default()
        };
        let mechanism = Arc::new(Mechanism::compile(&model).unwrap());
        let mut contacts = ContactSet::compile(&model, &contacts, &mechanism).unwrap();
        let start = mechanism.start().clone();
        let mut configuration = Configuration::new(&mechanism, &start).unwrap();
        (SceneScales::new(&mut configuration, &mut contacts, &start).unwrap(), mechanism)
    }

    /// Of metres on earth about a millisecond; the units alone, and how fast bodies are, change it.
    #[test]
    fn the_step_follows_the_scene() {
        let near = |a: f64, b: f64| assert!((a / b - 1.0).abs() < 1e-12, "{a} {b}");
        let size = 0.06_f64.sqrt();
        for (length, mass, time) in [(1.0, 1.0, 1.0), (1.0 / size, 1.0, 1.0), (1e-6, 1e-9, 1e-3), (1e6, 1e9, 1e3)] {
            let step = |gravity, speed| {
                let (scales, mechanism) = scene(length, mass, time, gravity, speed);
                scales.step(&mechanism) / time
            };
            near(step(9.81, 0.0), (size / 9.81).sqrt() / 300.0);
            near(step(9.81, 3.0), (size / 9.81).sqrt() / 300.0);
            near(step(9.81, 300.0), size / 300.0 / 20.0);
            near(step(0.0, 3.0), size / 3.0 / 300.0);
        }
        let (scales, mechanism) = scene(1.0 / size, 1.0, 1.0, 9.81 * size, 0.0);
        near(scales.length, 1.0);
        assert!((scales.step(&mechanism) - 1e-3).abs() < 1e-4);
    }

    #[test]
    fn scales_follow_the_units_of_a_scene() {
        let near = |a: f64, b: f64| assert!((a / b - 1.0).abs() < 1e-12, "{a} {b}");
        for (gravity, speed) in [(9.81, 0.0), (9.81, 30.0), (0.0, 3.0)] {
            let metres = scales(1.0, 1.0, 1.0, gravity, speed);
            near(metres.length, 0.06_f64.sqrt());
            near(metres.speed, f64::max(speed, (gravity * metres.length).sqrt()));
            for (length, mass, time) in [(1e-6, 1e-9, 1e-3), (1e6, 1e9, 1e3), (1e-3, 1e6, 1.0)] {
                let other = scales(length, mass, time, gravity, speed);
                near(other.length, length * metres.length);
                near(other.mass, mass);
                near(other.time(), time * metres.time());
                near(other.energy(), mass * (length / time).powi(2) * metres.energy());
            }
        }
    }
}
