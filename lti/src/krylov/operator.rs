//! Matrices that are only multiplied with: sparse, dense or never formed.

use fourbar_linalg::{CscMatrix, CsrMatrix};
use nalgebra::DMatrix;

use crate::Error;
use crate::error::all_finite;

/// A square matrix A \[1/s\] known by its products with vectors.
pub trait LinearOperator {
    /// n.
    fn dimension(&self) -> usize;

    /// `y` = A `x`; both have n values.
    fn apply(&self, x: &[f64], y: &mut [f64]);

    /// Refuses a matrix that cannot be multiplied with; called once, at the door.
    ///
    /// # Errors
    /// [`Error::MatrixShape`], [`Error::NotFinite`].
    fn check(&self) -> Result<(), Error> {
        Ok(())
    }
}

impl<A: LinearOperator + ?Sized> LinearOperator for &A {
    fn dimension(&self) -> usize {
        (**self).dimension()
    }

    fn apply(&self, x: &[f64], y: &mut [f64]) {
        (**self).apply(x, y);
    }

    fn check(&self) -> Result<(), Error> {
        (**self).check()
    }
}

impl LinearOperator for CsrMatrix<f64> {
    fn dimension(&self) -> usize {
        self.nrows()
    }

    fn apply(&self, x: &[f64], y: &mut [f64]) {
        let (offsets, columns, values) = self.csr_data();
        for (y, row) in y.iter_mut().zip(offsets.windows(2)) {
            let entries = columns[row[0]..row[1]].iter().zip(&values[row[0]..row[1]]);
            *y = entries.map(|(&j, a)| a * x[j]).sum();
        }
    }

    fn check(&self) -> Result<(), Error> {
        square(self.nrows(), self.ncols())?;
        all_finite("A", self.values())
    }
}

impl LinearOperator for CscMatrix<f64> {
    fn dimension(&self) -> usize {
        self.nrows()
    }

    fn apply(&self, x: &[f64], y: &mut [f64]) {
        y.fill(0.0);
        multiply_add(self, x, y);
    }

    fn check(&self) -> Result<(), Error> {
        square(self.nrows(), self.ncols())?;
        all_finite("A", self.values())
    }
}

impl LinearOperator for DMatrix<f64> {
    fn dimension(&self) -> usize {
        self.nrows()
    }

    fn apply(&self, x: &[f64], y: &mut [f64]) {
        y.fill(0.0);
        for (column, x) in self.column_iter().zip(x) {
            for (y, a) in y.iter_mut().zip(&column) {
                *y += a * x;
            }
        }
    }

    fn check(&self) -> Result<(), Error> {
        square(self.nrows(), self.ncols())?;
        all_finite("A", self)
    }
}

/// `y` += `matrix` `x`.
pub(super) fn multiply_add(matrix: &CscMatrix<f64>, x: &[f64], y: &mut [f64]) {
    let (offsets, rows, values) = matrix.csc_data();
    for (column, x) in offsets.windows(2).zip(x) {
        for (&i, a) in rows[column[0]..column[1]].iter().zip(&values[column[0]..column[1]]) {
            y[i] += a * x;
        }
    }
}

fn square(rows: usize, columns: usize) -> Result<(), Error> {
    if rows == columns {
        return Ok(());
    }
    Err(Error::MatrixShape { name: "A", rows, columns, expected_rows: rows, expected_columns: rows })
}
