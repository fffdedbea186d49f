//! Couplers, gears and racks: rows composed of the coordinates of joints.

use super::check::{at, unique};
use super::joints::Joints;
use super::markers;
use super::scope::{Scope, unknown};
use crate::constraint::{Constraint, Form};
use crate::error::{Location, ModelError};
use crate::mechanism::{ConstraintSet, Pitch, Relation, Term};
use crate::model::{Coupler, Direction, Gear, JointKind, Model, RackAndPinion};
use crate::space::{FixedFrame, V3};

/// Sine, or part of the distance from the axis, below which a gear has no velocity along the teeth: what rounding leaves of a drawing.
const NO_VELOCITY: f64 = 1e-9;

/// Reads all of them, behind joints and motions.
pub(super) fn read(model: &Model, scope: &Scope<'_>, joints: &mut Joints) -> Result<(), Box<ModelError>> {
    unique("coupler", model.couplers.iter().map(|c| c.name.as_str()))?;
    unique("gear", model.gears.iter().map(|g| g.name.as_str()))?;
    unique("rack_and_pinion", model.racks.iter().map(|r| r.name.as_str()))?;
    for (index, coupler) in model.couplers.iter().enumerate() {
        let field = |name: &str| at("coupler", index, &coupler.name, name);
        read_coupler(model, scope, coupler, &field, joints)?;
    }
    for (index, gear) in model.gears.iter().enumerate() {
        let field = |name: &str| at("gear", index, &gear.name, name);
        read_gear(model, scope, gear, &field, joints)?;
    }
    for (index, rack) in model.racks.iter().enumerate() {
        let field = |name: &str| at("rack_and_pinion", index, &rack.name, name);
        read_rack(model, scope, rack, &field, joints)?;
    }
    Ok(())
}

fn read_coupler(
    model: &Model,
    scope: &Scope<'_>,
    coupler: &Coupler,
    field: &dyn Fn(&str) -> Location,
    joints: &mut Joints,
) -> Result<(), Box<ModelError>> {
    if !(2..=3).contains(&coupler.joints.len()) {
        return Err(ModelError::new(
            field("joints"),
            format!("a coupler relates two or three joints; {} are given", coupler.joints.len()),
            "write `joints = [{ joint = \"a\", ratio = 1 }, { joint = \"b\", ratio = -2 }]`",
        ));
    }
    let mut terms = Vec::new();
    for (k, one) in coupler.joints.iter().enumerate() {
        let place = |name: &str| field(&format!("joints[{k}].{name}"));
        let set = find(model, &one.joint, &place("joint"))?;
        let direction = direction(one.direction, model.joints[set].kind, &place)?;
        let same = |other: &Coordinate| (other.set, other.direction) == (set, direction);
        if terms.iter().any(|(other, _)| same(other)) {
            let problem = format!("the coordinate of joint \"{}\" stands twice", one.joint);
            return Err(ModelError::new(place("joint"), problem, "name another joint, or add the two ratios"));
        }
        let wanted = "a ratio other than zero; leave out joints that take no part";
        let ratio = scope.checked(&one.ratio, &place("ratio"), wanted, |r| r != 0.0 && r.is_finite())?;
        terms.push((Coordinate { set, direction }, ratio));
    }
    joints.relate(&coupler.name, Relation::Coupler, &terms);
    Ok(())
}

fn read_rack(
    model: &Model,
    scope: &Scope<'_>,
    rack: &RackAndPinion,
    field: &dyn Fn(&str) -> Location,
    joints: &mut Joints,
) -> Result<(), Box<ModelError>> {
    let coordinate = |name: &'static str, joint: &str, direction| -> Result<Coordinate, Box<ModelError>> {
        let set = find(model, joint, &field(name))?;
        let kind = model.joints[set].kind;
        let fits = match direction {
            Direction::Rotation => matches!(kind, JointKind::Revolute | JointKind::Cylindrical),
            Direction::Translation => matches!(kind, JointKind::Prismatic | JointKind::Cylindrical),
        };
        if fits {
            return Ok(Coordinate { set, direction });
        }
        let [does, of] = match direction {
            Direction::Rotation => ["turn", "name the revolute or cylindrical joint of the pinion"],
            Direction::Translation => ["slide", "name the prismatic or cylindrical joint of the rack"],
        };
        Err(ModelError::new(field(name), format!("a {} joint does not {does}", kind.word()), of))
    };
    let pinion = coordinate("pinion", &rack.pinion, Direction::Rotation)?;
    let slide = coordinate("rack", &rack.rack, Direction::Translation)?;
    let wanted = "a pitch radius other than zero; negative if the rack moves the other way";
    let radius = scope.checked(&rack.pitch_radius, &field("pitch_radius"), wanted, |r| r != 0.0 && r.is_finite())?;
    joints.relate(&rack.name, Relation::RackAndPinion, &[(pinion, -radius), (slide, 1.0)]);
    Ok(())
}

fn read_gear(
    model: &Model,
    scope: &Scope<'_>,
    gear: &Gear,
    field: &dyn Fn(&str) -> Location,
    joints: &mut Joints,
) -> Result<(), Box<ModelError>> {
    let frame = markers::resolve(scope, &gear.common_velocity, &field("common_velocity"))?;
    let (mut terms, mut sets) = (Vec::new(), [0; 2]);
    for (k, (name, sign)) in gear.joints.iter().zip([1.0, -1.0]).enumerate() {
        let place = field(&format!("joints[{k}]"));
        let set = find(model, name, &place)?;
        sets[k] = set;
        if k == 1 && sets[0] == set {
            return Err(ModelError::new(place, "both gears have the same joint", "name the joint of the other gear"));
        }
        let own = velocity(&joints.sets[set], &frame).ok_or_else(|| {
            let problem = format!("joint \"{name}\" has no marker on the body of the common-velocity marker");
            ModelError::new(place.clone(), problem, "put both gears and that marker on one carrier")
        })?;
        let kind = model.joints[set].kind;
        let moves = [(Direction::Rotation, own.turning), (Direction::Translation, own.sliding)];
        let moves: Vec<_> = moves.into_iter().filter(|(direction, _)| has(kind, *direction)).collect();
        if moves.is_empty() {
            let problem = format!("a {} joint carries no gear", kind.word());
            return Err(ModelError::new(place, problem, "use a revolute, prismatic or cylindrical joint"));
        }
        let before = terms.len();
        let moving = moves.into_iter().filter(|(_, (v, size))| v.abs() > NO_VELOCITY * size);
        terms.extend(moving.map(|(direction, (v, _))| (Coordinate { set, direction }, sign * v)));
        if terms.len() == before {
            let problem = format!("the gear of joint \"{name}\" does not move along z of the marker at its origin");
            let remedy = "put the marker at the pitch point, off the axes, its z axis along the velocity of the teeth";
            return Err(ModelError::new(field("common_velocity"), problem, remedy));
        }
    }
    joints.relate(&gear.name, Relation::Gear(Pitch { frame, joints: sets }), &terms);
    Ok(())
}

/// A coordinate of a joint, an index of the constraint sets.
#[derive(Clone, Copy)]
struct Coordinate {
    set: usize,
    direction: Direction,
}

fn has(kind: JointKind, direction: Direction) -> bool {
    match direction {
        Direction::Rotation => matches!(kind, JointKind::Revolute | JointKind::Cylindrical),
        Direction::Translation => matches!(kind, JointKind::Prismatic | JointKind::Cylindrical),
    }
}

/// Velocities along z of the pitch marker at its origin, by the rates of the two coordinates, each with the largest that it could be.
struct Velocity {
    turning: (f64, f64),
    sliding: (f64, f64),
}

/// Of the gear that joint `set` holds on the carrier, the body of `pitch`: z.(a x (P - o)) and z.a, all fixed in the carrier.
fn velocity(set: &ConstraintSet, pitch: &FixedFrame) -> Option<Velocity> {
    // Coordinates are those of I against J; the gear is what is not the carrier.
    let (own, sign) = match pitch.body {
        body if body == set.j.body => (&set.j, 1.0),
        body if body == set.i.body => (&set.i, -1.0),
        _ => return None,
    };
    let axis = |frame: &FixedFrame| -> V3 { frame.c.column(2).into_owned() };
    let (a, z, arm) = (axis(own), axis(pitch), pitch.r - own.r);
    Some(Velocity { turning: (sign * z.dot(&a.cross(&arm)), arm.norm()), sliding: (sign * z.dot(&a), 1.0) })
}

fn find(model: &Model, name: &str, location: &Location) -> Result<usize, Box<ModelError>> {
    let known = || model.joints.iter().map(|joint| joint.name.as_str());
    known().position(|joint| joint == name).ok_or_else(|| unknown("joint", name, known(), location))
}

impl Joints {
    /// Terms of the composed row of a set; none of joints and motions.
    pub(super) fn terms(&self, set: usize) -> &[Term] {
        let first = self.constraints.get(self.sets[set].constraints.clone()).and_then(<[_]>::first);
        first.and_then(|bound| bound.composed.as_ref()).map_or(&[], |composed| &composed.terms)
    }

    /// Binds the row sum of weight times coordinate.
    fn relate(&mut self, name: &str, relation: Relation, weighted: &[(Coordinate, f64)]) {
        let mut terms: Vec<Term> = Vec::new();
        for &(Coordinate { set, direction }, weight) in weighted {
            let (i, j) = (self.sets[set].i, self.sets[set].j);
            let (form, counter) = match direction {
                Direction::Rotation => (Form::Angle, Some(self.track(i, j))),
                Direction::Translation => (Form::AxisVector { axis: 2, offset: 0.0 }, None),
            };
            terms.push(Term { constraint: Constraint { form, i, j }, set, weight, argument: 0, counter });
        }
        self.compose(name, relation, terms);
    }
}

/// The coordinate of a joint that is meant: the one that it has, or the given one.
fn direction(
    given: Option<Direction>,
    kind: JointKind,
    field: &dyn Fn(&str) -> Location,
) -> Result<Direction, Box<ModelError>> {
    let only = match kind {
        JointKind::Revolute => Direction::Rotation,
        JointKind::Prismatic => Direction::Translation,
        JointKind::Cylindrical => {
            return given.ok_or_else(|| {
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
                format!("a {} joint has no coordinate that a coupler can take", other.word()),
                "name a revolute, prismatic or cylindrical joint",
            ));
        }
    };
    match given {
        Some(given) if given != only => Err(ModelError::new(
            field("direction"),
            format!("a {} joint allows only {}", kind.word(), format!("{only:?}").to_lowercase()),
            "correct or remove the direction",
        )),
        _ => Ok(only),
    }
}
