//! Rolling of a sphere or of a disc with a sharp edge, fixed to body I, on the x-y plane of J.
//!
//! With e an axis of J and c from the centre, the origin of I, to the point that touches: g = e, g_i = (s_i + c) x e, g_j = e x (x_i + s_i + c - x_j).
//! Along z this is the gradient of the distance of that point from the plane: it is the lowest one, so that its way along the edge changes nothing.
//! Along x and y it is the rate at which the material of I slides over J, which is the gradient of no function.
//!
//! c = -r n for a sphere, n being z of J; for a disc whose axis a is z of I, c = -r m with m = u/|u|, u = n - (a.n) a (Neimark, Fufaev, Dynamics of
//! Nonholonomic Systems, 1972, chapter 1). A disc that lies flat touches everywhere, and has no such point.

use super::{Curvature, Mask, Row, axis_vector};
use crate::space::{FixedFrame, M3, Pose, V3, skew};

/// g = e turns with J; the point that touches moves with everything.
pub(super) const MASK: Mask = axis_vector::MASK;
const Z: usize = 2;

/// What rolls.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Roller {
    /// A sphere about the origin of I.
    Sphere,
    /// A circle about z of I through its origin.
    Disc,
}

/// From the centre to the point that touches, and its derivatives by the turns of I and J.
fn touch(roller: Roller, radius: f64, i: &FixedFrame, j: &FixedFrame, poses: &[Pose]) -> (V3, M3, M3) {
    let n = j.axis(poses, Z);
    if roller == Roller::Sphere {
        return (-n * radius, M3::zeros(), skew(&n) * radius);
    }
    let a = i.axis(poses, Z);
    let along = a.dot(&n);
    let u = n - a * along;
    let length = u.norm();
    let m = u / length;
    // dm = P du/|u|, with du = (I - a a^T) dn - (a n^T + (a.n) I) da, da = -[a]x p_i and dn = -[n]x p_j.
    let p = (M3::identity() - m * m.transpose()) * (-radius / length);
    let by_i = p * (a * n.transpose() + M3::identity() * along) * skew(&a);
    let by_j = -p * (M3::identity() - a * a.transpose()) * skew(&n);
    (-m * radius, by_i, by_j)
}

#[inline]
pub(super) fn row(roller: Roller, radius: f64, axis: usize, [i, j]: [&FixedFrame; 2], poses: &[Pose]) -> Row {
    let (c, ..) = touch(roller, radius, i, j, poses);
    let (e, arm) = (j.axis(poses, axis), i.arm(poses) + c);
    let d = poses[i.body].x + arm - poses[j.body].x;
    let phi = if axis == Z { e.dot(&(d - j.arm(poses))) } else { 0.0 };
    Row { phi, g: e, gi: arm.cross(&e), gj: e.cross(&d) }
}

#[inline]
pub(super) fn curvature(
    (roller, radius): (Roller, f64),
    axis: usize,
    [i, j]: [&FixedFrame; 2],
    poses: &[Pose],
    out: &mut Curvature,
) {
    let (c, by_i, by_j) = touch(roller, radius, i, j, poses);
    let (e, arm) = (skew(&j.axis(poses, axis)), i.arm(poses));
    let d = poses[i.body].x + arm + c - poses[j.body].x;
    // d(arm + c) = (by_i - [s_i]x) p_i + by_j p_j, de = -[e]x p_j.
    let by_i = by_i - skew(&arm);
    out.k[0][2] = -e;
    out.k[1][1] = -e * by_i;
    out.k[1][2] = -e * by_j - skew(&(arm + c)) * e;
    out.k[2][0] = e;
    out.k[2][1] = e * by_i;
    out.k[2][2] = skew(&d) * e + e * by_j;
}
