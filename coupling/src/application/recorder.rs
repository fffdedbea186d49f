//! The curves and faults of a run, kept in bounded memory. A recorder outlives its run: what was seen before a fault stays.

use crate::management::{Handling, Level, Observer, Proceed, Report, RunState, View};

/// A fault as it was reported.
#[derive(Debug, Clone, PartialEq)]
pub struct Incident {
    /// Its text.
    pub message: String,
    /// How serious it was taken.
    pub level: Level,
    /// What was done.
    pub handling: Handling,
}

/// Keeps every n-th communication point; when the room is used up, every second point is dropped and n doubles.
#[derive(Debug, Clone)]
pub struct Recorder {
    names: Vec<String>,
    capacity: usize,
    every: u64,
    seen: u64,
    times: Vec<f64>,
    /// Row by row.
    values: Vec<f64>,
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
            names: Vec::new(),
            capacity: capacity.max(2),
            every: 1,
            seen: 0,
            times: Vec::new(),
            values: Vec::new(),
            incidents: Vec::new(),
            lost_incidents: 0,
            state: RunState::Initialised,
        }
    }

    /// Names of the columns, "partner.output", known from the first communication point on.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Times kept \[s\].
    #[must_use]
    pub fn times(&self) -> &[f64] {
        &self.times
    }

    /// The values kept at time index `row`, one per column; None beyond the last.
    #[must_use]
    pub fn row(&self, row: usize) -> Option<&[f64]> {
        let width = self.names.len();
        self.values.get(row * width..(row + 1) * width)
    }

    /// One column; None if there is no output of this name.
    #[must_use]
    pub fn column(&self, name: &str) -> Option<Vec<f64>> {
        let k = self.names.iter().position(|known| known == name)?;
        Some(self.values.iter().skip(k).step_by(self.names.len()).copied().collect())
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
        if self.names.is_empty() {
            self.names = view.output_names();
        }
        if self.seen.is_multiple_of(self.every) {
            if self.times.len() == self.capacity {
                self.thin();
            }
            // After thinning the present point may not be one of those kept.
            if self.seen.is_multiple_of(self.every) {
                self.times.push(view.time());
                (0..view.partners())
                    .filter_map(|i| view.received(i))
                    .for_each(|packet| self.values.extend(&packet.values));
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
        let message = report.fault.to_string();
        self.incidents.push(Incident { message, level: report.level, handling: report.handling });
    }
}
