//! The error catch (R18, R38, R39): each class of faults has a level, each level a reaction, each reaction is reported.

use serde::{Deserialize, Serialize};

use crate::Error;
use crate::function::{Fallback, Fault, Handling, Level};

/// The level of each class of faults.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FaultPolicy {
    /// A partner reports an error.
    pub communication: Level,
    /// A value is NaN or infinite.
    pub sampling: Level,
    /// A partner is at another time than the clock.
    pub time: Level,
    /// A partner does not answer within its limit.
    pub time_limit: Level,
    /// An iteration did not converge, or an algebraic loop was not solved: [`Level::Inform`], [`Level::Warn`] or [`Level::Stop`].
    pub convergence: Level,
    /// The tolerance is missed at the shortest step, an oscillation grows by the coupling, or the error of a whole
    /// run is estimated above 1 %: likewise.
    pub accuracy: Level,
    /// The run is behind the wall clock: likewise.
    pub overrun: Level,
}

impl Default for FaultPolicy {
    /// Stops on everything that makes the results wrong, warns of lost accuracy, informs of overruns.
    fn default() -> Self {
        Self {
            communication: Level::Stop,
            sampling: Level::Stop,
            time: Level::Stop,
            time_limit: Level::Stop,
            convergence: Level::Warn,
            accuracy: Level::Warn,
            overrun: Level::Inform,
        }
    }
}

impl FaultPolicy {
    /// The level for a fault. An algebraic loop without solution at the start stops the run: there are no values to begin with. On a thread that ended or hangs there is nobody to ask again: it is held where its class would hold, at once or
    /// after retries, else the run stops.
    #[must_use]
    pub fn level(&self, fault: &Fault) -> Level {
        match fault {
            Fault::Communication { .. } => self.communication,
            Fault::Sampling { .. } | Fault::Writing { .. } => self.sampling,
            Fault::Time { .. } => self.time,
            Fault::TimeLimit { ended: true, .. } => self.time_limit,
            Fault::TimeLimit { ended: false, .. } => without_retries(self.time_limit),
            Fault::Lost { .. } => without_retries(self.communication),
            Fault::AlgebraicLoop { initial: true, .. } => Level::Stop,
            Fault::NotConverged { .. } | Fault::AlgebraicLoop { .. } => self.convergence,
            Fault::Accuracy { .. } | Fault::Growth { .. } | Fault::EstimatedError { .. } => self.accuracy,
            Fault::Overrun { .. } => self.overrun,
            Fault::Within { fault, .. } => self.level(fault),
        }
    }

    /// Refuses levels that cannot handle their class.
    pub(super) fn validate(&self) -> Result<(), Error> {
        let without_value = [
            ("communication", self.communication),
            ("sampling", self.sampling),
            ("time", self.time),
            ("time-limit", self.time_limit),
        ];
        for (fault, level) in without_value {
            if matches!(level, Level::Inform | Level::Warn) {
                let remedy = "there is no value to go on with; choose retry, hold or stop";
                return Err(Error::Level { level: level.to_string(), fault, remedy });
            }
        }
        let of_the_run = [("convergence", self.convergence), ("accuracy", self.accuracy), ("overrun", self.overrun)];
        for (fault, level) in of_the_run {
            if matches!(level, Level::Retry { .. } | Level::Hold) {
                let remedy = "it concerns no single partner; choose inform, warn or stop";
                return Err(Error::Level { level: level.to_string(), fault, remedy });
            }
        }
        Ok(())
    }

    /// Whether a partner may have to return to its last state.
    pub(super) fn needs_saved_states(&self) -> bool {
        let levels = [self.communication, self.sampling, self.time, self.time_limit];
        levels.iter().any(|level| matches!(level, Level::Retry { .. } | Level::Hold))
    }
}

fn without_retries(level: Level) -> Level {
    match level {
        Level::Retry { then: Fallback::Hold, .. } | Level::Hold => Level::Hold,
        _ => Level::Stop,
    }
}

/// A fault with its handling, as the application layer gets it.
#[derive(Debug, Clone, PartialEq)]
pub struct Report<'a> {
    /// What went wrong.
    pub fault: &'a Fault,
    /// How serious it is taken.
    pub level: Level,
    /// What is done.
    pub handling: Handling,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_that_cannot_handle_their_class_are_refused() {
        assert!(FaultPolicy::default().validate().is_ok());
        let refused = [
            FaultPolicy { sampling: Level::Inform, ..FaultPolicy::default() },
            FaultPolicy { time: Level::Warn, ..FaultPolicy::default() },
            FaultPolicy { convergence: Level::Hold, ..FaultPolicy::default() },
            FaultPolicy { overrun: Level::Retry { attempts: 1, then: Fallback::Stop }, ..FaultPolicy::default() },
        ];
        for policy in refused {
            assert!(matches!(policy.validate(), Err(Error::Level { .. })), "{policy:?}");
        }
    }
}
