//! Models as functional mock-up units (FMI 2.0.5, FMI 3.0.2): co-simulation slaves for the tools of others.
//!
//! A unit is an archive with a description, a shared library and resources. The library is that of the C ABI, the same for all models; the
//! resources are the files of the model, which the library reads when an importer instantiates the unit. Here is what both versions of the standard share:
//!
//! - [`Contents`]: the resources, and the token by which description and resources know each other;
//! - [`Variables`]: what an importer sees, with value references;
//! - [`Instance`]: a simulation under the hand of an importer, its states, checkpoints and errors;
//! - [`mod@description`] writes `modelDescription.xml`;
//! - `export`, with the feature `fmi-export`: the archive.
//!
//! The functions of the standard themselves are in the C ABI (`capi/src/fmi`).

mod contents;
pub mod description;
mod error;
mod exchange;
#[cfg(feature = "fmi-export")]
pub(crate) mod export;
mod instance;
mod motion;
mod parameters;
mod state;
mod variables;

pub use contents::{Contents, FmuInterface, Interfaces, LIBRARY_MARK};
pub use description::FmiVersion;
pub use error::Error;
pub use exchange::EventUpdate;
#[cfg(feature = "fmi-export")]
pub use export::{Export, LibraryFile};
pub use instance::{Advance, FmuCapabilities, Instance, Phase};
pub use state::State;
pub use variables::{Causality, FmuVariable, Variables};
