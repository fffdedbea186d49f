//! A machine written in another order, or with the markers of its joints exchanged.

use super::random::Random;
use fourbar::multibody::expression::Expression;
use fourbar::multibody::model::{InitialConditions, JointKind, MeasureKind, Model};
use std::collections::BTreeSet;

/// The model with the entries of its sections in another order; measures keep theirs.
pub(super) fn reordered(model: &Model, random: &mut Random) -> Model {
    let mut other = model.clone();
    random.shuffle(&mut other.bodies);
    random.shuffle(&mut other.flexible);
    random.shuffle(&mut other.markers);
    random.shuffle(&mut other.joints);
    random.shuffle(&mut other.motions);
    random.shuffle(&mut other.forces);
    random.shuffle(&mut other.couplers);
    random.shuffle(&mut other.gears);
    other
}

/// Whether a joint is the same one with I and J exchanged.
fn is_symmetric(kind: JointKind) -> bool {
    use JointKind as K;
    match kind {
        K::Revolute | K::Prismatic | K::Cylindrical | K::Spherical | K::Universal | K::Planar | K::Fixed => true,
        K::ParallelAxes | K::Perpendicular | K::Orientation | K::Distance | K::Screw | K::ConstantVelocity => true,
        // The place of I in axes of J, or axes that are not alike.
        _ => false,
    }
}

/// The model with I and J of every joint exchanged that allows it, and the keys of their loads and of those of their motions.
pub(super) fn exchanged(model: &Model) -> (Model, BTreeSet<String>) {
    let mut other = model.clone();
    let mut names = BTreeSet::new();
    for joint in &mut other.joints {
        if !is_symmetric(joint.kind) || is_needed_as_it_is(model, &joint.name) {
            continue;
        }
        names.insert(joint.name.clone());
        std::mem::swap(&mut joint.i, &mut joint.j);
        let InitialConditions { angle, displacement, angular_velocity, velocity } = &mut joint.initial;
        [angle, displacement, angular_velocity, velocity].into_iter().flatten().for_each(negate);
    }
    for motion in other.motions.iter_mut().filter(|motion| motion.joint.as_ref().is_some_and(|own| names.contains(own)))
    {
        let values = [&mut motion.displacement, &mut motion.velocity, &mut motion.acceleration];
        let starts = [&mut motion.initial_displacement, &mut motion.initial_velocity];
        values.into_iter().chain(starts).flatten().for_each(negate);
    }
    for term in other.couplers.iter_mut().flat_map(|coupler| &mut coupler.joints) {
        if names.contains(&term.joint) {
            negate(&mut term.ratio);
        }
    }
    for rack in &mut other.racks {
        let times = usize::from(names.contains(&rack.pinion)) + usize::from(names.contains(&rack.rack));
        (0..times).for_each(|_| negate(&mut rack.pitch_radius));
    }
    let motions = other.motions.iter().filter(|motion| motion.joint.as_ref().is_some_and(|own| names.contains(own)));
    let keys = motions.map(|motion| format!("motion {}", motion.name));
    let keys = keys.chain(names.iter().map(|name| format!("joint {name}"))).collect();
    (other, keys)
}

/// Friction depends on the origin of I; reactions in expressions are those on the body of I; motions may drive one of three coordinates.
fn is_needed_as_it_is(model: &Model, joint: &str) -> bool {
    let rubs = model.frictions.iter().any(|friction| friction.joint == joint);
    let read = |kind: &MeasureKind| matches!(kind, MeasureKind::Reaction(reaction) if reaction.joint.as_deref() == Some(joint));
    let is_read = model.measures.iter().any(|measure| read(&measure.kind));
    let has_expressions = model.measures.iter().any(|measure| matches!(measure.kind, MeasureKind::Expression(_)));
    use fourbar::multibody::model::MotionDirection as D;
    let plain = |direction: Option<D>| matches!(direction, None | Some(D::Rotation | D::Translation));
    let driven = |motion: &&fourbar::multibody::model::Motion| motion.joint.as_deref() == Some(joint);
    let is_driven_otherwise = model.motions.iter().filter(driven).any(|motion| !plain(motion.direction));
    rubs || is_read && has_expressions || is_driven_otherwise
}

fn negate(expression: &mut Expression) {
    expression.convert(-1.0, &|_| 1.0, &|_| 1.0);
}
