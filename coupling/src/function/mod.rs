//! The function layer (R8): the simulators, a communication interface for each, and the interaction module between them.
//!
//! It knows neither the management layer above nor the application: no path here leads upwards.

mod call;
pub(crate) mod fault;
pub(crate) mod history;
pub(crate) mod interaction;
pub(crate) mod interface;
mod packet;
mod simulator;
pub(crate) mod waiting;
#[cfg_attr(not(feature = "clock"), path = "no_worker.rs")]
mod worker;

pub use fault::Fault;
pub use packet::Packet;
pub use simulator::{Capabilities, Causality, Description, Failure, Signal, Simulator, Snapshot, Variable};
pub use worker::is_partner_thread;
