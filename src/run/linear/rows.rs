//! Outputs with their errors.

/// Outputs of the system with what is known of their errors.
#[derive(Debug, Clone, Default)]
pub(crate) struct Rows {
    /// y = C x + D u.
    pub(crate) values: Vec<f64>,
    /// Their estimated errors.
    pub(crate) errors: Vec<f64>,
    /// Sums of the absolute values of the terms of y: what round-off is relative to.
    pub(crate) terms: Vec<f64>,
}

impl Rows {
    pub(crate) fn new(rows: usize) -> Self {
        Self { values: vec![0.0; rows], errors: vec![0.0; rows], terms: vec![0.0; rows] }
    }
}
