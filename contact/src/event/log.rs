//! What happened, in order.

use super::EventStepper;
use crate::error::Error;
use crate::law::Applied;
use crate::unilateral::{ContactId, Contacts};

/// Events whose contacts are remembered, to name them where the motion does not get on.
const RECENT: usize = 16;

/// Events until the log is emptied, and the contacts of the last ones, oldest first.
#[derive(Debug, Clone, Default)]
pub(super) struct Log {
    pub(super) events: Vec<Event>,
    pub(super) recent: Vec<ContactId>,
}

impl Log {
    pub(super) fn push(&mut self, event: Event) {
        if self.recent.len() == RECENT {
            self.recent.remove(0);
        }
        self.recent.push(event.contact);
        self.events.push(event);
    }
}

impl<C: Contacts> EventStepper<C> {
    /// Names of contacts, each once.
    pub(super) fn names(&self, mut ids: Vec<ContactId>) -> Vec<String> {
        ids.sort_unstable();
        ids.dedup();
        let finder = &self.stepper.ode().contacts;
        ids.into_iter().map(|id| finder.describe(id)).collect()
    }

    /// The error with the names of its contacts.
    pub(super) fn named(&self, error: Error) -> Error {
        let undecided = matches!(
            error,
            Error::Squeezed { .. } | Error::Dependent { .. } | Error::Undecided { .. } | Error::Stalled { .. }
        );
        if undecided && let Some(masses) = self.stepper.ode().masses() {
            return masses;
        }
        match error {
            Error::Squeezed { contacts, time, left, .. } => {
                Error::Squeezed { names: self.names(contacts.clone()), contacts, time, left }
            }
            other => other,
        }
    }
}

/// Kind of an event.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum EventKind {
    /// A contact closed with a velocity and an impulse ended it.
    Impact(Applied),
    /// A contact stays closed from now on.
    Closed,
    /// The normal force of a contact fell to zero; it opens.
    Opened,
    /// Friction of a contact (0 sliding, 1 spinning, 2 rolling) stopped slipping.
    Stuck(u8),
    /// Friction of a contact (0 sliding, 1 spinning, 2 rolling) reached its limit.
    Slipped(u8),
    /// Infinitely many impacts, passed in closed form: the time is where they accumulate. The contact counts as resting from the last
    /// impact on, at which its rebound is taken away; impulse (it pulls) and energy are those of that.
    Accumulation,
    /// A sliding contact jammed: no finite force, an impulse without collision (Painleve's paradox).
    PainleveShock,
}

/// An event.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Event {
    /// Time \[s\].
    pub time: f64,
    /// What.
    pub kind: EventKind,
    /// Contact; in an impact of several, one event each.
    pub contact: ContactId,
    /// Closing speed before, not negative [m/s].
    pub closing_speed: f64,
    /// Normal impulse [N s].
    pub impulse: f64,
    /// Change of the kinetic energy by the whole impact \[J\], written with the first of its contacts, but for the work of joints whose
    /// motion is given.
    pub energy: f64,
    /// The part of it that walls moving with time did as work \[J\]; the rest is what the contacts lost.
    pub wall: f64,
}
