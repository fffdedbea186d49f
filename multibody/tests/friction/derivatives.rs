//! The matrix against differences, for every kind of joint and form of the equations.

use crate::support::matrix::derivative;
use crate::support::runs::try_compile;
use fourbar_multibody::Formulation;
use serde_json::{Value, json};

pub(super) const KINDS: [&str; 6] = ["revolute", "prismatic", "cylindrical", "spherical", "universal", "hooke"];

/// Two bodies in a chain from the ground by joints of one kind that rub by all that they may, along axes without a pattern.
pub(super) fn chain(kind: &str, ground_is_i: bool, reversed: bool) -> Value {
    let frame = |body: &str, at: [f64; 3], second: bool| {
        // Universal joints want their pins across each other.
        let crossed = kind == "universal" && second;
        let orientation = if crossed {
            json!({ "z_axis": [0.3, -1.0, 0.2], "x_axis": [1.0, 0.0, 0.4] })
        } else {
            json!({ "z_axis": [0.4, 0.32, 1.0], "x_axis": [1.0, 0.0, 0.4] })
        };
        json!({ "body": body, "position": at, "orientation": orientation, "frame": "global" })
    };
    let named = |name: &str, mut marker: Value| {
        marker["name"] = json!(name);
        marker
    };
    let body =
        |name: &str, at: [f64; 3]| json!({ "name": name, "mass": 2, "inertia": [0.3, 0.4, 0.5], "position": at });
    let (ends, links) = (["i1", "j1"], ["i2", "j2"]);
    let [first, second] =
        [(ground_is_i, ends), (reversed, links)].map(|(swap, [i, j])| if swap { [j, i] } else { [i, j] });
    let friction = |joint: &str| {
        let mut friction = json!({ "name": format!("rub {joint}"), "joint": joint, "mu_dynamic": 0.2, "mu_static": 0.35,
            "transition_velocity": 0.8, "viscous": 0.3, "preload_force": 1.5 });
        if kind != "prismatic" {
            friction["pin_radius"] = json!(0.4);
            friction["preload_torque"] = json!(0.2);
        }
        if kind != "spherical" {
            friction["bending_arm"] = json!(0.6);
        }
        match kind {
            "revolute" | "universal" | "hooke" => friction["friction_arm"] = json!(0.15),
            "prismatic" => friction["torsion_arm"] = json!(0.25),
            _ => {}
        }
        friction
    };
    json!({
        "gravity": [0.5, -9.81, 1.0],
        "body": [body("a", [0.3, 0.1, -0.2]), body("b", [0.9, 0.4, 0.1])],
        "marker": [
            named("i1", frame("a", [0.0, 0.1, 0.0], true)), named("j1", frame("ground", [0.0, 0.1, 0.0], false)),
            named("i2", frame("b", [0.7, 0.2, -0.1], true)), named("j2", frame("a", [0.7, 0.2, -0.1], false)),
        ],
        "joint": [
            { "name": "one", "type": kind, "i": first[0], "j": first[1] },
            { "name": "two", "type": kind, "i": second[0], "j": second[1] },
        ],
        "friction": [friction("one"), friction("two")],
    })
}

#[test]
fn the_matrix_is_the_derivative_of_the_equations() {
    for kind in KINDS {
        for (ground_is_i, reversed) in [(false, false), (true, false), (false, true)] {
            let mechanism = try_compile(&chain(kind, ground_is_i, reversed)).unwrap_or_else(|e| panic!("{kind}: {e}"));
            for formulation in [Formulation::Si2, Formulation::I3, Formulation::Si1] {
                derivative(&mechanism, formulation);
            }
        }
    }
}
