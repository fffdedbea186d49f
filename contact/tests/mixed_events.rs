//! Boxes, balls and ropes together, where some contacts slip while others stick on redundant rows: the run gets to its end, holds what
//! holds, and says so if it does not get on.

use crate::support;
use approx::assert_abs_diff_eq;
use fourbar_contact::Error;
use fourbar_contact::event::{Closed, EventDriven, EventStepper, Reached};
use fourbar_contact::law::{ImpactLaw, Restitution};
use fourbar_contact::model::*;
use fourbar_contact::pair::ContactSet;
use fourbar_contact::unilateral::Contacts;
use fourbar_multibody::model::{Body, MarkerRef, Model, Orientation, Place, vector};
use fourbar_multibody::space::{Pose, V3};
use fourbar_multibody::{Mechanism, State};
use serde::Deserialize;
use std::sync::Arc;
use support::body;

const G: f64 = 9.81;

fn start(
    model: &Model,
    contacts: &ContactModel,
    options: EventDriven,
    end: f64,
) -> (EventStepper<ContactSet>, ContactSet) {
    let mechanism = Arc::new(Mechanism::compile(model).unwrap());
    let set = ContactSet::compile(model, contacts, &mechanism).unwrap();
    (options.start(&mechanism, set.clone(), mechanism.start(), end).unwrap(), set)
}

/// A scene of `reference/mixed_scenes.json`.
#[derive(Deserialize)]
struct Scene {
    name: String,
    end: f64,
    law: Restitution,
    model: Model,
    contacts: ContactModel,
}

impl Scene {
    fn energy(&self, state: &State) -> f64 {
        let of = |(body, pose): (&Body, &Pose)| {
            let (m, w) = (body.mass.value().unwrap(), pose.a.tr_mul(&pose.w));
            let inertia = V3::from_fn(|k, _| body.inertia[k].value().unwrap());
            m * (0.5 * pose.v.norm_squared() + G * pose.x.z) + 0.5 * inertia.dot(&w.component_mul(&w))
        };
        self.model.bodies.iter().zip(&state.poses).map(of).sum()
    }

    /// To the end: the energy never rises, nothing enters anything.
    fn run(&self) {
        let law = ImpactLaw { restitution: self.law, ..ImpactLaw::default() };
        let options = EventDriven { law, tolerance: 1e-10, ..EventDriven::default() };
        let (mut run, mut set) = start(&self.model, &self.contacts, options, self.end);
        let first = self.energy(run.state());
        let (mut before, mut found) = (first, Vec::new());
        loop {
            let reached = run.step().unwrap_or_else(|e| panic!("{}: {e}", self.name));
            let (time, state) = (run.time(), run.state());
            let now = self.energy(state);
            assert!(now - before <= 1e-8 * first, "{}: {:e} J gained at {time} s", self.name, now - before);
            before = now;
            let poses: Vec<Pose> = state.poses.iter().copied().chain([Pose::ground()]).collect();
            set.find(time, &poses, f64::INFINITY, &mut found).unwrap();
            let lowest = found.iter().map(|c| c.gap).fold(f64::INFINITY, f64::min);
            assert!(lowest >= -1e-9, "{}: overlap {lowest:e} m at {time} s", self.name);
            if reached == Reached::EndTime {
                return;
            }
        }
    }
}

#[derive(Deserialize)]
struct Scenes {
    scenes: Vec<Scene>,
}

#[test]
fn scenes_of_boxes_balls_and_ropes_come_to_their_ends() {
    let file: Scenes = serde_json::from_str(include_str!("reference/mixed_scenes.json")).unwrap();
    file.scenes.iter().for_each(Scene::run);
}

/// A floor whose tangential axes are turned by `angle`.
fn floor(angle: f64) -> MarkerRef {
    let (z, x) = (vector([0.0, 1.0, 0.0]), vector([angle.cos(), 0.0, angle.sin()]));
    let orientation = Orientation { z_axis: Some(z), x_axis: Some(x), ..Default::default() };
    Place { body: "ground".into(), position: vector([0.0; 3]), orientation, frame: Default::default() }.into()
}

fn slab(name: &str, z: f64) -> Body {
    let s = [0.4, 0.05, 0.3_f64].map(|l| l * l / 12.0);
    body(name, 1.0, [s[1] + s[2], s[2] + s[0], s[0] + s[1]], [0.0, 0.025, z], 0.0)
}

fn slab_on(name: &str, j: MarkerRef, mu: f64) -> Contact {
    let kind = BoxPlane { i: name.into(), size: vector([0.4, 0.05, 0.3]), j, offset: 0.0.into() };
    Contact::new(name, ContactKind::BoxPlane(kind)).with_friction(mu)
}

/// Two slabs on a slope of 0.45: the one of mu = 0.5 stays, on twelve rows of which six are redundant, while the other slides with mu = 0.2
/// at 0.45 g - 0.2 g. They know nothing of each other, but are decided on together.
#[test]
fn what_slides_does_not_loosen_what_sticks() {
    for angle in [0.0, 0.4, 1.1] {
        let bodies = vec![slab("stays", 0.0), slab("slides", 1.0)];
        let model = Model { gravity: vector([0.45 * G, -G, 0.0]), bodies, ..Model::default() };
        let contacts = vec![slab_on("stays", floor(angle), 0.5), slab_on("slides", floor(angle), 0.2)];
        let contacts = ContactModel { contacts, ..ContactModel::default() };
        let (mut run, _) = start(&model, &contacts, EventDriven::default(), 1.0);
        run.run().unwrap();
        let poses = run.state().poses.clone();
        assert!(poses[0].v.norm() <= 1e-12 && poses[0].x.x.abs() <= 1e-12, "angle {angle}: {:?}", poses[0]);
        assert_abs_diff_eq!(poses[1].v.x, 0.25 * G, epsilon = 1e-10);
        assert_abs_diff_eq!(poses[1].x.x, 0.125 * G, epsilon = 1e-10);
        assert!(run.statistics().steps < 100, "angle {angle}: {} steps", run.statistics().steps);
    }
}

/// A slab that lies on a floor and touches a wall, which nothing presses it against: the forces are not unique, but the wall carries no
/// more of its weight than friction allows by what it presses.
#[test]
fn friction_carries_no_more_than_what_presses_allows() {
    let model = Model { gravity: vector([0.0, -G, 0.0]), bodies: vec![slab("slab", 0.0)], ..Model::default() };
    let (x, y) = (vector([1.0, 0.0, 0.0]), vector([0.0, 1.0, 0.0]));
    let orientation = Orientation { z_axis: Some(x), x_axis: Some(y), ..Default::default() };
    let at_end = vector([-0.2, 0.0, 0.0]);
    let wall = Place { body: "ground".into(), position: at_end, orientation, frame: Default::default() };
    let mut wall = slab_on("slab", wall.into(), 0.3);
    wall.name = "wall".into();
    let contacts = vec![slab_on("slab", floor(0.0), 0.3), wall];
    let contacts = ContactModel { contacts, ..ContactModel::default() };
    let (mut run, _) = start(&model, &contacts, EventDriven::default(), 0.1);
    run.run().unwrap();
    let forces = run.forces().unwrap().to_vec();
    assert!(!run.unique_forces() && run.closed().iter().any(|c| c.id.pair == 1));
    // Upwards act the normal forces of the floor and the friction of the wall along its x axis.
    let upward = |(closed, force): (&Closed, &[f64; 6])| force[usize::from(closed.id.pair == 1)];
    assert_abs_diff_eq!(run.closed().iter().zip(&forces).map(upward).sum::<f64>(), G, epsilon = 1e-9);
    for [normal, t1, t2, ..] in forces {
        assert!(t1.hypot(t2) <= 0.3 * normal + 1e-9, "{normal} {t1} {t2}");
    }
}

fn elastic_ball(options: EventDriven) -> EventStepper<ContactSet> {
    let ball = body("ball", 1.0, [1e-3; 3], [0.0, 0.11, 0.0], 0.0);
    let model = Model { gravity: vector([0.0, -G, 0.0]), bodies: vec![ball], ..Model::default() };
    let kind = SpherePlane { i: "ball".into(), radius: 0.1.into(), j: floor(0.0), offset: 0.0.into() };
    let contacts = vec![Contact::new("bounce", ContactKind::SpherePlane(kind)).with_restitution(1.0)];
    start(&model, &ContactModel { contacts, ..ContactModel::default() }, options, 1e6).0
}

#[test]
fn a_motion_that_does_not_get_on_ends_with_a_word() {
    // A ball that hops 1 cm high, every 0.09 s, is called too slow for once.
    let mut run = elastic_ball(EventDriven { pace_min: 1.0, ..EventDriven::default() });
    let error = run.run().unwrap_err();
    let Error::Stalled { steps, since, time, contacts } = &error else { panic!("{error}") };
    assert_eq!((*steps, *since, contacts.len()), (2000, 0.0, 1));
    assert!(*time < 2000.0 && *time == run.time(), "{error}");
    assert!(error.to_string().contains("bounce"), "{error}");
    // What came before is there.
    assert!(!run.log().is_empty());
}

#[test]
fn a_pace_out_of_range_is_refused() {
    for pace_min in [-1.0, f64::NAN] {
        let mechanism =
            Arc::new(Mechanism::compile(&Model { bodies: vec![slab("a", 0.0)], ..Model::default() }).unwrap());
        let model = Model { bodies: vec![slab("a", 0.0)], ..Model::default() };
        let set = ContactSet::compile(&model, &ContactModel::default(), &mechanism).unwrap();
        let options = EventDriven { pace_min, ..EventDriven::default() };
        let Err(error) = options.start(&mechanism, set, mechanism.start(), 1.0) else { panic!("{pace_min}") };
        assert!(matches!(error, Error::Option { name: "pace_min", .. }), "{error}");
    }
}
