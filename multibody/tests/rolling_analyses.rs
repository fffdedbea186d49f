//! Equilibria and linear systems of mechanisms with rolling elements: closed forms of a disc and a ball, and the benchmark bicycle.

use fourbar_multibody::analysis::{Equilibrium, Linearization, Stability};
use fourbar_multibody::{Error, Inputs, Mechanism, Model};
use nalgebra::{Complex, Matrix2, Matrix4, Vector3};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::f64::consts::PI;

const GRAVITY: f64 = 9.81;

fn compile(model: &Value) -> Mechanism {
    let model: Model = serde_json::from_value(model.clone()).expect("a model");
    Mechanism::compile(&model).unwrap_or_else(|e| panic!("{e}"))
}

fn linear(mechanism: &Mechanism, state: &fourbar_multibody::State) -> Linearization {
    Linearization::new(mechanism, state, &Inputs::start(mechanism)).unwrap_or_else(|e| panic!("{e}"))
}

fn rest(mechanism: &Mechanism) -> Equilibrium {
    Equilibrium::find(mechanism, mechanism.start(), &Inputs::start(mechanism)).unwrap_or_else(|e| panic!("{e}"))
}

/// Each of `expected` is an eigenvalue; the others are zero, to what defective ones keep of differences of 1e-11: their fourth root.
fn has_eigenvalues(linear: &Linearization, expected: &[Complex<f64>], tolerance: f64) {
    let mut found: Vec<_> = linear.a.complex_eigenvalues().iter().copied().collect();
    for wanted in expected {
        let near = (0..found.len()).min_by(|&a, &b| (found[a] - wanted).norm().total_cmp(&(found[b] - wanted).norm()));
        let value = found.swap_remove(near.expect("an eigenvalue"));
        assert!((value - wanted).norm() < tolerance * wanted.norm().max(1.0), "{value} is not {wanted}");
    }
    let largest = expected.iter().map(|value| value.norm()).fold(1.0, f64::max);
    assert!(found.iter().all(|value| value.norm() < 3e-3 * largest), "{found:?} beside {expected:?}");
}

/// A disc of moments a m r^2 across and c m r^2 along its axis that rolls upright.
fn disc([a, c]: [f64; 2], r: f64, speed: f64, turn: f64) -> Value {
    let (m, heading) = (1.7, Vector3::new(turn.cos(), turn.sin(), 0.0));
    let axis = Vector3::z().cross(&heading);
    let list = |v: Vector3<f64>| json!([v.x, v.y, v.z]);
    json!({
        "gravity": [0, 0, -GRAVITY],
        "body": [{"name": "disc", "mass": m, "inertia": [a * m * r * r, a * m * r * r, c * m * r * r], "position": [0, 0, r],
            "orientation": {"z_axis": list(axis), "x_axis": list(heading)},
            "velocity": list(heading * speed), "angular_velocity": list(axis * (speed / r))}],
        "rolling": [{"name": "road", "shape": "disc", "radius": r, "i": "disc"}],
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    /// a (a + 1) w^2 = c (c + 1) W^2 - a g/r for lean and heading, W = v/r (Neimark and Fufaev, 1972); the speed, the heading and the place stay.
    #[test]
    fn an_upright_disc_leans_and_turns(a in 0.2..0.6f64, slender in 0.5..1.99f64, r in 0.05..2.0f64, w in 0.1..20.0f64, turn in -3.0..3.0f64) {
        // The two moments across are together no smaller than that along the axis.
        let c = slender * a;
        let mechanism = compile(&disc([a, c], r, w * r, turn));
        let square = (c * (c + 1.0) * w * w - a * GRAVITY / r) / (a * (a + 1.0));
        prop_assume!(square.abs() > 0.5);
        let linear = linear(&mechanism, mechanism.start());
        prop_assert_eq!((linear.a.nrows(), linear.coordinates.len(), linear.rolled.len()), (8, 3, 2));
        let value = Complex::new(square, 0.0).sqrt() * Complex::i();
        has_eigenvalues(&linear, &[value, -value], 1e-6);
    }
}

/// A ball between springs on a slope: it rests where they hold it, and swings with k/(m + J/r^2).
#[test]
fn a_ball_rests_and_swings_between_springs() {
    for (slope, stiffness) in [(0.0_f64, 40.0), (0.2, 90.0), (-0.4, 300.0)] {
        let (m, r, j) = (2.0, 0.1, 0.4 * 2.0 * 0.01);
        let gravity = [GRAVITY * slope.sin(), 0.0, -GRAVITY * slope.cos()];
        let spring = |name: &str, axis: [f64; 3]| {
            json!({"name": name, "type": "force", "i": "ball",
                "value": axis.map(|part| format!("-{stiffness}*{part}*({name}) - 3*{part}*({name}_rate)"))})
        };
        let measure =
            |name: &str, kind: &str, axis: &str| json!({"name": name, "type": kind, "i": "ball", "component": axis});
        let model = json!({
            "gravity": gravity,
            "body": [{"name": "ball", "mass": m, "inertia": [j, j, j], "position": [0.3, -0.2, r]}],
            "rolling": [{"name": "floor", "shape": "sphere", "radius": r, "i": "ball"}],
            "measure": [measure("x", "position", "x"), measure("y", "position", "y"), measure("x_rate", "velocity", "x"), measure("y_rate", "velocity", "y"),
                {"name": "press", "type": "reaction", "joint": "floor", "quantity": "force", "component": "z"}],
            "force": [spring("x", [1.0, 0.0, 0.0]), spring("y", [0.0, 1.0, 0.0])],
        });
        let mechanism = compile(&model);
        let found = rest(&mechanism);
        let (place, turned) = (found.state.poses[0].x, found.state.poses[0].a);
        let expected = m * gravity[0] / stiffness;
        assert!((place - Vector3::new(expected, 0.0, r)).norm() < 1e-9, "{place} is not {expected}");
        // It may spin about the normal, and has rolled there: by the way over the radius about the axis across it.
        assert_eq!(found.stability(), Stability::Neutral);
        let way = Vector3::new(expected - 0.3, 0.2, 0.0);
        let turn = nalgebra::Rotation3::new(Vector3::z().cross(&way) / r);
        assert!((turned - turn.into_inner()).norm() < 2e-2 * way.norm() / r, "{turned} is not {turn}");
        let linear = linear(&mechanism, &found.state);
        let effective = m + j / (r * r);
        let damping = -3.0 / (2.0 * effective);
        let frequency = (stiffness / effective - damping * damping).sqrt();
        let value = Complex::new(damping, frequency);
        has_eigenvalues(&linear, &[value, value.conj(), value, value.conj()], 1e-6);
        // M z'' + C z' + K z of the place where it rolls.
        let stiffnesses = linear.stiffness().complex_eigenvalues();
        assert!(stiffnesses.iter().filter(|value| value.norm() > 1e-6).count() == 2, "{stiffnesses}");
    }
}

/// The bicycle of Meijaard, Papadopoulos, Ruina and Schwab (2007), table 1, with x ahead and z up.
fn bicycle(speed: f64) -> Value {
    let (wheelbase, trail, tilt, rear, front) = (1.02, 0.08, PI / 10.0, 0.3, 0.35);
    // Of the steering axis: up and back.
    let steering = [-tilt.sin(), 0.0, tilt.cos()];
    // A place on it: where it meets the road, the trail ahead of the contact.
    let foot = [wheelbase + trail, 0.0, 0.0];
    let hinge = |body: &str, position: [f64; 3], z: [f64; 3], x: [f64; 3]| json!({"body": body, "frame": "global", "position": position, "orientation": {"z_axis": z, "x_axis": x}});
    let revolute = |name: &str, i: &str, j: &str, position: [f64; 3], z: [f64; 3], x: [f64; 3]| json!({"name": name, "type": "revolute", "i": hinge(i, position, z, x), "j": hinge(j, position, z, x)});
    let (y, x) = ([0.0, 1.0, 0.0], [1.0, 0.0, 0.0]);
    let body = |name: &str, mass: f64, inertia: [f64; 6], position: [f64; 3], spin: f64| json!({"name": name, "mass": mass, "inertia": inertia, "position": position, "velocity": [speed, 0, 0], "angular_velocity": [0, spin, 0]});
    let wheel = |name: &str, body: &str, radius: f64, at: [f64; 3]| json!({"name": name, "shape": "disc", "radius": radius, "i": hinge(body, at, y, x)});
    let (rear_axle, front_axle) = ([0.0, 0.0, rear], [wheelbase, 0.0, front]);
    // z up changes the sign of Ixz.
    json!({
        "gravity": [0, 0, -GRAVITY],
        "body": [
            body("rear_wheel", 2.0, [0.0603, 0.12, 0.0603, 0.0, 0.0, 0.0], rear_axle, speed / rear),
            body("frame", 85.0, [9.2, 11.0, 2.8, 0.0, -2.4, 0.0], [0.3, 0.0, 0.9], 0.0),
            body("fork", 4.0, [0.05892, 0.06, 0.00708, 0.0, 0.00756, 0.0], [0.9, 0.0, 0.7], 0.0),
            body("front_wheel", 3.0, [0.1405, 0.28, 0.1405, 0.0, 0.0, 0.0], front_axle, speed / front),
        ],
        "joint": [
            revolute("rear_hub", "rear_wheel", "frame", rear_axle, y, x),
            revolute("headset", "fork", "frame", foot, steering, y),
            revolute("front_hub", "front_wheel", "fork", front_axle, y, x),
        ],
        "rolling": [wheel("rear", "rear_wheel", rear, rear_axle), wheel("front", "front_wheel", front, front_axle)],
    })
}

/// Eigenvalues of the benchmark's M q'' + v C1 q' + (g K0 + v^2 K2) q = 0 (equations 5.3 and table 2 of the paper).
fn benchmark(v: f64) -> Vec<Complex<f64>> {
    let m = Matrix2::new(80.81722, 2.319_413_322_087_09, 2.319_413_322_087_09, 0.297_841_881_996_86);
    let k0 = Matrix2::new(-80.95, -2.599_516_852_498_72, -2.599_516_852_498_72, -0.803_294_884_586_18);
    let k2 = Matrix2::new(0.0, 76.597_345_895_732_22, 0.0, 2.654_315_237_946_04);
    let c1 = Matrix2::new(0.0, 33.866_413_914_924_94, -0.850_356_414_569_78, 1.685_403_973_975_60);
    let inverse = m.try_inverse().expect("a mass matrix");
    let mut a = Matrix4::zeros();
    a.fixed_view_mut::<2, 2>(0, 2).fill_with_identity();
    a.fixed_view_mut::<2, 2>(2, 0).copy_from(&(-inverse * (k0 * GRAVITY + k2 * v * v)));
    a.fixed_view_mut::<2, 2>(2, 2).copy_from(&(-inverse * c1 * v));
    nalgebra::DMatrix::from_column_slice(4, 4, a.as_slice()).complex_eigenvalues().iter().copied().collect()
}

#[test]
fn the_benchmark_bicycle_has_its_eigenvalues() {
    for speed in [0.0, 2.0, 4.0, 5.0, 8.0] {
        let mechanism = compile(&bicycle(speed));
        assert_eq!((mechanism.degrees_of_freedom(), mechanism.velocity_row_count()), (3, 4));
        let drift =
            mechanism.start().poses.iter().map(|pose| (pose.v - Vector3::x() * speed).norm()).fold(0.0, f64::max);
        assert!(drift < 1e-12 * speed.max(1.0), "{drift}");
        let linear = linear(&mechanism, mechanism.start());
        has_eigenvalues(&linear, &benchmark(speed), 1e-6);
    }
    // Table 2 at 5 m/s: weave, caster, capsize.
    let known = [
        Complex::new(-0.775_341_882_195_85, 4.464_867_713_788_23),
        Complex::new(-14.078_389_692_798_22, 0.0),
        Complex::new(-0.322_866_429_004_09, 0.0),
    ];
    has_eigenvalues(
        &linear(&compile(&bicycle(5.0)), compile(&bicycle(5.0)).start()),
        &[known[0], known[0].conj(), known[1], known[2]],
        1e-6,
    );
}

/// Where motions take rolling elements the way counts: to another time statics does not go with them.
#[test]
fn statics_at_another_time_refuses_motions_with_rolling() {
    let mut model = disc([0.25, 0.5], 0.3, 0.0, 0.0);
    let marker = json!({"body": "ground", "position": [0, 0, 0.3]});
    model["joint"] = json!([{"name": "upright", "type": "parallel_axes", "i": {"body": "disc"}, "j": {"body": "ground", "orientation": {"z_axis": [0, 1, 0], "x_axis": [1, 0, 0]}}}]);
    let free = compile(&model);
    let inputs = Inputs::start(&free);
    assert!(Equilibrium::find_at(&free, free.start(), 2.0, &inputs).is_ok());
    model["motion"] = json!([{"name": "pull", "i": "disc", "j": marker, "direction": "x", "displacement": "0.1*time"}]);
    let driven = compile(&model);
    let inputs = Inputs::start(&driven);
    assert!(Equilibrium::find_at(&driven, driven.start(), 0.0, &inputs).is_ok());
    let error = Equilibrium::find_at(&driven, driven.start(), 2.0, &inputs).expect_err("refused");
    assert!(matches!(&error, Error::Rolling { .. }) && error.to_string().contains("rolling \"road\""), "{error}");
}
