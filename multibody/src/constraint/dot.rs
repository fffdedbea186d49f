//! Perpendicular axes: Phi = a.b, a fixed to body I, b to body J.

use super::{Curvature, Mask, Row};
use crate::space::{FixedFrame, Pose, V3, turned_left, turned_right};

/// g = 0; g_i = a x b = -g_j turns with both bodies.
pub(super) const MASK: Mask = 1 << 4 | 1 << 5 | 1 << 7 | 1 << 8;

#[inline]
pub(super) fn row(i: &FixedFrame, j: &FixedFrame, axis_i: usize, axis_j: usize, poses: &[Pose]) -> Row {
    let (a, b) = (i.axis(poses, axis_i), j.axis(poses, axis_j));
    let gi = a.cross(&b);
    Row { phi: a.dot(&b), g: V3::zeros(), gi, gj: -gi }
}

#[inline]
pub(super) fn curvature(
    i: &FixedFrame,
    j: &FixedFrame,
    axis_i: usize,
    axis_j: usize,
    poses: &[Pose],
    out: &mut Curvature,
) {
    between(&i.axis(poses, axis_i), &j.axis(poses, axis_j), out);
}

/// Curvature of a.b: d(a x b) = (p_i x a) x b + a x (p_j x b).
#[inline]
pub(super) fn between(a: &V3, b: &V3, out: &mut Curvature) {
    let (by_i, by_j) = (turned_left(a, b), turned_right(a, b));
    out.k[1][1] = by_i;
    out.k[1][2] = by_j;
    out.k[2][1] = -by_i;
    out.k[2][2] = -by_j;
}
