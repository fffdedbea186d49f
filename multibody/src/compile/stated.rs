//! Initial conditions of joints: which coordinates a joint has, and what motions leave to state.

use super::check::at;
use super::markers;
use super::motions::only;
use super::scope::Scope;
use crate::error::{Location, ModelError};
use crate::mechanism::Stated;
use crate::model::{Direction, Joint, JointKind, Model, Motion, MotionDirection};
use crate::space::Pose;
use fourbar_linalg::text::Brief;
use std::f64::consts::TAU;

/// Reads the initial conditions of all joints, each coordinate by itself; sets of constraints begin with the joints.
pub(super) fn read(model: &Model, scope: &Scope<'_>) -> Result<Vec<Stated>, Box<ModelError>> {
    let mut stated = Vec::new();
    for (set, joint) in model.joints.iter().enumerate() {
        let initial = &joint.initial;
        let coordinates = [
            (Direction::Rotation, [("angle", &initial.angle), ("angular_velocity", &initial.angular_velocity)]),
            (Direction::Translation, [("displacement", &initial.displacement), ("velocity", &initial.velocity)]),
        ];
        for (direction, fields) in coordinates {
            let field = |name: &str| at("joint", set, &joint.name, &format!("initial.{name}"));
            let [value, rate] = fields.map(|(name, given)| -> Result<Option<f64>, Box<ModelError>> {
                let Some(expression) = given else { return Ok(None) };
                allowed(joint, direction, &field(name))?;
                undriven(model, joint, direction, name, &field(name))?;
                scope.number(expression, &field(name)).map(Some)
            });
            let (value, rate) = (value?, rate?);
            if let (JointKind::Screw, Direction::Rotation, Some(angle)) = (joint.kind, direction, value) {
                on_its_thread(scope, joint, angle, &field)?;
            }
            if value.is_some() || rate.is_some() {
                stated.push(Stated { set, direction, value, rate });
            }
        }
    }
    Ok(stated)
}

/// Refuses an angle of a screw whose displacement is more than half a pitch away from the drawn one, which tells the thread.
fn on_its_thread(
    scope: &Scope<'_>,
    joint: &Joint,
    angle: f64,
    field: &dyn Fn(&str) -> Location,
) -> Result<(), Box<ModelError>> {
    let Some(pitch) = &joint.pitch else { return Ok(()) };
    let pitch = scope.number(pitch, &field("angle"))?;
    let [i, j] = [&joint.i, &joint.j].map(|marker| markers::resolve(scope, marker, &field("angle")));
    let (i, j) = (i?, j?);
    let mut poses = scope.poses.clone();
    poses.push(Pose::ground());
    let drawn = (i.origin(&poses) - j.origin(&poses)).dot(&j.axis(&poses, 2));
    let wanted = pitch * angle / TAU;
    if (wanted - drawn).abs() <= 0.5 * pitch.abs() {
        return Ok(());
    }
    let problem = format!("the screw is drawn at a displacement of {} m, on another thread", Brief(drawn));
    let remedy = format!("draw its bodies near {} m, the pitch times this angle over a turn", Brief(wanted));
    Err(ModelError::new(field("angle"), problem, remedy))
}

/// Whether joints of this kind have the coordinate.
fn has(kind: JointKind, direction: Direction) -> bool {
    use JointKind as K;
    match direction {
        Direction::Rotation => matches!(kind, K::Revolute | K::Cylindrical | K::Screw | K::Planar | K::ParallelAxes),
        Direction::Translation => matches!(kind, K::Prismatic | K::Cylindrical | K::Screw | K::Inline),
    }
}

fn allowed(joint: &Joint, direction: Direction, location: &Location) -> Result<(), Box<ModelError>> {
    if has(joint.kind, direction) {
        return Ok(());
    }
    let what = match direction {
        Direction::Rotation => "angle about z of J",
        Direction::Translation => "displacement along z of J",
    };
    let of = [Direction::Rotation, Direction::Translation].map(|direction| has(joint.kind, direction));
    let remedy = match of {
        [true, false] => "state `angle` and `angular_velocity`",
        [false, true] => "state `displacement` and `velocity`",
        _ => "give the start of its bodies by their `position`, `orientation` and velocities, with `exact`",
    };
    Err(ModelError::new(location.clone(), format!("a {} joint has no {what}", joint.kind.word()), remedy))
}

/// Refuses what a motion of the same coordinate prescribes.
fn undriven(
    model: &Model,
    joint: &Joint,
    direction: Direction,
    name: &str,
    location: &Location,
) -> Result<(), Box<ModelError>> {
    let same = |driven: MotionDirection| match direction {
        Direction::Rotation => matches!(driven, MotionDirection::Rotation | MotionDirection::RotationZ),
        Direction::Translation => matches!(driven, MotionDirection::Translation | MotionDirection::Z),
    };
    let drives = |motion: &&Motion| {
        motion.joint.as_ref() == Some(&joint.name) && motion.direction.or_else(|| only(joint.kind)).is_some_and(same)
    };
    let Some(motion) = model.motions.iter().find(drives) else { return Ok(()) };
    let position = matches!(name, "angle" | "displacement");
    if position && motion.displacement.is_none() && motion.initial_displacement.is_none() {
        return Ok(());
    }
    Err(ModelError::new(
        location.clone(),
        format!("motion \"{}\" prescribes it", motion.name),
        "state it in one of the two places: a motion has `initial_displacement` and `initial_velocity`",
    ))
}
