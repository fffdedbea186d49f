//! What can go wrong between a model file and the results of its run.

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
    #[error("cannot write the results at t = {time} s: {source}")]
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
    /// A setting of a run lies outside its range.
    #[error("{name} = {value} is not allowed: {allowed}")]
    Setting {
        /// Name as in the model file.
        name: &'static str,
        /// The value given.
        value: String,
        /// What is allowed.
        allowed: &'static str,
    },
    /// The mechanism cannot be compiled, or its run failed.
    #[error(transparent)]
    Multibody(#[from] fourbar_multibody::Error),
}

#[cfg(feature = "file")]
impl Error {
    pub(crate) fn model(diagnostic: crate::file::Diagnostic) -> Self {
        Self::Model(Box::new(diagnostic))
    }
}
