//! Motions: coordinates of joints, or of two markers, that follow functions of the time.

use super::check::{at, unique};
use super::joints::{HostMotions, Joints};
use super::markers;
use super::scope::{Scope, unknown};
use crate::constraint::{Constraint, Form, table};
use crate::drive::{Drive, Law, TimeFunction};
use crate::error::{Location, ModelError};
use crate::expression::{Binding, Expression, Program};
use crate::host::{MotionFunction, Refusal};
use crate::mechanism::{ConstraintSet, Variant};
use crate::model::{ElementKind, JointKind, Model, Motion, MotionDirection};
use crate::space::Pose;
use std::sync::Arc;

type Field<'a> = &'a dyn Fn(&str) -> Location;

/// Distance of the second of three angles from +-90 degrees below which the others mean nothing \[rad\]: there they lose half of their digits.
const UPRIGHT: f64 = 1e-4;

/// Reads the motions; their sets follow those of the joints.
pub(super) fn read(
    model: &Model,
    scope: &Scope<'_>,
    joints: &mut Joints,
    hosts: &HostMotions,
    variant: &Variant,
) -> Result<(), Box<ModelError>> {
    let names = || model.motions.iter().map(|motion| motion.name.as_str());
    unique("motion", names())?;
    if let Some(name) = hosts.keys().find(|name| names().all(|known| known != **name)) {
        return Err(unknown("motion", name, names(), &at("motion", 0, "", "")));
    }
    for (index, motion) in model.motions.iter().enumerate() {
        let field = |name: &str| at("motion", index, &motion.name, name);
        let constraint = constraint(model, scope, joints, motion, &field)?;
        let drive = drive(scope, motion, hosts.get(&motion.name), joints.drive_unknowns, &field)?;
        upright(scope, &constraint, &drive, &field)?;
        joints.drive_unknowns += drive.law.unknowns();
        joints.drives.push(drive);
        let first = joints.constraints.len();
        joints.inactive = !variant.acts(ElementKind::Motion, &motion.name);
        joints.bind(constraint, Some(joints.drives.len() - 1));
        joints.inactive = false;
        let Constraint { i, j, .. } = constraint;
        let (name, constraints) = (motion.name.clone(), first..joints.constraints.len());
        joints.sets.push(ConstraintSet { name, joint: None, relation: None, i, j, constraints });
    }
    Ok(())
}

/// What a motion drives.
fn constraint(
    model: &Model,
    scope: &Scope<'_>,
    joints: &Joints,
    motion: &Motion,
    field: Field<'_>,
) -> Result<Constraint, Box<ModelError>> {
    let (form, i, j, whose) = match (&motion.joint, &motion.i) {
        (Some(name), None) if motion.j.is_none() => {
            let Some(joint) = model.joints.iter().position(|joint| joint.name == *name) else {
                if model.rolling.iter().any(|rolling| rolling.name == *name) {
                    let remedy = "drive the body by markers `i` and `j`, or by a joint";
                    return Err(ModelError::new(
                        field("joint"),
                        "a rolling element has no coordinate of its own",
                        remedy,
                    ));
                }
                return Err(unknown("joint", name, model.joints.iter().map(|j| j.name.as_str()), &field("joint")));
            };
            let direction = of_joint(motion, model.joints[joint].kind, field)?;
            let set = &joints.sets[joint];
            (form(direction), set.i, set.j, format!("joint \"{name}\""))
        }
        (None, Some(i)) => {
            let global = crate::model::GROUND.into();
            let (i, j) = markers::pair(scope, i, motion.j.as_ref().unwrap_or(&global), field)?;
            let direction = motion.direction.ok_or_else(|| needed(field, "two markers have six coordinates"))?;
            (form(direction), i, j, "these markers".to_owned())
        }
        _ => {
            return Err(ModelError::new(
                field("joint"),
                "a motion is that of one joint, or of marker I against marker J",
                "give `joint`, or give `i` and `j`",
            ));
        }
    };
    let constraint = Constraint { form, i, j };
    if joints.constraints.iter().any(|bound| bound.drive.is_some() && bound.constraint == constraint) {
        return Err(ModelError::new(
            field(if motion.joint.is_some() { "joint" } else { "direction" }),
            format!("another motion drives the same coordinate of {whose}"),
            "drive each coordinate once; add the expressions if both are meant",
        ));
    }
    Ok(constraint)
}

fn form(direction: MotionDirection) -> Form {
    use MotionDirection as D;
    let along = |axis| Form::AxisVector { axis, offset: 0.0 };
    match direction {
        D::Rotation => Form::Angle,
        D::X => along(0),
        D::Y => along(1),
        D::Translation | D::Z => along(2),
        D::RotationX => Form::Cardan { axis: 0 },
        D::RotationY => Form::Cardan { axis: 1 },
        D::RotationZ => Form::Cardan { axis: 2 },
    }
}

fn needed(field: Field<'_>, problem: &str) -> Box<ModelError> {
    let remedy = "write \"rotation\" or \"translation\" (about and along z of J), \"x\", \"y\", \"z\", \"rotation_x\", \"rotation_y\" or \"rotation_z\"";
    ModelError::new(field("direction"), problem, remedy)
}

/// The direction of a motion of a joint.
fn of_joint(motion: &Motion, kind: JointKind, field: Field<'_>) -> Result<MotionDirection, Box<ModelError>> {
    let name = || kind.word();
    let Some(direction) = motion.direction.or_else(|| only(kind)) else {
        return Err(needed(field, &format!("a {} joint has no coordinate of its own, or several", name())));
    };
    if !keeps(kind, direction) {
        return Ok(direction);
    }
    let free: Vec<String> =
        ALL.into_iter().filter(|other| !keeps(kind, *other)).map(|d| format!("\"{}\"", word(d))).collect();
    let remedy = match &free[..] {
        [] => "remove the motion: it leaves none free".to_owned(),
        free => format!("drive what it leaves free: {}", free.join(", ")),
    };
    Err(ModelError::new(
        field("direction"),
        format!("a {} joint keeps \"{}\" as it is", name(), word(direction)),
        remedy,
    ))
}

/// The only coordinate of a joint.
pub(super) fn only(kind: JointKind) -> Option<MotionDirection> {
    match kind {
        JointKind::Revolute => Some(MotionDirection::Rotation),
        JointKind::Prismatic => Some(MotionDirection::Translation),
        _ => None,
    }
}

const ALL: [MotionDirection; 8] = {
    use MotionDirection as D;
    [D::Rotation, D::Translation, D::X, D::Y, D::Z, D::RotationX, D::RotationY, D::RotationZ]
};

fn word(direction: MotionDirection) -> &'static str {
    use MotionDirection as D;
    match direction {
        D::Rotation => "rotation",
        D::Translation => "translation",
        D::X => "x",
        D::Y => "y",
        D::Z => "z",
        D::RotationX => "rotation_x",
        D::RotationY => "rotation_y",
        D::RotationZ => "rotation_z",
    }
}

/// Whether joints of this kind hold the coordinate by themselves.
fn keeps(kind: JointKind, direction: MotionDirection) -> bool {
    let forms = table::forms(kind, 1.0);
    let has = |wanted: Form| forms.contains(&wanted);
    let parallel = has(Form::Dot { i: 2, j: 0 }) && has(Form::Dot { i: 2, j: 1 });
    match form(direction) {
        along @ Form::AxisVector { .. } => has(Form::Point) || has(along),
        Form::Cardan { axis: 0 | 1 } => parallel,
        _ => parallel && has(Form::Dot { i: 0, j: 1 }),
    }
}

/// Refuses the second of three angles where it is, or is to be, a right one.
fn upright(scope: &Scope<'_>, constraint: &Constraint, drive: &Drive, field: Field<'_>) -> Result<(), Box<ModelError>> {
    let Form::Cardan { .. } = constraint.form else { return Ok(()) };
    let mut poses = scope.poses.clone();
    poses.push(Pose::ground());
    let sine = constraint.i.axis(&poses, 2).dot(&constraint.j.axis(&poses, 0));
    let beyond = |angle: f64| angle.abs() > std::f64::consts::FRAC_PI_2 - UPRIGHT;
    let problem = match (constraint.form, drive.start) {
        _ if sine.abs() > UPRIGHT.cos() => "z of I lies along x of J, where the three angles are not unique".to_owned(),
        (Form::Cardan { axis: 1 }, Some(start)) if beyond(start) => {
            format!("\"rotation_y\" starts at {start} rad, beyond +-90 degrees")
        }
        _ => return Ok(()),
    };
    let remedy = "turn the axes of I and J, so that what turns far is \"rotation_x\" or \"rotation_z\"";
    Err(ModelError::new(field("direction"), problem, remedy))
}

fn drive(
    scope: &Scope<'_>,
    motion: &Motion,
    host: Option<&Arc<dyn MotionFunction>>,
    first: usize,
    field: &dyn Fn(&str) -> Location,
) -> Result<Drive, Box<ModelError>> {
    let given = [
        ("displacement", &motion.displacement, Law::Displacement),
        ("velocity", &motion.velocity, Law::Velocity),
        ("acceleration", &motion.acceleration, Law::Acceleration),
    ];
    let mut laws = given.into_iter().filter_map(|(name, e, law)| e.as_ref().map(|e| (name, e, law)));
    let (Some((name, expression, law)), None) = (laws.next(), laws.next()) else {
        return Err(ModelError::new(
            field(""),
            "a motion is given by one of displacement, velocity, acceleration",
            "write exactly one of them, an expression of `time`",
        ));
    };
    let start = |value: &Option<Expression>, name: &str, allowed: bool| match value {
        Some(_) if !allowed => Err(ModelError::new(
            field(name),
            format!("a motion given by {law:?} has no such start").to_lowercase(),
            "remove it",
        )),
        Some(e) => scope.number(e, &field(name)).map(Some),
        None => Ok(None),
    };
    let function = match host {
        Some(function) => of_host(function, &field(name))?,
        None => TimeFunction::Program(of_time(scope, expression, &field(name))?),
    };
    Ok(Drive {
        function,
        first,
        start: start(&motion.initial_displacement, "initial_displacement", law != Law::Displacement)?,
        start_rate: start(&motion.initial_velocity, "initial_velocity", law == Law::Acceleration)?.unwrap_or(0.0),
        law,
    })
}

/// A program of time alone, finite at the start with its derivatives.
fn of_time(scope: &Scope<'_>, expression: &Expression, location: &Location) -> Result<Program, Box<ModelError>> {
    let mut resolve = |name: &str| match name {
        "time" => Some(Binding::Slot(0)),
        name => scope.parameters.binding(name),
    };
    let program = expression.bind(&mut resolve).map_err(|error| {
        let error = error.suggest(scope.parameters.names().chain(["time"]));
        ModelError::of_expression(location.clone(), &error, "a motion is an expression of `time` and parameters")
    })?;
    let derivatives = program.time_derivatives(0.0, &mut crate::expression::Stack::new(program.depth()));
    check_start(derivatives, location).map(|()| program)
}

/// A function of the host, finite at the start with its derivatives.
fn of_host(function: &Arc<dyn MotionFunction>, location: &Location) -> Result<TimeFunction, Box<ModelError>> {
    let derivatives = function.value(0.0).map_err(|refusal| {
        let (Refusal::Recoverable(reason) | Refusal::Fatal(reason)) = refusal;
        let problem = format!("its function fails at time 0: {reason}");
        ModelError::new(location.clone(), problem, "give a motion from the start on")
    })?;
    check_start(derivatives, location).map(|()| TimeFunction::Host(Arc::clone(function)))
}

fn check_start(derivatives: [f64; 3], location: &Location) -> Result<(), Box<ModelError>> {
    if derivatives.iter().all(|d| d.is_finite()) {
        return Ok(());
    }
    Err(ModelError::new(
        location.clone(),
        format!("at time 0 value and derivatives are {derivatives:?}"),
        "write a motion that is finite and smooth from the start",
    ))
}
