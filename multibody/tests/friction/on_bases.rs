//! Friction in guides on a base that turns: explicit methods find what it does to the reactions as on the ground, in whatever way they solve for them.

use super::gstiff;
use fourbar_multibody::integrator::{Abam, Rkf45, Stop};
use fourbar_multibody::{Dynamics, DynamicsOptions, Formulation, Mechanism, Method, Model};
use serde_json::{Value, json};
use std::sync::Arc;

/// A rod that pulls two fingers together by links, in guides with friction, on a base that begins to turn about an axis off its middle.
fn gripper(axis: [f64; 3]) -> Arc<Mechanism> {
    let height = (0.06_f64.powi(2) - 0.052_f64.powi(2)).sqrt();
    let body = |name: &str, mass: f64, at: [f64; 3]| json!({"name": name, "mass": mass, "inertia": [1e-4, 1e-4, 1e-4], "position": at});
    let at = |body: &str, place: [f64; 3], z: [f64; 3]| json!({"body": body, "position": place, "orientation": {"z_axis": z}, "frame": "global"});
    let joint = |name: &str, kind: &str, pair: [&str; 2], place: [f64; 3], z: [f64; 3]| {
        let [i, j] = pair.map(|body| at(body, place, z));
        json!({"name": name, "type": kind, "i": i, "j": j})
    };
    let guide = |name: &str, x: f64| {
        joint(&format!("{name} guide"), "prismatic", [name, "base"], [x, 0.0, 0.0], [1.0, 0.0, 0.0])
    };
    let link = |name: &str| json!({"name": format!("{name} link"), "type": "distance", "i": name, "j": "rod"});
    let rub = |name: &str| json!({"name": format!("{name} rub"), "joint": format!("{name} guide"), "mu_dynamic": 0.15, "transition_velocity": 1e-3, "bending_arm": 0.02});
    let tip = |name: &str, x: f64| at(name, [x, 0.0, -0.06], [0.0, 0.0, 1.0]);
    let model: Value = json!({
        "body": [
            body("rod", 0.2, [0.0, 0.0, height]), body("left", 0.1, [-0.052, 0.0, 0.0]), body("right", 0.1, [0.052, 0.0, 0.0]),
            body("base", 0.4, [0.0; 3]),
        ],
        "joint": [
            joint("guide of the rod", "prismatic", ["rod", "base"], [0.0; 3], [0.0, 0.0, 1.0]),
            guide("left", -0.052), guide("right", 0.052), link("left"), link("right"),
            joint("pivot", "revolute", ["base", "ground"], [0.02, 0.01, -0.03], axis),
        ],
        "motion": [{"name": "swing", "joint": "pivot", "displacement": "40*time^2"}],
        "friction": [rub("left"), rub("right")],
        "force": [
            {"name": "pull", "type": "force", "i": "rod", "reaction": "base", "frame": "base", "value": [0, 0, "100*step5(time, 0, 0, 0.05, 1)"]},
            {"name": "part", "type": "spring_damper", "i": tip("right", 0.03), "j": tip("left", -0.03), "stiffness": 2e4, "damping": 10, "free_length": 0.06},
        ],
        "measure": [{"name": "gap", "type": "distance", "i": "right", "j": "left"}],
    });
    let model: Model = serde_json::from_value(model).expect("a model");
    Arc::new(Mechanism::compile(&model).expect("a mechanism"))
}

fn gap(mechanism: &Arc<Mechanism>, (method, formulation): (Method, Formulation)) -> f64 {
    let name = method.name();
    let options = DynamicsOptions { formulation, method, end: 0.03, stop_times: vec![] };
    let mut dynamics = Dynamics::new(mechanism, &options).expect("a start");
    while dynamics.step().unwrap_or_else(|error| panic!("{name}: {error}")) != Stop::EndTime {}
    let mut values = [0.0];
    dynamics.measures_at(options.end, &mut values).expect("measures");
    values[0]
}

#[test]
fn a_gripper_on_a_base_that_begins_to_turn_runs_by_explicit_methods() {
    for axis in [[0.0, 1.0, 0.0], [0.3, 0.8, -0.5], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]] {
        let mechanism = gripper(axis);
        let right = gap(&mechanism, gstiff(1e-9, Formulation::Si2));
        for method in [Rkf45::with_tolerance(1e-7).into(), Abam::with_tolerance(1e-7).into()] {
            let name = Method::name(&method);
            let found = gap(&mechanism, (method, Formulation::Si2));
            assert!((found - right).abs() < 1e-7, "{axis:?} {name}: {found} {right}");
        }
    }
}
