//! Pumps, flow sources, accumulators, lines.

use super::defaults::{diatomic, laminar, one, sharp_edge, zero};
use super::efficiency::Efficiency;
use fourbar_expression::Expression;
use serde::{Deserialize, Serialize};

/// A flow that is given, whatever the pressures.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct FlowSource {
    /// Name.
    pub name: String,
    /// Node it takes from.
    pub from: String,
    /// Node it gives to.
    pub to: String,
    /// Flow, a signal [m^3/s].
    pub flow: Expression,
}

/// q = D n - c (p_to - p_from).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct FixedPump {
    /// Name.
    pub name: String,
    /// Node of the suction.
    pub from: String,
    /// Node of the outlet.
    pub to: String,
    /// Displacement D [m^3/rad].
    pub displacement: Expression,
    /// Speed n of the shaft, a signal [rad/s].
    pub speed: Expression,
    /// Leakage c [m^3/(s Pa)]. Default 0.
    #[serde(default = "zero")]
    pub leakage: Expression,
    /// Efficiencies over speed and pressure, beside the leakage; none if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub efficiency: Option<Efficiency>,
}

/// q = D s n - c (p_to - p_from), where the setting s follows tau s' = u - s; above `cutoff - band` at the outlet, u goes to 0 at
/// `cutoff` by a cubic blend.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct VariablePump {
    /// Name.
    pub name: String,
    /// Node of the suction.
    pub from: String,
    /// Node of the outlet.
    pub to: String,
    /// Displacement D at the setting 1 [m^3/rad].
    pub displacement: Expression,
    /// Speed n of the shaft, a signal [rad/s].
    pub speed: Expression,
    /// Setting wanted, a signal. Default 1.
    #[serde(default = "one")]
    pub setting: Expression,
    /// Time constant tau \[s\].
    pub time_constant: Expression,
    /// Outlet pressure at which it stops delivering \[Pa\]; none if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cutoff: Option<Expression>,
    /// Pressure range of the cut-off \[Pa\]. Default 5e5.
    #[serde(default = "cutoff_band")]
    pub band: Expression,
    /// Leakage c [m^3/(s Pa)]. Default 0.
    #[serde(default = "zero")]
    pub leakage: Expression,
    /// Efficiencies over speed and pressure, beside the leakage; none if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub efficiency: Option<Efficiency>,
}

/// Gas by p V^n = const behind a bladder, reached through an orifice; empty, the bladder rests on its seat and the fluid left is as stiff as `seat`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Accumulator {
    /// Name.
    pub name: String,
    /// Its node.
    pub node: String,
    /// Volume of the gas at the precharge [m^3].
    pub volume: Expression,
    /// Precharge \[Pa\].
    pub precharge: Expression,
    /// Polytropic exponent n. Default 1.4.
    #[serde(default = "diatomic")]
    pub exponent: Expression,
    /// Area of its inlet [m^2].
    pub area: Expression,
    /// Volume of fluid in it at the start [m^3]. Default 0.
    #[serde(default = "zero")]
    pub start: Expression,
    /// Pressure per volume when empty [Pa/m^3]; a hundred times that of the gas at the precharge if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seat: Option<Expression>,
    /// Discharge coefficient of the inlet. Default 0.62.
    #[serde(default = "sharp_edge")]
    pub discharge: Expression,
    /// dpl of the orifice law \[Pa\]. Default 1e5.
    #[serde(default = "laminar")]
    pub laminar_below: Expression,
}

/// L q' = p_from - p_to - R q - K q |q|.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Line {
    /// Name.
    pub name: String,
    /// Node at one end.
    pub from: String,
    /// Node at the other end.
    pub to: String,
    /// Inertance L [Pa s^2/m^3].
    pub inertance: Expression,
    /// Resistance R of laminar flow [Pa s/m^3]. Default 0.
    #[serde(default = "zero")]
    pub resistance: Expression,
    /// Resistance K of turbulent flow [Pa s^2/m^6]. Default 0.
    #[serde(default = "zero")]
    pub turbulent: Expression,
}

/// A line in which pressure waves travel, by the method of characteristics: exact for a uniform line without friction. They take
/// l/c, c = sqrt(E/rho), from end to end; the laminar resistance 128 mu l/(pi d^4) acts on what arrives. Observed are the flows into it at both ends.
/// A node with nothing but such a line is a closed end.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct TransmissionLine {
    /// Name.
    pub name: String,
    /// Node at one end.
    pub from: String,
    /// Node at the other end.
    pub to: String,
    /// Length l \[m\].
    pub length: Expression,
    /// Inner diameter d \[m\].
    pub diameter: Expression,
    /// Speed of sound c [m/s]; if absent, that of the fluid at `pressure`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speed_of_sound: Option<Expression>,
    /// Pressure for which the fluid gives the speed of sound \[Pa\]. Default 1e7.
    #[serde(default = "working_pressure")]
    pub pressure: Expression,
}

fn working_pressure() -> Expression {
    1e7.into()
}

/// A pipe in `segments` cells, by Godunov's first-order upwind method: inertance rho l/A, laminar resistance 128 mu l/(pi d^4), the fluid's own modulus
/// in each cell. Pressures swing beyond no wave, fronts are rounded over the root of the number of cells passed, and an oscillation at the lowest frequency
/// loses the share 1 - exp(-pi^2/(2 n)) of its amplitude in a period, n the number of cells: a [`TransmissionLine`] loses none. Observed are the flows at both
/// ends of each cell.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Pipe {
    /// Name.
    pub name: String,
    /// Node at one end.
    pub from: String,
    /// Node at the other end.
    pub to: String,
    /// Length \[m\].
    pub length: Expression,
    /// Inner diameter \[m\].
    pub diameter: Expression,
    /// Number of cells, 1 to 1000. Default 1.
    #[serde(default = "single")]
    pub segments: usize,
}

fn single() -> usize {
    1
}

fn cutoff_band() -> Expression {
    5e5.into()
}
