//! Ready-made partners: explicit differential equations as closures, linear systems stepped exactly, implicit equations by a stiff
//! integrator, hydraulic circuits among them; mechanisms.

mod circuit;
mod linear;
mod mechanism;
mod ode;
mod stiff;

pub use linear::Linear;
pub use mechanism::{ControlPlant, Mechanism, MechanismOptions, PlantVariable};
pub use ode::Ode;
pub use stiff::{DrivenDae, Stiff};
