//! Shapes on bodies: which may touch, and where they do.
//!
//! A family of pairs is swept for overlapping boxes about the shapes ([`broad`]); pairs of boxes, and boxes over half
//! spaces, have gap functions of their own ([`boxes`], for events [`features`]), as have cylinders over flat faces ([`cylinder`]) and edges ([`cylinder_facets`]), spheres and
//! capsules against all that has corners and edges ([`rounded`], [`facets`]), and hulls against hulls and boxes ([`polytopes`]); everything else goes through `parry3d-f64` ([`general`]). Each point of a
//! manifold is a contact with the gap of its own two features.

pub(crate) mod boxes;
pub(crate) mod broad;
pub(crate) mod cylinder;
pub(crate) mod cylinder_facets;
pub(crate) mod facets;
pub(crate) mod family;
pub(crate) mod features;
pub(crate) mod general;
mod orientation;
pub(crate) mod overlap;
mod polygon;
pub(crate) mod polytopes;
pub(crate) mod read;
pub(crate) mod rounded;
pub(crate) mod seams;

use crate::pair::nearest::Side;
use facets::Facets;
use fourbar_multibody::space::{FixedFrame, M3, Pose, V3};
use parry3d_f64::shape::SharedShape;
use std::sync::Arc;

/// A shape on a body, compiled.
#[derive(Clone)]
pub(crate) struct Solid {
    pub(crate) frame: FixedFrame,
    pub(crate) form: Form,
    /// The same for parry.
    pub(crate) shape: SharedShape,
    /// Corners, edges and faces, of forms that have some.
    pub(crate) facets: Option<Arc<Facets>>,
    /// Middle and half lengths of a box about it, in its frame \[m\]; infinite for a half space.
    pub(crate) middle: V3,
    pub(crate) half: V3,
}

/// Forms whose features are known here.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Form {
    /// Half lengths \[m\].
    Box(V3),
    /// Radius \[m\].
    Sphere(f64),
    /// Half length of the axis along z, and radius \[m\].
    Capsule {
        /// Half length.
        half: f64,
        /// Radius.
        radius: f64,
    },
    /// Half length of the axis along y, and radius \[m\].
    Cylinder {
        /// Half length.
        half: f64,
        /// Radius.
        radius: f64,
    },
    /// Below the x-y plane.
    HalfSpace,
    /// Triangles.
    Mesh,
    /// Anything parry knows.
    General,
}

/// Where a shape is, global frame.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Placed {
    pub(crate) body: usize,
    pub(crate) x: V3,
    pub(crate) a: M3,
}

/// A point of a manifold: sides I and J, the normal from J to I, a direction fixed to J for the tangents, and the feature's
/// number within its pair of shapes, below 2^24.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Point {
    pub(crate) i: Side,
    pub(crate) j: Side,
    pub(crate) n: V3,
    pub(crate) hint: V3,
    pub(crate) feature: u32,
}

impl Placed {
    /// A direction fixed to the shape along which the normal of a contact hardly ever lies: tangents that follow it turn
    /// continuously.
    pub(crate) fn oblique(&self) -> V3 {
        self.a * V3::new(0.48, 0.6, 0.64)
    }
}

impl Solid {
    /// Its least width \[m\]; infinite for a half space.
    pub(crate) fn width(&self) -> f64 {
        2.0 * self.half.min()
    }

    pub(crate) fn place(&self, poses: &[Pose]) -> Placed {
        Placed { body: self.frame.body, x: self.frame.origin(poses), a: self.frame.axes(poses) }
    }
}
