//! Waits until the wall clock has come as far as simulated time.

use std::time::{Duration, Instant};

use super::pacing::{Pacing, PacingStatistics};
use crate::error::{Error, positive};

/// Waits at the communication points.
pub(super) struct Pacer {
    factor: f64,
    /// Wall clock and simulated time at the start.
    origin: Option<(Instant, f64)>,
    late: bool,
    statistics: PacingStatistics,
}

impl Pacer {
    pub(super) fn new(pacing: Pacing) -> Result<Self, Error> {
        let factor = pacing.real_time_factor;
        positive("the real-time factor", factor)?;
        Ok(Self { factor, origin: None, late: false, statistics: PacingStatistics::default() })
    }

    pub(super) fn statistics(&self) -> PacingStatistics {
        self.statistics
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
