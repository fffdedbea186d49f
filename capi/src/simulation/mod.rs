//! Mechanisms stepped in the loop of the host.

pub mod analysis;
pub mod event;
pub mod formulation;
pub mod input;
pub mod options;
pub mod reading;
pub mod saving;
#[expect(clippy::module_inception, reason = "the object that gives the folder its name")]
pub mod simulation;
pub mod statistics;
pub mod switch;
