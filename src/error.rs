//! What can go wrong between a model file and the results of its run.

use fourbar_linalg::checkpoint::CheckpointError;
use fourbar_linalg::text::Brief;
use std::io;
use std::path::PathBuf;

/// An error of the root package.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Results cannot be written.
    #[error("cannot write the results at t = {time} s: {source}", time = Brief(*.time))]
    Write {
        /// Time of the output \[s\].
        time: f64,
        /// Why.
        source: io::Error,
    },
    /// A fault of a model file, with its line.
    #[cfg(feature = "file")]
    #[error("{0}")]
    Model(Box<crate::file::Diagnostic>),
    /// Bytes are no checkpoint of this simulation.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// Neither the model nor the caller says when the run ends.
    #[error(
        "the run has no end time; write `end` in the section [simulation] of the model, or give the run one (--end)"
    )]
    NoEnd,
    /// More outputs than anybody reads.
    #[error(
        "an end time of {end} s with an output each {output_step} s makes more than {limit} outputs; raise `output_step`",
        end = Brief(*.end), output_step = Brief(*.output_step), limit = Brief(*.limit)
    )]
    TooManyOutputs {
        /// End time \[s\].
        end: f64,
        /// Time between outputs \[s\].
        output_step: f64,
        /// The most that are allowed.
        limit: f64,
    },
    /// More steps than anybody waits for.
    #[error(
        "an end time of {end} s takes more than {limit} steps of {step} s; raise `step`",
        end = Brief(*.end), limit = Brief(*.limit), step = Brief(*.step)
    )]
    TooManySteps {
        /// End time \[s\].
        end: f64,
        /// Step \[s\].
        step: f64,
        /// The most that are allowed.
        limit: f64,
    },
    /// A linear system is known at the ends of its steps only.
    #[error(
        "an output each {output_step:.17} s does not fall on steps of {step:.17} s; make `output_step` a multiple of `step`",
        output_step = Brief(*.output_step), step = Brief(*.step)
    )]
    OutputsBetweenSteps {
        /// Time between outputs \[s\].
        output_step: f64,
        /// Step \[s\].
        step: f64,
    },
    /// What a run on another computer asks for cannot be given.
    #[error("simulator \"{simulator}\" is not served: {words}")]
    Hosted {
        /// Name of the simulator.
        simulator: String,
        /// Why.
        words: String,
    },
    /// A setting that another kind of model has.
    #[error("a model of the kind \"{kind}\" has no setting `{setting}`; leave it out")]
    NotForKind {
        /// The setting, as a field of [`Overrides`](crate::run::Overrides).
        setting: &'static str,
        /// Kind of the model.
        kind: &'static str,
    },
    /// What a model of this kind does not do.
    #[error("a {kind} offers no {what}; {remedy}")]
    NotOffered {
        /// Kind of the model.
        kind: &'static str,
        /// What it does not do.
        what: &'static str,
        /// What to do instead.
        remedy: &'static str,
    },
    /// A model without equations y' = f(t, y) for an integrator of others.
    #[error("a {kind} has no equations for model exchange: {reason}")]
    NoEquations {
        /// What it is.
        kind: &'static str,
        /// Why, and what to do.
        reason: &'static str,
    },
    /// A model whose equations are not exported with their residuals.
    #[error(
        "a {kind} hands out no residuals (FMI-LS-DAE): those of mechanisms alone are exported; take the interface \"both\", or \"co-simulation\""
    )]
    NoResiduals {
        /// What it is.
        kind: &'static str,
    },
    /// A kinematic analysis came no further.
    #[error("the mechanism locks up or cannot be followed after t = {time} s: {source}", time = Brief(*.time))]
    LockedUp {
        /// Last time that it reached \[s\].
        time: f64,
        /// Why it came no further.
        source: Box<Error>,
    },
    /// Nobody said where to linearize a mechanism that starts at rest, and no equilibrium was found.
    #[error(
        "the mechanism starts at rest, and the equilibrium to linearize it at was not found: {source}; say where: at its start (`--at start`) or where a run has \
         brought it at a time (`--at SECONDS`)"
    )]
    NoOperatingPoint {
        /// Why none was found.
        source: Box<Error>,
    },
    /// The mechanism cannot be compiled, or its run failed.
    #[error(transparent)]
    Multibody(#[from] fourbar_multibody::Error),
    /// Contacts cannot be compiled or followed.
    #[error(transparent)]
    Contact(fourbar_contact::Error),
    /// The linear model is not valid.
    #[error(transparent)]
    LinearModel(#[from] Box<fourbar_multibody::ModelError>),
    /// A hydraulic circuit is not valid, has no steady state or cannot be evaluated.
    #[error(transparent)]
    Circuit(#[from] fourbar_hydraulics::Error),
    /// The coupled model is not valid.
    #[error(transparent)]
    CoupledModel(Box<fourbar_multibody::ModelError>),
    /// Simulators do not fit together, or their run was stopped.
    #[error(transparent)]
    Coupling(fourbar_coupling::Error),
    /// A simulator of a coupled model is not valid.
    #[error("simulator \"{name}\": {source}")]
    Simulator {
        /// Its name.
        name: String,
        /// What is wrong.
        source: Box<Error>,
    },
    /// An input signal has no value.
    #[error("the input \"{input}\" is {value} at t = {time} s; write a signal that is finite throughout the run")]
    Input {
        /// Name of the input.
        input: String,
        /// Its value.
        value: f64,
        /// Time \[s\].
        time: f64,
    },
    /// A circuit or linear system could not be stepped, read or set by its host.
    #[error("at t = {time} s: {source}", time = Brief(*.time))]
    Stepped {
        /// Where it stands \[s\].
        time: f64,
        /// Why.
        source: fourbar_coupling::Failure,
    },
    /// A step of a linear system failed.
    #[error("at t = {time} s: {source}", time = Brief(*.time))]
    Linear {
        /// Time at the beginning of the step \[s\].
        time: f64,
        /// Why.
        source: fourbar_lti::Error,
    },
}

impl From<fourbar_coupling::Error> for Error {
    /// What a mechanism refused is an error of the mechanism.
    fn from(error: fourbar_coupling::Error) -> Self {
        match error {
            fourbar_coupling::Error::Mechanism(error) => Self::Multibody(*error),
            error => Self::Coupling(error),
        }
    }
}

impl From<fourbar_contact::Error> for Error {
    /// What the mechanism refused is an error of the mechanism.
    fn from(error: fourbar_contact::Error) -> Self {
        match error {
            fourbar_contact::Error::Multibody(error) => Self::Multibody(error),
            error => Self::Contact(error),
        }
    }
}

#[cfg(feature = "file")]
impl Error {
    pub(crate) fn model(diagnostic: crate::file::Diagnostic) -> Self {
        Self::Model(Box::new(diagnostic))
    }

    /// Whether neither the model nor its run is at fault: a federation that cannot be joined, a temporary folder without room.
    #[must_use]
    pub fn is_of_surroundings(&self) -> bool {
        match self {
            #[cfg(feature = "helics")]
            Self::Coupling(fourbar_coupling::Error::Helics(_)) => true,
            #[cfg(feature = "fmi-import")]
            Self::Coupling(fourbar_coupling::Error::Fmu(error)) => {
                matches!(**error, fourbar_coupling::partner::FmuError::Unpack { .. })
            }
            Self::Simulator { source, .. } => source.is_of_surroundings(),
            _ => false,
        }
    }
}
