//! Planetary gears with places as people write them: rounded ones lock, and are named.

use crate::support::runs::compile;
use serde_json::{Value, json};
use std::f64::consts::TAU;

/// A sun, a carrier and `count` planets between the sun and a ring on the ground, places rounded to `digits` behind the point.
fn planetary(count: usize, digits: Option<i32>) -> Value {
    let rounded = |x: f64| digits.map_or(x, |digits| (x * 10f64.powi(digits)).round() / 10f64.powi(digits));
    let mut bodies = vec![body("C", [0.0; 3]), body("S", [0.0; 3])];
    let mut joints = vec![
        json!({ "name": "jC", "type": "revolute", "i": "C", "j": "ground" }),
        json!({ "name": "jS", "type": "revolute", "i": "S", "j": "C" }),
    ];
    let mut gears = vec![];
    for k in 0..count {
        let (sin, cos) = (TAU * k as f64 / count as f64).sin_cos();
        let at = |radius: f64| [rounded(radius * cos), rounded(radius * sin), 0.0];
        let (planet, joint) = (format!("P{k}"), format!("jP{k}"));
        bodies.push(body(&planet, at(0.06)));
        joints.push(
            json!({ "name": joint, "type": "revolute", "i": planet, "j": { "body": "C", "position": at(0.06) } }),
        );
        let along = json!({ "z_axis": [-rounded(sin), rounded(cos), 0] });
        for (name, joints, radius) in [("in", ["jS", &joint], 0.03), ("out", [&joint, "jC"], 0.09)] {
            gears.push(json!({ "name": format!("{name}{k}"), "joints": joints,
                "common_velocity": { "body": "C", "position": at(radius), "orientation": along } }));
        }
    }
    json!({ "body": bodies, "joint": joints, "gear": gears })
}

fn body(name: &str, position: [f64; 3]) -> Value {
    json!({ "name": name, "mass": 0.4, "inertia": [1e-4, 1e-4, 2e-4], "position": position })
}

#[test]
fn planets_at_rounded_places_lock_and_are_named() {
    for count in 2..=6 {
        let right = compile(&planetary(count, None));
        assert_eq!((right.degrees_of_freedom(), &right.assembly().nearly_dependent), (1, &None), "{count}");
        for digits in [6, 7] {
            let rounded = compile(&planetary(count, Some(digits)));
            // Places that are right in so few digits are right.
            let agrees = rounded.degrees_of_freedom() == 1;
            let named = rounded.assembly().nearly_dependent.as_ref();
            assert_eq!(agrees, named.is_none(), "{count} {digits}: {named:?}");
            if let Some(named) = named {
                assert!(named.relations.iter().any(|name| name.starts_with("out")), "{named:?}");
                let text = rounded.assembly().warnings().join("");
                assert!(text.contains("no freedom is left") && text.contains("all digits"), "{text}");
            }
        }
    }
    assert!(compile(&planetary(3, Some(6))).assembly().nearly_dependent.is_some());
}
