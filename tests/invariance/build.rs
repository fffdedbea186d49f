//! Machines drawn in the global frame: bodies with frames, centres and moments of inertia at random places.

use super::carry::{axes, number, numbers};
use super::random::Random;
use fourbar::multibody::expression::Expression;
use fourbar::multibody::model::{
    Body, EnergyMeasure, Frame, InitialConditions, Joint, JointKind, MarkerRef, Measure, MeasureKind, Model, Motion,
    Place, Quantity, ReactionMeasure, VectorMeasure, zero,
};
use fourbar::multibody::space::{M3, V3};

/// A model under way. Points are in a frame that stands anywhere.
pub(super) struct Builder {
    pub(super) random: Random,
    origin: V3,
    pub(super) plane: M3,
    /// Whether the first hinge is driven.
    pub(super) driven: bool,
    model: Model,
}

impl Builder {
    pub(super) fn new(mut random: Random, origin: V3, plane: M3, driven: bool) -> Self {
        let gravity = numbers(&(random.direction() * 9.81));
        Self { random, origin, plane, driven, model: Model { gravity, ..Model::default() } }
    }

    /// A number off by up to a tenth.
    pub(super) fn about(&mut self, value: f64) -> f64 {
        value * self.random.within(0.9, 1.1)
    }

    /// The normal of the plane.
    pub(super) fn across(&self) -> V3 {
        self.plane.column(2).into()
    }

    fn global(&self, point: V3) -> V3 {
        self.origin + self.plane * point
    }

    /// A body that joins these points; its name.
    pub(super) fn body(&mut self, points: &[V3]) -> String {
        let middle = points.iter().sum::<V3>() / points.len() as f64;
        let size = points.iter().map(|point| (point - middle).norm()).fold(0.05, f64::max);
        let center = self.global(middle) + self.random.vector(0.2 * size);
        let turn = self.random.rotation();
        let position = center + self.random.vector(0.5 * size);
        let mass = self.random.within(0.5, 2.0);
        // Moments of three pairs of masses on the axes satisfy the inequalities of a triangle.
        let pairs = [0, 1, 2].map(|_| mass * size * size * self.random.within(0.02, 0.4));
        let inertia = [(1, 2), (0, 2), (0, 1)].map(|(k, l)| number(pairs[k] + pairs[l]));
        let name = format!("b{}", self.model.bodies.len() + 1);
        self.model.bodies.push(Body {
            name: name.clone(),
            mass: number(mass),
            inertia: inertia.to_vec(),
            center_of_mass: numbers(&turn.tr_mul(&(center - position))),
            position: numbers(&position),
            orientation: axes(&turn),
            velocity: zero(),
            angular_velocity: zero(),
            exact: Vec::new(),
            solids: Vec::new(),
        });
        name
    }

    /// A body between each point and the next.
    pub(super) fn chain(&mut self, points: &[V3]) -> Vec<String> {
        points.windows(2).map(|ends| self.body(ends)).collect()
    }

    /// Hinges across the plane that join a chain of bodies, from the ground to the ground if there is a point for it.
    pub(super) fn pins(&mut self, bodies: &[String], points: &[V3]) {
        let z = self.across();
        for (k, point) in points.iter().enumerate() {
            let before = if k == 0 { "ground" } else { bodies[k - 1].as_str() };
            match bodies.get(k) {
                Some(body) => self.joint(JointKind::Revolute, body, before, *point, z),
                None => self.joint(JointKind::Revolute, before, "ground", *point, z),
            }
        }
    }

    /// A joint at a point about a global direction, with the same axes on both bodies; of a universal joint the axis on I is another one.
    pub(super) fn joint(&mut self, kind: JointKind, i: &str, j: &str, point: V3, z: V3) {
        let z = z.normalize();
        let x = z.cross(&if z.x.abs() < 0.8 { V3::x() } else { V3::y() }).normalize();
        let y = z.cross(&x);
        let on_j = M3::from_columns(&[x, y, z]);
        let on_i = if kind == JointKind::Universal { M3::from_columns(&[y, z, x]) } else { on_j };
        let position = self.global(point);
        let (i, j) = (self.place(i, position, &on_i), self.place(j, position, &on_j));
        self.push(kind, i, j);
    }

    /// A massless rod from a point of a body to one of the ground.
    pub(super) fn rod(&mut self, body: &str, point: V3, foot: V3) {
        let i = self.place(body, self.global(point), &M3::identity());
        let j = self.place("ground", self.global(foot), &M3::identity());
        self.push(JointKind::Distance, i, j);
    }

    fn place(&self, body: &str, position: V3, turn: &M3) -> MarkerRef {
        Place { body: body.to_owned(), position: numbers(&position), orientation: axes(turn), frame: Frame::Global }
            .into()
    }

    fn push(&mut self, kind: JointKind, i: MarkerRef, j: MarkerRef) {
        let name = format!("j{}", self.model.joints.len() + 1);
        let initial = InitialConditions::default();
        self.model.joints.push(Joint { name, kind, i, j, length: None, pitch: None, initial });
    }

    /// The model, with its first hinge driven or given a speed, and with measures.
    pub(super) fn finish(mut self) -> Model {
        let rate = self.random.within(1.0, 3.0);
        let first = self.model.joints[0].name.clone();
        if self.driven {
            let displacement = Expression::parse(&format!("{rate:?}*time")).expect("a product");
            self.model.motions.push(Motion {
                name: "drive".to_owned(),
                joint: Some(first.clone()),
                i: None,
                j: None,
                direction: None,
                displacement: Some(displacement),
                velocity: None,
                acceleration: None,
                initial_displacement: None,
                initial_velocity: None,
            });
        } else if self.model.joints[0].kind == JointKind::Revolute && self.model.bodies.len() > 2 {
            self.model.joints[0].initial.angular_velocity = Some(number(rate));
        }
        let body = self.model.bodies[self.model.bodies.len() / 2].name.clone();
        self.model.measures = measures(body, first);
        self.model
    }
}

/// Place and acceleration of a body, energy, and the force of a joint.
fn measures(body: String, joint: String) -> Vec<Measure> {
    let point = |i: MarkerRef| VectorMeasure { i, j: None, frame: None, seen_from: None, component: None };
    let reaction = ReactionMeasure {
        joint: Some(joint),
        motion: None,
        force: None,
        coupler: None,
        gear: None,
        rack_and_pinion: None,
        point_on_curve: None,
        curve_on_curve: None,
        constraint: None,
        quantity: Quantity::Force,
        frame: None,
        component: None,
    };
    let kinds = [
        ("place", MeasureKind::Position(point(MarkerRef::Name(body.clone())))),
        ("acceleration", MeasureKind::Acceleration(point(MarkerRef::Name(body)))),
        ("kinetic", MeasureKind::KineticEnergy(EnergyMeasure::default())),
        ("force", MeasureKind::Reaction(reaction)),
    ];
    kinds.map(|(name, kind)| Measure { name: name.to_owned(), kind }).into()
}
