//! Joints: rows of the table of joints, bound to frames.

use super::check::{at, unique};
use super::scope::Scope;
use super::{markers, motions, rolling};
use crate::constraint::{Constraint, table};
use crate::drive::Drive;
use crate::error::{Location, ModelError};
use crate::host::MotionFunction;
use crate::mechanism::{
    BoundConstraint, Composed, ConstraintSet, CountedAngle, Relation, RigidBody, Term, TurnCounter, Variant,
};
use crate::model::{ElementKind, JointKind, Model};
use crate::space::FixedFrame;
use std::collections::BTreeMap;
use std::sync::Arc;

pub(super) type HostMotions = BTreeMap<String, Arc<dyn MotionFunction>>;

/// Compiled joints, then motions.
#[derive(Default)]
pub(super) struct Joints {
    pub(super) sets: Vec<ConstraintSet>,
    pub(super) constraints: Vec<BoundConstraint>,
    pub(super) drives: Vec<Drive>,
    /// Pairs of frames whose turns composed rows count.
    pub(super) tracked: Vec<TurnCounter>,
    rows: usize,
    pub(super) drive_unknowns: usize,
    /// Whether the element that is read now does not act, so that it has no rows.
    pub(super) inactive: bool,
}

impl Joints {
    pub(super) fn bind(&mut self, constraint: Constraint, drive: Option<usize>) {
        if self.inactive {
            return;
        }
        let count = constraint.row_count();
        let mut rows = [crate::mechanism::DROPPED; 3];
        for (k, row) in rows.iter_mut().enumerate().take(count) {
            *row = (self.rows + k) as u32;
        }
        let set = self.sets.len();
        self.constraints.push(BoundConstraint { constraint, set, rows, first: self.rows, drive, composed: None });
        self.rows += count;
    }

    /// Index of the counter of turns of a pair of frames.
    pub(super) fn track(&mut self, i: FixedFrame, j: FixedFrame) -> usize {
        let counter = TurnCounter { i, j, angle: CountedAngle::Projected };
        let known = self.tracked.iter().position(|other| *other == counter);
        known.unwrap_or_else(|| {
            self.tracked.push(counter);
            self.tracked.len() - 1
        })
    }

    /// Binds a row composed of `terms`. It is a length if one of them is, else an angle: divided by the largest weight of such terms.
    pub(super) fn compose(&mut self, name: &str, relation: Relation, mut terms: Vec<Term>) {
        let is_length = |term: &&Term| !term.constraint.is_angular();
        let lengths = terms.iter().any(|term| is_length(&term));
        let leading = terms.iter().filter(|term| is_length(term) == lengths);
        let Some(lead) = leading.max_by(|a, b| a.weight.abs().total_cmp(&b.weight.abs())).copied() else { return };
        terms.iter_mut().for_each(|term| term.weight /= lead.weight);
        let first = self.constraints.len();
        self.bind(lead.constraint, None);
        let Constraint { i, j, .. } = terms[0].constraint;
        let composed = Composed { terms, offset: 0.0, scale: lead.weight, function: None, begins: true };
        self.constraints[first].composed = Some(Box::new(composed));
        let (name, relation) = (name.to_owned(), Some(relation));
        self.sets.push(ConstraintSet { name, joint: None, relation, i, j, constraints: first..first + 1 });
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
pub(super) fn read(
    model: &Model,
    scope: &Scope<'_>,
    hosts: &HostMotions,
    variant: &Variant,
) -> Result<Joints, Box<ModelError>> {
    unique("joint", model.joints.iter().map(|j| j.name.as_str()))?;
    let mut joints = Joints::default();
    for (index, joint) in model.joints.iter().enumerate() {
        let field = |name: &str| at("joint", index, &joint.name, name);
        let (i, j) = markers::pair(scope, &joint.i, &joint.j, &field)?;
        let size = size(scope, joint, [&i, &j], &field)?;
        let size = variant.lengths.get(&joint.name).copied().unwrap_or(size);
        let j = variant.frames.get(&joint.name).copied().unwrap_or(j);
        joints.inactive = !variant.acts(ElementKind::Joint, &joint.name);
        let first = joints.constraints.len();
        for form in table::forms(joint.kind, size) {
            joints.bind(Constraint { form, i, j }, None);
        }
        let constraints = first..joints.constraints.len();
        let (name, joint) = (joint.name.clone(), Some(joint.kind));
        joints.sets.push(ConstraintSet { name, joint, relation: None, i, j, constraints });
    }
    joints.inactive = false;
    rolling::read(model, scope, &mut joints)?;
    motions::read(model, scope, &mut joints, hosts, variant)?;
    Ok(joints)
}

/// The length of a distance joint, or the pitch of a screw; zero for the others.
fn size(
    scope: &Scope<'_>,
    joint: &crate::model::Joint,
    frames: [&crate::space::FixedFrame; 2],
    field: &dyn Fn(&str) -> Location,
) -> Result<f64, Box<ModelError>> {
    let foreign = [
        ("length", &joint.length, JointKind::Distance, "only a distance joint has a length"),
        ("pitch", &joint.pitch, JointKind::Screw, "only a screw has a pitch"),
    ];
    for (name, given, kind, problem) in foreign {
        if given.is_some() && joint.kind != kind {
            return Err(ModelError::new(field(name), problem, "remove it"));
        }
    }
    match joint.kind {
        JointKind::Distance => length(scope, joint, frames, field),
        JointKind::Screw => pitch(scope, joint, field),
        _ => Ok(0.0),
    }
}

fn pitch(
    scope: &Scope<'_>,
    joint: &crate::model::Joint,
    field: &dyn Fn(&str) -> Location,
) -> Result<f64, Box<ModelError>> {
    let Some(pitch) = &joint.pitch else {
        let remedy = "give `pitch`, the displacement in a full turn, negative for a left-handed thread";
        return Err(ModelError::new(field("pitch"), "a screw needs its pitch", remedy));
    };
    scope.checked(pitch, &field("pitch"), "a pitch other than zero; without one use a revolute joint", |p| {
        p != 0.0 && p.is_finite()
    })
}

fn length(
    scope: &Scope<'_>,
    joint: &crate::model::Joint,
    [i, j]: [&crate::space::FixedFrame; 2],
    field: &dyn Fn(&str) -> Location,
) -> Result<f64, Box<ModelError>> {
    if let Some(length) = &joint.length {
        let wanted = "a positive length; for a distance of zero use a spherical joint";
        return scope.checked(length, &field("length"), wanted, |l| l > 0.0);
    }
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

/// Tells bodies that no joint holds whether they may tumble. Takes the axis of symmetry, as the axis of its Euler angles, from bodies that no joint holds and that are not slender. Such a
/// body wobbles at J_s/J_t times its spin in space, and slower in its own axes, by 1 less, if J_s > J_t/2.
pub(super) fn leave_wobbling(joints: &Joints, bodies: &mut [RigidBody]) {
    for (index, body) in bodies.iter_mut().enumerate() {
        let acting = joints.sets.iter().filter(|set| !set.constraints.is_empty());
        let held = acting.into_iter().any(|set| set.i.body == index || set.j.body == index);
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
        if matches!(
            set.joint,
            Some(JointKind::Revolute | JointKind::Cylindrical | JointKind::Screw | JointKind::Planar)
        ) {
            for frame in [set.i, set.j] {
                if let Some(body) = bodies.get_mut(frame.body) {
                    body.hinge.get_or_insert(frame.c.column(2).into_owned());
                }
            }
        }
    }
}
