//! The function layer (R8): the simulators, a communication interface for each, and the interaction module between them.
//!
//! It knows neither the management layer above nor the application: no path here leads upwards.

mod call;
mod carrying;
mod early;
pub(crate) mod fault;
mod handled;
pub(crate) mod history;
pub(crate) mod interaction;
pub(crate) mod interface;
pub(crate) mod leg;
mod packet;
mod parameter;
mod simulator;
mod snapshot;
pub(crate) mod spent;
mod text;
mod tuning;
pub(crate) mod waiting;
#[cfg_attr(not(feature = "clock"), path = "no_worker.rs")]
mod worker;

pub use fault::Fault;
pub use handled::{Fallback, Handled, Handling, Level};
pub use leg::end_of_step;
pub use packet::Packet;
pub use parameter::{Parameter, ParameterRefusal};
pub use simulator::{Capabilities, Causality, Description, Failure, Signal, Simulator, Variability, Variable};
pub use snapshot::Snapshot;
pub use spent::SolverCounts;
pub use text::Text;
pub use worker::is_partner_thread;
