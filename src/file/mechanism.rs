//! Files of the kind "mechanism": forces, measures, shapes and contacts have a reader of their own because their tables are of
//! several types.

use super::issue::Issue;
use super::section::{Entry, entries};
use super::shorthand;
use crate::mechanism::{ContactMeasure, MechanismModel};
use fourbar_contact::model::{Contact, ContactKind, ContactModel, Geometry, Shape};
use fourbar_multibody::expression::Expression;
use fourbar_multibody::model::{Activity, ElementKind, Force, Measure, MeasureKind, Model};
use std::collections::BTreeMap;
use toml::de::DeTable;

/// The whole model.
pub(super) fn read(file: &DeTable<'_>) -> Result<MechanismModel, Issue> {
    let file = &*shorthand::write_out(file)?;
    let top = Entry::top(file);
    let own =
        ["type", "joint", "motion", "force", "measure", "shape", "contact", "contacts", "copies", "include", "display"];
    let mut model: Model = top.rest(&own)?;
    model.joints = switched(file, "joint", &mut model.activities, (ElementKind::Joint, |entry| entry.rest(ACTIVE)))?;
    model.motions = switched(file, "motion", &mut model.activities, (ElementKind::Motion, |entry| entry.rest(ACTIVE)))?;
    model.forces = switched(file, "force", &mut model.activities, (ElementKind::Force, force))?;
    let mut measures = Vec::new();
    let mut units_of_measures = BTreeMap::new();
    for (measure, unit) in self::measures(file)? {
        let name = match measure {
            Measured::Mechanism(measure) => {
                let name = measure.name.clone();
                model.measures.push(measure);
                name
            }
            Measured::Contact(measure) => {
                let name = measure.name.clone();
                measures.push(measure);
                name
            }
        };
        units_of_measures.extend(unit.map(|unit| (name, unit)));
    }
    let contacts = ContactModel { shapes: shapes(file)?, contacts: contacts(file)? };
    let settings = top.optional("contacts")?.unwrap_or_default();
    let copies = entries(file, "copies", |entry| entry.rest(&[]))?;
    let includes = entries(file, "include", |entry| entry.rest(&["model"]))?;
    let displays = entries(file, "display", |entry| entry.rest(&[]))?;
    Ok(MechanismModel { model, contacts, settings, measures, units_of_measures, copies, includes, displays })
}

/// Types of `[[force]]`.
const FORCES: &[&str] = &[
    "spring_damper",
    "torsion_spring_damper",
    "line_force",
    "axial_torque",
    "force",
    "torque",
    "gforce",
    "gyroscopic_couple",
    "field",
    "bushing",
    "beam",
];

/// Types of `[[measure]]`.
const MEASURES: &[&str] = &[
    "position",
    "velocity",
    "acceleration",
    "angular_velocity",
    "angular_acceleration",
    "angle",
    "axis_angles",
    "euler_angles",
    "yaw_pitch_roll",
    "quaternion",
    "distance",
    "distance_rate",
    "reaction",
    "kinetic_energy",
    "potential_energy",
    "total_energy",
    "momentum",
    "angular_momentum",
    "expression",
    "contact",
];

/// A measure of either kind.
#[expect(clippy::large_enum_variant, reason = "each stands for the time of its reading alone")]
enum Measured {
    Mechanism(Measure),
    Contact(ContactMeasure),
}

/// Types of `[[shape]]`.
const SHAPES: &[&str] = &["box", "sphere", "cylinder", "capsule", "hull", "mesh", "half_space"];

/// Types of `[[contact]]`.
const CONTACTS: &[&str] =
    &["point_plane", "sphere_plane", "sphere_sphere", "box_plane", "curve_curve", "joint_stop", "rope", "shapes"];

/// The entry of an element that says when it acts.
const ACTIVE: &[&str] = &["active"];

type Read<T> = (ElementKind, fn(&Entry<'_, '_>) -> Result<T, Issue>);

/// The entries of a section, and when they act, where they say so.
fn switched<T>(
    file: &DeTable<'_>,
    section: &'static str,
    activities: &mut Vec<Activity>,
    (kind, read): Read<T>,
) -> Result<Vec<T>, Issue> {
    let active = |entry: &Entry<'_, '_>| entry.optional::<Expression>("active");
    let read = entries(file, section, |entry| {
        let (element, active) = (read(entry)?, active(entry)?);
        let activity = active.map(|active| Ok(Activity { kind, name: entry.field("name")?, active }));
        Ok((element, activity.transpose()?))
    })?;
    let (elements, given): (Vec<T>, Vec<Option<Activity>>) = read.into_iter().unzip();
    activities.extend(given.into_iter().flatten());
    Ok(elements)
}

fn force(entry: &Entry<'_, '_>) -> Result<Force, Issue> {
    let kind = entry.word("type", FORCES)?;
    let without = ["type", "active"];
    match kind {
        "spring_damper" => entry.rest(&without).map(Force::SpringDamper),
        "torsion_spring_damper" => entry.rest(&without).map(Force::TorsionSpringDamper),
        "line_force" => entry.rest(&without).map(Force::LineForce),
        "axial_torque" => entry.rest(&without).map(Force::AxialTorque),
        "force" => entry.rest(&without).map(Force::Force),
        "torque" => entry.rest(&without).map(Force::Torque),
        "gforce" => entry.rest(&without).map(Force::Gforce),
        "gyroscopic_couple" => entry.rest(&without).map(Force::GyroscopicCouple),
        "field" => entry.rest(&without).map(Force::Field),
        "bushing" => entry.rest(&without).map(Force::Bushing),
        "beam" => entry.rest(&without).map(Force::Beam),
        other => Err(Issue::unknown_word(other, FORCES)),
    }
}

/// The measures, and the units in which they are to be shown; that of an expression stands with it.
fn measures(file: &DeTable<'_>) -> Result<Vec<(Measured, Option<String>)>, Issue> {
    use MeasureKind as K;
    entries(file, "measure", |entry| {
        let name: String = entry.field("name")?;
        let kind = entry.word("type", MEASURES)?;
        let unit = if kind == "expression" { None } else { entry.optional("unit")? };
        let without = ["name", "type", "unit"];
        let kind = match kind {
            "position" => entry.rest(&without).map(K::Position),
            "velocity" => entry.rest(&without).map(K::Velocity),
            "acceleration" => entry.rest(&without).map(K::Acceleration),
            "angular_velocity" => entry.rest(&without).map(K::AngularVelocity),
            "angular_acceleration" => entry.rest(&without).map(K::AngularAcceleration),
            "axis_angles" => entry.rest(&without).map(K::AxisAngles),
            "euler_angles" => entry.rest(&without).map(K::EulerAngles),
            "yaw_pitch_roll" => entry.rest(&without).map(K::YawPitchRoll),
            "quaternion" => entry.rest(&without).map(K::Quaternion),
            "momentum" => entry.rest(&without).map(K::Momentum),
            "angular_momentum" => entry.rest(&without).map(K::AngularMomentum),
            "angle" => entry.rest(&without).map(K::Angle),
            "distance" => entry.rest(&without).map(K::Distance),
            "distance_rate" => entry.rest(&without).map(K::DistanceRate),
            "reaction" => entry.rest(&without).map(K::Reaction),
            "kinetic_energy" => entry.rest(&without).map(K::KineticEnergy),
            "potential_energy" => entry.rest(&without).map(K::PotentialEnergy),
            "total_energy" => entry.rest(&without).map(K::TotalEnergy),
            "expression" => entry.rest(&["name", "type"]).map(K::Expression),
            "contact" => return entry.rest(&["type", "unit"]).map(|measure| (Measured::Contact(measure), unit)),
            other => Err(Issue::unknown_word(other, MEASURES)),
        };
        kind.map(|kind| (Measured::Mechanism(Measure { name, kind }), unit))
    })
}

fn shapes(file: &DeTable<'_>) -> Result<Vec<Shape>, Issue> {
    use Geometry as G;
    entries(file, "shape", |entry| {
        let (name, on, group) = (entry.field("name")?, entry.field("on")?, entry.optional("group")?);
        let kind = entry.word("type", SHAPES)?;
        let without = ["name", "on", "group", "type"];
        let geometry = match kind {
            "box" => entry.rest(&without).map(G::Box),
            "sphere" => entry.rest(&without).map(G::Sphere),
            "cylinder" => entry.rest(&without).map(G::Cylinder),
            "capsule" => entry.rest(&without).map(G::Capsule),
            "hull" => entry.rest(&without).map(G::Hull),
            "mesh" => entry.rest(&without).map(G::Mesh),
            "half_space" => entry.rest(&without).map(G::HalfSpace),
            other => Err(Issue::unknown_word(other, SHAPES)),
        };
        geometry.map(|geometry| Shape { name, on, group, geometry })
    })
}

fn contacts(file: &DeTable<'_>) -> Result<Vec<Contact>, Issue> {
    use ContactKind as K;
    entries(file, "contact", |entry| {
        let name: String = entry.field("name")?;
        let kind = entry.word("type", CONTACTS)?;
        let without = ["name", "type", "restitution", "friction", "rolling", "spinning"];
        let kind = match kind {
            "point_plane" => entry.rest(&without).map(K::PointPlane),
            "sphere_plane" => entry.rest(&without).map(K::SpherePlane),
            "sphere_sphere" => entry.rest(&without).map(K::SphereSphere),
            "box_plane" => entry.rest(&without).map(K::BoxPlane),
            "curve_curve" => entry.rest(&without).map(K::CurveCurve),
            "joint_stop" => entry.rest(&without).map(K::JointStop),
            "rope" => entry.rest(&without).map(K::Rope),
            "shapes" => entry.rest(&without).map(K::Shapes),
            other => Err(Issue::unknown_word(other, CONTACTS)),
        }?;
        let coefficient = |field| entry.optional(field).map(|value| value.unwrap_or_else(|| Expression::constant(0.0)));
        Ok(Contact {
            name,
            restitution: coefficient("restitution")?,
            friction: coefficient("friction")?,
            rolling: coefficient("rolling")?,
            spinning: coefficient("spinning")?,
            kind,
        })
    })
}
