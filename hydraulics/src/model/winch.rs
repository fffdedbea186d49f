//! A winch.

use super::actuator::Friction;
use super::defaults::{one, zero};
use super::efficiency::Efficiency;
use fourbar_expression::Expression;
use serde::{Deserialize, Serialize};

/// A winch: a motor that turns a drum of the radius r by a gear of the ratio i, and the length of rope that is off the drum.
///
/// Oil from A to B hauls the rope in. With v the rate of its length, the motor turns at n = -i v/r and pulls at the rope with the force i T/r, T its torque: q = D n + c dp,
/// T = D dp - f(n). Without a [`Drum`] v is the input `NAME.velocity` [m/s] and the pull is the output `NAME.tension` \[N\]; with one the
/// length is an unknown, `NAME.length`, which drives a rope elsewhere. One layer of rope: r stays. A negative pull means that the rope is slack.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Winch {
    /// Name.
    pub name: String,
    /// Node A.
    pub a: String,
    /// Node B.
    pub b: String,
    /// Displacement D of the motor [m^3/rad].
    pub displacement: Expression,
    /// Leakage c of the motor [m^3/(s Pa)]. Default 0.
    #[serde(default = "zero")]
    pub leakage: Expression,
    /// Friction torque over the speed of the motor.
    #[serde(default)]
    pub friction: Friction,
    /// Efficiencies of the motor; none if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub efficiency: Option<Efficiency>,
    /// Turns i of the motor per turn of the drum. Default 1.
    #[serde(default = "one")]
    pub gear: Expression,
    /// Radius r of the drum up to the middle of the rope \[m\].
    pub radius: Expression,
    /// Rope off the drum at the start \[m\]. Default 0.
    #[serde(default = "zero")]
    pub length: Expression,
    /// Its rate at the start [m/s]. Default 0.
    #[serde(default = "zero")]
    pub velocity: Expression,
    /// What turns; if absent, the rope is moved from outside.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drum: Option<Drum>,
}

/// J v'/r = r tension - i T.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Drum {
    /// Moment of inertia J of drum, gear and motor about the axis of the drum [kg m^2]: that of the motor counts i^2 times.
    pub inertia: Expression,
    /// Tension of the rope, which draws it off the drum, a signal \[N\]. Default 0.
    #[serde(default = "zero")]
    pub tension: Expression,
}
