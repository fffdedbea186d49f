//! Boxes whose corners pass the edges of others: they slide and tip off a table, and a domino knocks over the next.

use crate::support;
use approx::assert_relative_eq;
use fourbar_contact::event::{EventDriven, EventStepper, Reached};
use fourbar_contact::model::*;
use fourbar_contact::pair::ContactSet;
use fourbar_multibody::model::{Body, MarkerRef, Model, Orientation, Place, vector};
use fourbar_multibody::space::Pose;
use fourbar_multibody::{Mechanism, State};
use std::sync::Arc;
use support::body;

const G: f64 = 9.81;

/// Boxes of uniform density 1000 kg/m^3, and what they stand on.
struct Scene {
    bodies: Vec<Body>,
    shapes: Vec<Shape>,
    friction: f64,
    restitution: f64,
}

fn shape(name: &str, on: MarkerRef, geometry: Geometry) -> Shape {
    Shape { name: name.into(), on, group: Some("all".into()), geometry }
}

fn cuboid(size: [f64; 3]) -> Geometry {
    Geometry::Box(BoxShape { size: vector(size) })
}

impl Scene {
    fn new(friction: f64, restitution: f64) -> Self {
        Self { bodies: vec![], shapes: vec![], friction, restitution }
    }

    fn floor(mut self) -> Self {
        self.shapes.push(shape("floor", "ground".into(), Geometry::HalfSpace(HalfSpaceShape {})));
        self
    }

    /// A table of 1 m x 1 m, its top at the height 0, its edge at x = 0.
    fn table(mut self) -> Self {
        let place = Place {
            body: "ground".into(),
            position: vector([-0.5, 0.0, -0.05]),
            orientation: Orientation::default(),
            frame: Default::default(),
        };
        self.shapes.push(shape("table", place.into(), cuboid([1.0, 1.0, 0.1])));
        self
    }

    fn with(mut self, size: [f64; 3], x: [f64; 3], velocity: [f64; 3], spin: [f64; 3]) -> Self {
        let name = format!("box {}", self.bodies.len());
        let mass = 1000.0 * size.iter().product::<f64>();
        let s = size.map(|l| l * l / 12.0 * mass);
        let mut solid = body(&name, mass, [s[1] + s[2], s[2] + s[0], s[0] + s[1]], x, 0.0);
        (solid.velocity, solid.angular_velocity) = (vector(velocity), vector(spin));
        self.shapes.push(shape(&format!("shape {name}"), name.as_str().into(), cuboid(size)));
        self.bodies.push(solid);
        self
    }

    fn start(&self, end: f64) -> (EventStepper<ContactSet>, ContactSet, Arc<Mechanism>) {
        let model = Model { gravity: vector([0.0, 0.0, -G]), bodies: self.bodies.clone(), ..Model::default() };
        let touch = Contact::new("touch", ContactKind::Shapes(Shapes { i: "all".into(), j: None, joined: false }));
        let contacts = ContactModel {
            shapes: self.shapes.clone(),
            contacts: vec![touch.with_friction(self.friction).with_restitution(self.restitution)],
        };
        let mechanism = Arc::new(Mechanism::compile(&model).unwrap());
        let set = ContactSet::compile(&model, &contacts, &mechanism).unwrap();
        let options = EventDriven { tolerance: 1e-9, events_max: 20_000, ..EventDriven::default() };
        let run = options.start(&mechanism, set.clone(), mechanism.start(), end).unwrap();
        (run, set, mechanism)
    }

    /// To the end: energy never rises, and nothing overlaps.
    fn follow(&self, end: f64) -> Result<State, String> {
        let (mut run, set, mechanism) = self.start(end);
        let energy = |state: &State| {
            let bodies = state.poses.iter().zip(mechanism.bodies());
            bodies
                .map(|(pose, body)| {
                    let w = pose.a.tr_mul(&pose.w);
                    0.5 * (body.mass * pose.v.norm_squared() + w.dot(&(body.inertia * w))) + body.mass * G * pose.x.z
                })
                .sum::<f64>()
        };
        let scale: f64 = mechanism.bodies().iter().map(|b| b.mass * G * 0.1).sum();
        let mut before = energy(run.state());
        loop {
            let reached = run.step().map_err(|e| format!("t = {}: {e}", run.time()))?;
            let state = run.state();
            let now = energy(state);
            if now > before + 1e-7 * scale {
                return Err(format!("t = {}: {:e} of {scale:e} J gained", state.time, now - before));
            }
            before = now;
            let poses: Vec<Pose> = state.poses.iter().copied().chain([Pose::ground()]).collect();
            let depth = set.overlap(&poses);
            if depth > 1e-7 {
                return Err(format!("t = {}: {depth:e} m inside", state.time));
            }
            if reached == Reached::EndTime {
                return Ok(run.state().clone());
            }
        }
    }
}

#[test]
fn a_box_slides_over_the_edge_and_falls() {
    for (friction, restitution) in [(0.0, 0.0), (0.3, 0.0), (0.1, 0.5)] {
        let scene = Scene::new(friction, restitution).table().with(
            [0.2, 0.1, 0.1],
            [-0.11, 0.02, 0.05],
            [1.5, 0.0, 0.0],
            [0.0; 3],
        );
        let state = scene.follow(0.8).unwrap_or_else(|e| panic!("{friction} {restitution}: {e}"));
        let pose = &state.poses[0];
        assert!(pose.x.z < -0.5 && pose.w.y > 0.1, "{friction}: {pose:?}");
    }
}

#[test]
fn a_board_tips_about_the_edge_as_a_pendulum_does() {
    // 0.2 m long, 0.02 m thick, its middle d beyond the edge: I_P w^2/2 = m g (d sin(angle) + (c/2) (1 - cos(angle))).
    let (length, c, d) = (0.2, 0.02, 0.02_f64);
    let scene = Scene::new(1.0, 0.0).table().with([length, 0.1, c], [d, 0.0, 0.5 * c], [0.0; 3], [0.0; 3]);
    let state = scene.follow(0.15).unwrap();
    let pose = &state.poses[0];
    let angle = -pose.a[(2, 0)].atan2(pose.a[(0, 0)]);
    let inertia = (length * length + c * c) / 12.0 + d * d + 0.25 * c * c;
    let speed = (2.0 * G * (d * angle.sin() + 0.5 * c * (1.0 - angle.cos())) / inertia).sqrt();
    assert!(angle > 0.1, "{angle}");
    assert_relative_eq!(pose.w.y, speed, max_relative = 1e-6);
}

fn dominos(count: usize, apart: f64, width: f64) -> Scene {
    let size = [0.0075, width, 0.048];
    let mut scene = Scene::new(0.4, 0.0).floor();
    for k in 0..count {
        let speed = if k == 0 { 6.0 } else { 0.0 };
        scene = scene.with(size, [k as f64 * apart, 0.0, 0.024], [speed * 0.024, 0.0, 0.0], [0.0, speed, 0.0]);
    }
    scene
}

#[test]
fn a_domino_knocks_over_the_next() {
    let state = dominos(2, 0.02, 0.025).follow(1.5).unwrap();
    for pose in &state.poses {
        assert!(pose.x.z < 0.023, "{pose:?}");
    }
}

#[test]
fn a_row_of_dominos_falls_to_the_end() {
    let state = dominos(5, 0.02, 0.025).follow(0.8).unwrap();
    for pose in &state.poses {
        assert!(pose.x.z < 0.023, "{pose:?}");
    }
}
