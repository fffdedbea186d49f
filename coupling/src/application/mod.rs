//! The application layer's seam (R5, R9 to R14): settings go down as plain data, results and faults come up through an
//! [`Observer`](crate::Observer).
//!
//! A [`Session`] is what an operator's panel stands on: it keeps a run on a thread of its own, takes [`Settings`] and refuses them field by
//! field, starts, pauses, steps and stops, and lets any number of subscribers watch. [`Recorder`] keeps curves and faults in bounded
//! memory, [`FileRecorder`] writes them to disk while the run goes on.

mod engine;
mod file;
mod output;
#[cfg(feature = "parquet")]
mod parquet;
mod recorder;
mod session;
mod settings;
mod shared_state;
mod sidecar;
mod table;

pub use file::FileRecorder;
pub use output::{OutputFile, place, same};
#[cfg(feature = "parquet")]
pub use parquet::ParquetTable;
pub use recorder::{Incident, Recorder};
pub use session::{CommandError, Problem, Session, numbered};
pub use settings::{Field, Refusal, Settings};
pub use shared_state::{SessionState, Status, Subscription, Update};
pub use sidecar::Sidecar;
