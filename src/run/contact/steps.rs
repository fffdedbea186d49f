//! Contacts followed with fixed steps.

use super::watch::{Loads, Watch};
use crate::Error;
use crate::mechanism::ContactMethod;
use crate::results::{ContactDetails, ContactEnergy, ContactStatistics, ContactViolation, Details};
use crate::run::course::{Advance, Course};
use crate::run::{Plan, Step};
use fourbar_contact::pair::ContactSet;
use fourbar_contact::stepping::{TimeStepper, TimeStepping};
use fourbar_multibody::Mechanism;
use std::sync::Arc;

pub(super) struct Steps {
    stepper: TimeStepper<ContactSet>,
    watch: Watch,
    plan: Plan,
    step: f64,
    /// Steps from one output to the next.
    every: u64,
    /// Steps of the run.
    count: u64,
    loads: Loads,
    /// Whether the impulses were shown at an output.
    shown: bool,
    start_energy: f64,
    violation: ContactViolation,
    statistics: ContactStatistics,
    /// Steps whose rebounds would have created energy.
    replaced: u64,
}

impl Steps {
    pub(super) fn begin(
        method: ContactMethod,
        options: &TimeStepping,
        mechanism: &Arc<Mechanism>,
        finder: ContactSet,
        mut watch: Watch,
        plan: Plan,
        every: u64,
    ) -> Result<Self, Error> {
        let stepper = options.start(mechanism, finder, mechanism.start())?;
        let start_energy = watch.energy(stepper.state()).iter().sum();
        let violation = {
            let gap = watch.gap(stepper.state())?;
            watch.violation(stepper.state(), gap)
        };
        let loads = Loads::new(watch.finder().names().len());
        let statistics = ContactStatistics::new(method.name());
        Ok(Self {
            stepper,
            watch,
            plan,
            step: options.step,
            every,
            count: (plan.end / options.step).round() as u64,
            loads,
            shown: false,
            start_energy,
            violation,
            statistics: ContactStatistics { step_size: Some(options.step), residual: Some(0.0), ..statistics },
            replaced: 0,
        })
    }

    /// Time of the last step, as outputs count it.
    fn now(&self) -> f64 {
        let done = self.statistics.steps;
        if done >= self.count {
            return self.plan.end;
        }
        let output = if done.is_multiple_of(self.every) { self.plan.output_time(done / self.every) } else { None };
        output.unwrap_or(done as f64 * self.step)
    }
}

impl Course for Steps {
    fn time(&self) -> f64 {
        self.now()
    }

    fn advance(&mut self) -> Result<Advance, Error> {
        let record = *self.stepper.step()?;
        if std::mem::take(&mut self.shown) {
            self.loads.impulses.fill(0.0);
        }
        self.loads.take_step(self.stepper.contacts(), self.step);
        let statistics = &mut self.statistics;
        statistics.steps += 1;
        statistics.most_contacts = statistics.most_contacts.max(record.active as u64);
        statistics.residual = statistics.residual.map(|worst| worst.max(record.residual));
        self.replaced += u64::from(record.replaced);
        self.violation = self.violation.max(self.watch.violation(self.stepper.state(), record.gap));
        let step = Step { time: self.now(), size: self.step, order: 1 };
        Ok(Advance { step, finished: self.statistics.steps >= self.count })
    }

    fn values_at(&mut self, _time: f64, values: &mut [f64]) -> Result<(), Error> {
        self.shown = true;
        self.watch.values(self.stepper.state(), &self.loads, values)
    }

    fn details(&mut self) -> Result<Details, Error> {
        let state = self.stepper.state();
        let [kinetic, potential] = self.watch.energy(state);
        let energy = ContactEnergy { start: self.start_energy, kinetic, potential, impacts: None };
        let mut violation = self.violation;
        violation.overlap_at_end = self.watch.overlap(state);
        Ok(Details::Contact(ContactDetails {
            violation,
            energy,
            statistics: self.statistics.clone(),
            events: Vec::new(),
        }))
    }

    fn warnings(&self) -> Vec<String> {
        if self.replaced == 0 {
            return Vec::new();
        }
        vec![format!(
            "impacts of {} of {} steps obeyed another law than the one asked for, which would have created energy",
            self.replaced, self.statistics.steps
        )]
    }
}
