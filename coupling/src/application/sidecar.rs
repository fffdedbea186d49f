//! What goes with a table of results: how they came about.

use serde::Serialize;

use super::recorder::Incident;
use super::settings::Settings;
use super::shared_state::Status;

/// Options, statistics, versions and faults of a run, as one JSON object beside its CSV file.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct Sidecar<'a> {
    /// "fourbar-coupling".
    pub program: &'static str,
    /// Its version.
    pub version: &'static str,
    /// Where the run stands, its time and what it has cost.
    pub status: &'a Status,
    /// Settings and connections of the run.
    pub settings: &'a Settings,
    /// Names of the columns after the time.
    pub names: &'a [String],
    /// Their units.
    pub units: &'a [String],
    /// Rows in the table.
    pub rows: u64,
    /// Communication points from row to row.
    pub stride: u64,
    /// Faults, the first thousand.
    pub incidents: &'a [Incident],
    /// Faults beyond those.
    pub lost_incidents: u64,
}

impl<'a> Sidecar<'a> {
    /// Of a table with these columns and rows.
    pub(super) fn new(
        status: &'a Status,
        settings: &'a Settings,
        columns: (&'a [String], &'a [String]),
        (rows, stride): (u64, u64),
        (incidents, lost_incidents): (&'a [Incident], u64),
    ) -> Self {
        Self {
            program: env!("CARGO_PKG_NAME"),
            version: env!("CARGO_PKG_VERSION"),
            status,
            settings,
            names: columns.0,
            units: columns.1,
            rows,
            stride,
            incidents,
            lost_incidents,
        }
    }

    /// As text.
    ///
    /// # Errors
    /// None in practice: everything in it has a form in JSON, infinities as null.
    pub fn to_json(&self) -> serde_json::Result<String> {
        serde_json::to_string_pretty(self)
    }
}
