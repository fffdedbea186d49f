//! Directions along which points are put right: q = q~ - U^2 G_0^T R mu with numbers mu, one a row.
//!
//! U holds the units of the coordinates, G_0 is the Jacobian where the independent coordinates were held last ([`Tangent`](super::tangent)), and R makes
//! the largest entry of each row of G_0 U one: mu is measured in lengths of the mechanism and rad. With many degrees of freedom G_0 has the dependent
//! columns alone, at the point where they were chosen, and other coordinates stay. So the point that is found is the same as by
//! [`closing`](super::closing), and mu depends on the bodies of its row alone.

use fourbar_linalg::{Calahan, CalahanOptions, CsrMatrix, Error as LinearError, SparsityPattern};

/// See the [module](self).
#[derive(Debug, Clone)]
pub(super) struct Spread {
    /// Dependent columns, ascending, and their units.
    columns: Vec<(usize, f64)>,
    /// Of their part of G_0, by columns, and its values.
    pattern: SparsityPattern,
    square: Vec<f64>,
    /// Entries of G_0: column, row, place in the Jacobian, the square of the unit, and the value.
    entries: Vec<Entry>,
    /// R.
    scales: Vec<f64>,
}

#[derive(Debug, Clone, Copy)]
struct Entry {
    column: usize,
    row: usize,
    place: usize,
    unit: f64,
    value: f64,
}

impl Spread {
    /// For the rows and dependent columns of a partition, whose part of the Jacobian has this pattern; with `all` columns or those alone.
    pub(super) fn new(
        (rows, columns): (&[usize], &[usize]),
        pattern: &SparsityPattern,
        jacobian: &CsrMatrix<f64>,
        all: bool,
        unit: impl Fn(usize) -> f64,
    ) -> Self {
        let mut entries = Vec::new();
        for (row, &of) in rows.iter().enumerate() {
            for place in jacobian.row_offsets()[of]..jacobian.row_offsets()[of + 1] {
                let column = jacobian.col_indices()[place];
                if all || columns.binary_search(&column).is_ok() {
                    entries.push(Entry { column, row, place, unit: unit(column), value: 0.0 });
                }
            }
        }
        Self {
            columns: columns.iter().map(|&column| (column, unit(column))).collect(),
            pattern: pattern.clone(),
            square: vec![0.0; pattern.nnz()],
            entries,
            scales: vec![0.0; rows.len()],
        }
    }

    /// Takes the directions at these `values` of the Jacobian, and of its dependent columns.
    pub(super) fn hold(&mut self, values: &[f64], square: &[f64]) {
        self.square.copy_from_slice(square);
        self.scales.fill(f64::MIN_POSITIVE);
        for entry in &mut self.entries {
            entry.value = values[entry.place];
            let largest = &mut self.scales[entry.row];
            *largest = largest.max((entry.value * entry.unit).abs());
        }
        self.scales.iter_mut().for_each(|scale| *scale = 1.0 / *scale);
    }

    /// Calls `visit` with columns and what `mu`, an entry a row, takes from each; a column may come more than once.
    pub(super) fn apply(&self, mu: impl Fn(usize) -> f64, mut visit: impl FnMut(usize, f64)) {
        for Entry { column, row, unit, value, .. } in &self.entries {
            visit(*column, unit * unit * value * self.scales[*row] * mu(*row));
        }
    }

    /// The mu, an entry a row, that takes `excess` from the dependent columns, and what goes with it from the others.
    pub(super) fn find(&self, excess: impl Fn(usize) -> f64) -> Result<Vec<f64>, LinearError> {
        let mut mu: Vec<f64> = self.columns.iter().map(|&(column, unit)| excess(column) / (unit * unit)).collect();
        if mu.iter().all(|excess| *excess == 0.0) {
            return Ok(mu);
        }
        Calahan::new(&self.pattern, &self.square, &CalahanOptions::default())?.solve_transposed(&mut mu);
        mu.iter_mut().zip(&self.scales).for_each(|(mu, scale)| *mu /= scale);
        Ok(mu)
    }
}
