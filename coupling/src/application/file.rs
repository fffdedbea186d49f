//! A run on disk while it goes on: a CSV or Parquet file, and beside it a JSON file that says how it came about.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::output::OutputFile;
#[cfg(feature = "parquet")]
use super::parquet::ParquetTable;
use super::recorder::Recorder;
use super::settings::Settings;
use super::shared_state::Status;
use super::sidecar::Sidecar;
use super::table::{write_header, write_row};
use crate::management::{Observer, Proceed, Report, RunState, View};

/// Writes every n-th communication point as it comes, in memory that does not grow.
///
/// What was written is handed to the operating system at the latest a second later, at every fault and at every change of state: a run
/// that fails keeps its results. When writing fails, the run is asked to pause and [`FileRecorder::failure`] says why. A file whose name ends in
/// `.parquet` is written as Apache Parquet (feature `parquet`); that format can be read only when the run has ended, be it by a fault.
/// The JSON file is whole at any time: each new one takes the place of the one before.
pub struct FileRecorder {
    path: PathBuf,
    settings: Settings,
    every: u64,
    /// Names, units and faults; its curves are two points long.
    memory: Recorder,
    table: Table,
    rows: u64,
    flushed: Instant,
    failure: Option<String>,
}

/// The file in its format.
enum Table {
    /// With room for a line.
    Csv(BufWriter<File>, String),
    #[cfg(feature = "parquet")]
    Parquet(Box<ParquetTable>),
}

impl Table {
    fn create(path: &Path) -> io::Result<Self> {
        if !path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("parquet")) {
            return Ok(Self::Csv(BufWriter::new(File::create(path)?), String::new()));
        }
        #[cfg(feature = "parquet")]
        return Ok(Self::Parquet(Box::new(ParquetTable::new(File::create(path)?))));
        #[cfg(not(feature = "parquet"))]
        Err(io::Error::new(
            io::ErrorKind::Unsupported,
            "Parquet needs the feature `parquet`; write a .csv file instead",
        ))
    }

    fn header(&mut self, names: &[String], units: &[String]) -> io::Result<()> {
        match self {
            Self::Csv(sink, _) => write_header(sink, names, units),
            #[cfg(feature = "parquet")]
            Self::Parquet(table) => table.header(names, units),
        }
    }

    fn row(&mut self, time: f64, values: &[f64]) -> io::Result<()> {
        match self {
            Self::Csv(sink, line) => write_row(sink, line, time, values),
            #[cfg(feature = "parquet")]
            Self::Parquet(table) => table.row(time, values),
        }
    }

    /// Hands over what can be handed over; all of it at the end.
    fn flush(&mut self, #[cfg_attr(not(feature = "parquet"), allow(unused_variables))] end: bool) -> io::Result<()> {
        match self {
            Self::Csv(sink, _) => sink.flush(),
            #[cfg(feature = "parquet")]
            Self::Parquet(table) => {
                if end {
                    table.finish()
                } else {
                    Ok(())
                }
            }
        }
    }
}

/// Longest time for which written rows may stay in the process.
const FLUSH: Duration = Duration::from_secs(1);

impl FileRecorder {
    /// Creates the file at `path`, for every `every`-th communication point (at least 1), and the JSON file with the same stem.
    ///
    /// # Errors
    /// Those of the operating system; [`io::ErrorKind::InvalidInput`] if `path` itself ends in `.json`.
    pub fn create(path: impl Into<PathBuf>, every: u64, settings: &Settings) -> io::Result<Self> {
        let path = path.into();
        if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json")) {
            let text = "the table may not end in .json, which is the file beside it";
            return Err(io::Error::new(io::ErrorKind::InvalidInput, text));
        }
        let recorder = Self {
            table: Table::create(&path)?,
            settings: settings.clone(),
            every: every.max(1),
            memory: Recorder::new(2),
            rows: 0,
            flushed: Instant::now(),
            failure: None,
            path,
        };
        // Refused now rather than at the end.
        OutputFile::create(&recorder.sidecar_path())?;
        Ok(recorder)
    }

    /// The CSV or Parquet file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The JSON file.
    #[must_use]
    pub fn sidecar_path(&self) -> PathBuf {
        self.path.with_extension("json")
    }

    /// Why nothing is written any more.
    #[must_use]
    pub fn failure(&self) -> Option<&str> {
        self.failure.as_deref()
    }

    /// Hands everything to the operating system and writes the JSON file anew.
    ///
    /// # Errors
    /// The first failure of this recorder.
    pub fn save(&mut self, status: &Status) -> Result<(), String> {
        let text = {
            let memory = &self.memory;
            let faults = (memory.incidents(), memory.lost_incidents());
            let columns = (memory.names(), memory.units());
            Sidecar::new(status, &self.settings, columns, (self.rows, self.every), faults).to_json()
        };
        let text = text.map_err(io::Error::from);
        let flushed = self.table.flush(!status.state.is_under_way());
        let written = flushed.and_then(|()| {
            let mut file = OutputFile::create(&self.sidecar_path())?;
            file.write_all((text? + "\n").as_bytes())?;
            file.finish()
        });
        self.keep(written);
        self.failure.clone().map_or(Ok(()), Err)
    }

    fn keep(&mut self, result: io::Result<()>) {
        if let (Err(error), None) = (result, &self.failure) {
            self.failure = Some(format!("cannot write {}: {error}", self.path.display()));
        }
    }

    fn write(&mut self) -> io::Result<()> {
        let (time, values) = self.memory.present();
        if self.rows == 0 {
            self.table.header(self.memory.names(), self.memory.units())?;
        }
        self.table.row(time, values)?;
        self.rows += 1;
        if self.flushed.elapsed() >= FLUSH { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.flushed = Instant::now();
        let over = matches!(self.memory.state(), RunState::Finished | RunState::Failed);
        self.table.flush(over)
    }
}

impl Observer for FileRecorder {
    fn state(&mut self, state: RunState, time: f64) {
        Observer::state(&mut self.memory, state, time);
        let flushed = self.flush();
        self.keep(flushed);
    }

    fn exchanged(&mut self, view: &View<'_>) -> Proceed {
        let due = self.memory.seen().is_multiple_of(self.every);
        self.memory.exchanged(view);
        if due && self.failure.is_none() {
            let written = self.write();
            self.keep(written);
            if self.failure.is_some() {
                return Proceed::Pause;
            }
        }
        Proceed::Continue
    }

    fn fault(&mut self, report: &Report<'_>) {
        self.memory.fault(report);
        let flushed = self.flush();
        self.keep(flushed);
    }
}

impl Drop for FileRecorder {
    fn drop(&mut self) {
        // Nobody is left to be told; whoever wants to know has called `save`.
        let _ = self.table.flush(true);
    }
}
