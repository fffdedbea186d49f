//! Ready-made partners: explicit differential equations as closures, linear systems stepped exactly, implicit equations by a stiff
//! integrator.

mod linear;
mod ode;
mod stiff;

pub use linear::Linear;
pub use ode::Ode;
pub use stiff::{DrivenDae, Stiff};
