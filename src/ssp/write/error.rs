//! Why a model cannot become an archive.

use crate::fmi::Error as FmiError;
use std::path::PathBuf;

/// An error of writing an archive.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// A model that is not coupled.
    #[error(
        "a model of the kind \"{kind}\" is no structure; write it as a unit (`fourbar export-fmu`), or take it as a simulator of a coupled model"
    )]
    Kind {
        /// Its kind.
        kind: &'static str,
    },
    /// A simulator that is neither a unit nor can become one.
    #[error(
        "simulator \"{name}\" is of the kind \"{kind}\" and cannot become a unit; make it a mechanism, a circuit, a linear system or an FMU"
    )]
    Simulator {
        /// Its name.
        name: String,
        /// Its kind.
        kind: &'static str,
    },
    /// A simulator whose unit cannot be written.
    #[error("simulator \"{name}\": {source}")]
    Unit {
        /// Its name.
        name: String,
        /// Why.
        source: Box<FmiError>,
    },
    /// A variable that the unit of its simulator does not have.
    #[error("\"{name}\" is no variable of the unit of its simulator; leave it out, or record another one")]
    Variable {
        /// The variable, `simulator.variable`.
        name: String,
    },
    /// A file that cannot be copied.
    #[error("{} cannot be put into the archive: {problem}; correct the path", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        problem: String,
    },
    /// The model itself.
    #[error(transparent)]
    Model(#[from] crate::Error),
    /// The archive cannot be written.
    #[error("the archive cannot be written: {0}")]
    Write(#[from] std::io::Error),
}
