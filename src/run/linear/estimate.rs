//! The estimated errors of the outputs over a run, relative to the largest value of each.

use super::rows::Rows;
use fourbar_linalg::text::Brief;

/// Round-off of this many operations on the terms of an output is no error of it.
const OPERATIONS: f64 = 1e3;

/// Largest values and largest estimated errors.
#[derive(Debug, Clone, Default)]
pub(crate) struct Estimates {
    values: Vec<f64>,
    errors: Vec<f64>,
    terms: Vec<f64>,
}

fourbar_linalg::stored!(struct Estimates { values, errors, terms });

impl Estimates {
    pub(crate) fn new(rows: usize) -> Self {
        Self { values: vec![0.0; rows], errors: vec![0.0; rows], terms: vec![0.0; rows] }
    }

    pub(crate) fn add(&mut self, rows: &Rows) {
        let largest = |all: &mut [f64], new: &[f64]| {
            all.iter_mut().zip(new).for_each(|(all, new)| *all = all.max(new.abs()));
        };
        largest(&mut self.values, &rows.values);
        largest(&mut self.errors, &rows.errors);
        largest(&mut self.terms, &rows.terms);
    }

    /// The row with the largest relative error, and this error; none without rows.
    pub(super) fn worst(&self) -> Option<(usize, f64)> {
        let relative = |i: usize| {
            let round_off = OPERATIONS * f64::EPSILON * self.terms[i];
            if self.errors[i] <= round_off { 0.0 } else { self.errors[i] / self.values[i] }
        };
        (0..self.values.len()).map(|i| (i, relative(i))).max_by(|(_, a), (_, b)| a.total_cmp(b))
    }

    /// What to say where the interpolation of the inputs `names` leaves a row an error above `level`; `output` names a row.
    pub(crate) fn warning<'a>(
        &self,
        names: &[String],
        level: f64,
        output: impl FnOnce(usize) -> &'a str,
        remedy: &str,
    ) -> Option<String> {
        // A NaN is told.
        let (row, error) = self.worst().filter(|(_, error)| !names.is_empty() && !(*error <= level))?;
        let names = names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        Some(format!(
            "the interpolation of {names} leaves `{}` an estimated error of {} of its largest value, above {}; {remedy}",
            output(row),
            Brief(error),
            Brief(level)
        ))
    }
}
