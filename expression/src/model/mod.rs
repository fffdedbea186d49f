//! What every model file has, whatever it describes: parameters and splines, names and units that are checked, and errors that say where they are.

mod check;
mod error;
mod location;
mod parameters;
mod source;
mod spline;

pub use check::{check_unit, unique};
pub use error::ModelError;
pub use location::Location;
pub use parameters::Parameters;
pub use source::SourceFile;
pub use spline::{Column, Ordinates, Spline};
