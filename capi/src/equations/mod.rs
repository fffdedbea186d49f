//! The equations of a compiled mechanism, open to integrators of the host and to the library's own.

pub(crate) mod columns;
pub mod coordinates;
pub mod evaluation;
pub mod matrices;
pub mod mechanism;
pub(crate) mod open;
pub mod shape;
