//! Measures over time.

use crate::observer::{Column, Observer, Step};
use std::io;

/// Measures at the output times, one row for each time; and the steps of the integrator.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Table {
    columns: Vec<Column>,
    times: Vec<f64>,
    values: Vec<f64>,
    steps: Vec<Step>,
}

impl Table {
    /// Names and units of the columns, without the time.
    #[must_use]
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// Output times \[s\].
    #[must_use]
    pub fn times(&self) -> &[f64] {
        &self.times
    }

    /// Accepted steps.
    #[must_use]
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Values of column `column` at the output times; empty if there is no such column.
    pub fn series(&self, column: usize) -> impl ExactSizeIterator<Item = f64> + Clone + '_ {
        let width = self.columns.len().max(1);
        let start = if column < self.columns.len() { column.min(self.values.len()) } else { self.values.len() };
        self.values[start..].iter().step_by(width).copied()
    }
}

/// A table records what a run reports to it.
impl Observer for Table {
    fn begin(&mut self, columns: &[Column]) -> io::Result<()> {
        *self = Self { columns: columns.to_vec(), ..Self::default() };
        Ok(())
    }

    fn output(&mut self, time: f64, values: &[f64]) -> io::Result<()> {
        self.times.push(time);
        self.values.extend_from_slice(values);
        Ok(())
    }

    fn step(&mut self, step: &Step) -> io::Result<()> {
        self.steps.push(*step);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_series_is_one_column_over_time() {
        let column = |name: &str| Column { name: name.into(), unit: "m".into() };
        let mut table = Table::default();
        table.begin(&[column("a"), column("b")]).unwrap();
        table.output(0.0, &[1.0, 2.0]).unwrap();
        table.output(0.5, &[3.0, 4.0]).unwrap();
        assert_eq!(table.times(), [0.0, 0.5]);
        assert_eq!(table.series(0).collect::<Vec<_>>(), [1.0, 3.0]);
        assert_eq!(table.series(1).collect::<Vec<_>>(), [2.0, 4.0]);
        assert_eq!(table.series(2).len(), 0);
    }
}
