//! Contacts followed event-driven.

use super::loaded::LoadedEvents;
use super::watch::Watch;
use crate::Error;
use crate::results::{
    ContactDetails, ContactEnergy, ContactEvent, ContactStatistics, ContactViolation, Details, EventCounts,
};
use crate::run::active::{ActiveRun, Advance};
use crate::run::{Frame, Plan, Step};
use fourbar_contact::event::{EventDriven, EventKind, Reached};
use fourbar_contact::pair::ContactSet;
use fourbar_contact::report::EventReport;
use fourbar_multibody::Mechanism;
use std::sync::Arc;

/// Events that are kept one by one; all are counted.
const KEPT: usize = 10_000;

/// Order of the integrator.
const ORDER: usize = 5;

pub(super) struct Events {
    motion: LoadedEvents,
    watch: Watch,
    plan: Plan,
    /// Index of the output to which the motion runs.
    output: u64,
    events: Vec<ContactEvent>,
    report: EventReport,
    energy: ContactEnergy,
    violation: ContactViolation,
    statistics: ContactStatistics,
    counts: EventCounts,
}

impl Events {
    pub(super) fn begin(
        options: &EventDriven,
        mechanism: &Arc<Mechanism>,
        detector: ContactSet,
        mut watch: Watch,
        plan: Plan,
    ) -> Result<Self, Error> {
        let [kinetic, potential] = watch.energy(mechanism.start());
        let motion = LoadedEvents::begin(options, mechanism, detector, mechanism.start(), plan.end)?;
        let mut events = Self {
            motion,
            watch,
            plan,
            output: 0,
            events: Vec::new(),
            report: EventReport::default(),
            energy: ContactEnergy {
                start: kinetic + potential,
                impacts: Some(0.0),
                friction: Some(0.0),
                ..ContactEnergy::default()
            },
            violation: ContactViolation::default(),
            statistics: ContactStatistics::new("event"),
            counts: EventCounts::default(),
        };
        events.log();
        events.account();
        Ok(events)
    }

    /// Time of the output to run to, and whether it is the last. Steps land on outputs, so that forces are known there.
    fn target(&mut self) -> (f64, bool) {
        let now = self.motion.stepper.time();
        loop {
            match self.plan.output_time(self.output) {
                Some(time) if time <= now && time < self.plan.end => self.output += 1,
                Some(time) => return (time, time >= self.plan.end),
                None => return (self.plan.end, true),
            }
        }
    }

    /// Writes down what happened.
    fn log(&mut self) {
        for event in self.motion.events.drain(..) {
            self.report.take(&event);
            let counts = &mut self.counts;
            let kind = match event.kind {
                EventKind::Impact(_) => {
                    counts.impacts += 1;
                    "impact"
                }
                EventKind::PainleveShock => {
                    counts.painleve_shocks += 1;
                    "painleve_shock"
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
            self.energy.impacts = self.energy.impacts.map(|sum| sum + event.energy);
            if self.events.len() < KEPT {
                self.events.push(ContactEvent {
                    time: event.time,
                    kind,
                    contact: self.watch.detector().describe(event.contact),
                    closing_speed: event.closing_speed,
                    impulse: event.impulse,
                    energy: event.energy,
                });
            }
        }
    }

    /// Violation and contacts where the motion stands.
    fn account(&mut self) {
        let state = self.motion.stepper.state();
        self.violation = self.violation.max(self.watch.violation(state, self.motion.gap));
        let closed = self.motion.stepper.closed().len() as u64;
        self.statistics.most_contacts = self.statistics.most_contacts.max(closed);
    }
}

impl ActiveRun for Events {
    fn time(&self) -> f64 {
        self.motion.stepper.time()
    }

    fn ends_within_steps(&self) -> bool {
        false
    }

    fn advance(&mut self) -> Result<Advance, Error> {
        let (target, last) = self.target();
        self.motion.stepper.set_end(target)?;
        let reached = self.motion.step()?;
        self.statistics.steps += u64::from(self.motion.size > 0.0);
        self.energy.friction = self.energy.friction.map(|sum| sum + self.motion.friction_work());
        self.log();
        self.account();
        self.report.look(self.watch.detector(), self.motion.stepper.time());
        let step = Step { time: self.motion.stepper.time(), size: self.motion.size, order: ORDER };
        Ok(Advance { step, finished: last && reached == Reached::EndTime })
    }

    fn values_at(&mut self, _time: f64, values: &mut [f64]) -> Result<(), Error> {
        self.motion.shown = true;
        let state = self.motion.stepper.state();
        self.watch.values(state, &self.motion.loads, values)
    }

    fn frame(&mut self) -> Result<Option<&Frame>, Error> {
        self.watch.frame(self.motion.stepper.state(), &self.motion.loads).map(Some)
    }

    fn details(&mut self) -> Result<Details, Error> {
        let state = self.motion.stepper.state();
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

    fn warnings(&mut self) -> Vec<String> {
        self.report.warnings(self.watch.detector()).into_iter().chain(self.watch.warnings()).collect()
    }
}
