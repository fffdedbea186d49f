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
    /// Neither the model nor the caller says when the run ends.
    #[error(
        "the run has no end time; write `end` in the section [simulation] of the model, or give the run one (--end)"
    )]
    NoEnd,
    /// More outputs than anybody reads.
    #[error(
        "an end time of {end} s with an output each {output_step} s makes more than {limit:e} outputs; raise `output_step`"
    )]
    TooManyOutputs {
        /// End time \[s\].
        end: f64,
        /// Time between outputs \[s\].
        output_step: f64,
        /// The most that are allowed.
        limit: f64,
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
