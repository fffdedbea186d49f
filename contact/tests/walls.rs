//! Walls that move with time: what they do to the energy, bodies they crush, bounces without end, tables they shake.

use crate::support;
use approx::assert_abs_diff_eq;
use fourbar_contact::Error;
use fourbar_contact::event::{EventDriven, EventStepper};
use fourbar_contact::model::*;
use fourbar_contact::pair::ContactSet;
use fourbar_contact::stepping::{Scheme, TimeStepping};
use fourbar_multibody::Mechanism;
use fourbar_multibody::expression::Expression;
use fourbar_multibody::model::{MarkerRef, Model, Orientation, Place, vector};
use std::sync::Arc;
use support::body;

const RADIUS: f64 = 0.1;

/// A ball of 1 kg at the height `y` with the velocity `v`.
fn ball(gravity: f64, y: f64, v: f64) -> Model {
    let mut ball = body("ball", 1.0, [0.004; 3], [0.0, y, 0.0], 0.0);
    ball.velocity = vector([0.0, v, 0.0]);
    Model { gravity: vector([0.0, -gravity, 0.0]), bodies: vec![ball], ..Model::default() }
}

/// A wall with this normal (+1 upwards, -1 downwards) at `offset` along it.
fn wall(name: &str, normal: f64, offset: &str, e: f64) -> Contact {
    let (z, x) = (vector([0.0, normal, 0.0]), vector([normal, 0.0, 0.0]));
    let orientation = Orientation { z_axis: Some(z), x_axis: Some(x), ..Default::default() };
    let place = Place { body: "ground".into(), position: vector([0.0; 3]), orientation, frame: Default::default() };
    let (j, offset): (MarkerRef, _) = (place.into(), Expression::parse(offset).unwrap());
    let kind = SpherePlane { i: "ball".into(), radius: RADIUS.into(), j, offset };
    Contact::new(name, ContactKind::SpherePlane(kind)).with_restitution(e)
}

/// A floor at rest and a ceiling that comes down at 0.1 m/s from 1.2 m: it reaches the ball at rest after 10 s.
fn press(e: f64) -> Vec<Contact> {
    vec![wall("floor", 1.0, "0", e), wall("ceiling", -1.0, "-(1.2-0.1*time)", e)]
}

fn compile(model: &Model, contacts: Vec<Contact>) -> (Arc<Mechanism>, ContactSet) {
    let mechanism = Arc::new(Mechanism::compile(model).unwrap());
    let contacts = ContactModel { contacts, ..ContactModel::default() };
    let set = ContactSet::compile(model, &contacts, &mechanism).unwrap();
    (mechanism, set)
}

fn events(model: &Model, contacts: Vec<Contact>, options: EventDriven, end: f64) -> EventStepper<ContactSet> {
    let (mechanism, set) = compile(model, contacts);
    options.start(&mechanism, set, mechanism.start(), end).unwrap()
}

#[test]
fn a_crushed_ball_is_an_error() {
    for (e, v) in [(0.5, -1.0), (0.0, -1.0), (0.0, 0.0)] {
        let mut run = events(&ball(0.0, 0.6, v), press(e), EventDriven::default(), 10.5);
        let error = run.run().unwrap_err();
        let Error::Squeezed { contacts, time, .. } = &error else { panic!("e = {e}: {error}") };
        assert!(!contacts.is_empty());
        assert_abs_diff_eq!(*time, 10.0, epsilon = 1e-6);
        assert!(error.to_string().contains("squeezed") && error.to_string().contains("\"floor\""), "{error}");
        // What happened before is kept.
        assert!(!run.log().is_empty() && run.time() <= 10.0 + 1e-9);
    }
}

#[test]
fn a_ball_crushed_by_a_ceiling_that_speeds_up_is_an_error() {
    // Touching at rest from the start: no velocity to stop, but no forces hold the walls apart.
    let walls = vec![wall("floor", 1.0, "0", 0.0), wall("ceiling", -1.0, "-(0.2-0.1*time^2)", 0.0)];
    let (mechanism, set) = compile(&ball(0.0, RADIUS, 0.0), walls);
    let run = EventDriven::default().start(&mechanism, set, mechanism.start(), 1.0).and_then(|mut run| run.run());
    assert!(matches!(run, Err(Error::Squeezed { .. })), "{run:?}");
}

#[test]
fn a_step_that_cannot_be_is_an_error() {
    for scheme in [Scheme::GapLcp, Scheme::MoreauJean { theta: 0.5 }, Scheme::Ggl] {
        let (mechanism, set) = compile(&ball(0.0, 0.6, -1.0), press(0.0));
        let options = TimeStepping { scheme, step: 0.01, ..TimeStepping::default() };
        let mut stepper = options.start(&mechanism, set, mechanism.start()).unwrap();
        let error = loop {
            match stepper.step() {
                Ok(record) => assert!(record.time < 10.1, "{scheme:?}"),
                Err(error) => break error,
            }
        };
        assert!(matches!(error, Error::Unsolved { .. }), "{scheme:?}: {error}");
        assert_abs_diff_eq!(stepper.time(), 10.0, epsilon = 0.03);
    }
}

#[test]
fn bounces_that_accumulate_without_loss_are_an_error() {
    let options = EventDriven { events_max: 500, ..EventDriven::default() };
    let mut run = events(&ball(0.0, 0.6, -1.0), press(1.0), options, 10.5);
    // Whoever empties the log hears what accumulates nonetheless.
    let error = loop {
        match run.step() {
            Ok(_) => run.clear_log(),
            Err(error) => break error,
        }
    };
    let Error::Accumulating { events, since, time, contacts } = &error else { panic!("{error}") };
    assert_eq!((*events, contacts.as_slice()), (500, &["floor".to_owned(), "ceiling".to_owned()][..]));
    assert!(*since < *time && *time < 10.0, "{error}");
}

#[test]
fn a_moving_wall_does_work() {
    let model = ball(0.0, 0.6, -1.0);
    let (mechanism, _) = compile(&model, press(1.0));
    for e in [1.0, 0.5] {
        let mut run = events(&model, press(e), EventDriven::default(), 9.0);
        run.run().unwrap();
        let (sum, wall) = run.log().iter().fold((0.0, 0.0), |(a, b), event| (a + event.energy, b + event.wall));
        let kinetic = mechanism.kinetic_energy(&run.state().poses);
        assert_abs_diff_eq!(0.5 + sum, kinetic, epsilon = 1e-12);
        // Off the floor at e, off the ceiling at e (e + 0.1) + 0.1 against it: the first impact with it by hand.
        let ceiling = run.log().iter().find(|event| event.wall != 0.0).unwrap();
        let after = e * (e + 0.1) + 0.1;
        assert_abs_diff_eq!(ceiling.energy, 0.5 * (after * after - e * e), epsilon = 1e-12);
        assert_abs_diff_eq!(ceiling.wall, 0.1 * (e + after), epsilon = 1e-12);
        assert!(wall > 0.0 && (e < 1.0 || (wall - sum).abs() <= 1e-11), "{wall} {sum}");
    }
}

#[test]
fn a_ball_on_a_shaken_table_stays_on_it() {
    // A table a sin(w t) that never falls faster than the ball; the ball starts with its velocity.
    let (a, w) = (0.01, (0.5 * 9.81 / 0.01_f64).sqrt());
    for (scheme, power) in [(Scheme::GapLcp, 2), (Scheme::Ggl, 2)] {
        let mut largest = Vec::new();
        for h in [2e-3, 1e-3] {
            let table = wall("table", 1.0, &format!("{a}*sin({w}*time)"), 0.0);
            let (mechanism, set) = compile(&ball(9.81, RADIUS, a * w), vec![table]);
            let options = TimeStepping { scheme, step: h, ..TimeStepping::default() };
            let mut stepper = options.start(&mechanism, set, mechanism.start()).unwrap();
            let mut worst = 0.0_f64;
            for _ in 0..(0.5 / h) as usize {
                stepper.step().unwrap();
                let gap = stepper.state().poses[0].x.y - RADIUS - a * (w * stepper.time()).sin();
                worst = worst.max(gap.abs());
            }
            assert!(worst <= a * w * w * h * h * 2.0, "{scheme:?} h = {h}: {worst:e}");
            largest.push(worst);
        }
        assert!(largest[1] <= 1e-12 || largest[0] / largest[1] > 0.75 * 2.0_f64.powi(power), "{scheme:?} {largest:?}");
    }
}

/// The error that ends the motion of a ball at the height `y` event-driven, then that of each scheme.
fn endings(y: f64, contact: &Contact, end: f64) -> Vec<Error> {
    let model = ball(9.81, y, 0.0);
    let mut errors = vec![events(&model, vec![contact.clone()], EventDriven::default(), end).run().unwrap_err()];
    for scheme in [Scheme::GapLcp, Scheme::MoreauJean { theta: 0.5 }, Scheme::Ggl] {
        let (mechanism, set) = compile(&model, vec![contact.clone()]);
        let options = TimeStepping { scheme, step: 0.01, ..TimeStepping::default() };
        let mut stepper = options.start(&mechanism, set, mechanism.start()).unwrap();
        errors.push(loop {
            match stepper.step() {
                Ok(record) => assert!(record.time < end, "{scheme:?}"),
                Err(error) => break error,
            }
        });
    }
    errors
}

fn rope(length: &str) -> Contact {
    let ground = Place {
        body: "ground".into(),
        position: vector([0.0; 3]),
        orientation: Default::default(),
        frame: Default::default(),
    };
    let length = Expression::parse(length).unwrap();
    Contact::new("rope", ContactKind::Rope(Rope { i: "ball".into(), j: ground.into(), length }))
}

#[test]
fn expressions_without_a_value_end_the_motion() {
    // A floor at rest on which the ball lies, one that it has not reached, a rope that is slack and one wound up.
    let floor = wall("floor", 1.0, "0*sqrt(0.3-time)", 0.0);
    let scenes = [
        (RADIUS, &floor, 0.3, "`offset` is NaN"),
        (5.0, &floor, 0.3, "`offset` is NaN"),
        (-0.5, &rope("2+0*log(0.2-time)"), 0.2, "`length` is NaN"),
        (-0.9, &rope("1-2*time"), 0.5, "`length` is -"),
    ];
    for (y, contact, ends, says) in scenes {
        for error in endings(y, contact, 1.0) {
            let Error::Gap { pair, time, reason } = &error else { panic!("{error}") };
            assert_eq!(*pair, contact.name);
            assert_abs_diff_eq!(*time, ends, epsilon = 0.0101);
            assert!(reason.contains(says) && reason.contains("end the motion before"), "{error}");
        }
    }
}
