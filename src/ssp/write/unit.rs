//! Simulators as functional mock-up units: exported, or copied where they are units already.

use super::error::WriteError;
use crate::coupled::{FmuModel, FmuUse, Place, SimulatorKind, SimulatorModel};
use crate::file::ModelFile;
use crate::fmi::description::identifier;
use crate::fmi::{Causality, Error as FmiError, Export, FmiVersion, LibraryFile};
use fourbar_coupling::partner::{Fmu, FmuCausality, FmuType, FmuVariable};
use fourbar_linalg::unit::Unit as Measure;
use fourbar_multibody::Parameters;
use fourbar_multibody::expression::Expression;
use std::io::Cursor;

/// A component of the archive.
pub(super) struct Unit {
    pub(super) name: String,
    /// Its file in the archive.
    pub(super) source: String,
    pub(super) bytes: Vec<u8>,
    pub(super) implementation: Option<&'static str>,
    pub(super) connectors: Vec<Connector>,
    /// Start values by name.
    pub(super) starts: Vec<(String, Start)>,
    pub(super) place: Place,
    pub(super) process: bool,
}

/// A variable of a unit as a connector.
pub(super) struct Connector {
    pub(super) name: String,
    /// Its name in the coupled model.
    pub(super) known_as: String,
    pub(super) kind: &'static str,
    pub(super) value: &'static str,
    pub(super) unit: Option<(String, Measure)>,
}

/// A start value.
pub(super) enum Start {
    Real(f64),
    Integer(i128),
    Boolean(bool),
    /// An item of an enumeration by name.
    Item(String),
    Text(String),
}

/// The simulator at `index` of the model in `file`, with its parameters as numbers.
pub(super) fn unit(
    file: &ModelFile,
    index: usize,
    simulator: &SimulatorModel,
    parameters: &Parameters<'_>,
    (version, library): (FmiVersion, &LibraryFile),
) -> Result<Unit, WriteError> {
    let kind = simulator.settled_kind(index, parameters)?;
    let mut unit = match &kind {
        SimulatorKind::Mechanism(_) | SimulatorKind::Circuit(_) | SimulatorKind::Linear(_) => {
            exported(file, index, simulator, &kind, (version, library))?
        }
        SimulatorKind::Fmu(fmu) => copied(simulator, fmu)?,
        other => return Err(WriteError::Simulator { name: simulator.name.clone(), kind: other.name() }),
    };
    let limit = simulator.place.time_limit.as_ref().map(|limit| {
        let location = simulator.location(index, "time_limit");
        parameters.number(limit, &location).map(Expression::constant)
    });
    let time_limit = limit.transpose().map_err(crate::Error::CoupledModel)?;
    unit.place = Place { time_limit, host: None, ..simulator.place.clone() };
    Ok(unit)
}

fn exported(
    file: &ModelFile,
    index: usize,
    simulator: &SimulatorModel,
    settled: &SimulatorKind,
    (version, library): (FmiVersion, &LibraryFile),
) -> Result<Unit, WriteError> {
    let cannot = || WriteError::Simulator { name: simulator.name.clone(), kind: simulator.kind.name() };
    let failed = |source: FmiError| WriteError::Unit { name: simulator.name.clone(), source: Box::new(source) };
    let mut own = file.simulator(index).ok_or_else(cannot)??;
    let mut settled = settled.clone();
    for name in simulator.parameters.keys() {
        let Some(value) = settled.parameters().get(name) else { continue };
        let model = |error| failed(crate::Error::CoupledModel(error).into());
        own.set_parameter(name, value.clone()).map_err(model)?;
    }
    let export = Export::new(&own, version).map_err(failed)?;
    let mut archive = Cursor::new(Vec::new());
    export.write(library, &mut archive).map_err(failed)?;
    let variables = export.instance().variables();
    let connectors = variables.all().iter().filter_map(|variable| {
        let kind = match variable.causality {
            Causality::Input => "input",
            Causality::Output => "output",
            Causality::Parameter => "parameter",
            // Units of structures are stepped, so that states and what belongs to them are no connectors.
            Causality::Independent
            | Causality::CalculatedParameter
            | Causality::State
            | Causality::Derivative
            | Causality::Indicator
            | Causality::Algebraic
            | Causality::Residual
            | Causality::Switch => return None,
        };
        // An output that has the name of an input has another one in the unit.
        let plain = variable.name.strip_suffix(" (output)").filter(|_| kind == "output");
        let unit = Measure::parse(&variable.unit).ok().filter(|_| !variable.unit.is_empty());
        Some(Connector {
            name: variable.name.clone(),
            known_as: plain.unwrap_or(&variable.name).to_owned(),
            kind,
            value: "Real",
            unit: unit.map(|unit| (variable.unit.clone(), unit)),
        })
    });
    let parameters = variables.with(Causality::Parameter);
    Ok(Unit {
        name: simulator.name.clone(),
        source: format!("resources/{}.fmu", identifier(&simulator.name)),
        connectors: connectors.collect(),
        starts: parameters.map(|(_, own)| (own.name.clone(), Start::Real(own.start))).collect(),
        bytes: archive.into_inner(),
        implementation: Some("CoSimulation"),
        place: Place::default(),
        process: false,
    })
}

fn copied(simulator: &SimulatorModel, fmu: &FmuModel) -> Result<Unit, WriteError> {
    let failed = |problem: String| WriteError::File { path: fmu.path.clone(), problem };
    let description = Fmu::inspect(&fmu.path).map_err(|error| failed(error.to_string()))?;
    let connectors = description.variables.iter().filter_map(|variable| connector(variable, fmu)).collect();
    let numbers = Parameters::of_any_names(&fmu.parameters, &[]).map_err(crate::Error::CoupledModel)?;
    let mut starts = Vec::new();
    for (name, expression) in &fmu.parameters {
        let number = numbers.get(name).unwrap_or_default();
        let array = name.rsplit_once('[').map_or(name.as_str(), |(array, _)| array);
        let variable = description.variable(name).or_else(|| description.variable(array));
        let start = match variable.map(|variable| variable.kind) {
            Some(kind) if kind.is_float() => Start::Real(number),
            Some(FmuType::Boolean) => Start::Boolean(number != 0.0),
            Some(_) => Start::Integer(expression.as_whole().unwrap_or(number as i128)),
            None => return Err(WriteError::Variable { name: format!("{}.{name}", simulator.name) }),
        };
        starts.push((name.clone(), start));
    }
    starts.extend(fmu.texts.iter().map(|(name, text)| {
        let is_text = description.variable(name).is_none_or(|variable| !variable.kind.is_number());
        (name.clone(), if is_text { Start::Text(text.clone()) } else { Start::Item(text.clone()) })
    }));
    Ok(Unit {
        name: simulator.name.clone(),
        source: format!("resources/{}.fmu", identifier(&simulator.name)),
        bytes: std::fs::read(&fmu.path).map_err(|error| failed(error.to_string()))?,
        implementation: fmu.interface.map(|own| match own {
            FmuUse::CoSimulation => "CoSimulation",
            // SSP has no word for residuals beside model exchange.
            FmuUse::ModelExchange | FmuUse::Dae => "ModelExchange",
        }),
        connectors,
        starts,
        place: Place::default(),
        process: fmu.process,
    })
}

/// A variable of a unit that is copied, where a structure may connect or set it.
fn connector(variable: &FmuVariable, fmu: &FmuModel) -> Option<Connector> {
    let kind = match variable.causality {
        FmuCausality::Input | FmuCausality::Output | FmuCausality::Parameter => variable.causality.name(),
        _ => return None,
    };
    let value = match variable.kind {
        kind if kind.is_float() => "Real",
        FmuType::Boolean => "Boolean",
        FmuType::String => "String",
        kind if kind.is_number() => "Integer",
        _ => return None,
    };
    if !variable.dimensions.is_empty() {
        return None;
    }
    let name = fmu.units.get(&variable.name).unwrap_or(&variable.unit);
    let own = variable.measure.filter(|_| *name == variable.unit);
    let unit = own.or_else(|| Measure::parse(name).ok()).filter(|_| !name.is_empty() && value == "Real");
    Some(Connector {
        name: variable.name.clone(),
        known_as: variable.name.clone(),
        kind,
        value,
        unit: unit.map(|unit| (name.clone(), unit)),
    })
}
