//! Round shapes, hulls and boxes that come to rest on half spaces and boxes, event-driven.

use fourbar_contact::event::EventDriven;
use fourbar_contact::model::ContactModel;
use fourbar_contact::pair::ContactSet;
use fourbar_multibody::{Mechanism, Model};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::sync::Arc;

/// A shape on the body, and the height of its centre when it lies on its lowest points.
fn shape(kind: usize, size: f64) -> (Value, f64) {
    let (mut shape, height) = match kind {
        0 => (json!({"type": "sphere", "radius": size}), size),
        1 => (json!({"type": "capsule", "radius": size, "length": 3.0 * size}), size),
        2 => (json!({"type": "cylinder", "radius": size, "length": 3.0 * size}), size),
        _ => (json!({"type": "box", "size": [2.0 * size, 2.0 * size, 2.0 * size]}), size),
    };
    shape["name"] = json!("top");
    shape["on"] = json!("body");
    (shape, height)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    /// Dropped or laid down, each rests where its lowest points touch, on a half space and on a large box, in any unit.
    #[test]
    fn what_is_dropped_rests(kind in 0..4_usize, on_box in any::<bool>(), power in -3.0..2.0f64, above in 0.0..3.0f64, e in 0.0..0.6f64) {
        let size = 10_f64.powf(power);
        let (top, height) = shape(kind, size);
        let ground = match on_box {
            true => json!({"name": "ground", "on": {"body": "ground", "position": [0, 0, -0.5 * size]}, "type": "box",
                "size": [40.0 * size, 40.0 * size, size]}),
            false => json!({"name": "ground", "on": "ground", "type": "half_space"}),
        };
        let start = height + if above < 1.0 { 0.0 } else { above * size };
        // Capsules and cylinders stand along z: laid down.
        let lying = if kind == 1 || kind == 2 { json!({"axis": [1, 0, 0], "angle": std::f64::consts::FRAC_PI_2}) } else { json!({}) };
        let model = json!({"gravity": [0, 0, -10], "body": [{"name": "body", "mass": 1, "orientation": lying,
            "inertia": [size * size, size * size, size * size], "position": [0, 0, start]}]});
        let contacts = json!({"shape": [top, ground],
            "contact": [{"name": "rest", "type": "shapes", "i": "top", "j": "ground", "friction": 0.3, "restitution": e}]});
        let fail = |text: String| TestCaseError::fail(text);
        let model: Model = serde_json::from_value(model).map_err(|e| fail(e.to_string()))?;
        let contacts: ContactModel = serde_json::from_value(contacts).map_err(|e| fail(e.to_string()))?;
        let mechanism = Arc::new(Mechanism::compile(&model).map_err(|e| fail(e.to_string()))?);
        let set = ContactSet::compile(&model, &contacts, &mechanism).map_err(|e| fail(e.to_string()))?;
        // The last rebound of a series with the ratio e is over after the fall times (1 + e)/(1 - e).
        let end = 6.0 * (2.0 * above.max(1.0) * size / 10.0).sqrt() * (1.0 + e) / (1.0 - e);
        let mut run = EventDriven::default().start(&mechanism, set, mechanism.start(), end).map_err(|e| fail(e.to_string()))?;
        run.run().map_err(|e| fail(e.to_string()))?;
        let pose = &run.state().poses[0];
        prop_assert!((pose.x.z - height).abs() < 1e-8 * size, "{} for {height}", pose.x.z);
        prop_assert!(pose.v.norm() < 1e-8 * (10.0 * size).sqrt(), "{}", pose.v.norm());
    }
}
