//! A mechanism with contacts: event-driven, or by time stepping.

use std::sync::Arc;

use fourbar_contact::event::{Event, EventDriven, EventStepper, Reached};
use fourbar_contact::pair::ContactSet;
use fourbar_contact::report::{EventReport, StepReport, deepest};
use fourbar_contact::stepping::{TimeStepper, TimeStepping};
use fourbar_dae::integrator::Statistics;
use fourbar_linalg::checkpoint::{Source, Stored};
use fourbar_multibody::analysis::Sampler;
use fourbar_multibody::{Inputs, Mechanism, State};

use super::motion::{Motion, consistent, failure, look};
use crate::Error;
use crate::function::{Failure, Snapshot};
use crate::partner::Passing;

/// How contacts are followed in time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Following {
    /// Smooth between events, which are located within a communication step and dealt with there: for few contacts.
    Events(EventDriven),
    /// Fixed steps, for many contacts. A communication step is divided into equal steps not longer than that asked for (R28).
    Steps(TimeStepping),
}

impl Following {
    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::Events(_) => "event-driven",
            Self::Steps(_) => "time stepping",
        }
    }

    /// Its step \[s\], if that is fixed.
    pub(super) fn step(&self) -> Option<f64> {
        match self {
            Self::Events(_) => None,
            Self::Steps(steps) => Some(steps.step),
        }
    }

    /// The same with the step of the scene where it has none of its own.
    pub(super) fn in_scene(self, mechanism: &Arc<Mechanism>, contacts: &ContactSet) -> Result<Self, Error> {
        let Self::Steps(steps) = self else { return Ok(self) };
        let steps = steps.in_scene(mechanism, contacts.clone(), mechanism.start());
        Ok(Self::Steps(steps.map_err(|error| refused(mechanism, error))?))
    }

    /// At work from the start of `mechanism` on.
    pub(super) fn start(&self, mechanism: &Arc<Mechanism>, mut contacts: ContactSet) -> Result<Box<dyn Motion>, Error> {
        let refused = |error| refused(mechanism, error);
        let watch = Watch::new(mechanism)?;
        Ok(match self {
            Self::Events(method) => {
                let finder = contacts.clone();
                let stepper = method.start(mechanism, contacts, mechanism.start(), f64::INFINITY).map_err(refused)?;
                let (method, happened, report) = (*method, Vec::new(), EventReport::default());
                let mut events = Events { stepper, method, watch, happened, finder, report };
                events.log();
                Box::new(events)
            }
            Self::Steps(method) => {
                let deepest = deepest(&mut contacts, mechanism.start()).map_err(refused)?;
                let stepper = method.start(mechanism, contacts, mechanism.start()).map_err(refused)?;
                let report = StepReport::start(&stepper, deepest);
                Box::new(Steps { reached: stepper.time(), stepper, method: *method, watch, report })
            }
        })
    }
}

/// An error of the contact crate at set-up.
pub(super) fn refused(mechanism: &Mechanism, error: fourbar_contact::Error) -> Error {
    match error {
        fourbar_contact::Error::Multibody(error) => Error::mechanism(error),
        error => Error::Start { partner: mechanism.name().to_owned(), failure: failure(error) },
    }
}

/// Measures of positions and velocities at a state.
struct Watch {
    mechanism: Arc<Mechanism>,
    sampler: Sampler,
    inputs: Inputs,
    state: State,
}

impl Watch {
    fn new(mechanism: &Arc<Mechanism>) -> Result<Self, Error> {
        let state = mechanism.start().clone();
        Ok(Self {
            sampler: Sampler::new(mechanism, &state).map_err(Error::mechanism)?,
            inputs: Inputs::start(mechanism),
            state,
            mechanism: Arc::clone(mechanism),
        })
    }

    fn set_inputs(&mut self, time: f64, polynomials: &[[f64; 3]]) -> Result<(), Failure> {
        self.inputs.set(&self.mechanism, time, polynomials.iter().copied()).map_err(failure)?;
        self.sampler.set_inputs(&self.inputs);
        Ok(())
    }

    fn warnings(&self) -> Option<String> {
        self.sampler.uncertain().map(ToString::to_string)
    }

    fn sample(&mut self, state: &State, values: &mut [f64]) -> Result<(), Failure> {
        self.state.clone_from(state);
        self.sampler.sample(&self.mechanism, &mut self.state, values).map_err(failure)
    }
}

/// Event-driven motion.
struct Events {
    stepper: EventStepper<ContactSet>,
    method: EventDriven,
    watch: Watch,
    /// What happened in the last communication step, jumps of inputs at its start included.
    happened: Vec<Event>,
    /// Names of the contacts, and what they are given.
    finder: ContactSet,
    report: EventReport,
}

impl Events {
    /// Takes over what happened.
    fn log(&mut self) {
        self.happened.clear();
        self.happened.extend_from_slice(self.stepper.log());
        self.happened.iter().for_each(|event| self.report.take(event));
        self.report.look(&self.finder, self.stepper.time());
        self.stepper.clear_log();
    }
}

impl Motion for Events {
    fn time(&self) -> f64 {
        self.stepper.time()
    }

    fn set_inputs(&mut self, polynomials: &[[f64; 3]]) -> Result<(), Failure> {
        self.stepper.set_inputs(polynomials.iter().copied()).map_err(failure)?;
        self.watch.set_inputs(self.stepper.time(), polynomials)
    }

    fn advance(&mut self, to: f64, passing: &mut Passing, values: &mut [f64]) -> Result<(), Failure> {
        self.stepper.set_end(to).map_err(failure)?;
        loop {
            let reached = self.stepper.step().map_err(failure)?;
            while let Some(time) = passing.next_time().filter(|time| *time <= self.stepper.time()) {
                let state = self.stepper.state_at(time).map_err(failure);
                let sampled = state.and_then(|state| self.watch.sample(state, values));
                look(sampled, time, passing, values);
            }
            if reached == Reached::EndTime {
                break;
            }
        }
        self.log();
        Ok(())
    }

    fn state(&mut self) -> Result<State, Failure> {
        Ok(self.stepper.state().clone())
    }

    fn begin_at(&mut self, state: &State, _: f64, polynomials: &[[f64; 3]]) -> Result<(), Failure> {
        let mechanism = Arc::clone(&self.watch.mechanism);
        let state = consistent(&mechanism, state, polynomials)?;
        let started = self.method.start(&mechanism, self.finder.clone(), &state, f64::INFINITY);
        self.stepper = started.map_err(failure)?;
        self.set_inputs(polynomials)
    }

    fn sample(&mut self, values: &mut [f64]) -> Result<(), Failure> {
        self.watch.sample(self.stepper.state(), values)
    }

    fn statistics(&self) -> Option<&Statistics> {
        Some(self.stepper.statistics())
    }

    fn events(&self) -> &[Event] {
        &self.happened
    }

    fn warnings(&self) -> Vec<String> {
        self.report.warnings(&self.finder).into_iter().chain(self.watch.warnings()).collect()
    }

    fn save(&mut self, snapshot: &mut Snapshot) -> Result<(), Failure> {
        *snapshot.content_mut() = Some((self.stepper.clone(), self.report.clone()));
        Ok(())
    }

    fn store(&self, snapshot: &Snapshot, to: &mut Vec<u8>) -> Result<(), Failure> {
        kept::<SavedEvents>(snapshot)?.0.store(to);
        Ok(())
    }

    fn load(&self, bytes: &[u8], snapshot: &mut Snapshot) -> Result<(), Failure> {
        let mut from = Source::new(bytes);
        let stepper = self.stepper.loaded(&mut from).map_err(failure)?;
        from.finish().map_err(failure)?;
        // What contacts did before tells the process that saw it.
        *snapshot.content_mut() = Some((stepper, self.report.clone()));
        Ok(())
    }

    fn restore(&mut self, snapshot: &Snapshot) -> Result<(), Failure> {
        (self.stepper, self.report) = saved(snapshot)?;
        Ok(())
    }
}

/// Time stepping.
struct Steps {
    stepper: TimeStepper<ContactSet>,
    watch: Watch,
    /// Its step is the longest.
    method: TimeStepping,
    /// Communication point at which it stands \[s\]: its own time is a sum of steps.
    reached: f64,
    report: StepReport,
}

impl Motion for Steps {
    fn time(&self) -> f64 {
        self.reached
    }

    fn set_inputs(&mut self, polynomials: &[[f64; 3]]) -> Result<(), Failure> {
        let time = self.stepper.time();
        let set = self.stepper.inputs_mut().set(&self.watch.mechanism, time, polynomials.iter().copied());
        set.map_err(failure)?;
        self.watch.set_inputs(time, polynomials)
    }

    fn advance(&mut self, to: f64, passing: &mut Passing, values: &mut [f64]) -> Result<(), Failure> {
        let rest = to - self.stepper.time();
        let steps = (rest / self.method.step - 1e-9).ceil().max(1.0);
        self.stepper.set_step(rest / steps).map_err(failure)?;
        for _ in 0..steps as u64 {
            let record = *self.stepper.step().map_err(failure)?;
            self.report.take(&record, self.stepper.detector());
            let time = self.stepper.time();
            if passing.next_time().is_some_and(|next| next <= time) {
                look(self.watch.sample(self.stepper.state(), values), time, passing, values);
            }
        }
        self.reached = to;
        Ok(())
    }

    fn state(&mut self) -> Result<State, Failure> {
        Ok(self.stepper.state().clone())
    }

    fn begin_at(&mut self, state: &State, time: f64, polynomials: &[[f64; 3]]) -> Result<(), Failure> {
        let mechanism = Arc::clone(&self.watch.mechanism);
        let state = consistent(&mechanism, state, polynomials)?;
        let contacts = self.stepper.detector().clone();
        self.stepper = self.method.start(&mechanism, contacts, &state).map_err(failure)?;
        self.reached = time;
        self.set_inputs(polynomials)
    }

    fn sample(&mut self, values: &mut [f64]) -> Result<(), Failure> {
        self.watch.sample(self.stepper.state(), values)
    }

    fn statistics(&self) -> Option<&Statistics> {
        None
    }

    fn warnings(&self) -> Vec<String> {
        let warnings = self.report.warnings(self.stepper.detector(), self.stepper.state());
        warnings.into_iter().chain(self.watch.warnings()).collect()
    }

    fn save(&mut self, snapshot: &mut Snapshot) -> Result<(), Failure> {
        *snapshot.content_mut() = Some((self.stepper.clone(), self.reached, self.report.clone()));
        Ok(())
    }

    fn store(&self, snapshot: &Snapshot, to: &mut Vec<u8>) -> Result<(), Failure> {
        let (stepper, reached, _) = kept::<SavedSteps>(snapshot)?;
        stepper.store(to);
        reached.store(to);
        Ok(())
    }

    fn load(&self, bytes: &[u8], snapshot: &mut Snapshot) -> Result<(), Failure> {
        let mut from = Source::new(bytes);
        let stepper = self.stepper.loaded(&mut from).map_err(failure)?;
        let reached = from.value::<f64>().map_err(failure)?;
        from.finish().map_err(failure)?;
        *snapshot.content_mut() = Some((stepper, reached, self.report.clone()));
        Ok(())
    }

    fn restore(&mut self, snapshot: &Snapshot) -> Result<(), Failure> {
        (self.stepper, self.reached, self.report) = saved(snapshot)?;
        Ok(())
    }
}

type SavedEvents = (EventStepper<ContactSet>, EventReport);
type SavedSteps = (TimeStepper<ContactSet>, f64, StepReport);

/// What was saved as an option.
fn kept<T: Send + 'static>(snapshot: &Snapshot) -> Result<&T, Failure> {
    let saved: &Option<T> = snapshot.content()?;
    saved.as_ref().ok_or_else(|| Failure::new("the snapshot is empty"))
}

/// A copy of it.
fn saved<T: Clone + Send + 'static>(snapshot: &Snapshot) -> Result<T, Failure> {
    kept::<T>(snapshot).cloned()
}
