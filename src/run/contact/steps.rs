//! Contacts followed with fixed steps.

use super::watch::{Loads, Watch};
use crate::Error;
use crate::mechanism::ContactMethod;
use crate::results::{ContactDetails, ContactEnergy, ContactStatistics, ContactViolation, Details};
use crate::run::active::{ActiveRun, Advance};
use crate::run::plan::SAME;
use crate::run::{Frame, Plan, Step};
use fourbar_contact::pair::ContactSet;
use fourbar_contact::report::{StepReport, deepest};
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
    /// Steps of the run, the last one shorter where the end is between two.
    count: u64,
    report: StepReport,
    loads: Loads,
    /// Whether the impulses were shown at an output.
    shown: bool,
    energy: ContactEnergy,
    violation: ContactViolation,
    statistics: ContactStatistics,
}

impl Steps {
    pub(super) fn begin(
        method: ContactMethod,
        options: &TimeStepping,
        mechanism: &Arc<Mechanism>,
        mut detector: ContactSet,
        mut watch: Watch,
        plan: Plan,
        every: u64,
    ) -> Result<Self, Error> {
        // The stepper starts from where it has put the bodies apart.
        let deepest = deepest(&mut detector, mechanism.start())?;
        let stepper = options.start(mechanism, detector, mechanism.start())?;
        let report = StepReport::start(&stepper, deepest);
        let start = watch.energy(stepper.state()).iter().sum();
        let none = Some(0.0);
        let energy = ContactEnergy { start, impacts: none, friction: none, ..ContactEnergy::default() };
        let violation = {
            let gap = watch.gap(stepper.state())?;
            watch.violation(stepper.state(), gap)
        };
        let loads = Loads::new(watch.detector().names().len());
        let statistics = ContactStatistics::new(method.name());
        Ok(Self {
            stepper,
            watch,
            plan,
            step: options.step,
            every,
            count: (plan.end / options.step - SAME).ceil().max(1.0) as u64,
            report,
            loads,
            shown: false,
            energy,
            violation,
            statistics: ContactStatistics { step_size: Some(options.step), residual: Some(0.0), ..statistics },
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

    /// Length of the next step \[s\]: the last one ends at the end time.
    fn length(&self) -> f64 {
        let left = self.plan.end - self.statistics.steps as f64 * self.step;
        if left < (1.0 - SAME) * self.step { left } else { self.step }
    }
}

impl ActiveRun for Steps {
    fn time(&self) -> f64 {
        self.now()
    }

    fn ends_within_steps(&self) -> bool {
        false
    }

    fn advance(&mut self) -> Result<Advance, Error> {
        let length = self.length();
        if length < self.step {
            self.stepper.set_step(length)?;
        }
        let record = *self.stepper.step()?;
        if std::mem::take(&mut self.shown) {
            self.loads.impulses.fill(0.0);
        }
        self.loads.take_step(self.stepper.contacts(), length);
        let statistics = &mut self.statistics;
        statistics.steps += 1;
        statistics.most_contacts = statistics.most_contacts.max(record.active as u64);
        statistics.residual = statistics.residual.map(|worst| worst.max(record.residual));
        self.energy.friction = self.energy.friction.map(|sum| sum + record.friction_energy);
        let of_normals = record.impact_energy - record.friction_energy;
        self.energy.impacts = self.energy.impacts.map(|sum| sum + of_normals);
        self.report.take(&record, self.watch.detector());
        self.violation = self.violation.max(self.watch.violation(self.stepper.state(), record.gap));
        let step = Step { time: self.now(), size: length, order: 1 };
        Ok(Advance { step, finished: self.statistics.steps >= self.count })
    }

    fn values_at(&mut self, _time: f64, values: &mut [f64]) -> Result<(), Error> {
        self.shown = true;
        self.watch.values(self.stepper.state(), &self.loads, values)
    }

    fn frame(&mut self) -> Result<Option<&Frame>, Error> {
        self.watch.frame(self.stepper.state(), &self.loads).map(Some)
    }

    fn details(&mut self) -> Result<Details, Error> {
        let state = self.stepper.state();
        let [kinetic, potential] = self.watch.energy(state);
        let energy = ContactEnergy { kinetic, potential, ..self.energy };
        let mut violation = self.violation;
        violation.overlap_at_end = self.watch.overlap(state);
        Ok(Details::Contact(ContactDetails {
            violation,
            energy,
            statistics: self.statistics.clone(),
            events: Vec::new(),
        }))
    }

    fn warnings(&mut self) -> Vec<String> {
        let warnings = self.report.warnings(self.watch.detector(), self.stepper.state());
        warnings.into_iter().chain(self.watch.warnings()).collect()
    }
}
