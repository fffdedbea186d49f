//! Distance of two points: Phi = |p_i - p_j| - length.

use super::{Curvature, Mask, Row};
use crate::space::{FixedFrame, M3, Pose, skew, turned_left};

/// The direction changes with everything.
pub(super) const MASK: Mask = 0x1ff;

#[inline]
pub(super) fn row(i: &FixedFrame, j: &FixedFrame, length: f64, poses: &[Pose]) -> Row {
    let (si, sj) = (i.arm(poses), j.arm(poses));
    let d = poses[i.body].x + si - poses[j.body].x - sj;
    let l = d.norm();
    let n = d / l;
    Row { phi: l - length, g: n, gi: si.cross(&n), gj: n.cross(&sj) }
}

#[inline]
pub(super) fn curvature(i: &FixedFrame, j: &FixedFrame, poses: &[Pose], out: &mut Curvature) {
    let (si, sj) = (i.arm(poses), j.arm(poses));
    let d = poses[i.body].x + si - poses[j.body].x - sj;
    let l = d.norm();
    let n = d / l;
    let (si_cross, sj_cross) = (skew(&si), skew(&sj));
    // dn = P dd with P = (I - n n^T)/l and dd = dx - [s_i]x p_i + [s_j]x p_j.
    let p = (M3::identity() - n * n.transpose()) / l;
    out.k[0] = [p, -p * si_cross, p * sj_cross];
    for c in 0..3 {
        out.k[1][c] = si_cross * out.k[0][c];
        out.k[2][c] = -sj_cross * out.k[0][c];
    }
    out.k[1][1] += turned_left(&si, &n);
    out.k[2][2] -= turned_left(&sj, &n);
}
