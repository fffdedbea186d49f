//! Boxes on their corners with the centre of mass far off, which fall about an edge, slide on it, and jam (Painleve's paradox) at both its
//! corners together.

use crate::support;
use fourbar_contact::event::{EventDriven, Reached};
use fourbar_contact::model::*;
use fourbar_contact::pair::ContactSet;
use fourbar_multibody::model::{Model, vector};
use fourbar_multibody::{Mechanism, State};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use std::sync::Arc;
use support::body;

const G: f64 = 9.81;
const MASS: f64 = 4.0;
const INERTIA: [f64; 3] = [0.05, 0.05, 0.07];

#[derive(Debug, Clone, Copy)]
struct Eccentric {
    centre_of_mass: [f64; 3],
    size: [f64; 3],
    friction: f64,
}

fn energy(state: &State) -> f64 {
    let pose = &state.poses[0];
    let w = pose.a.tr_mul(&pose.w);
    let turning: f64 = INERTIA.iter().zip(w.iter()).map(|(i, w)| i * w * w).sum();
    0.5 * (MASS * pose.v.norm_squared() + turning) + MASS * G * pose.x.z
}

impl Eccentric {
    /// To 1 s; energy never rises.
    fn run(&self) {
        let mut dropped = body("box", MASS, INERTIA, [0.0, 0.0, 0.15], 0.0);
        dropped.center_of_mass = vector(self.centre_of_mass);
        let kind = ContactKind::BoxPlane(BoxPlane {
            i: "box".into(),
            size: vector(self.size),
            j: "ground".into(),
            offset: 0.0.into(),
        });
        let touch = Contact::new("floor", kind).with_friction(self.friction);
        let model = Model { gravity: vector([0.0, 0.0, -G]), bodies: vec![dropped], ..Model::default() };
        let contacts = ContactModel { contacts: vec![touch], ..ContactModel::default() };
        let mechanism = Arc::new(Mechanism::compile(&model).unwrap());
        let set = ContactSet::compile(&model, &contacts, &mechanism).unwrap();
        let options = EventDriven { events_max: 5000, ..EventDriven::default() };
        let mut run = options.start(&mechanism, set, mechanism.start(), 1.0).unwrap();
        let mut before = energy(run.state());
        let scale = MASS * G * (1.0 + self.centre_of_mass[0].abs());
        for steps in 0.. {
            let reached = run.step().unwrap_or_else(|e| panic!("{self:?}, t = {}: {e}", run.time()));
            let now = energy(run.state());
            assert!(now <= before + 1e-8 * scale, "{self:?}, t = {}: {:e} J gained", run.time(), now - before);
            assert!(steps < 50_000, "{self:?}: {} events by t = {}", run.log().len(), run.time());
            before = now;
            if reached == Reached::EndTime {
                return;
            }
        }
    }
}

#[test]
fn a_box_that_hangs_from_its_edge_reaches_the_end() {
    for friction in [0.1, 0.3, 1.0] {
        for x in [0.0, 0.21, 0.5, 1.0, 2.0, 3.0, 5.0, 10.0] {
            Eccentric { centre_of_mass: [x, 0.02, 0.0], size: [0.4, 0.2, 0.1], friction }.run();
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, rng_seed: RngSeed::Fixed(5), failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn boxes_with_the_centre_of_mass_anywhere_reach_the_end(
        centre_of_mass in (0.0..10.0, -0.3..0.3, -0.1..0.1),
        size in (0.05..1.0, 0.05..1.0, 0.05..0.2),
        friction in 0.0..1.0,
    ) {
        let ((x, y, z), (a, b, c)) = (centre_of_mass, size);
        Eccentric { centre_of_mass: [x, y, z], size: [a, b, c], friction }.run();
    }
}
