//! FMI 3.0.2: `fmi3Functions.h`. Booleans of C are bytes here: what an importer hands over is not trusted to be 0 or 1.
#![allow(non_snake_case)]

mod clocks;
mod continuous;
mod lifecycle;
mod other_types;
mod state;
mod stepping;
mod values;

pub use clocks::*;
pub use continuous::*;
pub use lifecycle::*;
pub use other_types::*;
pub use state::*;
pub use stepping::*;
pub use values::*;
