//! Event-driven motion as bytes, to go on from in another process.

use super::flow::Flow;
use super::mode::{Closed, Friction};
use super::{Event, EventKind, EventStepper};
use crate::law::{Applied, Restitution};
use crate::unilateral::{ContactId, Contacts};
use fourbar_linalg::checkpoint::{CheckpointError, Source, Stored, store_list};
use fourbar_linalg::stored;
use fourbar_multibody::integrator::{Integrator, Snapshot};

impl<C: Contacts> EventStepper<C> {
    /// Appends everything on which the further motion depends.
    pub fn store(&self, to: &mut Vec<u8>) {
        self.stepper.ode().store(to);
        let mut snapshot = Snapshot::new();
        self.stepper.save(&mut snapshot);
        snapshot.store(to);
        store_list(&self.log.events, to);
        store_list(&self.log.recent, to);
        self.accumulations.store(to);
        self.counted.store(to);
        self.pace.store(to);
        store_list(&self.switches, to);
        self.pole.store(to);
        self.pending.store(to);
    }

    /// The motion that [`EventStepper::store`] wrote, of the same mechanism with the same contacts and options; it goes on as that one, bit
    /// for bit.
    ///
    /// # Errors
    /// [`CheckpointError::Content`] for what cannot be such a motion.
    pub fn loaded(&self, from: &mut Source<'_>) -> Result<Self, CheckpointError>
    where
        C: Clone,
    {
        let mut motion = self.clone();
        motion.stepper.ode_mut().load(from)?;
        let snapshot = motion.stepper.load(from)?;
        motion.stepper.restore(&snapshot).map_err(|_| from.refuse("the integrator"))?;
        from.list_like(&mut motion.log.events, &Event::BLANK)?;
        from.list(&mut motion.log.recent)?;
        motion.accumulations.load(from)?;
        motion.counted.load(from)?;
        motion.pace.load(from)?;
        from.list(&mut motion.switches)?;
        motion.pole.load(from)?;
        motion.pending.load(from)?;
        // Where the motion stands; what touches there is found again.
        motion.visit().map_err(|_| from.refuse("the state"))?;
        Ok(motion)
    }
}

impl<C: Contacts> Flow<C> {
    fn store(&self, to: &mut Vec<u8>) {
        Stored::store(&self.configuration, to);
        self.imposed.store(to);
        self.state.store(to);
        self.reference.store(to);
        store_list(&self.closed, to);
        store_list(&self.watched, to);
        store_list(&self.shifts, to);
        self.guarded.store(to);
        self.decided.store(to);
        self.ahead.store(to);
        self.contacts.passage().store(to);
    }

    fn load(&mut self, from: &mut Source<'_>) -> Result<(), CheckpointError> {
        self.configuration.load(from)?;
        self.imposed.load(from)?;
        self.state.load(from)?;
        self.reference.load(from)?;
        from.list_like(&mut self.closed, &Closed::BLANK)?;
        from.list(&mut self.watched)?;
        from.list(&mut self.shifts)?;
        self.guarded.load(from)?;
        self.decided.load(from)?;
        self.ahead.load(from)?;
        let mut passage = [0.0; 3];
        passage.load(from)?;
        self.contacts.set_passage(passage);
        // They are searched by bisection.
        let sorted = self.closed.is_sorted_by(|a, b| a.id < b.id) && self.watched.is_sorted_by(|a, b| a < b);
        if sorted { Ok(()) } else { Err(from.refuse("the order of contacts")) }
    }
}

stored!(struct Closed { id, friction, imposed });

impl Closed {
    /// To be read into.
    const BLANK: Self =
        Self { id: ContactId { pair: 0, feature: 0 }, friction: [Friction::None; 3], imposed: [false; 6] };
}

impl Stored for Friction {
    fn store(&self, to: &mut Vec<u8>) {
        match self {
            Self::None => to.push(0),
            Self::Stick => to.push(1),
            Self::Slip(direction) => {
                to.push(2);
                direction.store(to);
            }
        }
    }
    fn load(&mut self, from: &mut Source<'_>) -> Result<(), CheckpointError> {
        *self = match from.value::<u8>()? {
            0 => Self::None,
            1 => Self::Stick,
            2 => Self::Slip(from.value()?),
            _ => return Err(from.refuse("a kind of friction")),
        };
        Ok(())
    }
}

stored!(struct Event { time, kind, contact, closing_speed, impulse, energy, wall });

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

impl Stored for Applied {
    fn store(&self, to: &mut Vec<u8>) {
        match self {
            Self::AsAsked => to.push(0),
            Self::Instead { restitution, gain } => {
                to.push(1);
                restitution.store(to);
                gain.store(to);
            }
            Self::Plastic { gain } => {
                to.push(2);
                gain.store(to);
            }
        }
    }
    fn load(&mut self, from: &mut Source<'_>) -> Result<(), CheckpointError> {
        *self = match from.value::<u8>()? {
            0 => Self::AsAsked,
            1 => {
                let mut restitution = Restitution::Newton;
                restitution.load(from)?;
                Self::Instead { restitution, gain: from.value()? }
            }
            2 => Self::Plastic { gain: from.value()? },
            _ => return Err(from.refuse("a law of impact")),
        };
        Ok(())
    }
}

stored!(
    enum Restitution {
        Newton = 0,
        Poisson = 1,
        Energetic = 2,
    }
);
