//! What is refused at set-up, and what ends a run.

use crate::function::{Failure, Fault, ParameterRefusal};
use crate::partner::LibraryError;
use fourbar_linalg::checkpoint::CheckpointError;
use fourbar_linalg::text::Brief;
use fourbar_linalg::unit::UnknownUnit;

/// An error of this crate.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A fault whose level is to stop the run. Everything recorded before it stands.
    #[error("the run was stopped: {0}")]
    Stopped(Box<Fault>),
    /// Nothing to couple.
    #[error("the run has no partners: add at least one before it is set up")]
    NoPartners,
    /// A partner that does not exist.
    #[error("{place}: there is no partner \"{name}\"{}", did_you_mean(.nearest))]
    UnknownPartner {
        /// Where it was named.
        place: String,
        /// The name.
        name: String,
        /// A partner with a similar name.
        nearest: Option<String>,
    },
    /// A variable that does not exist.
    #[error("{place}: partner \"{partner}\" has no {causality} \"{name}\"{}", did_you_mean(.nearest))]
    UnknownVariable {
        /// Where it was named.
        place: String,
        /// The partner.
        partner: String,
        /// "input", "output" or "variable".
        causality: &'static str,
        /// The name.
        name: String,
        /// A variable of the partner with a similar name.
        nearest: Option<String>,
    },
    /// The end of a connection does not name partner and variable.
    #[error("\"{0}\" is not an end of a connection: write \"partner.variable\"")]
    End(String),
    /// Two things have the same name.
    #[error("{what} \"{name}\" is there twice: {}", if what.starts_with("entry") { "name it once" } else { "rename one" })]
    Duplicate {
        /// "partner", "variable", "port", "entry of the order of stepping".
        what: &'static str,
        /// The name.
        name: String,
    },
    /// An input has two sources.
    #[error("input \"{target}\" is fed by \"{}\" and by \"{}\": remove one connection", .sources[0], .sources[1])]
    TwoSources {
        /// The input.
        target: String,
        /// The outputs.
        sources: [String; 2],
    },
    /// The ends of a connection measure different things.
    #[error(
        "connection \"{from}\" -> \"{to}\": {} cannot become {}, which measures something else; correct a unit or the connection",
        quoted(.units.0.as_str()), quoted(.units.1.as_str())
    )]
    Dimension {
        /// The output.
        from: String,
        /// The input.
        to: String,
        /// Their units.
        units: (String, String),
    },
    /// An end of a connection is a text.
    #[error(
        "{place}: \"{name}\" is a text; texts are read, and set before a run, but do not pass between simulators: connect numbers"
    )]
    Text {
        /// The connection.
        place: String,
        /// "partner.text".
        name: String,
    },
    /// A unit that is not known.
    #[error("variable \"{variable}\": {source}")]
    Unit {
        /// The variable.
        variable: String,
        /// Cause.
        source: UnknownUnit,
    },
    /// A number that cannot be used.
    #[error("{name} is {value}: {remedy}", value = Brief(*.value))]
    Value {
        /// What it is.
        name: String,
        /// Its value.
        value: f64,
        /// What it must be.
        remedy: &'static str,
    },
    /// A parameter of a running simulator keeps its value.
    #[error("t = {time} s: the parameter \"{name}\" cannot become {value}: {reason}", time = Brief(*.time), value = Brief(*.value))]
    Parameter {
        /// "partner.parameter".
        name: String,
        /// The value that it was to have.
        value: f64,
        /// Time \[s\].
        time: f64,
        /// Why, with the remedy.
        reason: ParameterRefusal,
    },
    /// The communication step is shorter than the step of a solver (R27).
    #[error(
        "the communication step of \"{partner}\" is {step} s, shorter than its solver step {solver_step} s: \
         lengthen the one or shorten the other", step = Brief(*.step), solver_step = Brief(*.solver_step))]
    StepTooShort {
        /// The partner.
        partner: String,
        /// Communication step \[s\].
        step: f64,
        /// Step of its solver \[s\].
        solver_step: f64,
    },
    /// The end time is no communication point.
    #[error(
        "from {start} s to {end} s there are {steps:.6} communication steps of {step} s, {what}: \
         take for example a step of {nearest} s", step = Brief(*.step), nearest = Brief(*.nearest), start = Brief(*.start),
         end = Brief(*.end), steps = Brief(*.steps), what = whole_number(*.every))]
    EndBetweenPoints {
        /// Start \[s\].
        start: f64,
        /// End \[s\].
        end: f64,
        /// Communication step \[s\].
        step: f64,
        /// Number of steps.
        steps: f64,
        /// The largest number of steps that a partner takes as one.
        every: u64,
        /// A step that fits \[s\].
        nearest: f64,
    },
    /// A partner cannot do what the algorithm needs.
    #[error(
        "{algorithm} needs {capability}, which \"{partner}\" does not offer: choose another algorithm or extend the partner"
    )]
    Capability {
        /// The algorithm.
        algorithm: &'static str,
        /// What is missing.
        capability: &'static str,
        /// The partner.
        partner: String,
    },
    /// Settings that contradict each other.
    #[error("{what} cannot be combined with {other}: {remedy}")]
    Combination {
        /// One.
        what: &'static str,
        /// The other.
        other: &'static str,
        /// What to do.
        remedy: &'static str,
    },
    /// A level that makes no sense for a class of faults.
    #[error("level {level} cannot handle {fault} faults: {remedy}")]
    Level {
        /// The level.
        level: String,
        /// The class.
        fault: &'static str,
        /// What to do.
        remedy: &'static str,
    },
    /// Outputs depend on themselves without delay.
    #[error("algebraic loop {}: each depends on the one before without delay; allow the loop to be solved or break it", .0.join(" -> "))]
    AlgebraicLoop(Vec<String>),
    /// Effort and flow of a port do not make power.
    #[error("port \"{port}\": {reason}")]
    Port {
        /// The port.
        port: String,
        /// What is wrong, and the remedy.
        reason: String,
    },
    /// A mechanism does not compile or cannot start.
    #[error(transparent)]
    Mechanism(Box<fourbar_multibody::Error>),
    /// A shared library cannot be a partner.
    #[error(transparent)]
    Library(Box<LibraryError>),
    /// A simulator on another computer cannot be a partner.
    #[cfg(feature = "network")]
    #[error(transparent)]
    Remote(#[from] crate::partner::remote::RemoteError),
    /// A federation cannot be joined.
    #[cfg(feature = "helics")]
    #[error(transparent)]
    Helics(#[from] crate::partner::helics::HelicsError),
    /// A functional mock-up unit cannot be a partner.
    #[cfg(feature = "fmi")]
    #[error(transparent)]
    Fmu(Box<crate::partner::FmuError>),
    /// A partner cannot start.
    #[error("partner \"{partner}\" cannot start: {failure}")]
    Start {
        /// The partner.
        partner: String,
        /// Its answer.
        failure: Failure,
    },
    /// Partners whose states cannot be saved, or not written down.
    #[error(
        "the run cannot be {what}: the state of {} cannot; leave such partners out, or let them offer it",
        .partners.iter().map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(", ")
    )]
    NotSaved {
        /// "saved" or "written down".
        what: &'static str,
        /// The partners.
        partners: Vec<String>,
    },
    /// A checkpoint does not belong to the run, or is damaged.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// A thread could not be started.
    #[error("the thread of \"{partner}\" could not be started: {reason}")]
    Thread {
        /// The partner.
        partner: String,
        /// The answer of the operating system.
        reason: String,
    },
}

impl Error {
    pub(crate) fn mechanism(error: impl Into<fourbar_multibody::Error>) -> Self {
        Self::Mechanism(Box::new(error.into()))
    }
}

impl From<LibraryError> for Error {
    fn from(error: LibraryError) -> Self {
        Self::Library(Box::new(error))
    }
}

#[cfg(feature = "fmi")]
impl From<crate::partner::FmuError> for Error {
    fn from(error: crate::partner::FmuError) -> Self {
        Self::Fmu(Box::new(error))
    }
}

fn did_you_mean(nearest: &Option<String>) -> String {
    nearest.as_ref().map(|name| format!("; did you mean \"{name}\"?")).unwrap_or_default()
}

fn whole_number(every: u64) -> String {
    match every {
        0 | 1 => "no whole number".to_owned(),
        every => format!("no multiple of {every}, which a partner takes as one"),
    }
}

/// A unit for messages.
pub(crate) fn quoted(unit: &str) -> String {
    if unit.is_empty() { "a plain number".into() } else { format!("\"{unit}\"") }
}

/// Refuses what is not positive and finite.
pub(crate) fn positive(name: impl Into<String>, value: f64) -> Result<(), Error> {
    if value > 0.0 && value.is_finite() {
        return Ok(());
    }
    Err(Error::Value { name: name.into(), value, remedy: "it must be positive and finite" })
}

/// Refuses NaN and infinity.
pub(crate) fn finite(name: impl Into<String>, value: f64) -> Result<(), Error> {
    if value.is_finite() {
        return Ok(());
    }
    Err(Error::Value { name: name.into(), value, remedy: "it must be finite" })
}
