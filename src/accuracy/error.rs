//! Why a study cannot begin. What goes wrong within a run is told in its record.

use std::io;
use std::path::PathBuf;

/// Why a study of accuracy cannot begin.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AccuracyError {
    /// No problem of this name is shipped.
    #[error("there is no problem \"{name}\"; there are: {}", known.join(", "))]
    UnknownProblem {
        /// The name given.
        name: String,
        /// Names of the problems that are shipped.
        known: Vec<&'static str>,
    },
    /// A file cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A reference is no table of numbers over time.
    #[error("the reference {name}: {problem}; {remedy}")]
    Reference {
        /// The file, or the problem.
        name: String,
        /// What is wrong.
        problem: String,
        /// What to do.
        remedy: String,
    },
    /// A model file cannot be read.
    #[error(transparent)]
    Model(#[from] crate::Error),
    /// A model is of a kind for which there is no study.
    #[error("{name} is a model of the kind \"{kind}\"; give a mechanism or a linear system")]
    Kind {
        /// The file.
        name: String,
        /// Its kind.
        kind: &'static str,
    },
    /// A tolerance lies outside the range.
    #[error("the tolerance {0:e} is not allowed; give numbers from 1e-14 to 0.1")]
    Tolerance(f64),
    /// A step is none.
    #[error("a step of {0:e} s is not allowed; give lengths above 0 s")]
    Step(f64),
    /// A name is not among those of the setting.
    #[error("there is no {setting} \"{name}\"; there are: {}", known.join(", "))]
    UnknownWord {
        /// The setting: integrator or formulation.
        setting: &'static str,
        /// The name given.
        name: String,
        /// The words it takes.
        known: Vec<&'static str>,
    },
    /// The times of a reference are not those of outputs.
    #[error(
        "the times of the reference of {name} are not equally spaced from 0 s on, as the outputs of a model that is followed in steps; leave some out"
    )]
    Times {
        /// The problem.
        name: String,
    },
    /// Nothing to do.
    #[error("no problem is given; name some, or take all by --all: {}", known.join(", "))]
    Nothing {
        /// Names of the problems that are shipped.
        known: Vec<&'static str>,
    },
}
