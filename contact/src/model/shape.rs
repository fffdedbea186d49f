//! Shapes on bodies.

use fourbar_multibody::expression::Expression;
use fourbar_multibody::model::{MarkerRef, Vector3};
use serde::{Deserialize, Serialize};

/// A shape fixed to a body.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Shape {
    /// Name, unique among shapes and groups.
    pub name: String,
    /// Frame of the shape: a marker or a body.
    pub on: MarkerRef,
    /// Group it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// What it is.
    #[serde(flatten)]
    pub geometry: Geometry,
}

/// What a shape is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Geometry {
    /// A box about the origin.
    Box(BoxShape),
    /// A sphere about the origin.
    Sphere(SphereShape),
    /// A cylinder about the z axis, its middle at the origin.
    Cylinder(RoundShape),
    /// A cylinder about the z axis with half spheres at its ends, its middle at the origin.
    Capsule(RoundShape),
    /// The convex hull of points.
    Hull(HullShape),
    /// A surface of triangles.
    Mesh(MeshShape),
    /// Everything below the x-y plane.
    HalfSpace(HalfSpaceShape),
}

/// A box.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct BoxShape {
    /// Whole lengths along x, y and z \[m\], positive.
    pub size: Vector3,
}

/// A sphere.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SphereShape {
    /// Radius \[m\], positive.
    pub radius: Expression,
}

/// A cylinder or capsule.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct RoundShape {
    /// Radius \[m\], positive.
    pub radius: Expression,
    /// Length of the cylinder \[m\], positive; the half spheres of a capsule come on top.
    pub length: Expression,
}

/// A convex hull.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct HullShape {
    /// Points \[m\], at least four, not in one plane.
    pub points: Vec<Vector3>,
}

/// A surface of triangles.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct MeshShape {
    /// Vertices \[m\].
    pub vertices: Vec<Vector3>,
    /// Three vertices a triangle, counted from 0, counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
}

/// A half space.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct HalfSpaceShape {}
