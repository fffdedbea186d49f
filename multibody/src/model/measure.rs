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
    /// Velocity of the origin of I against that of J [m/s].
    Velocity(VectorMeasure),
    /// Acceleration of the origin of I against that of J [m/s^2].
    Acceleration(VectorMeasure),
    /// Angular velocity of I against J [rad/s].
    AngularVelocity(VectorMeasure),
    /// Angular acceleration of I against J [rad/s^2].
    AngularAcceleration(VectorMeasure),
    /// Angle from x of J to x of I about z of J, full turns counted \[rad\].
    Angle(PairMeasure),
    /// Angles of I about x, y and z of J, the others taken for small, full turns counted: `name.x`, `name.y`, `name.z` \[rad\].
    AxisAngles(PairMeasure),
    /// Euler angles 3-1-3 that turn J into I: `name.psi`, `name.theta`, `name.phi`; theta from 0 to pi, the others within pi \[rad\].
    EulerAngles(PairMeasure),
    /// Angles 3-2-1 that turn J into I, the second with the opposite sign: `name.yaw`, `name.pitch`, `name.roll` \[rad\].
    YawPitchRoll(PairMeasure),
    /// Unit quaternion that turns J into I, without jumps of its sign: `name.e0` (scalar) to `name.e3`.
    Quaternion(PairMeasure),
    /// Distance of the origins \[m\].
    Distance(PairMeasure),
    /// Rate of the distance of the origins, the line-of-sight velocity [m/s].
    DistanceRate(PairMeasure),
    /// Force or torque of a joint, motion or force on the body of its marker I [N, N m].
    Reaction(ReactionMeasure),
    /// Kinetic energy of all bodies or of one \[J\].
    KineticEnergy(EnergyMeasure),
    /// Potential energy of gravity and springs; of one body that of gravity, zero at the global origin \[J\].
    PotentialEnergy(EnergyMeasure),
    /// Sum of both \[J\].
    TotalEnergy(EnergyMeasure),
    /// Mass times velocity of a body's centre of mass \[N s\].
    Momentum(MomentumMeasure),
    /// Angular momentum of a body about its centre of mass \[N m s\].
    AngularMomentum(MomentumMeasure),
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
    /// Of velocities and accelerations: the marker from which they are seen, in whose frame the vector is differentiated; the global frame
    /// if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seen_from: Option<MarkerRef>,
    /// The one component wanted; all three if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub component: Option<Component>,
}

/// Momentum of a body.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct MomentumMeasure {
    /// The body.
    pub body: String,
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

/// A reaction. Exactly one of `joint`, `motion`, `force`, `coupler`, `gear` and `rack_and_pinion` is given; of the last three, `joint` may be added.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ReactionMeasure {
    /// Joint; its motions and couplers are not included. With a coupler, gear or rack: at which of its joints, the first if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub joint: Option<String>,
    /// Motion.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub motion: Option<String>,
    /// Force element or actuator.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub force: Option<String>,
    /// Coupler.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coupler: Option<String>,
    /// Gear pair: the force of the teeth.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gear: Option<String>,
    /// Rack with pinion.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rack_and_pinion: Option<String>,
    /// Point on a curve: the force of the curve on it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub point_on_curve: Option<String>,
    /// Curves that touch: the force on the first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub curve_on_curve: Option<String>,
    /// Constraint by expression: what it does to the body of its marker `i`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub constraint: Option<String>,
    /// Force, or torque about the origin of marker I.
    pub quantity: Quantity,
    /// Marker in whose axes the components are written; the global frame if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub frame: Option<MarkerRef>,
    /// The one component wanted; all three if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub component: Option<Component>,
}

/// An energy.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct EnergyMeasure {
    /// The body; all of them if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<String>,
}

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
