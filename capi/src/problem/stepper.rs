//! One of the integrators at work on a problem of the host, with its events.

use std::sync::Arc;

use fourbar::dae::integrator::{AbamStepper, BdfStepper, Direction, Error, Integrator, Rkf45Stepper, Snapshot, Stop};
use fourbar::linalg::checkpoint::{Header, Stored, store_list};
use fourbar::multibody::formulation::Partitioned;

use fourbar::multibody::{Equations, State};

use super::adapter::Adapter;
use super::equations::fourbar_event_action as Action;
use super::stop::fourbar_stop;
use super::system::make_consistent;
use super::table::{Table, finite, judge};
use crate::abi::environment::of_host;
use crate::abi::error::Failure;
use crate::abi::status::fourbar_status as Status;
use crate::abi::view::check_length;
use crate::equations::open::{Form, Taken};
use crate::model::failure;
use fourbar::dae::integrator::{Family, Method};

/// In messages.
const EVENT: &str = "the event function";

enum Running {
    Bdf(Box<BdfStepper<Adapter>>),
    Rkf45(Box<Rkf45Stepper<Adapter>>),
    Abam(Box<AbamStepper<Adapter>>),
    /// The equations of a mechanism.
    MechanismBdf(Box<BdfStepper<Equations>>),
    MechanismRkf45(Box<Rkf45Stepper<Partitioned>>),
    MechanismAbam(Box<AbamStepper<Partitioned>>),
}

impl Running {
    /// Functions of the host.
    fn of_host(table: &Arc<Table>, method: Method, t: f64, y: &[f64], yp: &[f64]) -> Result<Self, Failure> {
        Ok(match method.family() {
            Family::Bdf(method) => {
                Self::Bdf(Box::new(method.start(Adapter::implicit(table)?, t, y, yp, f64::INFINITY)?))
            }
            Family::Rkf45(_) | Family::Abam(_) if !table.is_explicit() => {
                let text = "RKF45 and ABAM solve y' = f(t, y): give the equations as 'rhs', or take GSTIFF";
                return Err(Failure::new(Status::FOURBAR_UNSUPPORTED, text));
            }
            Family::Rkf45(method) => {
                Self::Rkf45(Box::new(method.start(Adapter::explicit(table), t, y, f64::INFINITY)?))
            }
            Family::Abam(method) => {
                Self::Abam(Box::new(method.start(Adapter::explicit(table), t, y, f64::INFINITY)?))
            }
        })
    }

    /// The equations of a mechanism.
    fn of_mechanism(equations: &Taken, method: Method, t: f64, y: &[f64], yp: &[f64]) -> Result<Self, Failure> {
        let form = failure::run(|| Ok(equations.form()?))?;
        Ok(match (method.family(), form) {
            (Family::Bdf(method), Form::Implicit(equations)) => {
                Self::MechanismBdf(Box::new(method.start(*equations, t, y, yp, f64::INFINITY)?))
            }
            (Family::Rkf45(method), Form::Partitioned(equations)) => {
                Self::MechanismRkf45(Box::new(method.start(*equations, t, y, f64::INFINITY)?))
            }
            (Family::Abam(method), Form::Partitioned(equations)) => {
                Self::MechanismAbam(Box::new(method.start(*equations, t, y, f64::INFINITY)?))
            }
            (Family::Bdf(_), Form::Partitioned(_)) => {
                let text = "this integrator solves F(t, y, y') = 0: take the formulation I3 or SI2, or RKF45 or ABAM";
                return Err(Failure::new(Status::FOURBAR_UNSUPPORTED, text));
            }
            (Family::Rkf45(_) | Family::Abam(_), Form::Implicit(_)) => {
                let text = "RKF45 and ABAM solve y' = f(t, y): take the formulation FOURBAR_FORMULATION_PARTITIONED, or GSTIFF";
                return Err(Failure::new(Status::FOURBAR_UNSUPPORTED, text));
            }
        })
    }

    fn integrator(&self) -> &dyn Integrator {
        match self {
            Self::Bdf(stepper) => &**stepper,
            Self::Rkf45(stepper) => &**stepper,
            Self::Abam(stepper) => &**stepper,
            Self::MechanismBdf(stepper) => &**stepper,
            Self::MechanismRkf45(stepper) => &**stepper,
            Self::MechanismAbam(stepper) => &**stepper,
        }
    }

    fn integrator_mut(&mut self) -> &mut dyn Integrator {
        match self {
            Self::Bdf(stepper) => &mut **stepper,
            Self::Rkf45(stepper) => &mut **stepper,
            Self::Abam(stepper) => &mut **stepper,
            Self::MechanismBdf(stepper) => &mut **stepper,
            Self::MechanismRkf45(stepper) => &mut **stepper,
            Self::MechanismAbam(stepper) => &mut **stepper,
        }
    }

    fn is_gstiff(&self) -> bool {
        matches!(self, Self::Bdf(_) | Self::MechanismBdf(_))
    }
}

/// What is saved of an integration.
#[derive(Debug, Default)]
pub(super) struct Checkpoint {
    snapshot: Snapshot,
    /// Which root functions changed their signs there, and in which direction.
    events: Vec<(usize, i8)>,
    unhandled: bool,
    /// Number of root functions of its problem.
    roots: usize,
    /// Of the integration that saved it.
    origin: u64,
}

/// An integration: the method, and the events of the last point.
pub(super) struct Stepper {
    running: Running,
    table: Arc<Table>,
    /// Of its checkpoints.
    header: Header,
    /// Events that the host asked for: which, and their directions.
    pub(super) indices: Vec<usize>,
    pub(super) directions: Vec<i32>,
    /// Whether they still have to be handled: the integrator stands at them, and its next step would pass them.
    unhandled: bool,
    /// Scratch, n entries each.
    y: Vec<f64>,
    yp: Vec<f64>,
}

impl Stepper {
    pub(super) fn start(table: &Arc<Table>, method: Method, t: f64, y: &[f64], yp: &[f64]) -> Result<Self, Failure> {
        let header = Header { kind: "an integration", fingerprint: table.fingerprint().data(&method).value() };
        let running = match table.mechanism() {
            Some(equations) => Running::of_mechanism(equations, method, t, y, yp)?,
            None => Running::of_host(table, method, t, y, yp)?,
        };
        let (n, roots) = (table.unknowns.len(), table.directions.len());
        Ok(Self {
            running,
            table: Arc::clone(table),
            header,
            indices: Vec::with_capacity(roots),
            directions: Vec::with_capacity(roots),
            unhandled: false,
            y: vec![0.0; n],
            yp: vec![0.0; n],
        })
    }

    pub(super) fn integrator(&self) -> &dyn Integrator {
        self.running.integrator()
    }

    pub(super) fn integrator_mut(&mut self) -> &mut dyn Integrator {
        self.running.integrator_mut()
    }

    /// The state of the mechanism whose equations these are, at the present point; `None` for functions of the host.
    pub(super) fn mechanism_state(&mut self) -> Result<Option<State>, Failure> {
        let time = self.read();
        let Some(equations) = self.table.mechanism() else { return Ok(None) };
        let mut state = equations.compiled.mechanism().start().clone();
        // What the integrator remembers stays as it is: a reading of partitioned equations moves their scratch alone.
        match &mut self.running {
            Running::MechanismBdf(stepper) => {
                stepper.dae_mut().read(time, &self.y, &mut state);
                stepper.dae().read_multipliers(&self.y, &self.yp, &mut state);
            }
            Running::MechanismRkf45(stepper) => {
                let y = &self.y;
                failure::run(|| Ok(stepper.ode_mut().read(time, y, &mut state)?))?;
            }
            Running::MechanismAbam(stepper) => {
                let y = &self.y;
                failure::run(|| Ok(stepper.ode_mut().read(time, y, &mut state)?))?;
            }
            _ => return Ok(None),
        }
        Ok(Some(state))
    }

    pub(super) fn has_event_function(&self) -> bool {
        self.table.event.is_some()
    }

    /// Evaluations spent on differences.
    pub(super) fn differenced(&self) -> u64 {
        match &self.running {
            Running::Bdf(stepper) => stepper.dae().differenced,
            Running::Rkf45(stepper) => stepper.ode().differenced,
            Running::Abam(stepper) => stepper.ode().differenced,
            Running::MechanismBdf(_) | Running::MechanismRkf45(_) | Running::MechanismAbam(_) => 0,
        }
    }

    /// One step, or up to an event that the host asked for, which is handled; where the step before failed at that, it is handled now.
    pub(super) fn step(&mut self) -> Result<fourbar_stop, Failure> {
        self.step_recorded(&mut |_| Ok(()))
    }

    /// The same; `record` sees the step up to an event before that changes the state.
    pub(super) fn step_recorded(
        &mut self,
        record: &mut dyn FnMut(&Self) -> Result<(), Failure>,
    ) -> Result<fourbar_stop, Failure> {
        loop {
            if !self.unhandled {
                // A step that fails leaves the events of the present point.
                let stop = self.evaluated(|running| running.integrator_mut().step())?;
                self.forget_events();
                match stop {
                    Stop::StopTime => return Ok(fourbar_stop::FOURBAR_STOP_TIME),
                    Stop::EndTime => return Ok(fourbar_stop::FOURBAR_STOP_END),
                    Stop::Event => self.select_events(),
                    _ => return Ok(fourbar_stop::FOURBAR_STOP_STEP),
                }
            }
            record(self)?;
            if !self.indices.is_empty() {
                let stop = self.handle_events()?;
                self.unhandled = false;
                return Ok(stop);
            }
        }
    }

    /// The events whose directions the host asked for.
    fn select_events(&mut self) {
        self.forget_events();
        let events = match &self.running {
            Running::Bdf(stepper) => stepper.events(),
            Running::Rkf45(stepper) => stepper.events(),
            Running::Abam(stepper) => stepper.events(),
            // Mechanisms have no root functions.
            Running::MechanismBdf(_) | Running::MechanismRkf45(_) | Running::MechanismAbam(_) => return,
        };
        for event in events {
            let direction = if event.direction == Direction::Rising { 1 } else { -1 };
            if self.table.directions[event.index] * direction >= 0 {
                self.indices.push(event.index);
                self.directions.push(direction);
            }
        }
        self.unhandled = !self.indices.is_empty();
    }

    /// Calls the host's event function and does what it asks for.
    fn handle_events(&mut self) -> Result<fourbar_stop, Failure> {
        let Some(function) = self.table.event else { return Ok(fourbar_stop::FOURBAR_STOP_EVENT) };
        let time = self.read();
        let mut action = Action::FOURBAR_EVENT_CONTINUE as i32;
        let (y, yp) = (self.y.as_mut_ptr(), self.yp.as_mut_ptr());
        let (indices, directions) = (self.indices.as_ptr(), self.directions.as_ptr());
        // SAFETY: the host's function with arrays of the lengths it was promised, which nobody else uses meanwhile.
        let returned = of_host(|| unsafe {
            function(self.table.user.0, time, y, yp, indices, directions, self.indices.len(), &raw mut action)
        });
        judge(returned, EVENT, time)?;
        let is = |asked: Action| asked as i32 == action;
        self.check_written(time, is(Action::FOURBAR_EVENT_RESTART), is(Action::FOURBAR_EVENT_RESTART_CONSISTENT))?;
        if is(Action::FOURBAR_EVENT_STOP) {
            return Ok(fourbar_stop::FOURBAR_STOP_HOST);
        }
        if is(Action::FOURBAR_EVENT_RESTART_CONSISTENT) {
            make_consistent(&self.table, time, &mut self.y, &mut self.yp)?;
        } else if is(Action::FOURBAR_EVENT_CONTINUE) {
            return Ok(fourbar_stop::FOURBAR_STOP_EVENT);
        } else if !is(Action::FOURBAR_EVENT_RESTART) {
            let text = format!("{EVENT} asked for action {action}, which is no fourbar_event_action");
            return Err(Failure::new(Status::FOURBAR_CALLBACK, text));
        }
        let slopes: &[f64] = if self.running.is_gstiff() { &self.yp } else { &[] };
        self.running.integrator_mut().restart(time, &self.y, slopes)?;
        Ok(fourbar_stop::FOURBAR_STOP_EVENT)
    }

    /// What the event function wrote must be numbers as far as the restart that it asks for begins from them.
    fn check_written(&self, time: f64, restart: bool, consistent: bool) -> Result<(), Failure> {
        let uses_slopes = self.running.is_gstiff() && (restart || (consistent && !self.table.is_explicit()));
        let written = [("y", &self.y, restart || consistent), ("y'", &self.yp, uses_slopes)];
        for (what, values, _) in written.into_iter().filter(|(_, _, used)| *used) {
            finite(values, EVENT, time, |i| format!("{what} of {}", self.table.name(i)))?;
        }
        Ok(())
    }

    /// Copies y and y' of the present point to the scratch; returns its time.
    fn read(&mut self) -> f64 {
        let Self { running, y, yp, .. } = self;
        let integrator = running.integrator();
        y.copy_from_slice(integrator.state());
        yp.copy_from_slice(integrator.derivative());
        integrator.time()
    }

    /// Begins anew; without `yp`, y' of an explicit system is evaluated.
    pub(super) fn restart(&mut self, t: f64, y: &[f64], yp: Option<&[f64]>) -> Result<(), Failure> {
        let given = derivative(&self.table, t, y, yp)?;
        self.integrator_mut().restart(t, y, &given)?;
        self.forget_events();
        Ok(())
    }

    /// Saves the present point in place.
    pub(super) fn save(&self, point: &mut Checkpoint) {
        self.integrator().save(&mut point.snapshot);
        point.events.clear();
        point.events.extend(
            self.indices.iter().zip(&self.directions).map(|(&index, direction)| (index, direction.signum() as i8)),
        );
        point.unhandled = self.unhandled;
        point.roots = self.table.directions.len();
        point.origin = self.header.fingerprint;
    }

    /// The same, into what an integration of the same equations and options saved.
    pub(super) fn save_into(&self, point: &mut Checkpoint) -> Result<(), Failure> {
        if point.origin != self.header.fingerprint {
            let text = "the state is of other equations or options: save into one that this integration saved, or make a new one by \
                        fourbar_integration_save";
            return Err(Failure::new(Status::FOURBAR_STATE, text));
        }
        self.save(point);
        Ok(())
    }

    /// Returns to a checkpoint.
    pub(super) fn restore(&mut self, point: &Checkpoint) -> Result<(), Failure> {
        if point.roots != self.table.directions.len() {
            // Its events would be those of functions that are not there.
            return Err(Error::ForeignSnapshot { dimension: self.table.unknowns.len() }.into());
        }
        self.integrator_mut().restore(&point.snapshot)?;
        (self.indices, self.directions) =
            point.events.iter().map(|&(index, direction)| (index, i32::from(direction))).unzip();
        self.unhandled = point.unhandled;
        Ok(())
    }

    /// The bytes of a checkpoint, if it is one of such an integration.
    pub(super) fn to_bytes(&self, point: &Checkpoint) -> Result<Vec<u8>, Failure> {
        let bytes = self.header.write(|to| {
            point.snapshot.store(to);
            store_list(&point.events, to);
            point.unhandled.store(to);
        });
        let own = self.read_bytes(&bytes);
        own.map_err(|_| Error::ForeignSnapshot { dimension: self.table.unknowns.len() })?;
        Ok(bytes)
    }

    pub(super) fn read_bytes(&self, bytes: &[u8]) -> Result<Checkpoint, Failure> {
        let mut from = self.header.read(bytes)?;
        let snapshot = self.integrator().load(&mut from)?;
        let (mut events, roots) = (Vec::new(), self.table.directions.len());
        from.list(&mut events)?;
        if events.iter().any(|&(index, direction): &(usize, i8)| index >= roots || direction.abs() != 1) {
            return Err(from.refuse("an event").into());
        }
        let unhandled = from.value()?;
        from.finish()?;
        Ok(Checkpoint { snapshot, events, unhandled, roots, origin: self.header.fingerprint })
    }

    /// Runs a call of the integrator: where a function of the host in a mechanism keeps it from going on, the error says so.
    fn evaluated<T>(&mut self, call: impl FnOnce(&mut Running) -> Result<T, Error>) -> Result<T, Failure> {
        let running = &mut self.running;
        match self.table.mechanism() {
            Some(_) => failure::run(|| Ok(call(running).map_err(fourbar::multibody::Error::from)?)),
            None => Ok(call(running)?),
        }
    }

    /// The present point is not that of an event.
    fn forget_events(&mut self) {
        self.unhandled = false;
        self.indices.clear();
        self.directions.clear();
    }
}

/// y' as given, or f(t, y).
pub(super) fn derivative(table: &Arc<Table>, t: f64, y: &[f64], yp: Option<&[f64]>) -> Result<Vec<f64>, Failure> {
    check_length("y", y.len(), table.unknowns.len())?;
    if let Some(yp) = yp {
        return Ok(yp.to_vec());
    }
    if !table.is_explicit() {
        let text = "'yp' is NULL: equations F(t, y, y') = 0 need it; fourbar_problem_consistent_start finds it";
        return Err(Failure::new(Status::FOURBAR_NULL, text));
    }
    let mut yp = vec![0.0; table.unknowns.len()];
    make_consistent(table, t, &mut y.to_vec(), &mut yp)?;
    Ok(yp)
}
