//! Bodies on planes, event-driven, against closed forms to 1e-8 and better.

use crate::support;
use approx::assert_abs_diff_eq;
use fourbar_contact::event::{EventDriven, EventKind, EventStepper};
use fourbar_contact::unilateral::Contacts;
use fourbar_multibody::Mechanism;
use fourbar_multibody::model::{Body, vector};
use std::sync::Arc;
use support::{OnPlane, Planes, body, free};

const G: f64 = 9.81;

fn reference() -> serde_json::Value {
    serde_json::from_str(include_str!("reference/closed_form_values.json")).unwrap()
}

fn start<C: Contacts>(mechanism: &Arc<Mechanism>, contacts: C, end: f64) -> EventStepper<C> {
    EventDriven::default().start(mechanism, contacts, mechanism.start(), end).unwrap()
}

fn moving(mut body: Body, v: [f64; 3], w: [f64; 3]) -> Body {
    (body.velocity, body.angular_velocity) = (vector(v), vector(w));
    body
}

fn times<C: Contacts>(run: &EventStepper<C>, wanted: impl Fn(&EventKind) -> bool) -> Vec<f64> {
    run.log().iter().filter(|e| wanted(&e.kind)).map(|e| e.time).collect()
}

fn ball(e: f64, mu: f64) -> Planes {
    Planes(vec![OnPlane::sphere(0, 0.1, [0.0, 1.0, 0.0], 0.0, e, mu)])
}

#[test]
fn bouncing_ball() {
    let mechanism = free(vec![body("ball", 1.0, [0.004; 3], [0.0, 1.1, 0.0], 0.0)], [0.0, -G, 0.0]);
    let mut run = start(&mechanism, ball(0.8, 0.0), 5.0);
    run.run().unwrap();
    let expected = &reference()["ball_h1_e0.8"];
    let impacts = times(&run, |k| matches!(k, EventKind::Impact(_)));
    for (found, expected) in impacts.iter().zip(expected["impacts_t"].as_array().unwrap()) {
        assert_abs_diff_eq!(*found, expected.as_f64().unwrap(), epsilon = 1e-10);
    }
    let accumulated = times(&run, |k| *k == EventKind::Accumulation);
    assert_eq!(accumulated.len(), 1);
    assert_abs_diff_eq!(accumulated[0], expected["t_zeno"].as_f64().unwrap(), epsilon = 1e-8);
    assert_abs_diff_eq!(run.forces().unwrap()[0][0], G, epsilon = 1e-10);
    // The impacts and what was passed lose all the energy of the fall.
    let lost: f64 = run.log().iter().map(|event| event.energy).sum();
    assert_abs_diff_eq!(lost, -G, epsilon = 1e-9);
}

#[test]
fn a_ball_that_loses_nothing() {
    let mechanism = free(vec![body("ball", 1.0, [0.004; 3], [0.0, 1.1, 0.0], 0.0)], [0.0, -G, 0.0]);
    let mut run = start(&mechanism, ball(1.0, 0.0), 90.0);
    run.run().unwrap();
    let pose = run.state().poses[0];
    assert_abs_diff_eq!(0.5 * pose.v.norm_squared() + G * pose.x.y, G * 1.1, epsilon = 1e-8);
    assert_eq!(times(&run, |k| matches!(k, EventKind::Impact(_))).len(), 100);
}

#[test]
fn skid_to_roll() {
    let expected = &reference()["skid_sphere"];
    let sphere = moving(body("ball", 1.0, [0.4 * 0.01; 3], [0.0, 0.1, 0.0], 0.0), [3.0, 0.0, 0.0], [0.0; 3]);
    let mechanism = free(vec![sphere], [0.0, -G, 0.0]);
    let mut run = start(&mechanism, ball(0.0, 0.25), 0.6);
    run.run().unwrap();
    let stuck = times(&run, |k| *k == EventKind::Stuck(0));
    assert_eq!(stuck.len(), 1);
    assert_abs_diff_eq!(stuck[0], expected["t_roll"].as_f64().unwrap(), epsilon = 1e-8);
    let v = expected["v_roll"].as_f64().unwrap();
    let pose = run.state().poses[0];
    assert_abs_diff_eq!(pose.v.x, v, epsilon = 1e-8);
    let x = expected["x_roll"].as_f64().unwrap() + v * (0.6 - stuck[0]);
    assert_abs_diff_eq!(pose.x.x, x, epsilon = 1e-8);
}

/// A flat block on three feet, so that forces are unique as long as it slides.
fn tripod(mu: f64) -> (Body, Planes) {
    let block = body("block", 1.0, [0.004, 0.008, 0.004], [0.0, 0.01, 0.0], 0.0);
    let feet = [[0.1, -0.01, 0.0], [-0.05, -0.01, 0.08], [-0.05, -0.01, -0.08]];
    (block, Planes(feet.map(|r| OnPlane::point(0, r, [0.0, 1.0, 0.0], 0.0, 0.0, mu)).to_vec()))
}

#[test]
fn friction_is_isotropic_and_stops() {
    let (block, feet) = tripod(0.3);
    let mechanism = free(vec![moving(block, [2.0, 0.0, 1.0], [0.0; 3])], [0.0, -G, 0.0]);
    let mut run = start(&mechanism, feet, 1.0);
    run.run().unwrap();
    let pose = run.state().poses[0];
    let stop = &reference()["pyramid_stop_times"]["cone_stop_xy"];
    assert_abs_diff_eq!(pose.x.x, stop[0].as_f64().unwrap(), epsilon = 1e-8);
    assert_abs_diff_eq!(pose.x.z, stop[1].as_f64().unwrap(), epsilon = 1e-8);
    assert!(pose.v.norm() <= 1e-12 && pose.w.norm() <= 1e-12);
    assert_abs_diff_eq!(pose.x.y, 0.01, epsilon = 1e-12);
}

#[test]
fn blocks_on_an_incline_stick_or_slide() {
    let angle = 0.5_f64;
    let gravity = [G * angle.sin(), -G * angle.cos(), 0.0];
    let (block, feet) = tripod(0.6);
    let mechanism = free(vec![block], gravity);
    let mut run = start(&mechanism, feet, 10.0);
    run.run().unwrap();
    assert!(run.state().poses[0].v.norm() <= 1e-12);
    assert!(run.state().poses[0].x.x.abs() <= 1e-12);
    let (block, feet) = tripod(0.3);
    let mechanism = free(vec![block], gravity);
    let mut run = start(&mechanism, feet, 1.0);
    run.run().unwrap();
    let a = G * (angle.sin() - 0.3 * angle.cos());
    assert_abs_diff_eq!(run.state().poses[0].v.x, a, epsilon = 1e-8);
    assert_abs_diff_eq!(run.state().poses[0].x.x, 0.5 * a, epsilon = 1e-8);
}

#[test]
fn ladder_leaves_the_wall() {
    let expected = &reference()["ladder_L1_60deg"];
    let theta = 60.0_f64.to_radians();
    let center = [0.5 * theta.cos(), 0.5 * theta.sin(), 0.0];
    let rod = body("ladder", 1.0, [1e-3, 1.0 / 12.0, 1.0 / 12.0], center, std::f64::consts::PI - theta);
    let mechanism = free(vec![rod], [0.0, -G, 0.0]);
    let planes = Planes(vec![
        OnPlane::point(0, [-0.5, 0.0, 0.0], [0.0, 1.0, 0.0], 0.0, 0.0, 0.0),
        OnPlane::point(0, [0.5, 0.0, 0.0], [1.0, 0.0, 0.0], 0.0, 0.0, 0.0),
    ]);
    let mut run = start(&mechanism, planes, 0.4);
    while times(&run, |k| *k == EventKind::Opened).is_empty() {
        run.step().unwrap();
    }
    assert_abs_diff_eq!(run.time(), expected["t_leave"].as_f64().unwrap(), epsilon = 1e-8);
    assert_abs_diff_eq!(run.forces().unwrap()[0][0], G / 4.0, epsilon = 1e-7);
    let pose = run.state().poses[0];
    assert_abs_diff_eq!(-pose.w.z, expected["theta_dot"].as_f64().unwrap(), epsilon = 1e-7);
    let v = expected["x_c_dot"].as_f64().unwrap();
    run.run().unwrap();
    assert_abs_diff_eq!(run.state().poses[0].v.x, v, epsilon = 1e-8);
}

#[test]
fn painleves_rod_jams() {
    let theta = 60.0_f64.to_radians();
    let rod = body("rod", 1.0, [1e-3, 1.0 / 3.0, 1.0 / 3.0], [theta.cos(), theta.sin(), 0.0], theta);
    let mechanism = free(vec![moving(rod, [-2.0, 0.0, 0.0], [0.0; 3])], [0.0, -G, 0.0]);
    let planes = Planes(vec![OnPlane::point(0, [-1.0, 0.0, 0.0], [0.0, 1.0, 0.0], 0.0, 0.0, 1.6)]);
    let mut run = start(&mechanism, planes, 0.2);
    let jam = *run.log().iter().find(|e| e.kind == EventKind::PainleveShock).unwrap();
    assert_eq!(jam.time, 0.0);
    assert_abs_diff_eq!(jam.impulse, 1.5 * theta.sin() * theta.cos(), epsilon = 1e-9);
    run.run().unwrap();
}
