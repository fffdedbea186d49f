//! Two shafts whose axes meet, joined there: equally fast by a joint of constant velocity, by Cardan's law through a cross of two pins.

use crate::support::runs::{compile, methods};
use fourbar_multibody::integrator::Stop;
use fourbar_multibody::{Dynamics, DynamicsOptions, Formulation, Method};
use nalgebra::{Rotation3, Vector3};
use serde_json::{Value, json};
use std::f64::consts::TAU;

type V3 = Vector3<f64>;

const INERTIA: [f64; 2] = [0.03, 0.05];
const TORQUE: f64 = 0.4;

/// Shafts along z and at the angle `bend` to it in the plane of x and z, all turned by `drawn`; the first one is driven.
fn shafts(kind: &str, bend: f64, drawn: &Rotation3<f64>, unit: f64) -> Value {
    let vector = |v: V3| {
        let v = drawn * v;
        json!([v.x, v.y, v.z])
    };
    let axes = [V3::z(), V3::new(bend.sin(), 0.0, bend.cos())];
    // Pins: x of the first shaft's marker, y of the second one's; x of that lies in the plane of the shafts.
    let xs = [V3::x(), V3::new(bend.cos(), 0.0, -bend.sin())];
    let marker = |body: &str, k: usize, at: V3| {
        let orientation = json!({"z_axis": vector(axes[k]), "x_axis": vector(xs[k])});
        json!({"body": body, "position": vector(at * unit), "orientation": orientation, "frame": "global"})
    };
    let bearing = |name: &str, body: &str, k: usize, at: V3| json!({"name": name, "type": "revolute", "i": marker(body, k, at), "j": marker("ground", k, at)});
    let body = |name: &str, k: usize, at: V3| {
        let j = INERTIA[k] * unit * unit;
        json!({"name": name, "mass": 1.5, "inertia": [j, j, j], "position": vector(at * unit)})
    };
    let (a, b) = (-axes[0], axes[1] * 0.7);
    let torque = vector(axes[0] * TORQUE * unit * unit);
    json!({
        "body": [body("in", 0, a), body("out", 1, b)],
        "joint": [
            bearing("bearing_in", "in", 0, a), bearing("bearing_out", "out", 1, b),
            {"name": "joint", "type": kind, "i": marker("in", 0, V3::zeros()), "j": marker("out", 1, V3::zeros())},
        ],
        "force": [{"name": "engine", "type": "torque", "i": "in", "value": torque}],
        "measure": [
            {"name": "in", "type": "angle", "i": marker("in", 0, a), "j": marker("ground", 0, a)},
            {"name": "out", "type": "angle", "i": marker("out", 1, b), "j": marker("ground", 1, b)},
        ],
    })
}

/// Angles of both shafts at `end`.
fn angles(model: &Value, (method, formulation): (Method, Formulation), end: f64) -> [f64; 2] {
    let mechanism = compile(model);
    assert_eq!(mechanism.degrees_of_freedom(), 1);
    assert_eq!(mechanism.redundancies().len(), 3, "the point is kept by the bearings");
    let options = DynamicsOptions { formulation, method, end, stop_times: vec![] };
    let mut dynamics = Dynamics::new(&mechanism, &options).expect("a start");
    while dynamics.step().expect("a step") != Stop::EndTime {
        assert!(dynamics.statistics().steps < 50_000, "t = {}", dynamics.time());
    }
    let mut values = [0.0; 2];
    dynamics.measures_at(end, &mut values).expect("measures");
    values
}

fn turned() -> [(Rotation3<f64>, f64); 3] {
    [
        (Rotation3::identity(), 1.0),
        (Rotation3::from_scaled_axis(V3::new(0.4, -1.1, 0.7)), 1e-3),
        (Rotation3::from_scaled_axis(V3::new(-TAU / 4.0, 0.0, 0.0)), 1e3),
    ]
}

/// (J1 + J2) theta'' = T at any bend.
#[test]
fn shafts_of_a_joint_of_constant_velocity_turn_alike() {
    for (k, (drawn, unit)) in turned().into_iter().enumerate() {
        let (bend, end) = ([0.0, 0.9, -1.9][k], 3.0);
        let turn = 0.5 * TORQUE / (INERTIA[0] + INERTIA[1]) * end * end;
        for way in methods() {
            let formulation = way.1;
            let found = angles(&shafts("constant_velocity", bend, &drawn, unit), way, end);
            for angle in found {
                assert!((angle - turn).abs() < 1e-6 * turn, "{bend} {unit} {formulation:?}: {found:?} is not {turn}");
            }
        }
    }
}

/// tan(in) = cos(bend) tan(out), the pin of the first shaft being in the plane of the shafts at the start; and energies:
/// (J1 in'^2 + J2 out'^2)/2 = T in, so the time to any angle is a quadrature.
#[test]
fn shafts_of_a_hooke_joint_turn_by_the_law_of_cardan() {
    let bend: f64 = 0.8;
    for (drawn, unit) in turned() {
        for way in methods() {
            let formulation = way.1;
            let end = 2.0;
            let [first, second] = angles(&shafts("hooke", bend, &drawn, unit), way, end);
            assert!(first > 1.4 * TAU, "{first}");
            let turns = (first / TAU).round() * TAU;
            let expected = (first - turns).sin().atan2(bend.cos() * (first - turns).cos()) + turns;
            assert!((second - expected).abs() < 1e-6, "{unit} {formulation:?}: {second} is not {expected}");
            let time = time_to(first, bend);
            assert!((time - end).abs() < 1e-6, "{unit} {formulation:?}: {first} is reached at {time}");
        }
    }
}

/// The time in which the first shaft turns by `angle`, by Simpson's rule in s = sqrt(angle), in which the integrand is smooth.
fn time_to(angle: f64, bend: f64) -> f64 {
    let n = 20_000;
    let h = angle.sqrt() / f64::from(n);
    let at = |k: i32| {
        let turn = (h * f64::from(k)).powi(2);
        // out'/in' = cos(bend)/(cos^2(bend) cos^2(in) + sin^2(in)).
        let ratio = bend.cos() / ((bend.cos() * turn.cos()).powi(2) + turn.sin().powi(2));
        2.0 * ((INERTIA[0] + INERTIA[1] * ratio * ratio) / (2.0 * TORQUE)).sqrt()
    };
    let inner: f64 = (1..n).map(|k| at(k) * if k % 2 == 1 { 4.0 } else { 2.0 }).sum();
    (at(0) + inner + at(n)) * h / 3.0
}
