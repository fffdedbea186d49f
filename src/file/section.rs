//! Sections whose entries have a `type`, and names that must be unique.
//!
//! serde buffers tagged tables and loses their places on the way; here the type is read first and the rest of the table is
//! then read straight into the struct of that type.

use super::issue::{Issue, IssueKind, Segment};
use super::value::{Table, Value};
use fourbar_multibody::model::{Force, Measure, MeasureKind};
use serde::Deserialize;
use serde::de::{self, DeserializeOwned, Unexpected};
use std::collections::BTreeMap;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Types of `[[force]]`.
pub(crate) const FORCES: &[&str] =
    &["spring_damper", "torsion_spring_damper", "line_force", "axial_torque", "force", "torque"];

/// Types of `[[measure]]`.
pub(crate) const MEASURES: &[&str] = &[
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

pub(crate) fn forces(file: &DeTable<'_>) -> Result<Vec<Force>, Issue> {
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

pub(crate) fn measures(file: &DeTable<'_>) -> Result<Vec<Measure>, Issue> {
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

/// Refuses two entries of one section with the same name.
pub(crate) fn unique_names(file: &DeTable<'_>) -> Result<(), Issue> {
    for section in super::explain::ENTRY_SECTIONS {
        let Some(DeValue::Array(array)) = file.get(section).map(Spanned::get_ref) else { continue };
        let mut seen = BTreeMap::new();
        for (index, entry) in array.iter().enumerate() {
            let Some(name) = entry.get_ref().get("name") else { continue };
            let DeValue::String(text) = name.get_ref() else { continue };
            if let Some(first) = seen.insert(text.as_ref(), name.span()) {
                return Err(Issue::new(IssueKind::DuplicateName { name: text.to_string(), first })
                    .at(name.span())
                    .within(Segment::Index(index))
                    .within(Segment::Key(section.to_owned())));
            }
        }
    }
    Ok(())
}

/// One table of a section.
struct Entry<'a, 'i> {
    table: &'a DeTable<'i>,
    value: &'a Spanned<DeValue<'i>>,
}

impl<'a, 'i> Entry<'a, 'i> {
    fn required(&self, field: &'static str) -> Result<&'a Spanned<DeValue<'i>>, Issue> {
        self.table.get(field).ok_or_else(|| de::Error::missing_field(field))
    }

    /// The word of `field`, one of `expected`.
    fn word(&self, field: &'static str, expected: &[&'static str]) -> Result<&'a str, Issue> {
        let value = self.required(field)?;
        let issue = match value.get_ref() {
            DeValue::String(word) if expected.contains(&word.as_ref()) => return Ok(word),
            DeValue::String(word) => Issue::unknown_word(word, expected),
            other => de::Error::invalid_type(
                Unexpected::Other(other.type_str()),
                &format!("one of {}", expected.join(", ")).as_str(),
            ),
        };
        Err(issue.at(value.span()).within(Segment::Key(field.to_owned())))
    }

    /// The fields other than `without`.
    fn rest<T: DeserializeOwned>(&self, without: &[&'static str]) -> Result<T, Issue> {
        T::deserialize(Table { table: self.table, span: self.value.span(), without }).map_err(|mut issue| {
            if let (IssueKind::UnknownField { expected, .. }, true) = (&mut issue.kind, issue.path.is_empty()) {
                expected.extend(without.iter().filter(|name| !expected.contains(name)).collect::<Vec<_>>());
            }
            issue
        })
    }
}

fn entries<T>(
    file: &DeTable<'_>,
    section: &'static str,
    read: impl Fn(&Entry<'_, '_>) -> Result<T, Issue>,
) -> Result<Vec<T>, Issue> {
    let within = |issue: Issue| issue.within(Segment::Key(section.to_owned()));
    let Some(value) = file.get(section) else { return Ok(Vec::new()) };
    let wrong = |value: &Spanned<DeValue<'_>>, expected: &'static str| {
        let found = Unexpected::Other(value.get_ref().type_str());
        Issue::at(de::Error::invalid_type(found, &expected), value.span())
    };
    let DeValue::Array(array) = value.get_ref() else {
        return Err(within(wrong(value, "entries, each with its own header")));
    };
    let one = |(index, value): (usize, &Spanned<DeValue<'_>>)| {
        let read = match value.get_ref() {
            DeValue::Table(table) => read(&Entry { table, value }).map_err(|issue| issue.at(value.span())),
            _ => Err(wrong(value, "a table")),
        };
        read.map_err(|issue| within(issue.within(Segment::Index(index))))
    };
    array.iter().enumerate().map(one).collect()
}
