//! What happened, in order.

use crate::contact_id::ContactId;
use crate::law::Applied;
use fourbar_linalg::checkpoint::{CheckpointError, Source, Stored, store_list};
use fourbar_linalg::stored;

/// Events whose contacts are remembered, to name them where the motion makes no progress.
const RECENT: usize = 16;

/// Events until the log is emptied, and the contacts of the last ones, oldest first.
#[derive(Debug, Clone, Default)]
pub(super) struct Log {
    events: Vec<Event>,
    recent: Vec<ContactId>,
}

/// Where a log stood.
pub(super) struct Mark {
    events: usize,
    recent: Vec<ContactId>,
}

impl Log {
    pub(super) fn events(&self) -> &[Event] {
        &self.events
    }

    pub(super) fn clear(&mut self) {
        self.events.clear();
    }

    /// Contacts of the last events.
    pub(super) fn recent(&self) -> &[ContactId] {
        &self.recent
    }

    pub(super) fn mark(&self) -> Mark {
        Mark { events: self.events.len(), recent: self.recent.clone() }
    }

    /// Forgets what was written since a mark.
    pub(super) fn go_back(&mut self, mark: Mark) {
        self.events.truncate(mark.events);
        self.recent = mark.recent;
    }

    pub(super) fn push(&mut self, event: Event) {
        if self.recent.len() == RECENT {
            self.recent.remove(0);
        }
        self.recent.push(event.contact);
        self.events.push(event);
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
    /// Painlevé shock: no finite force holds a sliding contact, an impulse without collision does (Painleve's paradox).
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

/// What a step ended with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reached {
    /// A smooth step.
    Step,
    /// An event; [`EventStepper::log`](super::EventStepper::log) tells which.
    Event,
    /// The end time.
    EndTime,
}

stored!(struct Event { time, kind, contact, closing_speed, impulse, energy, wall });

impl Stored for Log {
    fn store(&self, to: &mut Vec<u8>) {
        store_list(&self.events, to);
        store_list(&self.recent, to);
    }
    fn load(&mut self, from: &mut Source<'_>) -> Result<(), CheckpointError> {
        from.list_like(&mut self.events, &Event::BLANK)?;
        from.list(&mut self.recent)
    }
}

impl Event {
    /// To be read into: a list of events is read as copies of it.
    pub const BLANK: Self = Self {
        time: 0.0,
        kind: EventKind::Closed,
        contact: ContactId { pair: 0, feature: 0 },
        closing_speed: 0.0,
        impulse: 0.0,
        energy: 0.0,
        wall: 0.0,
    };
}

impl Stored for EventKind {
    fn store(&self, to: &mut Vec<u8>) {
        match self {
            Self::Impact(applied) => {
                to.push(0);
                applied.store(to);
            }
            Self::Closed => to.push(1),
            Self::Opened => to.push(2),
            Self::Stuck(group) => to.extend([3, *group]),
            Self::Slipped(group) => to.extend([4, *group]),
            Self::Accumulation => to.push(5),
            Self::PainleveShock => to.push(6),
        }
    }
    fn load(&mut self, from: &mut Source<'_>) -> Result<(), CheckpointError> {
        *self = match from.value::<u8>()? {
            0 => {
                let mut applied = Applied::AsAsked;
                applied.load(from)?;
                Self::Impact(applied)
            }
            1 => Self::Closed,
            2 => Self::Opened,
            3 => Self::Stuck(from.value()?),
            4 => Self::Slipped(from.value()?),
            5 => Self::Accumulation,
            6 => Self::PainleveShock,
            _ => return Err(from.refuse("a kind of event")),
        };
        Ok(())
    }
}
