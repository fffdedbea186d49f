//! What can go wrong with an instance.

use super::Interfaces;
use crate::Error as ModelError;
use fourbar_linalg::checkpoint::CheckpointError;
use fourbar_linalg::text::Brief;
use fourbar_multibody::dae::EvalError;
use std::path::PathBuf;

/// An error of an instance or of an export.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The model, or its simulation.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// A call in a state in which the standard does not allow it.
    #[error("{call} is not allowed {state}; it is {allowed}")]
    State {
        /// The call.
        call: &'static str,
        /// Where the instance stands.
        state: &'static str,
        /// Where the call is allowed.
        allowed: &'static str,
    },
    /// A value reference that no variable has.
    #[error("there is no {kind} variable with the value reference {reference}; the description of the unit lists them")]
    Reference {
        /// The type of the call.
        kind: &'static str,
        /// The value reference.
        reference: u32,
    },
    /// A variable that cannot be set, or not now.
    #[error("the variable \"{name}\" cannot be set {state}: {reason}")]
    NotSettable {
        /// Name of the variable.
        name: String,
        /// Where the instance stands.
        state: &'static str,
        /// Why.
        reason: &'static str,
    },
    /// A value that is not finite.
    #[error("the variable \"{name}\" cannot become {value}; set a finite number")]
    NotFinite {
        /// Name of the variable.
        name: String,
        /// The value.
        value: f64,
    },
    /// Parameters with which the running model cannot go on.
    #[error("the running model cannot take these parameters, and goes on with those that it had: {source}")]
    NotTaken {
        /// Why.
        source: Box<ModelError>,
    },
    /// An interface that the unit does not have.
    #[error("the unit was exported for {} alone; instantiate it so, or export it with `--interface both`", own.words())]
    Interface {
        /// What it has.
        own: Interfaces,
    },
    /// An array of another length than the unit has values.
    #[error("{given} {what} are given, the unit has {needed}")]
    Count {
        /// Of what.
        what: &'static str,
        /// How many are given.
        given: usize,
        /// How many there are.
        needed: usize,
    },
    /// A derivative of an input that does not count.
    #[error("derivative {order} of the input \"{name}\" is not known to this unit; orders 1 to {highest} are")]
    Order {
        /// Name of the input.
        name: String,
        /// The order.
        order: i32,
        /// The highest that is known.
        highest: u32,
    },
    /// A step that does not go on where the last one ended, or goes nowhere.
    #[error(
        "a step from t = {from} s of {step} s cannot be made at t = {time} s with the end {end} s; {remedy}",
        from = Brief(*.from), step = Brief(*.step), time = Brief(*.time), end = Brief(*.end)
    )]
    Step {
        /// Where the importer says that it begins \[s\].
        from: f64,
        /// Its length \[s\].
        step: f64,
        /// Where the instance stands \[s\].
        time: f64,
        /// Where the simulation ends \[s\].
        end: f64,
        /// What to do.
        remedy: &'static str,
    },
    /// A stop time that is not behind the start time.
    #[error("the stop time is {stop} s and the start time {start} s; stop behind the start")]
    Stop {
        /// The start time \[s\].
        start: f64,
        /// The stop time \[s\].
        stop: f64,
    },
    /// Something of the standard that this unit does not claim.
    #[error("{what} is not supported: {reason}")]
    Unsupported {
        /// What was asked for.
        what: &'static str,
        /// Why not.
        reason: &'static str,
    },
    /// A state of another unit.
    #[error("the state was saved by another instance or model; give one that this model saved")]
    Foreign,
    /// The unit is of another model or version than the description says.
    #[error(
        "the token of the description is {given}, that of the unit {own}: description and resources are of different exports; export again"
    )]
    Token {
        /// That of the importer.
        given: String,
        /// That of the resources.
        own: String,
    },
    /// The list of resources cannot be used.
    #[error("the resources {} cannot be used: {problem}; unpack the unit as a whole", path.display())]
    Resources {
        /// The file or folder.
        path: PathBuf,
        /// What is wrong.
        problem: String,
    },
    /// A file that the model needs cannot be put into the unit.
    #[error("{} cannot be put into the unit: {problem}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong, and what to do.
        problem: String,
    },
    /// The archive cannot be written.
    #[error("the archive cannot be written: {0}")]
    Write(#[from] std::io::Error),
}

impl Error {
    /// Whether equations could not be evaluated at a point, and may be elsewhere: who integrates takes a shorter step.
    #[must_use]
    pub fn is_recoverable(&self) -> bool {
        matches!(
            self,
            Self::Model(ModelError::Multibody(fourbar_multibody::Error::Evaluation(EvalError::Recoverable { .. })))
        )
    }
}

impl From<CheckpointError> for Error {
    fn from(error: CheckpointError) -> Self {
        Self::Model(error.into())
    }
}
