//! Curves that roll on one another event-driven: where one closest point does not say it all.

mod support;

use fourbar_contact::Error;
use fourbar_contact::event::{EventDriven, EventStepper};
use fourbar_contact::model::*;
use fourbar_contact::pair::ContactSet;
use fourbar_multibody::Mechanism;
use fourbar_multibody::model::{Joint, JointKind, Model, vector};
use std::sync::Arc;
use support::body;

/// A disk of 1 kg at (x, y) with a velocity in x, in the plane, on a curve of the ground; to `end` \[s\].
fn disk(
    radius: f64,
    [x, y]: [f64; 2],
    speed: f64,
    curve: serde_json::Value,
    restitution: f64,
    end: f64,
) -> EventStepper<ContactSet> {
    let mut disk = body("disk", 1.0, [0.004; 3], [x, y, 0.0], 0.0);
    disk.velocity = vector([speed, 0.0, 0.0]);
    let plane =
        Joint { name: "plane".into(), kind: JointKind::Planar, i: "disk".into(), j: "ground".into(), length: None };
    let gravity = vector([0.0, -9.81, 0.0]);
    let model = Model { gravity, bodies: vec![disk], joints: vec![plane], ..Model::default() };
    let curve_i = Curve::Circle { radius: radius.into(), hollow: false };
    let curve_j = serde_json::from_value(curve).unwrap();
    let pair = CurveCurve { i: "disk".into(), j: "ground".into(), curve_i, curve_j };
    let touch = Contact::new("track", ContactKind::CurveCurve(pair)).with_restitution(restitution).with_friction(0.2);
    let contacts = ContactModel { contacts: vec![touch], ..ContactModel::default() };
    let mechanism = Arc::new(Mechanism::compile(&model).unwrap());
    let set = ContactSet::compile(&model, &contacts, &mechanism).unwrap();
    EventDriven::default().start(&mechanism, set, mechanism.start(), end).unwrap()
}

#[test]
fn a_disk_that_leaves_its_track_is_named() {
    // It rolls at 1 m/s to the end of the track at x = 1 m, where the closest point ends with it.
    let track = serde_json::json!({ "type": "spline", "points": [[1.0, 0.0], [0.0, 0.0], [-1.0, 0.0]] });
    let error = disk(0.1, [0.5, 0.1], 1.0, track, 0.0, 2.0).run().unwrap_err();
    let Error::Lost { contact, time } = &error else { panic!("{error}") };
    assert!(contact == "track" && *time > 0.5 && *time < 1.0, "{error}");
    assert!(error.to_string().contains("gap_lcp"), "{error}");
}
