//! A simulation under the hand of an importer: which calls are allowed when, and what they do. Both versions of the standard have these states
//! (FMI 2.0.5, section 4.2.4; FMI 3.0.2, section 2.3).

mod values;

use super::Error;
use super::contents::Contents;
use super::motion::{self, Abilities, Experiment, Motion};
use super::parameters::parameters;
use super::variables::Variables;
use crate::file::ModelFile;
use crate::simulation::CompiledModel;
use fourbar_multibody::expression::Expression;
use std::sync::Arc;

/// Part of a step by which two times may differ and be one: what sums of a million steps are off by, a thousand times over.
const SAME: f64 = 1e-9;

/// Where an instance stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Phase {
    /// Made, or reset; parameters and start values are set.
    Instantiated = 0,
    /// Between the begin and the end of the initialization.
    Initialization = 1,
    /// Between two steps.
    Stepping = 2,
    /// The model has ended its simulation itself.
    Ended = 3,
    /// The importer has ended it.
    Terminated = 4,
    /// A step failed.
    Failed = 5,
}

impl Phase {
    const ALL: [Self; 6] =
        [Self::Instantiated, Self::Initialization, Self::Stepping, Self::Ended, Self::Terminated, Self::Failed];

    pub(super) fn of_number(number: u8) -> Option<Self> {
        Self::ALL.get(usize::from(number)).copied()
    }

    /// In words, behind "is not allowed".
    fn words(self) -> &'static str {
        match self {
            Self::Instantiated => "before the initialization",
            Self::Initialization => "during the initialization",
            Self::Stepping => "between steps",
            Self::Ended => "after the model has ended the simulation",
            Self::Terminated => "after the simulation was terminated",
            Self::Failed => "after a call that failed",
        }
    }
}

/// What an instance can do beyond the calls that all have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct FmuCapabilities {
    /// Whether it can be saved and put back.
    pub state: bool,
    /// Whether such a state can become bytes.
    pub serialized_state: bool,
    /// Highest derivative of an input that counts.
    pub input_order: u32,
    /// Whether derivatives of outputs by inputs are known.
    pub directional_derivatives: bool,
    /// Whether the model may end the simulation itself.
    pub ends_early: bool,
}

/// How far a step came.
#[derive(Debug, Clone, PartialEq)]
pub struct Advance {
    /// Time reached \[s\].
    pub time: f64,
    /// What ended the simulation before the time that was asked for: the name of a sensor.
    pub ended_by: Option<String>,
}

/// An instance of a unit.
pub struct Instance {
    contents: Contents,
    variables: Variables,
    abilities: Abilities,
    pub(super) phase: Phase,
    pub(super) time: f64,
    pub(super) experiment: Experiment,
    /// The inputs as polynomials about the present time.
    pub(super) inputs: Vec<[f64; 3]>,
    /// The parameters as they are set; those that follow from others as they began.
    pub(super) parameters: Vec<f64>,
    /// The parameters as they began.
    starts: Vec<f64>,
    /// The outputs of now, if they are known.
    outputs: Option<Vec<f64>>,
    pub(super) motion: Option<Box<dyn Motion>>,
    /// The mechanism of these parameters.
    compiled: Option<Arc<CompiledModel>>,
}

impl Instance {
    /// A new instance of a unit, in [`Phase::Instantiated`].
    ///
    /// # Errors
    /// [`Error::Model`] for what is wrong in the model.
    pub fn new(contents: Contents) -> Result<Self, Error> {
        let refuse = |error| Error::Model(contents.file.explain(error));
        let document = contents.file.document();
        let parameters = parameters(document).map_err(refuse)?;
        let experiment = Experiment::default();
        let motion = motion::begin(document, None, &experiment, None).map_err(refuse)?;
        let variables = Variables::new(&*motion, &parameters);
        let values: Vec<f64> = parameters.iter().map(|own| own.value).collect();
        Ok(Self {
            inputs: variables.input_starts(),
            variables,
            abilities: motion.abilities(),
            phase: Phase::Instantiated,
            time: 0.0,
            experiment,
            starts: values.clone(),
            parameters: values,
            outputs: None,
            compiled: motion.compiled(),
            motion: Some(motion),
            contents,
        })
    }

    /// The variables.
    #[must_use]
    pub fn variables(&self) -> &Variables {
        &self.variables
    }

    /// The unit.
    #[must_use]
    pub fn contents(&self) -> &Contents {
        &self.contents
    }

    pub(super) fn token(&self) -> &str {
        self.contents.token()
    }

    /// What it can do.
    #[must_use]
    pub fn capabilities(&self) -> FmuCapabilities {
        let Abilities { state, bytes, input_order, derivatives, may_end } = self.abilities;
        FmuCapabilities {
            state,
            serialized_state: bytes,
            input_order,
            directional_derivatives: derivatives,
            ends_early: may_end,
        }
    }

    pub(super) fn abilities(&self) -> Abilities {
        self.abilities
    }

    /// Where it stands.
    #[must_use]
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// Time \[s\].
    #[must_use]
    pub fn time(&self) -> f64 {
        self.time
    }

    fn check(&self, call: &'static str, allowed_in: &[Phase], allowed: &'static str) -> Result<(), Error> {
        if allowed_in.contains(&self.phase) {
            return Ok(());
        }
        Err(Error::State { call, state: self.phase.words(), allowed })
    }

    /// Says when the simulation begins and ends \[s\], and the relative tolerance of the integrator; what is not said is as the model has it.
    ///
    /// # Errors
    /// [`Error::State`]; [`Error::Start`] for a start other than 0; [`Error::NotFinite`] for a tolerance or an end that cannot be.
    pub fn set_up(&mut self, start: f64, stop: Option<f64>, tolerance: Option<f64>) -> Result<(), Error> {
        self.check("setting the experiment up", &[Phase::Instantiated], "before the initialization")?;
        if start != 0.0 {
            return Err(Error::Start { start });
        }
        let positive = |name: &str, value: Option<f64>| match value {
            Some(value) if !(value > 0.0 && value.is_finite()) => {
                Err(Error::NotFinite { name: name.to_owned(), value })
            }
            value => Ok(value),
        };
        let end = positive("stop time", stop)?.unwrap_or(f64::INFINITY);
        let experiment = Experiment { end, tolerance: positive("tolerance", tolerance)? };
        let parameters = self.parameters.clone();
        self.become_like(&parameters, experiment);
        Ok(())
    }

    /// Begins the initialization.
    ///
    /// # Errors
    /// [`Error::State`].
    pub fn enter_initialization(&mut self) -> Result<(), Error> {
        self.check("the begin of the initialization", &[Phase::Instantiated], "allowed once, before it")?;
        self.phase = Phase::Initialization;
        Ok(())
    }

    /// Ends the initialization: the model is compiled and stands at its start.
    ///
    /// # Errors
    /// [`Error::State`]; [`Error::Model`] for parameters or inputs with which it cannot be simulated.
    pub fn exit_initialization(&mut self) -> Result<(), Error> {
        self.check("the end of the initialization", &[Phase::Initialization], "allowed once, after its begin")?;
        if let Err(error) = self.motion() {
            self.phase = Phase::Failed;
            return Err(error);
        }
        self.phase = Phase::Stepping;
        Ok(())
    }

    /// Ends the simulation; values can still be read.
    ///
    /// # Errors
    /// [`Error::State`].
    pub fn terminate(&mut self) -> Result<(), Error> {
        self.check("the end of the simulation", &[Phase::Stepping, Phase::Ended], "allowed between steps")?;
        self.phase = Phase::Terminated;
        Ok(())
    }

    /// Back to where it was when it was made.
    pub fn reset(&mut self) {
        let starts = self.starts.clone();
        self.become_like(&starts, Experiment::default());
        (self.phase, self.time) = (Phase::Instantiated, 0.0);
        self.inputs = self.variables.input_starts();
        self.motion = None;
        self.forget_outputs();
    }

    /// Takes these parameters and this experiment over; what was made with others is given up.
    pub(super) fn become_like(&mut self, parameters: &[f64], experiment: Experiment) {
        if self.parameters != parameters {
            self.parameters = parameters.to_vec();
            (self.motion, self.compiled) = (None, None);
        }
        if self.experiment != experiment {
            self.experiment = experiment;
            self.motion = None;
        }
        self.forget_outputs();
    }

    pub(super) fn forget_outputs(&mut self) {
        self.outputs = None;
    }

    /// The model under way, begun if it is not.
    pub(super) fn motion(&mut self) -> Result<&mut dyn Motion, Error> {
        if self.motion.is_none() {
            let file = self.file()?;
            let begun = motion::begin(file.document(), self.compiled.clone(), &self.experiment, Some(&self.inputs));
            let motion = begun.map_err(|error| Error::Model(file.explain(error)))?;
            self.compiled = motion.compiled();
            self.motion = Some(motion);
        }
        match &mut self.motion {
            Some(motion) => Ok(&mut **motion),
            None => Err(Error::Foreign),
        }
    }

    /// The model with the parameters of now.
    fn file(&self) -> Result<ModelFile, Error> {
        let mut file = self.contents.file.clone();
        let values = self.parameters.iter().zip(&self.starts);
        for ((_, variable), (value, start)) in self.variables.with_parameters().zip(values) {
            if let (Some(name), true) = (&variable.parameter, value != start) {
                let set = file.set_parameter(name, Expression::constant(*value));
                set.map_err(|error| Error::Model(fourbar_multibody::Error::Model(error).into()))?;
            }
        }
        Ok(file)
    }

    /// Steps from `from` on by `step` \[s\].
    ///
    /// # Errors
    /// [`Error::State`], [`Error::Step`]; [`Error::Model`] where the motion cannot go on: the instance is of no use then until it is reset or
    /// put back to a checkpoint.
    pub fn step(&mut self, from: f64, step: f64) -> Result<Advance, Error> {
        self.check("a step", &[Phase::Stepping], "allowed between steps")?;
        let to = self.target(from, step)?;
        match self.step_to(to) {
            Ok(advance) => Ok(advance),
            Err(error) => {
                self.phase = Phase::Failed;
                Err(error)
            }
        }
    }

    /// Where a step ends, which may miss the time of now and the end by round-off.
    fn target(&self, from: f64, step: f64) -> Result<f64, Error> {
        let (time, end) = (self.time, self.experiment.end);
        let refuse = |remedy| Err(Error::Step { from, step, time, end, remedy });
        if !(step > 0.0 && step.is_finite() && from.is_finite()) {
            return refuse("take finite times and a step above 0 s");
        }
        let near = SAME * step + 4.0 * f64::EPSILON * time.abs();
        if (from - time).abs() > near {
            return refuse("steps begin where the last one ended, or at the time of a restored state");
        }
        let to = from + step;
        if (to - end).abs() <= near {
            return Ok(end);
        }
        if to > end {
            return refuse("end at the stop time, or set a later one up");
        }
        Ok(to)
    }

    fn step_to(&mut self, to: f64) -> Result<Advance, Error> {
        let (inputs, begun) = (self.inputs.clone(), self.time);
        let motion = self.motion()?;
        motion.set_inputs(&inputs)?;
        let reached = motion.step(to)?;
        self.time = reached.time;
        let moved = self.time - begun;
        for input in &mut self.inputs {
            // Derivatives are those of one step: the input stays where they have taken it.
            let [value, first, second] = *input;
            *input = [value + moved * (first + 0.5 * moved * second), 0.0, 0.0];
        }
        if reached.ended_by.is_some() {
            self.phase = Phase::Ended;
        }
        self.forget_outputs();
        Ok(Advance { time: reached.time, ended_by: reached.ended_by })
    }

    /// Sums of the derivatives of outputs by inputs, times `seed`, at the state of now: one number for each of `unknowns`.
    ///
    /// # Errors
    /// [`Error::Unsupported`] where they are not known; [`Error::Reference`], [`Error::NotSettable`] for other variables; [`Error::State`].
    pub fn directional_derivative(
        &mut self,
        unknowns: &[u32],
        knowns: &[u32],
        seed: &[f64],
    ) -> Result<Vec<f64>, Error> {
        self.check("a directional derivative", &[Phase::Stepping], "allowed between steps")?;
        if !self.abilities.derivatives {
            let reason = "only mechanisms without contacts are linearized";
            return Err(Error::Unsupported { what: "a directional derivative", reason });
        }
        let state = self.phase.words();
        let place = |reference: u32, found: Option<usize>, reason| {
            let name = self.variable(reference)?.name.clone();
            found.ok_or(Error::NotSettable { name, state, reason })
        };
        let rows = unknowns.iter().map(|&r| place(r, self.variables.output(r), "derivatives are those of outputs"));
        let rows = rows.collect::<Result<Vec<usize>, Error>>()?;
        let columns = knowns.iter().map(|&r| place(r, self.variables.input(r), "derivatives are by inputs"));
        let columns = columns.collect::<Result<Vec<usize>, Error>>()?;
        let (inputs, width) = (self.inputs.clone(), self.inputs.len());
        let motion = self.motion()?;
        motion.set_inputs(&inputs)?;
        let all = motion.derivatives()?;
        let sum = |&row: &usize| columns.iter().zip(seed).map(|(&column, seed)| all[row * width + column] * seed).sum();
        Ok(rows.iter().map(sum).collect())
    }
}
