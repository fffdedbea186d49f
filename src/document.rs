//! A model of any kind.

use crate::circuit::CircuitModel;
use crate::coupled::{CoupledModel, SimulatorKind};
use crate::linear::LinearModel;
use crate::mechanism::MechanismModel;
use fourbar_multibody::expression::Expression;
use fourbar_multibody::model::{Model, Spline};
use fourbar_multibody::{Location, ModelError};

/// A model of any kind; in a file the key `type` at the top says which.
#[derive(Debug, Clone, PartialEq)]
pub enum Document {
    /// Bodies, joints, forces, contacts: `type = "mechanism"`, or no `type`.
    Mechanism(Box<MechanismModel>),
    /// Matrices, a block diagram or diffusion: `type = "linear"`.
    Linear(Box<LinearModel>),
    /// A hydraulic circuit: `type = "circuit"`.
    Circuit(Box<CircuitModel>),
    /// Simulators that exchange values while they run: `type = "coupled"`.
    Coupled(Box<CoupledModel>),
}

impl Document {
    /// The kinds by their names in files.
    pub const KINDS: [&'static str; 4] = ["mechanism", "linear", "circuit", "coupled"];

    /// Its kind by its name in files.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Mechanism(_) => "mechanism",
            Self::Linear(_) => "linear",
            Self::Circuit(_) => "circuit",
            Self::Coupled(_) => "coupled",
        }
    }

    /// Title.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Mechanism(mechanism) => &mechanism.model.name,
            Self::Linear(model) => &model.name,
            Self::Circuit(circuit) => &circuit.model.name,
            Self::Coupled(model) => &model.name,
        }
    }

    /// What the model shows.
    #[must_use]
    pub fn description(&self) -> &str {
        match self {
            Self::Mechanism(mechanism) => &mechanism.model.description,
            Self::Linear(model) => &model.description,
            Self::Circuit(circuit) => &circuit.model.description,
            Self::Coupled(model) => &model.description,
        }
    }

    /// Curves through points that its expressions name; those of simulators stand with them.
    #[must_use]
    pub fn splines(&self) -> &[Spline] {
        match self {
            Self::Mechanism(mechanism) => &mechanism.model.splines,
            Self::Linear(model) => &model.splines,
            Self::Circuit(circuit) => &circuit.model.splines,
            Self::Coupled(_) => &[],
        }
    }

    /// The mechanism, if it is one.
    #[must_use]
    pub fn mechanism(&self) -> Option<&MechanismModel> {
        match self {
            Self::Mechanism(mechanism) => Some(mechanism),
            _ => None,
        }
    }

    /// The linear system, if it is one.
    #[must_use]
    pub fn linear(&self) -> Option<&LinearModel> {
        match self {
            Self::Linear(model) => Some(model),
            _ => None,
        }
    }

    /// The hydraulic circuit, if it is one.
    #[must_use]
    pub fn circuit(&self) -> Option<&CircuitModel> {
        match self {
            Self::Circuit(circuit) => Some(circuit),
            _ => None,
        }
    }

    /// The coupled simulators, if it is such a model.
    #[must_use]
    pub fn coupled(&self) -> Option<&CoupledModel> {
        match self {
            Self::Coupled(model) => Some(model),
            _ => None,
        }
    }

    /// Has a simulator of a coupled model run on another computer, as its `host` says.
    ///
    /// # Errors
    /// A simulator that the model does not have, with the nearest name; a model of another kind.
    pub fn set_host(&mut self, simulator: &str, address: &str) -> Result<(), Box<ModelError>> {
        let location = Location { section: "", index: 0, name: String::new(), field: String::new() };
        let kind = self.kind();
        let Self::Coupled(model) = self else {
            let problem = format!("a {kind} model has no simulators");
            return Err(ModelError::new(location, problem, "name a coupled model"));
        };
        match model.simulators.iter_mut().find(|other| other.name == simulator) {
            Some(found) => found.place.host = Some(address.to_owned()),
            None => {
                let known = model.simulators.iter().map(|other| other.name.as_str());
                return Err(ModelError::unknown("simulator", simulator, known, &location));
            }
        }
        Ok(())
    }

    /// Gives the parameter `name` another value: a number or an expression of other parameters. `part.name` is the parameter of an included mechanism,
    /// or of the simulator of a coupled model; `part_2.name` that of the second of copies.
    ///
    /// # Errors
    /// A parameter that the model does not have, with the nearest name.
    pub fn set_parameter(&mut self, name: &str, value: Expression) -> Result<(), Box<ModelError>> {
        let parameters = match self {
            Self::Mechanism(model) => return model.set_parameter(name, value),
            Self::Linear(model) => &mut model.parameters,
            Self::Circuit(circuit) => &mut circuit.model.parameters,
            Self::Coupled(model) => {
                let found = model.simulators.iter_mut().find_map(|of| {
                    let own = name.strip_prefix(of.name.as_str())?.strip_prefix('.')?;
                    Some((of, own))
                });
                if let Some((simulator, name)) = found {
                    // Whether it has such a one is seen when it is compiled.
                    simulator.parameters.insert(name.to_owned(), value);
                    return Ok(());
                }
                &mut model.parameters
            }
        };
        match parameters.get_mut(name) {
            Some(own) => *own = value,
            None => {
                let location = Location { section: "", index: 0, name: String::new(), field: String::new() };
                return Err(ModelError::unknown("parameter", name, parameters.keys().map(String::as_str), &location));
            }
        }
        Ok(())
    }
}

impl Document {
    /// Gives a variable of an FMU a text, or the item of an enumeration, by `simulator.name`; whether there is such a simulator.
    pub fn set_text(&mut self, name: &str, text: &str) -> bool {
        let Self::Coupled(model) = self else { return false };
        let found = model.simulators.iter_mut().find_map(|of| {
            let own = name.strip_prefix(of.name.as_str())?.strip_prefix('.')?;
            Some((of, own))
        });
        let Some((simulator, name)) = found else { return false };
        let SimulatorKind::Fmu(fmu) = &mut simulator.kind else { return false };
        simulator.parameters.remove(name);
        fmu.parameters.remove(name);
        fmu.texts.insert(name.to_owned(), text.to_owned());
        true
    }
}

impl From<Model> for Document {
    fn from(model: Model) -> Self {
        MechanismModel::from(model).into()
    }
}

impl From<MechanismModel> for Document {
    fn from(mechanism: MechanismModel) -> Self {
        Self::Mechanism(Box::new(mechanism))
    }
}

impl From<CircuitModel> for Document {
    fn from(circuit: CircuitModel) -> Self {
        Self::Circuit(Box::new(circuit))
    }
}

impl From<CoupledModel> for Document {
    fn from(model: CoupledModel) -> Self {
        Self::Coupled(Box::new(model))
    }
}

impl From<LinearModel> for Document {
    fn from(model: LinearModel) -> Self {
        Self::Linear(Box::new(model))
    }
}
