//! Event-driven motion with the forces and impulses of its contacts.

use super::watch::Loads;
use crate::Error;
use fourbar_contact::event::{Closed, Event, EventDriven, EventStepper, Friction, Reached};
use fourbar_contact::pair::ContactSet;
use fourbar_contact::unilateral::{ContactId, Contacts, Unilateral};
use fourbar_linalg::checkpoint::{CheckpointError, Source, Stored, store_list};
use fourbar_multibody::space::Pose;
use fourbar_multibody::{Mechanism, State};
use std::ops::Range;
use std::sync::Arc;

/// Slip below which its direction is that of before, as the stepper takes it [m/s, rad/s].
const SLOW: f64 = 1e-9;
/// Distance within which the contacts are looked for that carry forces \[m\].
const NEAR: f64 = 1e-6;

/// An event-driven motion, and what its contacts carry.
#[derive(Clone)]
pub(crate) struct LoadedEvents {
    pub(crate) stepper: EventStepper<ContactSet>,
    pub(crate) loads: Loads,
    /// Events since whoever follows the motion emptied them.
    pub(crate) events: Vec<Event>,
    /// Whether the impulses were shown: the next step begins them anew.
    pub(crate) shown: bool,
    /// Length of the last step \[s\].
    pub(crate) size: f64,
    /// Power of friction by contact, at the end of the last step and at its begin \[W\].
    powers: [Vec<(ContactId, f64)>; 2],
    /// Where it began \[s\]: where the one before ended whose forces were found.
    from: f64,
    /// What a step ended with whose forces could not be found yet.
    reached: Option<Reached>,
    /// Smallest gap of what touches \[m\]; infinite if nothing does.
    pub(crate) gap: f64,
    detector: ContactSet,
    found: Vec<Unilateral>,
    poses: Vec<Pose>,
}

impl LoadedEvents {
    pub(crate) fn begin(
        options: &EventDriven,
        mechanism: &Arc<Mechanism>,
        detector: ContactSet,
        start: &State,
        end: f64,
    ) -> Result<Self, Error> {
        let mut motion = Self {
            stepper: options.start(mechanism, detector.clone(), start, end)?,
            loads: Loads::new(detector.names().len()),
            events: Vec::new(),
            shown: false,
            size: 0.0,
            powers: [Vec::new(), Vec::new()],
            from: start.time,
            reached: None,
            gap: f64::INFINITY,
            detector,
            found: Vec::new(),
            poses: start.poses.iter().copied().chain([Pose::ground()]).collect(),
        };
        motion.take_events();
        motion.find_forces()?;
        Ok(motion)
    }

    /// Appends everything on which the further motion depends.
    pub(crate) fn store(&self, to: &mut Vec<u8>) {
        self.stepper.store(to);
        self.loads.impulses.store(to);
        store_list(&self.events, to);
        self.shown.store(to);
        self.size.store(to);
        self.from.store(to);
        (self.reached.map_or(0, |reached| reached as u8 + 1)).store(to);
    }

    /// The motion that [`LoadedEvents::store`] wrote. Forces are found where it stands.
    pub(crate) fn loaded(&self, from: &mut Source<'_>) -> Result<Self, CheckpointError> {
        let mut motion = Self { stepper: self.stepper.loaded(from)?, ..self.clone() };
        motion.loads.impulses.load(from)?;
        from.list_like(&mut motion.events, &Event::BLANK)?;
        motion.shown.load(from)?;
        motion.size.load(from)?;
        motion.from.load(from)?;
        motion.reached = match from.value::<u8>()? {
            0 => None,
            1 => Some(Reached::Step),
            2 => Some(Reached::Event),
            3 => Some(Reached::EndTime),
            _ => return Err(from.refuse("the end of a step")),
        };
        let names = motion.detector.names().len();
        let known = motion.stepper.closed().iter().all(|closed| (closed.id.pair as usize) < names);
        match motion.find_forces() {
            Ok(()) if known => Ok(motion),
            _ => Err(from.refuse("what touches")),
        }
    }

    /// Takes a step, which ends early at an event. One that failed is made up for first, and may not go on in time then.
    pub(crate) fn step(&mut self) -> Result<Reached, Error> {
        let reached = match self.reached {
            Some(reached) => reached,
            None => self.advance()?,
        };
        self.find_forces()?;
        if reached != Reached::Event {
            self.loads.hold(0.5 * self.size);
        }
        (self.from, self.reached) = (self.stepper.time(), None);
        Ok(reached)
    }

    /// Whether a step that failed is to be made up for.
    pub(crate) fn is_pending(&self) -> bool {
        self.reached.is_some() || self.stepper.is_pending()
    }

    fn advance(&mut self) -> Result<Reached, Error> {
        let [now, before] = &mut self.powers;
        before.clone_from(now);
        let reached = self.stepper.step()?;
        self.reached = Some(reached);
        self.size = self.stepper.time() - self.from;
        if std::mem::take(&mut self.shown) {
            self.loads.impulses.fill(0.0);
        }
        // The trapezoidal rule, where the forces at the end are still those of the same contacts.
        self.loads.hold(if reached == Reached::Event { self.size } else { 0.5 * self.size });
        self.take_events();
        Ok(reached)
    }

    /// Work of friction in the last step \[J\], by the trapezoidal rule. A contact that an event has closed did no work before it, and one that
    /// an event has opened or stopped does none at its end.
    pub(crate) fn friction_work(&self) -> f64 {
        let [now, before] = &self.powers;
        let was_closed = |id: &ContactId| before.iter().any(|(other, _)| other == id);
        let ends = now.iter().filter(|(id, _)| was_closed(id)).chain(before);
        0.5 * self.size * ends.map(|(_, power)| power).sum::<f64>()
    }

    /// Takes over what the stepper wrote down.
    pub(crate) fn take_events(&mut self) {
        for event in self.stepper.log() {
            self.loads.push(event.contact.pair, event.impulse);
        }
        self.events.extend_from_slice(self.stepper.log());
        self.stepper.clear_log();
    }

    /// Finds the forces where the motion stands.
    pub(crate) fn find_forces(&mut self) -> Result<(), Error> {
        let closed: Vec<Closed> = self.stepper.closed().to_vec();
        let multipliers = self.stepper.forces()?.to_vec();
        let state = self.stepper.state();
        self.poses[..state.poses.len()].copy_from_slice(&state.poses);
        self.detector.follow(&mut closed.iter().map(|closed| closed.id));
        self.detector.find(state.time, &self.poses, NEAR, &mut self.found)?;
        self.gap = self.found.iter().fold(f64::INFINITY, |least, contact| least.min(contact.gap));
        self.loads.forces.clear();
        self.powers[0].clear();
        for (closed, force) in closed.iter().zip(&multipliers) {
            let contact = self.found.binary_search_by_key(&closed.id, |contact| contact.id).map(|k| &self.found[k]);
            let force = contact.map_or(*force, |contact| with_slip(contact, closed, *force, &self.poses));
            let power = contact.map_or(0.0, |contact| friction_power(contact, &force, &self.poses));
            self.powers[0].push((closed.id, power));
            self.loads.forces.push((closed.id, force));
        }
        Ok(())
    }
}

/// Power of the friction of a contact \[W\].
fn friction_power(contact: &Unilateral, force: &[f64; 6], poses: &[Pose]) -> f64 {
    let [i, j] = contact.bodies.map(|body| &poses[body]);
    contact.rows.iter().zip(force).skip(1).map(|(row, force)| row.rate(i, j) * force).sum()
}

/// The forces of a contact with those of slipping friction, which the multipliers do not hold.
fn with_slip(contact: &Unilateral, closed: &Closed, mut force: [f64; 6], poses: &[Pose]) -> [f64; 6] {
    let surface = &contact.surface;
    let groups: [(Range<usize>, f64); 3] =
        [(1..3, surface.friction), (3..4, surface.spinning), (4..6, surface.rolling)];
    let [i, j] = contact.bodies.map(|body| &poses[body]);
    for ((rows, coefficient), friction) in groups.into_iter().zip(&closed.friction) {
        let Friction::Slip(before) = friction else { continue };
        let mut along = [0.0; 2];
        for (speed, row) in along.iter_mut().zip(&contact.rows[rows.clone()]) {
            *speed = row.rate(i, j);
        }
        let speed = along[0].hypot(along[1]);
        let forward = along[0] * before[0] + along[1] * before[1];
        let direction = if speed <= SLOW { *before } else { along.map(|u| u / speed.copysign(forward)) };
        let size = coefficient * force[0];
        for (f, d) in force[rows].iter_mut().zip(direction) {
            *f = -size * d;
        }
    }
    force
}
