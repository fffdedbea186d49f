//! What a system structure says: systems of components and systems, connections, parameter bindings, all with their places.

use super::package::Package;
use super::transformation::Transformation;
use super::units::{Enumeration, Named};
use super::xml::Place;
use crate::coupled::{CoupledSettings, FaultSettings, Place as Partner, PortModel};
use std::path::PathBuf;
use std::sync::Arc;

/// A structure with what its file says beside the system.
#[derive(Debug)]
pub(super) struct Description {
    pub(super) name: String,
    pub(super) description: String,
    pub(super) version: String,
    pub(super) system: System,
    /// Start and end \[s\].
    pub(super) times: [Option<f64>; 2],
    pub(super) settings: Settings,
}

/// What an annotation of fourbar says of the run.
#[derive(Debug, Default)]
pub(super) struct Settings {
    pub(super) simulation: CoupledSettings,
    pub(super) faults: FaultSettings,
    pub(super) ports: Vec<PortModel>,
}

#[derive(Debug)]
pub(super) struct System {
    pub(super) name: String,
    pub(super) place: Place,
    pub(super) connectors: Vec<Connector>,
    pub(super) bindings: Vec<Binding>,
    pub(super) elements: Vec<Element>,
    pub(super) connections: Vec<Connection>,
}

#[derive(Debug)]
pub(super) enum Element {
    Component(Component),
    System(System),
}

impl Element {
    pub(super) fn name(&self) -> &str {
        match self {
            Self::Component(component) => &component.name,
            Self::System(system) => &system.name,
        }
    }
}

/// A functional mock-up unit as an element.
#[derive(Debug)]
pub(super) struct Component {
    pub(super) name: String,
    pub(super) place: Place,
    pub(super) source: String,
    pub(super) path: PathBuf,
    /// Keeps the file in its place.
    pub(super) package: Arc<Package>,
    pub(super) exchange: Option<bool>,
    pub(super) connectors: Vec<Connector>,
    pub(super) bindings: Vec<Binding>,
    pub(super) partner: Partner,
    pub(super) process: bool,
}

#[derive(Debug, Clone)]
pub(super) struct Connector {
    pub(super) name: String,
    pub(super) place: Place,
    pub(super) kind: Kind,
    pub(super) value: Option<Type>,
    pub(super) unit: Option<Named>,
    pub(super) enumeration: Option<Enumeration>,
    pub(super) is_array: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Input,
    Output,
    Parameter,
    CalculatedParameter,
    StructuralParameter,
    Constant,
    Local,
    Inout,
    Unspecified,
}

impl Kind {
    pub(super) const NAMES: [(&'static str, Self); 9] = [
        ("input", Self::Input),
        ("output", Self::Output),
        ("parameter", Self::Parameter),
        ("calculatedParameter", Self::CalculatedParameter),
        ("structuralParameter", Self::StructuralParameter),
        ("constant", Self::Constant),
        ("local", Self::Local),
        ("inout", Self::Inout),
        ("unspecified", Self::Unspecified),
    ];

    pub(super) fn name(self) -> &'static str {
        Self::NAMES.iter().find(|(_, kind)| *kind == self).map_or("", |(name, _)| name)
    }
}

/// What passes through a connector.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Type {
    Real,
    Integer,
    Boolean,
    Enumeration,
    Text,
    /// Bytes and clocks, which fourbar does not exchange.
    Other(&'static str),
}

impl Type {
    /// By the element of SSP 1.0 or 2.0.
    pub(super) const ELEMENTS: [(&'static str, Self); 17] = [
        ("Real", Self::Real),
        ("Float64", Self::Real),
        ("Float32", Self::Real),
        ("Integer", Self::Integer),
        ("Int8", Self::Integer),
        ("UInt8", Self::Integer),
        ("Int16", Self::Integer),
        ("UInt16", Self::Integer),
        ("Int32", Self::Integer),
        ("UInt32", Self::Integer),
        ("Int64", Self::Integer),
        ("UInt64", Self::Integer),
        ("Boolean", Self::Boolean),
        ("Enumeration", Self::Enumeration),
        ("String", Self::Text),
        ("Binary", Self::Other("Binary")),
        ("Clock", Self::Other("Clock")),
    ];
}

/// One end of a connection; without an element it is a connector of the system itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct End {
    pub(super) element: Option<String>,
    pub(super) connector: String,
}

#[derive(Debug)]
pub(super) struct Connection {
    pub(super) place: Place,
    pub(super) ends: [End; 2],
    pub(super) suppress: bool,
    pub(super) transformation: Option<Transformation>,
    pub(super) nominal: Option<f64>,
}

/// Parameters for an element, already under their mapped names.
#[derive(Debug)]
pub(super) struct Binding {
    pub(super) parameters: Vec<Parameter>,
}

#[derive(Debug, Clone)]
pub(super) struct Parameter {
    pub(super) name: String,
    pub(super) place: Place,
    pub(super) value: Value,
    pub(super) suppress: bool,
    pub(super) transformation: Option<Transformation>,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Value {
    Real(f64, Option<Named>),
    Integer(i128),
    Boolean(bool),
    /// An item by name; the enumeration if the file names it.
    Item(String, Option<Enumeration>),
    Text(String),
}
