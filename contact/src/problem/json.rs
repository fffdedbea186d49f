//! Matrices as JSON: rows of numbers. An empty list stands for any matrix without entries.

use super::shape;
use crate::Error;
use nalgebra::{DMatrix, DMatrixView};

/// The rows of a matrix.
pub(super) fn rows(matrix: DMatrixView<'_, f64>) -> Vec<Vec<f64>> {
    matrix.row_iter().map(|row| row.iter().copied().collect()).collect()
}

/// A matrix of the expected shape from its rows.
pub(super) fn matrix(what: &'static str, rows: &[Vec<f64>], expected: (usize, usize)) -> Result<DMatrix<f64>, Error> {
    if expected.0 * expected.1 == 0 && rows.iter().all(Vec::is_empty) {
        return Ok(DMatrix::zeros(expected.0, expected.1));
    }
    let odd = rows.iter().find(|row| row.len() != expected.1).map_or(expected.1, Vec::len);
    shape(what, (rows.len(), odd), expected)?;
    Ok(DMatrix::from_fn(expected.0, expected.1, |i, j| rows[i][j]))
}
