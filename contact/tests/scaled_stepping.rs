//! A scene drawn in other units of length, mass and time moves as it does in metres, kilograms and seconds, in fixed steps of every scheme:
//! a ball on the floor, a block on an incline, a rod against its stop, a tower, a pile of boxes.

use fourbar_contact::Budget;
use fourbar_contact::model::{
    BoxPlane, BoxShape, Contact, ContactKind, ContactModel, Geometry, HalfSpaceShape, JointStop, Shape, Shapes,
    SpherePlane,
};
use fourbar_contact::pair::ContactSet;
use fourbar_contact::stepping::{Scheme, TimeStepping};
use fourbar_multibody::Mechanism;
use fourbar_multibody::model::{Body, Joint, JointKind, MarkerRef, Model, Orientation, Place, vector};
use fourbar_multibody::space::{Pose, V3, rotation};
use proptest::prelude::*;
use std::sync::Arc;

/// Length, mass and time of a scene over those of metres, kilograms and seconds.
#[derive(Debug, Clone, Copy)]
struct Units {
    length: f64,
    mass: f64,
    time: f64,
}

const ONE: Units = Units { length: 1.0, mass: 1.0, time: 1.0 };
const GRAVITY: f64 = 9.81;

impl Units {
    fn body(&self, name: &str, mass: f64, half: V3, at: V3, velocity: V3) -> Body {
        let square = half.component_mul(&half);
        let inertia = V3::new(square.y + square.z, square.x + square.z, square.x + square.y) * (mass / 3.0);
        let (mass, inertia) = (mass * self.mass, inertia * (self.mass * self.length * self.length));
        Body {
            name: name.into(),
            mass: mass.into(),
            inertia: inertia.iter().map(|i| (*i).into()).collect(),
            center_of_mass: vector([0.0; 3]),
            position: vector((at * self.length).into()),
            orientation: Orientation::default(),
            velocity: vector((velocity * (self.length / self.time)).into()),
            angular_velocity: vector([0.0; 3]),
            exact: vec![],
            solids: Vec::new(),
        }
    }

    fn gravity(&self, direction: V3) -> [fourbar_multibody::expression::Expression; 3] {
        vector((direction * (GRAVITY * self.length / (self.time * self.time))).into())
    }

    /// Positions and angles after `steps` steps of `h` seconds, in metres again.
    fn run(
        &self,
        (model, contacts): &(Model, ContactModel),
        turns: &[V3],
        scheme: Scheme,
        (h, steps): (f64, usize),
    ) -> Vec<Pose> {
        let mechanism = Arc::new(Mechanism::compile(model).expect("a mechanism"));
        let set = ContactSet::compile(model, contacts, &mechanism).expect("contacts");
        let mut start = mechanism.start().clone();
        for (pose, turn) in start.poses.iter_mut().zip(turns) {
            pose.a = rotation(turn) * pose.a;
        }
        let options = TimeStepping { scheme, step: h * self.time, ..TimeStepping::default() };
        let mut stepper = options.start(&mechanism, set, &start).expect("a start");
        for _ in 0..steps {
            stepper.step().unwrap_or_else(|error| panic!("{self:?}, {scheme:?}: {error}"));
        }
        let poses = stepper.state().poses.iter();
        poses.map(|pose| Pose { x: pose.x / self.length, v: pose.v * (self.time / self.length), ..*pose }).collect()
    }
}

type Scene = (Model, ContactModel);

fn ball(u: Units) -> Scene {
    let ball = u.body("ball", 2.0, V3::repeat(0.1), V3::new(0.0, 0.0, 0.4), V3::new(0.5, 0.0, 0.0));
    let plane =
        SpherePlane { i: "ball".into(), radius: (0.1 * u.length).into(), j: "ground".into(), offset: 0.0.into() };
    let floor = Contact::new("floor", ContactKind::SpherePlane(plane)).with_friction(0.3).with_restitution(0.6);
    (
        Model { gravity: u.gravity(-V3::z()), bodies: vec![ball], ..Model::default() },
        ContactModel { contacts: vec![floor], ..ContactModel::default() },
    )
}

/// Thrown uphill by 20 degrees, it stops and sticks.
fn incline(u: Units) -> Scene {
    let (sin, cos) = 20_f64.to_radians().sin_cos();
    let half = V3::new(0.1, 0.08, 0.05);
    let block = u.body("block", 1.0, half, V3::new(0.0, 0.0, 0.05), V3::new(1.0, 0.2, 0.0));
    let size = vector((half * (2.0 * u.length)).into());
    let plane = BoxPlane { i: "block".into(), size, j: "ground".into(), offset: 0.0.into() };
    let floor = Contact::new("floor", ContactKind::BoxPlane(plane)).with_friction(0.5);
    (
        Model { gravity: u.gravity(V3::new(-sin, 0.0, -cos)), bodies: vec![block], ..Model::default() },
        ContactModel { contacts: vec![floor], ..ContactModel::default() },
    )
}

/// A rod on a hinge falls against the stop of its angle, again and again.
fn stop(u: Units) -> Scene {
    let rod = u.body("rod", 1.5, V3::new(0.2, 0.01, 0.01), V3::new(0.2, 0.0, 0.0), V3::zeros());
    let place = |body: &str, x: f64| -> MarkerRef {
        let position = vector([x * u.length, 0.0, 0.0]);
        Place { body: body.into(), position, orientation: Orientation::default(), frame: Default::default() }.into()
    };
    let kind = JointKind::Revolute;
    let hinge = Joint {
        name: "hinge".into(),
        kind,
        i: place("rod", -0.2),
        j: place("ground", 0.0),
        length: None,
        pitch: None,
        initial: Default::default(),
    };
    let stop =
        JointStop { joint: "hinge".into(), direction: None, lower: Some((-0.4).into()), upper: Some(0.4.into()) };
    let stop = Contact::new("stop", ContactKind::JointStop(stop)).with_restitution(0.5);
    (
        Model { gravity: u.gravity(-V3::y()), bodies: vec![rod], joints: vec![hinge], ..Model::default() },
        ContactModel { contacts: vec![stop], ..ContactModel::default() },
    )
}

/// Boxes of 0.2 m at places, with masses, above the ground.
fn boxes(u: Units, places: &[V3], mass: impl Fn(usize) -> f64) -> Scene {
    let bodies = places.iter().enumerate();
    let bodies =
        bodies.map(|(k, at)| u.body(&format!("box {k}"), mass(k), V3::repeat(0.1), *at, V3::zeros())).collect();
    let shape = |name: String, on: String, geometry| Shape {
        name,
        on: on.as_str().into(),
        group: Some("pile".to_owned()),
        geometry,
    };
    let cube = |k: usize| {
        let size = vector([0.2 * u.length; 3]);
        shape(format!("shape {k}"), format!("box {k}"), Geometry::Box(BoxShape { size }))
    };
    let floor = shape("floor".into(), "ground".into(), Geometry::HalfSpace(HalfSpaceShape {}));
    let pile = Contact::new("pile", ContactKind::Shapes(Shapes { i: "pile".into(), j: None, joined: false }));
    (
        Model { gravity: u.gravity(-V3::z()), bodies, ..Model::default() },
        ContactModel {
            shapes: (0..places.len()).map(cube).chain([floor]).collect(),
            contacts: vec![pile.with_friction(0.5).with_restitution(0.2)],
        },
    )
}

fn tower(u: Units) -> Scene {
    let places: Vec<V3> = (0..6).map(|k| V3::new(0.01 * (k % 2) as f64, 0.0, 0.1 + 0.201 * k as f64)).collect();
    boxes(u, &places, |k| if k == 5 { 80.0 } else { 8.0 })
}

fn pile(u: Units) -> Scene {
    let place = |k: usize| V3::new(0.25 * (k % 2) as f64, 0.22 * (k / 2 % 2) as f64, 0.2 + 0.3 * (k / 4) as f64);
    let moved = |k: usize| V3::new(0.06, 0.05, 0.0) * (k / 4) as f64;
    let places: Vec<V3> = (0..8).map(|k| place(k) + moved(k)).collect();
    boxes(u, &places, |_| 8.0)
}

/// Largest difference of two answers: of places \[m\] and of axes.
fn apart(a: &[Pose], b: &[Pose]) -> f64 {
    a.iter().zip(b).fold(0.0, |most: f64, (a, b)| most.max((a.x - b.x).norm()).max((a.a - b.a).amax()))
}

const SCHEMES: [Scheme; 3] = [Scheme::GapLcp, Scheme::MoreauJean { theta: 0.5 }, Scheme::Ggl];

fn units() -> impl Strategy<Value = Units> {
    (-6.0..=6.0_f64, -9.0..=9.0_f64, -4.0..=4.0_f64).prop_map(|(length, mass, time)| Units {
        length: 10f64.powf(length),
        mass: 10f64.powf(mass),
        time: 10f64.powf(time),
    })
}

/// The scene in these units beside the same in metres.
fn compare(units: Units, scene: fn(Units) -> Scene, turns: &[V3], scheme: Scheme, steps: (f64, usize), near: f64) {
    let (one, other) = (ONE.run(&scene(ONE), turns, scheme, steps), units.run(&scene(units), turns, scheme, steps));
    let apart = apart(&one, &other);
    assert!(apart <= near, "{units:?}, {scheme:?}: {apart:e}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn balls_bounce_alike(units in units()) {
        SCHEMES.iter().for_each(|scheme| compare(units, ball, &[], *scheme, (2e-3, 600), 1e-8));
    }

    #[test]
    fn blocks_stop_alike(units in units()) {
        SCHEMES.iter().for_each(|scheme| compare(units, incline, &[], *scheme, (2e-3, 300), 1e-8));
    }

    #[test]
    fn rods_strike_their_stops_alike(units in units()) {
        SCHEMES.iter().for_each(|scheme| compare(units, stop, &[], *scheme, (2e-3, 400), 1e-7));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn towers_stand_alike(units in units()) {
        compare(units, tower, &[], Scheme::GapLcp, (5e-3, 100), 1e-6);
    }

    /// Turned a little each, they fall on one another: a tenth of a second after the first has landed, when solvers end at 1e-8 of the speeds.
    #[test]
    fn piles_fall_alike(units in units()) {
        let turns: Vec<V3> = (0..8).map(|k| V3::new(0.02, -0.03, 0.05) * (k as f64 - 3.5)).collect();
        compare(units, pile, &turns, Scheme::GapLcp, (5e-3, 50), 1e-5);
    }
}

/// A solve without any work to spend leaves a step that says so, or is refused; with it again the same motion goes on.
#[test]
fn steps_keep_to_their_budget() {
    let (model, contacts) = tower(ONE);
    let mechanism = Arc::new(Mechanism::compile(&model).unwrap());
    for scheme in SCHEMES {
        let set = ContactSet::compile(&model, &contacts, &mechanism).unwrap();
        let options = TimeStepping { scheme, step: 5e-3, ..TimeStepping::default() };
        let mut stepper = options.start(&mechanism, set, mechanism.start()).unwrap();
        // Until all stand on one another.
        for _ in 0..40 {
            assert!(!stepper.step().unwrap().out_of_budget);
        }
        let mut poor = stepper.clone();
        poor.set_budget(&Budget { work: Some(0), ..Budget::default() });
        // What the last step knows may be enough for the next.
        let record = (0..20).map(|_| poor.step().copied()).find(|done| !matches!(done, Ok(r) if !r.out_of_budget));
        match record {
            Some(Ok(record)) => assert!(record.residual > 1e-9, "{scheme:?}: {record:?}"),
            Some(Err(error)) => {
                assert!(matches!(error, fourbar_contact::Error::Unsolved { .. }), "{scheme:?}: {error}")
            }
            None => assert!(scheme == Scheme::GapLcp, "{scheme:?}"),
        }
        assert!(stepper.step().unwrap().residual <= 1e-8, "{scheme:?}");
    }
}
