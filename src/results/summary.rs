//! The end of a run in a few numbers.

use super::{
    CircuitDetails, Column, ContactDetails, CoupledDetails, Details, FaultReport, LinearDetails, MechanismDetails,
};
use serde::ser::{Serialize, SerializeMap, Serializer};

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// At the end time.
    Done,
    /// At the caller's request, at an accepted step.
    Interrupted,
    /// With an error; the results up to the last accepted step stand.
    Failed,
}

/// The end of a run.
///
/// As JSON it is one object with the keys `model`, `status`, `end_time`, `final` (measure name to value; `null` for a value that
/// is not finite), `statistics` and `wall_seconds`; for a mechanism also `violation`, with contacts or where sensors acted `events`; for coupled simulators `ports` and `faults`; `warnings` if there are any, `error` after a
/// failure.
#[derive(Debug, Clone, PartialEq)]
pub struct Summary {
    /// Name of the model.
    pub model: String,
    /// How the run ended.
    pub status: Status,
    /// What went wrong, if it failed.
    pub error: Option<String>,
    /// What a reader of the results should know: measures without a value, reactions that are not unique.
    pub warnings: Vec<String>,
    /// Time reached \[s\].
    pub end_time: f64,
    /// The measures at that time.
    pub last: Vec<(Column, f64)>,
    /// What the kind of model has to tell.
    pub details: Details,
    /// Time the run took on the clock \[s\]; 0 in a build without the feature `clock`.
    pub wall_seconds: f64,
}

impl Summary {
    /// Faults of coupled simulators that are taken for more than information and that neither the warnings nor the error tell.
    pub fn grave_faults(&self) -> impl Iterator<Item = &FaultReport> {
        let faults = self.coupled().map_or(&[][..], |details| &details.faults);
        faults.iter().filter(|report| report.level != "inform" && !report.is_told)
    }

    /// What a script that takes no result on trust refuses: the warnings, and the faults of [`Summary::grave_faults`].
    #[must_use]
    pub fn remarks(&self) -> Vec<String> {
        let faults = self.grave_faults().map(ToString::to_string);
        self.warnings.iter().cloned().chain(faults).collect()
    }

    /// What a mechanism has to tell; none for other kinds.
    #[must_use]
    pub fn mechanism(&self) -> Option<&MechanismDetails> {
        match &self.details {
            Details::Mechanism(details) => Some(details),
            _ => None,
        }
    }

    /// What a mechanism with contacts has to tell; none for other kinds.
    #[must_use]
    pub fn contact(&self) -> Option<&ContactDetails> {
        match &self.details {
            Details::Contact(details) => Some(details),
            _ => None,
        }
    }

    /// What a hydraulic circuit has to tell; none for other kinds.
    #[must_use]
    pub fn circuit(&self) -> Option<&CircuitDetails> {
        match &self.details {
            Details::Circuit(details) => Some(details),
            _ => None,
        }
    }

    /// What coupled simulators have to tell; none for other kinds.
    #[must_use]
    pub fn coupled(&self) -> Option<&CoupledDetails> {
        match &self.details {
            Details::Coupled(details) => Some(details),
            _ => None,
        }
    }

    /// What a linear system has to tell; none for other kinds.
    #[must_use]
    pub fn linear(&self) -> Option<&LinearDetails> {
        match &self.details {
            Details::Linear(details) => Some(details),
            _ => None,
        }
    }
}

impl Serialize for Summary {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_map(None)?;
        object.serialize_entry("model", &self.model)?;
        object.serialize_entry("status", &self.status)?;
        object.serialize_entry("end_time", &self.end_time)?;
        object.serialize_entry("final", &Last(&self.last))?;
        match &self.details {
            Details::Mechanism(MechanismDetails { violation, statistics, energy, events }) => {
                object.serialize_entry("violation", violation)?;
                object.serialize_entry("statistics", &WithEnergy { counts: statistics, energy })?;
                if !events.is_empty() {
                    object.serialize_entry("events", events)?;
                }
            }
            Details::Contact(ContactDetails { violation, energy, statistics, events }) => {
                object.serialize_entry("violation", violation)?;
                object.serialize_entry("statistics", &WithEnergy { counts: statistics, energy })?;
                object.serialize_entry("events", events)?;
            }
            Details::Linear(details) => object.serialize_entry("statistics", details)?,
            Details::Circuit(details) => object.serialize_entry("statistics", details)?,
            Details::Coupled(CoupledDetails { statistics, ports, faults, .. }) => {
                object.serialize_entry("statistics", statistics)?;
                object.serialize_entry("ports", ports)?;
                object.serialize_entry("faults", faults)?;
            }
        }
        object.serialize_entry("wall_seconds", &self.wall_seconds)?;
        if !self.warnings.is_empty() {
            object.serialize_entry("warnings", &self.warnings)?;
        }
        if let Some(error) = &self.error {
            object.serialize_entry("error", error)?;
        }
        object.end()
    }
}

struct Last<'a>(&'a [(Column, f64)]);

impl Serialize for Last<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (column, value) in self.0 {
            map.serialize_entry(&column.name, value)?;
        }
        map.end()
    }
}

#[derive(serde::Serialize)]
struct WithEnergy<'a, C, E> {
    #[serde(flatten)]
    counts: &'a C,
    energy: &'a E,
}
