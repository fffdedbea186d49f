//! What prescribes is told as what it is: constraints by an expression of the time, curves in planes that meet, names of nodes.

use crate::support::runs::compile;
use fourbar_multibody::integrator::Stop;
use fourbar_multibody::{Dynamics, DynamicsOptions, Mechanism, Model};
use serde_json::{Value, json};

/// Why `model` does not compile.
fn why(model: &Value) -> String {
    let model: Model = serde_json::from_value(model.clone()).expect("a model");
    match Mechanism::compile(&model) {
        Err(error) => error.to_string(),
        Ok(_) => panic!("not refused"),
    }
}

/// A body on a joint of this kind along z, its place p, and constraints.
fn held(kind: &str, constraints: &Value) -> Value {
    json!({
        "body": [{"name": "b", "mass": 2, "inertia": [1, 1, 1]}],
        "joint": [{"name": "j", "type": kind, "i": "b", "j": "ground"}],
        "measure": [{"name": "p", "type": "position", "i": "b"}],
        "constraint": constraints,
    })
}

#[test]
fn an_equation_of_the_time_that_others_contradict_is_refused_by_name() {
    let alone = json!([{"name": "drive", "equation": "p.x - time"}]);
    let text = why(&held("fixed", &alone));
    assert!(text.contains("\"drive\"") && text.contains("\"j\""), "{text}");
    let twice = json!([{"name": "slow", "equation": "p.z - 0.1*time"}, {"name": "fast", "equation": "p.z - 0.2*time"}]);
    let text = why(&held("prismatic", &twice));
    assert!(text.contains("\"slow\"") && text.contains("\"fast\""), "{text}");
    // One that holds what a joint holds already is redundant as joints are.
    let model: Model =
        serde_json::from_value(held("prismatic", &json!([{"name": "same", "equation": "p.x"}]))).unwrap();
    assert_eq!(Mechanism::compile(&model).unwrap().redundancies().len(), 1);
}

/// z = 3 t^2 of 2 kg: 36 J at 1 s, which the equation gives.
#[test]
fn an_equation_of_the_time_does_work() {
    let mechanism = compile(&held("prismatic", &json!([{"name": "drive", "equation": "p.z - 3*time^2"}])));
    let mut dynamics = Dynamics::new(&mechanism, &DynamicsOptions { end: 1.0, ..DynamicsOptions::default() }).unwrap();
    loop {
        let stop = dynamics.step().unwrap();
        dynamics.account_energy().unwrap();
        if stop == Stop::EndTime {
            break;
        }
    }
    let energy = dynamics.energy().unwrap();
    assert!((energy.work - 36.0).abs() < 1e-3 && energy.balance_error.abs() < 1e-3, "{energy:?}");
}

/// A circle on a slider and a line, the plane of one turned.
fn curves(turn: [f64; 3], line: &Value) -> Value {
    let circle: Vec<[f64; 2]> =
        (0..=24).map(|k| (f64::from(k) * std::f64::consts::TAU / 24.0).sin_cos()).map(|(s, c)| [c, s]).collect();
    let slide = json!({"z_axis": [0, 1, 0]});
    json!({
        "body": [{"name": "f", "mass": 1, "inertia": [1, 1, 1], "position": [0, 2, 0]}],
        "marker": [{"name": "m", "body": "f", "orientation": {"z_axis": turn}}],
        "joint": [{"name": "s", "type": "prismatic", "i": {"body": "f", "orientation": slide}, "j": {"body": "ground", "orientation": slide}}],
        "curve": [{"name": "t", "points": line}, {"name": "u", "marker": "m", "closed": true, "points": circle}],
        "curve_on_curve": [{"name": "q", "curves": ["t", "u"]}],
    })
}

#[test]
fn curves_touch_in_planes_that_are_parallel() {
    let line = json!([[-3, 1], [0, 1], [3, 1]]);
    let text = why(&curves([0.0, 0.866, 0.5], &line));
    assert!(text.contains("\"q\"") && text.contains("59.999 degrees"), "{text}");
    let upright: Model = serde_json::from_value(curves([0.0, 0.0, 1.0], &line)).unwrap();
    Mechanism::compile(&upright).expect("parallel planes");
}

#[test]
fn curves_without_a_place_where_they_touch_are_named() {
    let mut model = curves([0.0, 0.0, 1.0], &json!([[-1, 0], [0, 0], [1, 0]]));
    model["curve"][1] = json!({"name": "u", "marker": "m", "points": [[-1, 0.1], [1, 0.1]]});
    assert!(why(&model).contains("\"q\""), "{}", why(&model));
}

#[test]
fn a_length_of_zero_that_an_equation_holds_is_named() {
    let mut model = held("planar", &json!([{"name": "zero", "equation": "d"}]));
    model["measure"][0] = json!({"name": "d", "type": "distance", "i": "b"});
    assert!(why(&model).contains("\"zero\""), "{}", why(&model));
}
