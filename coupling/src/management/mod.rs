//! The management layer (R6, R7, R15 to R18): relations, common time, faults, and the loop over the communication points.
//!
//! It takes its settings from the application above and reports to it through [`Observer`]; downwards it alone moves the interfaces.

mod acceleration;
mod adaptive;
mod answers;
mod catalogue;
mod clock;
mod connection;
mod dependency;
mod discrete;
mod estimate;
mod events;
mod exchange;
mod faults;
mod iteration;
mod master;
mod nesting;
mod network;
mod newton;
mod observer;
mod opening;
mod options;
mod order;
#[cfg_attr(not(feature = "clock"), path = "no_pacer.rs")]
mod pacer;
mod pacing;
mod parameters;
mod partner;
mod port;
mod recovery;
mod saving;
mod scale;
mod setup;
mod start;
mod statistics;
mod sweep;

pub use crate::function::{Fallback, Handling, Level};
pub use catalogue::{Catalogue, ConnectionFault};
pub use clock::Clock;
pub use connection::{Connection, ConnectionPart};
pub use estimate::ErrorEstimate;
pub use faults::{FaultPolicy, Report};
pub use master::Master;
pub use observer::{Observer, Proceed, RunState, View};
pub use options::{Acceleration, Adaptive, Algorithm, Options, Order};
pub use pacing::{Pacing, PacingStatistics};
pub use partner::Partner;
pub use port::{Port, PortEnergy};
pub use saving::Checkpoint;
pub use statistics::{PartnerCost, Statistics};
