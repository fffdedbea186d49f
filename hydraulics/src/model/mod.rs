//! What a person describes: a fluid, nodes, components and inputs, by name.
//!
//! Plain data with serde, no numerics. Numbers are [`Expression`]s over the model's parameters; those called *signals* may also use
//! `time`, the inputs, and the unknowns of the circuit (`valve.spool`, `axis.position`). SI units: pressures are absolute, in Pa.

mod actuator;
mod conditioning;
mod control;
mod defaults;
mod efficiency;
mod source;
mod valve;
mod winch;

pub use actuator::{Cylinder, Friction, Load, Motor, Shaft, Stops};
pub use conditioning::{Bypass, Cooler, Filter};
pub use control::{CounterbalanceValve, FlowControlValve, PilotOperatedCheckValve};
pub use efficiency::Efficiency;
pub use source::{Accumulator, FixedPump, FlowSource, Line, Pipe, TransmissionLine, VariablePump};
pub use valve::{Center, CheckValve, Orifice, ReducingValve, ReliefValve, Sense, SpoolValve};

pub use winch::{Drum, Winch};

pub(crate) use defaults::ATMOSPHERE;
use defaults::{atmosphere, diatomic, one_text, vapor_band, vapor_modulus, vapor_pressure, zero};
use fourbar_expression::Expression;
use fourbar_expression::model::Spline;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A hydraulic circuit as a person describes it.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Circuit"))]
#[serde(deny_unknown_fields)]
pub struct Model {
    /// Title.
    #[serde(default)]
    pub name: String,
    /// What the circuit shows.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// Units in which results are shown, as `"bar, l/min"`; SI units if empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub result_units: String,
    /// Named constants that every expression may use; they may refer to each other.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub parameters: BTreeMap<String, Expression>,
    /// Curves through points, for expressions.
    #[serde(default, rename = "spline", skip_serializing_if = "Vec::is_empty")]
    pub splines: Vec<Spline>,
    /// The fluid in all components.
    #[serde(default)]
    pub fluid: Fluid,
    /// Signals from outside.
    #[serde(default, rename = "input", skip_serializing_if = "Vec::is_empty")]
    pub inputs: Vec<Input>,
    /// Where components meet.
    #[serde(default, rename = "node")]
    pub nodes: Vec<Node>,
    /// What connects the nodes.
    #[serde(default, rename = "component")]
    pub components: Vec<Component>,
}

/// A fluid.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Fluid {
    /// Density [kg/m^3]. Default 860.
    pub density: Expression,
    /// Dynamic viscosity \[Pa s\]. Default 0.04.
    pub viscosity: Expression,
    /// How pressure grows with compression. Default 1.4e9 Pa, constant.
    pub bulk_modulus: BulkModulus,
    /// Where the fluid evaporates. If absent at 3000 Pa, or at 3000 Pa less an atmosphere where a pressure is held at the start at which it would
    /// boil: such a model counts its pressures from the atmosphere.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vapor: Option<Vapor>,
}

impl Default for Vapor {
    fn default() -> Self {
        Self { pressure: vapor_pressure(), band: vapor_band(), modulus: vapor_modulus() }
    }
}

impl Default for Fluid {
    fn default() -> Self {
        let bulk_modulus = BulkModulus::Constant { value: 1.4e9.into() };
        Self { density: 860.0.into(), viscosity: 0.04.into(), bulk_modulus, vapor: None }
    }
}

/// The law of the effective bulk modulus E(p) = -V dp/dV.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
#[expect(clippy::large_enum_variant, reason = "one per model")]
#[non_exhaustive]
pub enum BulkModulus {
    /// The same at all pressures.
    Constant {
        /// E \[Pa\].
        value: Expression,
    },
    /// E = maximum/2 log10(90 p/reference + 3): hoses and free air in one curve (Jelali and Kroll, *Hydraulic Servo-systems*, 2003).
    Logarithmic {
        /// Emax \[Pa\].
        maximum: Expression,
        /// Reference pressure pmax \[Pa\].
        reference: Expression,
    },
    /// A liquid of constant modulus with free air in it that is compressed by p V^n = const.
    EntrainedAir {
        /// Modulus of the liquid \[Pa\].
        liquid: Expression,
        /// Share of air in the volume at the reference pressure, from 0 below 1.
        fraction: Expression,
        /// Reference pressure \[Pa\].
        #[serde(default = "atmosphere")]
        reference: Expression,
        /// Polytropic exponent n, from 1 (slow) to 1.4 (fast). Default 1.4.
        #[serde(default = "diatomic")]
        exponent: Expression,
    },
}

/// Evaporation: a node in which liquid is missing keeps a pressure just above the vapour pressure, and a cavity grows in it. In a node of the volume V the
/// cavity D V has the pressure pv + m/(1 + D); within `band` above pv + m the bulk modulus rises smoothly to that of the liquid. The pressure is a
/// function of the density alone, so a cavity closes with the oil that it took to open. Its size is known up to a thousand V.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Vapor {
    /// Vapour pressure pv \[Pa\]. Default 3000. Below 0 for models that count from the atmosphere, where the bulk modulus is not that of entrained air.
    #[serde(default = "vapor_pressure")]
    pub pressure: Expression,
    /// Width of the transition \[Pa\]. Default 1e4.
    #[serde(default = "vapor_band")]
    pub band: Expression,
    /// m, the pressure above the vapour pressure at which a cavity opens, and the bulk modulus there \[Pa\]. Default 1e3. A smaller one holds
    /// the pressure nearer to the vapour pressure, and needs a finer tolerance to know the size of the cavity.
    #[serde(default = "vapor_modulus")]
    pub modulus: Expression,
}

/// A signal from outside.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "CircuitInput"))]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// Name, by which signals use it.
    pub name: String,
    /// Unit, for those who connect it. Default 1.
    #[serde(default = "one_text")]
    pub unit: String,
    /// Value until another one is set.
    #[serde(default = "zero")]
    pub start: Expression,
}

/// A place with one pressure.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Node {
    /// Fluid of this node: p' = E(p)/V (sum of the flows into it). With no volume of its own and none by a chamber it is a
    /// junction, where the flows add up to zero.
    Volume(Volume),
    /// A source of constant or commanded pressure.
    Pressure(Pressure),
    /// An open tank.
    Tank(Tank),
}

impl Node {
    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Volume(node) => &node.name,
            Self::Pressure(node) => &node.name,
            Self::Tank(node) => &node.name,
        }
    }
}

/// A volume of fluid, or a junction.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Volume {
    /// Name.
    pub name: String,
    /// Volume besides that of chambers [m^3]. Default 0.
    #[serde(default = "zero")]
    pub volume: Expression,
    /// Pressure at the start, and the guess for a steady state \[Pa\]. Default: the mean of the held pressures. Where the node has a volume it begins
    /// without a cavity: at pv + m + `band` of [`Vapor`] at least.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<Expression>,
}

/// A pressure that is held.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Pressure {
    /// Name.
    pub name: String,
    /// Pressure, a signal \[Pa\].
    pub pressure: Expression,
}

/// An open tank.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Tank {
    /// Name.
    pub name: String,
    /// Pressure \[Pa\]. Default: one atmosphere.
    #[serde(default = "atmosphere")]
    pub pressure: Expression,
}

/// What connects nodes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "snake_case")]
#[expect(clippy::large_enum_variant, reason = "read once, tens to hundreds of them")]
#[non_exhaustive]
pub enum Component {
    /// A restriction of turbulent and laminar flow.
    Orifice(Orifice),
    /// Flow one way.
    CheckValve(CheckValve),
    /// Opens above a pressure.
    ReliefValve(ReliefValve),
    /// Keeps the pressure behind it down; `pressure_reducing_valve` is the same.
    #[serde(alias = "pressure_reducing_valve")]
    ReducingValve(ReducingValve),
    /// Holds a load until its pilot lets it down.
    CounterbalanceValve(CounterbalanceValve),
    /// A check valve that a pilot opens.
    PilotOperatedCheckValve(PilotOperatedCheckValve),
    /// Passes a flow that is set, whatever the pressures.
    FlowControlValve(FlowControlValve),
    /// Servo, proportional or directional valve of four ports and a moving spool.
    SpoolValve(SpoolValve),
    /// A flow that is given.
    FlowSource(FlowSource),
    /// A pump of constant displacement.
    FixedPump(FixedPump),
    /// A pump of variable displacement.
    VariablePump(VariablePump),
    /// A gas-loaded store.
    Accumulator(Accumulator),
    /// Inertance and resistance.
    Line(Line),
    /// A pipe by its dimensions, in segments.
    Pipe(Pipe),
    /// A line in which waves travel.
    TransmissionLine(TransmissionLine),
    /// A cylinder.
    Cylinder(Cylinder),
    /// A rotary motor.
    Motor(Motor),
    /// A motor with a drum and the length of its rope.
    Winch(Winch),
    /// A filter with its bypass.
    Filter(Filter),
    /// A resistance that takes heat.
    Cooler(Cooler),
}

impl Component {
    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Orifice(c) => &c.name,
            Self::CheckValve(c) => &c.name,
            Self::ReliefValve(c) => &c.name,
            Self::ReducingValve(c) => &c.name,
            Self::CounterbalanceValve(c) => &c.name,
            Self::PilotOperatedCheckValve(c) => &c.name,
            Self::FlowControlValve(c) => &c.name,
            Self::SpoolValve(c) => &c.name,
            Self::FlowSource(c) => &c.name,
            Self::FixedPump(c) => &c.name,
            Self::VariablePump(c) => &c.name,
            Self::Accumulator(c) => &c.name,
            Self::Line(c) => &c.name,
            Self::Pipe(c) => &c.name,
            Self::TransmissionLine(c) => &c.name,
            Self::Cylinder(c) => &c.name,
            Self::Motor(c) => &c.name,
            Self::Winch(c) => &c.name,
            Self::Filter(c) => &c.name,
            Self::Cooler(c) => &c.name,
        }
    }
}
