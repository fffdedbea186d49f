//! A disc that spins on its flat side is braked as under an even pressure: by the torque 2/3 mu N R, so that its speed falls by 4/3 mu g t/R.

use crate::rolls_off_stepping::SCHEMES;
use fourbar_contact::event::EventDriven;
use fourbar_contact::model::ContactModel;
use fourbar_contact::pair::ContactSet;
use fourbar_contact::stepping::TimeStepping;
use fourbar_multibody::space::{V3, rotation};
use fourbar_multibody::{Mechanism, Model};
use proptest::prelude::*;
use serde_json::json;
use std::sync::Arc;

const G: f64 = 9.81;

/// A disc of radius 0.1 m and 0.02 m high, drawn in units of `size`, with its centre at rest.
#[derive(Debug, Clone, Copy)]
struct Disc {
    size: f64,
    turn: [f64; 3],
    friction: f64,
    mass: f64,
    on_box: bool,
}

impl Disc {
    /// The angular velocity that it has at the end, over the one at the start, by each method, where half of it is left.
    fn left(&self) -> Vec<(String, f64)> {
        let (l, a) = (self.size, rotation(&V3::from(self.turn)));
        let (radius, height) = (0.1 * l, 0.02 * l);
        let end = 0.3 * l.sqrt();
        let spin = 2.0 * 4.0 / 3.0 * self.friction * G * end / radius;
        let angle = V3::from(self.turn).norm();
        let axis = if angle > 0.0 { V3::from(self.turn) / angle } else { V3::z() };
        let orientation = json!({"axis": axis.as_slice(), "angle": angle});
        let disc = 0.5 * self.mass * radius * radius;
        let across = self.mass * (radius * radius / 4.0 + height * height / 12.0);
        let middle = a * V3::new(0.0, 0.0, 0.5 * height);
        let gravity = a * V3::new(0.0, 0.0, -G);
        let velocity = a * V3::new(0.0, 0.0, spin);
        let model = json!({"gravity": gravity.as_slice(), "body": [{"name": "b", "mass": self.mass, "inertia": [across, across, disc],
            "position": middle.as_slice(), "orientation": orientation, "angular_velocity": velocity.as_slice()}]});
        let place = |z: f64| json!({"body": "ground", "position": (a * V3::new(0.0, 0.0, z)).as_slice(), "orientation": orientation});
        let under = match self.on_box {
            true => json!({"name": "f", "on": place(-0.5 * l), "type": "box", "size": [l, l, l]}),
            false => json!({"name": "f", "on": place(0.0), "type": "half_space"}),
        };
        let contacts = json!({"shape": [{"name": "d", "on": "b", "type": "cylinder", "radius": radius, "length": height}, under],
            "contact": [{"name": "c", "type": "shapes", "i": "d", "j": "f", "friction": self.friction}]});
        let model: Model = serde_json::from_str(&model.to_string()).expect("a model");
        let contacts: ContactModel = serde_json::from_str(&contacts.to_string()).expect("contacts");
        let mechanism = Arc::new(Mechanism::compile(&model).expect("a mechanism"));
        let set = ContactSet::compile(&model, &contacts, &mechanism).expect("contacts");
        let seen = |w: &V3| w.dot(&(a * V3::z())) / spin;
        let mut all = Vec::new();
        for scheme in SCHEMES {
            let options = TimeStepping { scheme, step: end / 100.0, ..TimeStepping::default() };
            let mut run = options.start(&mechanism, set.clone(), mechanism.start()).expect("a start");
            (0..100).for_each(|_| _ = run.step().unwrap_or_else(|error| panic!("{self:?} {scheme:?}: {error}")));
            all.push((format!("{scheme:?}"), seen(&run.state().poses[0].w)));
        }
        let mut run = EventDriven::default().start(&mechanism, set, mechanism.start(), end).expect("a start");
        run.run().unwrap_or_else(|error| panic!("{self:?}: {error}"));
        all.push(("event".to_owned(), seen(&run.state().poses[0].w)));
        all
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn discs_are_braked_as_under_an_even_pressure(
        power in -3.0..3.0f64, turn in prop::array::uniform3(-2.0..2.0f64), friction in 0.01..1.0f64, mass in -3.0..3.0f64, on_box in any::<bool>(),
    ) {
        let disc = Disc { size: 10.0_f64.powf(power), turn, friction, mass: 10.0_f64.powf(mass), on_box };
        for (method, left) in disc.left() {
            // Fixed steps leave what their solvers do.
            let allowed = if method == "event" { 1e-6 } else { 1e-3 };
            prop_assert!((left - 0.5).abs() < allowed, "{disc:?} {method}: {left}");
        }
    }
}
