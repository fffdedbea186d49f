//! The same scene drawn in other units of length, time and mass has the same events: no threshold has a unit of its own.

use crate::support;
use fourbar_contact::event::{EventDriven, EventKind, EventStepper};
use fourbar_contact::model::*;
use fourbar_contact::pair::ContactSet;
use fourbar_multibody::Mechanism;
use fourbar_multibody::model::{Model, Orientation, vector};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use std::sync::Arc;
use support::body;

/// Units in metres, seconds and kilograms.
#[derive(Debug, Clone, Copy)]
struct Units {
    length: f64,
    time: f64,
    mass: f64,
}

const METRES: Units = Units { length: 1.0, time: 1.0, mass: 1.0 };

/// A box of 0.3 x 0.2 x 0.1 above the ground, thrown, its centre of mass off its middle.
#[derive(Debug, Clone, Copy)]
struct Throw {
    eccentric: [f64; 3],
    turn: [f64; 3],
    velocity: [f64; 3],
    spin: [f64; 3],
    friction: f64,
    restitution: f64,
}

const END: f64 = 0.6;

impl Throw {
    fn run(&self, units: Units) -> EventStepper<ContactSet> {
        let Units { length, time, mass } = units;
        let speed = length / time;
        let inertia = [0.05, 0.1, 0.13].map(|i| i / 12.0 * mass * length * length);
        let mut thrown = body("box", mass, inertia, [0.0, 0.0, 0.3 * length], 0.0);
        thrown.center_of_mass = vector(self.eccentric.map(|x| x * length));
        thrown.velocity = vector(self.velocity.map(|v| v * speed));
        thrown.angular_velocity = vector(self.spin.map(|w| w / time));
        let size = self.turn.iter().map(|x| x * x).sum::<f64>().sqrt();
        thrown.orientation = Orientation::turn(self.turn.map(|x| x / size), size);
        let size = vector([0.3, 0.2, 0.1].map(|x| x * length));
        let kind = ContactKind::BoxPlane(BoxPlane { i: "box".into(), size, j: "ground".into(), offset: 0.0.into() });
        let touch = Contact::new("floor", kind).with_friction(self.friction).with_restitution(self.restitution);
        let gravity = vector([0.0, 0.0, -9.81 * length / time / time]);
        let model = Model { gravity, bodies: vec![thrown], ..Model::default() };
        let contacts = ContactModel { contacts: vec![touch], ..ContactModel::default() };
        let mechanism = Arc::new(Mechanism::compile(&model).unwrap());
        let set = ContactSet::compile(&model, &contacts, &mechanism).unwrap();
        let options = EventDriven { tolerance: 1e-11, ..EventDriven::default() };
        let mut run = options.start(&mechanism, set, mechanism.start(), END * time).unwrap();
        run.run().unwrap_or_else(|e| panic!("{self:?} {units:?}, t = {}: {e}", run.time() / time));
        run
    }

    /// Time, contact and closing speed of the impacts that are not about to accumulate, in the units.
    fn impacts(run: &EventStepper<ContactSet>, units: Units) -> Vec<(f64, u64, f64)> {
        let impacts = run.log().iter().filter(|e| matches!(e.kind, EventKind::Impact(_)));
        let all =
            impacts.map(|e| (e.time / units.time, e.contact.feature, e.closing_speed * units.time / units.length));
        all.filter(|(.., closing_speed)| *closing_speed > 1e-2).collect()
    }
}

fn throws() -> impl Strategy<Value = Throw> {
    let vector = |size: f64| prop::array::uniform3(-size..size);
    let surface = (0.0..1.0, 0.0..0.8);
    (vector(0.05), vector(1.5), vector(1.5), vector(5.0), surface).prop_map(
        |(eccentric, turn, velocity, spin, (mu, e))| Throw {
            eccentric,
            turn,
            velocity,
            spin,
            friction: mu,
            restitution: e,
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, rng_seed: RngSeed::Fixed(4), failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn a_scene_in_other_units_has_the_same_events(throw in throws(), decades in (-6.0..6.0, -3.0..3.0, -9.0..9.0)) {
        let [length, time, mass] = [decades.0, decades.1, decades.2].map(|d| 10.0_f64.powf(d));
        let units = Units { length, time, mass };
        let (expected, found) = (throw.run(METRES), throw.run(units));
        let (expected, found) = (Throw::impacts(&expected, METRES), Throw::impacts(&found, units));
        prop_assert_eq!(expected.len(), found.len(), "{:?} {:?}", expected, found);
        for (expected, found) in expected.iter().zip(&found) {
            prop_assert_eq!(expected.1, found.1);
            prop_assert!((expected.0 - found.0).abs() <= 1e-6, "{:?} {:?}", expected, found);
            prop_assert!((expected.2 - found.2).abs() <= 1e-4 * expected.2, "{:?} {:?}", expected, found);
        }
    }
}
