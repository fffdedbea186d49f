//! A structure as a coupled model.

use super::description::{Description, Settings};
use super::network::{Network, Unit};
use super::parameters::{Assigned, Start};
use super::signals::passing;
use super::xml::{Notes, Place};
use crate::Error;
use crate::coupled::{CoupledModel, FmuModel, FmuUse, SimulatorKind, SimulatorModel};
use fourbar_coupling::Error as CouplingError;
use fourbar_multibody::expression::Expression;
use std::path::Path;

/// What a coupled model keeps of the structure that it was read from: lines for its faults, and what is not carried.
#[derive(Debug, Clone, PartialEq)]
pub struct Structure {
    version: String,
    notes: Vec<String>,
    /// Names and lines of the components, by their simulators.
    components: Vec<(String, Place)>,
    /// Ends and lines of the connections.
    connections: Vec<([String; 2], Place)>,
    top: Place,
}

/// Whether a path names a structure, by its ending.
#[must_use]
pub fn is_structure(path: &Path) -> bool {
    let known = |extension: &std::ffi::OsStr| ["ssp", "ssd"].iter().any(|own| extension.eq_ignore_ascii_case(own));
    path.extension().is_some_and(known)
}

/// The model in the file at `path`, the text of its description, and what is kept of it.
pub(crate) fn load(path: &Path) -> Result<(CoupledModel, String, Structure), Error> {
    let (description, text, mut warnings) = super::read::read(path)?;
    let mut notes = Notes::default();
    let network = Network::new(&description.system, &mut notes)?;
    if network.units.is_empty() {
        return Err(description.system.place.refuse("the system has no component", "add one to its Elements"));
    }
    let mut assigned = Assigned::new(&description.system, &network, &mut notes)?;
    let connections = passing(&network, &mut assigned, &mut notes)?;
    warnings.extend(notes.finish());
    let structure = Structure {
        version: description.version.clone(),
        notes: warnings,
        components: network.units.iter().map(|unit| (unit.path.clone(), unit.component.place.clone())).collect(),
        connections: connections
            .iter()
            .map(|(model, place)| ([model.from.clone(), model.to.clone()], place.clone()))
            .collect(),
        top: Place::top(&text),
    };
    let simulators = network.units.iter().enumerate().map(|(k, unit)| simulator(k, unit, &assigned)).collect();
    let steps = network.units.iter().filter_map(|unit| unit.fmu.step_size.filter(|step| *step > 0.0));
    let usual = steps.reduce(f64::min);
    let mut model = whole(description, usual);
    model.simulators = simulators;
    model.connections = connections.into_iter().map(|(model, _)| model).collect();
    Ok((model, text.text.clone(), structure))
}

/// The model without simulators and connections; `usual` is the shortest step that a unit states.
fn whole(description: Description, usual: Option<f64>) -> CoupledModel {
    let Settings { mut simulation, faults, ports } = description.settings;
    let [start, stop] = description.times;
    if simulation.step.is_none() {
        let length = stop.map(|stop| stop - start.unwrap_or(0.0));
        simulation.step = step(length, usual).map(Expression::constant);
    }
    let start = start.filter(|start| *start != 0.0);
    simulation.start_time = simulation.start_time.or(start.map(Expression::constant));
    simulation.end = simulation.end.or(stop.map(Expression::constant));
    CoupledModel {
        result_units: String::new(),
        name: description.name,
        description: description.description,
        simulation,
        faults,
        ports,
        ..CoupledModel::default()
    }
}

/// Communication steps of a run whose length nobody states: as many as a plot has points.
const STEPS: f64 = 1000.0;

/// The communication step that the file leaves open: that of the units, else a thousandth of the run; the end is a whole number of steps.
fn step(length: Option<f64>, usual: Option<f64>) -> Option<f64> {
    let Some(length) = length else { return usual };
    let steps = usual.map_or(STEPS, |usual| (length / usual - 1e-9).ceil().max(1.0));
    Some(length / steps)
}

/// A component as a simulator.
fn simulator(index: usize, unit: &Unit<'_>, assigned: &Assigned) -> SimulatorModel {
    let component = unit.component;
    let mut fmu = FmuModel {
        path: component.path.clone(),
        process: component.process,
        interface: component.exchange.map(|exchange| match exchange {
            true => FmuUse::ModelExchange,
            false => FmuUse::CoSimulation,
        }),
        units: unit.units.clone(),
        kept: component.package.kept(),
        ..FmuModel::default()
    };
    let own = assigned.starts.iter().filter(|((own, _), _)| *own == index);
    for ((_, name), value) in own {
        match value {
            Start::Number(number) => {
                fmu.parameters.insert(name.clone(), Expression::constant(*number));
            }
            Start::Whole(number) => {
                fmu.parameters.insert(name.clone(), Expression::whole(*number));
            }
            Start::Text(text) => {
                fmu.texts.insert(name.clone(), text.clone());
            }
        }
    }
    SimulatorModel {
        name: unit.path.clone(),
        kind: SimulatorKind::Fmu(Box::new(fmu)),
        file: Some(component.source.clone()),
        parameters: std::collections::BTreeMap::new(),
        place: component.partner.clone(),
        reactions: None,
    }
}

impl Structure {
    /// An error about the model at its line of the file; a fault without one gets the first line if `always`.
    pub(crate) fn explain(&self, error: Error, always: bool) -> Error {
        let place = match &error {
            Error::Model(_) | Error::Read { .. } | Error::NoEnd => return error,
            Error::Simulator { name, .. } => self.component(name),
            Error::CoupledModel(fault) => match fault.location.section {
                "simulator" => self.components.get(fault.location.index).map(|(_, place)| place),
                "connection" => self.connections.get(fault.location.index).map(|(_, place)| place),
                _ => Some(&self.top),
            },
            Error::Coupling(error) => self.of_coupling(error),
            _ => None,
        };
        let Some(place) = place.or(always.then_some(&self.top)) else { return error };
        let text = error.to_string();
        let (problem, remedy) = text.rsplit_once("; ").unwrap_or((&text, "correct the structure there"));
        place.refuse(problem, remedy)
    }

    fn component(&self, name: &str) -> Option<&Place> {
        self.components.iter().find(|(own, _)| own == name).map(|(_, place)| place)
    }

    /// The line of the first connection or component that a message quotes.
    fn of_coupling(&self, error: &CouplingError) -> Option<&Place> {
        let text = error.to_string();
        let quoted: Vec<&str> = text.split('"').skip(1).step_by(2).collect();
        let ends = |ends: &[String; 2]| ends.iter().all(|end| quoted.contains(&end.as_str()));
        let connection = self.connections.iter().find(|(own, _)| ends(own));
        connection.map(|(_, place)| place).or_else(|| {
            quoted.iter().find_map(|name| {
                self.component(name).or_else(|| {
                    let own =
                        |path: &String| name.strip_prefix(path.as_str()).is_some_and(|rest| rest.starts_with('.'));
                    self.components.iter().find(|(path, _)| own(path)).map(|(_, place)| place)
                })
            })
        })
    }

    /// The version of the standard in the words of the file.
    #[must_use]
    pub fn version(&self) -> &str {
        &self.version
    }

    /// What the file says and the model does not carry, with file and line.
    #[must_use]
    pub fn notes(&self) -> &[String] {
        &self.notes
    }
}
