//! The results of a sweep as a table: one row a member, in the order of the plan.

use super::error::{MemberFailure, SweepError};
use super::journal::MemberResult;
use super::prepared::{MemberRun, Sweep};
use super::shard::Shard;
use super::side::{Lines, Side, checksums, failures_beside, side_beside};
use super::subject::Subject;
use super::warnings::{Gathered, SweepWarning};
use crate::results::write_number;
use fourbar_coupling::application::{OutputFile, remove_leftovers};
use std::io::{self, Write};
use std::path::Path;

/// What the members of a sweep, or of a shard of it, gave.
#[derive(Debug, Clone, PartialEq)]
pub struct Results {
    /// The parameters by their names.
    pub parameters: Vec<String>,
    /// The outputs, with their units in brackets.
    pub outputs: Vec<String>,
    /// The members that are done, in the order of the plan.
    pub rows: Vec<Row>,
    /// Whether no member is missing.
    pub complete: bool,
    pub(super) subject: Subject,
}

/// A member.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// Its place in the plan, from 0.
    pub member: usize,
    /// Values of the parameters.
    pub values: Vec<f64>,
    /// Its outputs, or why it has none.
    pub result: MemberResult,
    /// What `fourbar run` would warn of.
    pub warnings: Vec<String>,
}

impl Row {
    pub(super) fn new(member: usize, values: Vec<f64>, MemberRun { result, warnings }: MemberRun) -> Self {
        Self { member, values, result, warnings }
    }
}

/// Whether the name asks for Apache Parquet.
pub(super) fn is_parquet(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("parquet"))
}

impl Results {
    pub(super) fn new(sweep: &Sweep, subject: Subject, rows: Vec<(usize, MemberRun)>, complete: bool) -> Self {
        let values = |member| sweep.members().map_or(Vec::new(), |members| members.values(member));
        Self {
            parameters: sweep.plan().parameters.iter().map(|parameter| parameter.name.clone()).collect(),
            outputs: sweep.headings().to_vec(),
            rows: rows.into_iter().map(|(member, run)| Row::new(member, values(member), run)).collect(),
            complete,
            subject,
        }
    }

    /// How many members failed.
    #[must_use]
    pub fn failed(&self) -> usize {
        self.rows.iter().filter(|row| row.result.is_err()).count()
    }

    /// What the members warn of, each warning once.
    #[must_use]
    pub fn warnings(&self) -> Vec<SweepWarning> {
        Gathered::of(&self.rows).list()
    }

    /// The headings of the table.
    #[must_use]
    pub fn headings(&self) -> Vec<String> {
        let own = ["member", "status"].map(str::to_owned);
        own.into_iter().chain(self.parameters.iter().cloned()).chain(self.outputs.iter().cloned()).collect()
    }

    /// Writes the table to `path`, as Apache Parquet if its name ends so, else as CSV; beside it of which sweep it is, and the members that
    /// failed, if there are any.
    ///
    /// # Errors
    /// [`SweepError::File`].
    pub fn write(&self, path: &Path) -> Result<(), SweepError> {
        let failed = |path: &Path| {
            let path = path.to_owned();
            move |source| SweepError::File { path, source }
        };
        if is_parquet(path) {
            self.write_parquet(path).map_err(failed(path))?;
        } else {
            whole(path, |sink| self.write_csv(sink)).map_err(failed(path))?;
        }
        let (subject, failed_count) = (self.subject.clone(), self.failed());
        Side { subject, failed: failed_count, warnings: self.warnings(), lines: self.lines() }.write(path)?;
        let failures = failures_beside(path);
        // All of them are written anew; a killed sweep has no results there that its journal lacks.
        for path in [path, &side_beside(path), &failures] {
            remove_leftovers(path);
        }
        if self.failed() > 0 {
            return whole(&failures, |sink| self.write_failures(sink)).map_err(failed(&failures));
        }
        match std::fs::remove_file(&failures) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(failed(&failures)(error)),
            _ => Ok(()),
        }
    }

    /// Writes the table as CSV: `member,status`, the parameters, the outputs, which are empty where the status is `failed`.
    ///
    /// # Errors
    /// Those of the sink.
    pub fn write_csv(&self, sink: impl Write) -> io::Result<()> {
        let mut writer = csv::Writer::from_writer(sink);
        writer.write_record(self.headings())?;
        self.rows.iter().try_for_each(|row| writer.write_record(self.line(row)))?;
        writer.flush()
    }

    /// The fields of a member in the table.
    fn line(&self, Row { member, values, result, .. }: &Row) -> Vec<String> {
        let status = if result.is_ok() { "done" } else { "failed" };
        let own = [member.to_string(), status.to_owned()].into_iter().chain(values.iter().map(|value| number(*value)));
        match result {
            Ok(numbers) => own.chain(numbers.iter().map(|value| number(*value))).collect(),
            Err(_) => own.chain(self.outputs.iter().map(|_| String::new())).collect(),
        }
    }

    /// The checksums of the lines of a shard, which is read again.
    fn lines(&self) -> Option<Lines> {
        (self.subject.shard != Shard::default()).then(|| Lines {
            table: checksums(self.rows.iter().map(|row| self.line(row))),
            failed: checksums(self.rows.iter().filter_map(failure)),
        })
    }

    /// Writes the members that failed as CSV: `member`, the parameters, `error`, `place`, `remedy`.
    ///
    /// # Errors
    /// Those of the sink.
    pub fn write_failures(&self, sink: impl Write) -> io::Result<()> {
        let mut writer = csv::Writer::from_writer(sink);
        let heads = std::iter::once("member").chain(self.parameters.iter().map(String::as_str));
        writer.write_record(heads.chain(["error", "place", "remedy"]))?;
        self.rows.iter().filter_map(failure).try_for_each(|line| writer.write_record(line))?;
        writer.flush()
    }

    /// As doubles throughout: the status is 0 for done and 1 for failed, an output that is missing NaN.
    #[cfg(feature = "parquet")]
    fn write_parquet(&self, path: &Path) -> io::Result<()> {
        let file = OutputFile::create(path)?;
        let mut table = fourbar_coupling::application::ParquetTable::new(file.handle()?);
        table.columns(self.headings())?;
        for Row { member, values, result, .. } in &self.rows {
            let mut numbers = vec![f64::from(u8::from(result.is_err()))];
            numbers.extend(values);
            match result {
                Ok(outputs) => numbers.extend(outputs),
                Err(_) => numbers.extend(self.outputs.iter().map(|_| f64::NAN)),
            }
            table.row(*member as f64, &numbers)?;
        }
        table.finish()?;
        file.finish()
    }

    #[cfg(not(feature = "parquet"))]
    fn write_parquet(&self, _: &Path) -> io::Result<()> {
        let problem =
            "this program was built without Apache Parquet; build it with `--features parquet`, or write a .csv file";
        Err(io::Error::new(io::ErrorKind::Unsupported, problem))
    }
}

/// The fields of a member that failed.
fn failure(Row { member, values, result, .. }: &Row) -> Option<Vec<String>> {
    let MemberFailure { error, place, remedy } = result.as_ref().err()?;
    let own = std::iter::once(member.to_string()).chain(values.iter().map(|value| number(*value)));
    Some(own.chain([error, place, remedy].map(String::clone)).collect())
}

/// Writes a whole file and puts it to its place.
pub(super) fn whole(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut file = io::BufWriter::new(OutputFile::create(path)?);
    write(&mut file)?;
    file.into_inner().map_err(io::IntoInnerError::into_error)?.finish()
}

pub(super) fn number(value: f64) -> String {
    let mut text = String::new();
    write_number(&mut text, value);
    text
}
