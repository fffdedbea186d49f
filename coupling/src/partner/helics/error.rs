//! Why a federation cannot be joined.

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
}
