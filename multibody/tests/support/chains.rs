//! Chains and ladders of any number of bodies, each in four drawings, at rest and falling.
//!
//! A chain is a row of rods, each hinged to the one before. A ladder is a row of closed loops: two rails lead from each rung to the next, every
//! loop a parallelogram whose four parallel hinges have three rows too many.

use fourbar_multibody::Model;
use fourbar_multibody::expression::Expression;
use fourbar_multibody::model::{
    Body, Frame, GROUND, Joint, JointKind, MarkerRef, Orientation, Place, Vector3, vector, zero,
};
use fourbar_multibody::space::V3;

/// What is built.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Chain,
    Ladder,
}

/// How it is drawn at the start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Drawing {
    /// Aslant, in one line.
    Straight,
    /// Along x: positions and axes are round numbers.
    Horizontal,
    /// To and fro by 40 degrees.
    Zigzag,
    /// In one line, each hinge turned by 0.4 rad about it against the one before: motion in space.
    Twisted,
}

pub(crate) const KINDS: [Kind; 2] = [Kind::Chain, Kind::Ladder];
pub(crate) const DRAWINGS: [Drawing; 4] = [Drawing::Straight, Drawing::Horizontal, Drawing::Zigzag, Drawing::Twisted];

/// Length of a rod and of a rung \[m\].
const LENGTH: f64 = 0.1;

/// The model with `bodies` bodies; of a ladder, with as many whole cells of three as they make, at least one.
pub(crate) fn model(kind: Kind, drawing: Drawing, bodies: usize) -> Model {
    let mut model = Model { gravity: vector([0.0, -9.81, 0.0]), ..Model::default() };
    let mut at = V3::zeros();
    match kind {
        Kind::Chain => {
            for k in 0..bodies {
                let frame = drawing.frame(k);
                let next = at + frame.along * LENGTH;
                rod(&mut model, &format!("rod{k}"), &frame, at, next);
                let before = k.checked_sub(1).map_or_else(|| GROUND.to_owned(), |k| format!("rod{k}"));
                hinge(&mut model, &format!("hinge{k}"), [&format!("rod{k}"), &before], at, frame.hinge);
                at = next;
            }
        }
        Kind::Ladder => {
            for k in 0..(bodies / 3).max(1) {
                let frame = drawing.frame(k);
                let next = at + frame.along * LENGTH;
                let before = k.checked_sub(1).map_or_else(|| GROUND.to_owned(), |k| format!("rung{k}"));
                let half = frame.across * (0.5 * LENGTH);
                let rung = format!("rung{k}");
                rod(&mut model, &rung, &frame.turned(), next - half, next + half);
                for (side, half) in [("left", half), ("right", -half)] {
                    let rail = format!("{side}{k}");
                    rod(&mut model, &rail, &frame, at + half, next + half);
                    hinge(&mut model, &format!("{rail}-in"), [&rail, &before], at + half, frame.hinge);
                    hinge(&mut model, &format!("{rail}-out"), [&rung, &rail], next + half, frame.hinge);
                }
                at = next;
            }
        }
    }
    model
}

/// Directions of a rod: along it, across it, and of its hinges.
struct Axes {
    along: V3,
    across: V3,
    hinge: V3,
}

impl Axes {
    fn new(along: V3, hinge: V3) -> Self {
        Self { along, across: hinge.cross(&along), hinge }
    }

    fn turned(&self) -> Self {
        Self::new(self.across, self.hinge)
    }
}

impl Drawing {
    fn frame(self, k: usize) -> Axes {
        let plane = |angle: f64| Axes::new(V3::new(angle.cos(), angle.sin(), 0.0), V3::z());
        match self {
            Self::Straight => plane(-0.6),
            Self::Horizontal => Axes::new(V3::x(), V3::z()),
            Self::Zigzag => plane(if k.is_multiple_of(2) { 0.7 } else { -0.7 }),
            Self::Twisted => {
                let turn = 0.4 * k as f64;
                let Axes { along, across, hinge } = plane(-0.6);
                Axes::new(along, hinge * turn.cos() + across * turn.sin())
            }
        }
    }
}

fn rod(model: &mut Model, name: &str, axes: &Axes, from: V3, to: V3) {
    let orientation = Orientation { x_axis: Some(v(axes.along)), z_axis: Some(v(axes.hinge)), ..Default::default() };
    model.bodies.push(Body {
        name: name.to_owned(),
        mass: Expression::constant(1.0),
        inertia: [1e-4, 1e-3, 1e-3].map(Expression::constant).to_vec(),
        center_of_mass: zero(),
        position: v((from + to) * 0.5),
        orientation,
        velocity: zero(),
        angular_velocity: zero(),
        exact: Vec::new(),
        solids: Vec::new(),
    });
}

fn hinge(model: &mut Model, name: &str, bodies: [&str; 2], at: V3, axis: V3) {
    let [i, j] = bodies.map(|body| -> MarkerRef {
        let orientation = Orientation::z_along(axis.into());
        Place { body: body.to_owned(), position: v(at), orientation, frame: Frame::Global }.into()
    });
    model.joints.push(Joint {
        name: name.to_owned(),
        kind: JointKind::Revolute,
        i,
        j,
        length: None,
        pitch: None,
        initial: Default::default(),
    });
}

fn v(v: V3) -> Vector3 {
    vector(v.into())
}
