//! Screws in closed form: a nut that falls along its thread, whatever the unit of length, the axis, the pitch and the turns behind it; driven ones.

use crate::support::runs::{compile, measures, methods};
use fourbar_multibody::analysis::Kinematics;
use fourbar_multibody::integrator::Gstiff;
use fourbar_multibody::model::Model;
use fourbar_multibody::{Equations, Formulation, Mechanism};
use nalgebra::Vector3;
use serde_json::{Value, json};
use std::f64::consts::TAU;
use std::sync::Arc;

type V3 = Vector3<f64>;

const MASS: f64 = 2.0;
const GRAVITY: f64 = 9.81;

/// Where and how large a screw is drawn.
#[derive(Debug, Clone, Copy)]
struct Drawn {
    /// Metres of a unit of length.
    unit: f64,
    axis: [f64; 3],
    origin: f64,
    /// In units of length.
    pitch: f64,
}

const PLAIN: Drawn = Drawn { unit: 1.0, axis: [0.0, 0.0, 1.0], origin: 0.0, pitch: 0.05 };

impl Drawn {
    fn axis(&self) -> V3 {
        V3::from(self.axis).normalize()
    }

    fn lead(&self) -> f64 {
        self.pitch / TAU
    }

    fn inertia(&self) -> f64 {
        0.02
    }

    /// Angular acceleration of the nut as it falls: (m lead^2 + J) theta'' = -m g lead, by energies.
    fn alpha(&self) -> f64 {
        -MASS * GRAVITY * self.lead() / (MASS * self.lead().powi(2) + self.inertia())
    }

    /// A nut at the displacement `way`, in units of length, not turned; it is let go with the rate of `initial`.
    fn model(&self, way: f64, initial: Value) -> Value {
        let (u, a) = (self.unit, self.axis());
        let origin = V3::new(1.0, -0.5, 0.3) * self.origin * u;
        let vector = |v: V3| json!([v.x, v.y, v.z]);
        let marker = |body: &str, at: V3| json!({"body": body, "position": vector(at), "orientation": {"z_axis": vector(a)}, "frame": "global"});
        let place = origin + a * way * u;
        let (i, j) = (marker("nut", place), marker("ground", origin));
        json!({
            "gravity": vector(-a * GRAVITY * u),
            "body": [{"name": "nut", "mass": MASS, "inertia": [self.inertia() * u * u, self.inertia() * u * u, self.inertia() * u * u],
                "position": vector(place)}],
            "joint": [{"name": "thread", "type": "screw", "i": i, "j": j, "pitch": self.pitch * u, "initial": initial}],
            "measure": [
                {"name": "way", "type": "position", "i": i, "j": j, "frame": j, "component": "z"},
                {"name": "turn", "type": "angle", "i": i, "j": j},
                {"name": "push", "type": "reaction", "joint": "thread", "quantity": "force", "frame": j, "component": "z"},
                {"name": "twist", "type": "reaction", "joint": "thread", "quantity": "torque", "frame": j, "component": "z"},
            ],
        })
    }
}

#[test]
fn a_nut_falls_along_its_thread_through_many_turns() {
    let drawn = [
        PLAIN,
        Drawn { unit: 1e-3, axis: [1.0, 2.0, -2.0], ..PLAIN },
        Drawn { unit: 1e3, axis: [0.0, 1.0, 0.0], pitch: -0.05, ..PLAIN },
        Drawn { origin: 1e3, axis: [-1.0, 0.1, 0.0], ..PLAIN },
        Drawn { pitch: 1.7, ..PLAIN },
    ];
    for drawn in drawn {
        let (u, end, rate) = (drawn.unit, 5.0, 3.0);
        let mechanism = compile(&drawn.model(0.0, json!({"angular_velocity": rate})));
        assert_eq!(mechanism.degrees_of_freedom(), 1);
        assert!(mechanism.redundancies().is_empty());
        let turn = rate * end + 0.5 * drawn.alpha() * end * end;
        assert!(turn.abs() > TAU, "{turn}");
        for way in methods() {
            let formulation = way.1;
            let found = measures(&mechanism, way, end);
            let expected = [
                drawn.lead() * turn * u,
                turn,
                MASS * (drawn.lead() * drawn.alpha() + GRAVITY) * u,
                drawn.inertia() * drawn.alpha() * u * u,
            ];
            // The origin at a thousand units leaves 12 digits of the way.
            for (k, (found, expected)) in found.iter().zip(expected).enumerate() {
                let error = (found - expected).abs() / expected.abs();
                assert!(error < 1e-6, "{drawn:?}, {formulation:?}, measure {k}: {found} is not {expected}");
            }
        }
    }
}

#[test]
fn a_nut_starts_on_the_thread_where_it_is_drawn() {
    for (threads, aside) in [(0.0, 0.0), (7.0, 0.0), (-40.0, 0.0), (1e4, 0.0), (3.0, 0.2), (-3.0, -0.4)] {
        let drawn = Drawn { axis: [1.0, 2.0, -2.0], ..PLAIN };
        let mechanism = compile(&drawn.model((threads + aside) * drawn.pitch, json!({})));
        let pose = &mechanism.start().poses[0];
        let way = drawn.axis().dot(&pose.x);
        let turn = mechanism.start().angles[0].angle;
        // Of a turn and a way that do not agree both may change; threads stay.
        let missing = way / drawn.pitch - turn / TAU - threads;
        assert!(missing.abs() < 1e-11 * (1.0 + threads.abs()), "{threads} + {aside}: {missing:e}");
        let moved = mechanism.assembly().moved.iter().any(|moved| moved.displaced);
        assert_eq!(moved, aside != 0.0, "{threads} + {aside}");
    }
}

#[test]
fn a_stated_way_turns_the_nut() {
    let drawn = Drawn { axis: [1.0, 2.0, -2.0], ..PLAIN };
    for (initial, turn) in [
        (json!({"displacement": 0.3 * drawn.pitch, "velocity": 0.1}), 0.3 * TAU),
        (json!({"displacement": 12.3 * drawn.pitch, "velocity": 0.1}), 0.3 * TAU),
        (json!({"angle": 1.2, "velocity": 0.1}), 1.2),
    ] {
        let mechanism = compile(&drawn.model(0.0, initial));
        let pose = &mechanism.start().poses[0];
        let [x, z] = [0, 2].map(|k| pose.a.column(k).into_owned());
        let expected = nalgebra::Rotation3::from_axis_angle(&nalgebra::Unit::new_normalize(drawn.axis()), turn);
        assert!((x - expected * V3::x()).norm() + (z - expected * V3::z()).norm() < 1e-10, "{pose:?}");
        assert!((pose.v - drawn.axis() * 0.1).norm() < 1e-12);
        assert!((pose.w - drawn.axis() * 0.1 / drawn.lead()).norm() < 1e-9);
    }
}

#[test]
fn either_coordinate_of_a_screw_is_driven() {
    for (direction, law, end) in [("rotation", 40.0, 3.0), ("translation", 40.0 * PLAIN.lead(), 3.0)] {
        let mut model = PLAIN.model(0.0, json!({}));
        model["motion"] =
            json!([{"name": "drive", "joint": "thread", "direction": direction, "velocity": format!("{law}")}]);
        let mechanism = compile(&model);
        let found = measures(&mechanism, (Gstiff::with_tolerance(1e-9).into(), Formulation::Si2), end);
        assert!((found[1] - 40.0 * end).abs() < 1e-6, "{}", found[1]);
        assert!((found[0] - 40.0 * end * PLAIN.lead()).abs() < 1e-8, "{}", found[0]);
        model["motion"] = json!([{"name": "drive", "joint": "thread", "direction": direction, "displacement": format!("{law}*time")}]);
        let mut kinematics = Kinematics::new(&compile(&model)).expect("driven");
        kinematics.go_to(end).expect("it follows");
        let turned = kinematics.state().angles[0].angle;
        assert!((turned - 40.0 * end).abs() < 1e-9, "{turned}");
        let missing = kinematics.state().poses[0].x.z - 40.0 * end * PLAIN.lead();
        assert!(missing.abs() < 1e-12, "{missing:e}");
    }
}

/// A nut whose centre lies off its thread turns evenly while nothing acts on it but what presses on the thread: 365 rad. Where positions alone are tested (index 3) what
/// each step leaves of velocities adds up, as at any joint.
#[test]
fn an_eccentric_nut_turns_evenly_through_many_turns() {
    let (rate, arm, end) = (36.5, 0.05, 10.0);
    let mut model = PLAIN.model(0.0, json!({"angular_velocity": rate}));
    model["gravity"] = json!([0, 0, 0]);
    model["body"][0]["center_of_mass"] = json!([arm, 0, 0]);
    model["body"][0]["velocity"] = json!([0, rate * arm, rate * PLAIN.lead()]);
    model["body"][0]["angular_velocity"] = json!([0, 0, rate]);
    let mechanism = compile(&model);
    for (method, formulation) in methods() {
        let turn = measures(&mechanism, (method, formulation), end)[1];
        // Of index 3, what docs/limits.md states: 1e-5 of the angle.
        let allowed = if formulation == Formulation::I3 { 1e-5 * rate * end } else { 3e-4 };
        assert!((turn - rate * end).abs() < allowed, "{formulation:?}: {turn} is not {}", rate * end);
    }
}

#[test]
fn a_screw_makes_a_mechanism_spatial() {
    let planar = |model: &Value| {
        let mechanism = compile(model);
        Equations::fewest(Arc::clone(&mechanism), Formulation::Si2, mechanism.start()).is_planar()
    };
    let mut model = PLAIN.model(0.0, json!({}));
    assert!(!planar(&model));
    model["joint"][0]["type"] = json!("revolute");
    model["joint"][0].as_object_mut().expect("a table").remove("pitch");
    assert!(planar(&model));
}

#[test]
fn pitches_that_are_missing_zero_or_of_other_joints_are_refused() {
    let refused = |change: &dyn Fn(&mut Value), told: &str| {
        let mut model = PLAIN.model(0.0, json!({}));
        change(&mut model["joint"][0]);
        let model: Model = serde_json::from_value(model).expect("a model");
        let error = Mechanism::compile(&model).expect_err("refused").to_string();
        assert!(error.contains("joint \"thread\", `pitch`") && error.contains(told), "{error}");
    };
    refused(&|joint| drop(joint.as_object_mut().expect("a table").remove("pitch")), "needs its pitch");
    refused(&|joint| joint["pitch"] = json!(0.0), "other than zero");
    refused(&|joint| joint["pitch"] = json!("1/0"), "");
    refused(&|joint| joint["type"] = json!("cylindrical"), "only a screw");
}
