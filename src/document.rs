//! A model of any kind.

use crate::linear::LinearModel;
use crate::mechanism::MechanismModel;
use fourbar_multibody::model::Model;

/// A model of any kind; in a file the key `type` at the top says which.
#[derive(Debug, Clone, PartialEq)]
pub enum Document {
    /// Bodies, joints, forces, contacts: `type = "mechanism"`, or no `type`.
    Mechanism(Box<MechanismModel>),
    /// Matrices, a block diagram or diffusion: `type = "linear"`.
    Linear(Box<LinearModel>),
}

impl Document {
    /// The kinds by their names in files.
    pub const KINDS: [&'static str; 2] = ["mechanism", "linear"];

    /// Its kind by its name in files.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Mechanism(_) => "mechanism",
            Self::Linear(_) => "linear",
        }
    }

    /// Title.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Mechanism(mechanism) => &mechanism.model.name,
            Self::Linear(model) => &model.name,
        }
    }

    /// What the model shows.
    #[must_use]
    pub fn description(&self) -> &str {
        match self {
            Self::Mechanism(mechanism) => &mechanism.model.description,
            Self::Linear(model) => &model.description,
        }
    }

    /// The mechanism, if it is one.
    #[must_use]
    pub fn mechanism(&self) -> Option<&MechanismModel> {
        match self {
            Self::Mechanism(mechanism) => Some(mechanism),
            Self::Linear(_) => None,
        }
    }

    /// The linear system, if it is one.
    #[must_use]
    pub fn linear(&self) -> Option<&LinearModel> {
        match self {
            Self::Linear(model) => Some(model),
            Self::Mechanism(_) => None,
        }
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

impl From<LinearModel> for Document {
    fn from(model: LinearModel) -> Self {
        Self::Linear(Box::new(model))
    }
}
