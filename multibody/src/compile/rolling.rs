//! Rolling elements: their rows, bound to frames. Their sets stand between those of the joints and of the motions.

use super::check::{at, unique};
use super::joints::Joints;
use super::markers;
use super::scope::Scope;
use crate::constraint::{Constraint, Roller, table};
use crate::error::ModelError;
use crate::mechanism::ConstraintSet;
use crate::model::{JointKind, Model, RollingShape};
use crate::space::Pose;

/// Sine of the angle between a disc and its plane below which it counts as lying flat: the point that touches has half of its digits there.
const FLAT: f64 = 1e-8;

pub(super) fn read(model: &Model, scope: &Scope<'_>, joints: &mut Joints) -> Result<(), Box<ModelError>> {
    unique("rolling", model.rolling.iter().map(|rolling| rolling.name.as_str()))?;
    let mut poses = scope.poses.clone();
    poses.push(Pose::ground());
    for (index, rolling) in model.rolling.iter().enumerate() {
        let field = |name: &str| at("rolling", index, &rolling.name, name);
        if model.joints.iter().any(|joint| joint.name == rolling.name) {
            let remedy = "choose another: reactions are asked for by it";
            return Err(ModelError::new(field("name"), "a joint has this name", remedy));
        }
        let radius =
            scope.checked(&rolling.radius, &field("radius"), "a positive radius", |r| r > 0.0 && r.is_finite())?;
        let global = crate::model::GROUND.into();
        let (i, j) = markers::pair(scope, &rolling.i, rolling.j.as_ref().unwrap_or(&global), &field)?;
        let roller = match rolling.shape {
            RollingShape::Sphere => Roller::Sphere,
            RollingShape::Disc => Roller::Disc,
        };
        let (axis, normal) = (i.axis(&poses, 2), j.axis(&poses, 2));
        if roller == Roller::Disc && axis.cross(&normal).norm() < FLAT {
            let remedy =
                "turn marker I so that its z axis is the axis of the disc, and let it start upright or leaning";
            return Err(ModelError::new(field("i"), "the disc lies flat on its plane", remedy));
        }
        let first = joints.constraints.len();
        for form in table::rolling(roller, radius) {
            joints.bind(Constraint { form, i, j }, None);
        }
        let constraints = first..joints.constraints.len();
        let (name, joint) = (rolling.name.clone(), Some(JointKind::Rolling));
        joints.sets.push(ConstraintSet { name, joint, relation: None, i, j, constraints });
    }
    Ok(())
}
