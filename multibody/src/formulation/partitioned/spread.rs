//! Directions along which dependent coordinates are put right: q = q~ - E U^2 G_d^T R mu with numbers mu, one a row.
//!
//! E writes dependent coordinates among all of them, U holds their units, G_d is the Jacobian where the columns were chosen, and R makes the largest
//! entry of each row of G_d U one: mu is measured in lengths of the mechanism and rad. Other coordinates stay, so that the point that is found is the
//! same as by [`closing`](super::closing), and mu depends on the bodies of its row alone.

use fourbar_linalg::{Calahan, CalahanOptions, Error as LinearError, SparsityPattern};

/// See the [module](self).
#[derive(Debug, Clone)]
pub(super) struct Spread {
    /// Dependent columns, ascending, and their units.
    columns: Vec<(usize, f64)>,
    /// Of G_d, by columns.
    pattern: SparsityPattern,
    values: Vec<f64>,
    /// R.
    scales: Vec<f64>,
}

impl Spread {
    pub(super) fn new(
        columns: &[usize],
        pattern: &SparsityPattern,
        values: &[f64],
        unit: impl Fn(usize) -> f64,
    ) -> Self {
        let columns: Vec<(usize, f64)> = columns.iter().map(|&column| (column, unit(column))).collect();
        let mut largest = vec![0.0_f64; pattern.minor_dim()];
        let mut own = Self { columns, pattern: pattern.clone(), values: values.to_vec(), scales: Vec::new() };
        own.each(|c, row, value| largest[row] = largest[row].max((value * own.columns[c].1).abs()));
        own.scales = largest.into_iter().map(|largest| 1.0 / largest.max(f64::MIN_POSITIVE)).collect();
        own
    }

    /// Calls `visit` with the place of the column, the row and the value of each entry of G_d.
    fn each(&self, mut visit: impl FnMut(usize, usize, f64)) {
        for (c, range) in self.pattern.major_offsets().windows(2).enumerate() {
            let rows = &self.pattern.minor_indices()[range[0]..range[1]];
            rows.iter().zip(&self.values[range[0]..range[1]]).for_each(|(&row, &value)| visit(c, row, value));
        }
    }

    /// Calls `visit` with the dependent columns and what `mu`, an entry a row of G_d, takes from each; a column may come more than once.
    pub(super) fn apply(&self, mu: impl Fn(usize) -> f64, mut visit: impl FnMut(usize, f64)) {
        self.each(|c, row, value| {
            let (column, unit) = self.columns[c];
            visit(column, unit * unit * value * self.scales[row] * mu(row));
        });
    }

    /// The mu, an entry a row of G_d, that takes `excess` from the dependent columns.
    pub(super) fn find(&self, excess: impl Fn(usize) -> f64) -> Result<Vec<f64>, LinearError> {
        let mut mu: Vec<f64> = self.columns.iter().map(|&(column, unit)| excess(column) / (unit * unit)).collect();
        if mu.iter().all(|excess| *excess == 0.0) {
            return Ok(mu);
        }
        Calahan::new(&self.pattern, &self.values, &CalahanOptions::default())?.solve_transposed(&mut mu);
        mu.iter_mut().zip(&self.scales).for_each(|(mu, scale)| *mu /= scale);
        Ok(mu)
    }
}
