//! What a session shows: status, curves and faults, shared between its thread and whoever watches.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde::{Serialize, Serializer};

use super::recorder::{Incident, Recorder};
use crate::management::{PacingStatistics, Statistics};

/// Where a session stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum SessionState {
    /// No run yet.
    Idle,
    /// A run is going on.
    Running,
    /// Between two communication points.
    Paused,
    /// Ended by the operator before its end time.
    Stopped,
    /// At its end time.
    Finished,
    /// Ended by a fault.
    Failed,
}

impl SessionState {
    /// Whether a run is under way, be it paused.
    #[must_use]
    pub fn is_under_way(self) -> bool {
        matches!(self, Self::Running | Self::Paused)
    }

    /// Its name: `idle`, `running`, `paused`, `stopped`, `finished`, `failed`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Idle => "idle",
            Self::Running => "running",
            Self::Paused => "paused",
            Self::Stopped => "stopped",
            Self::Finished => "finished",
            Self::Failed => "failed",
        }
    }
}

/// The state of a session in numbers.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Status {
    /// Where it stands.
    pub state: SessionState,
    /// Number of the run, from 1; 0 before the first.
    pub run: u64,
    /// Simulated time \[s\].
    pub time: f64,
    /// End time of the run \[s\]; null in JSON if it is endless.
    pub end: f64,
    /// What the run has cost.
    pub statistics: Statistics,
    /// How well the wall clock was kept, if it is to be.
    #[serde(serialize_with = "pacing")]
    pub pacing: Option<PacingStatistics>,
    /// Time on the clock that the run has taken, pauses left out \[s\].
    #[serde(serialize_with = "seconds")]
    pub wall: Duration,
    /// Simulated seconds per second of the clock, over the last half second; 0 at rest.
    pub speed: f64,
    /// What the simulators say of the run, once it is at its end, stopped or failed.
    pub warnings: Vec<String>,
    /// Why the run failed.
    pub failure: Option<String>,
    /// Why nothing is written to disk any more.
    pub recording_failure: Option<String>,
}

fn seconds<S: Serializer>(duration: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(duration.as_secs_f64())
}

fn pacing<S: Serializer>(pacing: &Option<PacingStatistics>, serializer: S) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    struct Seconds {
        overruns: u64,
        latest: f64,
        waited: f64,
    }
    let seconds = pacing.map(|kept| Seconds {
        overruns: kept.overruns,
        latest: kept.latest.as_secs_f64(),
        waited: kept.waited.as_secs_f64(),
    });
    seconds.serialize(serializer)
}

impl Status {
    pub(super) fn idle() -> Self {
        Self {
            state: SessionState::Idle,
            run: 0,
            time: 0.0,
            end: 0.0,
            statistics: Statistics::default(),
            pacing: None,
            wall: Duration::ZERO,
            speed: 0.0,
            warnings: Vec::new(),
            failure: None,
            recording_failure: None,
        }
    }
}

/// What is in the shared state.
pub(super) struct Shown {
    pub(super) status: Status,
    pub(super) recorder: Recorder,
}

/// The shared state; its condition variable is notified when the state changes.
pub(super) struct SharedState {
    shown: Mutex<Shown>,
    changed: Condvar,
}

impl SharedState {
    pub(super) fn new(capacity: usize) -> Self {
        let shown = Shown { status: Status::idle(), recorder: Recorder::new(capacity) };
        Self { shown: Mutex::new(shown), changed: Condvar::new() }
    }

    pub(super) fn look(&self) -> MutexGuard<'_, Shown> {
        // What is in the shared state is valid between any two writes.
        self.shown.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn notify(&self) {
        self.changed.notify_all();
    }

    /// Waits until `holds`; whether it does.
    pub(super) fn wait(&self, limit: Duration, mut holds: impl FnMut(&Status) -> bool) -> bool {
        let begun = Instant::now();
        let mut shown = self.look();
        loop {
            if holds(&shown.status) {
                return true;
            }
            let Some(left) = limit.checked_sub(begun.elapsed()) else { return false };
            // Times and counts change without a notification.
            let nap = left.min(Duration::from_millis(20));
            shown = self.changed.wait_timeout(shown, nap).unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

/// A watcher's place in what the shared state has shown: each look gives what is new, and never more than the shared state holds.
pub struct Subscription {
    shared: Arc<SharedState>,
    run: u64,
    /// Points between the kept ones when last looked: the shared state forgets some when this grows.
    stride: u64,
    /// Kept points seen.
    rows: usize,
    incidents: usize,
    /// Communication points seen by the shared state when last looked.
    seen: u64,
    told: bool,
}

/// What is new in the shared state.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Update {
    /// The status.
    pub status: Status,
    /// Whether the points below replace all earlier ones: a new run, or the shared state has thinned its points out.
    pub replace: bool,
    /// Names of the columns, if `replace`.
    pub names: Vec<String>,
    /// Their units, likewise.
    pub units: Vec<String>,
    /// Times of the new points \[s\].
    pub times: Vec<f64>,
    /// Their values, point by point.
    pub values: Vec<f64>,
    /// Time of the last point seen \[s\].
    pub now: f64,
    /// Its values; it is replaced by the next update.
    pub present: Vec<f64>,
    /// Communication points from one kept point to the next.
    pub stride: u64,
    /// New faults.
    pub incidents: Vec<Incident>,
    /// Faults beyond those kept.
    pub lost_incidents: u64,
}

impl Subscription {
    pub(super) fn new(shared: Arc<SharedState>) -> Self {
        Self { shared, run: 0, stride: 1, rows: 0, incidents: 0, seen: 0, told: false }
    }

    /// What has come since the last look: the status always, points and faults if there are new ones. The first look gives all.
    pub fn look(&mut self) -> Update {
        let shared = Arc::clone(&self.shared);
        let shown = shared.look();
        self.read(&shown)
    }

    /// A look, and at the same instant the first look of another watcher: who has seen the second misses nothing and sees nothing twice in
    /// the looks that follow here. So many can share one subscription, whenever they come.
    pub fn join(&mut self) -> (Update, Update) {
        let shared = Arc::clone(&self.shared);
        let shown = shared.look();
        (self.read(&shown), Self::new(Arc::clone(&shared)).read(&shown))
    }

    fn read(&mut self, shown: &Shown) -> Update {
        let recorder = &shown.recorder;
        let new_run = !self.told || self.run != shown.status.run || recorder.seen() < self.seen;
        let replace = new_run || (self.seen == 0 && recorder.seen() > 0) || recorder.stride() != self.stride;
        let first = if replace { 0 } else { self.rows };
        let first_incident = if new_run { 0 } else { self.incidents };
        let (now, present) = recorder.present();
        let width = recorder.names().len();
        let mut values = Vec::with_capacity((recorder.times().len() - first) * width);
        (first..recorder.times().len()).filter_map(|row| recorder.row(row)).for_each(|row| values.extend(row));
        let columns = |names: &[String]| if replace { names.to_vec() } else { Vec::new() };
        let update = Update {
            status: shown.status.clone(),
            replace,
            names: columns(recorder.names()),
            units: columns(recorder.units()),
            times: recorder.times()[first..].to_vec(),
            values,
            now,
            present: present.to_vec(),
            stride: recorder.stride(),
            incidents: recorder.incidents()[first_incident..].to_vec(),
            lost_incidents: recorder.lost_incidents(),
        };
        self.run = update.status.run;
        self.stride = update.stride;
        self.rows = recorder.times().len();
        self.incidents = recorder.incidents().len();
        self.seen = recorder.seen();
        self.told = true;
        update
    }
}
