//! Drives whose size comes from outside.

use super::MarkerRef;
use crate::expression::Expression;
use serde::{Deserialize, Serialize};

/// What a drive does between its markers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ActuatorKind {
    /// A force along the line between the origins, pushing them apart where positive.
    #[default]
    Force,
    /// A torque on I about z of J.
    Torque,
}

/// A drive between two markers, a cylinder or a motor say, whose force or torque another program sets while the mechanism runs. It brings
/// an input `name.force` \[N\] and the measures `name.displacement` \[m\], the distance of the origins, and `name.velocity` [m/s], its rate;
/// of the kind torque an input `name.torque` \[N m\] and the measures `name.angle` \[rad\] and `name.rate` [rad/s] of I against J about z of J.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Actuator {
    /// Name, unique among actuators.
    pub name: String,
    /// Force or torque.
    #[serde(rename = "type", default)]
    pub kind: ActuatorKind,
    /// Marker that a positive force pushes away from J, or that a positive torque turns ahead of it.
    pub i: MarkerRef,
    /// The other marker.
    pub j: MarkerRef,
    /// Force or torque at the start [N, N m].
    #[serde(default = "none")]
    pub start: Expression,
    /// Motion that prescribes what the actuator is to drive: it is not in force.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replaces: Option<String>,
}

fn none() -> Expression {
    Expression::constant(0.0)
}

impl Actuator {
    /// Name of its input.
    #[must_use]
    pub fn input(&self) -> String {
        self.part(match self.kind {
            ActuatorKind::Force => "force",
            ActuatorKind::Torque => "torque",
        })
    }

    /// Names of its measures: coordinate and rate.
    #[must_use]
    pub fn outputs(&self) -> [String; 2] {
        match self.kind {
            ActuatorKind::Force => ["displacement", "velocity"],
            ActuatorKind::Torque => ["angle", "rate"],
        }
        .map(|part| self.part(part))
    }

    fn part(&self, part: &str) -> String {
        format!("{}.{part}", self.name)
    }
}
