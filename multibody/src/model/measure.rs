//! Results by name.

use super::MarkerRef;
use crate::expression::Expression;
use serde::{Deserialize, Serialize};

/// A named result. A vector without a chosen component gives three, named `name.x`, `name.y`, `name.z`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Measure {
    /// Name, unique among measures.
    pub name: String,
    /// What is measured.
    #[serde(flatten)]
    pub kind: MeasureKind,
}

/// What is measured.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "snake_case")]
#[non_exhaustive]
pub enum MeasureKind {
    /// Vector from the origin of J to the origin of I \[m\].
    Position(VectorMeasure),
    /// Velocity of the origin of I against that of J, seen from the global frame [m/s].
    Velocity(VectorMeasure),
    /// Acceleration of the origin of I against that of J, seen from the global frame [m/s^2].
    Acceleration(VectorMeasure),
    /// Angular velocity of I against J [rad/s].
    AngularVelocity(VectorMeasure),
    /// Angular acceleration of I against J, seen from the global frame [rad/s^2].
    AngularAcceleration(VectorMeasure),
    /// Angle from x of J to x of I about z of J, full turns counted \[rad\].
    Angle(PairMeasure),
    /// Distance of the origins \[m\].
    Distance(PairMeasure),
    /// Rate of the distance of the origins, the line-of-sight velocity [m/s].
    DistanceRate(PairMeasure),
    /// Force or torque of a joint or motion on the body of its marker I [N, N m].
    Reaction(ReactionMeasure),
    /// Kinetic energy of all bodies \[J\].
    KineticEnergy(EnergyMeasure),
    /// Potential energy of gravity and springs \[J\].
    PotentialEnergy(EnergyMeasure),
    /// Sum of both \[J\].
    TotalEnergy(EnergyMeasure),
    /// An expression of `time` and other measures.
    Expression(ExpressionMeasure),
}

/// A vector between two markers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct VectorMeasure {
    /// Marker I.
    pub i: MarkerRef,
    /// Marker J; the global frame if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub j: Option<MarkerRef>,
    /// Marker in whose axes the components are written; the global frame if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub frame: Option<MarkerRef>,
    /// The one component wanted; all three if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub component: Option<Component>,
}

/// A scalar between two markers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct PairMeasure {
    /// Marker I.
    pub i: MarkerRef,
    /// Marker J; the global frame if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub j: Option<MarkerRef>,
}

/// A reaction. Exactly one of `joint` and `motion` is given.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ReactionMeasure {
    /// Joint; its motions are not included.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub joint: Option<String>,
    /// Motion.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub motion: Option<String>,
    /// Force, or torque about the origin of marker I.
    pub quantity: Quantity,
    /// Marker in whose axes the components are written; the global frame if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub frame: Option<MarkerRef>,
    /// The one component wanted; all three if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub component: Option<Component>,
}

/// No further data.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct EnergyMeasure {}

/// An expression of `time` and other measures.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ExpressionMeasure {
    /// The expression.
    pub expression: Expression,
    /// Unit for tables and axes.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub unit: String,
}

/// Component of a vector.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Component {
    /// First.
    X,
    /// Second.
    Y,
    /// Third.
    Z,
    /// Length of the vector.
    Magnitude,
}

/// Part of a wrench.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Quantity {
    /// Force \[N\].
    Force,
    /// Torque \[N m\].
    Torque,
}
