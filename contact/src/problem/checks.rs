//! What problems refuse.

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
