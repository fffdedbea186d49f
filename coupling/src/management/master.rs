//! The master: the loop over the communication points.

use super::adaptive::Controller;
use super::clock::Clock;
use super::connection::{find, variable};
use super::dependency::Dependencies;
use super::estimate::{ErrorEstimate, Estimate};
use super::exchange::LoopSearch;
use super::faults::FaultPolicy;
use super::iteration;
use super::observer::{Observer, Proceed, RunState, View};
use super::order::OrderControl;
use super::pacer::Pacer;
use super::pacing::PacingStatistics;
use super::port::Meter;
use super::scale::Scales;
use crate::Error;
use crate::error::finite;
use crate::function::interaction::Interaction;
use crate::function::interface::Interface;
use crate::function::{Causality, Fault, Signal};

/// How partners are stepped, resolved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Plan {
    JacobiDelayed,
    Jacobi,
    GaussSeidel,
    Iterated,
}

/// What a run has cost so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize)]
#[non_exhaustive]
pub struct Statistics {
    /// Communication steps accepted.
    pub steps: u64,
    /// Communication steps undone because the tolerance was missed.
    pub rejected: u64,
    /// Sweeps of the iterated scheme.
    pub sweeps: u64,
    /// Largest number of sweeps in one communication step.
    pub most_sweeps: u64,
    /// Communication steps whose iteration did not converge.
    pub unconverged: u64,
    /// Times the order of a partner's inputs was lowered.
    pub order_reductions: u64,
    /// Faults caught, retries included.
    pub faults: u64,
    /// Faults handled with a warning.
    pub warnings: u64,
    /// Times the last good values of a partner stood in.
    pub held: u64,
}

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
    pub(super) interfaces: Vec<Interface>,
    pub(super) interaction: Interaction,
    pub(super) clock: Clock,
    pub(super) faults: FaultPolicy,
    pub(super) plan: Plan,
    /// Order of stepping.
    pub(super) sequence: Vec<usize>,
    pub(super) dependencies: Dependencies,
    pub(super) loops: LoopSearch,
    pub(super) iteration: iteration::Unknowns,
    pub(super) adaptive: Option<Controller>,
    pub(super) order_control: Option<OrderControl>,
    pub(super) ports: Vec<Meter>,
    pub(super) pacer: Option<Pacer>,
    pub(super) statistics: Statistics,
    pub(super) scales: Scales,
    pub(super) estimate: Estimate,
    /// Whether states are saved before each step.
    pub(super) saves: bool,
    /// Stamp to which a step is under way.
    pub(super) target: u64,
    /// Partners that step on threads of their own at present; room for all.
    pub(super) under_way: Vec<usize>,
    /// Partners with an input that was set before the start.
    pub(super) preset: Vec<usize>,
    pub(super) state: RunState,
    /// Why the run failed.
    pub(super) failure: Option<Error>,
}

impl Master {
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
        let time = self.clock.time();
        if let Some(pacer) = &mut self.pacer {
            pacer.keep(time);
        }
        Ok(())
    }

    #[inline]
    fn communication_step(&mut self, observer: &mut dyn Observer) -> Result<(), Error> {
        if self.adaptive.is_some() {
            self.adaptive_step(observer)?;
        } else {
            self.target = self.clock.now + self.clock.step;
            self.advance(observer)?;
            self.conclude_sweep(observer)?;
        }
        if !self.ports.is_empty() {
            self.book();
        }
        self.estimate_errors(observer)?;
        self.pass(self.target);
        if self.order_control.is_some() {
            self.control_order();
        }
        self.clock.now = self.target;
        self.statistics.steps += 1;
        self.show(observer);
        if self.pacer.is_some() {
            self.keep_pace(observer)?;
        }
        if self.clock.is_over() {
            self.report_estimate(observer)?;
            self.change_state(RunState::Finished, observer);
        }
        Ok(())
    }

    /// After all partners have stepped: the energies of the ports, then the feedthrough.
    #[inline]
    pub(super) fn conclude_sweep(&mut self, observer: &mut dyn Observer) -> Result<(), Error> {
        if !self.ports.is_empty() {
            self.account();
        }
        self.note_outputs_before_feedthrough();
        self.settle(self.target, observer)
    }

    /// What relation r is expected to bring at the target.
    pub(super) fn predicted(&self, r: usize) -> f64 {
        let position = self.interfaces[self.interaction.relations()[r].target.0].position;
        let h = (self.target - position) as f64 * self.clock.base.tick;
        self.interaction.extrapolation(r, position, &self.clock.base).at(h)
    }

    #[inline]
    fn show(&mut self, observer: &mut dyn Observer) {
        if observer.exchanged(&self.view()) == Proceed::Pause {
            self.change_state(RunState::Paused, observer);
        }
    }

    fn view(&self) -> View<'_> {
        View {
            time: self.clock.time(),
            stamp: self.clock.now,
            interfaces: &self.interfaces,
            interaction: &self.interaction,
        }
    }

    fn keep_pace(&mut self, observer: &mut dyn Observer) -> Result<(), Error> {
        let time = self.clock.time();
        match self.pacer.as_mut().and_then(|pacer| pacer.keep(time)) {
            Some(late) => self.caught_by_run(Fault::Overrun { time, late }, observer),
            None => Ok(()),
        }
    }

    fn fail_on(&mut self, result: Result<(), Error>, observer: &mut dyn Observer) -> Result<(), Error> {
        if let Err(error) = &result {
            self.failure = Some(error.clone());
            self.change_state(RunState::Failed, observer);
        }
        result
    }

    fn change_state(&mut self, state: RunState, observer: &mut dyn Observer) {
        self.state = state;
        observer.state(state, self.clock.time());
    }

    /// Where the run stands.
    #[must_use]
    pub fn state(&self) -> RunState {
        self.state
    }

    /// The common time.
    #[must_use]
    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    /// What the run has cost so far.
    #[must_use]
    pub fn statistics(&self) -> &Statistics {
        &self.statistics
    }

    /// How well the wall clock is kept; None without pacing.
    #[must_use]
    pub fn pacing(&self) -> Option<PacingStatistics> {
        self.pacer.as_ref().map(Pacer::statistics)
    }

    /// The estimated error of the results for which the inputs continued over the communication steps are the cause; None before the first
    /// step, and without connections.
    #[must_use]
    pub fn error_estimate(&self) -> Option<ErrorEstimate> {
        self.estimate.result(self)
    }

    /// What the partners have to say of the run so far ([`Simulator::warnings`](crate::Simulator::warnings)), each with the name of its partner.
    pub fn warnings(&mut self) -> Vec<String> {
        let base = self.clock.base;
        let told = self.interfaces.iter_mut().flat_map(|interface| {
            let told = interface.warnings(&base);
            told.into_iter().map(|text| format!("simulator \"{}\": {text}", interface.name())).collect::<Vec<_>>()
        });
        told.collect()
    }

    /// The algebraic loops found at set-up: the outputs along each, by name.
    #[must_use]
    pub fn algebraic_loops(&self) -> &[Vec<String>] {
        &self.dependencies.loops
    }

    /// Partners in the order of stepping.
    pub fn sequence(&self) -> impl Iterator<Item = &str> {
        self.sequence.iter().map(|&i| self.interfaces[i].name())
    }

    /// The value of an output, "partner.variable", as sampled last \[its unit\].
    ///
    /// # Errors
    /// [`Error::End`], [`Error::UnknownPartner`], [`Error::UnknownVariable`].
    pub fn output(&self, name: &str) -> Result<f64, Error> {
        let (i, k) = find(&self.interfaces, "output", name, Causality::Output)?;
        Ok(self.interfaces[i].received.values[k])
    }

    /// Sets an input that no output feeds \[its unit\]: it holds from the next communication step on, before the start from the initial
    /// exchange on.
    ///
    /// # Errors
    /// As [`Master::output`]; [`Error::TwoSources`] if a connection feeds it, [`Error::Value`] if it is not finite.
    pub fn set_input(&mut self, name: &str, value: f64) -> Result<(), Error> {
        let (i, k) = find(&self.interfaces, "input", name, Causality::Input)?;
        finite(format!("input \"{name}\""), value)?;
        if let Some(relation) = self.interaction.relations().iter().find(|relation| relation.target == (i, k)) {
            let (source, output) = relation.source;
            let fed = format!(
                "{}.{}",
                self.interfaces[source].name(),
                self.interfaces[source].variable(Causality::Output, output)
            );
            return Err(Error::TwoSources { target: name.into(), sources: [fed, "a set value".into()] });
        }
        self.interfaces[i].sent.values[k] = Signal::held(value);
        if self.state == RunState::Initialised {
            self.preset.push(i);
        }
        Ok(())
    }

    /// Tells what passed to an input before the start: values \[its unit\] at the communication points `before` steps before it, the
    /// farthest first. Extrapolation then has its full order from the first step on.
    ///
    /// # Errors
    /// As [`Master::output`]; [`Error::Value`] if a value is not finite, if the numbers of steps do not fall or are 0, if no
    /// connection feeds the input, or if the run has begun.
    pub fn set_past(&mut self, name: &str, past: &[(u32, f64)]) -> Result<(), Error> {
        let end = find(&self.interfaces, "input", name, Causality::Input)?;
        let refuse = |value: f64, remedy| Err(Error::Value { name: format!("the past of \"{name}\""), value, remedy });
        if self.state != RunState::Initialised {
            return refuse(self.clock.time(), "it can be told before the first step only");
        }
        let Some(r) = self.interaction.relations().iter().position(|relation| relation.target == end) else {
            return refuse(f64::NAN, "no connection feeds this input: set its value instead");
        };
        let mut last = u32::MAX;
        for &(before, value) in past {
            finite(format!("the past of \"{name}\""), value)?;
            if before == 0 || before >= last || before > 1 << 20 {
                return refuse(f64::from(before), "the numbers of steps must fall, be positive and not exceed 2^20");
            }
            last = before;
            // Stamps before the start wrap around; their differences are exact all the same.
            let stamp = 0u64.wrapping_sub(u64::from(before) * self.clock.step);
            self.interaction.history_mut(r).push(stamp, value, None);
        }
        Ok(())
    }

    /// All outputs as "partner.output", partner by partner.
    #[must_use]
    pub fn output_names(&self) -> Vec<String> {
        self.view().output_names()
    }

    /// All inputs as "partner.input", partner by partner.
    #[must_use]
    pub fn input_names(&self) -> Vec<String> {
        self.view().input_names()
    }

    /// The units of all outputs, in the order of [`Master::output_names`].
    #[must_use]
    pub fn output_units(&self) -> Vec<String> {
        self.view().output_units()
    }

    /// The units of all inputs, in the order of [`Master::input_names`].
    #[must_use]
    pub fn input_units(&self) -> Vec<String> {
        self.view().input_units()
    }

    /// The unit of an input or output, "partner.variable".
    ///
    /// # Errors
    /// As [`Master::output`].
    pub fn unit(&self, name: &str) -> Result<&str, Error> {
        let output = find(&self.interfaces, "unit", name, Causality::Output);
        let (end, causality) = match find(&self.interfaces, "unit", name, Causality::Input) {
            Ok(input) if output.is_err() => (input, Causality::Input),
            _ => (output?, Causality::Output),
        };
        Ok(&variable(&self.interfaces, end, causality).unit)
    }
}
