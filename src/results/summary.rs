//! The end of a run in a few numbers.

use super::Column;
use fourbar_multibody::integrator::Statistics;
use fourbar_multibody::{EnergyBalance, Violation};
use serde::ser::{Serialize, SerializeMap, SerializeStruct, Serializer};

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
/// is not finite), `violation`, `statistics` and `wall_seconds`; after a failure also `error`.
#[derive(Debug, Clone, PartialEq)]
pub struct Summary {
    /// Name of the model.
    pub model: String,
    /// How the run ended.
    pub status: Status,
    /// What went wrong, if it failed.
    pub error: Option<String>,
    /// Time reached \[s\].
    pub end_time: f64,
    /// The measures at that time.
    pub last: Vec<(Column, f64)>,
    /// Largest violation of the constraints over the run and over all rows, redundant ones included.
    pub violation: Violation,
    /// What the integration cost.
    pub statistics: Statistics,
    /// Where the energy is at the end.
    pub energy: EnergyBalance,
    /// Time the run took on the clock \[s\].
    pub wall_seconds: f64,
}

impl Serialize for Summary {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("Summary", 7 + usize::from(self.error.is_some()))?;
        object.serialize_field("model", &self.model)?;
        object.serialize_field("status", &self.status)?;
        object.serialize_field("end_time", &self.end_time)?;
        object.serialize_field("final", &Last(&self.last))?;
        object.serialize_field("violation", &self.violation)?;
        object.serialize_field("statistics", &WithEnergy { counts: &self.statistics, energy: &self.energy })?;
        object.serialize_field("wall_seconds", &self.wall_seconds)?;
        if let Some(error) = &self.error {
            object.serialize_field("error", error)?;
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
struct WithEnergy<'a> {
    #[serde(flatten)]
    counts: &'a Statistics,
    energy: &'a EnergyBalance,
}
