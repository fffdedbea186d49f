//! Valves with a pilot or a pressure compensator.

use super::defaults::{laminar, sharp_edge, zero};
use super::valve::Sense;
use fourbar_expression::Expression;
use serde::{Deserialize, Serialize};

/// A counterbalance valve (over-centre valve): holds the load at `from` until its pressure and that of the pilot open it towards `to`; backwards it is a check
/// valve.
///
/// Its opening rises by a cubic blend from 0 to 1 while e rises from 0 to `band`: e = p_from + r p_pilot - (1 + r) p_to - set pressure, or with the
/// spring chamber vented (`sense = "inlet"`) e = p_from + r p_pilot - set pressure. The orifice law gives the flow (Chapple, *Principles of Hydraulic
/// Systems Design*, 2015). The pilot takes no oil.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct CounterbalanceValve {
    /// Name.
    pub name: String,
    /// Node of the load.
    pub from: String,
    /// Node towards which the load is lowered.
    pub to: String,
    /// Node of the pilot line.
    pub pilot: String,
    /// Set pressure \[Pa\].
    pub pressure: Expression,
    /// Pilot ratio r. Default 3.
    #[serde(default = "pilot_ratio")]
    pub ratio: Expression,
    /// Pressure range over which it opens \[Pa\]. Default 1e6.
    #[serde(default = "counterbalance_band")]
    pub band: Expression,
    /// Area when open [m^2].
    pub area: Expression,
    /// Which pressures act on it: `difference` if that at `to` does too.
    #[serde(default)]
    pub sense: Sense,
    /// Pressure difference from `to` to `from` at which its check valve begins to open \[Pa\]; it is open 1e5 Pa above. Default 0.
    #[serde(default = "zero")]
    pub cracking: Expression,
    /// Share of the area that leaks when closed. Default 1e-6.
    #[serde(default = "super::valve::seat_leak")]
    pub leak: Expression,
    /// Discharge coefficient. Default 0.62.
    #[serde(default = "sharp_edge")]
    pub discharge: Expression,
    /// dpl of the orifice law \[Pa\]. Default 1e5.
    #[serde(default = "laminar")]
    pub laminar_below: Expression,
}

/// A pilot-operated check valve: a check valve from `from` to `to` that the pressure of a pilot opens backwards as well.
///
/// With dp = p_from - p_to it is opened by cubic blends over `band`, as a check valve while dp - cracking rises from 0, and by its pilot while
/// r (p_pilot - p_from) + dp - cracking does: the pilot's piston has r times the area of the seat, and `from` behind it. The orifice law gives the flow. The
/// pilot takes no oil.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct PilotOperatedCheckValve {
    /// Name.
    pub name: String,
    /// Node at the inlet.
    pub from: String,
    /// Node at the outlet, that of the load.
    pub to: String,
    /// Node of the pilot line.
    pub pilot: String,
    /// Pilot ratio r. Default 3.
    #[serde(default = "pilot_ratio")]
    pub ratio: Expression,
    /// Area when open [m^2].
    pub area: Expression,
    /// Pressure difference at which it begins to open \[Pa\]. Default 0.
    #[serde(default = "zero")]
    pub cracking: Expression,
    /// Further pressure difference until it is open \[Pa\]. Default 1e5.
    #[serde(default = "laminar")]
    pub band: Expression,
    /// Share of the area that leaks when closed. Default 1e-6.
    #[serde(default = "super::valve::seat_leak")]
    pub leak: Expression,
    /// Discharge coefficient. Default 0.62.
    #[serde(default = "sharp_edge")]
    pub discharge: Expression,
    /// dpl of the orifice law \[Pa\]. Default 1e5.
    #[serde(default = "laminar")]
    pub laminar_below: Expression,
}

/// A pressure-compensated flow-control valve of two ports: above the pressure difference pc it passes the flow that is set, below it is an orifice.
///
/// Q = Q_set f(d)/f(pc) with f(d) = d/(d^2 + dpl^2)^(1/4) and d the pressure difference that its compensator leaves over the metering edge: dp up to
/// 0.8 pc, exactly pc from 1.2 pc on, a parabola between (Merritt, *Hydraulic Control Systems*, 1967). Backwards the compensator is open, and d = dp.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct FlowControlValve {
    /// Name.
    pub name: String,
    /// Node at the inlet.
    pub from: String,
    /// Node at the outlet.
    pub to: String,
    /// Flow that is set, a signal; below 0 it counts as 0 [m^3/s].
    pub flow: Expression,
    /// pc \[Pa\]. Default 5e5.
    #[serde(default = "compensation")]
    pub compensation: Expression,
    /// dpl of the orifice law \[Pa\]. Default 1e5.
    #[serde(default = "laminar")]
    pub laminar_below: Expression,
}

fn pilot_ratio() -> Expression {
    3.0.into()
}

fn counterbalance_band() -> Expression {
    1e6.into()
}

fn compensation() -> Expression {
    5e5.into()
}
