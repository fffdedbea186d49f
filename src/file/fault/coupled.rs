//! Places of faults in circuits and between coupled simulators.

use super::{Fault, of_model, setting};
use crate::coupled::CoupledModel;
use fourbar_coupling::Error as CouplingError;
use fourbar_hydraulics::{Error as CircuitError, Model as Circuit};
use fourbar_multibody::Location;
use fourbar_multibody::dae::EvalError;

/// A circuit that cannot be compiled, evaluated or balanced.
pub(super) fn of_circuit(error: &CircuitError, circuit: &Circuit) -> Option<Fault> {
    let text = error.to_string();
    let (problem, remedy) = text.split_once("; ")?;
    let called = match error {
        CircuitError::Model(error) => return Some(of_model(error)),
        CircuitError::Undetermined { unknown, .. } => unknown,
        CircuitError::NotFound { equation, .. } => equation,
        CircuitError::Blocked { node, .. } => node,
        CircuitError::Evaluation(EvalError::Recoverable { element, .. } | EvalError::Fatal { element, .. }) => element,
        _ => return None,
    };
    Some((of_element(called, circuit)?, problem.to_owned(), remedy.to_owned()))
}

/// Where the node or component stands that a message calls `volume "A"`, `rate of A.spool` or `A.pressure`.
fn of_element(called: &str, circuit: &Circuit) -> Option<Location> {
    let name = match called.split('"').nth(1) {
        Some(name) => name,
        None => called.rsplit(' ').next()?,
    };
    let name = name.split('.').next()?;
    let node = circuit.nodes.iter().position(|node| node.name() == name).map(|index| ("node", index));
    let component = || circuit.components.iter().position(|c| c.name() == name).map(|index| ("component", index));
    let (section, index) = node.or_else(component)?;
    Some(Location { section, index, name: name.to_owned(), field: String::new() })
}

/// Simulators that do not fit together.
pub(super) fn of_coupling(error: &CouplingError, model: &CoupledModel) -> Option<Fault> {
    let text = error.to_string();
    let place = match error {
        CouplingError::UnknownPartner { place, name, .. } if place.contains("order") => in_sequence(name, model, false),
        CouplingError::Duplicate { what, name } => match *what {
            "port" => of_port(name, model)?,
            "variable" | "partner" => of_simulator(name.split('.').next()?, model)?,
            _ => in_sequence(name, model, true),
        },
        CouplingError::UnknownPartner { place, .. } | CouplingError::UnknownVariable { place, .. } => {
            named_in(place, model)?
        }
        CouplingError::Dimension { from, to, .. } => {
            connection(model, |c| c.from == *from && c.to == *to, "to").or_else(|| of_port(from, model))?
        }
        CouplingError::TwoSources { target, sources } => {
            connection(model, |c| c.to == *target && c.from == sources[1], "to")?
        }
        CouplingError::End(end) => connection(model, |c| c.from == *end, "from")
            .or_else(|| connection(model, |c| c.to == *end, "to"))
            .or_else(|| of_simulator(end, model))?,
        CouplingError::Port { port, .. } => of_port(port, model)?,
        CouplingError::Value { name, .. } => named_in(name, model).unwrap_or_else(|| setting("")),
        CouplingError::Unit { variable, .. } => of_simulator(variable.split('.').next()?, model)?,
        CouplingError::Start { partner, .. }
        | CouplingError::Capability { partner, .. }
        | CouplingError::Thread { partner, .. } => of_simulator(partner, model)?,
        CouplingError::StepTooShort { .. } | CouplingError::EndBetweenPoints { .. } => setting("step"),
        CouplingError::AlgebraicLoop(_) => setting("solve_loops"),
        CouplingError::Combination { .. } => setting(""),
        _ => return None,
    };
    let unlike_any = matches!(
        error,
        CouplingError::UnknownPartner { nearest: None, .. } | CouplingError::UnknownVariable { nearest: None, .. }
    );
    // Problem and remedy are parted by the last "; ", else by the last ": ".
    let parts = if unlike_any { None } else { text.rsplit_once("; ").or_else(|| text.rsplit_once(": ")) };
    let (problem, remedy) = parts.unwrap_or((
        &text,
        "correct the name; inputs and outputs of each kind are listed in docs/model-format.md, section Simulator",
    ));
    Some((place, problem.to_owned(), remedy.to_owned()))
}

fn connection(
    model: &CoupledModel,
    is: impl Fn(&crate::coupled::ConnectionModel) -> bool,
    field: &str,
) -> Option<Location> {
    let index = model.connections.iter().position(is)?;
    Some(Location { section: "connection", index, name: String::new(), field: field.to_owned() })
}

fn of_simulator(name: &str, model: &CoupledModel) -> Option<Location> {
    let index = model.simulators.iter().position(|simulator| simulator.name == name)?;
    Some(Location { section: "simulator", index, name: name.to_owned(), field: "name".to_owned() })
}

/// Where a simulator stands in the order of stepping: the first time, or the last.
fn in_sequence(name: &str, model: &CoupledModel, last: bool) -> Location {
    let mut entries = model.simulation.sequence.iter();
    let index = if last { entries.rposition(|entry| entry == name) } else { entries.position(|entry| entry == name) };
    setting(&index.map_or_else(|| "sequence".to_owned(), |index| format!("sequence.{index}")))
}

fn of_port(name: &str, model: &CoupledModel) -> Option<Location> {
    let index = model.ports.iter().position(|port| port.name == name)?;
    Some(Location { section: "port", index, name: name.to_owned(), field: String::new() })
}

/// Where stands what a message describes as `connection "A" -> "B"`, `port "P"`, `"S"` or the sequence.
fn named_in(place: &str, model: &CoupledModel) -> Option<Location> {
    let quoted: Vec<&str> = place.split('"').skip(1).step_by(2).collect();
    match (place.split_whitespace().next()?, quoted.as_slice()) {
        ("connection", [from, to, ..]) => connection(model, |c| c.from == *from && c.to == *to, ""),
        ("port", [name, ..]) => of_port(name, model),
        (_, [name, ..]) => of_simulator(name, model),
        _ if place.contains("sequence") || place.contains("order") => Some(setting("sequence")),
        _ => None,
    }
}
