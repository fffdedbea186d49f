//! The three angles by which marker J turns to I: about its x axis, then the new y axis, then the newest z axis (body-fixed 1-2-3).
//!
//! With R = J^T I: a = atan2(-y_j.z_i, z_j.z_i), b = asin(x_j.z_i), c = atan2(-x_j.y_i, x_j.x_i). The first and the last are joint angles about z between
//! frames whose axes are named anew, the last one from I to J. At b = +-90 degrees they are not unique.
use super::{Curvature, Mask, Row, angle, dot};
use crate::space::{FixedFrame, M3, Pose, V3};

/// That of the product of two axes.
pub(super) const MASK: Mask = dot::MASK;
const X: usize = 0;
const Z: usize = 2;

/// Frames between which the first or last angle is a joint angle about z, and whether they are exchanged; none for the second.
pub(crate) fn about_z(axis: usize, i: &FixedFrame, j: &FixedFrame) -> Option<([FixedFrame; 2], bool)> {
    let named = |frame: &FixedFrame, columns: [V3; 3]| FixedFrame { c: M3::from_columns(&columns), ..*frame };
    let column = |frame: &FixedFrame, k: usize| frame.c.column(k).into_owned();
    let first = |f: &FixedFrame| named(f, [column(f, 2), -column(f, 1), column(f, 0)]);
    let last = |f: &FixedFrame| named(f, [column(f, 0), -column(f, 1), -column(f, 2)]);
    match axis {
        0 => Some(([first(i), first(j)], false)),
        1 => None,
        _ => Some(([last(j), last(i)], true)),
    }
}

#[inline]
pub(super) fn row(i: &FixedFrame, j: &FixedFrame, axis: usize, poses: &[Pose]) -> Row {
    if let Some(([first, second], exchanged)) = about_z(axis, i, j) {
        let row = angle::row(&first, &second, poses);
        return if exchanged { Row { gi: row.gj, gj: row.gi, ..row } } else { row };
    }
    let sine = dot::row(i, j, Z, X, poses);
    let cosine = cosine(sine.phi);
    Row { phi: sine.phi.atan2(cosine), gi: sine.gi / cosine, gj: sine.gj / cosine, ..sine }
}

/// Of an angle with this sine, between -90 and 90 degrees; (1 - s)(1 + s) is exact to round-off also near them.
fn cosine(sine: f64) -> f64 {
    ((1.0 - sine) * (1.0 + sine)).max(0.0).sqrt()
}

#[inline]
pub(super) fn curvature(i: &FixedFrame, j: &FixedFrame, axis: usize, poses: &[Pose], out: &mut Curvature) {
    if let Some(([first, second], exchanged)) = about_z(axis, i, j) {
        angle::curvature(&first, &second, poses, out);
        if exchanged {
            let k = out.k;
            (out.k[1][1], out.k[1][2]) = (k[2][2], k[2][1]);
            (out.k[2][1], out.k[2][2]) = (k[1][2], k[1][1]);
        }
        return;
    }
    // d(g_s/cos) = dg_s/cos + sin/cos^3 g_s ds.
    let sine = dot::row(i, j, Z, X, poses);
    let cosine = cosine(sine.phi);
    dot::curvature(i, j, Z, X, poses, out);
    let gradients = [sine.gi, sine.gj];
    for (r, of_row) in gradients.iter().enumerate() {
        for (c, of_column) in gradients.iter().enumerate() {
            let bend = of_row * of_column.transpose() * (sine.phi / cosine.powi(3));
            out.k[r + 1][c + 1] = out.k[r + 1][c + 1] / cosine + bend;
        }
    }
}
