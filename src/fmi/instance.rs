//! A simulation under the hand of an importer: which calls are allowed when, and what they do. Both versions of the standard have these states
//! (FMI 2.0.5, sections 3.2.3 and 4.2.4; FMI 3.0.2, sections 2.3, 3.2 and 4.2).

mod derivatives;
mod exchanged;
mod experiment;
mod residuals;
mod steps;
mod values;

use super::contents::{Contents, FmuInterface};
use super::exchange::{self, Exchange, Locals};
use super::motion::{self, Abilities, Experiment, Motion};
use super::parameters::parameters;
use super::variables::Variables;
use super::{Error, Interfaces};
use crate::Document;
use crate::file::ModelFile;
use crate::simulation::CompiledModel;
use experiment::starts_steady;
use fourbar_multibody::expression::Expression;
use std::sync::Arc;

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
    /// Within a step, after a part of it.
    WithinStep = 6,
    /// Where events are handled, of model exchange.
    Event = 7,
    /// Between events, of model exchange.
    Continuous = 8,
    /// Where structural parameters are set, before the initialization.
    Configuration = 9,
}

impl Phase {
    const ALL: [Self; 10] = [
        Self::Instantiated,
        Self::Initialization,
        Self::Stepping,
        Self::Ended,
        Self::Terminated,
        Self::Failed,
        Self::WithinStep,
        Self::Event,
        Self::Continuous,
        Self::Configuration,
    ];

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
            Self::WithinStep => "within a step",
            Self::Event => "in the event mode",
            Self::Continuous => "in the continuous-time mode",
            Self::Configuration => "in the configuration mode",
        }
    }

    /// Whether the start is still open.
    fn is_early(self) -> bool {
        matches!(self, Self::Instantiated | Self::Initialization)
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
    /// Whether steps may return at events, where the importer allows it.
    pub has_events: bool,
}

/// How far a step came, or a part of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Advance {
    /// Time reached \[s\].
    pub time: f64,
    /// What ended the simulation before the time that was asked for: the name of a sensor.
    pub ended_by: Option<String>,
    /// Whether contacts closed or opened, or a sensor switched something, at that time.
    pub at_event: bool,
    /// Whether nothing of the step is left.
    pub is_whole: bool,
}

/// An instance of a unit.
pub struct Instance {
    contents: Contents,
    interface: FmuInterface,
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
    /// Where the step under way began \[s\]; the present time between steps.
    pub(super) begun: f64,
    /// The outputs of now, if they are known.
    outputs: Option<Vec<f64>>,
    /// Unknowns, derivatives, event indicators and what else there is of now, if they are known.
    locals: Option<Locals>,
    /// Whether the importer solves for the algebraic variables.
    pub(super) solves: bool,
    pub(super) motion: Option<Box<dyn Motion>>,
    /// The mechanism of these parameters.
    pub(super) compiled: Option<Arc<CompiledModel>>,
}

impl Instance {
    /// A new instance of a unit, in [`Phase::Instantiated`]: for co-simulation, or where it has that not for model exchange.
    ///
    /// # Errors
    /// As [`Instance::with`].
    pub fn new(contents: Contents) -> Result<Self, Error> {
        let interface = match contents.interfaces {
            Interfaces::ModelExchange => FmuInterface::ModelExchange,
            Interfaces::CoSimulation | Interfaces::Both | Interfaces::Dae => FmuInterface::CoSimulation,
        };
        Self::with(contents, interface)
    }

    /// A new instance of a unit with this interface, in [`Phase::Instantiated`].
    ///
    /// # Errors
    /// [`Error::Model`] for what is wrong in the model; [`Error::Interface`] where the unit has no such interface.
    pub fn with(contents: Contents, interface: FmuInterface) -> Result<Self, Error> {
        if !contents.interfaces.have(interface) {
            return Err(Error::Interface { own: contents.interfaces });
        }
        let refuse = |error| Error::Model(contents.file.explain(error));
        let document = contents.file.document();
        let parameters = parameters(document).map_err(refuse)?;
        let experiment = Experiment::default();
        let (mut motion, mut unknowns) = (None, None);
        if contents.interfaces.have(FmuInterface::ModelExchange) {
            let mut start = exchange::begin(document, None, None, 0.0).map_err(refuse)?;
            let residuals = contents.interfaces.have_residuals();
            unknowns = Some(start.unknowns(residuals, kind(document)).map_err(refuse)?);
            if interface == FmuInterface::ModelExchange {
                let exchange: Box<dyn Motion> = Box::new(Exchange::new(start).map_err(refuse)?);
                motion = Some(exchange);
            }
        }
        let motion = match motion {
            Some(motion) => motion,
            None => motion::begin(document, None, &experiment, None).map_err(refuse)?,
        };
        let variables = Variables::new(&*motion, &parameters, unknowns.as_ref(), starts_steady(document));
        let values: Vec<f64> = parameters.iter().map(|own| own.value).collect();
        Ok(Self {
            interface,
            inputs: variables.input_starts(),
            variables,
            abilities: motion.abilities(),
            phase: Phase::Instantiated,
            time: 0.0,
            experiment,
            starts: values.clone(),
            parameters: values,
            begun: 0.0,
            outputs: None,
            locals: None,
            solves: false,
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

    /// How it is simulated.
    #[must_use]
    pub fn interface(&self) -> FmuInterface {
        self.interface
    }

    pub(super) fn token(&self) -> &str {
        self.contents.token()
    }

    /// What it can do.
    #[must_use]
    pub fn capabilities(&self) -> FmuCapabilities {
        let Abilities { state, bytes, input_order, derivatives, may_end, has_events, retunes: _, keeps_parameters: _ } =
            self.abilities;
        FmuCapabilities {
            state,
            serialized_state: bytes,
            input_order,
            directional_derivatives: derivatives,
            ends_early: may_end,
            has_events,
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
        self.phase = match self.interface {
            FmuInterface::CoSimulation => Phase::Stepping,
            FmuInterface::ModelExchange => Phase::Event,
        };
        Ok(())
    }

    /// Ends the simulation; values can still be read.
    ///
    /// # Errors
    /// [`Error::State`].
    pub fn terminate(&mut self) -> Result<(), Error> {
        let allowed = [Phase::Stepping, Phase::Ended, Phase::Event, Phase::Continuous];
        self.check("the end of the simulation", &allowed, "allowed between steps")?;
        self.phase = Phase::Terminated;
        Ok(())
    }

    /// Back to where it was when it was made.
    pub fn reset(&mut self) {
        let starts = self.starts.clone();
        self.become_like(&starts, Experiment::default());
        (self.phase, self.time, self.begun) = (Phase::Instantiated, 0.0, 0.0);
        self.solves = false;
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
        (self.outputs, self.locals) = (None, None);
    }

    /// The model under way, begun if it is not.
    pub(super) fn motion(&mut self) -> Result<&mut dyn Motion, Error> {
        if self.motion.is_none() {
            let file = self.file()?;
            let (document, compiled, inputs) = (file.document(), self.compiled.clone(), Some(&*self.inputs));
            let begun = match self.interface {
                FmuInterface::CoSimulation => motion::begin(document, compiled, &self.experiment, inputs),
                FmuInterface::ModelExchange => exchange::begin(document, compiled, inputs, self.experiment.start)
                    .and_then(Exchange::new)
                    .and_then(|mut exchange| exchange.solve_algebraic(self.solves).map(|()| exchange))
                    .map(|exchange| -> Box<dyn Motion> { Box::new(exchange) }),
            };
            let motion = begun.map_err(|error| Error::Model(file.explain(error)))?;
            self.compiled = motion.compiled();
            self.motion = Some(motion);
        }
        match &mut self.motion {
            Some(motion) => Ok(&mut **motion),
            None => Err(Error::Foreign),
        }
    }

    /// Lets the running model go on with the parameters of now, those `before` being its own: where it cannot, they are put back.
    fn retune(&mut self, before: Vec<f64>) -> Result<(), Error> {
        let taken = self.file().and_then(|file| {
            let taken = self.motion()?.retune(file.document());
            taken.map_err(|error| Error::NotTaken { source: Box::new(file.explain(error)) })
        });
        match taken {
            Ok(()) => self.compiled = self.motion()?.compiled(),
            Err(_) => self.parameters = before,
        }
        self.forget_outputs();
        taken
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
}

/// What a model is, in words.
fn kind(document: &Document) -> &'static str {
    match document {
        Document::Mechanism(_) => "mechanism",
        Document::Linear(_) => "linear system",
        Document::Circuit(_) => "circuit",
        Document::Coupled(_) => "coupled model",
    }
}
