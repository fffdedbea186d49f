//! Boxes thrown on a floor, event-driven: energy never rises, whatever they do until they rest.

use crate::support;
use fourbar_contact::event::{EventDriven, EventStepper, Reached};
use fourbar_contact::model::*;
use fourbar_contact::pair::ContactSet;
use fourbar_multibody::model::{Body, MarkerRef, Model, Orientation, Place, vector};
use fourbar_multibody::{Mechanism, State};
use std::sync::Arc;
use support::body;

const G: f64 = 9.81;
const SIZE: [f64; 3] = [0.3, 0.2, 0.1];

/// Moments of inertia of the box of 1 kg about its axes [kg m^2].
fn inertia() -> [f64; 3] {
    let s = SIZE.map(|l| l * l / 12.0);
    [s[1] + s[2], s[2] + s[0], s[0] + s[1]]
}

/// A box of its own way of flying for each number.
fn thrown(throw: f64) -> Body {
    let mut block = body("block", 1.0, inertia(), [0.0, 0.5, 0.0], 0.0);
    block.orientation = Orientation::turn([0.3 + throw, 0.2, 1.0], 0.7 + 0.3 * throw);
    block.velocity = vector([0.5, 0.0, 0.1 * throw]);
    block.angular_velocity = vector([1.0, 0.5, 2.0 - throw]);
    block
}

fn floor() -> MarkerRef {
    let (z, x) = (vector([0.0, 1.0, 0.0]), vector([1.0, 0.0, 0.0]));
    let orientation = Orientation { z_axis: Some(z), x_axis: Some(x), ..Default::default() };
    Place { body: "ground".into(), position: vector([0.0; 3]), orientation, frame: Default::default() }.into()
}

/// Kinetic and potential energy \[J\].
fn energy(state: &State) -> f64 {
    let pose = &state.poses[0];
    let w = pose.a.tr_mul(&pose.w);
    let turning: f64 = inertia().iter().zip(w.iter()).map(|(i, w)| i * w * w).sum();
    0.5 * (pose.v.norm_squared() + turning) + G * pose.x.y
}

/// A throw on a floor of some friction and restitution.
#[derive(Debug, Clone, Copy)]
struct Throw {
    number: f64,
    friction: f64,
    restitution: f64,
    /// How far contacts are looked for \[m\].
    reach: f64,
    /// When it is to rest \[s\].
    end: f64,
}

impl Throw {
    fn new(number: i32, reach: f64) -> Self {
        Self { number: 0.37 * f64::from(number), friction: 0.3, restitution: 0.5, reach, end: 4.0 }
    }

    fn start(&self) -> EventStepper<ContactSet> {
        let model = Model { gravity: vector([0.0, -G, 0.0]), bodies: vec![thrown(self.number)], ..Model::default() };
        let shape =
            |name: &str, on: MarkerRef, geometry| Shape { name: name.into(), on, group: Some("all".into()), geometry };
        let shapes = vec![
            shape("block", "block".into(), Geometry::Box(BoxShape { size: vector(SIZE) })),
            shape("floor", floor(), Geometry::HalfSpace(HalfSpaceShape {})),
        ];
        let touch = Contact::new("touch", ContactKind::Shapes(Shapes { i: "all".into(), j: None, joined: false }));
        let contacts = ContactModel {
            shapes,
            contacts: vec![touch.with_friction(self.friction).with_restitution(self.restitution)],
        };
        let mechanism = Arc::new(Mechanism::compile(&model).unwrap());
        let set = ContactSet::compile(&model, &contacts, &mechanism).unwrap();
        let options = EventDriven { tolerance: 1e-9, reach: self.reach, events_max: 2000, ..EventDriven::default() };
        options.start(&mechanism, set, mechanism.start(), self.end).unwrap()
    }

    /// Throws the box and follows its energy from step to step and over events.
    fn loses_energy_until_it_rests(&self) {
        let mut run = self.start();
        let first = energy(run.state());
        let mut before = first;
        loop {
            let reached = run.step().unwrap_or_else(|e| panic!("{self:?}: {e}"));
            let now = energy(run.state());
            assert!(now - before <= 1e-8 * first, "{self:?}: {:e} J gained at {} s", now - before, run.time());
            before = now;
            if reached == Reached::EndTime {
                break;
            }
        }
        let pose = run.state().poses[0];
        assert_eq!(run.closed().len(), 4, "{self:?}");
        assert!(pose.v.norm() <= 1e-12 && pose.w.norm() <= 1e-12, "{self:?}: {pose:?}");
        assert!(SIZE.iter().any(|s| (pose.x.y - 0.5 * s).abs() <= 1e-12), "{self:?}: {pose:?}");
    }
}

#[test]
fn energy_never_rises() {
    // Among them one whose slip is turned round as its rebounds are taken away, and two that rock from edge to edge.
    for k in 0..24 {
        Throw::new(k, f64::INFINITY).loses_energy_until_it_rests();
    }
}

#[test]
fn nor_where_corners_come_within_reach_and_touch_in_one_step() {
    for k in 0..24 {
        Throw::new(k, 0.01).loses_energy_until_it_rests();
    }
}

#[test]
fn nor_with_friction_that_jams() {
    // Forces of the first grow without bound; the second begins to slip from less than counts as slip, the third and fourth on two
    // corners in directions that depend on each other; the fifth rocks upright for 4 s.
    for (number, restitution) in [(113, 0.5), (166, 0.0), (29, 0.0), (143, 0.0), (120, 0.5)] {
        let throw = Throw { friction: 2.0, restitution, end: 6.0, ..Throw::new(number, f64::INFINITY) };
        throw.loses_energy_until_it_rests();
    }
}
