//! Why an attempt failed.

use super::course::{Course, Scratch};
use crate::dae::EvalError;
use crate::integrator::error::Error;
use crate::integrator::targets::Plan;
use crate::ode::Ode;

/// Why an attempt failed.
#[derive(Debug)]
pub enum Failure {
    /// Its error, in tolerances.
    Error(f64),
    /// The equations could not be evaluated.
    Evaluation(EvalError),
    /// Derivative of this unknown is not a number.
    NotFinite(usize),
    /// This unknown left the range of f64 in a stage.
    Overflow(usize),
}

/// f(t, y), with what lets the step shrink told from what stops the run.
pub(in crate::integrator) fn evaluate(
    ode: &mut impl Ode,
    t: f64,
    y: &[f64],
    yp: &mut [f64],
) -> Result<Result<(), Failure>, Error> {
    if let Some(i) = y.iter().position(|y| !y.is_finite()) {
        return Ok(Err(Failure::Overflow(i)));
    }
    match ode.rhs(t, y, yp) {
        Ok(()) => Ok(yp.iter().position(|k| !k.is_finite()).map_or(Ok(()), |i| Err(Failure::NotFinite(i)))),
        Err(fatal @ EvalError::Fatal { .. }) => Err(fatal.into()),
        Err(error) => Ok(Err(Failure::Evaluation(error))),
    }
}

/// Puts the end of a step, in `scratch`, back on the invariants of the system. Returns the largest change in tolerances: what leaves the invariants
/// is an error of the step as any other.
pub(in crate::integrator) fn settle(
    ode: &mut impl Ode,
    Plan { h, t }: Plan,
    course: &Course,
    scratch: &mut Scratch,
) -> Result<Result<f64, Failure>, Error> {
    scratch.missed.copy_from_slice(&scratch.trial);
    match ode.settle(t, &mut scratch.trial) {
        Ok(()) => Ok(Ok(scratch.judge_change(course, h, ode.settling()))),
        Err(fatal @ EvalError::Fatal { .. }) => Err(fatal.into()),
        Err(error) => Ok(Err(Failure::Evaluation(error))),
    }
}
