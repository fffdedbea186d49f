//! The contract with a co-simulation partner: what it says of itself, and how it is stepped.

use super::{Fault, Handled, Parameter, Snapshot, SolverCounts, Text};
use fourbar_expression::Changes;
use fourbar_linalg::unit::{Unit, UnknownUnit};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// A simulator that is stepped from one communication point to the next and exchanges values only there.
///
/// It never knows its partners. Between two communication points its inputs follow the polynomials it was given last; the
/// middleware guarantees that `set_inputs` comes before `step`, and that every value handed over is finite.
pub trait Simulator: Send {
    /// What the simulator is: asked once, at set-up.
    fn describe(&self) -> Description;

    /// Writes the inputs, one per input variable in the order of the description, as polynomials about the present time.
    /// Outputs with direct feedthrough follow at once.
    ///
    /// # Errors
    /// [`Failure`]; it reaches the fault handling of the management layer.
    fn set_inputs(&mut self, inputs: &[Signal]) -> Result<(), Failure>;

    /// Advances from `t` to `t + h` \[s\] and returns the time reached: an earlier one at an event, of those with
    /// [`Capabilities::early_return`]. It is then asked to go on from there. The sum may be off by a rounding: what jumps at a communication point
    /// is on the right side of it at [`end_of_step`](super::end_of_step).
    ///
    /// # Errors
    /// [`Failure`]; the simulator stays, if it can, at the time where it failed.
    fn step(&mut self, t: f64, h: f64) -> Result<f64, Failure>;

    /// Samples the outputs at the present time, one per output variable in the order of the description.
    ///
    /// # Errors
    /// [`Failure`].
    fn outputs(&mut self, values: &mut [f64]) -> Result<(), Failure>;

    /// All of a communication step at once: what [`Simulator::set_inputs`], [`Simulator::step`] and [`Simulator::outputs`] do one after the other.
    /// None, as it is without an implementation, where they are to be called instead. For simulators with so little to do that three calls cost as
    /// much as their work.
    ///
    /// # Errors
    /// [`Failure`], that of the step.
    fn advance(&mut self, _inputs: &[Signal], _t: f64, _h: f64, _values: &mut [f64]) -> Option<Result<f64, Failure>> {
        None
    }

    /// Samples the time derivatives of the outputs \[unit/s\]: asked of those with [`Capabilities::output_derivatives`].
    ///
    /// # Errors
    /// [`Failure`].
    fn output_derivatives(&mut self, _derivatives: &mut [f64]) -> Result<(), Failure> {
        Err(Failure::Unsupported("derivatives of outputs"))
    }

    /// Saves everything on which the further run depends: asked of those with [`Capabilities::rollback`].
    ///
    /// # Errors
    /// [`Failure`].
    fn save(&mut self, _snapshot: &mut Snapshot) -> Result<(), Failure> {
        Err(Failure::Unsupported("saving its state"))
    }

    /// Returns to a checkpoint; what follows is then what followed it before, bit for bit.
    ///
    /// # Errors
    /// [`Failure`].
    fn restore(&mut self, _snapshot: &Snapshot) -> Result<(), Failure> {
        Err(Failure::Unsupported("returning to a saved state"))
    }

    /// Appends the bytes of a checkpoint that it saved, from which another process makes it again: asked of those with
    /// [`Capabilities::written`].
    ///
    /// # Errors
    /// [`Failure`].
    fn store(&mut self, _snapshot: &Snapshot, _to: &mut Vec<u8>) -> Result<(), Failure> {
        Err(Failure::Unsupported("writing its state down"))
    }

    /// Makes a checkpoint of what [`Simulator::store`] wrote for a simulator of the same description; nothing else changes.
    ///
    /// # Errors
    /// [`Failure`] for bytes that are no checkpoint of it.
    fn load(&mut self, _bytes: &[u8], _snapshot: &mut Snapshot) -> Result<(), Failure> {
        Err(Failure::Unsupported("reading its state"))
    }

    /// Its parameters as they stand. What it saves has their values, and returning brings them back.
    ///
    /// # Errors
    /// [`Failure`].
    fn parameters(&mut self) -> Result<Vec<Parameter>, Failure> {
        Ok(Vec::new())
    }

    /// Goes on from here with other values of tunable parameters, all taken together: asked between steps alone, with names that are tunable, each once,
    /// and finite values within their ranges.
    ///
    /// # Errors
    /// [`Failure`] for values with which it cannot go on; nothing has changed then.
    fn set_parameters(&mut self, _values: &[(String, f64)]) -> Result<(), Failure> {
        Err(Failure::Unsupported("other parameters while it runs"))
    }

    /// Its texts as they stand, outputs among them.
    ///
    /// # Errors
    /// [`Failure`].
    fn texts(&mut self) -> Result<Vec<Text>, Failure> {
        Ok(Vec::new())
    }

    /// Is told before anything is asked that its steps may end at its events: told of those with [`Capabilities::early_return`]. One that was not
    /// told goes on to the end of the step itself, or returns early all the same and is asked to go on.
    fn end_at_events(&mut self) {}

    /// Is told that steps from here on are a rehearsal, after which it is returned to a state saved before, or that this is over. Runs made of partners
    /// take over from it how their values begin to change.
    fn rehearse(&mut self, _begins: bool) {}

    /// Time of the next event that it knows beforehand \[s\], or the present one if its step has ended at an event: asked after each step of those with
    /// [`Capabilities::event_times`].
    fn next_event(&mut self) -> Option<f64> {
        None
    }

    /// Moves the faults to `told` that it met and handled itself since it was asked last: asked after each step of those with
    /// [`Capabilities::faults`].
    fn handled(&mut self, _told: &mut Vec<Handled>) {}

    /// Is told before anything is asked, and again where it changes, which outputs feed others, by their places among the outputs: of these [`Simulator::warnings`] should
    /// tell what comes and goes within a step, since nobody sees it. The ready-made partners do.
    fn watch_outputs(&mut self, _connected: &[usize]) {}

    /// What a reader of the results should know of the run so far, each once and in full sentences: a start that was changed, results outside
    /// the data of a model. Asked when the run is at rest, at its end above all.
    fn warnings(&self) -> Vec<String> {
        Vec::new()
    }

    /// What its solver has done so far, if it counts that. Asked when the run is at rest, at its end above all.
    fn solver_counts(&self) -> Option<SolverCounts> {
        None
    }

    /// Takes the flag that is raised when the run is to end at once: whoever waits for somebody else gives up then, with
    /// [`Failure::Interrupted`]. Called before anything is asked.
    fn interrupt_by(&mut self, _flag: &Arc<AtomicBool>) {}
}

/// Why a partner could not do what it was asked.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Failure {
    /// It says so itself.
    #[error("{0}")]
    Reported(String),
    /// It has no such function.
    #[error("it does not support {0}; correct its capabilities")]
    Unsupported(&'static str),
    /// The process in which it runs has ended; how, in the words of the operating system.
    #[error("its process has ended: {0}; results so far stand, look for the cause in the partner")]
    Ended(String),
    /// It runs in a process of its own and did not answer within this time; the process was ended.
    #[error(
        "its process did not answer within {0:?} and was ended; lengthen the limit or look for the cause in the partner"
    )]
    Late(Duration),
    /// It runs on another computer, and the connection is lost.
    #[error(
        "the connection to it is lost: {0}; results so far stand, look at the other computer and the network between"
    )]
    Lost(String),
    /// It had not answered when the run was interrupted.
    #[error("it had not answered when the run was interrupted")]
    Interrupted,
    /// It is made of partners itself, and this is the fault of one of them, or of its run.
    #[error("{0}")]
    Within(Box<Fault>),
}

impl Failure {
    /// A failure in the partner's own words.
    pub fn new(message: impl Into<String>) -> Self {
        Self::Reported(message.into())
    }
}

/// An input over a step: the polynomial value + first s + second s^2/2, where s is the time since the input was set \[s\].
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Signal {
    /// Value \[unit\].
    pub value: f64,
    /// First derivative \[unit/s\].
    pub first: f64,
    /// Second derivative \[unit/s^2\].
    pub second: f64,
}

impl Signal {
    /// A value that is held.
    #[must_use]
    pub const fn held(value: f64) -> Self {
        Self { value, first: 0.0, second: 0.0 }
    }

    /// The value `s` seconds later.
    #[inline]
    #[must_use]
    pub fn at(&self, s: f64) -> f64 {
        self.value + s * (self.first + 0.5 * s * self.second)
    }

    /// The same polynomial about the time `s` seconds later.
    #[inline]
    #[must_use]
    pub fn after(&self, s: f64) -> Self {
        Self { value: self.at(s), first: self.first + s * self.second, second: self.second }
    }

    /// gain times the signal plus offset.
    #[inline]
    #[must_use]
    pub fn scaled(self, gain: f64, offset: f64) -> Self {
        Self { value: gain * self.value + offset, first: gain * self.first, second: gain * self.second }
    }

    /// Whether value and derivatives are finite.
    #[inline]
    #[must_use]
    pub fn is_finite(&self) -> bool {
        // One product of zero with a NaN or an infinity is a NaN.
        (self.value + self.first + self.second) * 0.0 == 0.0
    }
}

/// Which way a variable travels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Causality {
    /// Into the simulator.
    Input,
    /// Out of the simulator.
    Output,
}

/// How an output changes in time, or how an input is taken (FMI 3.0, section 2.4.7.4).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Variability {
    /// Between communication points it follows a polynomial.
    #[default]
    Continuous,
    /// It jumps, and is constant between jumps: it is held, never interpolated.
    Discrete,
    /// Of an output: discrete if all inputs on which it depends without delay are, else continuous.
    Inherited,
}

impl Variability {
    /// Of an output that changes as `of` says where inputs change so.
    pub fn where_inputs(of: impl Fn(Changes) -> Changes) -> Self {
        match (of(Changes::Continuously), of(Changes::Stepwise)) {
            (Changes::Stepwise, _) => Self::Discrete,
            (_, Changes::Stepwise) => Self::Inherited,
            _ => Self::Continuous,
        }
    }
}

/// A variable that a simulator exchanges.
#[derive(Debug, Clone, PartialEq)]
pub struct Variable {
    /// Name, unique among the variables of the simulator.
    pub name: String,
    /// Unit by name.
    pub unit: String,
    /// The unit as a value; what [`Unit::parse`] makes of its name if absent.
    pub measure: Option<Unit>,
    /// Direction.
    pub causality: Causality,
    /// Value before the first exchange \[unit\].
    pub start: f64,
    /// Typical magnitude \[unit\]: size for errors as long as no larger value was seen; 0 if it is not known.
    pub nominal: f64,
    /// Of an output: the inputs on which it depends without delay, by name.
    pub feedthrough: Vec<String>,
    /// How it changes.
    pub variability: Variability,
}

impl Variable {
    /// An input with start value 0 and without a nominal value.
    pub fn input(name: impl Into<String>, unit: impl Into<String>) -> Self {
        Self::new(name.into(), unit.into(), Causality::Input)
    }

    /// An output without feedthrough, with start value 0 and without a nominal value.
    pub fn output(name: impl Into<String>, unit: impl Into<String>) -> Self {
        Self::new(name.into(), unit.into(), Causality::Output)
    }

    fn new(name: String, unit: String, causality: Causality) -> Self {
        Self {
            name,
            unit,
            measure: None,
            causality,
            start: 0.0,
            nominal: 0.0,
            feedthrough: Vec::new(),
            variability: Variability::Continuous,
        }
    }

    /// With a unit that is known by its value, whatever its name.
    #[must_use]
    pub fn measured(mut self, unit: Unit) -> Self {
        self.measure = Some(unit);
        self
    }

    /// The unit as a value.
    pub(crate) fn known_unit(&self) -> Result<Unit, UnknownUnit> {
        self.measure.map_or_else(|| Unit::parse(&self.unit), Ok)
    }

    /// With another start value \[unit\].
    #[must_use]
    pub fn start(mut self, value: f64) -> Self {
        self.start = value;
        self
    }

    /// With a nominal value \[unit\].
    #[must_use]
    pub fn nominal(mut self, value: f64) -> Self {
        self.nominal = value;
        self
    }

    /// Changing in this way.
    #[must_use]
    pub fn changing(mut self, variability: Variability) -> Self {
        self.variability = variability;
        self
    }

    /// Depending on these inputs without delay.
    #[must_use]
    pub fn depends_on(mut self, inputs: &[&str]) -> Self {
        self.feedthrough = inputs.iter().map(|&name| name.into()).collect();
        self
    }
}

/// What a simulator can do beyond stepping forward.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Capabilities {
    /// It can save its state and return to it.
    pub rollback: bool,
    /// It knows the time derivatives of its outputs.
    pub output_derivatives: bool,
    /// Highest derivative of an input it makes use of: 0, 1 or 2. Higher ones are not sent.
    pub input_order: usize,
    /// All its steps must have the same length.
    pub fixed_step: bool,
    /// Its checkpoints can be written down: [`Simulator::store`] and [`Simulator::load`].
    pub written: bool,
    /// It may end a step at an event of its own, before the time that was asked for.
    pub early_return: bool,
    /// It knows when its next event comes: [`Simulator::next_event`].
    pub event_times: bool,
    /// It handles faults itself, and tells of them: [`Simulator::handled`].
    pub faults: bool,
    /// It has no state: its outputs are functions of the time and of its inputs at that time.
    pub stateless: bool,
}

impl Capabilities {
    /// Rollback, and inputs with two derivatives.
    pub const FULL: Self = Self { rollback: true, input_order: 2, ..Self::PLAIN };

    /// Stepping forward with held inputs.
    pub const PLAIN: Self = Self {
        rollback: false,
        output_derivatives: false,
        input_order: 0,
        fixed_step: false,
        written: false,
        early_return: false,
        event_times: false,
        faults: false,
        stateless: false,
    };

    /// With or without rollback.
    #[must_use]
    pub const fn rollback(mut self, possible: bool) -> Self {
        self.rollback = possible;
        self
    }

    /// With or without derivatives of outputs.
    #[must_use]
    pub const fn output_derivatives(mut self, known: bool) -> Self {
        self.output_derivatives = known;
        self
    }

    /// With inputs of this order.
    #[must_use]
    pub const fn input_order(mut self, order: usize) -> Self {
        self.input_order = order;
        self
    }

    /// With checkpoints that can be written down, or not.
    #[must_use]
    pub const fn written(mut self, possible: bool) -> Self {
        self.written = possible;
        self
    }

    /// With steps that may end at events of its own, or not.
    #[must_use]
    pub const fn early_return(mut self, possible: bool) -> Self {
        self.early_return = possible;
        self
    }

    /// With times of events known beforehand, or without.
    #[must_use]
    pub const fn event_times(mut self, known: bool) -> Self {
        self.event_times = known;
        self
    }

    /// Without a state, or with one.
    #[must_use]
    pub const fn stateless(mut self, without: bool) -> Self {
        self.stateless = without;
        self
    }

    /// With faults that it handles itself, or without.
    #[must_use]
    pub const fn faults(mut self, told: bool) -> Self {
        self.faults = told;
        self
    }

    /// With steps of one length, or of any.
    #[must_use]
    pub const fn fixed_step(mut self, fixed: bool) -> Self {
        self.fixed_step = fixed;
        self
    }
}

/// What a simulator says of itself.
#[derive(Debug, Clone, PartialEq)]
pub struct Description {
    /// Inputs and outputs; the order within each causality is that of the arrays exchanged.
    pub variables: Vec<Variable>,
    /// Step of its own solver \[s\]: the communication step may not be shorter. None if it steps anyhow.
    pub solver_step: Option<f64>,
    /// What it can do.
    pub capabilities: Capabilities,
}

impl Description {
    /// The variables of one causality, in order.
    pub fn with(&self, causality: Causality) -> impl Iterator<Item = &Variable> {
        self.variables.iter().filter(move |variable| variable.causality == causality)
    }
}
