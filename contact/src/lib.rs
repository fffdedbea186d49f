//! Unilateral constraints on mechanisms: complementarity problems and their solvers, impacts, friction, projection.
//!
//! In reading order: [`unilateral`] (what a contact is, as rows over the velocities of two bodies); [`model`] and [`pair`] (contacts
//! as data, and the gap functions compiled from it), [`penalty`] (the alternative of stiff springs);
//! [`law`] (impact laws on plain data), [`configuration`] (a mechanism factored, its contacts reduced), [`impact`], [`projection`],
//! [`stepping`] (fixed steps), [`event`] (event-driven).
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
