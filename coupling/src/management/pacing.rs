//! Simulated time kept to the wall clock: what is asked, and what came of it.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// How fast simulated time may run. [`Master::new`](crate::Master::new) refuses it in a build without the feature `clock`.
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
    /// Communication points reached more than a millisecond too late. The first step does not count: it takes what starting takes, and the clock goes
    /// from its end where it is late.
    pub overruns: u64,
    /// Largest lateness.
    pub latest: Duration,
    /// Time spent waiting.
    pub waited: Duration,
}
