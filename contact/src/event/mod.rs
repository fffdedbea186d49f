//! Event-driven motion: smooth between events, which are located to round-off in time.
//!
//! Between two events the closed contacts are constraints ([`Closed`]): normal rows held, friction sticking or slipping, and `Rkf45`
//! integrates the accelerations with joints and contacts put back on their constraints at each step. Root functions are the gaps of
//! the open contacts (impact), the normal forces of the closed ones (they open at zero), the margin of friction where it sticks and
//! the speed where it slips. At an event:
//!
//! 1. closing contacts collide by the [`ImpactLaw`], all touching contacts and the joints taking part ((12')-(14'));
//! 2. what then has no normal velocity is decided on accelerations: closed or open, sticking or slipping;
//! 3. a contact that bounces ever faster is passed in closed form: after a rebound with v+ under the acceleration -a the impacts
//!    accumulate at 2 v+/(a (1 - e)) from now, and it rests from there on;
//! 4. the integrator restarts, which costs one evaluation.
//!
//! Where contacts are redundant (a box on four corners) their forces are not unique, though the motion is: those of least norm are
//! reported ([`EventStepper::forces`]) if friction holds them, and in place of forces the root function is whether the decision 2. would still be the same.
//!
//! Slip turns with the rate mu N/(m |v|), without bound as it begins and ends. Where that would limit the step, the directions of slip
//! are unknowns of their own and the step is implicit in them ([`Ode::fast`](fourbar_multibody::ode::Ode::fast)); the integrator goes
//! back by itself.

mod accumulation;
mod active_constraints;
mod breaks;
mod contact_modes;
mod flow;
mod handle;
mod hyperstatic;
mod impulse_level;
mod log;
mod mode;
mod painleve_shock;
mod pending;
mod saving;
mod smooth;
mod steering;
mod thresholds;
mod watching;
mod zeno_guard;

pub use log::{Event, EventKind};
pub use mode::{Closed, Friction};

use crate::error::Error;
use crate::impact::MechanismImpact;
use crate::law::ImpactLaw;
use crate::unilateral::Contacts;
use accumulation::Accumulations;
use flow::Flow;
use fourbar_multibody::integrator::{Error as IntegratorError, Integrator, Rkf45, Rkf45Stepper, Statistics};
use fourbar_multibody::{Mechanism, State};
use log::Log;
use pending::{Halt, Pending};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use zeno_guard::{Pace, Switch};

/// Where a step lands behind the expected closing of a contact, as part of the way there.
const PAST: f64 = 1.01;

/// Event-driven motion: tolerance, law of impact, accumulation.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct EventDriven {
    /// Relative and absolute tolerance of the integrator.
    pub tolerance: f64,
    /// Law of impact.
    pub law: ImpactLaw,
    /// Closing speed below which a geometric sequence of impacts is passed in closed form [m/s, rad/s], 0 to follow every impact; infinity
    /// for 1e-4 of the speed of the scene, or of the fastest impact of the contact.
    pub accumulation_speed: f64,
    /// Gap up to which contacts are looked for \[m\]; infinity for pairs that always have one.
    pub reach: f64,
    /// Longest step \[s\].
    pub max_step: f64,
    /// Events in ten times the time of the scene after which it ends with [`Error::Accumulating`].
    pub events_max: usize,
    /// Mean length of 2000 steps and events in a row below which the motion ends with [`Error::Stalled`] \[s\], 0 to let it go on;
    /// infinity for 1e-8 of the time of the scene.
    pub pace_min: f64,
}

impl Default for EventDriven {
    fn default() -> Self {
        Self {
            tolerance: 1e-12,
            law: ImpactLaw::default(),
            accumulation_speed: f64::INFINITY,
            reach: f64::INFINITY,
            max_step: f64::INFINITY,
            events_max: 100_000,
            pace_min: f64::INFINITY,
        }
    }
}

impl EventDriven {
    /// Starts at `start`, to run to `end` \[s\]. Contacts that touch there collide or close at once; an overlap up to 4e-6 of the length of the scene counts
    /// as round-off of the start and is taken away first, in the mass norm.
    ///
    /// # Errors
    /// [`Error::Option`] for options out of range; [`Error::Unfollowed`] for shapes that events cannot follow; [`Error::Penetrating`] for a start deeper inside; [`Error::Multibody`] for a singular start; those of [`Contacts::find`].
    pub fn start<C: Contacts>(
        &self,
        mechanism: &Arc<Mechanism>,
        contacts: C,
        start: &State,
        end: f64,
    ) -> Result<EventStepper<C>, Error> {
        if !(self.reach > 0.0) {
            let remedy = "give a positive length, or infinity";
            return Err(Error::Option { name: "reach", value: self.reach, remedy });
        }
        if !(self.accumulation_speed >= 0.0) {
            let remedy = "give a speed, 0 to follow every impact";
            return Err(Error::Option { name: "accumulation_speed", value: self.accumulation_speed, remedy });
        }
        if !(self.pace_min >= 0.0) {
            let remedy = "give a time, 0 to go on however short steps are";
            return Err(Error::Option { name: "pace_min", value: self.pace_min, remedy });
        }
        contacts.check_events()?;
        let mut flow = Flow::new(mechanism, contacts, start, self.reach)?;
        let mut y = vec![0.0; fourbar_multibody::ode::Ode::dimension(&flow)];
        flow.write(start, &mut y);
        let mut method = Rkf45::with_tolerance(self.tolerance);
        if self.max_step.is_finite() {
            method.step.largest = self.max_step;
        }
        let stepper = method.start(flow, start.time, &y, end).map_err(fourbar_multibody::Error::from)?;
        let mut run = EventStepper {
            options: *self,
            stepper,
            impact: MechanismImpact::default(),
            log: Log::default(),
            accumulations: Accumulations::default(),
            counted: (0, start.time),
            pace: Pace::new(start.time),
            switches: Vec::new(),
            arguments: Vec::new(),
            pole: f64::NAN,
            pending: Pending::NOTHING,
            yp: y.clone(),
            y,
        };
        match run.begin() {
            Ok(()) => Ok(run),
            Err(error) => Err(run.named(error)),
        }
    }
}

/// What a step ended with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reached {
    /// A smooth step.
    Step,
    /// An event; [`EventStepper::log`] tells which.
    Event,
    /// The end time.
    EndTime,
}

/// A running event-driven motion. A clone of it goes on as it would, bit for bit.
#[derive(Debug, Clone)]
pub struct EventStepper<C: Contacts> {
    options: EventDriven,
    stepper: Rkf45Stepper<Flow<C>>,
    impact: MechanismImpact,
    log: Log,
    accumulations: Accumulations,
    /// Events since a time \[s\].
    counted: (usize, f64),
    pace: Pace,
    /// Conditions of forces, and room for their arguments.
    switches: Vec<Switch>,
    arguments: Vec<f64>,
    /// When a step was last too short \[s\].
    pole: f64,
    pending: Pending,
    y: Vec<f64>,
    yp: Vec<f64>,
}

impl<C: Contacts> EventStepper<C> {
    /// Takes a step, which ends early at an event; the event is dealt with before this returns. Where that fails, as a function of the host
    /// may, modes and log stay those before it, and the step repeated deals with it first: a failure that has gone leaves no trace.
    ///
    /// # Errors
    /// [`Error::Multibody`] from the integrator or a solve; [`Error::Undecided`], [`Error::Dependent`] for contacts that events cannot
    /// follow; [`Error::Squeezed`] where nothing holds contacts apart, [`Error::Lost`], [`Error::Entered`] where pairs report other places;
    /// [`Error::Accumulating`], [`Error::Stalled`]; those of [`Contacts::find`]. The
    /// log keeps what happened before.
    pub fn step(&mut self) -> Result<Reached, Error> {
        self.check_pace()?;
        let reached = self.advance().map_err(|error| self.named(error))?;
        self.pace.note(reached);
        self.note_switches();
        Ok(reached)
    }

    fn advance(&mut self) -> Result<Reached, Error> {
        if self.pending.halt == Halt::None {
            if self.pending.steered {
                self.steer()?;
            }
            if !self.pending.begun {
                self.cross_break()?;
            }
            self.pending.halt = self.integrate()?;
        }
        self.catch_up()
    }

    /// A step of the integrator; one that failed on its way keeps the stop times that it began with.
    fn integrate(&mut self) -> Result<Halt, Error> {
        if !self.pending.begun {
            self.set_stops()?;
            self.pending.begun = true;
        }
        self.stepper.ode_mut().begin_step();
        match self.stepper.step() {
            Err(IntegratorError::SmallestStep { .. }) if self.is_worn() => Ok(Halt::Worn),
            Err(IntegratorError::SmallestStep { .. }) if self.slips_at_a_pole() => Ok(Halt::Pole),
            Ok(stop) => Ok(stop.into()),
            Err(error) => Err(self.stepper.ode_mut().stopped(error)),
        }
    }

    /// Lets the next step end at the next break of forces and motions, and just behind the place where the first of the open contacts would close if it
    /// went on as it does. A flight without forces but gravity is one step to the integrator, however long, in which two bodies may meet and
    /// pass through each other.
    fn set_stops(&mut self) -> Result<(), Error> {
        self.yp.copy_from_slice(self.stepper.derivative());
        let time = self.stepper.time();
        let contact = time + PAST * self.stepper.ode_mut().time_to_contact(&self.yp);
        let stop = contact.min(self.stepper.ode_mut().next_break(time));
        let stops = [stop];
        let stops = if stop.is_finite() { &stops[..] } else { &[] };
        self.stepper.set_stop_times(stops).map_err(fourbar_multibody::Error::from)?;
        Ok(())
    }

    /// Runs to the end time.
    ///
    /// # Errors
    /// Those of [`EventStepper::step`].
    pub fn run(&mut self) -> Result<(), Error> {
        while self.step()? != Reached::EndTime {}
        Ok(())
    }

    /// Moves the end time.
    ///
    /// # Errors
    /// [`Error::Multibody`] if it lies in the past.
    pub fn set_end(&mut self, end: f64) -> Result<(), Error> {
        self.stepper.set_end_time(end).map_err(fourbar_multibody::Error::from)?;
        if self.pending.halt == Halt::End && end > self.time() {
            self.pending.halt = Halt::Step;
        }
        Ok(())
    }

    /// Time \[s\].
    #[must_use]
    pub fn time(&self) -> f64 {
        self.stepper.time()
    }

    /// The state now: after the event, if there was one.
    pub fn state(&mut self) -> &State {
        let (time, y) = (self.stepper.time(), self.stepper.state().to_vec());
        let flow = self.stepper.ode_mut();
        flow.read(time, &y);
        &flow.state
    }

    /// The state at a time within the last step, before the event that ended it.
    ///
    /// # Errors
    /// [`Error::Multibody`] if `time` lies outside.
    pub fn state_at(&mut self, time: f64) -> Result<&State, Error> {
        let interpolated = self.stepper.interpolate(time, &mut self.y, &mut self.yp);
        interpolated.map_err(fourbar_multibody::Error::from)?;
        let flow = self.stepper.ode_mut();
        flow.read(time, &self.y);
        Ok(&flow.state)
    }

    /// Events so far, in order.
    #[must_use]
    pub fn log(&self) -> &[Event] {
        &self.log.events
    }

    /// Empties the log.
    pub fn clear_log(&mut self) {
        self.log.events.clear();
    }

    /// Closed contacts, sorted by id.
    #[must_use]
    pub fn closed(&self) -> &[Closed] {
        &self.stepper.ode().closed
    }

    /// Forces of the closed contacts now [N, N m]: normal, two tangential, spinning, two rolling; slipping friction is c_g times the
    /// normal one, against the slip, and not listed. Where contacts are redundant, of all forces that hold them those of least norm
    /// among contacts that press, or, where friction does not hold these, some that it does; [`EventStepper::unique_forces`] tells.
    ///
    /// # Errors
    /// As for [`EventStepper::step`].
    pub fn forces(&mut self) -> Result<&[[f64; 6]], Error> {
        self.visit()?;
        let flow = self.stepper.ode_mut();
        flow.accelerations()?;
        flow.share()?;
        Ok(&flow.imposed.multipliers)
    }

    /// Whether the forces of the closed contacts are the only ones that hold them.
    #[must_use]
    pub fn unique_forces(&self) -> bool {
        self.stepper.ode().guarded
    }

    /// Largest violation of the joints [m, rad] and of its rate [m/s, rad/s] now.
    ///
    /// # Errors
    /// As for [`EventStepper::step`].
    pub fn violation(&mut self) -> Result<[f64; 2], Error> {
        self.visit()?;
        let flow = self.stepper.ode_mut();
        let mut rows = vec![0.0; flow.configuration.row_count()];
        let largest = |rows: &[f64]| rows.iter().fold(0.0_f64, |a, b| a.max(b.abs()));
        flow.configuration.violations(&mut rows);
        let position = largest(&rows);
        flow.configuration.violation_rates(&mut rows);
        Ok([position, largest(&rows)])
    }

    /// What the integrator spent.
    #[must_use]
    pub fn statistics(&self) -> &Statistics {
        self.stepper.statistics()
    }

    /// Lets the flow stand at the present point.
    fn visit(&mut self) -> Result<(), Error> {
        self.y.copy_from_slice(self.stepper.state());
        let time = self.stepper.time();
        self.stepper.ode_mut().visit(time, &self.y)
    }
}
