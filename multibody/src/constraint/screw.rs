//! A nut on a thread: Phi = z.(p_i - p_j) - lead angle, less whole pitches, z and the angle as in [`Form::Angle`](super::Form::Angle).
//!
//! All threads of a screw are alike: Phi is reduced to (-pitch/2, pitch/2], so turns need no count. The displacement itself tells on which thread the
//! nut is, and a motion cannot leave it without passing through a defect of half a pitch. The gradient knows nothing of this.

use super::{Curvature, Mask, Row, angle, axis_vector};
use crate::space::{FixedFrame, Pose};
use std::f64::consts::TAU;

/// The axis of a screw among those of its markers.
const Z: usize = 2;

/// That of an axis and a vector, which holds that of an angle.
pub(super) const MASK: Mask = axis_vector::MASK;

/// `lead` is the displacement a radian [m/rad].
#[inline]
pub(super) fn row(i: &FixedFrame, j: &FixedFrame, lead: f64, poses: &[Pose]) -> Row {
    let way = axis_vector::row(i, j, Z, 0.0, poses);
    let turn = angle::row(i, j, poses);
    let (open, pitch) = (way.phi - lead * turn.phi, lead.abs() * TAU);
    Row {
        phi: open - pitch * (open / pitch).round(),
        g: way.g,
        gi: way.gi - turn.gi * lead,
        gj: way.gj - turn.gj * lead,
    }
}

#[inline]
pub(super) fn curvature(i: &FixedFrame, j: &FixedFrame, lead: f64, poses: &[Pose], out: &mut Curvature) {
    axis_vector::curvature(i, j, Z, poses, out);
    let mut turn = Curvature::zero();
    angle::curvature(i, j, poses, &mut turn);
    for (r, c) in [(1, 1), (1, 2), (2, 1), (2, 2)] {
        out.k[r][c] -= turn.k[r][c] * lead;
    }
}
