//! Planar linkages of joints in space, drawn anywhere: a slider-crank and a four-bar, both with three redundant rows, and their closed forms.

use fourbar_multibody::expression::Expression;
use fourbar_multibody::model::{
    Body, Component, Exact, Frame, Joint, JointKind, MarkerRef, Measure, MeasureKind, Model, Motion, Orientation,
    Place, Vector3, VectorMeasure, vector, zero,
};
use nalgebra::Vector3 as V;
use num_dual::{Dual2_64, DualNum};
use proptest::prelude::*;
use std::f64::consts::PI;

type V3 = V<f64>;

/// How the far end of the coupler is led.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Follower {
    /// Along a line at this height.
    Slider { height: f64 },
    /// By a rocker of this length on a pivot at this distance along x.
    Rocker { length: f64, pivot: f64 },
}

/// A crank of length 1 that turns, drawn in a plane of its own. Lengths count in `unit`.
#[derive(Debug, Clone)]
pub(crate) struct Linkage {
    pub(crate) coupler: f64,
    pub(crate) follower: Follower,
    pub(crate) normal: V3,
    /// Angle of the crank at the start \[rad\].
    pub(crate) start: f64,
    /// Over time; nothing lets the crank run free.
    pub(crate) turn: Option<String>,
    /// Of the crank at the start [rad/s].
    pub(crate) spin: f64,
    /// In its plane, in lengths over s^2.
    pub(crate) gravity: [f64; 2],
    pub(crate) unit: f64,
    /// Places of the joints along the normal: no row sees them.
    pub(crate) heights: [f64; 4],
    /// How far the list of joints is rotated, which no result may tell.
    pub(crate) rotated: usize,
}

impl Linkage {
    /// A crank of length 1 and a rod of length 3 in the plane whose normal is (1, 2, 2)/3.
    pub(crate) fn slider_crank(start: f64) -> Self {
        Self {
            coupler: 3.0,
            follower: Follower::Slider { height: 0.0 },
            normal: V3::new(1.0, 2.0, 2.0) / 3.0,
            start,
            turn: Some("2*pi*time".into()),
            spin: 2.0 * PI,
            gravity: [0.0; 2],
            unit: 1.0,
            heights: [0.0; 4],
            rotated: 0,
        }
    }

    /// Any, drawn in any plane, of any size between 1e-9 and 1e9. Planes are tilted a little too: as much as round-off, or as single precision leaves.
    pub(crate) fn any() -> impl Strategy<Value = Self> {
        let follower = (1.2..4.0, 1.2..4.0, 0.05..0.95, -1.0..1.0, any::<bool>());
        let normal = prop_oneof![
            Just([0.0, 0.0, 1.0]),
            [-1.0..1.0, -1.0..1.0, -1.0..1.0_f64],
            (-17.0..0.0).prop_map(|tilt| [10_f64.powf(tilt), 0.3 * 10_f64.powf(tilt), 1.0]),
        ];
        let drawn = (normal, 0.0..2.0 * PI, -9.0..9.0, [-1.0..1.0, -1.0..1.0, -1.0..1.0, -1.0..1.0_f64], 0..4_usize);
        (follower, drawn).prop_map(|((coupler, length, part, height, slides), drawn)| {
            let ([x, y, z], start, power, heights, rotated) = drawn;
            // Of a crank that turns all the way the ground lies between these (Grashof).
            let [least, most]: [f64; 2] = [1.0 + f64::abs(coupler - length), coupler + length - 1.0];
            let pivot = least.max(1.0) + part * (most - least.max(1.0));
            let follower = match slides {
                true => Follower::Slider { height: 0.9 * height * (coupler - 1.0) },
                false => Follower::Rocker { length, pivot },
            };
            let normal = V3::new(x, y, z + if z == 0.0 { 1e-3 } else { 0.0 }).normalize();
            let unit = 10_f64.powf(power);
            Self { coupler, follower, normal, start, heights, rotated, unit, ..Self::slider_crank(start) }
        })
    }

    /// Directions x and y of its plane.
    fn axes(&self) -> [V3; 2] {
        let least = (0..3).min_by(|&a, &b| self.normal[a].abs().total_cmp(&self.normal[b].abs())).unwrap_or(0);
        let mut x = V3::zeros();
        x[least] = 1.0;
        let x = (x - self.normal * self.normal[least]).normalize();
        [x, self.normal.cross(&x)]
    }

    /// A vector of its plane in space.
    pub(crate) fn in_space(&self, [x, y]: [f64; 2]) -> V3 {
        let [i, j] = self.axes();
        (i * x + j * y) * self.unit
    }

    /// Far end of the coupler where the crank stands at `angle`.
    pub(crate) fn end<D: DualNum<Primitive = f64> + Copy>(&self, angle: D) -> [D; 2] {
        let pin = [angle.cos(), angle.sin()];
        match self.follower {
            Follower::Slider { height } => {
                let off = pin[1] - height;
                [pin[0] + (-off * off + self.coupler * self.coupler).sqrt(), D::from(height)]
            }
            Follower::Rocker { length, pivot } => {
                // On the circles about the pin and about the pivot.
                let way = [-pin[0] + pivot, -pin[1]];
                let distance = (way[0] * way[0] + way[1] * way[1]).sqrt();
                let (x, y) = (way[0] / distance, way[1] / distance);
                let along = (distance * distance + (self.coupler * self.coupler - length * length)) / (distance * 2.0);
                let off = (-along * along + self.coupler * self.coupler).sqrt();
                [pin[0] + along * x - off * y, pin[1] + along * y + off * x]
            }
        }
    }

    /// Velocity and acceleration of that end in space, where the crank turns at `rate` and `change` of it.
    pub(crate) fn motion_of_end(&self, angle: f64, rate: f64, change: f64) -> [V3; 2] {
        let [x, y] = self.end(Dual2_64::new(angle, 1.0, 0.0));
        let slope = self.in_space([x.v1, y.v1]);
        [slope * rate, self.in_space([x.v2, y.v2]) * (rate * rate) + slope * change]
    }

    /// Angles of the crank at which it lies along the coupler, and along x.
    pub(crate) fn dead_centres(&self) -> Vec<f64> {
        let lie = |reach: f64, fold: f64| match self.follower {
            Follower::Slider { height } => (height / reach).asin() + fold,
            Follower::Rocker { length, pivot } => {
                ((reach * reach + pivot * pivot - length * length) / (2.0 * reach * pivot)).acos() + fold
            }
        };
        let folded = match self.follower {
            Follower::Slider { height } => {
                PI - (height / (self.coupler - 1.0)).asin() + 2.0 * (height / (self.coupler - 1.0)).asin()
            }
            Follower::Rocker { .. } => lie(self.coupler - 1.0, PI),
        };
        vec![lie(self.coupler + 1.0, 0.0), folded, 0.0, PI]
    }

    pub(crate) fn model(&self) -> Model {
        let (pin, end) = ([self.start.cos(), self.start.sin()], self.end(self.start));
        let middle = |p: [f64; 2], q: [f64; 2]| [0, 1].map(|k| (p[k] + q[k]) / 2.0);
        let ground = match self.follower {
            Follower::Slider { .. } => end,
            Follower::Rocker { pivot, .. } => [pivot, 0.0],
        };
        let bodies = vec![
            self.body("crank", middle([0.0; 2], pin), pin),
            self.body("coupler", middle(pin, end), [end[0] - pin[0], end[1] - pin[1]]),
            self.body("follower", end, [1.0, 0.0]),
        ];
        let mut joints = vec![
            self.joint("O", 0, ["crank", "ground"], [0.0; 2]),
            self.joint("A", 1, ["coupler", "crank"], pin),
            self.joint("B", 2, ["follower", "coupler"], end),
            self.joint("C", 3, ["follower", "ground"], ground),
        ];
        joints.rotate_left(self.rotated);
        let drive = |turn: &String| Motion {
            name: "drive".into(),
            joint: Some("O".into()),
            i: None,
            j: None,
            direction: None,
            displacement: Some(Expression::parse(turn).expect("an expression")),
            velocity: None,
            acceleration: None,
            initial_displacement: None,
            initial_velocity: None,
        };
        let acceleration = |component: Component| {
            let of = VectorMeasure {
                i: "follower".into(),
                j: None,
                frame: None,
                component: Some(component),
                seen_from: None,
            };
            Measure { name: format!("{component:?}"), kind: MeasureKind::Acceleration(of) }
        };
        Model {
            gravity: v(self.in_space(self.gravity)),
            bodies,
            joints,
            motions: self.turn.iter().map(drive).collect(),
            measures: [Component::X, Component::Y, Component::Z].map(acceleration).to_vec(),
            ..Model::default()
        }
    }

    fn body(&self, name: &str, at: [f64; 2], along: [f64; 2]) -> Body {
        let axes = Orientation {
            x_axis: Some(v(self.in_space(along) / self.unit)),
            z_axis: Some(v(self.normal)),
            ..Orientation::default()
        };
        Body {
            name: name.into(),
            mass: 2.0.into(),
            inertia: [0.1, 0.3, 0.35].iter().map(|i| (i * self.unit * self.unit).into()).collect(),
            center_of_mass: zero(),
            position: v(self.in_space(at)),
            orientation: axes,
            velocity: zero(),
            angular_velocity: if name == "crank" { v(self.normal * self.spin) } else { zero() },
            exact: if name == "crank" { vec![Exact::AngularVelocity] } else { vec![] },
            solids: Vec::new(),
        }
    }

    fn joint(&self, name: &str, number: usize, bodies: [&str; 2], at: [f64; 2]) -> Joint {
        let slides = number == 3 && matches!(self.follower, Follower::Slider { .. });
        let kind = if slides { JointKind::Prismatic } else { JointKind::Revolute };
        let z = if slides { self.axes()[0] } else { self.normal };
        let place = self.in_space(at) + self.normal * (self.unit * self.heights[number]);
        let [i, j] = bodies.map(|body| -> MarkerRef {
            let (position, orientation) = (v(place), Orientation::z_along(z.into()));
            Place { body: body.into(), position, orientation, frame: Frame::Global }.into()
        });
        Joint { name: name.into(), kind, i, j, length: None, pitch: None, initial: Default::default() }
    }
}

fn v(v: V3) -> Vector3 {
    vector(v.into())
}
