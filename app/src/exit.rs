//! How the command ends: exit codes, and an error with the code it leads to.

use fourbar::Error;
use fourbar::file::ModelFile;
use fourbar::linalg::text::printable;
use fourbar::results::StoredError;
use fourbar::sweep::SweepError;
use std::io;
use std::path::{Path, PathBuf};

/// Exit codes, as in `fourbar --help`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Exit {
    Done = 0,
    Usage = 2,
    BadModel = 3,
    NotConverged = 4,
    File = 5,
    Warned = 6,
    Internal = 70,
    Interrupted = 130,
}

/// An error of the command.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Options that contradict each other or the model.
    Usage(String),
    /// A result would take the place of a file that the command reads.
    Overwrites { option: &'static str, path: PathBuf, read: PathBuf },
    /// Two results would take one place.
    TwoOutputs { options: [&'static str; 2], path: PathBuf },
    /// Loading, compiling or beginning a run failed, or an observer could not write.
    Model(Error),
    /// The run itself failed, half way.
    Run(Error),
    /// What goes into a functional mock-up unit cannot be used.
    Fmu(fourbar::fmi::Error),
    /// A model that cannot become a system structure.
    Ssp(fourbar::ssp::WriteError),
    /// Results of before that cannot be read.
    Stored(StoredError),
    /// A sweep as a whole.
    Sweep(SweepError),
    /// A file that the command writes.
    Write { path: PathBuf, source: io::Error },
    /// The page cannot be served.
    #[cfg(feature = "serve")]
    Serve(io::Error),
    /// A host cannot go on.
    Host(io::Error),
    /// Standard output cannot be written.
    Output(io::Error),
}

impl Failure {
    pub(crate) fn write(path: &Path) -> impl FnOnce(io::Error) -> Self + '_ {
        |source| Self::Write { path: path.to_owned(), source }
    }

    /// An error of an analysis under way: the model's own where the analysis is not for such models, else one that ended it.
    pub(crate) fn of_analysis(file: &ModelFile, error: Error) -> Self {
        use fourbar::multibody::Error as E;
        let is_refusal = matches!(
            &error,
            Error::Multibody(E::Rolling { .. } | E::Free { .. } | E::StateUnsupported { .. } | E::Model(_))
        );
        if is_refusal { Self::Model(file.explain_start(error)) } else { Self::Run(file.explain_end(error)) }
    }

    /// As a text for the terminal, on which nothing in it acts.
    pub(crate) fn shown(&self) -> String {
        match self {
            // With the lines of its own.
            Self::Sweep(SweepError::Plan(error @ Error::Model(_)))
            | Self::Model(error @ Error::Model(_))
            | Self::Run(error @ Error::Model(_)) => error.to_string(),
            other => printable(&other.to_string()).into_owned(),
        }
    }

    pub(crate) fn exit(&self) -> Exit {
        match self {
            Self::Sweep(SweepError::Plan(error)) if !matches!(error, Error::Read { .. }) => Exit::BadModel,
            Self::Sweep(SweepError::Shard { .. }) => Exit::Usage,
            Self::Sweep(_) => Exit::File,
            Self::Ssp(fourbar::ssp::WriteError::Kind { .. } | fourbar::ssp::WriteError::Simulator { .. }) => {
                Exit::BadModel
            }
            Self::Usage(_) | Self::Overwrites { .. } | Self::TwoOutputs { .. } => Exit::Usage,
            Self::Stored(_)
            | Self::Fmu(_)
            | Self::Ssp(_)
            | Self::Model(Error::Read { .. } | Error::Write { .. })
            | Self::Write { .. } => Exit::File,
            Self::Model(error) if error.is_of_surroundings() => Exit::File,
            Self::Model(_) => Exit::BadModel,
            Self::Run(_) => Exit::NotConverged,
            // Whoever reads the output has had enough, as `head` does.
            Self::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => Exit::Done,
            #[cfg(feature = "serve")]
            Self::Serve(_) => Exit::File,
            Self::Host(_) | Self::Output(_) => Exit::File,
        }
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Usage(problem) => f.write_str(problem),
            Self::Overwrites { option, path, read } => {
                let (path, read) = (path.display(), read.display());
                write!(f, "{option} {path} would overwrite {read}, which this command reads; choose another file")
            }
            Self::TwoOutputs { options: [first, second], path } => {
                write!(f, "{first} and {second} are both {}; choose two files", path.display())
            }
            Self::Model(error) | Self::Run(error) => error.fmt(f),
            Self::Fmu(error) => error.fmt(f),
            Self::Ssp(error) => error.fmt(f),
            Self::Stored(error) => error.fmt(f),
            Self::Sweep(error) => error.fmt(f),
            Self::Write { path, source } => {
                let (remedy, path) = (write_remedy(source.kind()), path.display());
                write!(f, "cannot write {path}: {source}; {remedy}")
            }
            #[cfg(feature = "serve")]
            Self::Serve(source) => {
                write!(f, "cannot serve the page: {source}; choose another --port if this one is taken")
            }
            Self::Host(source) => write!(f, "the host cannot go on: {source}; start it again"),
            Self::Output(source) => write!(f, "cannot write to standard output: {source}"),
        }
    }
}

/// What to do about a file that cannot be written.
fn write_remedy(kind: io::ErrorKind) -> &'static str {
    match kind {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => {
            "make room, or write to another disk; a file of before is unchanged"
        }
        io::ErrorKind::NotFound => "make its folder first, or choose another",
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            "choose a file that may be written, in a folder that takes new files"
        }
        _ => "choose another file",
    }
}
