//! Event-driven motion as data.

use crate::error::Error;
use crate::law::ImpactLaw;
use serde::{Deserialize, Serialize};

/// Event-driven motion: tolerance, law of impact, accumulation.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct EventDriven {
    /// Relative and absolute tolerance of the integrator.
    pub tolerance: f64,
    /// Law of impact.
    pub law: ImpactLaw,
    /// Closing speed below which a geometric sequence of impacts is passed in closed form [m/s, rad/s], 0 to follow every impact; infinity
    /// for 1e-4 of the speed of the scene, or of the fastest impact of the contact.
    pub accumulation_speed: f64,
    /// Gap up to which contacts are looked for \[m\]; infinity for pairs that always have one.
    pub reach: f64,
    /// Longest step \[s\].
    pub max_step: f64,
    /// Events in ten times the time of the scene after which it ends with [`Error::Accumulating`].
    pub events_max: usize,
    /// Mean length of 2000 steps and events in a row below which the motion ends with [`Error::Stalled`] \[s\], 0 to let it go on;
    /// infinity for 1e-8 of the time of the scene.
    pub pace_min: f64,
}

impl Default for EventDriven {
    fn default() -> Self {
        Self {
            tolerance: 1e-12,
            law: ImpactLaw::default(),
            accumulation_speed: f64::INFINITY,
            reach: f64::INFINITY,
            max_step: f64::INFINITY,
            events_max: 100_000,
            pace_min: f64::INFINITY,
        }
    }
}

impl EventDriven {
    /// Whether all options are within their ranges.
    pub(super) fn check(&self) -> Result<(), Error> {
        if !(self.reach > 0.0) {
            let remedy = "give a positive length, or infinity";
            return Err(Error::Option { name: "reach", value: self.reach, remedy });
        }
        if !(self.accumulation_speed >= 0.0) {
            let remedy = "give a speed, 0 to follow every impact";
            return Err(Error::Option { name: "accumulation_speed", value: self.accumulation_speed, remedy });
        }
        if !(self.pace_min >= 0.0) {
            let remedy = "give a time, 0 to go on however short steps are";
            return Err(Error::Option { name: "pace_min", value: self.pace_min, remedy });
        }
        Ok(())
    }
}
