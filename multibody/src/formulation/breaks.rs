//! Breaks of forces and motions on the way of an integrator: where they are, and the point behind them.

use super::equations::Equations;
use crate::analysis::{Crossing, Jump};
use crate::dae::EvalError;
use crate::error::Error;

/// An error on the way over a break, for an integrator.
pub(super) fn stopped(time: f64, error: Error) -> EvalError {
    match error {
        Error::Evaluation(error) => error,
        error => {
            EvalError::Fatal { element: "the jump of forces and motions".to_owned(), time, reason: error.to_string() }
        }
    }
}

impl Equations {
    /// Goes on behind a break at `t`; returns whether accelerations or velocities jump there: y and y' are those behind it then.
    pub(super) fn pass(&mut self, t: f64, y: &mut [f64], yp: &mut [f64]) -> Result<bool, EvalError> {
        if !self.loads.passage().is_at(t) {
            return Ok(false);
        }
        let mechanism = std::sync::Arc::clone(&self.mechanism);
        let mut crossing = match self.crossing.take() {
            Some(crossing) => crossing,
            None => Box::new(Crossing::new(&mechanism, mechanism.start()).map_err(|error| stopped(t, error))?),
        };
        let mut state = crossing.before().clone();
        self.read(t, y, &mut state);
        let mut passage = self.loads.passage().clone();
        let passed = crossing.pass(&mechanism, &mut state, &mut passage, self.loads.inputs());
        self.crossing = Some(crossing);
        let jump = passed.map_err(|error| stopped(t, error))?;
        self.loads.passage_mut().clone_from(&passage);
        if jump == Jump::None {
            return Ok(false);
        }
        self.write(&state, y, yp);
        Ok(true)
    }
}
