//! What a failure left undone. The integrator stands behind an event as soon as it has found it: where a function of the host fails while
//! the event is dealt with, all is put back to where the integrator stopped, and the step repeated deals with it first.

use super::accumulation::Accumulations;
use super::active_constraints::Imposed;
use super::flow::Flow;
use super::mode::Closed;
use super::{EventStepper, Reached};
use crate::error::Error;
use crate::unilateral::{ContactId, Contacts};
use fourbar_linalg::stored;
use fourbar_multibody::State;
use fourbar_multibody::integrator::Stop;
use fourbar_multibody::space::M3;

/// Where the integrator stopped, until that is dealt with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Halt {
    /// Nowhere: a step may begin.
    None,
    /// Behind a smooth step.
    Step,
    /// The same, at the end time.
    End,
    /// At events, which it lists.
    Event,
    /// Where no step is short enough.
    Pole,
    /// Where rows that were independent no longer are.
    Worn,
}

stored!(
    enum Halt {
        None = 0,
        Step = 1,
        End = 2,
        Event = 3,
        Pole = 4,
        Worn = 5,
    }
);

impl From<Stop> for Halt {
    fn from(stop: Stop) -> Self {
        match stop {
            Stop::Event => Self::Event,
            Stop::EndTime => Self::End,
            _ => Self::Step,
        }
    }
}

/// What has still to be done before the next step.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pending {
    pub(super) halt: Halt,
    /// The integrator has its stop times for the next step, and may have failed on its way.
    pub(super) begun: bool,
    /// The inputs have jumped: what touches is to be decided anew.
    pub(super) steered: bool,
}

stored!(struct Pending { halt, begun, steered });

impl Pending {
    pub(super) const NOTHING: Self = Self { halt: Halt::None, begun: false, steered: false };
}

/// What an event changes, as it was before.
struct Kept {
    closed: Vec<Closed>,
    watched: Vec<ContactId>,
    shifts: Vec<f64>,
    guarded: bool,
    decided: f64,
    ahead: f64,
    reference: Vec<M3>,
    state: State,
    imposed: Imposed,
    events: usize,
    recent: Vec<ContactId>,
    accumulations: Accumulations,
    counted: (usize, f64),
    pole: f64,
}

impl<C> Flow<C> {
    /// Puts back what is kept of it; where it stands is found again by who goes on.
    fn put_back(&mut self, kept: Kept) {
        let Kept { closed, watched, shifts, guarded, decided, ahead, reference, state, imposed, .. } = kept;
        (self.closed, self.watched, self.shifts) = (closed, watched, shifts);
        (self.guarded, self.decided, self.ahead) = (guarded, decided, ahead);
        (self.reference, self.state, self.imposed) = (reference, state, imposed);
    }
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
            closed: flow.closed.clone(),
            watched: flow.watched.clone(),
            shifts: flow.shifts.clone(),
            guarded: flow.guarded,
            decided: flow.decided,
            ahead: flow.ahead,
            reference: flow.reference.clone(),
            state: flow.state.clone(),
            imposed: flow.imposed.clone(),
            events: self.log.events.len(),
            recent: self.log.recent.clone(),
            accumulations: self.accumulations.clone(),
            counted: self.counted,
            pole: self.pole,
        }
    }

    fn put_back(&mut self, mut kept: Kept) {
        self.log.events.truncate(kept.events);
        self.log.recent = std::mem::take(&mut kept.recent);
        self.accumulations = std::mem::take(&mut kept.accumulations);
        (self.counted, self.pole) = (kept.counted, kept.pole);
        self.stepper.ode_mut().put_back(kept);
    }
}
