//! Cylinders and motors.

use super::defaults::zero;
use super::efficiency::Efficiency;
use fourbar_expression::Expression;
use serde::{Deserialize, Serialize};

/// A cylinder: position x and velocity v in, force out.
///
/// F = A_a p_a - A_b p_b - f(v) + stops, with the chambers `dead_a` + A_a x and `dead_b` + A_b (stroke - x). A single-acting one has no chamber at B:
/// `b`, `area_b` and `dead_b` are absent, and a load or spring brings it back. What the atmosphere does to the rod is left to the load. Without a
/// [`Load`] x and v are inputs, `NAME.position` and `NAME.velocity`; with one they are unknowns of these names.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "HydraulicCylinder"))]
#[serde(deny_unknown_fields)]
pub struct Cylinder {
    /// Name.
    pub name: String,
    /// Node of the chamber that pushes the rod out.
    pub a: String,
    /// Node of the other chamber; absent if the cylinder is single-acting.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub b: Option<String>,
    /// Piston area at A [m^2].
    pub area_a: Expression,
    /// Piston area at B [m^2].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub area_b: Option<Expression>,
    /// Stroke \[m\].
    pub stroke: Expression,
    /// Volume at A with the rod in [m^3].
    pub dead_a: Expression,
    /// Volume at B with the rod out [m^3].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dead_b: Option<Expression>,
    /// Leakage past the piston [m^3/(s Pa)]. Default 0.
    #[serde(default = "zero")]
    pub leakage: Expression,
    /// Friction of the seals.
    #[serde(default)]
    pub friction: Friction,
    /// Elastic stops at 0 and at the stroke; none if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stops: Option<Stops>,
    /// Position at the start \[m\]. Default 0.
    #[serde(default = "zero")]
    pub position: Expression,
    /// Velocity at the start [m/s]. Default 0.
    #[serde(default = "zero")]
    pub velocity: Expression,
    /// A mass on the rod; if absent, the rod is moved from outside.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub load: Option<Load>,
}

/// f(v) = (Fc + (Fs - Fc) exp(-(v/vst)^2)) tanh(v/v0) + d v: Coulomb, Stribeck and viscous friction.
///
/// Forces in N and velocities in m/s; at a motor torques in N m and speeds in rad/s.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Friction {
    /// Fc. Default 0.
    pub coulomb: Expression,
    /// Fs; Fc if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub breakaway: Option<Expression>,
    /// vst. Default 0.01.
    pub stribeck: Expression,
    /// v0, over which the sign is rounded. Default 0.001.
    pub rounding: Expression,
    /// d. Default 0.
    pub viscous: Expression,
}

impl Default for Friction {
    fn default() -> Self {
        Self { coulomb: zero(), breakaway: None, stribeck: 0.01.into(), rounding: 0.001.into(), viscous: zero() }
    }
}

/// Beyond an end, where the rod is deeper by d > 0, a force k d (1 + c d') pushes it back, but never draws it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Stops {
    /// Stiffness k [N/m].
    pub stiffness: Expression,
    /// Damping c \[s/m\]. Default 0.
    #[serde(default = "zero")]
    pub damping: Expression,
}

/// m v' = F - force: v counts out of the cylinder, F pushes the rod out, and a positive `force` pushes it in.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Load {
    /// Mass m \[kg\].
    pub mass: Expression,
    /// Force on the rod against v, into the cylinder, a signal \[N\]: a weight on a rod that points up is m g. Default 0.
    #[serde(default = "zero")]
    pub force: Expression,
}

/// A motor: q = D n + c (p_a - p_b) from A to B, torque D (p_a - p_b) - f(n).
///
/// Without a [`Shaft`] the speed n is the input `NAME.speed` [rad/s]; with one it is the unknown of this name.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Motor {
    /// Name.
    pub name: String,
    /// Node A.
    pub a: String,
    /// Node B.
    pub b: String,
    /// Displacement D [m^3/rad].
    pub displacement: Expression,
    /// Leakage c [m^3/(s Pa)]. Default 0.
    #[serde(default = "zero")]
    pub leakage: Expression,
    /// Friction torque over speed.
    #[serde(default)]
    pub friction: Friction,
    /// Efficiencies over speed and pressure, beside leakage and friction; none if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub efficiency: Option<Efficiency>,
    /// Speed at the start [rad/s]. Default 0.
    #[serde(default = "zero")]
    pub speed: Expression,
    /// What it turns; if absent, the shaft is moved from outside.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shaft: Option<Shaft>,
}

/// J n' = torque of the motor - torque: n counts as the motor turns when oil flows from A to B, and a positive `torque` brakes it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Shaft {
    /// Moment of inertia J [kg m^2].
    pub inertia: Expression,
    /// Torque on the shaft against n, a signal \[N m\]. Default 0.
    #[serde(default = "zero")]
    pub torque: Expression,
}
