//! On which sides conditions are held: those that are beyond theirs turn, and those at exactly zero that the motion takes beyond it.
//!
//! An importer handles an event where an indicator is no longer above zero (FMI 3.0.2, section 3.1.1), and a search for the zero may end on it. There
//! the values alone do not tell whether the condition leaves its side, so the motion is followed for a moment.

use super::{Equations, Exchange, failed};
use crate::Error;
use fourbar_multibody::dae::EvalError;
use fourbar_multibody::integrator::{Direction, RootEvent};

/// Rounds of events at one time: as many conditions as that may turn one after the other.
const ROUNDS: usize = 100;
/// Relative change of the unknowns over the moment for which the motion is followed: far above round-off, and straight on any scale that an integrator
/// resolves.
const CHANGE: f64 = 1e-6;

/// What is watched at (t, y), above zero on the side on which it is held; 1 where nothing is held.
pub(super) fn indicators(equations: &mut dyn Equations, t: f64, y: &[f64]) -> Result<Vec<f64>, Error> {
    evaluate(equations, t, y).map_err(failed)
}

fn evaluate(equations: &mut dyn Equations, t: f64, y: &[f64]) -> Result<Vec<f64>, EvalError> {
    let ode = equations.ode_mut();
    let mut values = vec![0.0; ode.watched_count()];
    ode.watch(t, y, &mut values)?;
    for (k, value) in values.iter_mut().enumerate() {
        *value = ode.expected_sign(k).map_or(1.0, |sign| f64::from(sign) * *value);
    }
    Ok(values)
}

/// The indicators a moment after (t, y); none where the equations cannot be evaluated.
fn soon(equations: &mut dyn Equations, t: f64, y: &[f64]) -> Result<Option<Vec<f64>>, Error> {
    match ahead(equations, t, y) {
        Ok(values) => Ok(Some(values)),
        Err(EvalError::Recoverable { .. }) => Ok(None),
        Err(error) => Err(failed(error)),
    }
}

fn ahead(equations: &mut dyn Equations, t: f64, y: &[f64]) -> Result<Vec<f64>, EvalError> {
    let ode = equations.ode_mut();
    let mut slopes = vec![0.0; y.len()];
    ode.rhs(t, y, &mut slopes)?;
    let sizes = ode.unknowns().iter().zip(y).map(|(own, y)| y.abs().max(own.typical));
    let fastest = sizes.zip(&slopes).map(|(size, slope)| slope.abs() / size).fold(0.0, f64::max);
    // Times are told apart to half of their digits, and so is what depends on the time alone.
    let moment = (f64::EPSILON.sqrt() * t.abs().max(1.0)).min(CHANGE / fastest);
    let moment = moment.min(0.5 * (ode.next_break(t) - t).max(0.0));
    let y: Vec<f64> = y.iter().zip(&slopes).map(|(y, slope)| y + moment * slope).collect();
    evaluate(equations, t + moment, &y)
}

impl Exchange {
    /// Which conditions are beyond the side on which they are held, or leave it from exactly zero; the latter where they `may`.
    fn leaving(&mut self, may: &[bool]) -> Result<Vec<usize>, Error> {
        let values = self.indicators()?;
        let at_zero = |k: usize| values[k] == 0.0 && may[k];
        let mut beyond: Vec<usize> = (0..values.len()).filter(|&k| values[k] < 0.0).collect();
        if (0..values.len()).any(at_zero) {
            let Self { equations, time, y, .. } = self;
            if let Some(soon) = soon(&mut **equations, *time, y)? {
                beyond.extend((0..values.len()).filter(|&k| at_zero(k) && soon[k] < 0.0));
            }
        }
        Ok(beyond)
    }

    /// Whether a condition has left its side.
    pub(super) fn has_left(&mut self) -> Result<bool, Error> {
        let all = vec![true; self.equations.ode().watched_count()];
        Ok(!self.leaving(&all)?.is_empty())
    }

    /// Turns the conditions that have left their sides, and those that these turn. At exactly zero each turns once: where both sides lead to the other
    /// one there is no rest.
    pub(super) fn turn_sides(&mut self) -> Result<(), Error> {
        let mut may = vec![true; self.equations.ode().watched_count()];
        for _ in 0..ROUNDS {
            let leaving = self.leaving(&may)?;
            if leaving.is_empty() {
                break;
            }
            let ode = self.equations.ode();
            let direction = |sign: i8| if sign > 0 { Direction::Falling } else { Direction::Rising };
            let event = |&index: &usize| Some(RootEvent { index, direction: direction(ode.expected_sign(index)?) });
            let events: Vec<RootEvent> = leaving.iter().filter_map(event).collect();
            leaving.into_iter().for_each(|k| may[k] = false);
            let Self { equations, time, y, .. } = self;
            equations.ode_mut().switch(*time, y, &events).map_err(failed)?;
        }
        Ok(())
    }
}
