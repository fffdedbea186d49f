//! The joint angle about z of J: Phi = atan2(y_j.x_i, x_j.x_i).
//!
//! With s = y_j.x_i, c = x_j.x_i, r^2 = s^2 + c^2: dPhi = (c ds - s dc)/r^2. In a joint that keeps the z axes parallel r = 1
//! and the gradient is z; the formulas below hold for any r > 0.

use super::{Curvature, Row, dot};
use crate::space::{FixedFrame, M3, Pose, V3};

struct Parts {
    x: V3,
    /// (c y_j - s x_j)/r^2.
    across: V3,
    s: f64,
    c: f64,
    r2: f64,
    /// Gradients of s and c by the rotation of I.
    ds: V3,
    dc: V3,
}

#[inline]
fn parts(i: &FixedFrame, j: &FixedFrame, poses: &[Pose]) -> Parts {
    let x = i.axis(poses, 0);
    let (xj, yj) = (j.axis(poses, 0), j.axis(poses, 1));
    let (s, c) = (yj.dot(&x), xj.dot(&x));
    let r2 = s * s + c * c;
    Parts { x, across: (yj * c - xj * s) / r2, s, c, r2, ds: x.cross(&yj), dc: x.cross(&xj) }
}

#[inline]
pub(super) fn row(i: &FixedFrame, j: &FixedFrame, poses: &[Pose]) -> Row {
    let p = parts(i, j, poses);
    let gi = p.x.cross(&p.across);
    Row { phi: p.s.atan2(p.c), g: V3::zeros(), gi, gj: -gi }
}

#[inline]
pub(super) fn curvature(i: &FixedFrame, j: &FixedFrame, poses: &[Pose], out: &mut Curvature) {
    let p = parts(i, j, poses);
    // g_i = x_i x across: first with the coefficients of `across` held, then their own change.
    dot::between(&p.x, &p.across, out);
    let dr2 = (p.ds * p.s + p.dc * p.c) * (2.0 / p.r2);
    let d_cos = (p.dc - dr2 * p.c) / p.r2;
    let d_sin = (p.ds - dr2 * p.s) / p.r2;
    let extra: M3 = p.ds * d_cos.transpose() - p.dc * d_sin.transpose();
    out.k[1][1] += extra;
    out.k[1][2] -= extra;
    out.k[2][1] -= extra;
    out.k[2][2] += extra;
}
