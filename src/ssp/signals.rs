//! From connections through systems to connections between components, and to start values.

use super::description::{Kind, Type, Value};
use super::network::{Edge, Network, Node, Part};
use super::parameters::{Assigned, dimension, start, transformed};
use super::units::{Named, conversion};
use super::xml::{Notes, Place};
use crate::Error;
use crate::coupled::ConnectionModel;
use fourbar_coupling::partner::{FmuCausality, FmuVariability};
use fourbar_multibody::expression::Expression;

/// A connection between components, with the line that feeds its input.
pub(super) type Passing = (ConnectionModel, Place);

/// What feeds the inputs of the components. Values of connectors of systems become start values.
pub(super) fn passing(
    network: &Network<'_>,
    assigned: &mut Assigned,
    notes: &mut Notes,
) -> Result<Vec<Passing>, Error> {
    let mut all = Vec::new();
    for node in 0..network.nodes.len() {
        let Part::Unit(unit) = network.parts[network.nodes[node].element] else {
            continue;
        };
        let (origin, path) = trace(network, node)?;
        let Some(last) = path.last() else { continue };
        let (source, target) = (&network.nodes[origin], &network.nodes[node]);
        match network.parts[source.element] {
            Part::Unit(from) if gives_constant(network, from, source) => {
                let value = constant(network, from, source, &last.connection.place)?;
                give(network, assigned, (unit, node), &path, &value)?;
            }
            Part::Unit(from) => all.push(connection(network, (from, source), (unit, target), &path)?),
            Part::System(_) => match assigned.connectors.get(&origin).cloned() {
                Some((value, _)) => give(network, assigned, (unit, node), &path, &value)?,
                None => {
                    let name = &source.connector.name;
                    let words = format!(
                        "nothing feeds \"{name}\": {}.{} keeps its start value",
                        network.units[unit].path, target.connector.name
                    );
                    notes.add(&source.connector.place, words);
                }
            },
        }
    }
    note_unused(network, assigned, notes);
    Ok(all)
}

/// The connector where the values of a connector begin, and the connections from there.
fn trace<'n, 'a>(network: &'n Network<'a>, node: usize) -> Result<(usize, Vec<&'n Edge<'a>>), Error> {
    let mut path = Vec::new();
    let mut at = node;
    while let Some(edge) = network.nodes[at].fed.map(|edge| &network.edges[edge]) {
        path.push(edge);
        at = edge.from;
        if path.len() > network.edges.len() {
            return Err(edge
                .connection
                .place
                .refuse("the connectors of systems feed each other in a circle", "break it"));
        }
    }
    path.reverse();
    Ok((at, path))
}

/// Whether what a component gives stays as it starts.
fn gives_constant(network: &Network<'_>, unit: usize, node: &Node<'_>) -> bool {
    let variable = network.units[unit].variable(&node.connector.name);
    variable.is_some_and(|variable| variable.variability == FmuVariability::Constant)
}

fn constant(network: &Network<'_>, unit: usize, node: &Node<'_>, place: &Place) -> Result<Value, Error> {
    let variable = network.units[unit].variable(&node.connector.name);
    let value = variable.and_then(|variable| match (variable.start.first(), variable.start_text.first()) {
        (Some(number), _) if variable.kind.is_float() => Some(Value::Real(*number, node.unit.clone())),
        (Some(number), _) if node.connector.value == Some(Type::Boolean) => Some(Value::Boolean(*number != 0.0)),
        (Some(_), _) => variable.start_whole.first().map(|number| Value::Integer(*number)),
        (None, text) => text.map(|text| Value::Text(text.clone())),
    });
    value.ok_or_else(|| {
        let problem = format!("the FMU gives no value for its constant \"{}\"", node.connector.name);
        place.refuse(problem, "give the value by a parameter binding instead of the connection")
    })
}

/// Gives a value that does not change to the variable at the end of a path.
fn give(
    network: &Network<'_>,
    assigned: &mut Assigned,
    (unit, node): (usize, usize),
    path: &[&Edge<'_>],
    value: &Value,
) -> Result<(), Error> {
    let mut value = value.clone();
    for edge in path {
        let to = network.nodes[edge.to].unit.as_ref();
        value = transformed(&value, edge.connection.suppress, edge.transformation(), to, &edge.connection.place)?;
    }
    let target = &network.nodes[node];
    let (name, place) = (&target.connector.name, &path[path.len() - 1].connection.place);
    let Some(variable) = network.units[unit].variable(name) else { return Ok(()) };
    let start = start(&value, variable, target.connector.enumeration.as_ref(), place)?;
    assigned.starts.insert((unit, name.clone()), start);
    Ok(())
}

/// A connection between two components while the run goes on.
fn connection(
    network: &Network<'_>,
    (from, source): (usize, &Node<'_>),
    (to, target): (usize, &Node<'_>),
    path: &[&Edge<'_>],
) -> Result<Passing, Error> {
    let last = path[path.len() - 1];
    let place = &last.connection.place;
    for (node, unit, wanted) in [(source, from, FmuCausality::Output), (target, to, FmuCausality::Input)] {
        let name = &node.connector.name;
        let Some(variable) = network.units[unit].variable(name) else { continue };
        if variable.causality != wanted {
            let problem = format!(
                "\"{name}\" of {} is {} and not {}",
                network.units[unit].path,
                variable.causality.name(),
                wanted.name()
            );
            let remedy = "connect outputs with inputs; give parameters by bindings";
            return Err(place.refuse(format!("{problem}, which alone passes while the run goes on"), remedy));
        }
        if !variable.kind.is_number() {
            let problem = format!(
                "\"{name}\" of {} is a {}, which does not pass while the run goes on",
                network.units[unit].path,
                variable.kind.name()
            );
            return Err(place.refuse(problem, "remove the connection, and give the value by a binding"));
        }
    }
    let (gain, offset) = line(network, source.unit.clone(), path)?;
    if gain == 0.0 {
        return Err(place.refuse(
            "the transformation makes every value the same",
            "remove the connection, and give the value by a binding",
        ));
    }
    let end = |unit: usize, node: &Node<'_>| format!("{}.{}", network.units[unit].path, node.connector.name);
    let model = ConnectionModel {
        from: end(from, source),
        to: end(to, target),
        gain: (gain != 1.0).then(|| Expression::constant(gain)),
        offset: (offset != 0.0).then(|| Expression::constant(offset)),
        nominal: last.connection.nominal.map(Expression::constant),
        is_converted: true,
    };
    Ok((model, place.clone()))
}

/// Factor and offset along a path: conversion of units first, then the transformation, at each connection.
fn line(network: &Network<'_>, unit: Option<Named>, path: &[&Edge<'_>]) -> Result<(f64, f64), Error> {
    let (mut gain, mut offset, mut unit) = (1.0, 0.0, unit);
    for edge in path {
        let place = &edge.connection.place;
        let to = network.nodes[edge.to].unit.clone();
        if let (Some(from), Some(to), false) = (&unit, &to, edge.connection.suppress) {
            let (factor, shift) = conversion(&from.unit, &to.unit).ok_or_else(|| dimension(from, to, place))?;
            (gain, offset) = (gain * factor, offset * factor + shift);
        }
        // A connector of a system without a unit of its own has that of what feeds it.
        unit = to.or(unit);
        if let Some(transformation) = edge.transformation() {
            let (factor, shift) = transformation.line(place)?;
            (gain, offset) = (gain * factor, offset * factor + shift);
        }
    }
    Ok((gain, offset))
}

/// Tells of values for connectors that feed nothing.
fn note_unused(network: &Network<'_>, assigned: &Assigned, notes: &mut Notes) {
    for (node, (_, place)) in &assigned.connectors {
        let name = &network.nodes[*node].connector.name;
        let feeds = network.edges.iter().any(|edge| edge.from == *node);
        let is_fed = network.nodes[*node].fed.is_some();
        let words = match (feeds, is_fed) {
            (true, false) => continue,
            (_, true) => format!("the connector \"{name}\" is fed by a connection: the value is not applied"),
            (false, false) => format!("the connector \"{name}\" feeds nothing: the value is not applied"),
        };
        notes.add(place, words);
    }
    for node in network.nodes.iter().filter(|node| node.fed.is_some()) {
        if matches!(network.parts[node.element], Part::System(_)) && node.element == 0 && node.kind == Kind::Output {
            let Some(edge) = node.fed.map(|edge| &network.edges[edge]) else { continue };
            if edge.transformation().is_some() {
                let words = format!(
                    "the transformation of the output \"{}\" of the whole is not carried: what feeds it is recorded",
                    node.connector.name
                );
                notes.add(&edge.connection.place, words);
            }
        }
    }
}
