//! The table of joints: which basic constraints compose each kind.

use super::{Form, Roller};
use crate::model::JointKind;

/// Index of the x axis of a marker.
const X: usize = 0;
/// Index of its y axis.
const Y: usize = 1;
/// Index of its z axis.
const Z: usize = 2;

/// z of I parallel to z of J.
const PARALLEL: [Form; 2] = [Form::Dot { i: Z, j: X }, Form::Dot { i: Z, j: Y }];
/// Origin of I on the z axis of J.
const INLINE: [Form; 2] = [Form::AxisVector { axis: X, offset: 0.0 }, Form::AxisVector { axis: Y, offset: 0.0 }];
/// Origin of I in the x-y plane of J.
const INPLANE: Form = Form::AxisVector { axis: Z, offset: 0.0 };
/// z of I perpendicular to z of J.
const PERPENDICULAR: Form = Form::Dot { i: Z, j: Z };
/// x of I perpendicular to y of J: with parallel z axes, no turning.
const NO_TURN: Form = Form::Dot { i: X, j: Y };

/// x of I perpendicular to y of J: the cross of a Cardan joint that turns about both.
const CROSS: Form = Form::Dot { i: X, j: Y };

/// Basic constraints of a joint; `size` is the length of [`JointKind::Distance`] and the pitch of [`JointKind::Screw`] \[m\].
#[must_use]
pub fn forms(kind: JointKind, size: f64) -> Vec<Form> {
    match kind {
        JointKind::Revolute => vec![Form::Point, PARALLEL[0], PARALLEL[1]],
        JointKind::Prismatic => vec![INLINE[0], INLINE[1], PARALLEL[0], PARALLEL[1], NO_TURN],
        JointKind::Cylindrical => vec![INLINE[0], INLINE[1], PARALLEL[0], PARALLEL[1]],
        JointKind::Spherical => vec![Form::Point],
        JointKind::Universal => vec![Form::Point, PERPENDICULAR],
        JointKind::Planar => vec![INPLANE, PARALLEL[0], PARALLEL[1]],
        JointKind::Fixed => vec![Form::Point, PARALLEL[0], PARALLEL[1], NO_TURN],
        JointKind::Inline => INLINE.to_vec(),
        JointKind::Inplane => vec![INPLANE],
        JointKind::ParallelAxes => PARALLEL.to_vec(),
        JointKind::Perpendicular => vec![PERPENDICULAR],
        JointKind::Orientation => vec![PARALLEL[0], PARALLEL[1], NO_TURN],
        JointKind::Distance => vec![Form::Distance { length: size }],
        JointKind::Screw => {
            vec![INLINE[0], INLINE[1], PARALLEL[0], PARALLEL[1], Form::Screw { lead: size / std::f64::consts::TAU }]
        }
        JointKind::ConstantVelocity => vec![Form::Point, Form::Twist],
        JointKind::Hooke => vec![Form::Point, CROSS],
        // Its forms are those of `rolling`.
        JointKind::Rolling => Vec::new(),
    }
}

/// Basic constraints of a sphere or disc that rolls on the x-y plane of J.
#[must_use]
pub fn rolling(roller: Roller, radius: f64) -> [Form; 3] {
    [Z, X, Y].map(|axis| Form::Rolling { roller, radius, axis })
}

/// What row `row` of a form keeps, for messages.
#[must_use]
pub fn describe(form: Form, row: usize) -> String {
    const AXES: [&str; 3] = ["x", "y", "z"];
    match form {
        Form::Point => format!("coincident origins, global {}", AXES[row]),
        Form::LocalPoint => format!("coincident origins, {} of J", AXES[row]),
        Form::Dot { i, j } => format!("{} of I perpendicular to {} of J", AXES[i], AXES[j]),
        Form::AxisVector { axis, .. } => format!("origins along {} of J", AXES[axis]),
        Form::Distance { .. } => "distance of the origins".to_owned(),
        Form::Angle => "angle about z of J".to_owned(),
        Form::Cardan { axis } => format!("angle about {}, of three one after the other", AXES[axis]),
        Form::Screw { .. } => "displacement along z of J by the pitch".to_owned(),
        Form::Rolling { axis: Z, .. } => "touching the plane of J".to_owned(),
        Form::Rolling { axis, .. } => format!("no sliding along {} of J", AXES[axis]),
        Form::Along { .. } => "a coordinate".to_owned(),
        Form::Twist => "no twist between the shafts".to_owned(),
    }
}
