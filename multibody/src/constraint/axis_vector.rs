//! An axis and the vector between two points: Phi = a.(p_i - p_j) - offset, a fixed to body J.

use super::{Curvature, Mask, Row};
use crate::space::{FixedFrame, Pose, skew, turned_left, turned_right};

/// g = a turns with J; g_i = s_i x a with both; g_j = a x (p_i - x_j) with everything.
pub(super) const MASK: Mask = 1 << 2 | 1 << 4 | 1 << 5 | 1 << 6 | 1 << 7 | 1 << 8;

#[inline]
pub(super) fn row(i: &FixedFrame, j: &FixedFrame, axis: usize, offset: f64, poses: &[Pose]) -> Row {
    let (si, sj, a) = (i.arm(poses), j.arm(poses), j.axis(poses, axis));
    let p = poses[i.body].x + si - poses[j.body].x;
    Row { phi: a.dot(&(p - sj)) - offset, g: a, gi: si.cross(&a), gj: a.cross(&p) }
}

#[inline]
pub(super) fn curvature(i: &FixedFrame, j: &FixedFrame, axis: usize, poses: &[Pose], out: &mut Curvature) {
    let (si, a) = (i.arm(poses), j.axis(poses, axis));
    let p = poses[i.body].x + si - poses[j.body].x;
    let a_cross = skew(&a);
    out.k[0][2] = -a_cross;
    out.k[1][1] = turned_left(&si, &a);
    out.k[1][2] = turned_right(&si, &a);
    out.k[2][0] = a_cross;
    out.k[2][1] = turned_right(&a, &si);
    out.k[2][2] = turned_left(&a, &p);
}
