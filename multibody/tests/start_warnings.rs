//! What one is told of a start that joints and motions changed.

use fourbar_multibody::{Mechanism, Model};
use nalgebra::Vector3 as V;
use proptest::prelude::*;
use serde_json::{Value, json};

/// A rod of 2 m on a pivot at its end, with a velocity of its centre and an angular velocity.
fn rod(velocity: [f64; 3], angular_velocity: [f64; 3]) -> Value {
    json!({
        "body": [{"name": "rod", "mass": 1, "inertia": [1, 1, 1], "position": [1, 0, 0],
            "velocity": velocity, "angular_velocity": angular_velocity}],
        "joint": [{"name": "pivot", "type": "revolute", "i": {"body": "rod", "position": [-1, 0, 0]}, "j": "ground"}],
    })
}

fn warnings(model: &Value) -> Vec<String> {
    let model: Model = serde_json::from_value(model.clone()).expect("a model");
    Mechanism::compile(&model).unwrap().assembly().warnings()
}

/// Momentum about the pivot: I w = 1 of 1 + 1 kg m^2 turns on.
#[test]
fn a_pivoted_rod_that_states_half_of_its_motion_is_told() {
    let told = warnings(&rod([0.0; 3], [0.0, 0.0, 10.0]));
    let start =
        "assembly changed stated velocities: `angular_velocity` of body \"rod\" from (0, 0, 10) to (0, 0, 5) rad/s; ";
    assert!(told.len() == 1 && told[0].starts_with(start), "{told:?}");
    let told = warnings(&rod([0.0, 10.0, 0.0], [0.0, 0.0, 10.001]));
    assert!(told.is_empty(), "three digits are as stated: {told:?}");
    let mut kept = rod([0.0; 3], [0.0, 0.0, 10.0]);
    kept["body"][0]["exact"] = json!(["angular_velocity"]);
    assert!(warnings(&kept).is_empty());
    assert!(warnings(&rod([0.0; 3], [0.0; 3])).is_empty());
}

/// `cos(pi/2)` is 6e-17: a velocity of that size is none, beside a speed of the mechanism or where gravity would give it one; a hundredth of these is.
#[test]
fn round_off_of_a_stated_velocity_is_not_told() {
    let mut model = rod([0.0, 10.0, 0.0], [0.0, 0.0, 10.0]);
    let held = json!({"name": "held", "mass": 1, "inertia": [1, 1, 1], "velocity": ["cos(pi/2)", 0, 0], "angular_velocity": [0, "sin(pi)", 0]});
    model["body"].as_array_mut().expect("bodies").push(held);
    model["joint"]
        .as_array_mut()
        .expect("joints")
        .push(json!({"name": "weld", "type": "fixed", "i": "held", "j": "ground"}));
    assert!(warnings(&model).is_empty(), "{:?}", warnings(&model));
    model["body"][1]["velocity"][0] = json!(0.1);
    assert!(warnings(&model)[0].contains("`velocity` of body \"held\""), "{:?}", warnings(&model));
    let mut falls = rod([1e-17, 0.0, 0.0], [0.0; 3]);
    falls["gravity"] = json!([0, -9.81, 0]);
    assert!(warnings(&falls).is_empty(), "{:?}", warnings(&falls));
    falls["body"][0]["velocity"][0] = json!(0.03);
    assert_eq!(warnings(&falls).len(), 1);
}

/// An exact value that is not kept is told once.
#[test]
fn an_exact_velocity_is_told_once() {
    let mut model = rod([0.3, 10.0, 0.0], [0.0, 0.0, 10.0]);
    model["body"][0]["exact"] = json!(["vx", "vy", "angular_velocity"]);
    let told = warnings(&model);
    assert!(told.len() == 1 && told[0].contains("exact: `vx` of body \"rod\" by 0.3 m/s"), "{told:?}");
}

#[test]
fn a_motion_that_moves_bodies_at_the_start_is_named() {
    let mut model = rod([0.0; 3], [0.0; 3]);
    model["motion"] = json!([{"name": "drive", "joint": "pivot", "displacement": "pi/6 + time"}]);
    let told = warnings(&model);
    let start = "assembly moved bodies to where motions begin: \"drive\" by 0.524 rad; draw them there";
    assert!(told.len() == 1 && told[0].starts_with(start), "{told:?}");
    model["motion"][0]["displacement"] = json!("sin(time)");
    assert!(warnings(&model).is_empty(), "a motion that sets bodies moving from where they are drawn");
    model["motion"] = json!([]);
    model["joint"][0]["initial"] = json!({"angle": 0.5, "angular_velocity": 2.0});
    assert!(warnings(&model).is_empty(), "what a joint states is meant");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    /// A velocity is told where the start differs from it, and only there.
    #[test]
    fn what_is_told_differs(v in -5.0..5.0f64, w in -5.0..5.0f64, fits: bool) {
        let v = if fits { w } else { v };
        prop_assume!(v.abs() > 0.01 && w.abs() > 0.01 && (fits || (v - w).abs() > 0.1));
        let model = rod([0.0, v, 0.0], [0.0, 0.0, w]);
        let compiled: Model = serde_json::from_value(model.clone()).unwrap();
        let mechanism = Mechanism::compile(&compiled).unwrap();
        let pose = &mechanism.start().poses[0];
        let told = |is_angular: bool| mechanism.assembly().changed.iter().find(|of| of.is_angular == is_angular).map(|of| of.start);
        prop_assert_eq!(told(true), (!fits).then_some(pose.w));
        prop_assert_eq!(told(false), (!fits).then_some(pose.v));
        prop_assert!((pose.v - V::y() * pose.w.z).norm() < 1e-12 * (v.abs() + w.abs()));
    }
}
