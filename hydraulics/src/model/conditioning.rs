//! Filters and coolers.

use super::defaults::{one, sharp_edge, zero};
use fourbar_expression::Expression;
use serde::{Deserialize, Serialize};

/// A filter: q = (1 - clogging) dp flow/drop through its element (Darcy), and beside it what its bypass valve lets past.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Filter {
    /// Name.
    pub name: String,
    /// Node at the inlet.
    pub from: String,
    /// Node at the outlet.
    pub to: String,
    /// Nominal flow [m^3/s].
    pub flow: Expression,
    /// Pressure difference of the clean element at the nominal flow \[Pa\].
    pub drop: Expression,
    /// Share of the element that is clogged, a signal; it counts as 0 below 0 and as 1 above 1. Default 0.
    #[serde(default = "zero")]
    pub clogging: Expression,
    /// A check valve past the element; none if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bypass: Option<Bypass>,
}

/// The bypass valve of a filter: an orifice that opens by a cubic blend.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Bypass {
    /// Pressure difference at which it begins to open \[Pa\].
    pub cracking: Expression,
    /// Further pressure difference until it is open \[Pa\]. Default 1e5.
    #[serde(default = "super::defaults::laminar")]
    pub band: Expression,
    /// Area when open [m^2].
    pub area: Expression,
    /// Discharge coefficient. Default 0.62.
    #[serde(default = "sharp_edge")]
    pub discharge: Expression,
    /// dpl of the orifice law \[Pa\]. Default 1e5.
    #[serde(default = "super::defaults::laminar")]
    pub laminar_below: Expression,
}

/// A cooler: q = flow f(dp)/f(drop), f(d) = d/(d^2 + dpl^2)^(1/4), and the heat that it takes from the oil, eps rho c |q| (T_oil - T_coolant)
/// (effectiveness eps, Incropera and DeWitt, *Fundamentals of Heat and Mass Transfer*, 2002, with the oil as the stream of less capacity).
///
/// A circuit is isothermal: the temperatures are given, and heat changes neither them nor the viscosity. What a circuit turns to heat is, at
/// rest, the power of its pumps less that of its motors and cylinders.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Cooler {
    /// Name.
    pub name: String,
    /// Node at the inlet.
    pub from: String,
    /// Node at the outlet.
    pub to: String,
    /// Nominal flow [m^3/s].
    pub flow: Expression,
    /// Pressure difference at the nominal flow \[Pa\].
    pub drop: Expression,
    /// dpl, below which the flow turns laminar \[Pa\]. Default 1e4.
    #[serde(default = "cooler_laminar")]
    pub laminar_below: Expression,
    /// eps, from 0 to 1. Default 1.
    #[serde(default = "one")]
    pub effectiveness: Expression,
    /// Heat capacity c of the oil [J/(kg K)]. Default 1900.
    #[serde(default = "oil_capacity")]
    pub heat_capacity: Expression,
    /// Temperature of the oil that comes in, a signal, in degrees Celsius or Kelvin as `coolant_temperature` is. Default 50.
    #[serde(default = "warm")]
    pub oil_temperature: Expression,
    /// Temperature of the coolant that comes in, a signal. Default 20.
    #[serde(default = "cold")]
    pub coolant_temperature: Expression,
}

fn cooler_laminar() -> Expression {
    1e4.into()
}

fn oil_capacity() -> Expression {
    1900.0.into()
}

fn warm() -> Expression {
    50.0.into()
}

fn cold() -> Expression {
    20.0.into()
}
