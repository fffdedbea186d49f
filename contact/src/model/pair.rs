//! Kinds of pairs.

use super::{is_zero, zero};
use fourbar_multibody::expression::Expression;
use fourbar_multibody::model::{Direction, MarkerRef, Vector3};
use serde::{Deserialize, Serialize};

/// A point and a plane: gap = z of the origin of I in the frame of J, less the offset.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct PointPlane {
    /// Marker at the point.
    pub i: MarkerRef,
    /// Marker in the plane; its z axis points out of the material, friction acts along x and y.
    pub j: MarkerRef,
    /// How far the plane is moved along z of J \[m\], over `time`.
    #[serde(default = "zero", skip_serializing_if = "is_zero")]
    pub offset: Expression,
}

/// A sphere and a plane: gap = z of the origin of I in the frame of J, less radius and offset.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SpherePlane {
    /// Marker at the centre.
    pub i: MarkerRef,
    /// Radius \[m\], positive.
    pub radius: Expression,
    /// Marker in the plane; its z axis points out of the material, friction acts along x and y.
    pub j: MarkerRef,
    /// How far the plane is moved along z of J \[m\], over `time`.
    #[serde(default = "zero", skip_serializing_if = "is_zero")]
    pub offset: Expression,
}

/// Two spheres: gap = distance of the origins of I and J less both radii.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SphereSphere {
    /// Marker at the centre of the first.
    pub i: MarkerRef,
    /// Marker at the centre of the second.
    pub j: MarkerRef,
    /// Radius of the first \[m\], not negative.
    pub radius_i: Expression,
    /// Radius of the second \[m\], not negative.
    pub radius_j: Expression,
}

/// A box and a plane: eight contacts, one a corner, each as [`PointPlane`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct BoxPlane {
    /// Marker at the middle of the box, whose axes are those of the box.
    pub i: MarkerRef,
    /// Whole lengths along x, y and z of I \[m\], not negative: a zero makes a plate, two a rod.
    pub size: Vector3,
    /// Marker in the plane; its z axis points out of the material, friction acts along x and y.
    pub j: MarkerRef,
    /// How far the plane is moved along z of J \[m\], over `time`.
    #[serde(default = "zero", skip_serializing_if = "is_zero")]
    pub offset: Expression,
}

/// Two curves in the x-y planes of I and J, whose z axes are parallel.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct CurveCurve {
    /// Frame of the first curve.
    pub i: MarkerRef,
    /// Frame of the second curve.
    pub j: MarkerRef,
    /// First curve.
    pub curve_i: Curve,
    /// Second curve.
    pub curve_j: Curve,
}

/// A curve in the x-y plane of its frame. The material lies to its left: inside, if the curve runs counter-clockwise.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
// Data of a model: read once, never moved in a loop.
#[allow(clippy::large_enum_variant)]
#[non_exhaustive]
pub enum Curve {
    /// A circle about the origin.
    Circle {
        /// Radius \[m\], positive.
        radius: Expression,
        /// Whether the material lies outside: a hole.
        #[serde(default)]
        hollow: bool,
    },
    /// The cubic spline through points, over the length of the chords: periodic if closed, else natural.
    Spline {
        /// Points \[m\], in the order in which the material lies to the left; at least two, three if closed.
        points: Vec<[Expression; 2]>,
        /// Whether the last point is joined to the first.
        #[serde(default)]
        closed: bool,
    },
    /// x(s) and y(s).
    Formula {
        /// x \[m\] over the parameter `s` of the curve.
        x: Expression,
        /// y \[m\] over the parameter `s`.
        y: Expression,
        /// First value of s.
        from: Expression,
        /// Last value of s, larger than the first.
        to: Expression,
        /// Whether the end is joined to the beginning, smoothly.
        #[serde(default)]
        closed: bool,
    },
}

/// Limits of a joint coordinate: of I against J, as a motion drives it. At least one limit is given.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct JointStop {
    /// Joint: revolute, prismatic, cylindrical or screw.
    pub joint: String,
    /// Coordinate that is limited; needed for cylindrical joints and screws.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub direction: Option<Direction>,
    /// Smallest value [rad, m], over `time`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lower: Option<Expression>,
    /// Largest value [rad, m], over `time`. Angles: less than a turn above `lower`. With one limit alone, an angle is taken to
    /// be up to a quarter of a turn beyond it or three quarters before it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub upper: Option<Expression>,
}

/// A rope: gap = length less the distance of the origins of I and J.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Rope {
    /// One end.
    pub i: MarkerRef,
    /// Other end.
    pub j: MarkerRef,
    /// Length \[m\], positive, over `time`.
    pub length: Expression,
}

/// Shapes against shapes, each with each, but for those on one body.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Shapes {
    /// Name of a shape or of a group of shapes.
    pub i: String,
    /// Name of a shape or of a group; if absent, those of `i` against each other.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub j: Option<String>,
    /// Whether bodies that a joint binds together touch too.
    #[serde(default)]
    pub joined: bool,
}
