//! Joints and their prescribed motions.

use super::MarkerRef;
use crate::expression::Expression;
use serde::{Deserialize, Serialize};

/// A joint between marker I and marker J of two bodies, one of which may be the ground.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Joint {
    /// Name, unique among joints.
    pub name: String,
    /// Kind.
    #[serde(rename = "type")]
    pub kind: JointKind,
    /// Marker I; reactions are reported as acting on its body.
    pub i: MarkerRef,
    /// Marker J; axes of the joint are those of J.
    pub j: MarkerRef,
    /// Distance of the two origins \[m\], for `distance` only; the distance at the start if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub length: Option<Expression>,
    /// Displacement along z of J in a full turn about it \[m\], for `screw` only and needed there; negative for a left-handed thread.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pitch: Option<Expression>,
    /// Where its coordinates are at the start, and how fast.
    #[serde(default, skip_serializing_if = "InitialConditions::is_empty")]
    pub initial: InitialConditions,
}

/// Initial conditions of a joint, of marker I against marker J. Assembly keeps them exactly; what is left out is free.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct InitialConditions {
    /// Angle about z of J \[rad\]: revolute, cylindrical, screw, planar, parallel axes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub angle: Option<Expression>,
    /// Displacement along z of J \[m\]: prismatic, cylindrical, screw, inline.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub displacement: Option<Expression>,
    /// Rate of the angle [rad/s].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub angular_velocity: Option<Expression>,
    /// Rate of the displacement [m/s].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub velocity: Option<Expression>,
}

impl InitialConditions {
    /// Whether none is given.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// Kind of a joint. In brackets the degrees of freedom it takes away.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum JointKind {
    /// Origins coincide, z axes are parallel: turning about z remains \[5\].
    Revolute,
    /// Sliding along z of J remains, without turning \[5\].
    #[serde(alias = "translational")]
    Prismatic,
    /// Sliding along and turning about z of J remain \[4\].
    Cylindrical,
    /// Origins coincide \[3\].
    Spherical,
    /// Origins coincide, z of I is perpendicular to z of J \[4\].
    Universal,
    /// Origin of I stays in the x-y plane of J, z axes are parallel \[3\].
    Planar,
    /// Nothing remains \[6\].
    Fixed,
    /// Origin of I stays on the z axis of J \[2\].
    Inline,
    /// Origin of I stays in the x-y plane of J \[1\].
    Inplane,
    /// z axes are parallel \[2\].
    ParallelAxes,
    /// z axes are perpendicular \[1\].
    Perpendicular,
    /// All axes are parallel \[3\].
    Orientation,
    /// Origins keep their distance, as ends of a massless rod between ball joints do \[1\].
    Distance,
    /// Turning about z of J remains, and slides along it by `pitch` a turn \[5\].
    Screw,
    /// Origins coincide, and I turns about its z axis as fast as J about its own, at any angle of both \[4\].
    #[serde(alias = "convel")]
    ConstantVelocity,
    /// Origins coincide, x of I is perpendicular to y of J \[4\].
    Hooke,
    /// What [`Rolling`](super::Rolling) keeps: no `type` of a joint.
    #[serde(skip)]
    Rolling,
}

impl JointKind {
    /// Its `type` in files.
    pub(crate) fn word(self) -> String {
        let mut word = String::new();
        for letter in format!("{self:?}").chars() {
            if letter.is_uppercase() && !word.is_empty() {
                word.push('_');
            }
            word.extend(letter.to_lowercase());
        }
        word
    }
}

/// A coordinate of a joint, or of two markers, prescribed as a function of time. Exactly one of `displacement`, `velocity`, `acceleration` is given,
/// and either `joint` or `i`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Motion {
    /// Name, unique among motions.
    pub name: String,
    /// Joint that is driven: its marker I against its marker J.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub joint: Option<String>,
    /// Marker I, where no joint is named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub i: Option<MarkerRef>,
    /// Marker J with marker I; the global frame if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub j: Option<MarkerRef>,
    /// Coordinate that is driven. A revolute and a prismatic joint have one only; else it is needed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub direction: Option<MotionDirection>,
    /// The angle or displacement of I against J [rad, m] over `time`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub displacement: Option<Expression>,
    /// Rate of that coordinate [rad/s, m/s] over `time`; it starts from where the model assembles.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub velocity: Option<Expression>,
    /// Second rate of that coordinate [rad/s^2, m/s^2] over `time`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub acceleration: Option<Expression>,
    /// With `velocity` or `acceleration`: the coordinate at the start [rad, m], if not as assembled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub initial_displacement: Option<Expression>,
    /// With `acceleration`: its rate at the start [rad/s, m/s], zero if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub initial_velocity: Option<Expression>,
}

/// Coordinate of marker I against marker J.
///
/// `rotation_x`, `rotation_y` and `rotation_z` turn J to I one after the other: about x of J, then the new y axis, then the newest z axis, which is
/// that of I (body-fixed 1-2-3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum MotionDirection {
    /// Turning about z of J: the angle from x of J to x of I.
    Rotation,
    /// Sliding along z of J.
    Translation,
    /// Displacement along x of J.
    X,
    /// Displacement along y of J.
    Y,
    /// Displacement along z of J.
    Z,
    /// First of three angles, about x of J.
    #[serde(alias = "b1")]
    RotationX,
    /// Second of three angles, about y turned by the first; between -90 and 90 degrees.
    #[serde(alias = "b2")]
    RotationY,
    /// Third of three angles, about z of I.
    #[serde(alias = "b3")]
    RotationZ,
}

/// Coordinate of a joint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    /// Turning about z of J.
    Rotation,
    /// Sliding along z of J.
    Translation,
}
