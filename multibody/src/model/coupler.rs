//! Relations of joint coordinates: couplers, gears, racks with pinions.

use super::{Direction, MarkerRef};
use crate::expression::Expression;
use serde::{Deserialize, Serialize};

/// A linear relation of the coordinates of two or three joints: the sum of `ratio` times coordinate stays what it is at the start. Full turns count.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Coupler {
    /// Name, unique among couplers.
    pub name: String,
    /// The two or three coordinates.
    pub joints: Vec<CoupledJoint>,
}

/// A joint coordinate in a coupler.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct CoupledJoint {
    /// Joint: revolute, prismatic or cylindrical.
    pub joint: String,
    /// Its coordinate; needed for cylindrical joints only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub direction: Option<Direction>,
    /// What the coordinate [rad, m] is multiplied by in the sum.
    pub ratio: Expression,
}

/// Two gears on one carrier: at the origin of the common-velocity marker both have the same velocity along its z axis.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Gear {
    /// Name, unique among gears.
    pub name: String,
    /// The joints of the two gears with the carrier: revolute, prismatic or cylindrical.
    pub joints: [String; 2],
    /// Marker on the carrier: its origin is the pitch point, its z axis the common direction of the teeth.
    pub common_velocity: MarkerRef,
}

/// A pinion that rolls on a rack: the rack's displacement is the pitch radius times the pinion's angle, from the start on. Full turns count.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct RackAndPinion {
    /// Name, unique among racks.
    pub name: String,
    /// Joint of the pinion: revolute or cylindrical.
    pub pinion: String,
    /// Joint of the rack: prismatic or cylindrical.
    pub rack: String,
    /// Pitch radius of the pinion \[m\]; negative if the rack moves the other way.
    pub pitch_radius: Expression,
}
