//! Why a functional mock-up unit cannot be a partner.

/// What is wrong with a functional mock-up unit (FMU), or with what it was given. Each names the file, the place in it and the remedy.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FmuError {
    /// The file cannot be read or unpacked.
    #[error("FMU \"{fmu}\" cannot be unpacked: {place}: {problem}; {remedy}")]
    Archive {
        /// The file.
        fmu: String,
        /// The entry of the archive, or the archive itself.
        place: String,
        /// What is wrong.
        problem: String,
        /// What to do.
        remedy: &'static str,
    },
    /// The folder into which it is unpacked takes it not.
    #[error(
        "FMU \"{fmu}\" cannot be unpacked into {folder}: {reason}; make room there, or choose another folder by the environment variable TMPDIR"
    )]
    Unpack {
        /// The file.
        fmu: String,
        /// The folder.
        folder: String,
        /// The answer of the operating system.
        reason: String,
    },
    /// Its model description cannot be used.
    #[error("FMU \"{fmu}\" describes itself wrongly: {file}, {place}: {problem}; {remedy}")]
    Description {
        /// The file.
        fmu: String,
        /// The file within the archive.
        file: String,
        /// Line, column and element.
        place: String,
        /// What is wrong.
        problem: String,
        /// What to do.
        remedy: &'static str,
    },
    /// It needs what fourbar does not have.
    #[error("FMU \"{fmu}\" cannot be run: {problem}; {remedy}")]
    Unsupported {
        /// The file.
        fmu: String,
        /// What it needs.
        problem: String,
        /// What to do.
        remedy: &'static str,
    },
    /// Its shared library cannot be loaded.
    #[error("FMU \"{fmu}\": library {library} cannot be loaded: {reason}; {remedy}")]
    Load {
        /// The file.
        fmu: String,
        /// The library within the archive.
        library: String,
        /// The words of the loader.
        reason: String,
        /// What to do.
        remedy: &'static str,
    },
    /// A start value, or the unit of a variable, that it does not take.
    #[error("FMU \"{fmu}\": {name}: {problem}; {remedy}")]
    Start {
        /// The file.
        fmu: String,
        /// The variable.
        name: String,
        /// What is wrong.
        problem: String,
        /// What to do.
        remedy: String,
    },
    /// It refuses a call before the run.
    #[error("FMU \"{fmu}\" does not start: {words}")]
    Call {
        /// The file.
        fmu: String,
        /// The function, its status and what the FMU says.
        words: String,
    },
}
