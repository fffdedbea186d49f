//! `fourbar check`: what a model contains.

use crate::cli::fourbar;
use crate::cli::run::{ANDREWS, Folder};
use serde_json::{Value, json};
use std::fs;

#[test]
fn check_tells_what_the_model_contains() {
    let (code, stdout, stderr) = fourbar(&["check", ANDREWS, "--json"]);
    assert_eq!(code, 0, "{stderr}");
    let object: Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!(object["bodies"], 7);
    assert_eq!(object["joints"]["revolute"], 10);
    assert_eq!(object["degrees_of_freedom"], 1);
    assert_eq!(object["constraint_rows"], 50);
    let redundant = object["redundant"].as_array().unwrap();
    assert_eq!(redundant.len(), 9);
    assert!(redundant.iter().all(|row| row["joint"].is_string() && !row["because_of"].as_array().unwrap().is_empty()));

    let (code, stdout, _) = fourbar(&["check", "models/four-bar.toml"]);
    assert_eq!(code, 0);
    for part in [
        "4 revolute",
        "degrees of freedom  1",
        "3 redundant constraint rows",
        "joints closed by assembly",
        "body \"rocker\"",
    ] {
        assert!(stdout.contains(part), "{part}: {stdout}");
    }
}

/// A wheel that rolls behind a cart, with a controller, and a rack that turns a pinion.
const CART: &str = r#"
simulation = { end = 0.1 }
body = [
    { name = "cart", mass = 1, inertia = [1, 1, 1], position = [0, 0, 1] },
    { name = "wheel", mass = 1, inertia = [1, 1, 1], position = [0, 0, 0.5] },
    { name = "pinion", mass = 1, inertia = [1, 1, 1], position = [0, 3, 0] },
    { name = "rack", mass = 1, inertia = [1, 1, 1], position = [0, 3, 0] },
]
joint = [
    { name = "guide", type = "inplane", i = "cart", j = { body = "ground", position = [0, 0, 1] } },
    { name = "turn", type = "revolute", i = { body = "pinion" }, j = { body = "ground", position = [0, 3, 0] } },
    { name = "slide", type = "prismatic", i = { body = "rack", orientation = { z_axis = [1, 0, 0], x_axis = [0, 1, 0] } }, j = { body = "ground", position = [0, 3, 0], orientation = { z_axis = [1, 0, 0], x_axis = [0, 1, 0] } } },
]
rack_and_pinion = [{ name = "mesh", pinion = "turn", rack = "slide", pitch_radius = 0.1 }]
rolling = [{ name = "road", shape = "sphere", radius = 0.5, i = "wheel" }]
actuator = [{ name = "motor", i = "cart", j = { body = "ground", position = [5, 0, 1] } }]
state = [{ name = "s", rate = "-s" }]
pid = [{ name = "c", input = "1 - s", kp = 1 }]
force = [
    { name = "a", type = "spring_damper", i = "cart", j = { body = "ground", position = [9, 0, 1] }, stiffness = 1, free_length = 9 },
    { name = "b", type = "spring_damper", i = "cart", j = { body = "ground", position = [0, 9, 1] }, stiffness = 1, free_length = 9 },
    { name = "c", type = "axial_torque", i = "pinion", j = "ground", value = "c" },
]
"#;

#[test]
fn check_counts_the_elements_of_each_kind() {
    let folder = Folder::new("check-kinds");
    let model = folder.file("m.toml");
    fs::write(&model, CART).unwrap();
    let (code, stdout, stderr) = fourbar(&["check", &model, "--json"]);
    assert_eq!(code, 0, "{stderr}");
    let object: Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!(object["rolling"], json!({"sphere": 1}));
    assert_eq!(object["couplers"], json!({"rack_and_pinion": 1}));
    assert_eq!(object["forces"], json!({"spring_damper": 2, "axial_torque": 1}));
    assert_eq!(object["actuators"], json!({"force": 1}));
    assert_eq!(object["states"], json!({"state": 1, "pid": 1}));
    let (_, stdout, _) = fourbar(&["check", &model]);
    let words = stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    for part in [
        "rolling 1 sphere",
        "couplers 1 rack_and_pinion",
        "forces 1 axial_torque, 2 spring_damper, gravity",
        "actuators 1 force",
        "states 1 pid, 1 state",
    ] {
        assert!(words.contains(part), "{part}: {stdout}");
    }
    // What a model has none of is left out.
    let (_, stdout, _) = fourbar(&["check", ANDREWS]);
    assert!(!stdout.contains("couplers") && !stdout.contains("states"), "{stdout}");
}
