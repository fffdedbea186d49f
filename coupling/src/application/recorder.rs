//! The curves and faults of a run, kept in bounded memory. A recorder outlives its run: what was seen before a fault stays.

use fourbar_linalg::text::printable;
use std::io::{self, Write};

use serde::{Serialize, Serializer};

use super::table::{write_header, write_row};
use crate::management::{Handling, Level, Observer, Proceed, Report, RunState, View};

/// A fault as it was reported.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Incident {
    /// When it happened \[s\].
    pub time: f64,
    /// The partner concerned, if it is one.
    pub partner: Option<String>,
    /// Its text.
    pub message: String,
    /// How serious it was taken.
    #[serde(serialize_with = "as_text")]
    pub level: Level,
    /// What was done.
    #[serde(serialize_with = "as_text")]
    pub handling: Handling,
    /// How far the run was behind the wall clock \[s\], if that is what happened.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub late: Option<f64>,
}

fn as_text<S: Serializer>(value: &impl ToString, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&value.to_string())
}

/// Keeps every n-th communication point; when the room is used up, every second point is dropped and n doubles. The last point is
/// known besides.
#[derive(Debug, Clone)]
pub struct Recorder {
    /// Whether the inputs have columns too, behind the outputs.
    inputs: bool,
    names: Vec<String>,
    units: Vec<String>,
    capacity: usize,
    every: u64,
    seen: u64,
    times: Vec<f64>,
    /// Row by row.
    values: Vec<f64>,
    /// The last point seen; no values before the first one.
    now: f64,
    present: Vec<f64>,
    incidents: Vec<Incident>,
    lost_incidents: u64,
    state: RunState,
}

/// Faults kept at most.
const INCIDENTS: usize = 1000;

impl Recorder {
    /// Room for `capacity` communication points, at least 2.
    #[must_use]
    pub fn new(capacity: usize) -> Self {
        Self {
            inputs: false,
            names: Vec::new(),
            units: Vec::new(),
            capacity: capacity.max(2),
            every: 1,
            seen: 0,
            times: Vec::new(),
            values: Vec::new(),
            now: 0.0,
            present: Vec::new(),
            incidents: Vec::new(),
            lost_incidents: 0,
            state: RunState::Initialised,
        }
    }

    /// With columns for the inputs behind those of the outputs: what the partners were given after unit, gain and offset.
    #[must_use]
    pub fn with_inputs(mut self) -> Self {
        self.inputs = true;
        self
    }

    /// Names of the columns, "partner.output", known from the first communication point on.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Units of the columns, likewise.
    #[must_use]
    pub fn units(&self) -> &[String] {
        &self.units
    }

    /// Times kept \[s\].
    #[must_use]
    pub fn times(&self) -> &[f64] {
        &self.times
    }

    /// Distance of the points kept, in communication points.
    #[must_use]
    pub fn stride(&self) -> u64 {
        self.every
    }

    /// Communication points seen.
    #[must_use]
    pub fn seen(&self) -> u64 {
        self.seen
    }

    /// The values kept at time index `row`, one per column; None beyond the last.
    #[must_use]
    pub fn row(&self, row: usize) -> Option<&[f64]> {
        let width = self.names.len();
        (row < self.times.len()).then(|| &self.values[row * width..(row + 1) * width])
    }

    /// The time \[s\] and the values of the communication point seen last, whether it is kept or not.
    #[must_use]
    pub fn present(&self) -> (f64, &[f64]) {
        (self.now, &self.present)
    }

    /// One column; None if there is no output of this name.
    #[must_use]
    pub fn column(&self, name: &str) -> Option<Vec<f64>> {
        let k = self.names.iter().position(|known| known == name)?;
        Some(self.values.iter().skip(k).step_by(self.names.len()).copied().collect())
    }

    /// The points kept, and the last one if it is not among them.
    pub fn rows(&self) -> impl Iterator<Item = (f64, &[f64])> {
        let kept = (0..self.times.len()).filter_map(|row| Some((self.times[row], self.row(row)?)));
        let last = (self.times.last().is_some_and(|last| *last != self.now)).then_some((self.now, &*self.present));
        kept.chain(last)
    }

    /// Writes [`Recorder::rows`] as comma-separated values, with the units in the header.
    ///
    /// # Errors
    /// The error of the sink.
    pub fn write_csv(&self, mut sink: impl Write) -> io::Result<()> {
        write_header(&mut sink, &self.names, &self.units)?;
        let mut line = String::new();
        self.rows().try_for_each(|(time, values)| write_row(&mut sink, &mut line, time, values))?;
        sink.flush()
    }

    /// Faults in the order of their reports, the first thousand.
    #[must_use]
    pub fn incidents(&self) -> &[Incident] {
        &self.incidents
    }

    /// Faults beyond those kept.
    #[must_use]
    pub fn lost_incidents(&self) -> u64 {
        self.lost_incidents
    }

    /// Where the run stands.
    #[must_use]
    pub fn state(&self) -> RunState {
        self.state
    }

    fn thin(&mut self) {
        let width = self.names.len();
        let kept = self.times.len().div_ceil(2);
        for row in 0..kept {
            self.times[row] = self.times[2 * row];
            self.values.copy_within(2 * row * width..(2 * row + 1) * width, row * width);
        }
        self.times.truncate(kept);
        self.values.truncate(kept * width);
        self.every *= 2;
    }
}

impl Observer for Recorder {
    fn state(&mut self, state: RunState, _time: f64) {
        self.state = state;
    }

    fn exchanged(&mut self, view: &View<'_>) -> Proceed {
        if self.seen == 0 {
            self.names = view.output_names();
            self.units = view.output_units();
            if self.inputs {
                self.names.extend(view.input_names());
                self.units.extend(view.input_units());
            }
        }
        self.now = view.time();
        self.present.clear();
        let packets = (0..view.partners()).filter_map(|i| view.received(i));
        packets.for_each(|packet| self.present.extend_from_slice(&packet.values));
        if self.inputs {
            self.present.extend(view.inputs());
        }
        if self.seen.is_multiple_of(self.every) {
            if self.times.len() == self.capacity {
                self.thin();
            }
            // After thinning the present point may not be one of those kept.
            if self.seen.is_multiple_of(self.every) {
                self.times.push(self.now);
                self.values.extend_from_slice(&self.present);
            }
        }
        self.seen += 1;
        Proceed::Continue
    }

    fn fault(&mut self, report: &Report<'_>) {
        if self.incidents.len() == INCIDENTS {
            self.lost_incidents += 1;
            return;
        }
        self.incidents.push(Incident {
            time: report.fault.time(),
            partner: report.fault.partner().map(Into::into),
            message: printable(&report.fault.to_string()).into_owned(),
            level: report.level,
            handling: report.handling,
            late: report.fault.late().map(|late| late.as_secs_f64()),
        });
    }
}
