//! A circuit or a linear system stepped by a host: inputs and outputs by name.

use super::method::integrator;
use crate::{Document, Error, coupled};
use fourbar_coupling::{Causality, Failure, Signal, Simulator, Snapshot, Variable};
use fourbar_linalg::Interrupt;
use fourbar_multibody::integrator::Error as IntegratorError;
use std::sync::atomic::{AtomicU64, Ordering};

/// Tells simulators of one process apart.
static COUNT: AtomicU64 = AtomicU64::new(0);

/// A circuit or a linear system at a time, which the caller advances. Inputs are those of the circuit, and those of the type `external` of
/// the linear system; outputs are the columns of a run.
///
/// ```
/// use fourbar::file::ModelFile;
/// use fourbar::simulation::Stepped;
///
/// let file = ModelFile::parse("lag.toml", r#"
///     type = "linear"
///     [[block]]
///     name = "y"
///     type = "lag"
///     input = "u"
///     time_constant = 0.5
///     [[input]]
///     name = "u"
///     type = "external"
///     [[output]]
///     name = "y"
///     from = "y"
/// "#)?;
/// let mut lag = Stepped::new(file.document())?;
/// lag.set_input(0, [1.0, 0.0, 0.0])?;
/// lag.step_to(0.5)?;
/// let mut y = [0.0];
/// lag.outputs(&mut y)?;
/// assert!((y[0] - (1.0 - (-1.0f64).exp())).abs() < 1e-15);
/// # Ok::<(), fourbar::Error>(())
/// ```
pub struct Stepped {
    name: String,
    simulator: Box<dyn Simulator>,
    inputs: Vec<Variable>,
    outputs: Vec<Variable>,
    /// Inputs as polynomials about the time at which they were set \[s\].
    signals: Vec<Signal>,
    set: f64,
    time: f64,
    steps: u64,
    /// Where it goes back to after a step that failed; none where it cannot.
    before: Option<Snapshot>,
    /// The time up to which a step was tried that failed and left no state to go on from.
    lost: Option<f64>,
    own: u64,
}

/// A point to go back to.
pub struct SavedStepped {
    point: Snapshot,
    signals: Vec<Signal>,
    set: f64,
    time: f64,
    steps: u64,
    own: u64,
}

impl Stepped {
    /// The model at its start, t = 0.
    ///
    /// # Errors
    /// [`Error::Circuit`], [`Error::LinearModel`] for a model that is not valid; [`Error::NotOffered`] for one of another kind.
    pub fn new(document: &Document) -> Result<Self, Error> {
        let simulator = coupled::alone(document)?;
        let description = simulator.describe();
        let of = |causality| description.with(causality).cloned().collect::<Vec<Variable>>();
        let (inputs, outputs) = (of(Causality::Input), of(Causality::Output));
        Ok(Self {
            name: document.name().to_owned(),
            signals: inputs.iter().map(|input| Signal::held(input.start)).collect(),
            before: description.capabilities.rollback.then(Snapshot::new),
            simulator,
            inputs,
            outputs,
            set: 0.0,
            time: 0.0,
            steps: 0,
            lost: None,
            own: COUNT.fetch_add(1, Ordering::Relaxed),
        })
    }

    /// Title of the model.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Inputs: name, unit and value at the start of each.
    #[must_use]
    pub fn input_variables(&self) -> &[Variable] {
        &self.inputs
    }

    /// Outputs, in the order of [`Stepped::outputs`].
    #[must_use]
    pub fn output_variables(&self) -> &[Variable] {
        &self.outputs
    }

    /// Time \[s\].
    #[must_use]
    pub fn time(&self) -> f64 {
        self.time
    }

    /// Steps that were asked for and made.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// The inputs now: value, first and second derivative of each.
    #[must_use]
    pub fn inputs_now(&self) -> Vec<[f64; 3]> {
        let s = self.time - self.set;
        self.signals.iter().map(|own| [own.at(s), own.first + s * own.second, own.second]).collect()
    }

    /// From now on input `index` is this polynomial about the present time: value, first and second derivative. The others go on as they were
    /// set.
    ///
    /// # Errors
    /// As [`Stepped::set_inputs`].
    pub fn set_input(&mut self, index: usize, polynomial: [f64; 3]) -> Result<(), Error> {
        let mut all = self.inputs_now();
        if let Some(own) = all.get_mut(index) {
            *own = polynomial;
        }
        self.set_inputs(&all)
    }

    /// From now on the inputs are these polynomials about the present time.
    ///
    /// # Errors
    /// [`Error::Input`] for one that is not finite, [`Error::Multibody`] for another number of them: the inputs then stay as they were;
    /// [`Error::Stepped`].
    pub fn set_inputs(&mut self, polynomials: &[[f64; 3]]) -> Result<(), Error> {
        super::solved::check_length("the array of inputs", polynomials.len(), self.inputs.len())?;
        let bad = |(polynomial, input): (&[f64; 3], &Variable)| {
            let value = polynomial.iter().copied().find(|value| !value.is_finite())?;
            Some(Error::Input { input: input.name.clone(), value, time: self.time })
        };
        if let Some(error) = polynomials.iter().zip(&self.inputs).find_map(bad) {
            return Err(error);
        }
        let signals: Vec<Signal> =
            polynomials.iter().map(|&[value, first, second]| Signal { value, first, second }).collect();
        self.simulator.set_inputs(&signals).map_err(|failure| self.failed(failure))?;
        (self.signals, self.set) = (signals, self.time);
        Ok(())
    }

    /// Goes to `time` \[s\], exactly. A step that fails leaves everything as it was.
    ///
    /// # Errors
    /// [`Error::Multibody`] for a time that lies in the past or is not finite; [`Error::Stepped`].
    pub fn step_to(&mut self, time: f64) -> Result<(), Error> {
        if !time.is_finite() {
            let name = "the end".to_owned();
            return Err(integrator(IntegratorError::NotFinite { what: "time", name, value: time }));
        }
        if time < self.time {
            return Err(integrator(IntegratorError::EndBeforeStart { time: self.time, end: time }));
        }
        if let Some(tried) = self.lost {
            let text = format!(
                "the step to t = {tried} s failed, and the state before is not kept for systems of this size; begin anew"
            );
            return Err(self.failed(Failure::new(text)));
        }
        if time == self.time {
            return Ok(());
        }
        if Interrupt::thread_is_interrupted() {
            return Err(self.failed(Failure::Interrupted));
        }
        let stepped = self.try_step(time);
        stepped.map_err(|failure| self.failed(failure))?;
        self.time = time;
        self.steps += 1;
        Ok(())
    }

    fn try_step(&mut self, time: f64) -> Result<(), Failure> {
        let Some(before) = &mut self.before else {
            let stepped = self.simulator.step(self.time, time - self.time);
            self.lost = stepped.is_err().then_some(time);
            return stepped.map(drop);
        };
        self.simulator.save(before)?;
        self.simulator.step(self.time, time - self.time).map(drop).or_else(|failure| {
            self.simulator.restore(before)?;
            Err(failure)
        })
    }

    /// Writes the outputs of now to `values`, in the order of [`Stepped::output_variables`].
    ///
    /// # Errors
    /// [`Error::Multibody`] for another length; [`Error::Stepped`] where they cannot be evaluated.
    pub fn outputs(&mut self, values: &mut [f64]) -> Result<(), Error> {
        super::solved::check_length("the array of outputs", values.len(), self.outputs.len())?;
        Interrupt::unwatched(|| self.simulator.outputs(values)).map_err(|failure| self.failed(failure))
    }

    /// Saves everything on which the further steps depend.
    ///
    /// # Errors
    /// [`Error::NotOffered`] for a sparse linear system.
    pub fn save(&mut self) -> Result<SavedStepped, Error> {
        if self.before.is_none() {
            return Err(Error::NotOffered {
                kind: "sparse linear system",
                what: "saved state",
                remedy: "begin anew, or write it as [state_space] or as [[block]] entries",
            });
        }
        let mut point = Snapshot::new();
        self.simulator.save(&mut point).map_err(|failure| self.failed(failure))?;
        let Self { signals, set, time, steps, own, .. } = self;
        Ok(SavedStepped { point, signals: signals.clone(), set: *set, time: *time, steps: *steps, own: *own })
    }

    /// Back to a checkpoint that it saved; the further steps are those that followed it, bit for bit.
    ///
    /// # Errors
    /// [`Error::Stepped`] for a point that another one saved.
    pub fn restore(&mut self, saved: &SavedStepped) -> Result<(), Error> {
        if saved.own != self.own {
            return Err(
                self.failed(Failure::new("the checkpoint is of another simulator; give one that this one saved"))
            );
        }
        self.simulator.restore(&saved.point).map_err(|failure| self.failed(failure))?;
        self.signals.clone_from(&saved.signals);
        (self.set, self.time, self.steps) = (saved.set, saved.time, saved.steps);
        Ok(())
    }

    fn failed(&self, source: Failure) -> Error {
        Error::Stepped { time: self.time, source }
    }
}
