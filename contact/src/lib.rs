//! Unilateral constraints on mechanisms: complementarity problems and their solvers, impacts, friction, projection.
//!
//! In reading order: [`unilateral`] (what a contact is, as rows over the velocities of two bodies); [`model`] and [`pair`] (contacts
//! as data, and the gap functions compiled from it), [`penalty`] (the alternative of stiff springs).
#![forbid(unsafe_code)]

pub mod configuration;
mod dense;
pub mod error;
pub mod event;
pub mod friction;
pub mod impact;
pub mod law;
pub mod model;
pub mod pair;
pub mod penalty;
pub mod problem;
mod residual;
mod scaling;
pub mod projection;
mod shape;
pub mod solution;
pub mod stepping;
pub mod solver;
pub mod unilateral;

pub use error::Error;
