//! What can go wrong while a run is going on: every class of it, with place, time and value.

use std::time::Duration;

use super::Failure;

/// Something that went wrong at or between communication points (R18, R34 to R37).
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// A partner could not do what it was asked.
    #[error("t = {time:e} s: \"{partner}\" failed while {during}: {failure}")]
    Communication {
        /// Partner.
        partner: String,
        /// What it was asked to do.
        during: &'static str,
        /// Time \[s\].
        time: f64,
        /// Its answer.
        failure: Failure,
    },
    /// A sampled value is NaN or infinite.
    #[error(
        "t = {time:e} s: output \"{variable}\" of \"{partner}\" is {value}: its equations left their range; \
         take a smaller communication step or correct them"
    )]
    Sampling {
        /// Partner.
        partner: String,
        /// Output.
        variable: String,
        /// Time \[s\].
        time: f64,
        /// The value.
        value: f64,
    },
    /// An input computed for a partner is NaN or infinite, though every sampled value is finite.
    #[error(
        "t = {time:e} s: input \"{variable}\" of \"{partner}\" would become {value}: the values exchanged overflow; \
         take a smaller communication step"
    )]
    Writing {
        /// Partner.
        partner: String,
        /// Input.
        variable: String,
        /// Time \[s\].
        time: f64,
        /// The value.
        value: f64,
    },
    /// A partner is at another time than the common clock.
    #[error(
        "\"{partner}\" says it is at t = {reached:e} s, the common clock is at {expected:e} s: its values are not assigned"
    )]
    Time {
        /// Partner.
        partner: String,
        /// Time of the clock \[s\].
        expected: f64,
        /// Time of the partner \[s\].
        reached: f64,
    },
    /// A partner on a thread of its own did not answer in time.
    #[error("t = {time:e} s: \"{partner}\" did not answer within {limit:?}")]
    TimeLimit {
        /// Partner.
        partner: String,
        /// Time \[s\].
        time: f64,
        /// The limit.
        limit: Duration,
    },
    /// The thread of a partner has ended: it panicked.
    #[error("t = {time:e} s: the thread of \"{partner}\" has ended; the partner panicked")]
    Lost {
        /// Partner.
        partner: String,
        /// Time \[s\].
        time: f64,
    },
    /// An iteration over the partners did not converge.
    #[error(
        "t = {time:e} s: {iterations} sweeps leave a residual of {residual:.3e} (relative), tolerance {tolerance:.3e}; \
         take a smaller communication step or the quasi-Newton method"
    )]
    NotConverged {
        /// Time \[s\].
        time: f64,
        /// Sweeps done.
        iterations: usize,
        /// Largest relative residual left.
        residual: f64,
        /// Tolerance.
        tolerance: f64,
    },
    /// The shortest communication step is still too long for the tolerance.
    #[error(
        "t = {time:e} s: the extrapolation error is {error:.3e} (relative) at the shortest communication step {step:e} s, \
         tolerance {tolerance:.3e}"
    )]
    Accuracy {
        /// Time \[s\].
        time: f64,
        /// Communication step \[s\].
        step: f64,
        /// Extrapolation error.
        error: f64,
        /// Tolerance.
        tolerance: f64,
    },
    /// The run falls behind the wall clock.
    #[error(
        "t = {time:e} s: {late:?} behind the wall clock; lower the real-time factor or take a longer communication step"
    )]
    Overrun {
        /// Time \[s\].
        time: f64,
        /// How late.
        late: Duration,
    },
}

impl Fault {
    /// The partner concerned, if it is one.
    #[must_use]
    pub fn partner(&self) -> Option<&str> {
        match self {
            Self::Communication { partner, .. }
            | Self::Sampling { partner, .. }
            | Self::Writing { partner, .. }
            | Self::Time { partner, .. }
            | Self::TimeLimit { partner, .. }
            | Self::Lost { partner, .. } => Some(partner),
            Self::NotConverged { .. } | Self::Accuracy { .. } | Self::Overrun { .. } => None,
        }
    }

    /// When it happened \[s\].
    #[must_use]
    pub fn time(&self) -> f64 {
        match self {
            Self::Time { expected, .. } => *expected,
            Self::Communication { time, .. }
            | Self::Sampling { time, .. }
            | Self::Writing { time, .. }
            | Self::TimeLimit { time, .. }
            | Self::Lost { time, .. }
            | Self::NotConverged { time, .. }
            | Self::Accuracy { time, .. }
            | Self::Overrun { time, .. } => *time,
        }
    }
}
