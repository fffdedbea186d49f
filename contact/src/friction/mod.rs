//! Friction solved: Coulomb's law with its exact cone, sliding, spinning and rolling.
//!
//! In reading order: [`cone`] (the law).

pub mod cone;
mod local;

pub use cone::{Cone, Rows};
