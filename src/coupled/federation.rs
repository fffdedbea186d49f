//! A coupled model in a federation of HELICS: its outputs are published, some of its inputs are received.

#[cfg(feature = "helics")]
use super::{AlgorithmName, ConnectionModel, CoupledModel, CoupledSettings, Place, SimulatorKind, SimulatorModel};
use crate::Error;
use fourbar_coupling::Simulator;
use fourbar_multibody::expression::Expression;
#[cfg(feature = "helics")]
use fourbar_multibody::{Location, ModelError};
use std::collections::BTreeMap;

/// A federation as a simulator of a coupled model.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct FederationModel {
    /// Name of the federate.
    pub name: String,
    /// Kind of connection; that of HELICS if empty.
    pub core: String,
    /// Address of the broker; one on this computer if empty.
    pub broker: String,
    /// Communication step \[s\].
    pub step: f64,
    /// Time on the clock within which the others must answer \[s\].
    pub time_limit: f64,
    /// What is published and received.
    pub variables: Vec<FederationVariable>,
    /// None: it has no parameters.
    pub parameters: BTreeMap<String, Expression>,
}

/// A value that passes between the model and the federation.
#[derive(Debug, Clone, PartialEq)]
pub struct FederationVariable {
    /// Name of the publication or input, after that of the federate and a slash.
    pub name: String,
    /// Unit.
    pub unit: String,
    /// Value at the start \[unit\].
    pub start: f64,
    /// Whether it is received: an input of the model.
    pub received: bool,
    /// The publication that feeds it, `FEDERATE/KEY`; none if the broker links it.
    pub target: Option<String>,
}

impl FederationModel {
    #[cfg(feature = "helics")]
    pub(super) fn simulator(&self) -> Result<Box<dyn Simulator>, Error> {
        use fourbar_coupling::Variable;
        use fourbar_coupling::partner::helics::{Exchanged, FederateOptions, Federation};
        let options = FederateOptions {
            name: self.name.clone(),
            core: self.core.clone(),
            broker: self.broker.clone(),
            step: self.step,
            time_limit: std::time::Duration::try_from_secs_f64(self.time_limit).unwrap_or(std::time::Duration::MAX),
        };
        let exchanged = |own: &FederationVariable| {
            let variable = if own.received { Variable::output } else { Variable::input };
            Exchanged { variable: variable(&own.name, &own.unit).start(own.start), target: own.target.clone() }
        };
        let exchanged: Vec<Exchanged> = self.variables.iter().map(exchanged).collect();
        Ok(Box::new(Federation::join(&options, &exchanged).map_err(fourbar_coupling::Error::from)?))
    }

    #[cfg(not(feature = "helics"))]
    pub(super) fn simulator(&self) -> Result<Box<dyn Simulator>, Error> {
        Err(Error::Hosted {
            simulator: self.name.clone(),
            words: "this build has no federations; enable the feature `helics`".to_owned(),
        })
    }
}

/// How a model takes part in a federation.
#[cfg(feature = "helics")]
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Federate {
    /// Name of the federate.
    pub name: String,
    /// Kind of connection, `zmq`, `tcp`, `ipc`; that of HELICS if empty.
    pub core: String,
    /// Address of the broker; one on this computer if empty.
    pub broker: String,
    /// Inputs of the model that are received, `simulator.input`, and the publications of others that feed them, `FEDERATE/KEY`; none where the
    /// broker links them.
    pub links: Vec<(String, Option<String>)>,
    /// Time on the clock within which the others must answer \[s\].
    pub time_limit: f64,
}

/// Name of the federation among the simulators.
#[cfg(feature = "helics")]
const FEDERATION: &str = "federation";

#[cfg(feature = "helics")]
impl CoupledModel {
    /// The model with the federation as one more simulator, which is stepped last.
    ///
    /// # Errors
    /// As [`CoupledModel::master`]; [`Error::CoupledModel`] for an input that does not exist or that a connection feeds, for an algorithm other than
    /// `gauss_seidel`, and for a communication step that is not fixed.
    pub fn federated(&self, federate: &Federate, overrides: &CoupledSettings) -> Result<Self, Error> {
        let settled = super::Settled::new(self, overrides).map_err(Error::CoupledModel)?;
        let fault = |field: &str, problem: &str, remedy: &str| {
            Error::CoupledModel(ModelError::new(super::settled::field(field), problem, remedy))
        };
        let algorithm = overrides.algorithm.or(self.simulation.algorithm).unwrap_or_default();
        if algorithm != AlgorithmName::GaussSeidel {
            let problem = "a federation is stepped last, with the values that the others have then";
            return Err(fault("algorithm", problem, "leave it out, or write `gauss_seidel`"));
        }
        if settled.options.adaptive.is_some() {
            let problem = "a federation has a fixed communication step";
            return Err(fault("adaptive", problem, "leave it out"));
        }
        let mut master = self.master(overrides)?;
        master.initialize(&mut ())?;
        let mut model = self.clone();
        let variables = self.exchanged(&master, federate, &mut model.connections)?;
        let sequence = master.sequence().map(str::to_owned).chain([FEDERATION.to_owned()]).collect();
        let kind = SimulatorKind::Federation(Box::new(FederationModel {
            name: federate.name.clone(),
            core: federate.core.clone(),
            broker: federate.broker.clone(),
            step: settled.options.step,
            time_limit: federate.time_limit,
            variables,
            parameters: BTreeMap::new(),
        }));
        let (name, parameters) = (FEDERATION.to_owned(), BTreeMap::new());
        model.simulators.push(SimulatorModel {
            name,
            kind,
            file: None,
            parameters,
            place: Place::default(),
            reactions: None,
        });
        model.simulation.sequence = sequence;
        Ok(model)
    }

    /// All outputs, and the inputs that nothing feeds, connected with the federation.
    fn exchanged(
        &self,
        master: &fourbar_coupling::Master,
        federate: &Federate,
        connections: &mut Vec<ConnectionModel>,
    ) -> Result<Vec<FederationVariable>, Error> {
        let far = |name: &str| format!("{FEDERATION}.{name}");
        let connection = |from: String, to: String| ConnectionModel {
            from,
            to,
            gain: None,
            offset: None,
            nominal: None,
            is_converted: false,
        };
        let mut variables = Vec::new();
        for (name, unit) in master.output_names().into_iter().zip(master.output_units()) {
            let start = master.output(&name)?;
            connections.push(connection(name.clone(), far(&name)));
            variables.push(FederationVariable { name, unit, start, received: false, target: None });
        }
        let inputs: Vec<(String, String)> = master.input_names().into_iter().zip(master.input_units()).collect();
        let open = |name: &String| self.connections.iter().all(|connection| connection.to != *name);
        for (k, (name, _)) in federate.links.iter().enumerate() {
            let place = Location { section: "", index: 0, name: String::new(), field: String::new() };
            if !inputs.iter().any(|(known, _)| known == name) {
                let known = inputs.iter().map(|(known, _)| known.as_str());
                return Err(Error::CoupledModel(ModelError::unknown("input", name, known, &place)));
            }
            if federate.links[..k].iter().any(|(other, _)| other == name) {
                let problem = format!("the input `{name}` is linked twice");
                return Err(Error::CoupledModel(ModelError::new(place, problem, "take one of the two out")));
            }
            if !open(name) {
                let problem = format!("the input `{name}` is fed by a connection of the model");
                return Err(Error::CoupledModel(ModelError::new(place, problem, "take one of the two out")));
            }
        }
        for (name, unit) in inputs {
            // The others keep the values that the model gives them.
            let Some((_, target)) = federate.links.iter().find(|(input, _)| *input == name) else { continue };
            connections.push(connection(far(&name), name.clone()));
            let start = master.input_start(&name)?;
            variables.push(FederationVariable { name, unit, start, received: true, target: target.clone() });
        }
        Ok(variables)
    }
}
