//! Curves that roll on one another event-driven: where one closest point does not say it all.

use crate::support;
use fourbar_contact::Error;
use fourbar_contact::event::{EventDriven, EventStepper};
use fourbar_contact::model::*;
use fourbar_contact::pair::ContactSet;
use fourbar_multibody::Mechanism;
use fourbar_multibody::model::{Joint, JointKind, Model, vector};
use std::sync::Arc;
use support::body;

/// A disk of 1 kg at (x, y) with a velocity in x, in the plane, on curves of the ground, a contact each; to `end` \[s\].
fn disk(
    radius: f64,
    [x, y]: [f64; 2],
    speed: f64,
    curves: &[serde_json::Value],
    restitution: f64,
    end: f64,
) -> EventStepper<ContactSet> {
    let mut disk = body("disk", 1.0, [0.004; 3], [x, y, 0.0], 0.0);
    disk.velocity = vector([speed, 0.0, 0.0]);
    let plane = Joint {
        name: "plane".into(),
        kind: JointKind::Planar,
        i: "disk".into(),
        j: "ground".into(),
        length: None,
        pitch: None,
        initial: Default::default(),
    };
    let gravity = vector([0.0, -9.81, 0.0]);
    let model = Model { gravity, bodies: vec![disk], joints: vec![plane], ..Model::default() };
    let touch = |(k, curve): (usize, &serde_json::Value)| {
        let curve_i = Curve::Circle { radius: radius.into(), hollow: false };
        let curve_j = serde_json::from_value(curve.clone()).unwrap();
        let pair = CurveCurve { i: "disk".into(), j: "ground".into(), curve_i, curve_j };
        let contact = Contact::new(&format!("track{k}"), ContactKind::CurveCurve(pair));
        contact.with_restitution(restitution).with_friction(0.2)
    };
    let contacts = ContactModel { contacts: curves.iter().enumerate().map(touch).collect(), ..ContactModel::default() };
    let mechanism = Arc::new(Mechanism::compile(&model).unwrap());
    let set = ContactSet::compile(&model, &contacts, &mechanism).unwrap();
    EventDriven::default().start(&mechanism, set, mechanism.start(), end).unwrap()
}

#[test]
fn a_disk_that_leaves_its_track_is_named() {
    // It rolls at 1 m/s to the end of the track at x = 1 m, where the closest point ends with it.
    let track = serde_json::json!({ "type": "spline", "points": [[1.0, 0.0], [0.0, 0.0], [-1.0, 0.0]] });
    let error = disk(0.1, [0.5, 0.1], 1.0, &[track], 0.0, 2.0).run().unwrap_err();
    let Error::Lost { contact, time, .. } = &error else { panic!("{error}") };
    assert!(contact == "track0" && *time > 0.5 && *time < 1.0, "{error}");
    let text = error.to_string();
    assert!(text.contains("end of a curve; lengthen") && text.contains("gap_lcp"), "{text}");
}

/// y = 5 x^2 above the x axis from `from` to `to`.
fn parabola(from: f64, to: f64) -> serde_json::Value {
    serde_json::json!({ "type": "formula", "x": "-s", "y": "5*s^2", "from": from, "to": to })
}

#[test]
fn a_disk_that_touches_at_two_places_of_one_curve_is_an_error() {
    // The parabola has the radius of curvature 0.1 m at its bottom: a disk of 0.3 m rests on both flanks.
    let mut run = disk(0.3, [0.02, 0.6], 0.0, &[parabola(-1.0, 1.0)], 0.3, 1.0);
    let error = run.run().unwrap_err();
    let Error::Entered { contact, time, depth, allowed } = &error else { panic!("{error}") };
    assert!(contact == "track0" && depth > allowed && *depth < 1e-3, "{error}");
    // It falls on one flank at 0.0917 s and meets the other soon after.
    assert!(*time > 0.09 && *time < 0.2 && run.time() <= *time, "{error}");
    assert!(error.to_string().contains("a pair for each part of the curve"), "{error}");
}

#[test]
fn a_pair_for_each_flank_lets_it_rest_on_both() {
    let flanks = [parabola(-1.0, 0.0), parabola(0.0, 1.0)];
    let mut run = disk(0.3, [0.02, 0.6], 0.0, &flanks, 0.3, 1.0);
    run.run().unwrap();
    assert_eq!(run.closed().len(), 2);
    // The distance of (0, y) from the parabola y = a x^2 is sqrt(y/a - 1/(4 a^2)): 0.3 m at y = 0.5 m.
    let pose = run.state().poses[0];
    assert!(pose.x.x.abs() <= 1e-12 && (pose.x.y - 0.5).abs() <= 1e-12, "{pose:?}");
    assert!(pose.v.norm() <= 1e-12, "{pose:?}");
}
