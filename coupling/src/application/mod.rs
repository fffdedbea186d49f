//! The application layer's seam (R5, R9 to R14): settings go down as plain data, results and faults come up through an
//! [`Observer`](crate::Observer).
//!
//! A [`Session`] is what an operator's panel stands on: it keeps a run on a thread of its own, takes [`Settings`] and refuses them field by
//! field, starts, pauses, steps and stops, and lets any number of subscribers watch. [`Recorder`] keeps curves and faults in bounded
//! memory, [`FileRecorder`] writes them to disk while the run goes on. Session and file recorder need the feature `clock`.

#[cfg(feature = "clock")]
mod engine;
#[cfg(feature = "clock")]
mod file;
mod output;
#[cfg(feature = "parquet")]
mod parquet;
mod recorder;
#[cfg(feature = "clock")]
mod session;
mod settings;
#[cfg(feature = "clock")]
mod shared_state;
#[cfg(feature = "clock")]
mod sidecar;
mod table;

#[cfg(feature = "clock")]
pub use file::FileRecorder;
pub use output::{OutputFile, place, remove_leftovers, same};
#[cfg(feature = "parquet")]
pub use parquet::{ParquetTable, read_parquet};
pub use recorder::{Incident, Recorder};
#[cfg(feature = "clock")]
pub use session::{CommandError, Problem, Session, numbered};
pub use settings::{Field, Refusal, Settings};
#[cfg(feature = "clock")]
pub use shared_state::{SessionState, Status, Subscription, Update};
#[cfg(feature = "clock")]
pub use sidecar::Sidecar;
