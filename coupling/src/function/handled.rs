//! How serious a fault is taken, and what was done about it.

use super::Fault;
use serde::{Deserialize, Serialize};

/// How serious a fault is taken, and therefore what is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Level {
    /// Reported; the run goes on.
    Inform,
    /// Reported as a warning and counted; the run goes on.
    Warn,
    /// The partner returns to its last state, if it can, and is asked again up to `attempts` times. One that hangs on a thread or has
    /// panicked there cannot be asked again: what follows on retries follows at once.
    Retry {
        /// How often.
        attempts: u32,
        /// What follows if all fail.
        then: Fallback,
    },
    /// The last good values of the partner stand in until it gives good ones again; it is asked at every further point.
    Hold,
    /// The run ends; what was recorded stays.
    Stop,
}

impl std::fmt::Display for Level {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Inform => "inform",
            Self::Warn => "warn",
            Self::Retry { .. } => "retry",
            Self::Hold => "hold",
            Self::Stop => "stop",
        })
    }
}

/// What follows on retries that failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fallback {
    /// As [`Level::Hold`].
    Hold,
    /// As [`Level::Stop`].
    Stop,
}

/// What was done about a fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Handling {
    /// The run goes on.
    Informed,
    /// The run goes on; its results are less good.
    Warned,
    /// The partner is asked again for the n-th time.
    Retried(u32),
    /// The last good values stand in.
    Held,
    /// Saving or returning failed: the partner is brought back from its last good saved state, and nothing else is lost.
    Restored,
    /// The run ends.
    Stopped,
}

impl std::fmt::Display for Handling {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Informed => f.write_str("the run goes on"),
            Self::Warned => f.write_str("the run goes on with a warning"),
            Self::Retried(attempt) => write!(f, "asked again, attempt {attempt}"),
            Self::Held => f.write_str("the last good values stand in"),
            Self::Restored => f.write_str("brought back from the last good saved state"),
            Self::Stopped => f.write_str("the run ends"),
        }
    }
}

/// A fault that was met and handled where it was met.
#[derive(Debug, Clone, PartialEq)]
pub struct Handled {
    /// What went wrong.
    pub fault: Fault,
    /// How serious it was taken.
    pub level: Level,
    /// What was done.
    pub handling: Handling,
}
