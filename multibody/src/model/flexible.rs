//! Flexible bodies, by modes.

use super::SourceFile;
use super::body::Orientation;
use super::vector::{Vector3, zero};
use crate::expression::Expression;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A flexible body in a floating frame: a straight beam, or modes that a finite-element program found. Its nodes are bodies of their own,
/// named `body/node`, to which markers, joints and forces are attached as to any other; the name of the body itself is its floating frame.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Flexible {
    /// Name, unique among bodies.
    pub name: String,
    /// A straight beam along x of the frame, from its origin.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub beam: Option<Box<FlexibleBeam>>,
    /// Modes given number by number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data: Option<Box<ModalData>>,
    /// JSON or TOML file with what stands in `data`, beside the model file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The file that was read.
    #[serde(skip)]
    pub source: Option<SourceFile>,
    /// Origin of the frame in the global frame at the start \[m\].
    #[serde(default = "zero")]
    pub position: Vector3,
    /// Orientation of the frame at the start.
    #[serde(default, skip_serializing_if = "Orientation::is_identity")]
    pub orientation: Orientation,
    /// Velocity of the centre of mass of the undeformed body at the start, global frame [m/s].
    #[serde(default = "zero")]
    pub velocity: Vector3,
    /// Angular velocity of the frame at the start, global frame [rad/s].
    #[serde(default = "zero")]
    pub angular_velocity: Vector3,
    /// Damping of each eigenmode over its critical damping. Where no damping is given at all, 0.01 of modes below 100 Hz, 0.1 up to 1,000 Hz, 1 above.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub damping_ratio: Option<Expression>,
    /// Damping proportional to the stiffness: its factor \[s\].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stiffness_damping: Option<Expression>,
    /// Modal coordinates at the start \[m\]; zero where left out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub start: Vec<Expression>,
    /// Their rates [m/s].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub start_rate: Vec<Expression>,
}

impl Flexible {
    /// A body at the origin, at rest, with the damping of its frequencies; `beam`, `data` or `file` is to be given.
    #[must_use]
    pub fn named(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            beam: None,
            data: None,
            file: None,
            source: None,
            position: zero(),
            orientation: Orientation::default(),
            velocity: zero(),
            angular_velocity: zero(),
            damping_ratio: None,
            stiffness_damping: None,
            start: Vec::new(),
            start_rate: Vec::new(),
        }
    }
}

/// A straight beam of constant section, as finite elements reduced to modes (Craig and Bampton). Its nodes are `start`, `end`, and those of `stations`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct FlexibleBeam {
    /// Length \[m\].
    pub length: Expression,
    /// Area of the section \[m^2\].
    pub area: Expression,
    /// Second moment of the area about y \[m^4\], for bending in the x-z plane.
    pub iyy: Expression,
    /// Second moment of the area about z \[m^4\], for bending in the x-y plane.
    pub izz: Expression,
    /// Torsion constant \[m^4\]; left out, `iyy + izz`, that of a circle.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ixx: Option<Expression>,
    /// Young's modulus \[Pa\].
    pub youngs_modulus: Expression,
    /// Shear modulus \[Pa\].
    pub shear_modulus: Expression,
    /// Density [kg/m^3].
    pub density: Expression,
    /// Area over the area that takes part in shear along y and z, 6/5 of a rectangle; 0 without shear, as Euler and Bernoulli have it.
    #[serde(default = "none", skip_serializing_if = "is_none")]
    pub shear_factor: Expression,
    /// Finite elements, of equal length but for the stations.
    #[serde(default = "elements")]
    pub elements: usize,
    /// Modes with fixed nodes that are kept beside those of unit displacements of the nodes.
    #[serde(default = "modes")]
    pub modes: usize,
    /// Eigenmodes above this frequency are left out \[Hz\].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub highest_frequency: Option<Expression>,
    /// Further nodes by name: their distance from the start \[m\].
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub stations: BTreeMap<String, Expression>,
}

/// Modes of a flexible body. They must be free of rigid-body motion.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct ModalData {
    /// Nodes with their masses.
    pub node: Vec<FlexibleNode>,
    /// Modal stiffness, one number a mode [N/m]; or `stiffness_matrix`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stiffness: Vec<f64>,
    /// Modal stiffness as a symmetric matrix [N/m].
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stiffness_matrix: Vec<Vec<f64>>,
    /// Modal damping as a matrix [N s/m].
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub damping_matrix: Vec<Vec<f64>>,
}

/// A node of a flexible body.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct FlexibleNode {
    /// Name, if joints or forces may be attached to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Place in the undeformed body \[m\].
    pub position: [f64; 3],
    /// Mass \[kg\].
    #[serde(default)]
    pub mass: f64,
    /// Inertia about the node: Ixx, Iyy, Izz [kg m^2].
    #[serde(default)]
    pub inertia: [f64; 3],
    /// Of each mode the displacement of the node, three numbers, and its turn [1/m], three numbers.
    pub modes: Vec<[f64; 6]>,
}

fn none() -> Expression {
    Expression::constant(0.0)
}

fn is_none(expression: &Expression) -> bool {
    *expression == none()
}

fn elements() -> usize {
    10
}

fn modes() -> usize {
    4
}
