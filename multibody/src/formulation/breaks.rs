//! Jumps of forces and motions on the way of an integrator, at known times and where conditions switch, and the point behind them.

use super::equations::Equations;
use crate::analysis::{Crossing, Jump};
use crate::dae::{EvalError, RootEvent};
use crate::error::Error;
use crate::force::Loads;
use std::sync::Arc;

/// An error on the way over a jump, for an integrator.
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
        if !self.loads.break_state().is_at(t) {
            return Ok(false);
        }
        self.cross(t, y, yp, |loads| loads.break_state_mut().pass(t))
    }

    /// Turns conditions as `events` tell; returns whether accelerations jump: y and y' are those behind it then.
    pub(super) fn turn(
        &mut self,
        t: f64,
        y: &mut [f64],
        yp: &mut [f64],
        events: &[RootEvent],
    ) -> Result<bool, EvalError> {
        let mechanism = Arc::clone(&self.mechanism);
        if events.iter().all(|event| self.loads.expected(&mechanism, event.index).is_none()) {
            return Ok(false);
        }
        self.cross(t, y, yp, |loads| {
            loads.turn(&mechanism, events);
        })
    }

    fn cross(
        &mut self,
        t: f64,
        y: &mut [f64],
        yp: &mut [f64],
        change: impl FnOnce(&mut Loads),
    ) -> Result<bool, EvalError> {
        let mechanism = Arc::clone(&self.mechanism);
        let known = self.crossing.take();
        let mut state = known.as_ref().map_or(mechanism.start(), |crossing| crossing.before()).clone();
        self.read(t, y, &mut state);
        self.read_multipliers(y, yp, &mut state);
        let mut crossing = match known {
            Some(crossing) => crossing,
            None => Box::new(Crossing::begun(&mechanism, &state).map_err(|error| stopped(t, error))?),
        };
        let passed = crossing.pass(&mechanism, &mut state, &mut self.loads, change);
        self.crossing = Some(crossing);
        if passed.map_err(|error| stopped(t, error))? == Jump::None {
            return Ok(false);
        }
        self.write(&state, y, yp);
        Ok(true)
    }
}
