//! The thread of a session: it alone moves the master, and takes orders between two communication steps.

use fourbar_linalg::text::printable;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, TryRecvError};
use std::time::{Duration, Instant};

use super::file::FileRecorder;
use super::recorder::Recorder;
use super::shared_state::{SessionState, SharedState, Status};
use crate::management::{Observer, Proceed, Report, RunState, View};
use crate::{Error, Master};

/// Something to do between two communication steps.
pub(super) type Order = Box<dyn FnOnce(&mut Engine) + Send>;

/// How often counts are put into the shared state while a run goes on.
const PUBLISH: Duration = Duration::from_millis(20);
/// Time over which the speed is measured.
const WINDOW: Duration = Duration::from_millis(500);

/// A run as it is begun.
pub(super) struct Launch {
    pub(super) master: Master,
    pub(super) file: Option<FileRecorder>,
    /// Communication points kept in the shared state.
    pub(super) capacity: usize,
    /// One communication step, then a pause.
    pub(super) once: bool,
}

pub(super) struct Engine {
    shared: Arc<SharedState>,
    attention: Arc<AtomicBool>,
    /// Raised when the run is to end even if a partner does not answer.
    halt: Arc<AtomicBool>,
    master: Option<Master>,
    file: Option<FileRecorder>,
    running: bool,
    /// Single communication steps still to make; None while the run goes on by itself.
    left: Option<u64>,
    pace: Pace,
}

/// Wall clock of a run and how fast simulated time passes.
struct Pace {
    /// When `wall` was brought up to date; None at rest.
    mark: Option<Instant>,
    wall: Duration,
    /// Wall clock and simulated time at the beginning of the window.
    window: (Duration, f64),
    speed: f64,
}

impl Pace {
    fn new() -> Self {
        Self { mark: None, wall: Duration::ZERO, window: (Duration::ZERO, 0.0), speed: 0.0 }
    }

    fn go(&mut self, time: f64) {
        self.mark = Some(Instant::now());
        self.window = (self.wall, time);
    }

    fn tick(&mut self, now: Instant, time: f64) {
        if let Some(mark) = self.mark.replace(now) {
            self.wall += now.duration_since(mark);
        }
        let span = self.wall.saturating_sub(self.window.0);
        if span >= WINDOW {
            self.speed = (time - self.window.1) / span.as_secs_f64();
            self.window = (self.wall, time);
        }
    }

    fn rest(&mut self, time: f64) {
        self.tick(Instant::now(), time);
        self.mark = None;
        self.speed = 0.0;
    }
}

impl Engine {
    pub(super) fn new(shared: Arc<SharedState>, attention: Arc<AtomicBool>, halt: Arc<AtomicBool>) -> Self {
        Self { shared, attention, halt, master: None, file: None, running: false, left: None, pace: Pace::new() }
    }

    /// Works until nobody can give orders any more.
    pub(super) fn work(mut self, orders: &Receiver<Order>) {
        loop {
            if self.running && !self.attention.swap(false, Ordering::Acquire) {
                self.advance();
                continue;
            }
            let order = if self.running { orders.try_recv() } else { orders.recv().map_err(Into::into) };
            match order {
                Ok(order) => {
                    // There may be more.
                    self.attention.store(true, Ordering::Release);
                    order(&mut self);
                }
                Err(TryRecvError::Empty) => {}
                Err(TryRecvError::Disconnected) => break,
            }
        }
        self.stop();
    }

    pub(super) fn begin(&mut self, launch: Launch) {
        let Launch { master, file, capacity, once } = launch;
        let clock = master.clock();
        let (time, end) = (clock.time(), clock.end());
        {
            let mut shown = self.shared.look();
            shown.recorder = Recorder::new(capacity).with_inputs();
            shown.status = Status { run: shown.status.run + 1, time, end, ..Status::idle() };
        }
        (self.master, self.file, self.pace) = (Some(master), file, Pace::new());
        self.go(once);
    }

    /// Goes on, for one communication step if `once`.
    pub(super) fn go(&mut self, once: bool) {
        if let Some(master) = &self.master {
            self.pace.go(master.clock().time());
            (self.running, self.left) = (true, once.then_some(1));
            self.enter(SessionState::Running, None);
        }
    }

    /// Makes one communication step more: after those asked for before, or out of a pause. Whether it will, for a run may go on by itself or have ended.
    pub(super) fn step(&mut self) -> bool {
        match (&mut self.left, self.running) {
            (Some(left), true) => *left += 1,
            (None, true) => return false,
            (_, false) if self.shared.look().status.state == SessionState::Paused => self.go(true),
            (_, false) => return false,
        }
        true
    }

    pub(super) fn pause(&mut self) {
        if self.running {
            let mut watch = Watch { shared: &self.shared, file: self.file.as_mut() };
            self.master.iter_mut().for_each(|master| master.pause(&mut watch));
            self.enter(SessionState::Paused, None);
        }
    }

    pub(super) fn stop(&mut self) {
        self.halt.store(false, Ordering::Release);
        if self.shared.look().status.state.is_under_way() {
            self.enter(SessionState::Stopped, None);
        }
    }

    pub(super) fn master(&mut self) -> Option<&mut Master> {
        self.master.as_mut()
    }

    fn advance(&mut self) {
        let Some(master) = &mut self.master else {
            self.running = false;
            return;
        };
        let mut watch = Watch { shared: &self.shared, file: self.file.as_mut() };
        match catch_unwind(AssertUnwindSafe(|| master.step(&mut watch))) {
            Ok(Ok(RunState::Finished)) => self.enter(SessionState::Finished, None),
            Ok(Ok(RunState::Paused)) => self.enter(SessionState::Paused, None),
            Ok(Ok(_)) => match &mut self.left {
                Some(0 | 1) => self.pause(),
                Some(left) => *left -= 1,
                None => self.publish_if_due(),
            },
            // Within the step, from which nothing remains.
            Ok(Err(_)) if self.halt.load(Ordering::Acquire) => self.enter(SessionState::Stopped, None),
            Ok(Err(error)) => self.enter(SessionState::Failed, Some(reason(&error))),
            Err(panic) => {
                let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
                let text = text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
                // Nobody knows what it left behind.
                self.master = None;
                let text = format!("a partner panicked: {text}; give it a thread of its own to be told which");
                self.enter(SessionState::Failed, Some(text));
            }
        }
    }

    fn publish_if_due(&mut self) {
        let now = Instant::now();
        if self.pace.mark.is_none_or(|mark| now.duration_since(mark) >= PUBLISH) {
            let time = self.master.as_ref().map_or(0.0, |master| master.clock().time());
            self.pace.tick(now, time);
            self.publish();
        }
    }

    fn publish(&mut self) {
        let mut shown = self.shared.look();
        let status = &mut shown.status;
        if let Some(master) = &self.master {
            (status.statistics, status.pacing) = (*master.statistics(), master.pacing());
        }
        (status.wall, status.speed) = (self.pace.wall, self.pace.speed);
        let failure = self.file.as_ref().and_then(FileRecorder::failure);
        status.recording_failure = failure.map(Into::into);
    }

    fn enter(&mut self, state: SessionState, failure: Option<String>) {
        self.running = state == SessionState::Running;
        if !self.running {
            let time = self.shared.look().status.time;
            self.pace.rest(time);
        }
        self.publish();
        let mut status = self.shared.look().status.clone();
        let shown = |text: String| printable(&text).into_owned();
        (status.state, status.failure) = (state, failure.map(shown));
        if let (false, Some(master)) = (state.is_under_way(), &mut self.master) {
            status.warnings = master.warnings().into_iter().map(shown).collect();
        }
        if let Some(Err(failure)) = self.file.as_mut().map(|file| file.save(&status)) {
            status.recording_failure = Some(failure);
        }
        self.shared.look().status = status;
        if !state.is_under_way() {
            // The last to be written is on disk: the file may be moved.
            self.file = None;
        }
        self.shared.notify();
    }
}

fn reason(error: &Error) -> String {
    match error {
        Error::Stopped(fault) => fault.to_string(),
        error => error.to_string(),
    }
}

/// Shows everything that happens in the shared state, and writes it to the file.
struct Watch<'a> {
    shared: &'a SharedState,
    file: Option<&'a mut FileRecorder>,
}

impl Observer for Watch<'_> {
    fn state(&mut self, state: RunState, time: f64) {
        Observer::state(&mut self.shared.look().recorder, state, time);
        self.file.iter_mut().for_each(|file| file.state(state, time));
    }

    fn exchanged(&mut self, view: &View<'_>) -> Proceed {
        {
            let mut shown = self.shared.look();
            shown.status.time = view.time();
            shown.recorder.exchanged(view);
        }
        self.file.as_mut().map_or(Proceed::Continue, |file| file.exchanged(view))
    }

    fn fault(&mut self, report: &Report<'_>) {
        self.shared.look().recorder.fault(report);
        self.file.iter_mut().for_each(|file| file.fault(report));
    }
}
