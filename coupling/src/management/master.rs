//! The master: the loop over the communication points.

use super::adaptive::Controller;
use super::connection::Connection;
use super::estimate::Estimate;
use super::exchange::Feedthrough;
use super::faults::Report;
use super::nesting::OpenPoint;
use super::network::Network;
use super::observer::{Observer, Proceed, RunState};
use super::opening::Opening;
use super::options::Options;
use super::order::OrderControl;
use super::pacer::Pacer;
use super::partner::Partner;
use super::port::Meter;
use super::setup::{Parts, parts};
use super::start::Start;
use super::sweep::Stepping;
use crate::Error;
use crate::function::{Fault, Handled, Handling};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Simulators, connected, on one clock.
///
/// ```
/// use fourbar_coupling::partner::Ode;
/// use fourbar_coupling::{Algorithm, Connection, Master, Options, Order, Partner, Variable};
///
/// // A mass of 2 kg, and a spring and damper that know nothing of it.
/// let mass = Ode::new([1.0, 0.0], |_, x, u, dx| {
///     dx[0] = x[1];
///     dx[1] = u[0] / 2.0;
/// })
/// .input(Variable::input("F", "N"))
/// .output(Variable::output("x", "m"), |_, x, _| x[0])
/// .output(Variable::output("v", "m/s"), |_, x, _| x[1])
/// .solver_step(1e-3);
/// let spring = Ode::new([], |_, _, _, _| {})
///     .input(Variable::input("x", "mm"))
///     .input(Variable::input("v", "m/s"))
///     .output(Variable::output("F", "kN").depends_on(&["x", "v"]), |_, _, u| -(2e-4 * u[0] + 4e-3 * u[1]));
///
/// let partners = vec![Partner::new("mass", mass), Partner::new("spring", spring)];
/// let connections = [
///     Connection::new("mass.x", "spring.x"),
///     Connection::new("mass.v", "spring.v"),
///     Connection::new("spring.F", "mass.F"),
/// ];
/// let options = Options::new(10.0, 0.01, Algorithm::Jacobi { order: Order::Quadratic });
/// let mut master = Master::new(partners, &connections, &options)?;
/// master.run(&mut ())?;
/// // x'' + 2 x' + 100 x = 0
/// let omega = 99f64.sqrt();
/// let exact = (-10f64).exp() * ((10.0 * omega).cos() + (10.0 * omega).sin() / omega);
/// assert!((master.output("mass.x")? - exact).abs() < 1e-6);
/// # Ok::<(), fourbar_coupling::Error>(())
/// ```
pub struct Master {
    pub(super) network: Network,
    pub(super) stepping: Stepping,
    pub(super) feedthrough: Feedthrough,
    pub(super) start: Start,
    pub(super) opening: Opening,
    pub(super) estimate: Estimate,
    pub(super) ports: Vec<Meter>,
    pub(super) order_control: Option<OrderControl>,
    pub(super) adaptive: Option<Controller>,
    pub(super) pacer: Option<Pacer>,
    /// Partners that handle faults themselves.
    telling: Vec<usize>,
    /// Partners with an input that was set before the start.
    pub(super) preset: Vec<usize>,
    pub(super) state: RunState,
    /// Why the run failed.
    pub(super) failure: Option<Error>,
    /// The communication point that is open still.
    pub(super) open: OpenPoint,
    /// Whether open inputs have changed since its values were brought up to date.
    pub(super) unsettled: bool,
    /// What a checkpoint belongs to.
    pub(super) options: Box<Options>,
}

impl Master {
    /// Checks everything and allocates everything the run will need.
    ///
    /// # Errors
    /// Any but [`Error::Stopped`]: each names what is refused and the remedy.
    pub fn new(partners: Vec<Partner>, connections: &[Connection], options: &Options) -> Result<Self, Error> {
        Self::interruptible(partners, connections, options, &Arc::default())
    }

    /// As [`Master::new`], with a flag that another thread raises to end the run at once: a partner on a thread or in a process of its own
    /// that has not answered is waited for no longer, at most 50 ms, and has failed with [`Failure::Interrupted`](crate::Failure). The
    /// steps of partners that answer are not touched.
    ///
    /// # Errors
    /// As [`Master::new`].
    pub fn interruptible(
        partners: Vec<Partner>,
        connections: &[Connection],
        options: &Options,
        interrupt: &Arc<AtomicBool>,
    ) -> Result<Self, Error> {
        let Parts { network, stepping, feedthrough, start, estimate, ports, order_control, adaptive, pacer } =
            parts(partners, connections, options, interrupt)?;
        let telling = (0..network.interfaces.len()).filter(|&i| network.interfaces[i].tells_faults()).collect();
        Ok(Self {
            telling,
            network,
            stepping,
            feedthrough,
            start,
            opening: Opening::default(),
            estimate,
            ports,
            order_control,
            adaptive,
            pacer,
            preset: Vec::new(),
            state: RunState::Initialised,
            failure: None,
            open: OpenPoint::None,
            unsettled: false,
            options: Box::new(options.clone()),
        })
    }

    /// Runs to the end time, or until the observer asks for a pause; called again, it goes on.
    ///
    /// # Errors
    /// [`Error::Stopped`] with the fault that stopped the run.
    pub fn run(&mut self, observer: &mut dyn Observer) -> Result<RunState, Error> {
        loop {
            let state = self.step(observer)?;
            if state != RunState::Running {
                return Ok(state);
            }
        }
    }

    /// One communication step; the first call makes the initial exchange before it.
    ///
    /// # Errors
    /// [`Error::Stopped`] with the fault that stopped the run: again at every further call.
    pub fn step(&mut self, observer: &mut dyn Observer) -> Result<RunState, Error> {
        if let Some(failure) = &self.failure {
            return Err(failure.clone());
        }
        if self.state != RunState::Running {
            if self.state == RunState::Finished {
                return Ok(RunState::Finished);
            }
            self.begin(observer)?;
        }
        if self.state == RunState::Running {
            let result = self.communication_step(observer);
            self.fail_on(result, observer)?;
        }
        Ok(self.state)
    }

    /// Makes the initial exchange without stepping.
    ///
    /// # Errors
    /// As [`Master::step`].
    pub fn initialize(&mut self, observer: &mut dyn Observer) -> Result<RunState, Error> {
        if self.state == RunState::Initialised {
            self.begin(observer)?;
        }
        Ok(self.state)
    }

    /// Rests between two communication points: the wall clock of a paced run stands still until the next step.
    pub fn pause(&mut self, observer: &mut dyn Observer) {
        if self.state == RunState::Running {
            self.change_state(RunState::Paused, observer);
        }
    }

    /// From rest to running: initial exchange or resumption.
    #[cold]
    fn begin(&mut self, observer: &mut dyn Observer) -> Result<(), Error> {
        let initial = self.state == RunState::Initialised;
        self.change_state(RunState::Running, observer);
        if let Some(pacer) = &mut self.pacer {
            pacer.rest();
        }
        if initial {
            let result = self.initial_exchange(observer);
            self.fail_on(result, observer)?;
            self.show(observer);
        }
        let time = self.network.clock.time();
        if let Some(pacer) = &mut self.pacer {
            pacer.keep(time);
        }
        Ok(())
    }

    /// The exchange before the first step.
    fn initial_exchange(&mut self, observer: &mut dyn Observer) -> Result<(), Error> {
        self.sample_start(observer)?;
        self.close_start(observer)
    }

    /// Brings all values at the start up to date, which may still change.
    pub(super) fn sample_start(&mut self, observer: &mut dyn Observer) -> Result<(), Error> {
        // A state that is saved ends the initialization of an FMU: only who has to return to it needs one yet.
        if self.options.faults.needs_saved_states() {
            self.stepping.begin(&mut self.network, observer)?;
        }
        self.start.begin(&mut self.network, &mut self.feedthrough, &self.preset, observer)
    }

    /// Lets the values at the start pass.
    pub(super) fn close_start(&mut self, observer: &mut dyn Observer) -> Result<(), Error> {
        self.estimate.begin(&mut self.network);
        self.network.pass(0);
        let first = self.adaptive.as_ref().map_or(self.network.clock.step, Controller::next);
        self.opening.begin(&mut self.network, &mut self.feedthrough, &self.stepping, first, observer)
    }

    #[inline]
    fn communication_step(&mut self, observer: &mut dyn Observer) -> Result<(), Error> {
        self.reach(observer)?;
        self.close(observer)
    }

    /// Lets all partners step to the next communication point, which stays open: values there may still change.
    #[inline]
    pub(super) fn reach(&mut self, observer: &mut dyn Observer) -> Result<(), Error> {
        if self.adaptive.is_some() {
            self.adaptive_step(observer)?;
        } else {
            self.network.target = match &self.network.events {
                None => self.network.clock.now + self.network.clock.step,
                Some(_) => self.network.next_point_with_events(),
            };
            self.sweep(observer)?;
        }
        if self.telling.is_empty() { Ok(()) } else { self.tell(observer) }
    }

    /// Closes the communication point at the target: what came about is booked, and all values pass.
    #[inline]
    pub(super) fn close(&mut self, observer: &mut dyn Observer) -> Result<(), Error> {
        self.ports.iter_mut().for_each(|port| port.book(&self.network));
        let jumps = !self.network.discrete.is_empty();
        if jumps {
            self.network.note_discrete();
        }
        self.estimate.add(&mut self.network, !self.feedthrough.is_empty(), observer)?;
        if jumps || self.network.events.is_some() {
            self.network.break_off();
        }
        self.network.pass(self.network.target);
        if let Some(control) = &mut self.order_control {
            control.control(&mut self.network);
        }
        self.network.clock.now = self.network.target;
        self.network.statistics.steps += 1;
        self.show(observer);
        if self.pacer.is_some() {
            self.keep_pace(observer)?;
        }
        if self.network.clock.is_over() {
            self.estimate.report(&mut self.network, observer)?;
            self.change_state(RunState::Finished, observer);
        }
        Ok(())
    }

    /// Lets all partners step to the target; then the energies of the ports, then the feedthrough.
    #[inline]
    fn sweep(&mut self, observer: &mut dyn Observer) -> Result<(), Error> {
        if !self.network.outside.is_empty() {
            self.network.follow_outside(self.network.clock.now);
        }
        let events = self.network.events.is_some();
        if events {
            self.network.expect_events();
        }
        self.stepping.advance(&mut self.network, observer)?;
        if events {
            self.network.note_jumps();
        }
        self.ports.iter_mut().for_each(|port| port.take(&self.network));
        if !self.feedthrough.is_empty() {
            self.estimate.note_outputs(&self.network);
            self.network.hold_outside(self.network.target);
        }
        let target = self.network.target;
        self.feedthrough.settle(&mut self.network, target, observer)?;
        if !self.network.discrete.is_empty() {
            self.network.note_discrete();
        }
        Ok(())
    }

    /// Tells the observer what partners handled themselves.
    #[cold]
    fn tell(&mut self, observer: &mut dyn Observer) -> Result<(), Error> {
        for k in 0..self.telling.len() {
            let interface = &mut self.network.interfaces[self.telling[k]];
            for Handled { fault, level, handling } in interface.handled() {
                self.network.statistics.faults += 1;
                self.network.statistics.warnings += u64::from(handling == Handling::Warned);
                observer.fault(&Report { fault: &fault, level, handling });
            }
        }
        Ok(())
    }

    /// Steps to a communication point whose extrapolated inputs came true within the tolerance.
    fn adaptive_step(&mut self, observer: &mut dyn Observer) -> Result<(), Error> {
        let Some(mut controller) = self.adaptive.take() else { return Ok(()) };
        let result = self.controlled(&mut controller, observer);
        self.adaptive = Some(controller);
        result
    }

    fn controlled(&mut self, controller: &mut Controller, observer: &mut dyn Observer) -> Result<(), Error> {
        loop {
            controller.plan(&mut self.network);
            self.network.target = self.network.before_events(self.network.target);
            self.sweep(observer)?;
            if !controller.refuses(&self.network) {
                return controller.judge(&mut self.network, observer);
            }
            self.network.restore_all(observer)?;
            self.network.statistics.rejected += 1;
        }
    }

    #[inline]
    fn show(&mut self, observer: &mut dyn Observer) {
        if observer.exchanged(&self.network.view()) == Proceed::Pause {
            self.change_state(RunState::Paused, observer);
        }
    }

    fn keep_pace(&mut self, observer: &mut dyn Observer) -> Result<(), Error> {
        let time = self.network.clock.time();
        match self.pacer.as_mut().and_then(|pacer| pacer.keep(time)) {
            Some(late) => self.network.caught_by_run(Fault::Overrun { time, late }, observer),
            None => Ok(()),
        }
    }

    pub(super) fn fail_on(&mut self, result: Result<(), Error>, observer: &mut dyn Observer) -> Result<(), Error> {
        if let Err(error) = &result {
            self.failure = Some(error.clone());
            self.change_state(RunState::Failed, observer);
        }
        result
    }

    fn change_state(&mut self, state: RunState, observer: &mut dyn Observer) {
        self.state = state;
        observer.state(state, self.network.clock.time());
    }
}
