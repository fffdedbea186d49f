//! Event-driven motion with contacts compiled from models, against closed forms.

use crate::support;
use approx::assert_abs_diff_eq;
use fourbar_contact::event::{EventDriven, EventKind, EventStepper};
use fourbar_contact::law::{ImpactLaw, Sequence};
use fourbar_contact::model::*;
use fourbar_contact::pair::ContactSet;
use fourbar_multibody::Mechanism;
use fourbar_multibody::expression::Expression;
use fourbar_multibody::model::{
    Body, Force, Joint, JointKind, MarkerRef, Model, Orientation, Place, VectorForce, vector,
};
use std::sync::Arc;
use support::body;

mod blocks;

const G: f64 = 9.81;

fn reference() -> serde_json::Value {
    serde_json::from_str(include_str!("reference/closed_form_values.json")).unwrap()
}

fn text(source: &str) -> Expression {
    Expression::parse(source).unwrap()
}

/// A marker on the ground whose z axis is the y axis turned by `angle` about z: a floor for bodies that move in x and y.
fn floor(angle: f64) -> MarkerRef {
    let (s, c) = angle.sin_cos();
    let orientation =
        Orientation { z_axis: Some(vector([-s, c, 0.0])), x_axis: Some(vector([c, s, 0.0])), ..Default::default() };
    Place { body: "ground".into(), position: vector([0.0; 3]), orientation, frame: Default::default() }.into()
}

fn moving(mut body: Body, v: [f64; 3], w: [f64; 3]) -> Body {
    (body.velocity, body.angular_velocity) = (vector(v), vector(w));
    body
}

fn falling(bodies: Vec<Body>) -> Model {
    Model { gravity: vector([0.0, -G, 0.0]), bodies, ..Model::default() }
}

fn start(model: &Model, contacts: Vec<Contact>, options: EventDriven, end: f64) -> EventStepper<ContactSet> {
    let mechanism = Arc::new(Mechanism::compile(model).unwrap());
    let contacts = ContactModel { contacts, ..ContactModel::default() };
    let set = ContactSet::compile(model, &contacts, &mechanism).unwrap();
    options.start(&mechanism, set, mechanism.start(), end).unwrap()
}

fn run(model: &Model, contacts: Vec<Contact>, end: f64) -> EventStepper<ContactSet> {
    let mut run = start(model, contacts, EventDriven::default(), end);
    run.run().unwrap();
    run
}

fn times(run: &EventStepper<ContactSet>, wanted: impl Fn(&EventKind) -> bool) -> Vec<f64> {
    run.log().iter().filter(|e| wanted(&e.kind)).map(|e| e.time).collect()
}

fn impacts(run: &EventStepper<ContactSet>) -> Vec<f64> {
    times(run, |k| matches!(k, EventKind::Impact(_)))
}

fn ball_on(plane: MarkerRef, radius: f64) -> Contact {
    Contact::new(
        "ball",
        ContactKind::SpherePlane(SpherePlane { i: "ball".into(), radius: radius.into(), j: plane, offset: 0.0.into() }),
    )
}

fn block_on(plane: MarkerRef, size: [f64; 3]) -> Contact {
    Contact::new(
        "block",
        ContactKind::BoxPlane(BoxPlane { i: "block".into(), size: vector(size), j: plane, offset: 0.0.into() }),
    )
}

/// A homogeneous block of 1 kg with these sides, its middle at `x`.
fn block(size: [f64; 3], x: [f64; 3], angle: f64) -> Body {
    let s = size.map(|l| l * l / 12.0);
    body("block", 1.0, [s[1] + s[2], s[2] + s[0], s[0] + s[1]], x, angle)
}

#[test]
fn a_ball_bounces_until_it_rests() {
    let model = falling(vec![body("ball", 1.0, [0.004; 3], [0.0, 1.1, 0.0], 0.0)]);
    let mut run = run(&model, vec![ball_on(floor(0.0), 0.1).with_restitution(0.8)], 5.0);
    let expected = &reference()["ball_h1_e0.8"];
    for (found, expected) in impacts(&run).iter().zip(expected["impacts_t"].as_array().unwrap()) {
        assert_abs_diff_eq!(*found, expected.as_f64().unwrap(), epsilon = 1e-10);
    }
    let accumulated = times(&run, |k| *k == EventKind::Accumulation);
    assert_abs_diff_eq!(accumulated[0], expected["t_zeno"].as_f64().unwrap(), epsilon = 1e-8);
    assert_abs_diff_eq!(run.forces().unwrap()[0][0], G, epsilon = 1e-10);
}

#[test]
fn a_box_that_falls_flat_bounces_on_four_corners() {
    let size = [0.3, 0.1, 0.2];
    let model = falling(vec![block(size, [0.0, 1.05, 0.0], 0.0)]);
    let mut run = run(&model, vec![block_on(floor(0.0), size).with_restitution(0.5)], 2.0);
    let expected = &reference()["ball_h1_e0.5"];
    let mut found = impacts(&run);
    found.dedup_by(|a, b| (*a - *b).abs() < 1e-9);
    for (found, expected) in found.iter().zip(expected["impacts_t"].as_array().unwrap()) {
        assert_abs_diff_eq!(*found, expected.as_f64().unwrap(), epsilon = 1e-9);
    }
    let rests = expected["t_zeno"].as_f64().unwrap();
    for time in times(&run, |k| *k == EventKind::Accumulation) {
        assert_abs_diff_eq!(time, rests, epsilon = 1e-8);
    }
    assert_eq!(run.closed().len(), 4);
    let pose = run.state().poses[0];
    assert_abs_diff_eq!(pose.x.y, 0.05, epsilon = 1e-12);
    assert!(pose.v.norm() <= 1e-12 && pose.w.norm() <= 1e-12);
    for force in run.forces().unwrap() {
        assert_abs_diff_eq!(force[0], G / 4.0, epsilon = 1e-10);
    }
}

/// Five balls of 1 kg in a row, the first at 2 m/s, the others at rest and touching.
fn cradle(sequence: Sequence, restitution: f64) -> Vec<f64> {
    let ball = |k: usize| {
        let x = if k == 0 { -1.0 } else { 0.2 * k as f64 };
        let speed = if k == 0 { 2.0 } else { 0.0 };
        moving(body(&format!("b{k}"), 1.0, [0.004; 3], [x, 0.0, 0.0], 0.0), [speed, 0.0, 0.0], [0.0; 3])
    };
    let touch = |k: usize| {
        let [i, j] = [k, k + 1].map(|k| MarkerRef::from(format!("b{k}").as_str()));
        let kind = ContactKind::SphereSphere(SphereSphere { i, j, radius_i: 0.1.into(), radius_j: 0.1.into() });
        Contact::new(&format!("c{k}"), kind).with_restitution(restitution)
    };
    let model = Model { bodies: (0..5).map(ball).collect(), ..Model::default() };
    let law = ImpactLaw { sequence, ..ImpactLaw::default() };
    let options = EventDriven { law, ..EventDriven::default() };
    let mut run = start(&model, (0..4).map(touch).collect(), options, 0.6);
    run.run().unwrap();
    assert_abs_diff_eq!(impacts(&run)[0], 0.5, epsilon = 1e-12);
    run.state().poses.iter().map(|p| p.v.x).collect()
}

#[test]
fn a_cradle_obeys_the_law_it_is_given() {
    for e in [1.0, 0.6, 0.0] {
        let found = cradle(Sequence::Simultaneous, e);
        let others = 2.0 * (1.0 + e) / 5.0;
        assert_abs_diff_eq!(
            found.as_slice(),
            [2.0 * (1.0 - 4.0 * e) / 5.0, others, others, others, others].as_slice(),
            epsilon = 1e-8
        );
    }
    let found = cradle(Sequence::Pairwise, 1.0);
    assert_abs_diff_eq!(found.as_slice(), [0.0, 0.0, 0.0, 0.0, 2.0].as_slice(), epsilon = 1e-8);
}

#[test]
fn a_joint_turns_back_at_its_stops() {
    let hinge = Joint {
        name: "hinge".into(),
        kind: JointKind::Revolute,
        i: "rotor".into(),
        j: "ground".into(),
        length: None,
        pitch: None,
        initial: Default::default(),
    };
    let rotor = moving(body("rotor", 1.0, [0.1; 3], [0.0; 3], 0.0), [0.0; 3], [0.0, 0.0, 2.0]);
    let model = Model { bodies: vec![rotor], joints: vec![hinge], ..Model::default() };
    let kind =
        JointStop { joint: "hinge".into(), direction: None, lower: Some(text("-0.5")), upper: Some(text("1.0")) };
    let stop = Contact::new("stop", ContactKind::JointStop(kind)).with_restitution(0.6);
    let mut run = run(&model, vec![stop], 3.0);
    // 1 rad at 2 rad/s, then 1.5 rad at 1.2, then 1.5 rad at 0.72.
    let found = impacts(&run);
    assert_eq!(found.len(), 2);
    for (found, expected) in found.iter().zip([0.5, 0.5 + 1.25]) {
        assert_abs_diff_eq!(*found, expected, epsilon = 1e-10);
    }
    assert_abs_diff_eq!(run.state().poses[0].w.z, 0.72, epsilon = 1e-10);
}

#[test]
fn a_rope_that_is_taut_makes_a_pendulum() {
    // Thrown level at 3 m/s from 0.6 m below the end of a rope of 1 m: taut where y^2 + x^2 = 1.
    let ball = moving(body("ball", 1.0, [1e-3; 3], [0.0, -0.6, 0.0], 0.0), [3.0, 0.0, 0.0], [0.0; 3]);
    let model = falling(vec![ball]);
    let kind = Rope { i: "ball".into(), j: "ground".into(), length: 1.0.into() };
    let mut run = start(&model, vec![Contact::new("rope", ContactKind::Rope(kind))], EventDriven::default(), 0.5);
    while run.log().is_empty() {
        run.step().unwrap();
    }
    let t = impacts(&run)[0];
    let (x, y) = (3.0 * t, -0.6 - 0.5 * G * t * t);
    assert_abs_diff_eq!(x.hypot(y), 1.0, epsilon = 1e-12);
    // What is left is the velocity across the rope.
    let across = -y * 3.0 - x * G * t;
    assert_abs_diff_eq!(run.state().poses[0].v.norm(), across.abs(), epsilon = 1e-10);
    run.run().unwrap();
    let pose = run.state().poses[0];
    assert_abs_diff_eq!(pose.x.norm(), 1.0, epsilon = 1e-12);
    let energy = 0.5 * across * across + G * y;
    assert_abs_diff_eq!(0.5 * pose.v.norm_squared() + G * pose.x.y, energy, epsilon = 1e-9);
    let tension = pose.v.norm_squared() - G * pose.x.y;
    assert_abs_diff_eq!(run.forces().unwrap()[0][0], tension, epsilon = 1e-8);
}

#[test]
fn a_sphere_in_a_groove_leans_on_both_faces() {
    let beta = 0.7_f64;
    let model = falling(vec![body("ball", 1.0, [0.004; 3], [0.0, 0.1 / beta.cos(), 0.0], 0.0)]);
    let faces = vec![ball_on(floor(beta), 0.1), Contact { name: "other".into(), ..ball_on(floor(-beta), 0.1) }];
    let mut run = run(&model, faces, 1.0);
    let forces = run.forces().unwrap();
    assert_eq!(forces.len(), 2);
    for force in forces {
        assert_abs_diff_eq!(force[0], G / (2.0 * beta.cos()), epsilon = 1e-10);
    }
}

#[test]
fn a_moving_floor_lifts_throws_and_catches() {
    // Floor at 0.02 sin(30 t): its deceleration exceeds gravity where 18 sin(30 t) = 9.81.
    let model = falling(vec![body("ball", 1.0, [0.004; 3], [0.0, 0.1, 0.0], 0.0)]);
    let kind = SpherePlane { i: "ball".into(), radius: 0.1.into(), j: floor(0.0), offset: text("0.02*sin(30*time)") };
    let mut run =
        start(&model, vec![Contact::new("ball", ContactKind::SpherePlane(kind))], EventDriven::default(), 0.5);
    while times(&run, |k| *k == EventKind::Opened).is_empty() {
        run.step().unwrap();
    }
    let opens = (G / 18.0_f64).asin() / 30.0;
    assert_abs_diff_eq!(run.time(), opens, epsilon = 1e-8);
    assert_abs_diff_eq!(run.state().poses[0].v.y, 0.6 * (30.0 * opens).cos(), epsilon = 1e-7);
    run.run().unwrap();
    let caught = impacts(&run)[1];
    let flight = caught - opens;
    let height = 0.02 * (30.0 * opens).sin() + 0.6 * (30.0 * opens).cos() * flight - 0.5 * G * flight * flight;
    assert_abs_diff_eq!(height, 0.02 * (30.0 * caught).sin(), epsilon = 1e-9);
}
