//! Slender blocks that rock from edge to edge come to rest.
//!
//! Where a block of half width b and half height h, alpha = atan(b/h), rocks without slip and without rebound, each impact leaves the
//! part r = 1 - (3/2) sin^2 alpha of its angular velocity, and between two impacts it is an inverted pendulum about a corner (G. W. Housner,
//! The behavior of inverted pendulum structures during earthquakes, Bull. Seism. Soc. Am. 53 (1963) 403):
//!
//! ```text
//! T_1 = m g R (cos(alpha - theta) - cos alpha),   omega_1^2 = 2 T_1/I,   omega_{k+1} = r omega_k,   I = (4/3) m R^2,   R^2 = b^2 + h^2
//! ```
//!
//! The time of a fall from theta is acosh(1/(1 - theta/alpha))/p at most, p^2 = 3 g/(4 R), so that all impacts lie within the sum of these.

use crate::support;
use approx::assert_relative_eq;
use fourbar_contact::event::{Event, EventDriven, EventKind, EventStepper};
use fourbar_contact::model::*;
use fourbar_contact::pair::ContactSet;
use fourbar_multibody::Mechanism;
use fourbar_multibody::model::{Joint, JointKind, MarkerRef, Model, Orientation, Place, vector};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use std::sync::Arc;
use support::body;

#[derive(Debug, Clone, Copy)]
struct Block {
    half_width: f64,
    slenderness: f64,
    mass: f64,
    gravity: f64,
    /// As part of the angle at which it would topple.
    tilt: f64,
    restitution: f64,
    friction: f64,
    /// Half its depth over its half width; 0 for a plate held in its plane.
    depth: f64,
}

impl Block {
    fn half_height(&self) -> f64 {
        self.half_width * self.slenderness
    }

    fn alpha(&self) -> f64 {
        (1.0 / self.slenderness).atan()
    }

    fn radius(&self) -> f64 {
        self.half_width.hypot(self.half_height())
    }

    /// Part of the angular velocity that an impact leaves.
    fn ratio(&self) -> f64 {
        1.0 - 1.5 * self.alpha().sin().powi(2)
    }

    /// Time in which all impacts lie \[s\]; three times that of the slower of both ways to lose energy where the corners rebound.
    fn settles(&self) -> f64 {
        let fall = (1.0 / (1.0 - self.tilt)).acosh() / (0.75 * self.gravity / self.radius()).sqrt();
        let sum = |ratio: f64| fall * (1.0 + 2.0 * ratio / (1.0 - ratio));
        let e = self.restitution;
        if e == 0.0 { sum(self.ratio()) } else { 3.0 * sum(e.max(self.ratio())) }
    }

    fn model(&self) -> (Model, ContactModel) {
        let (m, b, h, d) = (self.mass, self.half_width, self.half_height(), self.depth * self.half_width);
        let tilt = self.tilt * self.alpha();
        let (s, c) = tilt.sin_cos();
        let inertia = [m * (h * h + d * d) / 3.0, m * (b * b + d * d) / 3.0, m * (b * b + h * h) / 3.0];
        let mut block = body("block", m, inertia, [-b * c + h * s, b * s + h * c, 0.0], 0.0);
        block.orientation = Orientation::turn([0.0, 0.0, 1.0], -tilt);
        let plane = Joint {
            name: "plane".into(),
            kind: JointKind::Planar,
            i: "block".into(),
            j: "ground".into(),
            length: None,
            pitch: None,
            initial: Default::default(),
        };
        let orientation = Orientation {
            z_axis: Some(vector([0.0, 1.0, 0.0])),
            x_axis: Some(vector([1.0, 0.0, 0.0])),
            ..Orientation::default()
        };
        let floor: MarkerRef =
            Place { body: "ground".into(), position: vector([0.0; 3]), orientation, frame: Default::default() }.into();
        let size = vector([2.0 * b, 2.0 * h, 2.0 * d]);
        let kind = ContactKind::BoxPlane(BoxPlane { i: "block".into(), size, j: floor, offset: 0.0.into() });
        let touch = Contact::new("floor", kind).with_friction(self.friction).with_restitution(self.restitution);
        let joints = if d == 0.0 { vec![plane] } else { vec![] };
        let gravity = vector([0.0, -self.gravity, 0.0]);
        let model = Model { gravity, bodies: vec![block], joints, ..Model::default() };
        (model, ContactModel { contacts: vec![touch], ..ContactModel::default() })
    }

    fn run(&self, end: f64) -> EventStepper<ContactSet> {
        let (model, contacts) = self.model();
        let mechanism = Arc::new(Mechanism::compile(&model).unwrap());
        let set = ContactSet::compile(&model, &contacts, &mechanism).unwrap();
        let options = EventDriven { tolerance: 1e-9, ..EventDriven::default() };
        let mut run = options.start(&mechanism, set, mechanism.start(), end).unwrap();
        run.run().unwrap_or_else(|e| panic!("{self:?}, t = {}: {e}", run.time()));
        run
    }

    /// Stands upright on all corners, and does not move.
    fn check_rest(&self, run: &mut EventStepper<ContactSet>) {
        let corners = if self.depth == 0.0 { 2 } else { 4 };
        assert_eq!(run.closed().len(), corners, "{self:?}: {:?}", run.log().last());
        let pose = run.state().poses[0];
        let speed = (self.gravity * self.radius()).sqrt();
        assert!(pose.v.norm() <= 1e-12 * speed && pose.w.norm() * self.radius() <= 1e-12 * speed, "{self:?}: {pose:?}");
        assert_relative_eq!(pose.x.y, self.half_height(), max_relative = 1e-9);
    }
}

fn impacts(log: &[Event]) -> Vec<&Event> {
    log.iter().filter(|e| matches!(e.kind, EventKind::Impact(_))).collect()
}

#[test]
fn slender_blocks_of_the_model_rest() {
    // The half widths of models/rocking-block.toml and its slender variants.
    for half_width in [0.1, 0.075, 0.05, 0.03] {
        let block = Block {
            half_width,
            slenderness: 0.3 / half_width,
            mass: 3.0,
            gravity: 9.81,
            tilt: 0.5,
            restitution: 0.0,
            friction: 2.0,
            depth: 0.0,
        };
        let mut run = block.run(1.1 * block.settles());
        block.check_rest(&mut run);
        let passed = run.log().iter().filter(|e| e.kind == EventKind::Accumulation).count();
        assert_eq!(passed, usize::from(half_width <= 0.05), "{block:?}");
    }
}

/// Sizes over six decades, and anything that friction holds.
fn blocks() -> impl Strategy<Value = Block> {
    // The number of impacts goes with the square of the slenderness: most are stout.
    let slenderness = (0.0..1.0_f64).prop_map(|u: f64| 50.0_f64.powf(u.powi(3)));
    let decades = (-3.0..3.0, -6.0..6.0, -1.0..2.0);
    (slenderness, decades, 0.05..0.9, 0.0..0.9, 1.5..5.0, 0.3..3.0).prop_map(|(slenderness, d, tilt, e, mu, depth)| {
        Block {
            half_width: 10.0_f64.powf(d.0) / slenderness,
            slenderness,
            mass: 10.0_f64.powf(d.1),
            gravity: 10.0_f64.powf(d.2),
            tilt,
            restitution: e,
            friction: mu,
            depth,
        }
    })
}

fn cases(cases: u32, seed: u64) -> ProptestConfig {
    ProptestConfig { cases, rng_seed: RngSeed::Fixed(seed), failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(cases(60, 1))]
    /// The first impacts, one by one, and the end, by Housner's analysis.
    #[test]
    fn impacts_are_those_of_housner(block in blocks()) {
        let block = Block { restitution: 0.0, depth: 0.0, ..block };
        let mut run = block.run(1.1 * block.settles());
        let (alpha, radius) = (block.alpha(), block.radius());
        let height = radius * ((alpha * (1.0 - block.tilt)).cos() - alpha.cos());
        let mut speed = (1.5 * block.gravity * height).sqrt() / radius;
        for impact in impacts(run.log()).iter().take(6) {
            if 2.0 * block.half_width * speed < 1e-4 * (block.gravity * radius).sqrt() {
                break;
            }
            assert_relative_eq!(impact.closing_speed, 2.0 * block.half_width * speed, max_relative = 1e-6);
            let energy = 2.0 / 3.0 * block.mass * (radius * speed).powi(2);
            assert_relative_eq!(-impact.energy, energy * (1.0 - block.ratio().powi(2)), max_relative = 1e-5);
            speed *= block.ratio();
        }
        block.check_rest(&mut run);
    }
}

proptest! {
    #![proptest_config(cases(100, 2))]
    /// Plates held in their plane, with rebounds.
    #[test]
    fn plates_that_rebound_rest(block in blocks()) {
        let block = Block { depth: 0.0, ..block };
        block.check_rest(&mut block.run(block.settles()));
    }
}

proptest! {
    #![proptest_config(cases(60, 3))]
    /// Free blocks on four corners, whose forces are redundant.
    #[test]
    fn blocks_that_rebound_rest(block in blocks()) {
        block.check_rest(&mut block.run(block.settles()));
    }
}
