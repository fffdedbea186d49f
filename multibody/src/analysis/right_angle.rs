//! The second of three angles at a right one, where motions about axes end: named in place of what follows from it.

use crate::constraint::Form;
use crate::error::Error;
use crate::integrator::Error as IntegratorError;
use crate::mechanism::Mechanism;
use crate::space::Pose;
use std::f64::consts::FRAC_PI_2;

/// Distance from a right angle within which it is taken for the cause of an error \[rad\]: rows bend by its inverse, and steps of a hundredth of a rad are
/// among the longest of a rotation.
const NEAR: f64 = 1e-2;

impl Mechanism {
    /// `error` at `poses` (with the ground) and `time` \[s\], or that a motion about an axis has come to a right angle there, if it is one that can follow.
    pub(crate) fn at_right_angle(&self, poses: &[Pose], time: f64, error: Error) -> Error {
        let follows = match &error {
            Error::NotAssembled { .. } | Error::Singular { .. } | Error::Linear { .. } | Error::Evaluation(_) => true,
            Error::Integrator(error) => {
                use IntegratorError as I;
                matches!(
                    error,
                    I::Evaluation(_)
                        | I::SmallestStep { .. }
                        | I::FixedStep { .. }
                        | I::Chattering { .. }
                        | I::StepLimit { .. }
                        | I::Stiff { .. }
                )
            }
            _ => false,
        };
        let near = self.constraints.iter().find_map(|bound| {
            let (Form::Cardan { axis }, Some(_)) = (bound.constraint.form, bound.drive) else { return None };
            let (i, j) = (&bound.constraint.i, &bound.constraint.j);
            let angle = i.axis(poses, 2).dot(&j.axis(poses, 0)).clamp(-1.0, 1.0).asin();
            (angle.abs() > FRAC_PI_2 - NEAR).then_some((bound, axis, angle))
        });
        match near {
            Some((bound, axis, angle)) if follows => Error::RightAngle {
                motion: self.sets[bound.set].name.clone(),
                direction: ["rotation_x", "rotation_y", "rotation_z"][axis],
                angle,
                time,
                source: Box::new(error),
            },
            _ => error,
        }
    }
}
