//! Changes that are made as a whole, up to the restart of the integrator, or not at all.

use super::accumulation::Accumulations;
use super::active_constraints::Imposed;
use super::log::{Mark, Reached};
use super::mode::Modes;
use super::pending::{Halt, Pending};
use super::stepper::EventStepper;
use crate::error::Error;
use crate::unilateral::Contacts;
use fourbar_multibody::State;
use fourbar_multibody::space::M3;

/// What an event changes, as it was before.
struct Kept {
    modes: Modes,
    reference: Vec<M3>,
    state: State,
    imposed: Imposed,
    log: Mark,
    accumulations: Accumulations,
    counted: (usize, f64),
    pole: f64,
}

impl<C: Contacts> EventStepper<C> {
    /// Whether a step that failed has left something undone at the time reached: [`EventStepper::step`] does that first, and may then
    /// return without having gone on in time.
    #[must_use]
    pub fn is_pending(&self) -> bool {
        self.pending.halt != Halt::None || self.pending.steered
    }

    /// Deals with what the integrator stopped for.
    pub(super) fn catch_up(&mut self) -> Result<Reached, Error> {
        let reached = match self.pending.halt {
            Halt::None | Halt::Step => self.look_around()?,
            // The motion may go on from here, with a later end.
            Halt::End => self.look_around().map(|_| Reached::EndTime)?,
            Halt::Event => self.handle()?,
            Halt::Pole => self.pass_pole()?,
            Halt::Worn => self.choose_anew()?,
        };
        self.pending = Pending::NOTHING;
        Ok(reached)
    }

    /// Makes a change that is made as a whole, up to the restart of the integrator, or not at all.
    pub(super) fn commit(&mut self, change: impl FnOnce(&mut Self) -> Result<(), Error>) -> Result<(), Error> {
        let kept = self.keep();
        change(self).inspect_err(|_| self.put_back(kept))
    }

    fn keep(&self) -> Kept {
        let flow = self.stepper.ode();
        Kept {
            modes: flow.modes.clone(),
            reference: flow.reference.clone(),
            state: flow.state.clone(),
            imposed: flow.imposed.clone(),
            log: self.log.mark(),
            accumulations: self.accumulations.clone(),
            counted: self.guard.counted(),
            pole: self.pole,
        }
    }

    /// Puts back what is kept; where the flow stands is found again by who goes on.
    fn put_back(&mut self, kept: Kept) {
        let Kept { modes, reference, state, imposed, log, accumulations, counted, pole } = kept;
        self.log.go_back(log);
        self.guard.set_counted(counted);
        (self.accumulations, self.pole) = (accumulations, pole);
        let flow = self.stepper.ode_mut();
        (flow.modes, flow.reference, flow.state, flow.imposed) = (modes, reference, state, imposed);
    }
}
