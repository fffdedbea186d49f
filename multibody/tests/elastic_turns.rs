//! Bushings, beams and fields turned by any angle: closed forms, what they store, exchanged markers.

use crate::support::runs::{named_measures, tight_methods, try_compile};
use fourbar_multibody::Inputs;
use fourbar_multibody::analysis::Linearization;
use fourbar_multibody::space::{V3, rotation};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};
use std::f64::consts::PI;

fn oriented(turn: V3) -> Value {
    json!({ "axis": <[f64; 3]>::from(turn.normalize()), "angle": turn.norm() })
}

/// A body on a pin along `axis`, driven by an angle, in a bushing of marker J turned by `tilt`.
fn on_pin(axis: V3, tilt: V3, stiffness: [f64; 3], angle: &str) -> Value {
    let z = json!({ "z_axis": <[f64; 3]>::from(axis) });
    json!({
        "body": [{ "name": "b", "mass": 1, "inertia": [0.1, 0.12, 0.15] }],
        "joint": [{ "name": "pin", "type": "revolute", "i": { "body": "b", "orientation": z }, "j": { "body": "ground", "orientation": z } }],
        "motion": [{ "name": "turn", "joint": "pin", "displacement": angle }],
        "marker": [{ "name": "i", "body": "b", "orientation": oriented(tilt) }, { "name": "j", "body": "ground", "orientation": oriented(tilt) }],
        "force": [{ "name": "bush", "type": "bushing", "i": "i", "j": "j",
            "stiffness": [1e3, 1e3, 1e3, stiffness[0], stiffness[1], stiffness[2]] }],
        "measure": [
            { "name": "m", "type": "reaction", "force": "bush", "quantity": "torque" },
            { "name": "v", "type": "potential_energy" },
        ],
    })
}

/// About any axis of an even stiffness, and about each axis of J of any, the torque is - k angle to half a turn, and whole turns count about
/// axes of J.
#[test]
fn a_turn_about_one_axis_is_measured_exactly() {
    let tilt = V3::new(0.4, -0.7, 1.1);
    let axes = rotation(&tilt);
    let k = [20.0, 25.0, 30.0];
    let mut cases = vec![];
    for (n, &stiffness) in k.iter().enumerate() {
        cases.push((axes.column(n).into_owned(), k, stiffness, 20.0));
        cases.push((-axes.column(n).into_owned(), k, stiffness, 20.0));
    }
    for axis in [V3::new(1.0, 1.0, 1.0), V3::new(-0.3, 0.9, 0.1), V3::new(0.1, 0.0, -1.0)] {
        cases.push((axis.normalize(), [25.0; 3], 25.0, 3.13));
    }
    for (axis, k, stiffness, end) in cases {
        let mechanism = try_compile(&on_pin(axis, tilt, k, "time")).expect("compiled");
        let mut times = vec![0.3 * end, 0.9 * end, PI, end];
        times.sort_by(f64::total_cmp);
        for (found, t) in named_measures(&mechanism, tight_methods()[0].clone(), &times).iter().zip(&times) {
            let torque = V3::new(found["m.x"], found["m.y"], found["m.z"]);
            assert!((torque + axis * (stiffness * t)).norm() < 1e-9 * stiffness * end, "{axis:?} at {t}: {torque:?}");
            assert!((found["v"] - 0.5 * stiffness * t * t).abs() < 1e-9 * stiffness * end * end, "{axis:?} at {t}");
        }
    }
}

/// Where projected angles jump: a quarter and half a turn exactly, at rest.
#[test]
fn a_quarter_and_half_a_turn_are_no_special_places() {
    for (n, axis) in [V3::x(), V3::y(), V3::z()].into_iter().enumerate() {
        for angle in [0.5 * PI, -0.5 * PI, PI, -PI] {
            let mechanism = try_compile(&on_pin(
                axis,
                V3::z() * 1e-12,
                [20.0, 25.0, 30.0],
                &format!("{angle:?}*step5(time, 0, 0, 1, 1)"),
            ))
            .expect("compiled");
            let found = &named_measures(&mechanism, tight_methods()[0].clone(), &[2.0])[0];
            let torque = V3::new(found["m.x"], found["m.y"], found["m.z"]);
            let expected = -axis * ([20.0, 25.0, 30.0][n] * angle);
            assert!((torque - expected).norm() < 1e-9 * expected.norm(), "{axis:?} {angle}: {torque:?}");
        }
    }
}

/// Two bodies that tumble, held together by one element.
fn tumbling(force: &Value, values: &[f64], exchanged: bool) -> Value {
    let body = |name: &str, at: usize| {
        json!({ "name": name, "mass": 1.0 + values[at].abs(), "inertia": [0.3, 0.4, 0.5],
            "position": [values[at + 1], values[at + 2], values[at + 3]], "velocity": [values[at + 4], 0, values[at + 5]],
            "angular_velocity": [2.0 * values[at + 6], 2.0 * values[at + 7], 2.0 * values[at + 8]] })
    };
    let marker = |name: &str, body: &str, at: usize| {
        let turn = V3::new(1.0, values[at], values[at + 1]) * 0.5;
        json!({ "name": name, "body": body, "position": [0.2 * values[at + 2], 0.1, 0.0], "orientation": oriented(turn) })
    };
    let mut force = force.clone();
    let (i, j) = if exchanged { ("q", "p") } else { ("p", "q") };
    force["name"] = json!("f");
    force["i"] = json!(i);
    force["j"] = json!(j);
    json!({
        "body": [body("a", 0), body("b", 9)],
        "marker": [marker("p", "a", 18), marker("q", "b", 21)],
        "force": [force],
        "measure": [
            { "name": "e", "type": "total_energy" }, { "name": "turn", "type": "quaternion", "i": "p", "j": "q" },
            { "name": "xa", "type": "position", "i": "p" }, { "name": "xb", "type": "position", "i": "q" },
            { "name": "wa", "type": "angular_velocity", "i": "p" },
        ],
    })
}

fn bushing(values: &[f64]) -> Value {
    let k: Vec<f64> = (0..6).map(|n| if n < 3 { 30.0 + 20.0 * values[n] } else { 4.0 + 3.0 * values[n] }).collect();
    json!({ "type": "bushing", "stiffness": k })
}

fn field(values: &[f64]) -> Value {
    // Positive definite: a Gram matrix and a diagonal.
    let entry = |r: usize, c: usize| {
        let sum: f64 = (0..6).map(|n| values[(6 * r + n) % 24] * values[(6 * c + n) % 24]).sum();
        sum + if r == c { 5.0 } else { 0.0 }
    };
    let rows: Vec<Vec<f64>> = (0..6).map(|r| (0..6).map(|c| entry(r.min(c), r.max(c))).collect()).collect();
    json!({ "type": "field", "stiffness_matrix": rows, "free": [0.1 * values[0], 0.2, 0.1, 0, 0, 0] })
}

fn beam(values: &[f64]) -> Value {
    json!({ "type": "beam", "length": 0.5 + 0.2 * values[0], "area": 1e-3, "iyy": 2e-4, "izz": 3e-4, "ixx": 2e-4, "asy": 1.2, "asz": 1.1,
        "youngs_modulus": 2e4, "shear_modulus": 1e4 })
}

/// Energy over time of undamped elements, by 240 random tumbling pairs; those that turn further than half a turn, at which the shorter way round
/// becomes the other one, are left out there.
#[test]
fn what_an_undamped_element_stores_is_given_back() {
    let mut runner = TestRunner::deterministic();
    let times: Vec<f64> = (0..=40).map(|k| 1e-9 + 0.05 * f64::from(k)).collect();
    for (kind, element) in [("bushing", bushing as fn(&[f64]) -> Value), ("field", field), ("beam", beam)] {
        let (mut worst, mut whole, mut widest) = (0.0_f64, 0, 1.0_f64);
        for _ in 0..80 {
            let values = prop::collection::vec(-1.0..1.0_f64, 24).new_tree(&mut runner).expect("values").current();
            let mechanism = try_compile(&tumbling(&element(&values), &values, false)).expect("compiled");
            let found = named_measures(&mechanism, tight_methods()[2].clone(), &times);
            let start = found[0]["e"];
            let within = found.iter().take_while(|at| at["turn.e0"] > 0.1);
            let (count, off) = within.fold((0, 0.0_f64), |(count, off), at| {
                widest = widest.min(at["turn.e0"]);
                (count + 1, off.max((at["e"] - start).abs() / start.abs().max(1.0)))
            });
            whole += usize::from(count == times.len());
            worst = worst.max(off);
            assert!(off < 1e-7, "{kind} {values:?}: {off:e}");
        }
        println!(
            "{kind}: {whole} of 80 within half a turn for 2 s, worst change of energy {worst:.1e}, widest turn {:.2} rad",
            2.0 * widest.acos()
        );
        assert!(whole > 40, "{kind}: {whole}");
    }
}

/// Exchanged markers I and J move as before: of beams, whose axis is that of J, where it is turned round.
#[test]
fn exchanged_markers_move_alike() {
    let mut runner = TestRunner::deterministic();
    for _ in 0..60 {
        let values = prop::collection::vec(-1.0..1.0_f64, 24).new_tree(&mut runner).expect("values").current();
        let mut force = bushing(&values);
        force["damping"] = json!([0.5, 0.2, 0.3, 0.05, 0.02, 0.04]);
        let [one, other] = [false, true].map(|exchanged| {
            let mechanism = try_compile(&tumbling(&force, &values, exchanged)).expect("compiled");
            named_measures(&mechanism, tight_methods()[2].clone(), &[1.0]).remove(0)
        });
        for (name, value) in &one {
            assert!((value - other[name]).abs() < 1e-7, "{values:?} {name}: {value} {}", other[name]);
        }
    }
}

/// At small angles the law is that of projected angles, whatever the matrices and the free length.
#[test]
fn small_displacements_have_the_law_of_projected_angles() {
    let mut runner = TestRunner::deterministic();
    for _ in 0..60 {
        let values = prop::collection::vec(-1.0..1.0_f64, 24).new_tree(&mut runner).expect("values").current();
        let free = [0.3 * values[3], 0.4, 0.2 * values[4]];
        let matrix = |size: f64, shift: usize| -> Vec<Vec<f64>> {
            (0..6).map(|r| (0..6).map(|c| size * values[(5 * r + 7 * c + shift) % 24]).collect()).collect()
        };
        let with = |angles: &str| {
            let model = json!({
                "body": [{ "name": "a", "mass": 2, "inertia": [0.3, 0.5, 0.4], "position": free }],
                "force": [{ "name": "f", "type": "field", "i": "a", "j": "ground", "stiffness_matrix": matrix(10.0, 0), "damping_matrix": matrix(1.0, 5),
                    "free": [free[0], free[1], free[2], 0, 0, 0], "angles": angles }],
            });
            let mechanism = try_compile(&model).expect("compiled");
            Linearization::new(&mechanism, mechanism.start(), &Inputs::start(&mechanism)).expect("linear").a
        };
        let (one, other) = (with("rotation_vector"), with("projected"));
        assert!((&one - &other).amax() < 1e-9 * other.amax(), "{values:?}: {one} {other}");
    }
}
