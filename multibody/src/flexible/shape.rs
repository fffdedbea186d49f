//! A flexible body by its modes, before it is part of a mechanism.

use super::{Invariants, Lump};
use crate::space::V3;
use nalgebra::{DMatrix, Matrix3xX};

/// What a flexible body is made of, in its floating frame: the origin is the centre of mass of the undeformed body, the axes are those in which it was
/// described.
#[derive(Debug, Clone, PartialEq)]
pub struct Shape {
    /// Centre of mass of the undeformed body, in the frame in which it was described \[m\].
    pub center: V3,
    /// Inertia about the centre of mass.
    pub invariants: Invariants,
    /// Modal stiffness [N/m].
    pub stiffness: DMatrix<f64>,
    /// Modal damping [N s/m].
    pub damping: DMatrix<f64>,
    /// Nodes to which joints and forces may be attached.
    pub nodes: Vec<ShapeNode>,
}

/// A node of a flexible body.
#[derive(Debug, Clone, PartialEq)]
pub struct ShapeNode {
    /// Name, unique among the nodes of the body.
    pub name: String,
    /// Place in the undeformed body, from the centre of mass \[m\].
    pub position: V3,
    /// Displacement in each mode.
    pub translation: Matrix3xX<f64>,
    /// Turn in each mode [1/m].
    pub rotation: Matrix3xX<f64>,
}

impl Shape {
    /// From pieces of mass, those with a name being nodes, and matrices of the modes. The modal mass is that of the pieces.
    #[must_use]
    pub fn of_lumps(lumps: &[(Option<&str>, Lump)], stiffness: DMatrix<f64>, damping: DMatrix<f64>) -> Self {
        let mass: f64 = lumps.iter().map(|(_, lump)| lump.mass).sum();
        let center = lumps.iter().map(|(_, lump)| lump.position * (lump.mass / mass)).sum::<V3>();
        let invariants = Invariants::of(lumps.iter().map(|(_, lump)| lump), &center, stiffness.nrows());
        let nodes = lumps.iter().filter_map(|(name, lump)| {
            Some(ShapeNode {
                name: (*name)?.to_owned(),
                position: lump.position - center,
                translation: lump.translation.clone(),
                rotation: lump.rotation.clone(),
            })
        });
        Self { center, invariants, stiffness, damping, nodes: nodes.collect() }
    }

    /// Number of modes.
    #[must_use]
    pub fn modes(&self) -> usize {
        self.stiffness.nrows()
    }
}
