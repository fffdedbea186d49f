//! A gripper that is driven, along a line or about an axis, takes a part along by friction: the part does not move in the grip.

use crate::rolls_off_stepping::SCHEMES;
use fourbar_contact::model::ContactModel;
use fourbar_contact::pair::ContactSet;
use fourbar_contact::stepping::{Backend, Scheme, TimeStepping};
use fourbar_multibody::space::{V3, rotation};
use fourbar_multibody::{Mechanism, Model};
use serde_json::json;
use std::sync::Arc;

/// Two fingers of a palm that squeeze a part between them with `force`.
#[derive(Debug, Clone)]
struct Gripper {
    size: f64,
    turn: [f64; 3],
    masses: [f64; 3],
    /// Force of the fingers over what friction needs of it to hold the part.
    grip: f64,
    friction: f64,
    /// Acceleration over gravity.
    lift: f64,
    /// Whether the palm turns about an axis, and how far that is away.
    arm: Option<f64>,
}

impl Gripper {
    fn model(&self) -> (Model, ContactModel) {
        let (l, a) = (self.size, rotation(&V3::from(self.turn)));
        let [palm, finger, part] = self.masses;
        let gravity = a * V3::new(0.0, 0.0, -9.81);
        let x = a * V3::x();
        // Across the arm, if there is one, else upwards.
        let arm = self.arm.unwrap_or(0.0) * l;
        let force = self.grip * part * 9.81 * (1.0 + self.lift) / (2.0 * self.friction);
        let angle = V3::from(self.turn).norm();
        let axis = if angle > 0.0 { V3::from(self.turn) / angle } else { V3::z() };
        let orientation = json!({"axis": axis.as_slice(), "angle": angle});
        let body = |name: &str, mass: f64, at: V3| {
            let inertia = mass * 4e-4 * l * l;
            json!({"name": name, "mass": mass, "inertia": [inertia, inertia, inertia], "position": (a * at * l).as_slice(), "orientation": orientation})
        };
        let down = -0.05;
        let bodies = [
            body("palm", palm, V3::zeros()),
            body("left", finger, V3::new(-0.03, 0.0, down)),
            body("right", finger, V3::new(0.03, 0.0, down)),
            body("part", part, V3::new(0.0, 0.0, down)),
        ];
        let along = |body: &str, at: V3, z: V3| json!({"body": body, "position": at.as_slice(), "orientation": {"z_axis": z.as_slice()}});
        let slide = |name: &str, finger: &str| json!({"name": name, "type": "prismatic", "i": along(finger, V3::zeros(), V3::x()), "j": along("palm", V3::new(0.0, 0.0, down * l), V3::x())});
        let (kind, i, j, motion) = if self.arm.is_some() {
            let pivot = V3::new(0.0, -arm, 0.0);
            // About the axis of the fingers, so that the part swings up and round.
            let rate = self.lift * 9.81 / arm;
            ("revolute", along("palm", pivot, V3::x()), along("ground", a * pivot, x), format!("{rate:?}"))
        } else {
            (
                "prismatic",
                along("palm", V3::zeros(), V3::z()),
                json!({"body": "ground", "orientation": orientation}),
                format!("{:?}", self.lift * 9.81),
            )
        };
        let model = json!({"gravity": gravity.as_slice(), "body": bodies,
            "joint": [{"name": "lift", "type": kind, "i": i, "j": j}, slide("gl", "left"), slide("gr", "right")],
            "motion": [{"name": "up", "joint": "lift", "acceleration": motion}],
            "force": [{"name": "close", "type": "line_force", "i": "left", "j": "right", "value": -force}]});
        let shape = |name: &str, size: [f64; 3]| json!({"name": format!("shape {name}"), "on": name, "type": "box", "size": size.map(|s| s * l)});
        let pad = |name: &str, j: &str| json!({"name": name, "type": "shapes", "i": "shape part", "j": format!("shape {j}"), "friction": self.friction});
        let contacts = json!({"shape": [shape("left", [0.02, 0.04, 0.06]), shape("right", [0.02, 0.04, 0.06]), shape("part", [0.04, 0.03, 0.05])],
            "contact": [pad("pads", "left"), pad("pads2", "right")]});
        let text = |value: &serde_json::Value| value.to_string();
        (
            serde_json::from_str(&text(&model)).expect("a model"),
            serde_json::from_str(&text(&contacts)).expect("contacts"),
        )
    }

    /// How far the part has moved in the frame of the palm over the way of the palm \[-\].
    fn slip(&self, (scheme, backend): (Scheme, Backend), steps: usize) -> f64 {
        let (model, contacts) = self.model();
        let mechanism = Arc::new(Mechanism::compile(&model).expect("a mechanism"));
        let set = ContactSet::compile(&model, &contacts, &mechanism).expect("contacts");
        let step = 1e-3 * self.size.sqrt();
        let options = TimeStepping { scheme, backend, step, ..TimeStepping::default() };
        let mut run = options.start(&mechanism, set, mechanism.start()).expect("a start");
        let seen = |poses: &[fourbar_multibody::space::Pose]| poses[0].a.tr_mul(&(poses[3].x - poses[0].x));
        let before = seen(&run.state().poses);
        for _ in 0..steps {
            run.step().unwrap_or_else(|error| panic!("{self:?} {scheme:?}: {error}"));
        }
        let time = steps as f64 * step;
        (seen(&run.state().poses) - before).norm() / (0.5 * self.lift * 9.81 * time * time)
    }
}

#[test]
fn the_file_does_not_slip() {
    let masses = [2.0, 0.13, 0.471];
    let plain = Gripper { size: 1.0, turn: [0.0; 3], masses, grip: 1.5, friction: 0.3, lift: 0.2, arm: None };
    for scheme in SCHEMES {
        let slip = plain.slip((scheme, Backend::Reduced), 500);
        assert!(slip < 1e-9, "{scheme:?}: {slip}");
    }
    let slip = plain.slip((Scheme::GapLcp, Backend::Global), 500);
    assert!(slip < 1e-8, "{slip}");
}
