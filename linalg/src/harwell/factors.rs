//! LU factors with pivots chosen for the values at hand.

use crate::{
    error::{Error, check_finite, check_length},
    markowitz::{self, Elimination, Entry, Rule, Stability},
    scaling::{Scaling, check_matrix, scale},
};
use nalgebra_sparse::{CscMatrix, CsrMatrix};

/// u: smallest admissible pivot relative to its line.
pub(super) const THRESHOLD: f64 = 0.1;

/// Lines looked at before the best pivot found is taken.
pub(super) const SEARCH: usize = 4;

/// Sparse elimination with pivots searched afresh: [`Harwell::factor`] and [`Harwell::rank`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[doc(alias("Markowitz", "MA28", "rank-revealing LU"))]
pub struct Harwell;

impl Harwell {
    /// LU factors of a square matrix, pivots chosen for its values.
    ///
    /// Singular means that no pivot is left but exact zeros; [`Harwell::rank`] decides about near-singular ones.
    ///
    /// # Errors
    /// A matrix that is not square, not finite or singular.
    pub fn factor(matrix: &CscMatrix<f64>) -> Result<HarwellFactors, Error> {
        let n = matrix.nrows();
        if n != matrix.ncols() {
            return Err(Error::NotSquare { rows: n, columns: matrix.ncols() });
        }
        let matrix = CsrMatrix::from(matrix);
        let entries = || matrix.triplet_iter().map(|(i, j, &value)| (i, j, value));
        check_matrix("matrix", entries())?;
        let scaling = Scaling::new(n, n, entries());
        let mut rows: Vec<Vec<Entry>> = vec![Vec::new(); n];
        for (i, j, value) in entries() {
            rows[i].push((j as u32, scaling.apply(i, j, value)));
        }
        let rule =
            Rule { threshold: THRESHOLD, stability: Stability::Row, search: SEARCH, drop: Some(0.0), least: 0.0 };
        let elimination = markowitz::eliminate(rows, n, rule)?;
        if elimination.pivots.len() < n {
            return Err(elimination.singular(n));
        }
        Ok(HarwellFactors { elimination, scaling })
    }
}

/// LU factors of a square matrix.
#[derive(Debug)]
pub struct HarwellFactors {
    elimination: Elimination,
    scaling: Scaling,
}

impl HarwellFactors {
    /// Solves A x = b in place.
    ///
    /// # Errors
    /// A right-hand side of the wrong length or not finite.
    pub fn solve(&self, b: &mut [f64]) -> Result<(), Error> {
        let e = &self.elimination;
        check_length("b", b.len(), e.pivots.len())?;
        check_finite("right-hand side", b)?;
        let mut y = vec![0.0; b.len()];
        for (k, &(i, _)) in e.pivots.iter().enumerate() {
            let start = scale(b[i as usize], self.scaling.row_power(i as usize));
            y[k] = e.lower[i as usize].iter().fold(start, |sum, &(k, l)| sum - l * y[k as usize]);
        }
        for (k, &(i, j)) in e.pivots.iter().enumerate().rev() {
            let sum = e.upper[i as usize].iter().fold(y[k], |sum, &(j, u)| sum - u * b[j as usize]);
            b[j as usize] = sum / e.values[k];
        }
        for (j, x) in b.iter_mut().enumerate() {
            *x = scale(*x, self.scaling.column_power(j));
        }
        Ok(())
    }
}
