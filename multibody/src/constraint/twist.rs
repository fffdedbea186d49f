//! No twist between two shafts: Phi = x_i.y_j - y_i.x_j, which is (1 + cos(bend)) sin(twist).
//!
//! Where it is zero I is J turned about an axis across both shafts: one of the plane that halves their angle. Both shafts then turn equally
//! fast. At a bend of a half turn it says nothing.

use super::{Curvature, Mask, Row, dot};
use crate::space::{FixedFrame, Pose, V3};

/// That of each of the two products.
pub(super) const MASK: Mask = dot::MASK;

#[inline]
pub(super) fn row(i: &FixedFrame, j: &FixedFrame, poses: &[Pose]) -> Row {
    let (x, y) = (dot::row(i, j, 0, 1, poses), dot::row(i, j, 1, 0, poses));
    Row { phi: x.phi - y.phi, g: V3::zeros(), gi: x.gi - y.gi, gj: x.gj - y.gj }
}

#[inline]
pub(super) fn curvature(i: &FixedFrame, j: &FixedFrame, poses: &[Pose], out: &mut Curvature) {
    dot::curvature(i, j, 0, 1, poses, out);
    let mut other = Curvature::zero();
    dot::curvature(i, j, 1, 0, poses, &mut other);
    for (r, c) in [(1, 1), (1, 2), (2, 1), (2, 2)] {
        out.k[r][c] -= other.k[r][c];
    }
}
