//! Where joints, forces and contacts meet a body: what a link without a shape of its own is drawn from.

use crate::mechanism::MechanismModel;
use fourbar_contact::model::ContactKind;
use fourbar_multibody::mechanism::Relation;
use fourbar_multibody::model::{Force, JointKind, MarkerRef};
use fourbar_multibody::space::{FixedFrame, V3};
use fourbar_multibody::{Location, Mechanism, ModelError, Names};

/// What happens at a place of a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Meeting {
    /// Another body turns there about z.
    Hinge,
    /// Another body slides there along z.
    Slide,
    /// Something else is fixed to it.
    Point,
}

/// A place of a body that is of interest.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    /// Where, from the centre of mass.
    pub(super) frame: FixedFrame,
    /// What happens there.
    pub(super) meeting: Meeting,
    /// The other body; none where there is none.
    pub(super) other: Option<usize>,
}

/// The places of each body, the ground last.
pub(super) fn gather(
    model: &MechanismModel,
    names: &Names<'_>,
    mechanism: &Mechanism,
) -> Result<Vec<Vec<Place>>, Box<ModelError>> {
    let mut places = vec![Vec::new(); mechanism.bodies().len() + 1];
    let mut add = |i: &FixedFrame, j: &FixedFrame, meeting: Meeting| {
        places[i.body].push(Place { frame: *i, meeting, other: Some(j.body) });
        places[j.body].push(Place { frame: *j, meeting, other: Some(i.body) });
    };
    for set in mechanism.constraint_sets() {
        if let Some(meeting) = set.joint.and_then(meeting) {
            add(&set.i, &set.j, meeting);
        }
    }
    for (i, j) in force_ends(model, names)? {
        add(&i, &j, Meeting::Point);
    }
    // Only the point that stays on it: the curve shows itself.
    for set in mechanism.constraint_sets().iter().filter(|set| set.relation == Some(Relation::PointOnCurve)) {
        places[set.i.body].push(Place { frame: set.i, meeting: Meeting::Point, other: Some(set.j.body) });
    }
    for contact in &model.contacts.contacts {
        let ends = match &contact.kind {
            ContactKind::PointPlane(data) => vec![&data.i],
            ContactKind::Rope(data) => vec![&data.i, &data.j],
            _ => Vec::new(),
        };
        for end in ends {
            let frame = names.marker(end, &at("contact", &contact.name))?;
            places[frame.body].push(Place { frame, meeting: Meeting::Point, other: None });
        }
    }
    Ok(places)
}

/// What a joint does at its markers; nothing that has a place for the others.
fn meeting(kind: JointKind) -> Option<Meeting> {
    use JointKind as K;
    match kind {
        K::Revolute | K::Cylindrical | K::Screw => Some(Meeting::Hinge),
        K::Prismatic => Some(Meeting::Slide),
        K::Spherical | K::Universal | K::Fixed | K::Distance | K::ConstantVelocity | K::Hooke | K::Inline => {
            Some(Meeting::Point)
        }
        _ => None,
    }
}

/// The markers of forces that act along a line or at two places.
fn force_ends(model: &MechanismModel, names: &Names<'_>) -> Result<Vec<(FixedFrame, FixedFrame)>, Box<ModelError>> {
    let mut found = Vec::new();
    for force in &model.model.forces {
        if let Some([i, j]) = ends(force) {
            let location = at("force", force.name());
            found.push((names.marker(i, &location)?, names.marker(j, &location)?));
        }
    }
    for actuator in model.model.actuators.iter().filter(|a| a.kind == fourbar_multibody::model::ActuatorKind::Force) {
        let location = at("actuator", &actuator.name);
        found.push((names.marker(&actuator.i, &location)?, names.marker(&actuator.j, &location)?));
    }
    Ok(found)
}

/// The two ends of a force that has them.
pub(super) fn ends(force: &Force) -> Option<[&MarkerRef; 2]> {
    Some(match force {
        Force::SpringDamper(f) => [&f.i, &f.j],
        Force::LineForce(f) => [&f.i, &f.j],
        Force::Bushing(f) => [&f.i, &f.j],
        Force::Field(f) => [&f.i, &f.j],
        Force::Beam(f) => [&f.i, &f.j],
        _ => return None,
    })
}

/// An entry as a whole.
pub(super) fn at(section: &'static str, name: &str) -> Location {
    Location { section, index: 0, name: name.to_owned(), field: String::new() }
}

/// Points that are apart from each other by more than `least`, the first of each heap.
pub(super) fn distinct(points: impl Iterator<Item = V3>, least: f64) -> Vec<V3> {
    let mut apart: Vec<V3> = Vec::new();
    for point in points {
        if apart.iter().all(|other| (other - point).norm() > least) {
            apart.push(point);
        }
    }
    apart
}

/// The corners of the box around points that are finite; none without one.
pub(super) fn bounds(points: impl Iterator<Item = V3>) -> Option<[V3; 2]> {
    let mut bounds: Option<[V3; 2]> = None;
    for point in points.filter(|p| p.iter().all(|part| part.is_finite())) {
        let [low, high] = bounds.get_or_insert([point; 2]);
        (*low, *high) = (low.inf(&point), high.sup(&point));
    }
    bounds
}
