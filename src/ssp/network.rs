//! The elements of a structure with their connectors, and which connector feeds which.

use super::description::{Component, Connection, Connector, Element, End, Kind, System, Type};
use super::transformation::Transformation;
use super::units::{Named, same, unknown};
use super::xml::{Notes, Place};
use crate::Error;
use fourbar_coupling::partner::{Fmu, FmuCausality, FmuDescription, FmuType, FmuVariable};
use fourbar_linalg::unit::Unit as Measure;
use std::collections::{BTreeMap, HashMap};

/// A component with what its FMU says of itself.
pub(super) struct Unit<'a> {
    /// Names from the top, with dots between.
    pub(super) path: String,
    pub(super) component: &'a Component,
    pub(super) fmu: FmuDescription,
    /// Units of inputs and outputs that count instead of those of the FMU.
    pub(super) units: BTreeMap<String, String>,
}

impl Unit<'_> {
    pub(super) fn variable(&self, name: &str) -> Option<&FmuVariable> {
        self.fmu.variable(name).or_else(|| {
            // An element of an array.
            let (array, _) = name.rsplit_once('[')?;
            self.fmu.variable(array).filter(|variable| !variable.dimensions.is_empty())
        })
    }
}

/// An element, by its place among all.
pub(super) enum Part {
    /// A component by its place among the units.
    Unit(usize),
    /// A system: its elements by name.
    System(Vec<(String, usize)>),
}

/// A connector of an element.
pub(super) struct Node<'a> {
    pub(super) element: usize,
    pub(super) connector: &'a Connector,
    /// The kind; of components that of the FMU where the structure leaves it open.
    pub(super) kind: Kind,
    /// The unit of the values that pass.
    pub(super) unit: Option<Named>,
    /// The connection that feeds it.
    pub(super) fed: Option<usize>,
}

/// A connection in the direction of its values.
pub(super) struct Edge<'a> {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) connection: &'a Connection,
}

impl Edge<'_> {
    pub(super) fn transformation(&self) -> Option<&Transformation> {
        self.connection.transformation.as_ref()
    }
}

/// All of it.
#[derive(Default)]
pub(super) struct Network<'a> {
    pub(super) units: Vec<Unit<'a>>,
    pub(super) parts: Vec<Part>,
    pub(super) nodes: Vec<Node<'a>>,
    pub(super) edges: Vec<Edge<'a>>,
    by_name: HashMap<(usize, &'a str), usize>,
}

impl<'a> Network<'a> {
    /// The elements of `system`, and the connections between them.
    pub(super) fn new(system: &'a System, notes: &mut Notes) -> Result<Self, Error> {
        let mut network = Self::default();
        network.system(system, "", notes)?;
        network.tell_apart()?;
        Ok(network)
    }

    /// The connector of an element by name.
    pub(super) fn node(&self, element: usize, name: &str) -> Option<usize> {
        self.by_name.get(&(element, name)).copied()
    }

    fn system(&mut self, system: &'a System, path: &str, notes: &mut Notes) -> Result<usize, Error> {
        let own = self.parts.len();
        self.parts.push(Part::System(Vec::new()));
        for connector in &system.connectors {
            self.add(own, connector, connector.kind, connector.unit.clone());
        }
        let mut children = Vec::new();
        for element in &system.elements {
            let path = if path.is_empty() { element.name().to_owned() } else { format!("{path}.{}", element.name()) };
            let child = match element {
                Element::Component(component) => self.component(component, path, notes)?,
                Element::System(system) => self.system(system, &path, notes)?,
            };
            children.push((element.name().to_owned(), child));
        }
        for connection in &system.connections {
            self.connect(own, &children, connection)?;
        }
        self.parts[own] = Part::System(children);
        Ok(own)
    }

    fn component(&mut self, component: &'a Component, path: String, notes: &mut Notes) -> Result<usize, Error> {
        let fmu = Fmu::inspect(&component.path).map_err(|error| {
            let words = error.to_string().replace(&component.path.display().to_string(), &component.source);
            let (problem, remedy) = words.rsplit_once("; ").unwrap_or((&words, "export the FMU again"));
            component.place.refuse(problem, remedy)
        })?;
        let own = self.parts.len();
        self.parts.push(Part::Unit(self.units.len()));
        let mut unit = Unit { path, component, fmu, units: BTreeMap::new() };
        for connector in &component.connectors {
            let (kind, passing) = matched(&mut unit, connector, notes)?;
            self.add(own, connector, kind, passing);
        }
        self.units.push(unit);
        Ok(own)
    }

    fn add(&mut self, element: usize, connector: &'a Connector, kind: Kind, unit: Option<Named>) {
        self.by_name.insert((element, &connector.name), self.nodes.len());
        self.nodes.push(Node { element, connector, kind, unit, fed: None });
    }

    fn connect(
        &mut self,
        system: usize,
        children: &[(String, usize)],
        connection: &'a Connection,
    ) -> Result<(), Error> {
        let [a, b] = &connection.ends;
        let (a, b) =
            (self.end(system, children, a, &connection.place)?, self.end(system, children, b, &connection.place)?);
        let gives = |node: usize| flow(self.nodes[node].element == system, self.nodes[node].kind);
        let (from, to) = match (gives(a), gives(b)) {
            (Some(true), Some(false) | None) | (None, Some(false)) => (a, b),
            (Some(false), Some(true) | None) | (None, Some(true)) => (b, a),
            (one, _) => {
                let both = match one {
                    Some(true) => "both ends of the connection give values",
                    Some(false) => "both ends of the connection take values",
                    None => "the kinds of the connectors do not say in which direction values pass",
                };
                let kinds = [a, b].map(|node| {
                    let node = &self.nodes[node];
                    format!("\"{}\" is {}", node.connector.name, node.kind.name())
                });
                let remedy = "connect an output with an input, or a connector of the system with one of the same kind";
                return Err(connection.place.refuse(format!("{both}: {}", kinds.join(", ")), remedy));
            }
        };
        for node in [from, to] {
            let connector = self.nodes[node].connector;
            if let Some(Type::Other(kind)) = connector.value {
                let problem =
                    format!("the connector \"{}\" is of the type {kind}, which is not exchanged", connector.name);
                return Err(connection
                    .place
                    .refuse(problem, "remove the connection; Real, Integer, Boolean, String and Enumeration pass"));
            }
            if connector.is_array {
                let problem = format!("the connector \"{}\" is an array", connector.name);
                return Err(connection.place.refuse(problem, "connect its elements one by one, `name[i]`"));
            }
        }
        if let Some(other) = self.nodes[to].fed {
            let line = self.edges[other].connection.place.shown();
            let problem = format!("\"{}\" is fed twice: also at {line}", self.nodes[to].connector.name);
            return Err(connection.place.refuse(problem, "remove one of the connections"));
        }
        self.nodes[to].fed = Some(self.edges.len());
        self.edges.push(Edge { from, to, connection });
        Ok(())
    }

    /// The connector that an end of a connection names.
    fn end(&self, system: usize, children: &[(String, usize)], end: &End, place: &Place) -> Result<usize, Error> {
        let element = match &end.element {
            None => system,
            Some(name) => {
                let found = children.iter().find(|(own, _)| own == name).map(|(_, element)| *element);
                found.ok_or_else(|| unknown("element", name, children.iter().map(|(own, _)| own), place))?
            }
        };
        self.node(element, &end.connector).ok_or_else(|| {
            let own = self.nodes.iter().filter(|node| node.element == element).map(|node| &node.connector.name);
            let what = match &end.element {
                Some(name) => format!("connector of \"{name}\""),
                None => "connector of the system".to_owned(),
            };
            unknown(&what, &end.connector, own, place)
        })
    }

    /// Refuses names that would not be told apart: `a.b` of a system a, and of a component `a.b`.
    fn tell_apart(&self) -> Result<(), Error> {
        let paths: HashMap<&str, usize> =
            self.units.iter().enumerate().map(|(k, unit)| (unit.path.as_str(), k)).collect();
        for (k, unit) in self.units.iter().enumerate() {
            let dots = unit.path.match_indices('.').map(|(dot, _)| &unit.path[..dot]);
            let clash = dots.chain([unit.path.as_str()]).filter_map(|path| paths.get(path)).find(|other| **other != k);
            if let Some(other) = clash {
                let problem = format!("\"{}\" cannot be told from \"{}\"", unit.path, self.units[*other].path);
                return Err(unit.component.place.refuse(problem, "rename one of the elements"));
            }
        }
        Ok(())
    }
}

/// Whether a connector gives values (true) or takes them within a system, by SSP 1.0, section 5.3.2.1: those of the system itself are seen from inside.
fn flow(is_of_system: bool, kind: Kind) -> Option<bool> {
    match kind {
        Kind::Input | Kind::Parameter | Kind::StructuralParameter => Some(is_of_system),
        Kind::Output | Kind::CalculatedParameter | Kind::Constant | Kind::Local => Some(!is_of_system),
        Kind::Inout | Kind::Unspecified => None,
    }
}

/// A connector of a component beside the variable of its FMU: its kind, and the unit of the values that pass.
fn matched(unit: &mut Unit<'_>, connector: &Connector, notes: &mut Notes) -> Result<(Kind, Option<Named>), Error> {
    let Some(variable) = unit.variable(&connector.name) else {
        let known = unit.fmu.variables.iter().map(|variable| &variable.name);
        return Err(unknown(
            &format!("variable of the FMU {}", unit.component.source),
            &connector.name,
            known,
            &connector.place,
        ));
    };
    let kind = match variable.causality {
        FmuCausality::Input => Kind::Input,
        FmuCausality::Output => Kind::Output,
        FmuCausality::Parameter => Kind::Parameter,
        FmuCausality::CalculatedParameter => Kind::CalculatedParameter,
        FmuCausality::StructuralParameter => Kind::StructuralParameter,
        FmuCausality::Local | FmuCausality::Independent => Kind::Local,
    };
    let differs = matches!(connector.kind, Kind::Input | Kind::Output) || matches!(kind, Kind::Input | Kind::Output);
    if connector.kind != kind && differs && connector.kind != Kind::Unspecified && connector.kind != Kind::Constant {
        let problem =
            format!("\"{}\" is {} here and {} in the FMU", connector.name, connector.kind.name(), kind.name());
        return Err(connector.place.refuse(problem, format!("write kind=\"{}\"", kind.name())));
    }
    if let Some(own) = connector.value.filter(|own| !agrees(*own, variable.kind)) {
        let problem = format!("\"{}\" is {own:?} here and {} in the FMU", connector.name, variable.kind.name());
        if !(is_number(own) && variable.kind.is_number()) {
            return Err(connector.place.refuse(problem, "write the type of the FMU"));
        }
        notes.add(&connector.place, problem);
    }
    let kind = if connector.kind == Kind::Unspecified { kind } else { connector.kind };
    let (passing, instead) = passing(variable, connector, notes);
    let exchanged =
        variable.kind.is_number() && matches!(variable.causality, FmuCausality::Input | FmuCausality::Output);
    if let Some(label) = instead.filter(|_| exchanged) {
        let name = variable.name.clone();
        unit.units.insert(name, label);
    }
    Ok((kind, passing))
}

/// The unit of the numbers that the FMU takes or gives, and the label for it where that of the FMU does not do.
fn passing(variable: &FmuVariable, connector: &Connector, notes: &mut Notes) -> (Option<Named>, Option<String>) {
    let named = |unit| Named { name: variable.unit.clone(), unit };
    let known = Measure::parse(&variable.unit).ok().filter(|_| !variable.unit.is_empty());
    let own = variable.measure.or(known).map(named);
    // Only units that fourbar knows by their names leave the numbers as they are.
    let is_plain = match (&known, &variable.measure) {
        (Some(known), Some(measure)) => same(known, measure),
        (_, measure) => measure.is_none(),
    };
    let label = |unit: &Named| match Measure::parse(&unit.name) {
        Ok(known) if same(&known, &unit.unit) => unit.name.clone(),
        _ => String::new(),
    };
    match &connector.unit {
        Some(unit) => {
            if let Some(own) = own.as_ref().filter(|own| !same(&own.unit, &unit.unit)) {
                let theirs = if own.name == unit.name { "another one of this name" } else { &own.name };
                let words = format!("the unit of \"{}\" is {} here and {theirs} in the FMU", connector.name, unit.name);
                notes.add(&connector.place, format!("{words}: that of the structure counts"));
            }
            let is_own = is_plain && own.as_ref().is_some_and(|own| same(&own.unit, &unit.unit));
            (Some(unit.clone()), (!is_own).then(|| label(unit)))
        }
        None => {
            let instead = (!is_plain).then(|| own.as_ref().map(label).unwrap_or_default());
            (own, instead)
        }
    }
}

fn is_number(own: Type) -> bool {
    !matches!(own, Type::Text | Type::Other(_))
}

/// Whether a type of the structure is that of the FMU.
fn agrees(own: Type, fmu: FmuType) -> bool {
    match own {
        Type::Real => fmu.is_float(),
        Type::Boolean => fmu == FmuType::Boolean,
        Type::Enumeration => matches!(fmu, FmuType::Enumeration32 | FmuType::Enumeration64),
        Type::Text => fmu == FmuType::String,
        Type::Integer => fmu.is_number() && !fmu.is_float() && fmu != FmuType::Boolean,
        // FMI 2.0 has texts for bytes.
        Type::Other(_) => !fmu.is_number(),
    }
}
