//! What an instance steps: a model of each kind from one communication point to the next, with the numbers of [`run`](crate::run) at the same times.

mod circuit;
mod coupled;
mod linear;
mod mechanism;

pub(super) use circuit::variables as circuit_variables;
pub(super) use mechanism::variables as mechanism_variables;

use super::exchange;
use crate::run::Overrides;
use crate::simulation::CompiledModel;
use crate::{Document, Error};
use fourbar_coupling::Variable;
use fourbar_multibody::host::HostFunctions;
use fourbar_multibody::{Inputs, State};
use std::any::Any;
use std::sync::Arc;

/// A checkpoint of a motion.
pub(super) type Point = Box<dyn Any + Send + Sync>;

/// Value, first and second derivative of each input about the present time.
pub(super) type Polynomials = [[f64; 3]];

/// What the importer says of a simulation before it begins.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Experiment {
    /// Where it begins \[s\].
    pub(super) start: f64,
    /// Where it ends \[s\]; infinite if that is not known.
    pub(super) end: f64,
    /// Relative tolerance of the integrator; that of the model if absent.
    pub(super) tolerance: Option<f64>,
}

impl Default for Experiment {
    fn default() -> Self {
        Self { start: 0.0, end: f64::INFINITY, tolerance: None }
    }
}

impl Experiment {
    /// As settings of a run; of linear systems and coupled models the tolerance is another one, and stays as it is.
    fn overrides(&self) -> Overrides {
        Overrides { tolerance: self.tolerance, ..Overrides::default() }
    }
}

/// What a motion can do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Abilities {
    /// Whether there are checkpoints.
    pub(super) state: bool,
    /// Whether they can become bytes.
    pub(super) bytes: bool,
    /// Highest derivative of an input that counts.
    pub(super) input_order: u32,
    /// Whether derivatives of outputs by inputs are known.
    pub(super) derivatives: bool,
    /// Whether it may end before the time that is asked for.
    pub(super) may_end: bool,
    /// Whether its steps may end at events: at contacts, or where sensors switch something.
    pub(super) has_events: bool,
    /// Whether it can go on with other parameters.
    pub(super) retunes: bool,
    /// Whether its checkpoints hold its parameters.
    pub(super) keeps_parameters: bool,
}

/// How far a step came.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Reached {
    pub(super) time: f64,
    /// What ended it before the time that was asked for.
    pub(super) ended_by: Option<String>,
    /// Whether it ended at an event.
    pub(super) at_event: bool,
}

impl Reached {
    /// A time without further words.
    pub(super) fn plain(time: f64) -> Self {
        Self { time, ended_by: None, at_event: false }
    }
}

/// A model under way.
pub(super) trait Motion: Send {
    fn inputs(&self) -> &[Variable];

    fn outputs(&self) -> &[Variable];

    fn abilities(&self) -> Abilities;

    /// The mechanism, for further motions of the same parameters.
    fn compiled(&self) -> Option<Arc<CompiledModel>> {
        None
    }

    /// From now on the inputs are these. Those that are as they were change nothing.
    fn set_inputs(&mut self, inputs: &Polynomials) -> Result<(), Error>;

    /// Takes one step of the method towards `time` \[s\], and not beyond it.
    fn step(&mut self, time: f64) -> Result<Reached, Error>;

    /// Writes the outputs of now.
    fn observe(&mut self, values: &mut [f64]) -> Result<(), Error>;

    /// Derivatives of all outputs (rows) by all inputs at the state of now, row after row.
    fn derivatives(&mut self) -> Result<Vec<f64>, Error>;

    /// Whether it can go on with another value of this parameter, as far as it alone knows.
    fn tunes(&self, _parameter: &str) -> bool {
        self.abilities().retunes
    }

    /// Goes on from here with the parameters of `document`, of which those that were fixed are as they were. What fails changes nothing.
    fn retune(&mut self, document: &Document) -> Result<(), Error>;

    /// The equations of the model and their unknowns at the present point, where it has some.
    fn equations(&mut self) -> Result<exchange::Start, Error>;

    /// Itself, if the importer integrates.
    fn exchange(&mut self) -> Option<&mut exchange::Exchange> {
        None
    }

    /// Keeps everything on which the further steps depend.
    fn save(&mut self) -> Result<Point, Error>;

    /// Back to a checkpoint of this model; whether it is one.
    fn restore(&mut self, point: &(dyn Any + Send + Sync)) -> Result<bool, Error>;

    /// Appends the bytes of a checkpoint of this model; whether it is one.
    fn store(&mut self, point: &(dyn Any + Send + Sync), to: &mut Vec<u8>) -> Result<bool, Error>;

    /// Reads what [`Motion::store`] wrote.
    fn load(&mut self, bytes: &[u8]) -> Result<Point, Error>;
}

/// The model at its start, a mechanism as it was `compiled` if it was, where its inputs are `inputs`, or those of the model if none are given.
pub(super) fn begin(
    document: &Document,
    compiled: Option<Arc<CompiledModel>>,
    experiment: &Experiment,
    inputs: Option<&Polynomials>,
) -> Result<Box<dyn Motion>, Error> {
    Ok(match document {
        Document::Mechanism(model) => {
            let compiled = match compiled {
                Some(compiled) => compiled,
                None => Arc::new(CompiledModel::new(model, &HostFunctions::default())?),
            };
            Box::new(mechanism::MechanismMotion::new(&compiled, experiment, inputs)?)
        }
        Document::Circuit(model) => Box::new(circuit::CircuitMotion::new(model, experiment, inputs)?),
        Document::Linear(model) => Box::new(linear::LinearMotion::new(model, experiment, inputs)?),
        Document::Coupled(model) => Box::new(coupled::CoupledMotion::new(model, experiment, inputs)?),
    })
}

/// The state of a mechanism at a start other than 0: as it stands at 0, put right where its motions have it at that time; none at 0.
pub(super) fn state_at(
    compiled: &CompiledModel,
    start: f64,
    inputs: Option<&Polynomials>,
) -> Result<Option<State>, Error> {
    if start == 0.0 {
        return Ok(None);
    }
    let mechanism = compiled.mechanism();
    let mut own = Inputs::start(mechanism);
    if let Some(given) = inputs {
        own.set(mechanism, start, given.iter().copied()).map_err(fourbar_multibody::Error::from)?;
    }
    let state = State { time: start, ..mechanism.start().clone() };
    Ok(Some(mechanism.consistent(&state, &own)?))
}

/// A document of another kind than that of the motion: none comes here.
fn not_this_kind(document: &Document) -> Error {
    Error::NotForKind { setting: "other parameters", kind: document.kind() }
}

/// The polynomial `of` before `moved` \[s\], about now.
fn moved([value, first, second]: [f64; 3], moved: f64) -> [f64; 3] {
    [value + moved * (first + 0.5 * moved * second), first + moved * second, second]
}
