//! Bodies and the frames fixed to them.

use super::solid::Solid;
use super::vector::{Vector3, vector, zero};
use crate::expression::Expression;
use serde::de::{self, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// A rigid body.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Body {
    /// Name, unique among bodies.
    pub name: String,
    /// Mass \[kg\], positive; left out, as 0, where `solids` give it.
    #[serde(default = "no_mass", skip_serializing_if = "is_no_mass")]
    pub mass: Expression,
    /// Inertia about the centre of mass, in axes parallel to the body frame [kg m^2]: `[Ixx, Iyy, Izz]` or
    /// `[Ixx, Iyy, Izz, Ixy, Ixz, Iyz]`, where the off-diagonal entries are those of the matrix (minus the products of
    /// inertia). Empty: a point mass, which joints must keep from rotating.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub inertia: Vec<Expression>,
    /// Centre of mass in the body frame \[m\].
    #[serde(default = "zero")]
    pub center_of_mass: Vector3,
    /// Origin of the body frame in the global frame at the start \[m\].
    #[serde(default = "zero")]
    pub position: Vector3,
    /// Orientation of the body frame at the start.
    #[serde(default, skip_serializing_if = "Orientation::is_identity")]
    pub orientation: Orientation,
    /// Velocity of the centre of mass at the start, global frame [m/s].
    #[serde(default = "zero")]
    pub velocity: Vector3,
    /// Angular velocity at the start, global frame [rad/s].
    #[serde(default = "zero")]
    pub angular_velocity: Vector3,
    /// Start values that the initial-condition analysis shall keep if it can.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub exact: Vec<Exact>,
    /// What it is made of, in place of `mass`, `inertia` and `center_of_mass`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub solids: Vec<Solid>,
}

fn no_mass() -> Expression {
    Expression::constant(0.0)
}

fn is_no_mass(mass: &Expression) -> bool {
    *mass == no_mass()
}

/// A start value of a body that shall be kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Exact {
    /// Centre of mass, global x.
    X,
    /// Centre of mass, global y.
    Y,
    /// Centre of mass, global z.
    Z,
    /// The orientation.
    Orientation,
    /// Velocity of the centre of mass, global x.
    Vx,
    /// Velocity of the centre of mass, global y.
    Vy,
    /// Velocity of the centre of mass, global z.
    Vz,
    /// The angular velocity.
    AngularVelocity,
}

impl Exact {
    /// Its name in files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::X => "x",
            Self::Y => "y",
            Self::Z => "z",
            Self::Orientation => "orientation",
            Self::Vx => "vx",
            Self::Vy => "vy",
            Self::Vz => "vz",
            Self::AngularVelocity => "angular_velocity",
        }
    }

    /// Its unit.
    #[must_use]
    pub fn unit(self) -> &'static str {
        match self {
            Self::X | Self::Y | Self::Z => "m",
            Self::Orientation => "rad",
            Self::Vx | Self::Vy | Self::Vz => "m/s",
            Self::AngularVelocity => "rad/s",
        }
    }

    /// Whether it is one of positions (0) or velocities (1), and its coordinates among three of the centre of mass and three of the turn.
    pub(crate) fn coordinates(self) -> (usize, std::ops::Range<usize>) {
        match self {
            Self::X => (0, 0..1),
            Self::Y => (0, 1..2),
            Self::Z => (0, 2..3),
            Self::Orientation => (0, 3..6),
            Self::Vx => (1, 0..1),
            Self::Vy => (1, 1..2),
            Self::Vz => (1, 2..3),
            Self::AngularVelocity => (1, 3..6),
        }
    }
}

/// A named frame fixed to a body.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Marker {
    /// Name, unique among markers.
    pub name: String,
    /// Body it is fixed to, or `ground`.
    pub body: String,
    /// Origin \[m\].
    #[serde(default = "zero")]
    pub position: Vector3,
    /// Orientation.
    #[serde(default, skip_serializing_if = "Orientation::is_identity")]
    pub orientation: Orientation,
    /// Frame in which position and orientation are written.
    #[serde(default, skip_serializing_if = "Frame::is_body")]
    pub frame: Frame,
}

/// Frame in which a marker is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Frame {
    /// The frame of its body.
    #[default]
    Body,
    /// The global frame, with the bodies where the model puts them at the start.
    Global,
}

impl Frame {
    fn is_body(&self) -> bool {
        *self == Self::Body
    }
}

/// A marker without a name, written where it is used.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Place {
    /// Body it is fixed to, or `ground`.
    pub body: String,
    /// Origin \[m\].
    #[serde(default = "zero")]
    pub position: Vector3,
    /// Orientation.
    #[serde(default, skip_serializing_if = "Orientation::is_identity")]
    pub orientation: Orientation,
    /// Frame in which position and orientation are written.
    #[serde(default, skip_serializing_if = "Frame::is_body")]
    pub frame: Frame,
}

/// A marker: by name, or written in place. A body's name stands for its frame, `ground` for the global frame.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(untagged))]
pub enum MarkerRef {
    /// Name of a marker or of a body.
    Name(String),
    /// A marker written in place.
    Inline(Box<Place>),
}

impl From<&str> for MarkerRef {
    fn from(name: &str) -> Self {
        Self::Name(name.to_owned())
    }
}

impl From<Place> for MarkerRef {
    fn from(place: Place) -> Self {
        Self::Inline(Box::new(place))
    }
}

impl Serialize for MarkerRef {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Name(name) => serializer.serialize_str(name),
            Self::Inline(place) => place.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for MarkerRef {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct RefVisitor;
        impl<'de> Visitor<'de> for RefVisitor {
            type Value = MarkerRef;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the name of a marker or body, or a marker in place such as { body = \"rod\", position = [0, 0, 0] }")
            }

            fn visit_str<E: de::Error>(self, name: &str) -> Result<MarkerRef, E> {
                Ok(MarkerRef::Name(name.to_owned()))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<MarkerRef, A::Error> {
                Place::deserialize(de::value::MapAccessDeserializer::new(map))
                    .map(|place| MarkerRef::Inline(Box::new(place)))
            }
        }
        deserializer.deserialize_any(RefVisitor)
    }
}

/// An orientation, in exactly one of its forms; none of them: not turned.
///
/// The columns of the rotation matrix are the axes of the described frame in the frame it is written in.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Orientation {
    /// Euler angles psi, theta, phi \[rad\]: turns about z, the new x, the new z.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub euler_313: Option<Vector3>,
    /// Axis of one turn, with `angle`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub axis: Option<Vector3>,
    /// Angle of the turn about `axis` \[rad\].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub angle: Option<Expression>,
    /// Quaternion `[w, x, y, z]`; normalized on reading.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quaternion: Option<[Expression; 4]>,
    /// Direction of the z axis, alone or with `x_axis`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub z_axis: Option<Vector3>,
    /// Direction of the x axis; made perpendicular to `z_axis` if both are given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub x_axis: Option<Vector3>,
}

impl Orientation {
    /// Whether no form is given.
    #[must_use]
    pub fn is_identity(&self) -> bool {
        *self == Self::default()
    }

    /// A turn by `angle` \[rad\] about `axis`.
    #[must_use]
    pub fn turn(axis: [f64; 3], angle: f64) -> Self {
        Self { axis: Some(vector(axis)), angle: Some(Expression::constant(angle)), ..Self::default() }
    }

    /// The z axis along `direction`; the x axis is chosen.
    #[must_use]
    pub fn z_along(direction: [f64; 3]) -> Self {
        Self { z_axis: Some(vector(direction)), ..Self::default() }
    }
}
