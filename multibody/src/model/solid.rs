//! Solids that bodies are made of: mass, centre of mass and inertia follow from size and density.

use super::body::Orientation;
use super::vector::{Vector3, zero};
use crate::expression::Expression;
use serde::{Deserialize, Serialize};

/// A solid of even density that a body is made of. Which sizes it takes depends on its kind.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Solid {
    /// Kind.
    #[serde(rename = "type")]
    pub kind: SolidKind,
    /// Density [kg/m^3], positive; or else `mass`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub density: Option<Expression>,
    /// Mass \[kg\], positive; or else `density`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mass: Option<Expression>,
    /// Its origin in the body frame \[m\].
    #[serde(default = "zero")]
    pub position: Vector3,
    /// Its axes in the body frame.
    #[serde(default, skip_serializing_if = "Orientation::is_identity")]
    pub orientation: Orientation,
    /// Of a box: whole lengths along x, y and z \[m\].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<Vector3>,
    /// Of a cylinder, sphere or capsule \[m\].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub radius: Option<Expression>,
    /// Of a hollow cylinder or sphere: the radius of the hole \[m\].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inner_radius: Option<Expression>,
    /// Of a cylinder or capsule, along z; half spheres come on top \[m\].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub length: Option<Expression>,
    /// Of a bar: the middle of one end, from the origin of the solid \[m\].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<Vector3>,
    /// Of a bar: the middle of the other end \[m\].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<Vector3>,
    /// Of a bar: across it, in the x-y plane of the solid where it lies there \[m\].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub width: Option<Expression>,
    /// Of a bar: across it and its width; of a plate: along z \[m\].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thickness: Option<Expression>,
    /// Of a plate: the corners of its outline in the x-y plane of the solid, in order \[m\].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub outline: Vec<[Expression; 2]>,
}

/// Kind of a solid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum SolidKind {
    /// A box about its origin: `size`.
    Box,
    /// A cylinder about z, its middle at the origin: `radius`, `length`, `inner_radius` of a tube.
    Cylinder,
    /// A sphere about its origin: `radius`, `inner_radius` of a hollow one.
    Sphere,
    /// A cylinder about z with half spheres at its ends: `radius`, `length`.
    Capsule,
    /// A straight bar of rectangular section between two points: `from`, `to`, `width`, `thickness`.
    Bar,
    /// A plate with its middle in the x-y plane: `outline`, `thickness`.
    Plate,
}

impl Solid {
    /// A solid of `kind` at the origin of its body, without sizes.
    #[must_use]
    pub fn new(kind: SolidKind) -> Self {
        Self {
            kind,
            density: None,
            mass: None,
            position: zero(),
            orientation: Orientation::default(),
            size: None,
            radius: None,
            inner_radius: None,
            length: None,
            from: None,
            to: None,
            width: None,
            thickness: None,
            outline: Vec::new(),
        }
    }
}
