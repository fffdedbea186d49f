//! Ready-made partners: explicit differential equations as closures, and linear systems stepped exactly.

mod linear;
mod ode;

pub use linear::Linear;
pub use ode::Ode;
