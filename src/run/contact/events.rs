//! Contacts followed event-driven.

use super::watch::{Loads, Watch};
use crate::Error;
use crate::results::{
    ContactDetails, ContactEnergy, ContactEvent, ContactStatistics, ContactViolation, Details, EventCounts,
};
use crate::run::course::{Advance, Course};
use crate::run::{Plan, Step};
use fourbar_contact::event::{Closed, EventDriven, EventKind, EventStepper, Friction, Reached};
use fourbar_contact::law::Applied;
use fourbar_contact::pair::ContactSet;
use fourbar_contact::unilateral::{Contacts, Unilateral};
use fourbar_multibody::Mechanism;
use fourbar_multibody::space::Pose;
use std::ops::Range;
use std::sync::Arc;

/// Events that are kept one by one; all are counted.
const KEPT: usize = 10_000;

/// Order of the integrator.
const ORDER: usize = 5;

/// Slip below which its direction is that of before, as the stepper takes it [m/s, rad/s].
const SLOW: f64 = 1e-9;

pub(super) struct Events {
    stepper: EventStepper<ContactSet>,
    watch: Watch,
    finder: ContactSet,
    plan: Plan,
    /// Index of the output to which the motion runs.
    output: u64,
    size: f64,
    loads: Loads,
    /// Whether the impulses were shown at an output.
    shown: bool,
    events: Vec<ContactEvent>,
    replaced: u64,
    energy: ContactEnergy,
    violation: ContactViolation,
    statistics: ContactStatistics,
    counts: EventCounts,
    found: Vec<Unilateral>,
    poses: Vec<Pose>,
}

impl Events {
    pub(super) fn begin(
        options: &EventDriven,
        mechanism: &Arc<Mechanism>,
        finder: ContactSet,
        mut watch: Watch,
        plan: Plan,
    ) -> Result<Self, Error> {
        let [kinetic, potential] = watch.energy(mechanism.start());
        let loads = Loads::new(finder.names().len());
        let stepper = options.start(mechanism, finder.clone(), mechanism.start(), plan.end)?;
        let mut events = Self {
            stepper,
            watch,
            finder,
            plan,
            output: 0,
            size: 0.0,
            loads,
            shown: false,
            events: Vec::new(),
            replaced: 0,
            energy: ContactEnergy { start: kinetic + potential, kinetic, potential, impacts: Some(0.0) },
            violation: ContactViolation::default(),
            statistics: ContactStatistics::new("event"),
            counts: EventCounts::default(),
            found: Vec::new(),
            poses: mechanism.start().poses.iter().copied().chain([Pose::ground()]).collect(),
        };
        events.log();
        events.account()?;
        Ok(events)
    }

    /// Time of the output to run to, and whether it is the last. Steps land on outputs, so that forces are known there.
    fn target(&mut self) -> (f64, bool) {
        let now = self.stepper.time();
        loop {
            match self.plan.output_time(self.output) {
                Some(time) if time <= now && time < self.plan.end => self.output += 1,
                Some(time) => return (time, time >= self.plan.end),
                None => return (self.plan.end, true),
            }
        }
    }

    /// Takes over what the stepper wrote down.
    fn log(&mut self) {
        for event in self.stepper.log() {
            let counts = &mut self.counts;
            let kind = match event.kind {
                EventKind::Impact(applied) => {
                    self.replaced += u64::from(applied != Applied::AsAsked);
                    counts.impacts += 1;
                    "impact"
                }
                EventKind::Jam => {
                    counts.jams += 1;
                    "jam"
                }
                EventKind::Closed => {
                    counts.closings += 1;
                    "closed"
                }
                EventKind::Opened => {
                    counts.openings += 1;
                    "opened"
                }
                EventKind::Stuck(_) => {
                    counts.sticks += 1;
                    "stuck"
                }
                EventKind::Slipped(_) => {
                    counts.slips += 1;
                    "slipped"
                }
                EventKind::Accumulation => {
                    counts.accumulations += 1;
                    "accumulation"
                }
            };
            self.loads.push(event.contact.pair, event.impulse);
            self.energy.impacts = self.energy.impacts.map(|sum| sum + event.energy);
            if self.events.len() < KEPT {
                self.events.push(ContactEvent {
                    time: event.time,
                    kind,
                    contact: self.finder.describe(event.contact),
                    approach: event.approach,
                    impulse: event.impulse,
                    energy: event.energy,
                });
            }
        }
        self.stepper.clear_log();
    }

    /// Forces, violation and energy where the motion stands.
    fn account(&mut self) -> Result<(), Error> {
        let closed: Vec<Closed> = self.stepper.closed().to_vec();
        let multipliers = self.stepper.forces()?.to_vec();
        let state = self.stepper.state();
        self.poses[..state.poses.len()].copy_from_slice(&state.poses);
        self.finder.find(state.time, &self.poses, 1e-6, &mut self.found)?;
        let gap = self.found.iter().fold(f64::INFINITY, |least, contact| least.min(contact.gap));
        self.violation = self.violation.max(self.watch.violation(state, gap));
        self.loads.forces.clear();
        for (closed, force) in closed.iter().zip(&multipliers) {
            let contact = self.found.binary_search_by_key(&closed.id, |contact| contact.id).map(|k| &self.found[k]);
            let force = contact.map_or(*force, |contact| with_slip(contact, closed, *force, &self.poses));
            self.loads.forces.push((closed.id, force));
        }
        self.statistics.most_contacts = self.statistics.most_contacts.max(closed.len() as u64);
        Ok(())
    }
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

impl Course for Events {
    fn time(&self) -> f64 {
        self.stepper.time()
    }

    fn advance(&mut self) -> Result<Advance, Error> {
        let (target, last) = self.target();
        self.stepper.set_end(target)?;
        let from = self.stepper.time();
        let reached = self.stepper.step()?;
        let time = self.stepper.time();
        if std::mem::take(&mut self.shown) {
            self.loads.impulses.fill(0.0);
        }
        self.size = time - from;
        self.statistics.steps += u64::from(self.size > 0.0);
        // The trapezoidal rule, where the forces at the end are still those of the same contacts.
        let smooth = reached != Reached::Event;
        self.loads.hold(if smooth { 0.5 * self.size } else { self.size });
        self.log();
        self.account()?;
        if smooth {
            self.loads.hold(0.5 * self.size);
        }
        let step = Step { time, size: self.size, order: ORDER };
        Ok(Advance { step, finished: last && reached == Reached::EndTime })
    }

    fn values_at(&mut self, _time: f64, values: &mut [f64]) -> Result<(), Error> {
        self.shown = true;
        let state = self.stepper.state();
        self.watch.values(state, &self.loads, values)
    }

    fn details(&mut self) -> Result<Details, Error> {
        let state = self.stepper.state();
        let [kinetic, potential] = self.watch.energy(state);
        let mut violation = self.violation;
        violation.overlap_at_end = self.watch.overlap(state);
        Ok(Details::Contact(ContactDetails {
            violation,
            energy: ContactEnergy { kinetic, potential, ..self.energy },
            statistics: ContactStatistics { events: Some(self.counts), ..self.statistics.clone() },
            events: self.events.clone(),
        }))
    }

    fn warnings(&self) -> Vec<String> {
        let mut warnings = Vec::new();
        if self.replaced > 0 {
            warnings.push(format!(
                "{} of {} impacts obeyed another law than the one asked for, which would have created energy or has no solution there",
                self.replaced, self.counts.impacts
            ));
        }
        warnings
    }
}
