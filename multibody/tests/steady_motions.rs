//! Linear systems of mechanisms in steady motion: closed forms of relative motion, whichever way the machine has turned.

use fourbar_multibody::analysis::{Equilibrium, Linearization, Stability};
use fourbar_multibody::{Inputs, Mechanism, Model};
use nalgebra::{Rotation3, Unit, Vector3};
use serde_json::{Value, json};
use std::f64::consts::{FRAC_PI_2, PI};

const GRAVITY: f64 = 9.81;

fn compile(model: &Value) -> Mechanism {
    let model: Model = serde_json::from_value(model.clone()).expect("a model");
    Mechanism::compile(&model).unwrap_or_else(|e| panic!("{e}"))
}

fn linear(model: &Value) -> Linearization {
    let mechanism = compile(model);
    Linearization::new(&mechanism, mechanism.start(), &Inputs::start(&mechanism)).unwrap_or_else(|e| panic!("{e}"))
}

fn list(v: Vector3<f64>) -> Value {
    json!([v.x, v.y, v.z])
}

/// The poles are `expected`, as imaginary parts of pairs without damping; all others are zero.
fn oscillates(model: &Value, expected: &[f64], case: &str) {
    let linear = linear(model);
    assert!(linear.steady, "{case}: drift {}", linear.drift);
    let mut found: Vec<_> = linear.a.complex_eigenvalues().iter().copied().collect();
    for wanted in expected.iter().flat_map(|value| [*value, -value]).map(|im| nalgebra::Complex::new(0.0, im)) {
        let near = (0..found.len()).min_by(|&a, &b| (found[a] - wanted).norm().total_cmp(&(found[b] - wanted).norm()));
        let value = found.swap_remove(near.expect("an eigenvalue"));
        assert!((value - wanted).norm() < 1e-6 * wanted.norm(), "{case}: {value} is not {wanted}");
    }
    let largest = expected.iter().fold(1.0_f64, |a, b| a.max(*b));
    // Defective zeros keep the square root of what differences leave.
    assert!(found.iter().all(|value| value.norm() < 1e-3 * largest), "{case}: {found:?} beside {expected:?}");
}

fn turns() -> [f64; 6] {
    [0.0, 0.6, 1.2, FRAC_PI_2, PI, -2.5]
}

/// A pendulum hinged across the axis of a table that turns with w: sqrt(g/l - w^2).
fn turning_pendulum(turn: f64, w: f64) -> Value {
    let hinge = |body: &str| json!({"body": body, "orientation": {"z_axis": [0, 1, 0], "x_axis": [1, 0, 0]}});
    let orientation = json!({"axis": [0, 0, 1], "angle": turn});
    json!({
        "gravity": [0, 0, -GRAVITY],
        "body": [{"name": "base", "mass": 1, "inertia": [0.1, 0.1, 0.1], "orientation": orientation},
            {"name": "bob", "mass": 1, "inertia": [1e-9, 1e-9, 1e-9], "orientation": orientation, "center_of_mass": [0, 0, -0.5]}],
        "joint": [{"name": "spin", "type": "revolute", "i": "base", "j": "ground"}, {"name": "hinge", "type": "revolute", "i": hinge("bob"), "j": hinge("base")}],
        "motion": [{"name": "drive", "joint": "spin", "displacement": format!("{turn} + {w}*time")}],
    })
}

#[test]
fn a_pendulum_on_a_turntable_has_one_frequency() {
    for turn in turns() {
        let expected = (GRAVITY / 0.5 - 9.0_f64).sqrt();
        oscillates(&turning_pendulum(turn, 3.0), &[expected], &format!("turned by {turn}"));
    }
}

/// A mass on a spring in a slot of a disc that turns with w: sqrt(k/m - w^2) about the length where they balance.
#[test]
fn a_mass_in_a_slot_that_turns_has_one_frequency_and_stiffness() {
    let (stiffness, free, w) = (100.0, 0.3, 8.0_f64);
    let r = stiffness * free / (stiffness - w * w);
    for turn in turns() {
        let orientation = json!({"axis": [0, 0, 1], "angle": turn});
        let slot = |body: &str| json!({"body": body, "orientation": {"z_axis": [1, 0, 0]}});
        let model = json!({
            "body": [{"name": "disc", "mass": 1, "inertia": [1, 1, 1], "orientation": orientation},
                {"name": "mass", "mass": 1, "inertia": [1e-6, 1e-6, 1e-6], "orientation": orientation, "position": [r * turn.cos(), r * turn.sin(), 0]}],
            "joint": [{"name": "spin", "type": "revolute", "i": "disc", "j": "ground"}, {"name": "slot", "type": "prismatic", "i": slot("mass"), "j": slot("disc")}],
            "motion": [{"name": "drive", "joint": "spin", "velocity": w}],
            "force": [{"name": "spring", "type": "spring_damper", "i": "mass", "j": "disc", "stiffness": stiffness, "free_length": free}],
        });
        oscillates(&model, &[6.0], &format!("turned by {turn}"));
        let linear = linear(&model);
        assert!(linear.damping().amax() < 1e-7, "{}", linear.damping());
        assert!((linear.stiffness()[(0, 0)] / linear.mass[(0, 0)] - 36.0).abs() < 1e-6);
    }
}

/// A top on a pivot that precesses with `rate` at the angle `lean`: its moment across at the pivot, along its axis, mass and length.
fn top(lean: f64, heading: f64, rate: f64, [across, along, m, l]: [f64; 4]) -> Value {
    let axis = Vector3::new(lean.sin() * heading.cos(), lean.sin() * heading.sin(), lean.cos());
    let spin = (m * GRAVITY * l + across * rate * rate * lean.cos()) / (along * rate);
    let w = axis * (spin - rate * lean.cos()) + Vector3::z() * rate;
    let side = Vector3::new(lean.cos() * heading.cos(), lean.cos() * heading.sin(), -lean.sin());
    let center = across - m * l * l;
    json!({
        "gravity": [0, 0, -GRAVITY],
        "body": [{"name": "top", "mass": m, "inertia": [center, center, along], "position": list(axis * l), "orientation": {"z_axis": list(axis), "x_axis": list(side)},
            "velocity": list(w.cross(&(axis * l))), "angular_velocity": list(w)}],
        "joint": [{"name": "pivot", "type": "spherical", "i": {"body": "top", "position": [0, 0, -l]}, "j": "ground"}],
    })
}

/// Nutation about steady precession: the second derivative of the effective potential at constant momenta, over the moment across.
#[test]
fn a_top_in_steady_precession_nutates_without_damping() {
    let of @ [across, along, m, l] = [0.08, 0.01, 1.3, 0.2];
    for (lean, rate) in [(0.3_f64, 2.0), (1.0, 2.0), (FRAC_PI_2, 1.5), (2.0, 3.0)] {
        for heading in turns() {
            let spin = (m * GRAVITY * l + across * rate * rate * lean.cos()) / (along * rate);
            let (s, c) = lean.sin_cos();
            // With p = I w s^2 + I3 n c constant: w' = (I3 n s - 2 I w s c)/(I s^2) per turn of lean.
            let slope = (along * spin - 2.0 * across * rate * c) / (across * s);
            let square = slope * (along * spin * s - 2.0 * across * rate * s * c) / across
                + (along * spin * rate * c - across * rate * rate * (c * c - s * s) - m * GRAVITY * l * c) / across;
            oscillates(&top(lean, heading, rate, of), &[square.sqrt()], &format!("lean {lean}, heading {heading}"));
        }
    }
}

/// A free body of two equal moments precesses about its momentum H with H/I; so does a deviation. Its place is free.
#[test]
fn a_free_body_precesses_with_its_momentum() {
    let (inertia, w) = (Vector3::new(0.3, 0.3, 0.5), Vector3::new(2.0, 0.0, 5.0));
    let rate = inertia.component_mul(&w).norm() / 0.3;
    for angle in turns() {
        let turn = Rotation3::from_axis_angle(&Unit::new_normalize(Vector3::new(1.0, 2.0, 3.0)), angle);
        let model = json!({"body": [{"name": "body", "mass": 1, "inertia": list(inertia), "orientation": {"axis": [1, 2, 3], "angle": angle},
            "angular_velocity": list(turn * w), "velocity": [1, 2, 3]}]});
        oscillates(&model, &[rate], &format!("turned by {angle}"));
    }
}

/// A pendulum that swings is steady in no axes; one that swings little is, but for a part of its square.
#[test]
fn a_motion_that_is_not_steady_is_named() {
    let pendulum = |angle: f64, rate: f64| {
        let hinge = json!({"z_axis": [0, 1, 0], "x_axis": [1, 0, 0]});
        let (s, c) = angle.sin_cos();
        json!({"gravity": [0, 0, -GRAVITY], "body": [{"name": "bob", "mass": 1, "inertia": [1e-3, 1e-3, 1e-3], "position": [0.5 * s, 0, -0.5 * c],
            "velocity": [-0.5 * rate * c, 0, -0.5 * rate * s], "angular_velocity": [0, rate, 0]}],
            "joint": [{"name": "hinge", "type": "revolute", "i": {"body": "bob", "position": [-0.5 * s, 0, 0.5 * c], "orientation": hinge}, "j": {"body": "ground", "orientation": hinge}}]})
    };
    for (angle, rate) in [(0.7, 1.5), (0.7, 0.0), (1.2, -4.0)] {
        let linear = linear(&pendulum(angle, rate));
        assert!(!linear.steady && linear.drift > 1e-2, "{}", linear.drift);
        // Frozen, it is that of the angle.
        let square = 0.5 * GRAVITY * angle.cos() / (0.25 + 1e-3);
        let found = linear.a.complex_eigenvalues()[0];
        assert!(
            (found.norm() - square.sqrt()).abs() < 1e-6 && found.re.abs() < 1e-6,
            "{found} is not {}",
            square.sqrt()
        );
    }
    assert!(linear(&pendulum(1e-3, 1e-3)).steady);
}

/// A beam whose centre of mass is its pivot, and an arm whose spring from above the pivot carries it in each position: k h l = m g a.
#[test]
fn loads_that_balance_in_all_positions_leave_a_neutral_equilibrium() {
    let hinge = |x: f64| json!({"position": [x, 0, 0], "orientation": {"z_axis": [0, 1, 0], "x_axis": [1, 0, 0]}});
    let at = |mut hinge: Value, body: &str| {
        hinge["body"] = json!(body);
        hinge
    };
    for angle in [0.0, 0.3, 0.7, FRAC_PI_2, 2.0] {
        let orientation = json!({"axis": [0, 1, 0], "angle": angle});
        let (s, c) = f64::sin_cos(angle);
        let place = |x: f64| json!([x * c, 0, -x * s]);
        let joint = |x: f64| json!([{"name": "pin", "type": "revolute", "i": at(hinge(x), "beam"), "j": at(hinge(0.0), "ground")}]);
        let body = |name: &str, x: f64| json!({"name": name, "mass": 2.3, "inertia": [0.01, 0.07, 0.07], "orientation": orientation, "position": place(x)});
        let weight = |name: &str, x: f64, mass: f64| json!({"name": name, "mass": mass, "inertia": [0.01, 0.07, 0.07], "orientation": orientation, "position": place(x)});
        let fixed = |name: &str, x: f64| json!({"name": format!("{name} weld"), "type": "fixed", "i": name, "j": {"body": "beam", "position": [x, 0, 0]}});
        let mut joints = joint(0.0);
        joints.as_array_mut().expect("a list").extend([fixed("left", -0.7), fixed("right", 0.35)]);
        let balance = json!({"gravity": [0, 0, -GRAVITY], "body": [body("beam", 0.0), weight("left", -0.7, 1.1), weight("right", 0.35, 2.2)], "joint": joints});
        let (a, l, h) = (0.4, 0.6, 0.25);
        let arm = json!({"gravity": [0, 0, -GRAVITY], "body": [body("beam", a)], "joint": joint(-a),
            "force": [{"name": "spring", "type": "spring_damper", "i": {"body": "beam", "position": [l - a, 0, 0]}, "j": {"body": "ground", "position": [0, 0, h]},
                "stiffness": 2.3 * GRAVITY * a / (h * l), "free_length": 0}]});
        for (name, model) in [("balance", balance), ("arm", arm)] {
            let mechanism = compile(&model);
            let found = Equilibrium::find(&mechanism, mechanism.start(), &Inputs::start(&mechanism))
                .unwrap_or_else(|e| panic!("{name}: {e}"));
            assert_eq!(found.stability(), Stability::Neutral, "{name} at {angle}");
        }
    }
}
