//! Complementarity problems as data: made once, checked at the door, written to and read from JSON so that a failing one can be replayed.
//!
//! A problem knows no method. Its numbers are finite and its shapes agree from the moment it exists; solvers do not ask again.

pub mod friction;
pub mod friction_global;
mod json;
pub mod lcp;
pub mod mixed;

pub use friction::FrictionProblem;
pub use friction_global::{FreeBody, GlobalBilateral, GlobalContact, GlobalFriction};
pub use lcp::Lcp;
pub use mixed::MixedLcp;

use crate::Error;

/// Refuses the first number of a column-major matrix (or of a vector, one column) that is not finite.
pub(crate) fn finite(what: &'static str, values: &[f64], rows: usize) -> Result<(), Error> {
    match values.iter().position(|value| !value.is_finite()) {
        None => Ok(()),
        Some(place) => {
            let (row, column) = (place % rows.max(1), place / rows.max(1));
            Err(Error::NotFinite { what, row, column, value: values[place] })
        }
    }
}

/// Refuses a matrix of the wrong shape.
pub(crate) fn shape(what: &'static str, found: (usize, usize), expected: (usize, usize)) -> Result<(), Error> {
    if found == expected { Ok(()) } else { Err(Error::Shape { what, found, expected }) }
}
