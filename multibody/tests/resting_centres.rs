//! Bodies that move about centres of mass which rest: tolerances follow from the points that are touched, so that such a motion takes as many steps as any other,
//! however it lies, and in any unit of length, mass and time.

use crate::support::runs::{compile, methods};
use fourbar_multibody::integrator::Stop;
use fourbar_multibody::{Dynamics, DynamicsOptions, Formulation, Mechanism, Method, State};
use nalgebra::{Matrix3, Rotation3, Vector3};
use serde_json::{Value, json};
use std::f64::consts::FRAC_PI_2;
use std::sync::Arc;

type V3 = Vector3<f64>;
type M3 = Matrix3<f64>;

const GRAVITY: f64 = 9.81;
const RADIUS: f64 = 0.2;
/// Of the axis of the disc from the vertical \[rad\].
const TILT: f64 = 0.5;

/// Units in which a model is written, and the rotation vector of the whole.
#[derive(Debug, Clone, Copy)]
struct Drawn {
    length: f64,
    mass: f64,
    time: f64,
    turn: [f64; 3],
}

const SI: Drawn = Drawn { length: 1.0, mass: 1.0, time: 1.0, turn: [0.0; 3] };
/// In other units, one at a time and all together, tilted, with axes exchanged, and upside down.
const ALL: [Drawn; 8] = [
    SI,
    Drawn { length: 1e-3, ..SI },
    Drawn { length: 1e3, turn: [0.3, -0.7, 1.1], ..SI },
    Drawn { mass: 1e-3, turn: [FRAC_PI_2, 0.0, 0.0], ..SI },
    Drawn { mass: 1e3, turn: [0.0, FRAC_PI_2, 0.0], ..SI },
    Drawn { time: 1e-3, turn: [-0.2, 1.9, 0.4], ..SI },
    Drawn { time: 1e3, turn: [2.0 * FRAC_PI_2, 0.0, 0.0], ..SI },
    Drawn { length: 1e3, mass: 1e-3, time: 1e-3, turn: [1.209_199_576_156_145; 3] },
];

fn list(v: V3) -> Value {
    json!([v.x, v.y, v.z])
}

impl Drawn {
    fn turn(&self) -> M3 {
        Rotation3::from_scaled_axis(V3::from(self.turn)).into_inner()
    }

    fn gravity(&self) -> Value {
        list(self.turn() * V3::z() * (-GRAVITY * self.length / self.time / self.time))
    }

    /// A frame at `origin` with the axis z along `z`.
    fn frame(&self, body: &str, origin: V3, z: V3) -> Value {
        let x = if z.x.abs() < 0.9 { V3::x() } else { V3::y() };
        let x = (x - z * z.dot(&x)).normalize();
        json!({"body": body, "position": list(self.turn() * origin * self.length), "frame": "global",
            "orientation": {"z_axis": list(self.turn() * z), "x_axis": list(self.turn() * x)}})
    }

    /// A body with z along `axis`, and the moments of inertia `across` and `along` it.
    fn body(&self, name: &str, mass: f64, [across, along]: [f64; 2], centre: V3, axis: V3, w: V3) -> Value {
        let axes = Rotation3::rotation_between(&V3::z(), &axis).expect("not opposite").into_inner();
        let axes = self.turn() * axes;
        let unit = self.mass * self.length * self.length;
        // By its axes: a rotation vector has no axis to read from a matrix that turns by exactly 180 degrees.
        let orientation = json!({"z_axis": list(axes.column(2).into()), "x_axis": list(axes.column(0).into())});
        json!({"name": name, "mass": mass * self.mass, "inertia": [across * unit, across * unit, along * unit],
            "position": list(self.turn() * centre * self.length), "orientation": orientation,
            "angular_velocity": list(self.turn() * w / self.time)})
    }
}

/// The state at `end`, in the units of the model, and the steps.
fn run(mechanism: &Arc<Mechanism>, (method, formulation): (Method, Formulation), end: f64, most: u64) -> (State, u64) {
    let options = DynamicsOptions { formulation, method, end, stop_times: vec![] };
    let mut dynamics = Dynamics::new(mechanism, &options).expect("a start");
    while dynamics.step().expect("a step") != Stop::EndTime {
        assert!(dynamics.statistics().steps < most, "{formulation:?} t = {} of {end}", dynamics.time());
    }
    let steps = dynamics.statistics().steps;
    (dynamics.state_at(end).expect("a state").clone(), steps)
}

/// Runs `model` in all units by all methods to `end`; `expected` is where the axis z of the last body points then, whose centre is at `centre`.
fn check(model: impl Fn(&Drawn) -> Value, end: f64, most: u64, centre: V3, expected: V3, allowed: f64) {
    for drawn in ALL {
        let mechanism = compile(&model(&drawn));
        for way in methods() {
            let name = format!("{} {:?} {drawn:?}", way.0.name(), way.1);
            let (state, steps) = run(&mechanism, way, end * drawn.time, most);
            let last = state.poses.last().expect("a body");
            let off = drawn.turn().transpose() * last.x / drawn.length - centre;
            let axis = drawn.turn().transpose() * last.a.column(2);
            assert!(off.norm() < allowed, "{name}: off by {:e} in {steps} steps", off.norm());
            assert!((axis - expected).norm() < 10.0 * allowed, "{name}: {axis} is not {expected}");
        }
    }
}

/// What rolls on the plane z = 0.
fn rolling(drawn: &Drawn, shape: &str, mut body: Value, origin: V3) -> Value {
    body["name"] = json!("roller");
    json!({"gravity": drawn.gravity(), "body": [body],
        "rolling": [{"name": "touch", "shape": shape, "radius": RADIUS * drawn.length, "i": "roller",
            "j": drawn.frame("ground", origin, V3::z())}]})
}

/// Of a disc that rolls about its resting centre, w lies along the diameter through the point that touches; the axis goes round the vertical at W with
/// W^2 = 4 g/(r sin(tilt)) for A = m r^2/4 (Moffatt, Nature 404, 2000).
#[test]
fn a_disc_rolls_about_its_resting_centre() {
    let (sin, cos) = TILT.sin_cos();
    let rate = (4.0 * GRAVITY / (RADIUS * sin)).sqrt();
    let centre = V3::z() * (RADIUS * sin);
    let (axis, end) = (V3::new(0.0, -sin, cos), 1.0);
    let model = |drawn: &Drawn| {
        let w = V3::new(0.0, cos, sin) * (rate * sin);
        rolling(drawn, "disc", drawn.body("", 1.0, [0.01, 0.02], centre, axis, w), V3::zeros())
    };
    let expected = Rotation3::from_scaled_axis(V3::z() * rate * end) * axis;
    check(model, end, 4_000, centre, expected, 1e-5);
}

/// An upright disc that spins about its vertical diameter, and a ball that spins about the vertical.
#[test]
fn rollers_spin_in_place() {
    let centre = V3::z() * RADIUS;
    for (shape, inertia, axis) in [("disc", [0.01, 0.02], V3::y()), ("sphere", [0.016, 0.016], V3::new(0.6, 0.0, 0.8))]
    {
        let model = |drawn: &Drawn| {
            let body = drawn.body("", 1.0, inertia, centre, axis, V3::z() * 40.0);
            rolling(drawn, shape, body, V3::new(0.1, -0.3, 0.0))
        };
        check(model, 1.0, 4_000, centre, Rotation3::from_scaled_axis(V3::z() * 40.0) * axis, 1e-5);
    }
}

/// A wheel between two bearings, which a torque T cos(4 t) turns: by T/(16 J) (1 - cos(4 t)).
#[test]
fn a_wheel_turns_in_place() {
    let (axle, end) = (V3::new(0.48, 0.6, 0.64), 3.0_f64);
    let z = V3::new(0.8, 0.0, -0.6);
    let model = |drawn: &Drawn| {
        let bearing = |body: &str, at: f64| drawn.frame(body, axle * at, axle);
        let torque = drawn.turn() * axle * (0.3 * drawn.mass * (drawn.length / drawn.time).powi(2));
        let value = [0, 1, 2].map(|k| format!("{:e}*cos({:e}*time)", torque[k], 4.0 / drawn.time));
        json!({"gravity": drawn.gravity(), "body": [drawn.body("wheel", 2.0, [0.02, 0.01], V3::zeros(), z, V3::zeros())],
            "joint": [{"name": "left", "type": "revolute", "i": bearing("wheel", 0.3), "j": bearing("ground", 0.3)}],
            "force": [{"name": "drive", "type": "torque", "i": "wheel", "value": value}]})
    };
    let angle = 0.3 / (16.0 * 0.02) * (1.0 - (4.0 * end).cos());
    check(model, end, 4_000, V3::zeros(), Rotation3::from_scaled_axis(axle * angle) * z, 1e-5);
}
