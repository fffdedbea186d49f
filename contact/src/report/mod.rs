//! What a reader of the results should know of a run with contacts, gathered step by step: the same of a mechanism that runs alone and of one
//! that is coupled.

mod events;
mod jumps;
mod misses;
mod steps;

pub use events::EventReport;
pub use steps::{StepReport, deepest};
