//! What can go wrong while a run is going on: every class of it, with place, time and value.

use std::time::Duration;

use super::Failure;
use fourbar_linalg::text::Brief;

/// Something that went wrong at or between communication points (R18, R34 to R37).
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// A partner could not do what it was asked.
    #[error("t = {time} s: \"{partner}\" failed while {during}: {failure}", time = Brief(*.time))]
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
        "t = {time} s: output \"{variable}\" of \"{partner}\" is {value}: its equations left their range; \
         take a smaller communication step or correct them", time = Brief(*.time), value = Brief(*.value))]
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
        "t = {time} s: input \"{variable}\" of \"{partner}\" would become {value}: the values exchanged overflow; \
         take a smaller communication step", time = Brief(*.time), value = Brief(*.value))]
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
        "\"{partner}\" says it is at t = {reached} s, the common clock is at {expected} s: its values are not assigned", reached = Brief(*.reached), expected = Brief(*.expected))]
    Time {
        /// Partner.
        partner: String,
        /// Time of the clock \[s\].
        expected: f64,
        /// Time of the partner \[s\].
        reached: f64,
    },
    /// A partner on a thread or in a process of its own did not answer in time.
    #[error("t = {time} s: \"{partner}\" did not answer within {limit:?}{}", silence(*.ended), time = Brief(*.time))]
    TimeLimit {
        /// Partner.
        partner: String,
        /// Time \[s\].
        time: f64,
        /// The limit.
        limit: Duration,
        /// Whether its process was ended. A thread cannot be: it stays at work, and nobody can be asked again until it answers.
        ended: bool,
    },
    /// The thread of a partner has ended: it panicked.
    #[error("t = {time} s: the thread of \"{partner}\" has ended; the partner panicked: {words}", time = Brief(*.time))]
    Lost {
        /// Partner.
        partner: String,
        /// Time \[s\].
        time: f64,
        /// What the panic said.
        words: String,
    },
    /// An iteration over the partners did not converge.
    #[error(
        "t = {time} s: {iterations} sweeps leave a residual of {residual:.4} (relative), tolerance {tolerance:.4}; {remedy}", time = Brief(*.time),
        residual = Brief(*.residual), tolerance = Brief(*.tolerance)
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
        /// What the run can still do.
        remedy: &'static str,
    },
    /// The values around an algebraic loop do not reproduce themselves.
    #[error(
        "t = {time} s: no values were found that satisfy the algebraic loop {} ({evaluations} evaluations, relative change once round \
         {residual:.4}, tolerance {tolerance:.4}): its gain may be 1, or it has no solution; open it at one of these connections, \
         or give a partner along it a state or a delay",
        .connections.join(", "), time = Brief(*.time),
        residual = Brief(*.residual), tolerance = Brief(*.tolerance)
    )]
    AlgebraicLoop {
        /// Time \[s\].
        time: f64,
        /// The connections along the loop, as "a.y -> b.u".
        connections: Vec<String>,
        /// Evaluations done.
        evaluations: usize,
        /// Largest relative change of a value once round.
        residual: f64,
        /// Tolerance.
        tolerance: f64,
        /// Whether it is the initial exchange: there are no values to go on with then.
        initial: bool,
    },
    /// The shortest communication step is still too long for the tolerance.
    #[error(
        "t = {time} s: the extrapolation error is {error:.4} (relative) at the shortest communication step {step} s, \
         tolerance {tolerance:.4}", time = Brief(*.time), step = Brief(*.step),
        error = Brief(*.error), tolerance = Brief(*.tolerance)
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
    /// An oscillation grows though the partners do not drive it: the defects of a continued input explain its growth.
    #[error(
        "t = {time} s: the coupling is unstable: an oscillation at {connection} has grown from {from:.4} to {to:.4}, and the continued \
         inputs explain its growth; {remedy}",
        time = Brief(*.time), from = Brief(*.from), to = Brief(*.to)
    )]
    Growth {
        /// Time \[s\].
        time: f64,
        /// The connection, as "a.y -> b.u".
        connection: String,
        /// Size from which it grew \[unit of the input\].
        from: f64,
        /// Size now \[unit of the input\].
        to: f64,
        /// What the run can still do.
        remedy: String,
    },
    /// The error that the continued inputs make in the results of the run is estimated above 1 %.
    #[error(
        "the inputs continued over the communication steps make an estimated error of {} in the results, most of it at {connection}; {remedy}",
        percent(*.relative)
    )]
    EstimatedError {
        /// Time at which the run ended \[s\].
        time: f64,
        /// Relative to the largest values.
        relative: f64,
        /// The connection with the largest part, as "a.y -> b.u".
        connection: String,
        /// What the run can still do.
        remedy: String,
    },
    /// A fault of the run inside a partner that is made of partners itself.
    #[error("in \"{partner}\": {fault}")]
    Within {
        /// Partner.
        partner: String,
        /// What went wrong in it.
        fault: Box<Fault>,
    },
    /// The run falls behind the wall clock.
    #[error(
        "t = {time} s: {} behind the wall clock; lower the real-time factor or take a longer communication step", lateness(*.late), time = Brief(*.time))]
    Overrun {
        /// Time \[s\].
        time: f64,
        /// How late.
        late: Duration,
    },
}

/// An estimate has two digits, and beyond 100 % none.
pub(crate) fn percent(relative: f64) -> String {
    match 100.0 * relative {
        percent if percent >= 100.0 || percent.is_nan() => "100 % or more".to_owned(),
        percent if percent >= 10.0 => format!("{percent:.0} %"),
        percent if percent >= 0.1 || percent == 0.0 => format!("{percent:.1} %"),
        percent => format!("{:.1} %", Brief(percent)),
    }
}

/// A tenth of a millisecond is all that a clock of an operating system keeps.
fn lateness(late: Duration) -> String {
    match 1e3 * late.as_secs_f64() {
        ms if ms < 99.95 => format!("{ms:.1} ms"),
        ms if ms < 999.5 => format!("{ms:.0} ms"),
        ms => format!("{:.1} s", 1e-3 * ms),
    }
}

fn silence(ended: bool) -> &'static str {
    if ended {
        "; its process was ended"
    } else {
        "; a thread cannot be ended and asked again: lengthen its time limit, or give the partner a process of its own"
    }
}

impl Fault {
    /// Whether a value that is no number, or beyond all range, is what is wrong.
    #[must_use]
    pub(crate) fn is_no_number(&self) -> bool {
        matches!(self, Self::Sampling { .. } | Self::Writing { .. })
    }

    /// The partner concerned, if it is one.
    #[must_use]
    pub fn partner(&self) -> Option<&str> {
        match self {
            Self::Communication { partner, .. }
            | Self::Sampling { partner, .. }
            | Self::Writing { partner, .. }
            | Self::Time { partner, .. }
            | Self::TimeLimit { partner, .. }
            | Self::Lost { partner, .. }
            | Self::Within { partner, .. } => Some(partner),
            Self::NotConverged { .. }
            | Self::AlgebraicLoop { .. }
            | Self::Accuracy { .. }
            | Self::Growth { .. }
            | Self::EstimatedError { .. }
            | Self::Overrun { .. } => None,
        }
    }

    /// The same of a run that takes part in another one as `partner`: each name with that of the partner before it, "partner.name".
    #[must_use]
    pub fn within(mut self, outer: &str) -> Self {
        let inner = |name: &str| format!("{outer}.{name}");
        let of_connection = |text: &str| text.split(" -> ").map(inner).collect::<Vec<_>>().join(" -> ");
        match &mut self {
            Self::Communication { partner, .. }
            | Self::Sampling { partner, .. }
            | Self::Writing { partner, .. }
            | Self::Time { partner, .. }
            | Self::TimeLimit { partner, .. }
            | Self::Lost { partner, .. }
            | Self::Within { partner, .. } => *partner = inner(partner),
            Self::AlgebraicLoop { connections, .. } => {
                connections.iter_mut().for_each(|connection| *connection = of_connection(connection));
            }
            Self::Growth { connection, .. } | Self::EstimatedError { connection, .. } => {
                *connection = of_connection(connection);
            }
            Self::NotConverged { .. } | Self::Accuracy { .. } | Self::Overrun { .. } => {
                return Self::Within { partner: outer.to_owned(), fault: Box::new(self) };
            }
        }
        self
    }

    /// How far the run was behind the wall clock, if that is what happened.
    #[must_use]
    pub fn late(&self) -> Option<Duration> {
        match self {
            Self::Overrun { late, .. } => Some(*late),
            Self::Within { fault, .. } => fault.late(),
            _ => None,
        }
    }

    /// When it happened \[s\].
    #[must_use]
    pub fn time(&self) -> f64 {
        match self {
            Self::Time { expected, .. } => *expected,
            Self::Within { fault, .. } => fault.time(),
            Self::Communication { time, .. }
            | Self::Sampling { time, .. }
            | Self::Writing { time, .. }
            | Self::TimeLimit { time, .. }
            | Self::Lost { time, .. }
            | Self::NotConverged { time, .. }
            | Self::AlgebraicLoop { time, .. }
            | Self::Accuracy { time, .. }
            | Self::Growth { time, .. }
            | Self::EstimatedError { time, .. }
            | Self::Overrun { time, .. } => *time,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lateness_has_the_digits_that_a_clock_keeps() {
        let text = |seconds: f64| Fault::Overrun { time: 0.5, late: Duration::from_secs_f64(seconds) }.to_string();
        for (seconds, words) in [
            (1.911_844e-3, "t = 0.5 s: 1.9 ms behind"),
            (0.099_96, ": 100 ms behind"),
            (0.2345, ": 234 ms behind"),
            (0.9996, ": 1.0 s behind"),
            (12.34, ": 12.3 s behind"),
        ] {
            assert!(text(seconds).contains(words), "{}", text(seconds));
        }
    }
}
