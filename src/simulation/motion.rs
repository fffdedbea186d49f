//! The three ways to go on in time: smooth, event by event, in fixed steps.

use super::compiled::CompiledModel;
use super::method::{Method, Progress, integrator};
use crate::Error;
use crate::mechanism::Following;
use crate::run::SAME;
use crate::run::contact::loaded::LoadedEvents;
use crate::run::contact::watch::{Loads, Watch};
use fourbar_contact::event::Event;
use fourbar_contact::event::Reached;
use fourbar_contact::pair::ContactSet;
use fourbar_contact::report::{StepReport, deepest};
use fourbar_contact::stepping::{TimeStepper, TimeStepping};
use fourbar_linalg::checkpoint::{CheckpointError, Source, Stored};
use fourbar_multibody::integrator::{Error as IntegratorError, Statistics};
use fourbar_multibody::interrupt::{self, Interrupt};
use fourbar_multibody::{Dynamics, DynamicsSnapshot, Inputs, Mechanism, State, SwitchEvent};
use std::sync::Arc;

/// A motion under way.
pub(super) enum Motion {
    Smooth(Box<Dynamics>),
    Events(Box<LoadedEvents>),
    Steps(Box<FixedSteps>),
}

/// A saved motion.
pub(super) enum SavedMotion {
    Smooth(Box<DynamicsSnapshot>),
    Events(Box<LoadedEvents>),
    Steps(Box<FixedSteps>),
}

/// Time stepping with what its contacts carry.
#[derive(Clone)]
pub(super) struct FixedSteps {
    stepper: TimeStepper<ContactSet>,
    loads: Loads,
    shown: bool,
    /// Longest step \[s\].
    longest: f64,
    /// Where it stands, as the caller counts \[s\]: its own time is a sum of steps.
    reached: f64,
    steps: u64,
    report: StepReport,
}

impl FixedSteps {
    fn begin(
        options: &TimeStepping,
        compiled: &CompiledModel,
        finder: &ContactSet,
        start: &State,
    ) -> Result<Self, Error> {
        let deepest = deepest(&mut finder.clone(), start)?;
        let stepper = options.start(compiled.mechanism(), finder.clone(), start)?;
        let (loads, report) = (Loads::new(finder.names().len()), StepReport::start(&stepper, deepest));
        Ok(Self { reached: stepper.time(), stepper, loads, shown: false, longest: options.step, steps: 0, report })
    }

    fn advance(&mut self, end: f64) -> Result<Progress, Error> {
        let rest = end - self.stepper.time();
        let left = (rest / self.longest - SAME).ceil().max(1.0);
        let step = rest / left;
        self.stepper.set_step(step)?;
        let record = *self.stepper.step()?;
        self.report.take(&record, self.stepper.detector());
        if std::mem::take(&mut self.shown) {
            self.loads.impulses.fill(0.0);
        }
        self.loads.take_step(self.stepper.contacts(), step);
        self.steps += 1;
        if left > 1.0 {
            self.reached = self.stepper.time();
            return Ok(Progress::Step);
        }
        self.reached = end;
        Ok(Progress::End)
    }
}

impl FixedSteps {
    fn store(&self, to: &mut Vec<u8>) {
        self.stepper.store(to);
        self.loads.store(to);
        self.shown.store(to);
        self.reached.store(to);
        self.steps.store(to);
    }

    /// The motion that [`FixedSteps::store`] wrote.
    fn loaded(&self, from: &mut Source<'_>) -> Result<Self, CheckpointError> {
        let (stepper, mut loads) = (self.stepper.loaded(from)?, self.loads.clone());
        loads.load(from)?;
        let (shown, reached, steps) = (from.value()?, from.value()?, from.value()?);
        Ok(Self { stepper, loads, shown, longest: self.longest, reached, steps, report: self.report.clone() })
    }
}

impl Motion {
    /// At `start`, or at the start of the model.
    pub(super) fn begin(compiled: &CompiledModel, method: &Method, start: Option<&State>) -> Result<Self, Error> {
        let mechanism = compiled.mechanism();
        let (following, finder) = match (method, compiled.contacts()) {
            (Method::Contacts(following), Some(finder)) => (following, finder),
            (Method::Smooth(options), _) => {
                let dynamics = match start {
                    Some(start) => Dynamics::from_state(mechanism, options, start)?,
                    None => Dynamics::new(mechanism, options)?,
                };
                return Ok(Self::Smooth(Box::new(dynamics)));
            }
            (Method::Contacts(_), None) => {
                return Err(Error::NotForKind { setting: "contacts", kind: "mechanism" });
            }
        };
        let start = start.unwrap_or(mechanism.start());
        Ok(match following {
            Following::Event(options) => {
                let finder = finder.clone();
                Self::Events(Box::new(LoadedEvents::begin(options, mechanism, finder, start, f64::INFINITY)?))
            }
            Following::Steps(_, options, _) => {
                Self::Steps(Box::new(FixedSteps::begin(options, compiled, finder, start)?))
            }
        })
    }

    /// Whether contacts are followed from event to event.
    pub(super) fn follows_events(&self) -> bool {
        matches!(self, Self::Events(_))
    }

    pub(super) fn time(&self) -> f64 {
        match self {
            Self::Smooth(dynamics) => dynamics.time(),
            Self::Events(events) => events.stepper.time(),
            Self::Steps(steps) => steps.reached,
        }
    }

    /// Time as the method counts it.
    pub(super) fn method_time(&self) -> f64 {
        match self {
            Self::Steps(steps) => steps.stepper.time(),
            _ => self.time(),
        }
    }

    pub(super) fn advance(&mut self, end: f64) -> Result<Progress, Error> {
        let time = self.time();
        if !end.is_finite() {
            let name = "the end".to_owned();
            return Err(integrator(IntegratorError::NotFinite { what: "time", name, value: end }));
        }
        if end < time {
            return Err(integrator(IntegratorError::EndBeforeStart { time, end }));
        }
        if end == time && !self.is_pending() {
            return Ok(Progress::End);
        }
        if let Self::Smooth(dynamics) = self {
            dynamics.set_end(end)?;
            return Ok(Progress::of(dynamics.step()?));
        }
        // A step with contacts changes states, contacts and forces one after the other: it is interrupted before.
        interrupt::check(&Interrupt::never(), time).map_err(fourbar_multibody::Error::from)?;
        Interrupt::unwatched(|| self.advance_with_contacts(end))
    }

    /// Takes one step towards `end` \[s\], which may be infinite where steps choose their length.
    pub(super) fn pass(&mut self, end: f64) -> Result<Progress, Error> {
        let Self::Smooth(dynamics) = self else { return self.advance(end) };
        dynamics.set_end(end)?;
        Ok(Progress::of(dynamics.step()?))
    }

    fn advance_with_contacts(&mut self, end: f64) -> Result<Progress, Error> {
        match self {
            Self::Smooth(_) => Ok(Progress::End),
            Self::Events(events) => {
                events.stepper.set_end(end)?;
                Ok(match events.step()? {
                    Reached::Step => Progress::Step,
                    Reached::Event => Progress::Event,
                    // That of before, where the step is one that had failed there.
                    Reached::EndTime if events.stepper.time() < end => Progress::Step,
                    Reached::EndTime => Progress::End,
                })
            }
            Self::Steps(steps) => steps.advance(end),
        }
    }

    /// Whether a step that failed at the present time is to be made up for.
    fn is_pending(&self) -> bool {
        matches!(self, Self::Events(events) if events.is_pending())
    }

    pub(super) fn measures(&mut self, watch: Option<&mut Watch>, values: &mut [f64]) -> Result<(), Error> {
        match (self, watch) {
            (Self::Smooth(dynamics), _) => Ok(dynamics.measures_at(dynamics.time(), values)?),
            (Self::Events(events), Some(watch)) => {
                events.shown = true;
                watch.values(events.stepper.state(), &events.loads, values)
            }
            (Self::Steps(steps), Some(watch)) => {
                steps.shown = true;
                watch.values(steps.stepper.state(), &steps.loads, values)
            }
            (_, None) => Ok(()),
        }
    }

    /// Calls `visitor` with the state of now and the wrenches of the contacts on the bodies.
    pub(super) fn visit(
        &mut self,
        watch: Option<&mut Watch>,
        visitor: impl FnOnce(&State, &[f64]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        match (self, watch) {
            (Self::Smooth(dynamics), _) => visitor(dynamics.motion_at(dynamics.time())?, &[]),
            (Self::Events(events), Some(watch)) => {
                let state = events.stepper.state();
                visitor(state, watch.wrenches(state, &events.loads)?)
            }
            (Self::Steps(steps), Some(watch)) => {
                let state = steps.stepper.state();
                visitor(state, watch.wrenches(state, &steps.loads)?)
            }
            (_, None) => Ok(()),
        }
    }

    /// What to say of the steps so far.
    pub(super) fn warnings(&self) -> Vec<String> {
        match self {
            Self::Smooth(dynamics) => dynamics.warnings(),
            Self::Events(_) => Vec::new(),
            Self::Steps(steps) => steps.report.warnings(steps.stepper.detector(), steps.stepper.state()),
        }
    }

    /// Contacts that press, and the state.
    pub(super) fn pressing(&mut self) -> Option<(usize, &State)> {
        match self {
            Self::Smooth(_) => None,
            Self::Events(events) => Some((events.loads.forces.len(), events.stepper.state())),
            Self::Steps(steps) => Some((steps.loads.forces.len(), steps.stepper.state())),
        }
    }

    pub(super) fn events(&self) -> &[Event] {
        match self {
            Self::Events(events) => &events.events,
            _ => &[],
        }
    }

    pub(super) fn clear_events(&mut self) {
        if let Self::Events(events) = self {
            events.events.clear();
        }
    }

    pub(super) fn statistics(&self) -> Option<&Statistics> {
        match self {
            Self::Smooth(dynamics) => Some(dynamics.statistics()),
            Self::Events(events) => Some(events.stepper.statistics()),
            Self::Steps(_) => None,
        }
    }

    /// What moves: a mechanism that sensors may have made another one than the compiled one.
    pub(super) fn mechanism<'a>(&'a self, compiled: &'a CompiledModel) -> &'a Arc<Mechanism> {
        match self {
            Self::Smooth(dynamics) => dynamics.mechanism(),
            _ => compiled.mechanism(),
        }
    }

    /// The inputs in force, where sensors may have set them.
    pub(super) fn inputs(&self) -> Option<&Inputs> {
        match self {
            Self::Smooth(dynamics) if dynamics.mechanism().has_switches() => Some(dynamics.inputs()),
            _ => None,
        }
    }

    /// What sensors and elements with `active` did.
    pub(super) fn switch_events(&self) -> &[SwitchEvent] {
        match self {
            Self::Smooth(dynamics) => dynamics.switch_events(),
            _ => &[],
        }
    }

    pub(super) fn ended_by(&self) -> Option<&str> {
        match self {
            Self::Smooth(dynamics) => dynamics.ended_by(),
            _ => None,
        }
    }

    pub(super) fn steps(&self) -> u64 {
        match self {
            Self::Steps(steps) => steps.steps,
            _ => self.statistics().map_or(0, |statistics| statistics.steps),
        }
    }

    pub(super) fn set_inputs(&mut self, mechanism: &Mechanism, polynomials: &[[f64; 3]]) -> Result<(), Error> {
        let given = polynomials.iter().copied();
        match self {
            Self::Smooth(dynamics) => Ok(dynamics.set_inputs(given)?),
            Self::Events(events) => {
                events.stepper.set_inputs(given)?;
                events.take_events();
                events.find_forces()
            }
            Self::Steps(steps) => {
                let time = steps.stepper.time();
                steps.stepper.inputs_mut().set(mechanism, time, given).map_err(integrator)
            }
        }
    }

    pub(super) fn save(&self) -> SavedMotion {
        match self {
            Self::Smooth(dynamics) => {
                let mut snapshot = DynamicsSnapshot::default();
                dynamics.save(&mut snapshot);
                SavedMotion::Smooth(Box::new(snapshot))
            }
            Self::Events(events) => SavedMotion::Events(events.clone()),
            Self::Steps(steps) => SavedMotion::Steps(steps.clone()),
        }
    }

    /// Reads what [`SavedMotion::store`] wrote of such a motion.
    pub(super) fn load(&self, from: &mut Source<'_>) -> Result<SavedMotion, Error> {
        match self {
            Self::Smooth(dynamics) => Ok(SavedMotion::Smooth(Box::new(dynamics.load(from)?))),
            Self::Events(events) => Ok(SavedMotion::Events(Box::new(events.loaded(from)?))),
            Self::Steps(steps) => Ok(SavedMotion::Steps(Box::new(steps.loaded(from)?))),
        }
    }

    /// Whether it was saved by such a motion; nothing has changed if not.
    pub(super) fn restore(&mut self, saved: &SavedMotion) -> Result<bool, Error> {
        match (self, saved) {
            (Self::Smooth(dynamics), SavedMotion::Smooth(snapshot)) => dynamics.restore(snapshot)?,
            (Self::Events(events), SavedMotion::Events(saved)) => events.clone_from(saved),
            (Self::Steps(steps), SavedMotion::Steps(saved)) => steps.clone_from(saved),
            _ => return Ok(false),
        }
        Ok(true)
    }
}

impl SavedMotion {
    /// Appends its bytes to `to`.
    pub(super) fn store(&self, to: &mut Vec<u8>) {
        match self {
            Self::Smooth(snapshot) => snapshot.store(to),
            Self::Events(events) => events.store(to),
            Self::Steps(steps) => steps.store(to),
        }
    }
}
