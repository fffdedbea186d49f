//! What the methods for y' = f(t, y) share: the course of a run, and what happens between and around steps.
//!
//! A [`Formula`] attempts a step, judges its error and interpolates in it. Everything else is here, once: targets, breaks and
//! conditions of the system, changes of its coordinates, root functions, the first step, rejections, checkpoints.
//!
//! Reading order: `course` (what further steps depend on), `weighing` (what errors are measured against), `stepper` (the loop),
//! `control` (first step, what is said when no step succeeds), `watch` (conditions that switch), `interface`.

mod control;
pub(super) mod course;
pub(super) mod failure;
mod interface;
mod stepper;
mod watch;
pub(super) mod weighing;

pub use stepper::ExplicitStepper;

use super::error::Error;
use super::options::StepLimits;
use super::targets::Plan;
use crate::dae::EvalError;
use crate::ode::Ode;
use course::{Course, Leg, Scratch};
use failure::Failure;
use fourbar_linalg::checkpoint::Stored;
use std::fmt::Debug;

/// Ratio of the next attempt to one whose equations could not be evaluated.
pub(super) const OUT_OF_DOMAIN: f64 = 0.25;

/// The formula of a method, with its options, its history and its workspace.
pub trait Formula: Debug + Clone {
    /// What the further steps depend on besides the [`Course`]; kept in checkpoints.
    type History: Debug + Clone + Stored + Send + Sync + 'static;

    /// Order with which a run begins.
    const FIRST_ORDER: i32;

    /// The history.
    fn history(&self) -> &Self::History;

    /// The history, to replace it.
    fn history_mut(&mut self) -> &mut Self::History;

    /// Whether a history that was read is sound, for n unknowns and so many fast ones.
    fn fits(history: &Self::History, n: usize, fast: usize) -> bool;

    /// Limits of the step.
    fn limits(&self) -> &StepLimits;

    /// A fixed step \[s\] instead of the error test.
    fn fixed(&self) -> Option<f64> {
        None
    }

    /// Order of the last accepted step.
    fn last_order(&self) -> usize;

    /// The order under which statistics count that step.
    fn counted_order(&self) -> usize;

    /// Whether the steps so far tell of a stiff system, which another method would solve in fewer.
    fn is_stiff(&self) -> bool {
        false
    }

    /// f at the present point; `stepped` tells whether it is the end of a step after which none was opened.
    fn slope(&self, stepped: bool) -> &[f64];

    /// Begins anew at y with f there, straight after its evaluation.
    ///
    /// # Errors
    /// [`EvalError`] of the system; nothing has changed then.
    fn begin<S: Ode>(&mut self, ode: &mut S, course: &mut Course, y: &[f64], slope: &[f64]) -> Result<(), EvalError>;

    /// A step begins where another one ended.
    fn open(&mut self) {}

    /// The system has changed its coordinates at the present point.
    fn rewrite<S: Ode>(&mut self, _ode: &mut S, _course: &mut Course) {}

    /// Takes f at the present point, evaluated anew because it has changed; `jumped` tells whether what came before says nothing any more.
    ///
    /// # Errors
    /// [`EvalError`] of the system; nothing has changed then.
    fn renew<S: Ode>(&mut self, ode: &mut S, y: &[f64], slope: &[f64], jumped: bool) -> Result<(), EvalError>;

    /// One attempt. `Ok(Ok(error))` is the local error in tolerances; where it passes, the end of the step is in `scratch`, settled.
    ///
    /// # Errors
    /// What stops the run.
    fn attempt<S: Ode>(
        &mut self,
        ode: &mut S,
        course: &mut Course,
        scratch: &mut Scratch,
        plan: Plan,
    ) -> Result<Result<f64, Failure>, Error>;

    /// Ratio of the next attempt to one that failed as the `rejections`-th of its step, with its error if that was why.
    fn after_failure(&mut self, course: &mut Course, error: Option<f64>, rejections: u32) -> f64;

    /// Takes back an attempt whose error passed.
    fn take_back(&mut self) {}

    /// Accepts the last attempt; returns the ratio of the next step to it. Y at its end is in `scratch` still.
    fn accept(
        &mut self,
        course: &mut Course,
        scratch: &mut Scratch,
        plan: Plan,
        error: f64,
        after_rejection: bool,
    ) -> f64;

    /// Value and slope within the last accepted step.
    fn interpolate(&self, leg: &Leg, time: f64, y: &mut [f64], yp: &mut [f64]);

    /// The same within an attempt.
    fn extend(&self, leg: &Leg, scratch: &Scratch, plan: Plan, time: f64, y: &mut [f64], yp: &mut [f64]);
}
