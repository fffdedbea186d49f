//! What can go wrong, with the place, the value and the remedy.

use crate::text::Brief;

/// Why a linear-algebra call could not be carried out.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A computation was ended from outside.
    #[error("the computation was interrupted; lower the flag and call again")]
    Interrupted,
    /// A slice or matrix does not have the size the object was made for.
    #[error(
        "{what} has length {found}, expected {expected}; pass one value per entry of the pattern, one per row or column"
    )]
    Length {
        /// The argument concerned.
        what: &'static str,
        /// Its length.
        found: usize,
        /// The length it must have.
        expected: usize,
    },
    /// A square matrix is needed.
    #[error("the matrix has {rows} rows and {columns} columns; a factorization needs a square matrix")]
    NotSquare {
        /// Number of rows.
        rows: usize,
        /// Number of columns.
        columns: usize,
    },
    /// A NaN or an infinity in the values of a matrix.
    #[error(
        "entry ({row}, {column}) of the {matrix} is {value}; a matrix must be finite, so correct whatever evaluated it"
    )]
    NotFinite {
        /// The matrix concerned.
        matrix: &'static str,
        /// Row of the entry.
        row: usize,
        /// Column of the entry.
        column: usize,
        /// Its value.
        value: f64,
    },
    /// A NaN or an infinity in a right-hand side.
    #[error("entry {index} of the {vector} is {value}; it must be finite, so correct whatever evaluated it")]
    NotFiniteVector {
        /// The vector concerned.
        vector: &'static str,
        /// Index of the entry.
        index: usize,
        /// Its value.
        value: f64,
    },
    /// A row depends on the others, to working precision.
    #[error(
        "the matrix of order {dimension} is singular: elimination leaves row {row} and column {column} without a pivot (the best is {pivot} of the terms it is the difference of); an equation is redundant or an unknown undetermined",
        pivot = Brief(*.pivot)
    )]
    Singular {
        /// A row without pivot.
        row: usize,
        /// A column without pivot.
        column: usize,
        /// What is left as pivot, relative to the terms it is the difference of; 0 when nothing is left.
        pivot: f64,
        /// Number of rows.
        dimension: usize,
    },
    /// The factors leave the range of floating-point numbers although the matrix is finite.
    #[error("the factors overflow although the matrix is finite; choose units in which its entries are closer to one")]
    Overflow,
    /// The solution does not satisfy the equations, even with freshly chosen pivots and one step of refinement.
    #[error(
        "backward error {backward_error} after fresh pivoting and refinement exceeds {limit}; the matrix is singular to \
         working precision, so look for redundant equations or badly scaled unknowns",
        backward_error = Brief(*.backward_error), limit = Brief(*.limit)
    )]
    Inaccurate {
        /// Backward error reached.
        backward_error: f64,
        /// Largest backward error accepted.
        limit: f64,
    },
    /// A number in the options lies outside its range.
    #[error("option {name} is {value}; it must lie in {range}", value = Brief(*.value))]
    Option {
        /// Name of the option.
        name: &'static str,
        /// Value given.
        value: f64,
        /// Range allowed.
        range: &'static str,
    },
    /// The matrix is too large for the index type of the factors.
    #[error("{what} needs {found} entries, more than the {limit} that the factors can index; split the system")]
    TooLarge {
        /// What overflowed.
        what: &'static str,
        /// The size needed.
        found: usize,
        /// The largest size.
        limit: usize,
    },
    /// What a factorization keeps does not fit into memory.
    #[error(
        "there is no memory for {what} of {entries} entries; give a pattern with fewer entries, or split the system"
    )]
    Memory {
        /// What it is.
        what: &'static str,
        /// Its entries.
        entries: usize,
    },
}

/// Checks a slice length at the door.
pub(crate) fn check_length(what: &'static str, found: usize, expected: usize) -> Result<(), Error> {
    if found == expected { Ok(()) } else { Err(Error::Length { what, found, expected }) }
}

/// Checks that a vector is finite.
pub(crate) fn check_finite(vector: &'static str, values: &[f64]) -> Result<(), Error> {
    match values.iter().position(|v| !v.is_finite()) {
        None => Ok(()),
        Some(index) => Err(Error::NotFiniteVector { vector, index, value: values[index] }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every text names all its figures and ends with the remedy.
    #[test]
    fn texts_carry_every_field() {
        let cases = [
            (Error::Length { what: "values", found: 7, expected: 9 }, vec!["values", "7", "9"]),
            (Error::NotSquare { rows: 7, columns: 9 }, vec!["7", "9"]),
            (Error::NotFinite { matrix: "mass", row: 7, column: 9, value: f64::NAN }, vec!["mass", "7", "9", "NaN"]),
            (Error::NotFiniteVector { vector: "rhs", index: 7, value: f64::INFINITY }, vec!["rhs", "7", "inf"]),
            (Error::Singular { row: 7, column: 9, pivot: 3e-17, dimension: 11 }, vec!["7", "9", "3e-17", "11"]),
            (Error::Overflow, vec!["overflow"]),
            (Error::Inaccurate { backward_error: 2e-3, limit: 1e-6 }, vec!["0.002", "1e-6"]),
            (Error::Option { name: "tolerance", value: -1.5, range: "[0, 1)" }, vec!["tolerance", "-1.5", "[0, 1)"]),
            (Error::TooLarge { what: "L", found: 7, limit: 5 }, vec!["L", "7", "5"]),
            (Error::Memory { what: "the programme", entries: 7 }, vec!["the programme", "7", "pattern"]),
        ];
        for (error, words) in cases {
            let text = error.to_string();
            assert!(words.iter().all(|word| text.contains(word)), "{text}");
            assert!(text.contains([';', ',']), "no remedy: {text}");
        }
    }
}
