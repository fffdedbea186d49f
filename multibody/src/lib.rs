//! Mechanisms as differential-algebraic equations, and the stiff integrators that solve them.

pub mod analysis;
mod compile;
pub mod constraint;
pub mod dae;
pub mod drive;
pub mod error;
pub mod expression;
pub mod force;
pub mod formulation;
pub mod integrator;
pub mod measure;
pub mod mechanism;
pub mod model;
pub mod orientation;
pub mod space;
pub mod state;

pub use analysis::{Dynamics, DynamicsOptions, EnergyBalance, Violation};
pub use compile::{INTEGRATORS, Simulation};
pub use error::{Error, Location, ModelError};
pub use formulation::{Equations, Formulation};
pub use mechanism::Mechanism;
pub use model::Model;
pub use state::State;
