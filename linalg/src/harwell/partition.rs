//! Which coordinates depend on the others: a regular square part of a wide matrix whose rows are constraints.

use super::factors::{Harwell, SEARCH};
use crate::{
    error::Error,
    markowitz::{self, Entry, Rule, Stability},
    scaling::check_matrix,
};
use nalgebra_sparse::CsrMatrix;

/// u: smallest admissible pivot relative to its row. A dependent coordinate moves hardly further than what its row joins it with; of several that
/// are as good the one with the least fill is taken.
const THRESHOLD: f64 = 0.9;

/// Rows and columns of a regular square part of a matrix.
#[derive(Debug, Clone, PartialEq)]
pub struct Partition {
    /// Independent rows, ascending.
    pub rows: Vec<usize>,
    /// As many columns, ascending.
    pub columns: Vec<usize>,
    /// The smallest pivot relative to the largest, and its row; (1, 0) without rows.
    pub weakest: (f64, usize),
}

impl Harwell {
    /// Chooses independent rows of an m x n matrix and as many columns: of each row one whose entry, when its turn comes, is about the
    /// largest, so that solving for these columns gives moderate numbers.
    ///
    /// Entries are compared as they are: rows and columns should have been brought to common units. What elimination leaves below
    /// `tolerance` is zero. The work is proportional to the number of rows where these are loosely connected.
    ///
    /// # Errors
    /// Entries that are not finite, a tolerance out of range.
    pub fn partition(matrix: &CsrMatrix<f64>, tolerance: f64) -> Result<Partition, Error> {
        if !(0.0..1.0).contains(&tolerance) {
            return Err(Error::Option { name: "tolerance", value: tolerance, range: "[0, 1)" });
        }
        check_matrix("matrix", matrix.triplet_iter().map(|(i, j, &value)| (i, j, value)))?;
        let mut rows: Vec<Vec<Entry>> = Vec::with_capacity(matrix.nrows());
        for row in matrix.row_iter() {
            rows.push(row.col_indices().iter().zip(row.values()).map(|(&j, &value)| (j as u32, value)).collect());
        }
        let rule = Rule {
            threshold: THRESHOLD,
            stability: Stability::EveryRow,
            search: SEARCH,
            drop: Some(tolerance),
            least: 0.0,
        };
        let elimination = markowitz::eliminate(rows, matrix.ncols(), rule)?;
        let largest = elimination.values.iter().fold(0.0_f64, |max, v| v.abs().max(max));
        let pivots = elimination.pivots.iter().zip(&elimination.values);
        let weakest = pivots.fold((1.0, 0), |weakest, (&(row, _), value)| {
            let ratio = value.abs() / largest;
            if ratio < weakest.0 { (ratio, row as usize) } else { weakest }
        });
        let sorted = |pick: fn(&(u32, u32)) -> u32| {
            let mut line: Vec<usize> = elimination.pivots.iter().map(|pivot| pick(pivot) as usize).collect();
            line.sort_unstable();
            line
        };
        Ok(Partition { rows: sorted(|pivot| pivot.0), columns: sorted(|pivot| pivot.1), weakest })
    }
}
