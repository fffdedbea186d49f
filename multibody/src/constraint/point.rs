//! Coincident points: Phi = p_i - p_j, three rows in global axes.

use super::{Curvature, MAX_ROWS, Mask, Row};
use crate::space::{FixedFrame, Pose, V3, turned_left};

/// g is constant; g_i turns with body I, g_j with body J.
pub(super) const MASK: Mask = 1 << 4 | 1 << 8;

#[inline]
pub(super) fn rows(i: &FixedFrame, j: &FixedFrame, poses: &[Pose], rows: &mut [Row; MAX_ROWS]) {
    let (si, sj) = (i.arm(poses), j.arm(poses));
    let d = poses[i.body].x + si - poses[j.body].x - sj;
    // s x e_k, column by column of [s]x.
    rows[0] = Row { phi: d.x, g: V3::x(), gi: V3::new(0.0, si.z, -si.y), gj: V3::new(0.0, -sj.z, sj.y) };
    rows[1] = Row { phi: d.y, g: V3::y(), gi: V3::new(-si.z, 0.0, si.x), gj: V3::new(sj.z, 0.0, -sj.x) };
    rows[2] = Row { phi: d.z, g: V3::z(), gi: V3::new(si.y, -si.x, 0.0), gj: V3::new(-sj.y, sj.x, 0.0) };
}

#[inline]
pub(super) fn curvature(i: &FixedFrame, j: &FixedFrame, row: usize, poses: &[Pose], out: &mut Curvature) {
    let mut e = V3::zeros();
    e[row] = 1.0;
    out.k[1][1] = turned_left(&i.arm(poses), &e);
    out.k[2][2] = -turned_left(&j.arm(poses), &e);
}
