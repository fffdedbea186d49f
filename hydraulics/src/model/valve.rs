//! Orifices and valves.

use super::defaults::{laminar, one, sharp_edge, zero};
use fourbar_expression::Expression;
use serde::{Deserialize, Serialize};

/// Q = Cd A sqrt(2/rho) dp / (dp^2 + dpl^2)^(1/4): turbulent, laminar below dpl.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Orifice {
    /// Name.
    pub name: String,
    /// Node at one end.
    pub from: String,
    /// Node at the other end.
    pub to: String,
    /// Area [m^2].
    pub area: Expression,
    /// Share of the area that is open, a signal; below 0 it counts as 0. Default 1.
    #[serde(default = "one")]
    pub opening: Expression,
    /// Discharge coefficient Cd. Default 0.62.
    #[serde(default = "sharp_edge")]
    pub discharge: Expression,
    /// dpl \[Pa\]. Default 1e5.
    #[serde(default = "laminar")]
    pub laminar_below: Expression,
}

/// A check valve from `from` to `to`: closed below the cracking pressure, then the opening rises to 1 by a cubic blend.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct CheckValve {
    /// Name.
    pub name: String,
    /// Node at the inlet.
    pub from: String,
    /// Node at the outlet.
    pub to: String,
    /// Area when open [m^2].
    pub area: Expression,
    /// Pressure difference at which it begins to open \[Pa\]. Default 0.
    #[serde(default = "zero")]
    pub cracking: Expression,
    /// Further pressure difference until it is open \[Pa\]. Default 1e5.
    #[serde(default = "laminar")]
    pub band: Expression,
    /// Share of the area that leaks when closed. Default 1e-6.
    #[serde(default = "seat_leak")]
    pub leak: Expression,
    /// Discharge coefficient. Default 0.62.
    #[serde(default = "sharp_edge")]
    pub discharge: Expression,
    /// dpl of the orifice law \[Pa\]. Default 1e5.
    #[serde(default = "laminar")]
    pub laminar_below: Expression,
}

/// Which pressure opens a relief valve.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Sense {
    /// The difference between inlet and outlet.
    #[default]
    Difference,
    /// The inlet alone: the spring chamber is vented.
    Inlet,
}

/// q = k s (d + sqrt(d^2 + w^2))/2 from `from` to `to`, with d the excess over the set pressure. Nothing flows uphill: s = 3 z^2 - 2 z^3 with
/// z = dp/min(w, set pressure) between 0 and 1, 0 where the pressure does not fall from `from` to `to`, and exactly 1 from z = 1 on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ReliefValve {
    /// Name.
    pub name: String,
    /// Node at the inlet.
    pub from: String,
    /// Node at the outlet.
    pub to: String,
    /// Set pressure \[Pa\].
    pub pressure: Expression,
    /// Slope k of its characteristic [m^3/(s Pa)].
    pub slope: Expression,
    /// Width w over which it opens \[Pa\]. Default 5e4.
    #[serde(default = "relief_band")]
    pub band: Expression,
    /// Which pressure opens it.
    #[serde(default)]
    pub sense: Sense,
}

/// A pressure-reducing valve: an orifice that closes by a cubic blend as the pressure at its outlet rises from `pressure - band` to `pressure`. With a `drain`
/// (three ports) another one opens from the outlet to it as the pressure rises on to `pressure + band`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ReducingValve {
    /// Name.
    pub name: String,
    /// Node at the inlet.
    pub from: String,
    /// Node whose pressure is kept down.
    pub to: String,
    /// Node to which it relieves the outlet; none if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drain: Option<String>,
    /// Pressure at which it is closed \[Pa\].
    pub pressure: Expression,
    /// Pressure range over which it closes \[Pa\].
    pub band: Expression,
    /// Area when open [m^2].
    pub area: Expression,
    /// Share of the area that leaks when closed. Default 1e-6.
    #[serde(default = "seat_leak")]
    pub leak: Expression,
    /// Discharge coefficient. Default 0.62.
    #[serde(default = "sharp_edge")]
    pub discharge: Expression,
    /// dpl of the orifice law \[Pa\]. Default 1e5.
    #[serde(default = "laminar")]
    pub laminar_below: Expression,
}

/// Which edges of a spool valve are open at the centre.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Center {
    /// None.
    #[default]
    Closed,
    /// All four.
    Open,
    /// A and B to the tank.
    Float,
    /// Supply to tank, past A and B.
    Tandem,
}

/// A spool valve of four edges: s'' = w^2 (u - s) - 2 zeta w s', openings o(s - overlap) of supply-A and B-tank, o(-s - overlap) of
/// supply-B and A-tank, with o(z) = (z + sqrt(z^2 + eps^2))/2, and the orifice law at each edge.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SpoolValve {
    /// Name.
    pub name: String,
    /// Node of the supply.
    pub supply: String,
    /// Node of the tank.
    pub tank: String,
    /// Node A.
    pub a: String,
    /// Node B.
    pub b: String,
    /// Command u, a signal; 1 opens fully from supply to A.
    pub command: Expression,
    /// Largest magnitude that the command has effect with; none if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<Expression>,
    /// Natural frequency of the spool [rad/s].
    pub frequency: Expression,
    /// Its damping ratio.
    pub damping: Expression,
    /// Area of an edge at the opening 1 [m^2].
    pub area: Expression,
    /// Spool travel before an edge opens, as a share of the full one; negative for an underlap. Default 0.
    #[serde(default = "zero")]
    pub overlap: Expression,
    /// Which edges are open at the centre, by `center_opening`.
    #[serde(default)]
    pub center: Center,
    /// Opening at the centre of the edges that are open there. Default 0.1.
    #[serde(default = "center_opening")]
    pub center_opening: Expression,
    /// eps: rounds the edges, and is twice the opening through which they leak at the centre. Default 0.01.
    #[serde(default = "null_leakage")]
    pub null_leakage: Expression,
    /// Discharge coefficient. Default 0.62.
    #[serde(default = "sharp_edge")]
    pub discharge: Expression,
    /// dpl of the orifice law \[Pa\]. Default 1e5.
    #[serde(default = "laminar")]
    pub laminar_below: Expression,
}

pub(super) fn seat_leak() -> Expression {
    1e-6.into()
}

fn relief_band() -> Expression {
    5e4.into()
}

fn center_opening() -> Expression {
    0.1.into()
}

fn null_leakage() -> Expression {
    0.01.into()
}
