//! Coupled simulators as a person describes them.

use super::{CoupledSettings, EquationsModel, FaultSettings, FederationModel, FmuModel, LibraryModel};
use crate::circuit::CircuitModel;
use crate::linear::LinearModel;
use crate::mechanism::MechanismModel;
#[cfg(doc)]
use fourbar_coupling::Master;
use fourbar_coupling::partner::ReactionOutputs;
use fourbar_multibody::expression::Expression;
use fourbar_multibody::model::Spline;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Simulators that are stepped together and exchange values at communication points.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct CoupledModel {
    /// Title.
    pub name: String,
    /// What the model shows.
    pub description: String,
    /// Units in which results are shown, as `"mm, deg, bar"`; those of the simulators if empty.
    pub result_units: String,
    /// Named constants that settings, gains and offsets may use; those of the simulators are their own.
    pub parameters: BTreeMap<String, Expression>,
    /// How the simulators are stepped unless the caller says otherwise.
    pub simulation: CoupledSettings,
    /// How serious faults are taken.
    pub faults: FaultSettings,
    /// Who takes part.
    pub simulators: Vec<SimulatorModel>,
    /// Which output feeds which input.
    pub connections: Vec<ConnectionModel>,
    /// Pairs of effort and flow whose energy is watched.
    pub ports: Vec<PortModel>,
}

/// A simulator and its place in the run.
#[derive(Debug, Clone, PartialEq)]
pub struct SimulatorModel {
    /// Name, unique among simulators; that of an element within systems (SSP) has dots.
    pub name: String,
    /// What it simulates.
    pub kind: SimulatorKind,
    /// The file that says so, relative to the coupled model; none if it stands in that model itself.
    pub file: Option<String>,
    /// Parameters of it that have other values here, over the parameters of the coupled model.
    pub parameters: BTreeMap<String, Expression>,
    /// How it takes part.
    pub place: Place,
    /// What its joints do, for those who look at the run: of a mechanism without contacts.
    pub reactions: Option<ReactionOutputs>,
}

/// What a simulator simulates.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum SimulatorKind {
    /// Bodies, joints, contacts: its inputs are the `[[input]]` entries, its outputs the measures.
    Mechanism(Box<MechanismModel>),
    /// A hydraulic circuit: inputs and outputs as [`Circuit`](fourbar_hydraulics::Circuit) names them.
    Circuit(Box<CircuitModel>),
    /// A linear system: inputs of the type `external`, and its outputs.
    Linear(Box<LinearModel>),
    /// Differential equations written out.
    Equations(Box<EquationsModel>),
    /// A shared library in C.
    Library(Box<LibraryModel>),
    /// A federation of HELICS: `fourbar federate` adds one.
    Federation(Box<FederationModel>),
    /// A functional mock-up unit.
    Fmu(Box<FmuModel>),
    /// Simulators that are coupled themselves: its inputs are those that no output of it feeds, its outputs all of them, as `simulator.variable`.
    Coupled(Box<CoupledModel>),
}

impl SimulatorKind {
    /// Curves through points that its expressions name.
    #[must_use]
    pub fn splines(&self) -> &[Spline] {
        match self {
            Self::Mechanism(mechanism) => &mechanism.model.splines,
            Self::Circuit(circuit) => &circuit.model.splines,
            Self::Linear(model) => &model.splines,
            Self::Equations(model) => &model.splines,
            Self::Library(_) | Self::Federation(_) | Self::Fmu(_) | Self::Coupled(_) => &[],
        }
    }

    /// Its name in files.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Mechanism(_) => "mechanism",
            Self::Circuit(_) => "circuit",
            Self::Linear(_) => "linear",
            Self::Equations(_) => "equations",
            Self::Library(_) => "library",
            Self::Federation(_) => "federation",
            Self::Fmu(_) => "fmu",
            Self::Coupled(_) => "coupled",
        }
    }
}

/// How a simulator takes part.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Place {
    /// It takes part in every so many-th communication point; in each if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub every: Option<u64>,
    /// Whether it has a thread of its own; with `jacobi` such simulators step at the same time. Yes for a library, an FMU and on another computer if absent, else no.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thread: Option<bool>,
    /// Time on the clock within which it must answer \[s\]; gives it a thread of its own. 60 s for a library or an FMU that is not on the thread of the
    /// run and on another computer if absent, else none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_limit: Option<Expression>,
    /// Another computer on which it runs, `name:port`, where `fourbar host` serves this model. Here if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub host: Option<String>,
}

/// An output that feeds an input: input = gain (output, converted to the unit of the input) + offset.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ConnectionModel {
    /// The output, `simulator.output`.
    pub from: String,
    /// The input, `simulator.input`.
    pub to: String,
    /// Factor after the conversion of units, not 0; 1 if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gain: Option<Expression>,
    /// Added last, in the unit of the input; 0 if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offset: Option<Expression>,
    /// Typical magnitude in the unit of the input, above 0: a size for errors as long as no larger value was seen; that of the variables, or none,
    /// if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nominal: Option<Expression>,
    /// Whether gain and offset hold the conversion of units already, or none is wanted. No model file says so; structures (SSP) do.
    #[serde(skip)]
    pub is_converted: bool,
}

/// Two connected outputs whose product is power: the energy that the coupling makes between them is watched.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct PortModel {
    /// Name, unique among ports.
    pub name: String,
    /// Output with the effort (a force, torque or pressure), `simulator.output`.
    pub effort: String,
    /// Output with the flow (a velocity, speed or volume flow) of the simulator that takes the effort.
    pub flow: String,
}
