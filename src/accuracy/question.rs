//! What a solver of others is asked, and how its answer is judged.
//!
//! | asked | meaning |
//! |---|---|
//! | `problem`, `title` | name, and what it is |
//! | `tolerance` | relative tolerance |
//! | `times` | times at which values are wanted \[s\], from 0 on |
//! | `columns` | what is wanted: `name`, `unit`, `quantity` |
//! | `start` | its values at the first time |
//! | `model` | the model file, of a mechanism |

use super::errors::Errors;
use super::problem::Problem;
use super::references::{Column, Reference};
use serde_json::json;

impl Problem {
    /// The problem as JSON, for a solver at this relative tolerance: name, times, columns, start, model file.
    #[must_use]
    pub fn question(&self, tolerance: f64) -> serde_json::Value {
        let reference = &self.reference;
        json!({
            "problem": self.name,
            "title": self.title,
            "tolerance": tolerance,
            "times": reference.times,
            "columns": self.columns,
            "start": reference.values.first(),
            "model": self.model(),
        })
    }

    /// The errors of an answer: a row for each time of the reference, a value for each column. Columns with a value missing are not compared.
    ///
    /// # Errors
    /// An answer of another shape, in words.
    pub fn judge(&self, values: &[Vec<Option<f64>>]) -> Result<Errors, String> {
        let (rows, columns) = (self.reference.times.len(), self.columns.len());
        if values.len() != rows || values.iter().any(|row| row.len() != columns) {
            return Err(format!("the answer is no table of {rows} times and {columns} columns"));
        }
        let has: Vec<usize> = (0..columns).filter(|&k| values.iter().all(|row| row[k].is_some())).collect();
        let pick = |row: &[f64]| has.iter().map(|&k| row[k]).collect::<Vec<f64>>();
        let own: Vec<Vec<f64>> = values.iter().map(|row| has.iter().filter_map(|&k| row[k]).collect()).collect();
        let known: Vec<Column> = has.iter().map(|&k| self.columns[k].clone()).collect();
        let reference = Reference {
            values: self.reference.values.iter().map(|row| pick(row)).collect(),
            names: known.iter().map(|column| column.name.clone()).collect(),
            ..self.reference.clone()
        };
        Ok(Errors::against(&reference, &known, &own))
    }
}
