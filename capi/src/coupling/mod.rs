//! Co-simulation: partners, connections, the loop over the communication steps, values and faults.

pub mod building;
mod failure;
pub(crate) use failure::of_model;
pub mod faults;
pub mod options;
pub mod parameters;
pub mod partner;
pub mod running;
pub mod saving;
mod stage;
pub mod values;
