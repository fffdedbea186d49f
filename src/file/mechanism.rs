//! Files of the kind "mechanism": forces and measures have a reader of their own because their tables are of several types.

use super::issue::{Issue, Segment};
use super::section::{Entry, entries};
use super::value::Value;
use fourbar_multibody::model::{Force, Measure, MeasureKind, Model};
use serde::Deserialize;
use toml::de::DeTable;

/// The whole model.
pub(super) fn read(file: &DeTable<'_>) -> Result<Model, Issue> {
    let mut model: Model = Entry::top(file).rest(&["type", "force", "measure"])?;
    model.forces = forces(file)?;
    model.measures = measures(file)?;
    Ok(model)
}

/// Types of `[[force]]`.
const FORCES: &[&str] = &["spring_damper", "torsion_spring_damper", "line_force", "axial_torque", "force", "torque"];

/// Types of `[[measure]]`.
const MEASURES: &[&str] = &[
    "position",
    "velocity",
    "acceleration",
    "angular_velocity",
    "angular_acceleration",
    "angle",
    "distance",
    "distance_rate",
    "reaction",
    "kinetic_energy",
    "potential_energy",
    "total_energy",
    "expression",
];

fn forces(file: &DeTable<'_>) -> Result<Vec<Force>, Issue> {
    entries(file, "force", |entry| {
        let kind = entry.word("type", FORCES)?;
        let without = ["type"];
        match kind {
            "spring_damper" => entry.rest(&without).map(Force::SpringDamper),
            "torsion_spring_damper" => entry.rest(&without).map(Force::TorsionSpringDamper),
            "line_force" => entry.rest(&without).map(Force::LineForce),
            "axial_torque" => entry.rest(&without).map(Force::AxialTorque),
            "force" => entry.rest(&without).map(Force::Force),
            "torque" => entry.rest(&without).map(Force::Torque),
            other => Err(Issue::unknown_word(other, FORCES)),
        }
    })
}

fn measures(file: &DeTable<'_>) -> Result<Vec<Measure>, Issue> {
    use MeasureKind as K;
    entries(file, "measure", |entry| {
        let name = String::deserialize(Value(entry.required("name")?))
            .map_err(|issue| issue.within(Segment::Key("name".to_owned())))?;
        let kind = entry.word("type", MEASURES)?;
        let without = ["name", "type"];
        let kind = match kind {
            "position" => entry.rest(&without).map(K::Position),
            "velocity" => entry.rest(&without).map(K::Velocity),
            "acceleration" => entry.rest(&without).map(K::Acceleration),
            "angular_velocity" => entry.rest(&without).map(K::AngularVelocity),
            "angular_acceleration" => entry.rest(&without).map(K::AngularAcceleration),
            "angle" => entry.rest(&without).map(K::Angle),
            "distance" => entry.rest(&without).map(K::Distance),
            "distance_rate" => entry.rest(&without).map(K::DistanceRate),
            "reaction" => entry.rest(&without).map(K::Reaction),
            "kinetic_energy" => entry.rest(&without).map(K::KineticEnergy),
            "potential_energy" => entry.rest(&without).map(K::PotentialEnergy),
            "total_energy" => entry.rest(&without).map(K::TotalEnergy),
            "expression" => entry.rest(&without).map(K::Expression),
            other => Err(Issue::unknown_word(other, MEASURES)),
        };
        kind.map(|kind| Measure { name, kind })
    })
}
