//! Why a federation cannot be joined.

use crate::error::quoted;
use fourbar_linalg::unit::UnknownUnit;

/// What is wrong with the library of HELICS, or with the federation.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum HelicsError {
    /// The library cannot be had.
    #[error(
        "the C library of HELICS, \"{library}\", cannot be loaded: {reason}; install HELICS 3 (`pip install helics` has it), and name the file libhelics.so in HELICS_LIBRARY"
    )]
    Library {
        /// The file.
        library: String,
        /// The words of the loader.
        reason: String,
    },
    /// HELICS refuses.
    #[error(
        "federate \"{federate}\" cannot join the federation: {reason}; look at the broker, its address and the number of federates that it waits for"
    )]
    Join {
        /// Name of the federate.
        federate: String,
        /// The words of HELICS.
        reason: String,
    },
    /// HELICS counts nanoseconds.
    #[error("the step of {step} s is no whole number of nanoseconds, in which HELICS counts time; choose one that is")]
    Step {
        /// Communication step \[s\].
        step: f64,
    },
    /// A publication is no number.
    #[error(
        "the input \"{input}\" takes one number, and its publication, {publication}, is a {kind}; publish a double, an integer or a boolean, or link \
         another one"
    )]
    Kind {
        /// The input.
        input: String,
        /// `FEDERATE/KEY`.
        publication: String,
        /// Its type, in the words of HELICS.
        kind: String,
    },
    /// A unit is not known.
    #[error("the input \"{input}\" and its publication, {publication}: {source}")]
    Unit {
        /// The input.
        input: String,
        /// `FEDERATE/KEY`.
        publication: String,
        /// Cause.
        source: UnknownUnit,
    },
    /// The publication measures something else than the input.
    #[error(
        "the input \"{input}\" and its publication, {publication}: {} cannot become {}, which measures something else; correct a unit or the link",
        quoted(.units.0.as_str()), quoted(.units.1.as_str())
    )]
    Dimension {
        /// The input.
        input: String,
        /// `FEDERATE/KEY`.
        publication: String,
        /// The units of publication and input.
        units: (String, String),
    },
    /// The publication brings the mark of HELICS for no number.
    #[error(
        "the publication of the input \"{input}\", {publication}, brings -1e49, by which HELICS marks what is no number; let its federate publish \
         numbers, or nothing until it has one"
    )]
    NoNumber {
        /// The input.
        input: String,
        /// `FEDERATE/KEY`.
        publication: String,
    },
}
