//! Friction at joints: which surfaces slide, and what presses them.

use super::check::{at, unique};
use super::scope::Scope;
use crate::constraint::{Constraint, Form};
use crate::error::{Location, ModelError};
use crate::expression::Expression;
use crate::force::{FrictionLaw, JointFriction, Line, Part, Press, Slide};
use crate::mechanism::ConstraintSet;
use crate::model::{Force, Friction, JointKind, Model};
use crate::space::{FixedFrame, M3};

type Field<'a> = dyn Fn(&str) -> Location + 'a;

/// What a joint slides on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Surface {
    Guide,
    Sleeve,
    Pin,
    Pins,
    Ball,
}

/// Reads friction; `sets` begin with the joints.
pub(super) fn read(
    model: &Model,
    scope: &Scope<'_>,
    sets: &[ConstraintSet],
) -> Result<Vec<JointFriction>, Box<ModelError>> {
    unique("friction", model.frictions.iter().map(|friction| friction.name.as_str()))?;
    let mut all = Vec::new();
    for (index, friction) in model.frictions.iter().enumerate() {
        let field = |name: &str| at("friction", index, &friction.name, name);
        if model.forces.iter().map(Force::name).any(|name| name == friction.name) {
            let remedy = "choose another name for one of them: measures ask for both by it";
            return Err(ModelError::new(field("name"), "a force has this name", remedy));
        }
        let Some(joint) = model.joints.iter().position(|joint| joint.name == friction.joint) else {
            let known = model.joints.iter().map(|joint| joint.name.as_str());
            return Err(ModelError::unknown("joint", &friction.joint, known, &field("joint")));
        };
        if let Some(other) = model.frictions[..index].iter().find(|other| other.joint == friction.joint) {
            let problem = format!("the joint \"{}\" has the friction \"{}\" already", friction.joint, other.name);
            return Err(ModelError::new(field("joint"), problem, "describe all of its friction in one element"));
        }
        one(scope, friction, joint, sets, &field, &mut all)?;
    }
    Ok(all)
}

fn one(
    scope: &Scope<'_>,
    friction: &Friction,
    joint: usize,
    sets: &[ConstraintSet],
    field: &Field<'_>,
    all: &mut Vec<JointFriction>,
) -> Result<(), Box<ModelError>> {
    let set = &sets[joint];
    let surface = surface(set.joint, field)?;
    let radius = radius(scope, friction, surface, field)?;
    let law = law(scope, friction, field)?;
    let presses = presses(scope, friction, surface, radius, field)?;
    let not_negative = |name: &str, given: &Option<Expression>| match given {
        Some(value) => scope.checked(value, &field(name), "zero or positive", |v| v >= 0.0 && v.is_finite()),
        None => Ok(0.0),
    };
    let mut preload = not_negative("preload_force", &friction.preload_force)?;
    if friction.preload_torque.is_some() && surface == Surface::Guide {
        return Err(ModelError::new(
            field("preload_torque"),
            "a prismatic joint does not turn",
            "give `preload_force`",
        ));
    }
    preload += not_negative("preload_torque", &friction.preload_torque)? / radius;
    if presses.is_empty() && preload == 0.0 && law.viscous == 0.0 {
        let remedy = "let the reaction press them, or give an arm, a preload or `viscous`";
        return Err(ModelError::new(field("reaction"), "nothing presses the surfaces", remedy));
    }
    // Surfaces of a joint that does not act are apart.
    let (law, presses, preload) = match set.constraints.is_empty() {
        true => (FrictionLaw { at_rest: 0.0, sliding: 0.0, viscous: 0.0, ..law }, Vec::new(), 0.0),
        false => (law, presses, preload),
    };
    for (axis, slides) in slides(set, surface, radius) {
        let presses = presses.clone();
        all.push(JointFriction { name: friction.name.clone(), joint, slides, axis, presses, preload, law });
    }
    Ok(())
}

fn surface(kind: Option<JointKind>, field: &Field<'_>) -> Result<Surface, Box<ModelError>> {
    Ok(match kind {
        Some(JointKind::Prismatic) => Surface::Guide,
        Some(JointKind::Cylindrical) => Surface::Sleeve,
        Some(JointKind::Revolute) => Surface::Pin,
        Some(JointKind::Universal | JointKind::Hooke) => Surface::Pins,
        Some(JointKind::Spherical) => Surface::Ball,
        _ => {
            let remedy = "name a revolute, prismatic, cylindrical, spherical, universal or hooke joint";
            return Err(ModelError::new(field("joint"), "this kind of joint has no surfaces that slide", remedy));
        }
    })
}

/// The radius of the pin or ball; 1 m of a guide, where it has no meaning.
fn radius(scope: &Scope<'_>, friction: &Friction, surface: Surface, field: &Field<'_>) -> Result<f64, Box<ModelError>> {
    match (&friction.pin_radius, surface) {
        (None, Surface::Guide) => Ok(1.0),
        (Some(_), Surface::Guide) => {
            Err(ModelError::new(field("pin_radius"), "a prismatic joint has no pin", "remove it"))
        }
        (Some(radius), _) => positive(scope, radius, &field("pin_radius")),
        (None, _) => {
            let problem = "the surfaces turn, and their radius is missing";
            Err(ModelError::new(field("pin_radius"), problem, "give the radius of the pin or ball"))
        }
    }
}

fn positive(scope: &Scope<'_>, value: &Expression, location: &Location) -> Result<f64, Box<ModelError>> {
    scope.checked(value, location, "positive", |v| v > 0.0 && v.is_finite())
}

fn law(scope: &Scope<'_>, friction: &Friction, field: &Field<'_>) -> Result<FrictionLaw, Box<ModelError>> {
    let coefficient = |v: f64| v >= 0.0 && v.is_finite();
    let sliding = scope.checked(&friction.mu_dynamic, &field("mu_dynamic"), "zero or positive", coefficient)?;
    let at_rest = match &friction.mu_static {
        Some(mu) => {
            let allowed = format!("at least `mu_dynamic`, {sliding}");
            scope.checked(mu, &field("mu_static"), &allowed, |v| v >= sliding && v.is_finite())?
        }
        None => sliding,
    };
    let viscous = match &friction.viscous {
        Some(c) => scope.checked(c, &field("viscous"), "zero or positive", coefficient)?,
        None => 0.0,
    };
    let transition = positive(scope, &friction.transition_velocity, &field("transition_velocity"))?;
    Ok(FrictionLaw { at_rest, sliding, transition, viscous })
}

/// What presses the surfaces.
fn presses(
    scope: &Scope<'_>,
    friction: &Friction,
    surface: Surface,
    radius: f64,
    field: &Field<'_>,
) -> Result<Vec<Press>, Box<ModelError>> {
    let mut presses = Vec::new();
    if friction.reaction {
        let part = if surface == Surface::Ball { Part::All } else { Part::Across };
        presses.push(Press { torque: false, part, factor: 1.0 });
    }
    let mut arm = |name: &str, given: &Option<Expression>, of: &[Surface], torque: bool, part: Part| {
        let Some(arm) = given else { return Ok(()) };
        if !of.contains(&surface) {
            let problem = "this kind of joint has no such reaction, or does not rub by it";
            return Err(ModelError::new(field(name), problem, "remove it"));
        }
        let arm = positive(scope, arm, &field(name))?;
        presses.push(Press { torque, part, factor: if torque { 1.0 / arm } else { arm / radius } });
        Ok(())
    };
    use Surface as S;
    arm("friction_arm", &friction.friction_arm, &[S::Pin, S::Pins], false, Part::Along)?;
    arm("bending_arm", &friction.bending_arm, &[S::Guide, S::Sleeve, S::Pin, S::Pins], true, Part::Across)?;
    arm("torsion_arm", &friction.torsion_arm, &[S::Guide], true, Part::Along)?;
    Ok(presses)
}

/// The surfaces: the axis of each, and its directions of sliding.
fn slides(set: &ConstraintSet, surface: Surface, radius: f64) -> Vec<(FixedFrame, Vec<Slide>)> {
    let (i, j) = (set.i, set.j);
    let along = || {
        let constraint = Constraint { form: Form::AxisVector { axis: 2, offset: 0.0 }, i, j };
        Slide { line: Line::Row { constraint, tracked: None }, arm: 1.0 }
    };
    let about = |i: FixedFrame, j: FixedFrame| Slide { line: Line::Axis { i, j }, arm: radius };
    match surface {
        Surface::Guide => vec![(j, vec![along()])],
        Surface::Pin => vec![(j, vec![about(i, j)])],
        Surface::Sleeve => vec![(j, vec![along(), about(i, j)])],
        Surface::Ball => vec![(j, (0..3).map(|axis| about(i, with_z(&j, axis))).collect())],
        Surface::Pins => {
            let axes = if set.joint == Some(JointKind::Hooke) { [0, 1] } else { [2, 2] };
            let (of_i, of_j) = (with_z(&i, axes[0]), with_z(&j, axes[1]));
            // The pin of I lies in I: J turns about it.
            vec![(of_i, vec![about(j, of_i)]), (of_j, vec![about(i, of_j)])]
        }
    }
}

/// The frame, its axes exchanged in turn so that `axis` becomes z.
fn with_z(frame: &FixedFrame, axis: usize) -> FixedFrame {
    let column = |k: usize| frame.c.column((axis + k) % 3).into_owned();
    FixedFrame { c: M3::from_columns(&[column(1), column(2), column(0)]), ..*frame }
}
