//! Sweeps: runs of one model with other values of its parameters, over the cores of a machine or as shards over many.
//!
//! A [`PlanFile`] says which model, which parameters, how its members are chosen and what is measured of each run. A [`Sweep`] is the plan with
//! its model, checked; [`Sweep::execute`] runs its members on threads and notes each in a journal, from which a sweep that was stopped goes
//! on. [`Sweep::search`] optimizes instead. The [`Results`] are in the order of the plan, equal bit for bit whatever the number of threads, the stops and the shards.
//! The format of plans is described in `docs/sweeps.md`.

mod check;
mod error;
mod execute;
mod journal;
mod measured;
mod members;
mod merge;
mod plan;
mod plan_file;
mod prepared;
mod report;
mod search;
mod shard;
mod side;
mod simplex;
mod subject;
mod table;
mod warnings;

pub use error::{MemberFailure, SweepError};
pub use execute::{Options, Progress};
pub use journal::MemberResult;
pub use members::{MOST_MEMBERS, MemberValues};
pub use merge::merge;
pub use plan::{Choice, Members, Optimize, Output, Parameter, Plan, Reduction, Scale, SearchMethod};
pub use plan_file::PlanFile;
pub use prepared::{MemberRun, Sweep};
pub use report::write_report;
pub use search::{Found, SearchEnd};
pub use shard::Shard;
pub use side::{failures_beside, journal_beside, side_beside};
pub use table::{Results, Row};
pub use warnings::SweepWarning;
