//! What lies beside a table: of which sweep and shard it is, and what its members warn of; of a shard the checksums of its lines, by which a merge finds
//! those that are damaged. The table itself stays plain.

use super::error::SweepError;
use super::shard::Shard;
use super::subject::{Subject, digest};
use super::table::whole;
use super::warnings::SweepWarning;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// The file beside a table that tells of which sweep it is.
#[must_use]
pub fn side_beside(table: &Path) -> PathBuf {
    with_ending(table, ".json")
}

/// The journal of a table.
#[must_use]
pub fn journal_beside(table: &Path) -> PathBuf {
    with_ending(table, ".journal")
}

/// The members of a table that failed.
#[must_use]
pub fn failures_beside(table: &Path) -> PathBuf {
    with_ending(table, ".failed.csv")
}

fn with_ending(table: &Path, ending: &str) -> PathBuf {
    let mut name = table.file_name().unwrap_or_default().to_owned();
    name.push(ending);
    table.with_file_name(name)
}

/// The content of the file beside a table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Side {
    #[serde(flatten)]
    pub(super) subject: Subject,
    /// Members of the table that failed.
    pub(super) failed: usize,
    pub(super) warnings: Vec<SweepWarning>,
    /// Checksums of the lines of a shard's tables.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) lines: Option<Lines>,
}

/// Checksums of the lines behind the headings, in their order.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) struct Lines {
    pub(super) table: String,
    pub(super) failed: String,
}

/// The checksums of lines by their fields, one after another.
pub(super) fn checksums(lines: impl Iterator<Item = Vec<String>>) -> String {
    lines.map(|fields| checksum(fields.iter().map(String::as_str))).collect::<Vec<_>>().join(" ")
}

/// The checksum of a line by its fields.
pub(super) fn checksum<'a>(fields: impl Iterator<Item = &'a str>) -> String {
    format!("{:016x}", digest(fields.collect::<Vec<_>>().join("\u{1f}").as_bytes()))
}

impl Side {
    pub(super) fn write(&self, table: &Path) -> Result<(), SweepError> {
        let path = side_beside(table);
        let written = whole(&path, |sink| {
            serde_json::to_writer_pretty(&mut *sink, self)?;
            writeln!(sink)
        });
        written.map_err(|source| SweepError::File { path, source })
    }

    /// That of a table that is to be merged.
    pub(super) fn read(table: &Path) -> Result<Self, SweepError> {
        let path = side_beside(table);
        let wrong = |problem: String| SweepError::Merge {
            path: table.to_owned(),
            problem,
            remedy: "keep it beside the table that the sweep wrote, or run the shard again: its journal has the runs",
        };
        let text = std::fs::read_to_string(&path)
            .map_err(|error| wrong(format!("{}, which says of what it is, cannot be read: {error}", path.display())))?;
        let side: Self = serde_json::from_str(&text).map_err(|error| {
            wrong(format!("{}, which says of what it is, is not as a sweep writes it: {error}", path.display()))
        })?;
        if side.subject.shard != Shard::default() && side.lines.is_none() {
            return Err(wrong(format!(
                "{}, which says of what it is, lacks the checksums of its lines",
                path.display()
            )));
        }
        Ok(side)
    }
}
