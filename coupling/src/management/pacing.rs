//! Simulated time kept to the wall clock.

use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

/// How fast simulated time may run.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pacing {
    /// Simulated seconds per second of the wall clock: 1 is real time.
    pub real_time_factor: f64,
}

/// How well the wall clock was kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct PacingStatistics {
    /// Communication points reached too late.
    pub overruns: u64,
    /// Largest lateness.
    pub latest: Duration,
    /// Time spent waiting.
    pub waited: Duration,
}

/// Waits at the communication points.
pub(super) struct Pacer {
    factor: f64,
    /// Wall clock and simulated time at the start.
    origin: Option<(Instant, f64)>,
    late: bool,
    pub(super) statistics: PacingStatistics,
}

impl Pacer {
    pub(super) fn new(pacing: Pacing) -> Self {
        Self { factor: pacing.real_time_factor, origin: None, late: false, statistics: PacingStatistics::default() }
    }

    /// Begins counting anew at simulated time `t` \[s\]: a pause is no overrun.
    pub(super) fn rest(&mut self) {
        self.origin = None;
    }

    /// Waits until simulated time `t` \[s\] is due. How late it is if it was reached too late and the time before was not.
    pub(super) fn keep(&mut self, t: f64) -> Option<Duration> {
        let now = Instant::now();
        let (start, t0) = *self.origin.get_or_insert((now, t));
        // Out of range only after centuries.
        let due = Duration::try_from_secs_f64((t - t0) / self.factor).unwrap_or_default();
        let elapsed = now.duration_since(start);
        if elapsed <= due {
            self.late = false;
            let pause = due - elapsed;
            self.statistics.waited += pause;
            std::thread::sleep(pause);
            return None;
        }
        let late = elapsed - due;
        self.statistics.overruns += 1;
        self.statistics.latest = self.statistics.latest.max(late);
        (!std::mem::replace(&mut self.late, true)).then_some(late)
    }
}
