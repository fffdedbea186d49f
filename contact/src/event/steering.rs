//! Event-driven motion under the hand of another program, which sets the inputs of the mechanism as it goes.

use super::handle::Signs;
use super::pending::{Halt, Pending};
use super::stepper::EventStepper;
use crate::error::Error;
use crate::unilateral::Contacts;
use fourbar_multibody::integrator::Integrator;

impl<C: Contacts> EventStepper<C> {
    /// From the present time on the inputs are these polynomials about it: value, first and second derivative, one an input in the order
    /// of [`Mechanism::inputs`](fourbar_multibody::Mechanism::inputs). What touches is decided anew, as forces may have jumped; the
    /// integrator keeps its step.
    ///
    /// # Errors
    /// [`Error::Multibody`] for another number of inputs or one that is not finite, the inputs then stay as they were; else those of
    /// [`EventStepper::step`], whose next call decides what this could not.
    pub fn set_inputs(&mut self, polynomials: impl ExactSizeIterator<Item = [f64; 3]> + Clone) -> Result<(), Error> {
        let time = self.stepper.time();
        let configuration = &mut self.stepper.ode_mut().configuration;
        let mechanism = std::sync::Arc::clone(configuration.mechanism());
        let set = configuration.inputs_mut().set(&mechanism, time, polynomials);
        set.map_err(fourbar_multibody::Error::from)?;
        self.pending.steered = true;
        let steered = if self.pending.halt == Halt::None { self.steer() } else { self.catch_up().map(|_| ()) };
        steered.map_err(|error| self.named(error))
    }

    /// Decides anew on what touches.
    pub(super) fn steer(&mut self) -> Result<(), Error> {
        self.visit()?;
        let flow = self.stepper.ode();
        if flow.modes.closed.is_empty() && !flow.found.iter().any(|contact| flow.thresholds.touches(contact)) {
            let time = self.stepper.time();
            self.stepper.restart(time, &self.y, &[]).map_err(fourbar_multibody::Error::from)?;
            self.pending = Pending::NOTHING;
            return Ok(());
        }
        self.commit(|run| run.settle(&Signs::default()))
    }
}
