//! Files of the kind "circuit": nodes and components have a reader of their own because their tables are of several types.

use super::issue::Issue;
use super::section::{Entry, entries};
use crate::circuit::CircuitModel;
use fourbar_hydraulics::model::{Component, Model, Node};
use toml::de::DeTable;

/// The whole model.
pub(super) fn read(file: &DeTable<'_>) -> Result<CircuitModel, Issue> {
    let top = Entry::top(file);
    let mut model: Model = top.rest(&["type", "simulation", "node", "component"])?;
    model.nodes = nodes(file)?;
    model.components = components(file)?;
    Ok(CircuitModel { model, simulation: top.optional("simulation")?.unwrap_or_default() })
}

/// Types of `[[node]]`.
const NODES: &[&str] = &["volume", "pressure", "tank"];

/// Types of `[[component]]`.
const COMPONENTS: &[&str] = &[
    "orifice",
    "check_valve",
    "relief_valve",
    "reducing_valve",
    "pressure_reducing_valve",
    "counterbalance_valve",
    "pilot_operated_check_valve",
    "flow_control_valve",
    "spool_valve",
    "flow_source",
    "fixed_pump",
    "variable_pump",
    "accumulator",
    "line",
    "pipe",
    "transmission_line",
    "cylinder",
    "motor",
    "winch",
    "filter",
    "cooler",
];

fn nodes(file: &DeTable<'_>) -> Result<Vec<Node>, Issue> {
    entries(file, "node", |entry| {
        let without = ["type"];
        match entry.word("type", NODES)? {
            "volume" => entry.rest(&without).map(Node::Volume),
            "pressure" => entry.rest(&without).map(Node::Pressure),
            "tank" => entry.rest(&without).map(Node::Tank),
            other => Err(Issue::unknown_word(other, NODES)),
        }
    })
}

fn components(file: &DeTable<'_>) -> Result<Vec<Component>, Issue> {
    use Component as C;
    entries(file, "component", |entry| {
        let without = ["type"];
        match entry.word("type", COMPONENTS)? {
            "orifice" => entry.rest(&without).map(C::Orifice),
            "check_valve" => entry.rest(&without).map(C::CheckValve),
            "relief_valve" => entry.rest(&without).map(C::ReliefValve),
            "reducing_valve" | "pressure_reducing_valve" => entry.rest(&without).map(C::ReducingValve),
            "counterbalance_valve" => entry.rest(&without).map(C::CounterbalanceValve),
            "pilot_operated_check_valve" => entry.rest(&without).map(C::PilotOperatedCheckValve),
            "flow_control_valve" => entry.rest(&without).map(C::FlowControlValve),
            "spool_valve" => entry.rest(&without).map(C::SpoolValve),
            "flow_source" => entry.rest(&without).map(C::FlowSource),
            "fixed_pump" => entry.rest(&without).map(C::FixedPump),
            "variable_pump" => entry.rest(&without).map(C::VariablePump),
            "accumulator" => entry.rest(&without).map(C::Accumulator),
            "line" => entry.rest(&without).map(C::Line),
            "pipe" => entry.rest(&without).map(C::Pipe),
            "transmission_line" => entry.rest(&without).map(C::TransmissionLine),
            "cylinder" => entry.rest(&without).map(C::Cylinder),
            "motor" => entry.rest(&without).map(C::Motor),
            "winch" => entry.rest(&without).map(C::Winch),
            "filter" => entry.rest(&without).map(C::Filter),
            "cooler" => entry.rest(&without).map(C::Cooler),
            other => Err(Issue::unknown_word(other, COMPONENTS)),
        }
    })
}
