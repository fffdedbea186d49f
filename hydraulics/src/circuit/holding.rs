//! On which sides the conditions of signals are held.

use super::plan::Plan;

/// On which sides conditions are held.
#[derive(Debug, Clone)]
pub(super) struct Holding {
    /// Whether they are held at all: while an integrator steps.
    pub(super) on: bool,
    pub(super) sides: Vec<f64>,
    pub(super) arguments: Vec<f64>,
}

impl Holding {
    pub(super) fn new(plan: &Plan) -> Self {
        let count = plan.watched.last().map_or(0, |last| last.places.end);
        Self { on: false, sides: vec![f64::NAN; count], arguments: vec![0.0; count] }
    }
}
