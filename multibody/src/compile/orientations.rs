//! Measures of the orientation of I against J as columns. Each angle is that of one axis of a frame against another frame whose axes are permuted.
//! With Rkl the product of axis k of J and axis l of I:
//!
//! - about axes (Adams' AX, AY, AZ): atan2(-R23, R33), atan2(R13, R33), atan2(R21, R11), turns counted;
//! - 3-1-3, R = Rz(psi) Rx(theta) Rz(phi): atan2(R13, -R23), the angle between the z axes, atan2(R31, R32);
//! - 3-2-1, R = Rz(yaw) Ry(-pitch) Rx(roll): atan2(R21, R11), the elevation of x of I, atan2(R32, R33). Adams' PITCH has this sign.

use super::measures::Measures;
use crate::measure::{Kinematic, KinematicQuantity, Source};
use crate::model::MeasureKind;
use crate::space::{FixedFrame, M3, V3};

type Columns = Vec<(&'static str, &'static str, Source)>;

/// The frame with other axes: 1 to 3 are x to z, negative ones their opposites.
pub(super) fn turned(frame: FixedFrame, axes: [i8; 3]) -> FixedFrame {
    let axis = |k: i8| -> V3 { frame.c.column(usize::from(k.unsigned_abs()) - 1) * f64::from(k.signum()) };
    FixedFrame { c: M3::from_columns(&axes.map(axis)), ..frame }
}

/// Frames whose angles about z are those about the axes of J.
pub(super) fn axis_pairs((i, j): (FixedFrame, FixedFrame)) -> [(FixedFrame, FixedFrame); 3] {
    let z_first = turned(i, [3, 1, 2]);
    [(z_first, turned(j, [3, -2, 1])), (z_first, turned(j, [3, 1, 2])), (i, j)]
}

/// Angles about the axes of J, turns counted.
pub(super) fn axis_angles(pair: (FixedFrame, FixedFrame), measures: &mut Measures) -> [Kinematic; 3] {
    axis_pairs(pair).map(|(i, j)| Kinematic { quantity: KinematicQuantity::Angle(measures.track(i, j)), i, j })
}

/// Suffix, unit and source of each column.
pub(super) fn columns(kind: &MeasureKind, (i, j): (FixedFrame, FixedFrame), measures: &mut Measures) -> Columns {
    use KinematicQuantity::{Bearing, Elevation, Inclination};
    let of = |quantity, i, j| Source::Kinematic(Kinematic { quantity, i, j });
    let angle = |suffix, source| (suffix, "rad", source);
    let z_first = turned(i, [3, 1, 2]);
    match kind {
        MeasureKind::AxisAngles(_) => {
            let angles = axis_angles((i, j), measures).map(Source::Kinematic);
            [".x", ".y", ".z"].into_iter().zip(angles).map(|(suffix, source)| angle(suffix, source)).collect()
        }
        MeasureKind::EulerAngles(_) => vec![
            angle(".psi", of(Bearing, z_first, turned(j, [-2, 1, 3]))),
            angle(".theta", of(Inclination, z_first, j)),
            angle(".phi", of(Bearing, turned(j, [3, 1, 2]), turned(i, [2, 1, -3]))),
        ],
        MeasureKind::YawPitchRoll(_) => vec![
            angle(".yaw", of(Bearing, i, j)),
            angle(".pitch", of(Elevation, i, j)),
            angle(".roll", of(Bearing, turned(j, [3, 1, 2]), turned(i, [3, 2, -1]))),
        ],
        _ => {
            let counter = measures.quaternions;
            measures.quaternions += 1;
            let source = |component| Source::Quaternion { i, j, component, counter };
            (0..).zip([".e0", ".e1", ".e2", ".e3"]).map(|(k, suffix)| (suffix, "", source(k))).collect()
        }
    }
}
