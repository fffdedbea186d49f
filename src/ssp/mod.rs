//! System structures and their parameters (SSP 1.0, and of 2.0 what has the same form): a structure of functional mock-up units is a coupled model.
//!
//! Source: System Structure and Parameterization 1.0.1 (Modelica Association, 2022). Sections are cited where they are followed.
//!
//! - `package`: the archive `.ssp`, or the folder of a `.ssd`, and the files that URIs name;
//! - `read`, `values`, `units`, `transformation`, `settings`: the files as `description`;
//! - `network`: elements and connectors beside the variables of the units;
//! - `parameters`, `signals`: which value goes where, at the start and while the run goes on;
//! - [`Structure`]: the coupled model, with the lines of the file for its faults.
//!
//! With the feature `fmi-export`, `write` makes an archive of a coupled model.

mod description;
mod network;
mod package;
mod parameters;
mod read;
mod settings;
mod signals;
mod structure;
mod transformation;
mod units;
mod values;
#[cfg(feature = "fmi-export")]
mod write;
mod xml;

pub(crate) use structure::load;
pub use structure::{Structure, is_structure};
#[cfg(feature = "fmi-export")]
pub use write::{Archive, WriteError};
