//! Starts at the edge: inside a body, with slip below what counts as slip, on a floor that carries nothing yet.

use crate::support;
use approx::assert_abs_diff_eq;
use fourbar_contact::Error;
use fourbar_contact::event::{EventDriven, EventKind, EventStepper, Friction};
use fourbar_multibody::Mechanism;
use fourbar_multibody::expression::Expression;
use fourbar_multibody::model::{Body, Force, Model, VectorForce, vector};
use std::sync::Arc;
use support::{OnPlane, Planes, body};

const G: f64 = 9.81;

fn ball(height: f64) -> Body {
    body("ball", 1.0, [0.004; 3], [0.0, height, 0.0], 0.0)
}

fn start(model: &Model, friction: f64, end: f64) -> Result<EventStepper<Planes>, Error> {
    let mechanism = Arc::new(Mechanism::compile(model).unwrap());
    let floor = Planes(vec![OnPlane::sphere(0, 0.1, [0.0, 1.0, 0.0], 0.0, 0.5, friction)]);
    EventDriven::default().start(&mechanism, floor, mechanism.start(), end)
}

fn falling(ball: Body) -> Model {
    Model { gravity: vector([0.0, -G, 0.0]), bodies: vec![ball], ..Model::default() }
}

#[test]
fn a_start_inside_is_refused_with_its_depth() {
    let Err(error) = start(&falling(ball(0.097)), 0.0, 1.0) else { panic!("started inside") };
    let Error::Penetrating { depth, .. } = error else { panic!("{error}") };
    assert_abs_diff_eq!(depth, 3e-3, epsilon = 1e-15);
    assert!(error.to_string().contains("starts 0.003 m or rad inside"), "{error}");
}

#[test]
fn round_off_of_the_start_is_taken_away() {
    // As of a height written with seven digits: the ball rests, or rises from the floor.
    for (speed, height) in [(0.0, 0.1), (2.0, 0.1 + 2.0 * 0.01 - 0.5 * G * 1e-4)] {
        let mut ball = ball(0.1 - 4e-7);
        ball.velocity = vector([0.0, speed, 0.0]);
        let mut run = start(&falling(ball), 0.0, 0.01).unwrap();
        assert_abs_diff_eq!(run.state().poses[0].x.y, 0.1, epsilon = 1e-15);
        run.run().unwrap();
        assert_abs_diff_eq!(run.state().poses[0].x.y, height, epsilon = 1e-12);
    }
}

#[test]
fn slip_slower_than_what_counts_as_slip_is_none() {
    // 1e-10 m/s is below the stated 1e-9 m/s: it sticks at once, where Coulomb's law would stop it after 1e-10/(mu g) s, 3e-22 m on. At
    // 1e-8 m/s it slips until then.
    for (speed, sticks) in [(1e-10, true), (1e-8, false)] {
        let mut ball = ball(0.1);
        ball.velocity = vector([speed, 0.0, 0.0]);
        let mut run = start(&falling(ball), 0.3, 0.1).unwrap();
        assert_eq!(run.closed()[0].friction[0] == Friction::Stick, sticks);
        run.run().unwrap();
        // It rolls with 5/7 of the speed.
        assert_abs_diff_eq!(run.state().poses[0].v.x, 5.0 / 7.0 * speed, epsilon = 1e-3 * speed);
        let stuck: Vec<f64> = run.log().iter().filter(|e| e.kind == EventKind::Stuck(0)).map(|e| e.time).collect();
        assert_eq!(stuck.len(), usize::from(!sticks));
        if let Some(time) = stuck.first() {
            assert_abs_diff_eq!(*time, 2.0 * speed / (7.0 * 0.3 * G), epsilon = 1e-2 * speed);
        }
    }
}

/// A ball on a floor without gravity, drawn by this force along y.
fn drawn(force: &str) -> Model {
    let value = ["0", force, "0"].map(|text| Expression::parse(text).unwrap());
    let draw = VectorForce { name: "draw".into(), i: "ball".into(), reaction: None, frame: None, value };
    Model { bodies: vec![ball(0.1)], forces: vec![Force::Force(draw)], ..Model::default() }
}

#[test]
fn a_contact_that_carries_nothing_does_not_hold() {
    // Pressed or not, it lifts off where the force turns round, and y'' = t - t_0 from then on.
    for (force, from) in [("time", 0.0), ("time - 0.2", 0.2), ("max(time - 0.2, 0)", 0.2)] {
        let mut run = start(&drawn(force), 0.3, 1.0).unwrap();
        run.run().unwrap();
        let height = (1.0_f64 - from).powi(3) / 6.0;
        assert_abs_diff_eq!(run.state().poses[0].x.y, 0.1 + height, epsilon = 1e-9);
    }
}
