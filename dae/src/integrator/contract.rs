//! What every method at work does: the trait [`Integrator`], why a step came back, and a point to return to.

use super::error::Error;
use super::statistics::Statistics;
use crate::dae::RootEvent;
use fourbar_linalg::checkpoint::{CheckpointError, Source};
use std::any::Any;

/// Why [`Integrator::step`] came back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Stop {
    /// A step was accepted.
    Step,
    /// A step was accepted that ends exactly at a stop time.
    StopTime,
    /// The end time is reached, exactly.
    EndTime,
    /// Root functions changed their signs: [`Integrator::events`] lists which; time, state and derivative are those of the event,
    /// to round-off behind the change. The next [`Integrator::step`] goes on from there with its history, as after an event
    /// that changes nothing, or [`Integrator::restart`] begins anew with another state.
    Event,
}

/// A method at work on a system of n equations F(t, y, y') = 0.
pub trait Integrator {
    /// Takes one accepted step, or none if the end time is reached already or the last step goes on behind an event.
    ///
    /// # Errors
    /// [`Error`]; time, state, derivative, interpolation and statistics remain those of the last accepted step, and the call may be
    /// repeated once the cause is removed.
    fn step(&mut self) -> Result<Stop, Error>;

    /// Time of the last accepted step, or of the event within it \[s\].
    fn time(&self) -> f64;

    /// y at [`time`](Self::time), n entries.
    fn state(&self) -> &[f64];

    /// y' at [`time`](Self::time), n entries.
    fn derivative(&self) -> &[f64];

    /// Order of the last accepted step.
    fn order(&self) -> usize;

    /// Root functions that changed their signs at [`time`](Self::time), by index; empty unless the last
    /// [`step`](Self::step) returned [`Stop::Event`].
    fn events(&self) -> &[RootEvent];

    /// Writes y and y' at a time within the last accepted step, as far as [`time`](Self::time), from the method's own polynomial (n entries each). Exact at the end of
    /// the step, to round-off at its start, of the method's order between.
    ///
    /// # Errors
    /// [`Error::OutsideStep`], [`Error::Length`].
    fn interpolate(&self, time: f64, y: &mut [f64], yp: &mut [f64]) -> Result<(), Error>;

    /// What was spent so far.
    fn statistics(&self) -> &Statistics;

    /// Moves the end time; steps land on it exactly. Infinity is allowed.
    ///
    /// # Errors
    /// [`Error::EndBeforeStart`] if it lies before the present time, [`Error::NotFinite`] for a NaN.
    fn set_end_time(&mut self, end: f64) -> Result<(), Error>;

    /// Replaces the times on which steps land exactly; they must increase. Those not after the present time are passed over.
    ///
    /// # Errors
    /// [`Error::StopTimes`], [`Error::NotFinite`].
    fn set_stop_times(&mut self, times: &[f64]) -> Result<(), Error>;

    /// Begins anew, as after a jump of the equations or of the state (n entries each). Methods of several steps fall back to order 1.
    /// Methods for y' = f(t, y) find y' themselves: for them `yp` may be empty. Root functions may be others than before.
    ///
    /// # Errors
    /// [`Error::Length`], [`Error::NotFinite`], [`Error::EndBeforeStart`], [`Error::Evaluation`].
    fn restart(&mut self, time: f64, y: &[f64], yp: &[f64]) -> Result<(), Error>;

    /// Saves everything on which the further steps depend.
    fn save(&self, snapshot: &mut Snapshot);

    /// Returns to a checkpoint; the further steps are those that followed it, bit for bit.
    ///
    /// # Errors
    /// [`Error::ForeignSnapshot`], or [`Error::Evaluation`] if the system refuses its own saved state.
    fn restore(&mut self, snapshot: &Snapshot) -> Result<(), Error>;

    /// Reads a point that [`Snapshot::store`] wrote: one of the same method with the same options on the same system, in this process or another.
    ///
    /// # Errors
    /// [`CheckpointError::Content`] for what cannot be such a point.
    fn load(&self, from: &mut Source<'_>) -> Result<Snapshot, CheckpointError>;
}

/// What an integrator keeps in a snapshot.
pub(super) trait Content: Any + Send + Sync {
    fn store(&self, to: &mut Vec<u8>);
}

/// A checkpoint of an integrator. Saving into a used one allocates nothing.
#[derive(Default)]
pub struct Snapshot {
    content: Option<Box<dyn Content>>,
}

impl Snapshot {
    /// An empty one.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    pub(super) fn of(content: impl Content) -> Self {
        Self { content: Some(Box::new(content)) }
    }

    pub(super) fn get<T: 'static>(&self) -> Option<&T> {
        let content: &dyn Any = self.content.as_deref()?;
        content.downcast_ref()
    }

    pub(super) fn get_mut<T: 'static>(&mut self) -> Option<&mut T> {
        let content: &mut dyn Any = self.content.as_deref_mut()?;
        content.downcast_mut()
    }

    /// Appends its bytes to `to`, from which [`Integrator::load`] reads it; of an empty one nothing.
    pub fn store(&self, to: &mut Vec<u8>) {
        if let Some(content) = &self.content {
            content.store(to);
        }
    }
}

impl std::fmt::Debug for Snapshot {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let content = if self.content.is_some() { "full" } else { "empty" };
        f.debug_tuple("Snapshot").field(&content).finish()
    }
}
