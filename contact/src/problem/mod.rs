//! Complementarity problems as data: made once, checked at the door, written to and read from JSON so that a failing one can be replayed.
//!
//! A problem knows no method. Its numbers are finite and its shapes agree from the moment it exists; solvers do not ask again.

mod checks;
pub mod friction;
pub mod friction_global;
mod json;
pub mod lcp;
pub mod mixed;

pub(crate) use checks::{finite, shape};
pub use friction::FrictionProblem;
pub use friction_global::{FreeBody, GlobalBilateral, GlobalContact, GlobalFriction};
pub use lcp::Lcp;
pub use mixed::MixedLcp;
