//! Boxes dropped on one another and on the ground, as models: piles, towers, walls, heaps.
#![allow(dead_code, unreachable_pub, reason = "each test and bench uses its part")]

use crate::piles::Numbers;
use fourbar_contact::model::{BoxShape, Contact, ContactKind, ContactModel, Geometry, HalfSpaceShape, Shape, Shapes};
use fourbar_contact::pair::ContactSet;
use fourbar_multibody::Mechanism;
use fourbar_multibody::model::{Body, Model, vector};
use fourbar_multibody::space::{Pose, V3, rotation};
use std::sync::Arc;

/// Edge of a box \[m\], and its mass \[kg\].
pub const EDGE: f64 = 0.2;
pub const MASS: f64 = 8.0;

/// A cube of edge [`EDGE`], somewhere.
#[derive(Debug, Clone, Copy)]
pub struct Brick {
    pub at: V3,
    /// Rotation vector.
    pub turn: V3,
    pub mass: f64,
}

impl Brick {
    pub fn new(x: f64, y: f64, z: f64) -> Self {
        Self { at: V3::new(x, y, z), turn: V3::zeros(), mass: MASS }
    }
}

/// `count` layers of `across` x `across` boxes, `pitch` from middle to middle, layers 0.1 m above one another and above the
/// ground. Every second layer is moved by `stagger` along x and y.
pub fn layers(count: usize, across: usize, pitch: f64, stagger: f64) -> Vec<Brick> {
    let boxes = (0..count).flat_map(|k| (0..across).flat_map(move |i| (0..across).map(move |j| (k, i, j))));
    let brick = |(k, i, j): (usize, usize, usize)| {
        let moved = stagger * (k % 2) as f64;
        let z = 0.1 + 0.5 * EDGE + (EDGE + 0.1) * k as f64;
        Brick::new(pitch * i as f64 + moved, pitch * j as f64 + moved, z)
    };
    boxes.map(brick).collect()
}

/// The same bricks, all together turned by `angle` about the vertical.
pub fn turned(bricks: Vec<Brick>, angle: f64) -> Vec<Brick> {
    let turn = V3::new(0.0, 0.0, angle);
    bricks.into_iter().map(|brick| Brick { at: rotation(&turn) * brick.at, turn, ..brick }).collect()
}

/// The same bricks, each turned about its own vertical by up to `angle` either way.
pub fn twisted(bricks: Vec<Brick>, angle: f64, seed: u64) -> Vec<Brick> {
    let mut numbers = Numbers(seed);
    bricks.into_iter().map(|brick| Brick { turn: V3::new(0.0, 0.0, angle * numbers.next()), ..brick }).collect()
}

/// A tower at rest; the mass of box k from below is `mass(k)`.
pub fn tower(height: usize, mass: impl Fn(usize) -> f64) -> Vec<Brick> {
    let brick = |k: usize| Brick { mass: mass(k), ..Brick::new(0.0, 0.0, EDGE * (k as f64 + 0.5)) };
    (0..height).map(brick).collect()
}

/// A wall in running bond, `wide` bricks at the bottom, one fewer in each row above, at rest and without side by side contact.
pub fn wall(wide: usize) -> Vec<Brick> {
    let rows = (0..wide).flat_map(|row| (0..wide - row).map(move |k| (row, k)));
    let pitch = EDGE + 0.01;
    rows.map(|(row, k)| Brick::new((k as f64 + 0.5 * row as f64) * pitch, 0.0, EDGE * (row as f64 + 0.5))).collect()
}

/// Boxes in any orientation above one another, four a level.
pub fn thrown(count: usize, seed: u64) -> Vec<Brick> {
    let mut numbers = Numbers(seed);
    let brick = |k: usize| {
        let corner = |bit: usize| if k >> bit & 1 == 1 { 0.2 } else { -0.2 };
        let at = V3::new(corner(0), corner(1), 0.3 + 0.4 * (k / 4) as f64) + 0.02 * numbers.vector();
        Brick { at, turn: 3.0 * numbers.vector(), mass: MASS }
    };
    (0..count).map(brick).collect()
}

/// Model, mechanism and contacts of bricks above the ground, with the coefficient of friction `mu`.
pub fn compile(bricks: &[Brick], mu: f64) -> (Arc<Mechanism>, ContactSet) {
    compile_elastic(bricks, mu, 0.0)
}

/// The same with the coefficient of restitution `e`.
pub fn compile_elastic(bricks: &[Brick], mu: f64, e: f64) -> (Arc<Mechanism>, ContactSet) {
    compile_as(bricks, mu, e, |_| Geometry::Box(BoxShape { size: vector([EDGE; 3]) }))
}

/// The same with a shape for each body.
pub fn compile_as(
    bricks: &[Brick],
    mu: f64,
    e: f64,
    geometry: impl Fn(usize) -> Geometry,
) -> (Arc<Mechanism>, ContactSet) {
    let body = |(k, brick): (usize, &Brick)| Body {
        name: format!("box {k}"),
        mass: brick.mass.into(),
        inertia: vec![(brick.mass * EDGE * EDGE / 6.0).into(); 3],
        center_of_mass: vector([0.0; 3]),
        position: vector(brick.at.into()),
        orientation: Default::default(),
        velocity: vector([0.0; 3]),
        angular_velocity: vector([0.0; 3]),
        exact: vec![],
        solids: Vec::new(),
    };
    let shape = |k: usize| Shape {
        name: format!("shape {k}"),
        on: format!("box {k}").as_str().into(),
        group: Some("pile".to_owned()),
        geometry: geometry(k),
    };
    let ground = Shape {
        name: "floor".to_owned(),
        on: "ground".into(),
        group: Some("pile".to_owned()),
        geometry: Geometry::HalfSpace(HalfSpaceShape {}),
    };
    let model = Model {
        bodies: bricks.iter().enumerate().map(body).collect(),
        gravity: vector([0.0, 0.0, -9.81]),
        ..Model::default()
    };
    let contact = Contact::new("pile", ContactKind::Shapes(Shapes { i: "pile".into(), j: None, joined: false }));
    let contacts = ContactModel {
        shapes: (0..bricks.len()).map(shape).chain([ground]).collect(),
        contacts: vec![contact.with_friction(mu).with_restitution(e)],
    };
    let mechanism = Arc::new(Mechanism::compile(&model).expect("a mechanism"));
    let set = ContactSet::compile(&model, &contacts, &mechanism).expect("contacts");
    (mechanism, set)
}

/// The state at the start, with the bricks turned.
pub fn start(bricks: &[Brick], mechanism: &Mechanism) -> fourbar_multibody::State {
    let mut state = mechanism.start().clone();
    for (pose, brick) in state.poses.iter_mut().zip(bricks) {
        pose.a = rotation(&brick.turn);
    }
    state
}

/// Bodies and, last, the ground.
pub fn with_ground(poses: &[Pose]) -> Vec<Pose> {
    poses.iter().copied().chain([Pose::ground()]).collect()
}
