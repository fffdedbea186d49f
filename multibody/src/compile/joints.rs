//! Joints and motions: rows of the table of joints, bound to frames.

use super::check::{at, unique};
use super::markers;
use super::scope::{Scope, unknown};
use crate::constraint::{Constraint, Form, table};
use crate::drive::{Drive, Law, TimeFunction};
use crate::error::{Location, ModelError};
use crate::expression::{Binding, Expression, Program};
use crate::host::{MotionFunction, Refusal};
use crate::mechanism::{BoundConstraint, ConstraintSet, RigidBody};
use crate::model::{Direction, JointKind, Model, Motion};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

type HostMotions = BTreeMap<String, Arc<dyn MotionFunction>>;

/// Compiled joints, then motions.
#[derive(Default)]
pub(super) struct Joints {
    pub(super) sets: Vec<ConstraintSet>,
    pub(super) constraints: Vec<BoundConstraint>,
    pub(super) drives: Vec<Drive>,
    rows: usize,
    drive_unknowns: usize,
}

impl Joints {
    fn bind(&mut self, constraint: Constraint, drive: Option<usize>) {
        let count = constraint.row_count();
        let mut rows = [crate::mechanism::DROPPED; 3];
        for (k, row) in rows.iter_mut().enumerate().take(count) {
            *row = (self.rows + k) as u32;
        }
        self.constraints.push(BoundConstraint { constraint, set: self.sets.len(), rows, first: self.rows, drive });
        self.rows += count;
    }

    /// Which of the bodies, and the ground behind them, cannot turn: chains of joints that keep all axes parallel hold them to the ground.
    pub(super) fn guided(&self, ground: usize) -> Vec<bool> {
        let keeps = |kind| matches!(kind, Some(JointKind::Prismatic | JointKind::Fixed | JointKind::Orientation));
        let mut joined = vec![Vec::new(); ground + 1];
        for set in self.sets.iter().filter(|set| keeps(set.joint)) {
            joined[set.i.body].push(set.j.body);
            joined[set.j.body].push(set.i.body);
        }
        let mut guided = vec![false; ground + 1];
        guided[ground] = true;
        let mut next = vec![ground];
        while let Some(body) = next.pop() {
            for &other in &joined[body] {
                if !std::mem::replace(&mut guided[other], true) {
                    next.push(other);
                }
            }
        }
        guided
    }
}

/// Reads joints and motions.
pub(super) fn read(model: &Model, scope: &Scope<'_>, hosts: &HostMotions) -> Result<Joints, Box<ModelError>> {
    unique("joint", model.joints.iter().map(|j| j.name.as_str()))?;
    unique("motion", model.motions.iter().map(|m| m.name.as_str()))?;
    let mut joints = Joints::default();
    for (index, joint) in model.joints.iter().enumerate() {
        let field = |name: &str| at("joint", index, &joint.name, name);
        let (i, j) = markers::pair(scope, &joint.i, &joint.j, &field)?;
        let length = length(scope, joint, &i, &j, &field)?;
        let first = joints.constraints.len();
        for form in table::forms(joint.kind, length) {
            joints.bind(Constraint { form, i, j }, None);
        }
        let constraints = first..joints.constraints.len();
        joints.sets.push(ConstraintSet { name: joint.name.clone(), joint: Some(joint.kind), i, j, constraints });
    }
    let names = || model.motions.iter().map(|motion| motion.name.as_str());
    if let Some(name) = hosts.keys().find(|name| names().all(|known| known != **name)) {
        return Err(unknown("motion", name, names(), &at("motion", 0, "", "")));
    }
    let mut driven = Driven {
        joints: model.joints.iter().enumerate().map(|(k, joint)| (joint.name.as_str(), k)).collect(),
        coordinates: HashSet::new(),
    };
    for (index, motion) in model.motions.iter().enumerate() {
        read_motion(model, scope, &mut joints, &mut driven, index, hosts.get(&motion.name))?;
    }
    Ok(joints)
}

fn length(
    scope: &Scope<'_>,
    joint: &crate::model::Joint,
    i: &crate::space::FixedFrame,
    j: &crate::space::FixedFrame,
    field: &dyn Fn(&str) -> Location,
) -> Result<f64, Box<ModelError>> {
    match (&joint.length, joint.kind) {
        (Some(length), JointKind::Distance) => scope.checked(
            length,
            &field("length"),
            "a positive length; for a distance of zero use a spherical joint",
            |l| l > 0.0,
        ),
        (Some(_), _) => Err(ModelError::new(field("length"), "only a distance joint has a length", "remove it")),
        (None, JointKind::Distance) => {
            let mut poses = scope.poses.clone();
            poses.push(crate::space::Pose::ground());
            let length = (i.origin(&poses) - j.origin(&poses)).norm();
            if length > 0.0 {
                return Ok(length);
            }
            Err(ModelError::new(
                field("length"),
                "the origins coincide at the start, so the distance to keep is zero",
                "give a positive `length`, or use a spherical joint",
            ))
        }
        (None, _) => Ok(0.0),
    }
}

/// Joints by name, and which of their coordinates are driven.
struct Driven<'a> {
    joints: HashMap<&'a str, usize>,
    coordinates: HashSet<(usize, bool)>,
}

fn read_motion(
    model: &Model,
    scope: &Scope<'_>,
    joints: &mut Joints,
    driven: &mut Driven<'_>,
    index: usize,
    host: Option<&Arc<dyn MotionFunction>>,
) -> Result<(), Box<ModelError>> {
    let motion = &model.motions[index];
    let field = |name: &str| at("motion", index, &motion.name, name);
    let Some(&joint) = driven.joints.get(motion.joint.as_str()) else {
        return Err(unknown("joint", &motion.joint, model.joints.iter().map(|j| j.name.as_str()), &field("joint")));
    };
    let direction = direction(motion, model.joints[joint].kind, &field)?;
    if !driven.coordinates.insert((joint, direction == Direction::Rotation)) {
        return Err(ModelError::new(
            field("joint"),
            format!("another motion drives the same coordinate of joint \"{}\"", motion.joint),
            "drive each coordinate once; add the expressions if both are meant",
        ));
    }
    let drive = drive(scope, motion, host, joints.drive_unknowns, &field)?;
    let (i, j) = (joints.sets[joint].i, joints.sets[joint].j);
    let form = match direction {
        Direction::Rotation => Form::Angle,
        Direction::Translation => Form::AxisVector { axis: 2, offset: 0.0 },
    };
    joints.drive_unknowns += drive.law.unknowns();
    joints.drives.push(drive);
    let first = joints.constraints.len();
    joints.bind(Constraint { form, i, j }, Some(joints.drives.len() - 1));
    joints.sets.push(ConstraintSet { name: motion.name.clone(), joint: None, i, j, constraints: first..first + 1 });
    Ok(())
}

fn direction(motion: &Motion, kind: JointKind, field: &dyn Fn(&str) -> Location) -> Result<Direction, Box<ModelError>> {
    let only = match kind {
        JointKind::Revolute => Direction::Rotation,
        JointKind::Prismatic => Direction::Translation,
        JointKind::Cylindrical => {
            return motion.direction.ok_or_else(|| {
                ModelError::new(
                    field("direction"),
                    "a cylindrical joint turns and slides",
                    "write \"rotation\" or \"translation\"",
                )
            });
        }
        other => {
            return Err(ModelError::new(
                field("joint"),
                format!("a {other:?} joint has no coordinate that a motion can drive").to_lowercase(),
                "drive a revolute, prismatic or cylindrical joint",
            ));
        }
    };
    match motion.direction {
        Some(given) if given != only => Err(ModelError::new(
            field("direction"),
            format!("a {kind:?} joint allows only {only:?}").to_lowercase(),
            "correct or remove the direction",
        )),
        _ => Ok(only),
    }
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
        ModelError::new(location.clone(), error.to_string(), "a motion is an expression of `time` and parameters")
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

/// Tells bodies that no joint holds whether they may tumble. Takes the axis of symmetry, as the axis of its Euler angles, from bodies that no joint holds and that are not slender. Such a
/// body wobbles at J_s/J_t times its spin in space, and slower in its own axes, by 1 less, if J_s > J_t/2.
pub(super) fn leave_wobbling(joints: &Joints, bodies: &mut [RigidBody]) {
    for (index, body) in bodies.iter_mut().enumerate() {
        let held = joints.sets.iter().any(|set| set.i.body == index || set.j.body == index);
        let inertia = body.inertia;
        body.loose = !held && body.symmetry.is_none();
        body.symmetry = body.symmetry.filter(|axis| {
            let along = axis.dot(&(inertia * axis));
            held || along < 0.25 * (inertia.trace() - along)
        });
    }
}

/// Tells each body the axis of its first hinge.
pub(super) fn hint_hinges(joints: &Joints, bodies: &mut [RigidBody]) {
    for set in &joints.sets {
        if matches!(set.joint, Some(JointKind::Revolute | JointKind::Cylindrical | JointKind::Planar)) {
            for frame in [set.i, set.j] {
                if let Some(body) = bodies.get_mut(frame.body) {
                    body.hinge.get_or_insert(frame.c.column(2).into_owned());
                }
            }
        }
    }
}
