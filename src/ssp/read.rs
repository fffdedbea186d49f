//! A system structure description (SSP 1.0, section 5) read into [`Description`], with the files that it names.

use super::description::{Component, Connection, Connector, Description, Element as Part, End, Kind, System, Type};
use super::package::Package;
use super::settings;
use super::transformation::{TRANSFORMATIONS, Transformation};
use super::units::Definitions;
use super::values::bindings;
use super::xml::{Element, Notes, Text, with_root};
use crate::Error;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

/// Systems within systems: deeper ones are taken for one that holds itself.
const DEEPEST: usize = 32;
const ROOT: &str = "SystemStructureDescription";
/// What a root says: with section 4.3, who made it.
const ABOUT: [&str; 8] =
    ["version", "name", "author", "fileversion", "copyright", "license", "generationTool", "generationDateAndTime"];

/// The description in the file at `path`, its text, and what is not carried of it.
pub(super) fn read(path: &Path) -> Result<(Description, Arc<Text>, Vec<String>), Error> {
    let mut notes = Notes::default();
    let (package, text) = Package::open(path)?;
    let description = with_root(&text, ROOT, |root| {
        root.note_others(&["System", "Enumerations", "Units", "DefaultExperiment"], &ABOUT, &mut notes);
        Ok(Description {
            name: root.required("name")?.to_owned(),
            description: root.optional("description").unwrap_or_default().to_owned(),
            version: root.required("version")?.to_owned(),
            system: Reader::new(&package, root, &mut notes)?.root(root)?,
            times: experiment(root)?,
            settings: settings::of_structure(root)?,
        })
    })?;
    Ok((description, text, notes.finish()))
}

/// Start and end of the default experiment.
fn experiment(root: Element<'_>) -> Result<[Option<f64>; 2], Error> {
    let Some(node) = root.child("DefaultExperiment") else { return Ok([None; 2]) };
    let start: Option<f64> = node.number("startTime")?;
    let (stop, begin): (Option<f64>, f64) = (node.number("stopTime")?, start.unwrap_or(0.0));
    if !begin.is_finite() {
        return Err(node.place_of("startTime").refuse(format!("the start is {begin} s"), "write a finite time"));
    }
    match stop.filter(|stop| !(*stop > begin)) {
        Some(stop) => {
            let remedy = format!("write a time above {begin} s, where it starts");
            Err(node.place_of("stopTime").refuse(format!("the end is {stop} s"), remedy))
        }
        None => Ok([start, stop]),
    }
}

/// Reads one file; systems of others are read by readers of their own.
struct Reader<'a> {
    package: &'a Arc<Package>,
    definitions: Definitions,
    notes: &'a mut Notes,
    depth: usize,
}

impl<'a> Reader<'a> {
    fn new(package: &'a Arc<Package>, root: Element<'_>, notes: &'a mut Notes) -> Result<Self, Error> {
        Ok(Self { package, definitions: Definitions::read(root, notes)?, notes, depth: 0 })
    }

    /// The system of a file.
    fn root(&mut self, root: Element<'_>) -> Result<System, Error> {
        let node = root.child("System");
        let node = node.ok_or_else(|| root.refuse("the structure has no System", "write one as its first element"))?;
        self.system(node)
    }

    fn system(&mut self, node: Element<'_>) -> Result<System, Error> {
        let name = node.required("name")?.to_owned();
        let known = ["Connectors", "ParameterBindings", "Elements", "Connections"];
        node.note_others(&known, &["name"], self.notes);
        self.depth += 1;
        if self.depth > DEEPEST {
            let problem = format!("systems are nested more than {DEEPEST} deep");
            return Err(node.refuse(problem, "break the circle, if one holds itself"));
        }
        let mut names = BTreeSet::new();
        let mut elements = Vec::new();
        for child in node.child("Elements").into_iter().flat_map(Element::children) {
            let element = self.element(child)?;
            if !names.insert(element.name().to_owned()) {
                let problem = format!("the element \"{}\" is there twice", element.name());
                return Err(child.refuse(problem, "rename one"));
            }
            elements.push(element);
        }
        let connections = node.within("Connections", "Connection").map(|node| self.connection(node));
        let connections = connections.collect::<Result<_, _>>()?;
        self.depth -= 1;
        Ok(System {
            name,
            place: node.place(),
            connectors: self.connectors(node)?,
            bindings: bindings(node, self.package, self.notes)?,
            elements,
            connections,
        })
    }

    fn element(&mut self, node: Element<'_>) -> Result<Part, Error> {
        let element = match node.name() {
            "Component" => self.component(node)?,
            "System" => Part::System(self.system(node)?),
            name => {
                let remedy = "connect the components themselves, without a signal dictionary";
                return Err(node.refuse(format!("elements of the kind {name} are not carried"), remedy));
            }
        };
        if element.name().is_empty() {
            return Err(node.refuse("the name of the element is empty", "give it one"));
        }
        Ok(element)
    }

    fn component(&mut self, node: Element<'_>) -> Result<Part, Error> {
        let known = ["Connectors", "ParameterBindings"];
        node.note_others(&known, &["name", "type", "source", "implementation"], self.notes);
        let Some(source) = node.optional("source").filter(|source| !source.is_empty()) else {
            let problem = format!("the component \"{}\" has no source", node.required("name")?);
            return Err(node.refuse(problem, "name an FMU: source=\"resources/NAME.fmu\""));
        };
        match node.optional("type").unwrap_or("application/x-fmu-sharedlibrary") {
            "application/x-fmu-sharedlibrary" => self.unit(node, source),
            "application/x-ssp-definition" | "application/x-ssp-package" => self.structure(node, source),
            other => {
                let problem = format!("components of the type \"{other}\" cannot be run");
                let remedy = "name an FMU, a .ssd or a .ssp";
                Err(node.place_of("type").refuse(problem, remedy))
            }
        }
    }

    /// A functional mock-up unit.
    fn unit(&mut self, node: Element<'_>, source: &str) -> Result<Part, Error> {
        let (path, fragment) = self.package.resolve(source, &node.place_of("source"))?;
        if fragment.is_some() {
            let problem = format!("\"{source}\" names a part of a file");
            return Err(node.place_of("source").refuse(problem, "name the .fmu file alone"));
        }
        let exchange = match node.optional("implementation") {
            None | Some("any") => None,
            Some("CoSimulation") => Some(false),
            Some("ModelExchange") => Some(true),
            Some(other) => {
                let problem = format!("the implementation {other} cannot be run");
                let remedy = "choose CoSimulation, ModelExchange or any";
                return Err(node.place_of("implementation").refuse(problem, remedy));
            }
        };
        let (partner, process) = settings::of_component(node)?;
        Ok(Part::Component(Component {
            name: node.required("name")?.to_owned(),
            place: node.place(),
            source: source.to_owned(),
            path,
            package: Arc::clone(self.package),
            exchange,
            connectors: self.connectors(node)?,
            bindings: bindings(node, self.package, self.notes)?,
            partner,
            process,
        }))
    }

    /// Another structure, or a system of this file, in the place of a component: its bindings come after those of the system.
    fn structure(&mut self, node: Element<'_>, source: &str) -> Result<Part, Error> {
        let mut system = match source.strip_prefix('#') {
            Some(id) => {
                let found = node.with_id(id).filter(|found| found.name() == "System");
                let found = found.ok_or_else(|| {
                    let problem = format!("no system of this file has the id \"{id}\"");
                    node.place_of("source").refuse(problem, "correct the name behind #")
                })?;
                self.system(found)?
            }
            None => {
                let (package, text) = self.package.nested(source, &node.place_of("source"))?;
                let depth = self.depth;
                let notes = &mut *self.notes;
                with_root(&text, ROOT, |root| {
                    let mut reader = Reader::new(&package, root, notes)?;
                    reader.depth = depth + 1;
                    if reader.depth > DEEPEST {
                        let problem = format!("structures are nested more than {DEEPEST} deep");
                        return Err(node.refuse(problem, "break the circle, if one holds itself"));
                    }
                    reader.root(root)
                })?
            }
        };
        system.name = node.required("name")?.to_owned();
        system.place = node.place();
        system.bindings.extend(bindings(node, self.package, self.notes)?);
        Ok(Part::System(system))
    }

    fn connectors(&mut self, node: Element<'_>) -> Result<Vec<Connector>, Error> {
        let mut names = BTreeSet::new();
        let mut all = Vec::new();
        for child in node.within("Connectors", "Connector") {
            let connector = self.connector(child)?;
            if !names.insert(connector.name.clone()) {
                return Err(child.refuse(format!("the connector \"{}\" is there twice", connector.name), "remove one"));
            }
            all.push(connector);
        }
        Ok(all)
    }

    fn connector(&mut self, node: Element<'_>) -> Result<Connector, Error> {
        let types = Type::ELEMENTS.map(|(name, _)| name);
        let known = [&types[..], &["Dimension"]].concat();
        node.note_others(&known, &["name", "kind"], self.notes);
        let kind = node.optional("kind").unwrap_or("unspecified");
        let kind = Kind::NAMES.iter().find(|(name, _)| *name == kind).map(|(_, kind)| *kind).ok_or_else(|| {
            let names = Kind::NAMES.map(|(name, _)| name).join(", ");
            node.place_of("kind")
                .refuse(format!("a connector cannot be of the kind \"{kind}\""), format!("write one of: {names}"))
        })?;
        let typed = node.children().find_map(|child| {
            Type::ELEMENTS.iter().find(|(name, _)| *name == child.name()).map(|(_, kind)| (child, *kind))
        });
        let unit = typed.filter(|(_, kind)| *kind == Type::Real);
        let unit = unit.map(|(child, _)| self.definitions.unit(child)).transpose()?.flatten();
        let enumeration = typed.filter(|(_, kind)| *kind == Type::Enumeration);
        let enumeration = enumeration.map(|(child, _)| self.definitions.enumeration(child)).transpose()?.flatten();
        Ok(Connector {
            name: node.required("name")?.to_owned(),
            place: node.place(),
            kind,
            value: typed.map(|(_, kind)| kind),
            unit,
            enumeration,
            is_array: node.child("Dimension").is_some(),
        })
    }

    fn connection(&mut self, node: Element<'_>) -> Result<Connection, Error> {
        let known = ["startElement", "startConnector", "endElement", "endConnector", "suppressUnitConversion"];
        if let Some(name) = ["startIndices", "endIndices"].into_iter().find(|name| node.optional(name).is_some()) {
            let remedy = "connect each element by its name, `name[i]`";
            return Err(node.place_of(name).refuse("elements of arrays are not connected by indices", remedy));
        }
        node.note_others(&TRANSFORMATIONS, &known, self.notes);
        let end = |element, connector| {
            let element = node.optional(element).filter(|name| !name.is_empty()).map(str::to_owned);
            node.required(connector).map(|name| End { element, connector: name.to_owned() })
        };
        Ok(Connection {
            place: node.place(),
            ends: [end("startElement", "startConnector")?, end("endElement", "endConnector")?],
            suppress: node.flag("suppressUnitConversion")?.unwrap_or(false),
            transformation: Transformation::read(node)?,
            nominal: settings::of_connection(node)?,
        })
    }
}
