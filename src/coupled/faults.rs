//! How serious faults are taken, as people write it.

use fourbar_coupling::management::Fallback;
use fourbar_coupling::{FaultPolicy, Level};
use fourbar_multibody::{Location, ModelError};
use serde::{Deserialize, Serialize};

/// The level of each class of faults.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct FaultSettings {
    /// A simulator reports an error: `retry`, `hold` or `stop`, which it is if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub communication: Option<LevelName>,
    /// A value is not a number: likewise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sampling: Option<LevelName>,
    /// A simulator is at another time than the clock: likewise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time: Option<LevelName>,
    /// A simulator does not answer within its `time_limit`: likewise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_limit: Option<LevelName>,
    /// An iteration did not converge: `inform`, `warn` or `stop`; `warn` if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub convergence: Option<LevelName>,
    /// The tolerance is missed at the shortest step, an oscillation grows by the coupling, or the error of the whole run is estimated above 1 %:
    /// `inform`, `warn` or `stop`; `warn` if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub accuracy: Option<LevelName>,
    /// The run is behind the wall clock: `inform`, `warn` or `stop`; `inform` if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub overrun: Option<LevelName>,
    /// How often `retry` asks again, at least once; 3 times if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attempts: Option<u32>,
    /// What follows when `retry` was in vain: `hold` or `stop`, which it is if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after_retries: Option<LevelName>,
}

/// How serious a fault is taken, and what is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum LevelName {
    /// It is reported.
    Inform,
    /// It is reported as a warning and counted.
    Warn,
    /// The simulator returns to its last state and is asked again.
    Retry,
    /// The last good values stand in until there are good ones again.
    Hold,
    /// The run ends; what was recorded stays.
    Stop,
}

fn field(name: &str) -> Location {
    Location { section: "faults", index: 0, name: String::new(), field: name.to_owned() }
}

impl FaultSettings {
    /// The policy of the master.
    pub(crate) fn policy(&self) -> Result<FaultPolicy, Box<ModelError>> {
        let then = match self.after_retries {
            None | Some(LevelName::Stop) => Fallback::Stop,
            Some(LevelName::Hold) => Fallback::Hold,
            Some(_) => {
                let problem = "no such end of retries";
                return Err(ModelError::new(field("after_retries"), problem, "it must be \"hold\" or \"stop\""));
            }
        };
        let attempts = self.attempts.unwrap_or(3);
        if attempts == 0 {
            return Err(ModelError::new(field("attempts"), "the value is 0", "it must be at least 1"));
        }
        let level = |name: LevelName| match name {
            LevelName::Inform => Level::Inform,
            LevelName::Warn => Level::Warn,
            LevelName::Retry => Level::Retry { attempts, then },
            LevelName::Hold => Level::Hold,
            LevelName::Stop => Level::Stop,
        };
        let of_a_partner = |name: &str, setting: Option<LevelName>, default: Level| match setting {
            Some(LevelName::Inform | LevelName::Warn) => {
                let remedy = "there would be no value to go on with: it must be \"retry\", \"hold\" or \"stop\"";
                Err(ModelError::new(field(name), "the level is too low", remedy))
            }
            setting => Ok(setting.map_or(default, level)),
        };
        let of_the_run = |name: &str, setting: Option<LevelName>, default: Level| match setting {
            Some(LevelName::Retry | LevelName::Hold) => {
                let remedy = "the fault is of no single simulator: it must be \"inform\", \"warn\" or \"stop\"";
                Err(ModelError::new(field(name), "there is nobody to ask again", remedy))
            }
            setting => Ok(setting.map_or(default, level)),
        };
        let default = FaultPolicy::default();
        Ok(FaultPolicy {
            communication: of_a_partner("communication", self.communication, default.communication)?,
            sampling: of_a_partner("sampling", self.sampling, default.sampling)?,
            time: of_a_partner("time", self.time, default.time)?,
            time_limit: of_a_partner("time_limit", self.time_limit, default.time_limit)?,
            convergence: of_the_run("convergence", self.convergence, default.convergence)?,
            accuracy: of_the_run("accuracy", self.accuracy, default.accuracy)?,
            overrun: of_the_run("overrun", self.overrun, default.overrun)?,
        })
    }
}
