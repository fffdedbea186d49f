//! Slip so slow that its direction obeys a stiff equation, event-driven, against closed forms.

use crate::support;
use approx::assert_abs_diff_eq;
use fourbar_contact::event::{EventDriven, EventStepper};
use fourbar_contact::unilateral::Contacts;
use fourbar_multibody::Mechanism;
use fourbar_multibody::model::{Body, vector};
use std::sync::Arc;
use support::{OnPlane, Planes, body, free};

const G: f64 = 9.81;
const ANGLE: f64 = 0.5;

/// Gravity on a plane y = 0 inclined by `ANGLE`, downhill along x.
fn inclined() -> [f64; 3] {
    [G * ANGLE.sin(), -G * ANGLE.cos(), 0.0]
}

fn run<C: Contacts>(mechanism: &Arc<Mechanism>, contacts: C, end: f64) -> EventStepper<C> {
    let mut run = EventDriven::default().start(mechanism, contacts, mechanism.start(), end).unwrap();
    run.run().unwrap();
    run
}

/// A block on three feet.
fn tripod(mu: f64) -> (Body, Planes) {
    let block = body("block", 1.0, [0.004, 0.008, 0.004], [0.0, 0.01, 0.0], 0.0);
    let feet = [[0.1, -0.01, 0.0], [-0.05, -0.01, 0.08], [-0.05, -0.01, -0.08]];
    (block, Planes(feet.map(|r| OnPlane::point(0, r, [0.0, 1.0, 0.0], 0.0, 0.0, mu)).to_vec()))
}

#[test]
fn a_tripod_slides_just_above_the_friction_that_would_hold_it() {
    for part in [1e-2, 1e-4, 1e-6, 1e-8] {
        let (block, feet) = tripod(ANGLE.tan() * (1.0 - part));
        let mechanism = free(vec![block], inclined());
        let mut run = run(&mechanism, feet, 1.0);
        assert!(run.statistics().steps <= 100, "{part:e}: {} steps", run.statistics().steps);
        let pose = run.state().poses[0];
        let speed = G * ANGLE.sin() * part;
        assert!((pose.v.x / speed - 1.0).abs() <= 2e-8, "{part:e}: {:e}", pose.v.x / speed - 1.0);
        assert!(pose.v.yz().norm() <= 1e-14 && pose.w.norm() <= 1e-14, "{part:e}: {pose:?}");
    }
}

#[test]
fn a_tripod_sent_across_slides_downhill_at_half_its_speed() {
    // mu = tan(angle): what friction takes along the way gravity gives downhill, v + v_x stays; at last v = v_x.
    for speed in [1e-2, 1e-4, 1e-6] {
        let (mut block, feet) = tripod(ANGLE.tan());
        block.velocity = vector([0.0, 0.0, speed]);
        let mechanism = free(vec![block], inclined());
        let mut run = run(&mechanism, feet, 1.0);
        let pose = run.state().poses[0];
        assert_abs_diff_eq!(pose.v.x, 0.5 * speed, epsilon = 1e-11);
        assert_abs_diff_eq!(pose.v.z, 0.0, epsilon = 1e-12);
        assert!(run.statistics().steps <= 500, "{speed:e}: {} steps", run.statistics().steps);
    }
}

/// A ball of inertia k m r^2, k = 0.4, that rolls down the plane until `end`. It also rolls across and spins about the normal,
/// which changes nothing.
fn rolling(mu: f64, end: f64) -> EventStepper<Planes> {
    let mut ball = body("ball", 1.0, [0.4 * 0.01; 3], [0.0, 0.1, 0.0], 0.0);
    (ball.velocity, ball.angular_velocity) = (vector([0.0, 0.0, 1.0]), vector([10.0, 0.3, 0.0]));
    let mechanism = free(vec![ball], inclined());
    run(&mechanism, Planes(vec![OnPlane::sphere(0, 0.1, [0.0, 1.0, 0.0], 0.0, 0.0, mu)]), end)
}

#[test]
fn a_ball_rolls_with_a_slip_that_hardly_grows() {
    // It rolls without slip if mu >= tan(angle)/(1 + 1/k); just below, it slips at g part sin(angle) t.
    let enough = ANGLE.tan() / 3.5;
    for end in [0.2, 1.0] {
        let steps = rolling(1.1 * enough, end).statistics().steps;
        for part in [1e-2, 1e-4, 1e-6] {
            let mu = enough * (1.0 - part);
            let mut run = rolling(mu, end);
            let pose = run.state().poses[0];
            assert_abs_diff_eq!(pose.v.x, G * (ANGLE.sin() - mu * ANGLE.cos()) * end, epsilon = 1e-9);
            assert_abs_diff_eq!(pose.v.x + 0.1 * pose.w.z, G * ANGLE.sin() * part * end, epsilon = 1e-10);
            assert_abs_diff_eq!(pose.v.z, 1.0, epsilon = 1e-9);
            assert_abs_diff_eq!(pose.w.y, 0.3, epsilon = 1e-9);
            // Slip costs no steps beside those that the turning ball takes without it.
            assert!(run.statistics().steps <= steps, "{part:e}: {} steps, {steps}", run.statistics().steps);
        }
    }
}
