//! Redundant constraints leave reactions open: which friction that concerns.

use crate::support::runs::try_compile;
use fourbar_multibody::analysis::Reactions;
use fourbar_multibody::space::Pose;
use serde_json::{Value, json};

/// A planar four-bar of pins, three rows of which are redundant: forces in its plane are unique, those across it are not.
fn four_bar(arms: &Value) -> Value {
    let body =
        |name: &str, at: [f64; 3]| json!({ "name": name, "mass": 1, "inertia": [0.1, 0.1, 0.1], "position": at });
    let pin = |name: &str, i: &str, j: &str, at: [f64; 3]| {
        let marker = |body: &str| json!({ "body": body, "position": at, "frame": "global" });
        json!({ "name": name, "type": "revolute", "i": marker(i), "j": marker(j) })
    };
    let mut rub =
        json!({ "name": "rub", "joint": "b", "mu_dynamic": 0.2, "transition_velocity": 1e-3, "pin_radius": 0.01 });
    arms.as_object().expect("arms").iter().for_each(|(name, value)| rub[name] = value.clone());
    json!({
        "gravity": [0, -9.81, 0],
        "body": [body("crank", [0.0, 0.2, 0.0]), body("coupler", [0.5, 0.5, 0.0]), body("rocker", [1.0, 0.3, 0.0])],
        "joint": [
            pin("a", "crank", "ground", [0.0, 0.0, 0.0]), pin("b", "coupler", "crank", [0.0, 0.4, 0.0]),
            pin("c", "rocker", "coupler", [1.0, 0.6, 0.0]), pin("d", "rocker", "ground", [1.0, 0.0, 0.0]),
        ],
        "friction": [rub],
    })
}

#[test]
fn friction_by_open_reactions_is_named() {
    for (arms, named) in [
        (json!({}), false),
        (json!({ "preload_force": 5 }), false),
        (json!({ "bending_arm": 0.05 }), true),
        (json!({ "friction_arm": 0.01 }), true),
    ] {
        let mechanism = try_compile(&four_bar(&arms)).expect("compiled");
        assert_eq!(mechanism.redundancies().len(), 3);
        let poses: Vec<Pose> = mechanism.start().poses.iter().copied().chain([Pose::ground()]).collect();
        let reactions = Reactions::new(&mechanism, &poses, 0.0).expect("reactions");
        assert_eq!(!reactions.several_frictions().is_empty(), named, "{arms} {:?}", reactions.several_frictions());
    }
}
