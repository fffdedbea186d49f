//! The problems that come with fourbar.

use fourbar::accuracy::{AccuracyError, Problem};

use crate::abi::error::Failure;
use crate::abi::status::fourbar_status;

/// One of them.
pub(super) struct Shipped(Problem);

pub(super) fn names() -> Result<Vec<&'static str>, Failure> {
    Ok(fourbar::accuracy::names())
}

/// Asked by name alone: whoever solves it chooses the tolerance.
const TOLERANCE: f64 = 1e-6;

impl Shipped {
    pub(super) fn find(name: &str) -> Result<Self, Failure> {
        let found = Problem::shipped(name);
        let status = |error: &AccuracyError| match error {
            AccuracyError::UnknownProblem { .. } => fourbar_status::FOURBAR_NO_SUCH_NAME,
            _ => fourbar_status::FOURBAR_INVALID,
        };
        found.map(Self).map_err(|error| Failure::new(status(&error), error))
    }

    pub(super) fn question(&self) -> String {
        self.0.question(TOLERANCE).to_string()
    }

    pub(super) fn judge(&self, values: &[f64]) -> Result<String, Failure> {
        let (rows, columns) = (self.0.reference.times.len(), self.0.columns.len());
        if values.len() != rows * columns {
            let text = format!("'values' has length {}, but must have length {rows} times {columns}", values.len());
            return Err(Failure::new(fourbar_status::FOURBAR_LENGTH, text));
        }
        let own = |row: &[f64]| row.iter().map(|value| Some(*value).filter(|value| !value.is_nan())).collect();
        let own: Vec<Vec<Option<f64>>> = values.chunks_exact(columns).map(own).collect();
        let invalid = |text: String| Failure::new(fourbar_status::FOURBAR_INVALID, text);
        let errors = self.0.judge(&own).map_err(invalid)?;
        serde_json::to_string(&errors).map_err(|error| invalid(error.to_string()))
    }
}
