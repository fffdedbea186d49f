//! The functions of FMI 2.0.5 and FMI 3.0.2, co-simulation: with them the library is the binary of any unit that this project exports.
//!
//! What they do is in [`fourbar::fmi`]; here are the types of the two headers of the standard, pointers that are checked, and texts of errors on
//! their way to the logger of the importer. No panic leaves a function: it becomes the status "error", and the instance can only be freed.
//!
//! These functions are not in `fourbar.h`: importers have the headers of the standard.

mod component;
mod logger;
mod resources;
pub mod version2;
pub mod version3;
