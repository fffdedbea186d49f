//! How the contacts of a mechanism are followed in time.

use fourbar_contact::law::Restitution;
use fourbar_multibody::expression::Expression;
use serde::{Deserialize, Serialize};

/// How contacts are followed unless the caller says otherwise.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct ContactSettings {
    /// Method; `event` if absent, `gap_lcp` for a model in which shapes touch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub method: Option<ContactMethod>,
    /// Step of methods with fixed steps \[s\]; if absent the longest whole part of the output step up to that of the scene.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<Expression>,
    /// For `moreau_jean`: weight of the velocity after the step in the displacement, 1/2 to 1; 1/2 if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub theta: Option<Expression>,
    /// For methods with fixed steps: how positions and velocities are put back on their constraints.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub projection: Option<ProjectionSettings>,
    /// For `event`: what coefficients of restitution mean; `newton` if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub restitution: Option<Restitution>,
    /// For `event`: how several contacts take part in one impact; `simultaneous` if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub impacts: Option<Impacts>,
    /// For `event`: closing speed below which a geometric sequence of impacts is passed in closed form [m/s]; if absent 1e-4 of the speed of the scene, or of the fastest impact of the contact.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub accumulation_speed: Option<Expression>,
    /// For `event`: events in ten times the time of the scene after which it ends with an error; 100000 if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub events_max: Option<u32>,
    /// For `event`: mean length of 2000 steps and events in a row below which the motion ends with an error \[s\], 0 to let it go on; 1e-8 of the time of the scene if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pace_min: Option<Expression>,
    /// Gap up to which contacts are looked for \[m\]; everywhere for `event` if absent, else as far as bodies travel in two steps.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reach: Option<Expression>,
}

/// How contacts are followed in time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ContactMethod {
    /// Smooth between events, which are located in time: for few contacts, accurate.
    Event,
    /// Fixed steps with gaps linearized over the step: for many contacts.
    GapLcp,
    /// Fixed steps with impacts on velocity level.
    MoreauJean,
    /// Fixed steps with positions and velocities both satisfied.
    Ggl,
}

impl ContactMethod {
    /// All of them with their names in files and on the command line.
    pub const NAMES: [(&'static str, Self); 4] =
        [("event", Self::Event), ("gap_lcp", Self::GapLcp), ("moreau_jean", Self::MoreauJean), ("ggl", Self::Ggl)];

    /// Its name in files.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::NAMES.iter().find(|(_, method)| *method == self).map_or("", |(name, _)| name)
    }

    /// The method of that name, upper and lower case alike.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::NAMES.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, method)| *method)
    }
}

/// How several contacts take part in one impact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Impacts {
    /// All at once.
    Simultaneous,
    /// One after the other, the fastest closing contact first, as in Newton's cradle.
    Sequential,
}

/// How positions and velocities are put back on their constraints at the end of a step.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct ProjectionSettings {
    /// Most iterations on positions; 10 if absent, 0 for none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub iterations: Option<u16>,
    /// Whether velocities are projected; true if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub velocities: Option<bool>,
    /// Violation that is left alone [m, rad]; 1e-14 of the length of the scene and 1e-14 rad if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tolerance: Option<Expression>,
    /// Whether to go to the closest point in the mass norm rather than to one near it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exact: Option<bool>,
}
