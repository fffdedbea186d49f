//! A system advanced step by step: state, input history, start-up, outputs. No step allocates.

mod blocks;
mod estimate;
pub(crate) mod panels;
pub(crate) mod recurrence;
mod saving;
mod state;

use crate::error::{all_finite, length};
use crate::{Discretization, Error, Method, Precision, StateSpace};
use estimate::Estimate;
use panels::{ROWS, Row};
use recurrence::{Recurrence, check_startup};
pub use state::StepperState;

/// Advances x(k+1) = e^{AT} x(k) + sum_i Phi_i u(t_k + theta_i T) and gives y = C x + D u.
///
/// A step takes the input samples that are new in it ([`Stepper::sample_offsets`]), one after the other in the order of time, each
/// of m values, and gives the outputs at its end. Samples that lie in several steps are remembered: what must be known before the
/// first step is said by [`Stepper::missing_history`] and given by [`Stepper::set_input`], [`Stepper::set_history`] or
/// [`Stepper::start_step`].
///
/// ```
/// use fourbar_lti::{Method, StateSpace, Stepper};
/// use nalgebra::dmatrix;
///
/// // A lag of 0.5 s follows the ramp u = t; exact, since a first-order hold is exact for ramps.
/// let lag = StateSpace::with_state_outputs(dmatrix![-2.0], dmatrix![2.0])?;
/// let mut stepper = Stepper::new(&lag, 0.25, Method::FIRST_ORDER_HOLD)?;
/// stepper.set_input(&[0.0])?;
/// let mut y = [0.0];
/// for k in 1..=8 {
///     stepper.step(&[0.25 * k as f64], &mut y)?;
/// }
/// let t: f64 = 2.0;
/// assert!((y[0] - (t - 0.5 + 0.5 * (-2.0 * t).exp())).abs() < 1e-15);
/// # Ok::<(), fourbar_lti::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Stepper {
    system: StateSpace,
    step: f64,
    main: Recurrence,
    startup: Option<Recurrence>,
    state: StepperState,
    /// The samples of the start-up method.
    startup_samples: Vec<f64>,
    /// What a step makes: the next state and the outputs.
    result: Vec<Row>,
    estimate: Option<Estimate>,
}

impl Stepper {
    /// At t = 0 in the state 0, with an empty input history; `step` \[s\].
    ///
    /// # Errors
    /// As [`Discretization::new`].
    pub fn new(system: &StateSpace, step: f64, method: Method) -> Result<Self, Error> {
        Self::with_precision(system, step, method, Precision::Automatic)
    }

    /// As [`Stepper::new`], with the arithmetic of the matrices chosen.
    ///
    /// # Errors
    /// As [`Discretization::new`].
    pub fn with_precision(system: &StateSpace, step: f64, method: Method, precision: Precision) -> Result<Self, Error> {
        let startup = method.startup();
        let discretize = |method| Discretization::with_precision(system, step, method, precision);
        let main = discretize(method)?;
        let startup = startup.map(discretize).transpose()?;
        Self::from_discretization(system, &main, startup.as_ref())
    }

    /// From matrices already made (see [`DyadicSteps`](crate::DyadicSteps)), and those of the one-step method that starts a
    /// multistep one, if it shall have one.
    ///
    /// # Errors
    /// [`Error::MatrixShape`] when a discretization is not that of `system`; [`Error::Nodes`] when the start-up method is not a
    /// one-step method; [`Error::StepMismatch`] when the two are of different steps.
    pub fn from_discretization(
        system: &StateSpace,
        main: &Discretization,
        startup: Option<&Discretization>,
    ) -> Result<Self, Error> {
        if let Some(startup) = startup {
            check_startup(main, startup)?;
        }
        let recurrence = Recurrence::new(system, main)?;
        let startup = startup.map(|d| Recurrence::new(system, d)).transpose()?;
        let result = vec![[0.0; ROWS]; recurrence.result_lines()];
        Ok(Self {
            step: main.step(),
            startup_samples: vec![0.0; startup.as_ref().map_or(0, Recurrence::samples)],
            estimate: Estimate::new(main, &recurrence)?,
            system: system.clone(),
            state: StepperState {
                origin: saving::origin(system, main),
                states: system.states(),
                x: result.clone(),
                samples: vec![0.0; recurrence.samples()],
                filled: 0,
                begin: 0.0,
                steps: 0,
            },
            main: recurrence,
            startup,
            result,
        })
    }

    /// The system.
    #[must_use]
    pub fn system(&self) -> &StateSpace {
        &self.system
    }

    /// T \[s\].
    #[must_use]
    pub fn step_size(&self) -> f64 {
        self.step
    }

    /// Whether e^{AT} was recognised as block-diagonal (see [`ModalForm`](crate::ModalForm)), so that a step costs O(n).
    #[must_use]
    pub fn is_block_diagonal(&self) -> bool {
        self.main.is_block_diagonal()
    }

    /// The present time \[s\]: the number of steps times T, after the time at which the count began.
    #[must_use]
    pub fn time(&self) -> f64 {
        self.state.begin + self.state.steps as f64 * self.step
    }

    /// Steps made since the beginning, the last [`Stepper::reset`] or the last [`Stepper::continue_from`].
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.state.steps
    }

    /// The times of the samples that [`Stepper::step`] takes, as offsets from the beginning of the step \[s\].
    #[must_use]
    pub fn sample_offsets(&self) -> Vec<f64> {
        offsets(&self.main, self.step)
    }

    /// The same for [`Stepper::start_step`]; empty where the method needs no start-up.
    #[must_use]
    pub fn startup_offsets(&self) -> Vec<f64> {
        self.startup.as_ref().map_or(Vec::new(), |startup| offsets(startup, self.step))
    }

    /// Samples of the past that are still missing before [`Stepper::step`] may be called.
    #[must_use]
    pub fn missing_history(&self) -> usize {
        self.main.retained.len().saturating_sub(self.state.filled)
    }

    pub(crate) fn samples_per_step(&self) -> usize {
        self.main.samples_per_step()
    }

    /// Whether any sample of the past is known.
    pub(crate) fn knows_input(&self) -> bool {
        self.state.filled > 0
    }

    /// x, n values.
    #[must_use]
    pub fn state(&self) -> &[f64] {
        &self.state.x.as_flattened()[..self.main.states]
    }

    /// Puts the system into the state `x` (n values); the input history stays.
    ///
    /// # Errors
    /// [`Error::Length`], [`Error::NotFinite`].
    pub fn set_state(&mut self, x: &[f64]) -> Result<(), Error> {
        length("state", x.len(), self.main.states)?;
        all_finite("state", x)?;
        self.state.x.as_flattened_mut()[..self.main.states].copy_from_slice(x);
        Ok(())
    }

    /// The input at the present time is `u` (m values), and what came before is forgotten: at the beginning, and after a jump
    /// of the input, across which no method may interpolate. A method that samples no ends of steps has no use for `u`.
    ///
    /// # Errors
    /// [`Error::Length`], [`Error::NotFinite`].
    pub fn set_input(&mut self, u: &[f64]) -> Result<(), Error> {
        length("input", u.len(), self.main.inputs)?;
        all_finite("input", u)?;
        self.state.filled = 0;
        if let Some(end) = self.main.end() {
            let slot = self.main.slot(end);
            self.state.samples[slot].copy_from_slice(u);
            self.state.filled = 1;
        }
        Ok(())
    }

    /// The samples of the past that the first step needs, oldest first, m values each: as many as
    /// [`Stepper::missing_history`] says after a [`Stepper::reset`]. For Algorithm 2 these are u at (1-l)T, ..., -T, 0 before the
    /// present time.
    ///
    /// # Errors
    /// [`Error::Length`], [`Error::NotFinite`].
    pub fn set_history(&mut self, samples: &[f64]) -> Result<(), Error> {
        let m = self.main.inputs;
        length("input history", samples.len(), m * self.main.retained.len())?;
        all_finite("input history", samples)?;
        for (i, &(_, from)) in self.main.retained.iter().enumerate() {
            let slot = self.main.slot(from);
            self.state.samples[slot].copy_from_slice(&samples[i * m..(i + 1) * m]);
        }
        self.state.filled = self.main.retained.len();
        Ok(())
    }

    /// Back to t = 0, state 0 and an empty history.
    pub fn reset(&mut self) {
        self.state.x.as_flattened_mut().fill(0.0);
        self.state.samples.fill(0.0);
        self.state.filled = 0;
        self.state.begin = 0.0;
        self.state.steps = 0;
    }

    /// Takes over time, state and present input of a stepper of the same system, of another step or method: to halve or double
    /// the step, keep a stepper for each level of a [`DyadicSteps`](crate::DyadicSteps). The older input history, whose times no
    /// longer fit, is forgotten. Allocates nothing.
    ///
    /// # Errors
    /// [`Error::Length`] when the numbers of states or inputs differ.
    pub fn continue_from(&mut self, other: &Self) -> Result<(), Error> {
        length("state of the other stepper", other.main.states, self.main.states)?;
        length("input of the other stepper", other.main.inputs, self.main.inputs)?;
        let own = &mut self.state.x.as_flattened_mut()[..self.main.states];
        own.copy_from_slice(other.state());
        (self.state.begin, self.state.steps, self.state.filled) = (other.time(), 0, 0);
        if let (Some(own), Some(end)) = (self.main.end(), other.main.end())
            && other.state.filled > 0
        {
            self.state.samples[self.main.slot(own)].copy_from_slice(&other.state.samples[other.main.slot(end)]);
            self.state.filled = 1;
        }
        Ok(())
    }

    /// One step: `u` holds the samples at [`Stepper::sample_offsets`], `y` receives the q outputs at its end. Where the method
    /// has no sample there (real time), D acts on its continuation of the input. Allocates nothing; its cost does not depend on
    /// the values.
    ///
    /// # Errors
    /// [`Error::Length`]; [`Error::NotFinite`]; [`Error::EmptyHistory`]. After these nothing has changed. [`Error::Overflow`] when an unstable
    /// state leaves the range of f64: state and time then are those before the step, but the input history is not: restore or
    /// reset.
    #[inline]
    pub fn step(&mut self, u: &[f64], y: &mut [f64]) -> Result<(), Error> {
        let Self { main, state, result, .. } = self;
        if state.filled < main.retained.len() {
            let missing = main.retained.len() - state.filled;
            return Err(Error::EmptyHistory { missing });
        }
        check_step(main, u, y)?;
        main.advance(&mut state.samples, u);
        let x = &state.x.as_flattened()[..main.states];
        if !main.apply(x, &state.samples, result) {
            return Err(Error::Overflow { what: "next state or output" });
        }
        for (y, value) in y.iter_mut().zip(main.outputs_of(result)) {
            *y = *value;
        }
        std::mem::swap(&mut state.x, result);
        state.filled += main.nodes.len() - main.retained.len();
        state.steps += 1;
        Ok(())
    }

    /// One step with the one-step method of the same order, while the history of a multistep method fills; `u` holds the samples
    /// at [`Stepper::startup_offsets`]. A method that samples the ends of its steps needs [`Stepper::set_input`] before the
    /// first. Where the method needs no start-up this is [`Stepper::step`].
    ///
    /// # Errors
    /// As [`Stepper::step`].
    pub fn start_step(&mut self, u: &[f64], y: &mut [f64]) -> Result<(), Error> {
        let Self { main, startup: Some(startup), state, startup_samples, result, .. } = self else {
            return self.step(u, y);
        };
        check_step(startup, u, y)?;
        if !startup.retained.is_empty() && state.filled == 0 {
            return Err(Error::EmptyHistory { missing: 1 });
        }
        main.start(startup, &mut state.samples, startup_samples, u);
        let x = &state.x.as_flattened()[..main.states];
        if !startup.apply(x, startup_samples, result) {
            return Err(Error::Overflow { what: "next state or output" });
        }
        y.copy_from_slice(startup.outputs_of(result));
        std::mem::swap(&mut state.x, result);
        state.filled += 1;
        state.steps += 1;
        Ok(())
    }

    /// y = C x + D u for the present state and a given input: the output at the beginning of a step, as digital controllers
    /// define it.
    ///
    /// # Errors
    /// [`Error::Length`], [`Error::NotFinite`].
    pub fn output(&self, u: &[f64], y: &mut [f64]) -> Result<(), Error> {
        length("input", u.len(), self.main.inputs)?;
        length("output", y.len(), self.main.outputs)?;
        all_finite("input", u)?;
        for (i, y) in y.iter_mut().enumerate() {
            let (c, d) = (self.system.c().row(i), self.system.d().row(i));
            let from_state: f64 = c.iter().zip(self.state()).map(|(c, x)| c * x).sum();
            let direct: f64 = d.iter().zip(u).map(|(d, u)| d * u).sum();
            *y = from_state + direct;
        }
        Ok(())
    }

    /// The estimated local error (exact minus computed) of the state over the last step, n values: the leading term of the error,
    /// its input derivative from the samples of the step and one before them. False where there is no estimate: the classical
    /// methods, or too few samples since the start or the last jump.
    ///
    /// # Errors
    /// [`Error::Length`].
    pub fn local_error(&self, error: &mut [f64]) -> Result<bool, Error> {
        length("error", error.len(), self.main.states)?;
        let Some(estimate) = &self.estimate else {
            return Ok(false);
        };
        if self.state.filled <= self.main.nodes.len() {
            return Ok(false);
        }
        estimate.evaluate(&self.state.samples, error);
        Ok(true)
    }
}

fn offsets(recurrence: &Recurrence, step: f64) -> Vec<f64> {
    recurrence.new_nodes().map(|node| recurrence.nodes[node] * step).collect()
}

#[inline]
fn check_step(recurrence: &Recurrence, u: &[f64], y: &[f64]) -> Result<(), Error> {
    length("input samples", u.len(), recurrence.samples_per_step())?;
    length("output", y.len(), recurrence.outputs)?;
    all_finite("input samples", u)
}
