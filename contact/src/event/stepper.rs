//! A running event-driven motion: steps of the integrator between events, and what may be asked of it.

use super::accumulation::Accumulations;
use super::flow::Flow;
use super::log::{Event, Log, Reached};
use super::mode::Closed;
use super::options::EventDriven;
use super::pending::{Halt, Pending};
use super::zeno_guard::{Stall, ZenoGuard};
use crate::error::Error;
use crate::impact::MechanismImpact;
use crate::unilateral::{ContactId, Contacts};
use fourbar_linalg::checkpoint::{CheckpointError, Source, Stored};
use fourbar_multibody::integrator::{Error as IntegratorError, Integrator, Rkf45, Rkf45Stepper, Snapshot, Statistics};
use fourbar_multibody::{Mechanism, State};
use std::sync::Arc;

/// Where a step lands behind the expected closing of a contact, as part of the way there.
const PAST: f64 = 1.01;

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
        self.check()?;
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
            guard: ZenoGuard::new(start.time),
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

/// A running event-driven motion. A clone of it goes on as it would, bit for bit.
#[derive(Debug, Clone)]
pub struct EventStepper<C: Contacts> {
    pub(super) options: EventDriven,
    pub(super) stepper: Rkf45Stepper<Flow<C>>,
    pub(super) impact: MechanismImpact,
    pub(super) log: Log,
    pub(super) accumulations: Accumulations,
    pub(super) guard: ZenoGuard,
    /// When a step was last too short \[s\].
    pub(super) pole: f64,
    pub(super) pending: Pending,
    pub(super) y: Vec<f64>,
    pub(super) yp: Vec<f64>,
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
        self.keep_rows()?;
        self.guard.note(reached);
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

    /// Refuses rows of joints that have opened, and goes on with others where those kept do not suit: y says the same with either.
    fn keep_rows(&mut self) -> Result<(), Error> {
        if !self.stepper.ode().configuration.chooses_rows() {
            return Ok(());
        }
        self.visit()?;
        let Flow { configuration, state, .. } = self.stepper.ode_mut();
        configuration.refuse_open(state, true)?;
        configuration.choose_rows(state).map(|_| ())
    }

    /// A step of the integrator; one that failed on its way keeps the stop times that it began with.
    fn integrate(&mut self) -> Result<Halt, Error> {
        if !self.pending.begun {
            self.set_stops()?;
            self.pending.begun = true;
        }
        self.stepper.ode_mut().refusal.clear();
        match self.stepper.step() {
            Err(IntegratorError::SmallestStep { .. }) if self.is_worn() => Ok(Halt::Worn),
            Err(IntegratorError::SmallestStep { .. }) if self.slips_at_a_pole() => Ok(Halt::Pole),
            Ok(stop) => Ok(stop.into()),
            Err(error) => Err(self.stepper.ode_mut().refusal.stopped(error)),
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
        flow.settle_states()?;
        Ok(&flow.state)
    }

    /// Events so far, in order.
    #[must_use]
    pub fn log(&self) -> &[Event] {
        self.log.events()
    }

    /// Empties the log.
    pub fn clear_log(&mut self) {
        self.log.clear();
    }

    /// Closed contacts, sorted by id.
    #[must_use]
    pub fn closed(&self) -> &[Closed] {
        &self.stepper.ode().modes.closed
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
        self.stepper.ode().modes.guarded
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

    /// Names of contacts, each once.
    pub(super) fn names(&self, mut ids: Vec<ContactId>) -> Vec<String> {
        ids.sort_unstable();
        ids.dedup();
        let detector = &self.stepper.ode().contacts;
        ids.into_iter().map(|id| detector.describe(id)).collect()
    }

    /// The error with the names of its contacts.
    pub(super) fn named(&self, error: Error) -> Error {
        let undecided = matches!(
            error,
            Error::Squeezed { .. } | Error::Dependent { .. } | Error::Undecided { .. } | Error::Stalled { .. }
        );
        if undecided && let Some(masses) = self.stepper.ode().masses() {
            return masses;
        }
        match error {
            Error::Squeezed { contacts, time, left, .. } => {
                Error::Squeezed { names: self.names(contacts.clone()), contacts, time, left }
            }
            other => other,
        }
    }

    /// Refuses to go on where the last steps were too short to get anywhere, or a condition switches to and fro in them.
    fn check_pace(&mut self) -> Result<(), Error> {
        let (time, asked) = (self.time(), self.options.pace_min);
        let shortest = if asked.is_finite() { asked } else { self.stepper.ode().thresholds.pace() };
        match self.guard.stall(time, shortest) {
            None => Ok(()),
            Some(Stall::Condition(k)) => {
                let mechanism = Arc::clone(self.stepper.ode().configuration.mechanism());
                let condition = mechanism.condition_name(k);
                Err(fourbar_multibody::Error::from(IntegratorError::Chattering { condition, time }).into())
            }
            Some(Stall::Steps(steps, since)) => {
                let closed = self.closed().iter().map(|closed| closed.id);
                let contacts = self.names(self.log.recent().iter().copied().chain(closed).collect());
                Err(Error::Stalled { steps, since, time, contacts })
            }
        }
    }

    /// Looks on which side the conditions of forces are where the motion stands.
    fn note_switches(&mut self) {
        if self.stepper.ode().configuration.mechanism().condition_count() > 0 {
            self.state();
            let flow = self.stepper.ode_mut();
            self.guard.note_switches(&mut flow.configuration, &flow.state);
        }
    }

    /// Lets the flow stand at the present point.
    pub(super) fn visit(&mut self) -> Result<(), Error> {
        self.y.copy_from_slice(self.stepper.state());
        let time = self.stepper.time();
        self.stepper.ode_mut().visit(time, &self.y)
    }
}

/// As bytes, to go on from in another process.
impl<C: Contacts> EventStepper<C> {
    /// Appends everything on which the further motion depends.
    pub fn store(&self, to: &mut Vec<u8>) {
        self.stepper.ode().store(to);
        let mut snapshot = Snapshot::new();
        self.stepper.save(&mut snapshot);
        snapshot.store(to);
        self.log.store(to);
        self.accumulations.store(to);
        self.guard.store(to);
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
        motion.log.load(from)?;
        motion.accumulations.load(from)?;
        motion.guard.load(from)?;
        motion.pole.load(from)?;
        motion.pending.load(from)?;
        // Where the motion stands; what touches there is found again.
        motion.visit().map_err(|_| from.refuse("the state"))?;
        Ok(motion)
    }
}
