//! What of a contact is measured.

use serde::{Deserialize, Serialize};

/// A measured number of a contact: of its feature nearest to touching for gaps and speeds, of all its features together for forces.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ContactMeasure {
    /// Name, unique among measures.
    pub name: String,
    /// Name of the contact.
    pub contact: String,
    /// What is measured of it.
    pub quantity: ContactQuantity,
}

/// What is measured of a contact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ContactQuantity {
    /// Gap, negative for a penetration [m, rad].
    Gap,
    /// Speed with which the gap closes, negative if it opens [m/s, rad/s].
    ClosingSpeed,
    /// Normal force \[N\]; with fixed steps the normal impulse of the last step over its length.
    NormalForce,
    /// Size of the sliding friction \[N\], of several features the sum of the sizes; with fixed steps as for the normal force.
    FrictionForce,
    /// Normal impulse since the output before [N s]: impacts, and forces over time.
    NormalImpulse,
}

impl ContactQuantity {
    /// Its unit.
    #[must_use]
    pub fn unit(self) -> &'static str {
        match self {
            Self::Gap => "m",
            Self::ClosingSpeed => "m/s",
            Self::NormalForce | Self::FrictionForce => "N",
            Self::NormalImpulse => "N s",
        }
    }
}
