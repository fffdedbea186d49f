//! Waits until the wall clock has come as far as simulated time.

use std::time::{Duration, Instant};

use super::pacing::{Pacing, PacingStatistics};
use crate::error::{Error, positive};

/// Lateness that is none: operating systems wake a thread that sleeps up to this much later than asked, and the next step makes up for it.
const PUNCTUAL: Duration = Duration::from_millis(1);

/// Waits at the communication points.
pub(super) struct Pacer {
    factor: f64,
    /// Wall clock and simulated time at the start.
    origin: Option<(Instant, f64)>,
    /// Whether a step has been made.
    is_under_way: bool,
    late: bool,
    statistics: PacingStatistics,
}

impl Pacer {
    pub(super) fn new(pacing: Pacing) -> Result<Self, Error> {
        let factor = pacing.real_time_factor;
        positive("the real-time factor", factor)?;
        Ok(Self { factor, origin: None, is_under_way: false, late: false, statistics: PacingStatistics::default() })
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
        let due = self.due(t, Instant::now());
        if let Due::In(pause) = due {
            self.statistics.waited += pause;
            std::thread::sleep(pause);
        }
        if let Due::Late(late) = due { Some(late) } else { None }
    }

    /// What of simulated time `t` \[s\] is to be done where the wall clock is at `now`. A first step that is late is no overrun, as it takes what starting
    /// takes: the clock goes from its end.
    fn due(&mut self, t: f64, now: Instant) -> Due {
        let (start, t0) = *self.origin.get_or_insert((now, t));
        // Out of range only after centuries.
        let due = Duration::try_from_secs_f64((t - t0) / self.factor).unwrap_or_default();
        let elapsed = now.duration_since(start);
        if elapsed <= due {
            self.is_under_way |= t > t0;
            self.late = false;
            return Due::In(due - elapsed);
        }
        let late = elapsed - due;
        if !std::mem::replace(&mut self.is_under_way, true) && late > PUNCTUAL {
            self.origin = Some((now, t));
            return Due::Now;
        }
        self.statistics.latest = self.statistics.latest.max(late);
        if late <= PUNCTUAL {
            self.late = false;
            return Due::Now;
        }
        self.statistics.overruns += 1;
        if std::mem::replace(&mut self.late, true) { Due::Now } else { Due::Late(late) }
    }
}

/// Whether a point is due.
#[derive(Debug, PartialEq, Eq)]
enum Due {
    /// After that time.
    In(Duration),
    /// It is, or was by as much as is not told.
    Now,
    /// It was so long ago.
    Late(Duration),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn microseconds_are_no_overrun_and_later_points_are() {
        let mut pacer = Pacer::new(Pacing { real_time_factor: 1.0 }).unwrap();
        let (begin, ms) = (Instant::now(), Duration::from_millis);
        assert_eq!(pacer.due(0.0, begin), Due::In(Duration::ZERO));
        assert_eq!(pacer.due(1.0, begin + ms(1000) + Duration::from_micros(5)), Due::Now);
        assert_eq!((pacer.statistics().overruns, pacer.statistics().latest), (0, Duration::from_micros(5)));
        assert_eq!(pacer.due(2.0, begin + ms(2020)), Due::Late(ms(20)));
        assert_eq!(pacer.due(3.0, begin + ms(3030)), Due::Now);
        assert_eq!((pacer.statistics().overruns, pacer.statistics().latest), (2, ms(30)));
        assert_eq!(pacer.due(4.0, begin + ms(3500)), Due::In(ms(500)));
    }

    #[test]
    fn what_starting_takes_is_no_overrun_and_a_run_that_stays_behind_is() {
        let mut pacer = Pacer::new(Pacing { real_time_factor: 1.0 }).unwrap();
        let (begin, ms) = (Instant::now(), Duration::from_millis);
        assert_eq!(pacer.due(0.0, begin), Due::In(Duration::ZERO));
        assert_eq!(pacer.due(0.01, begin + ms(40)), Due::Now);
        assert_eq!((pacer.statistics().overruns, pacer.statistics().latest), (0, Duration::ZERO));
        // 10 ms after the first one.
        assert_eq!(pacer.due(0.02, begin + ms(45)), Due::In(ms(5)));
        assert_eq!(pacer.due(0.03, begin + ms(90)), Due::Late(ms(30)));
        let mut slow = Pacer::new(Pacing { real_time_factor: 1.0 }).unwrap();
        assert_eq!(slow.due(0.0, begin), Due::In(Duration::ZERO));
        assert_eq!(slow.due(0.01, begin + ms(40)), Due::Now);
        assert_eq!(slow.due(0.02, begin + ms(80)), Due::Late(ms(30)));
    }
}
