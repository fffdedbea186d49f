//! What can go wrong with a sweep as a whole; what goes wrong with one member is a [`MemberFailure`].

use super::prepared::MemberRun;
use std::io;
use std::path::PathBuf;

/// An error of a sweep.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SweepError {
    /// The plan or its model is not valid.
    #[error(transparent)]
    Plan(#[from] crate::Error),
    /// A file of the sweep cannot be read or written.
    #[error("{}: {source}; choose another file, or make room", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The journal beside the results is of something else.
    #[error(
        "the journal {} is of another sweep, of the plan {plan}; these differ: {}; delete it, or write the results to another file",
        path.display(),
        differences.join(", ")
    )]
    OtherJournal {
        /// The journal.
        path: PathBuf,
        /// The plan that it is of.
        plan: String,
        /// What is not the same here.
        differences: Vec<String>,
    },
    /// A line of the journal cannot be read.
    #[error("the journal {}, line {line}: {problem}; delete it, and the sweep begins anew", path.display())]
    BrokenJournal {
        /// The journal.
        path: PathBuf,
        /// Line, from 1.
        line: usize,
        /// What is wrong.
        problem: String,
    },
    /// A line of the journal is not as it was written.
    #[error(
        "the journal {}, line {line}, is damaged: its checksum is that of another line; take the line out, and its member runs again",
        path.display()
    )]
    DamagedLine {
        /// The journal.
        path: PathBuf,
        /// Line, from 1.
        line: usize,
    },
    /// Another process works on the sweep.
    #[error("the journal {} is in use by another process; wait for it, or write the results to another file", path.display())]
    Busy {
        /// The journal.
        path: PathBuf,
    },
    /// Tables do not belong together.
    #[error("cannot merge {}: {problem}; {remedy}", path.display())]
    Merge {
        /// The table.
        path: PathBuf,
        /// What is wrong.
        problem: String,
        /// What to do.
        remedy: &'static str,
    },
    /// A shard that is none.
    #[error("there is no shard {index} of {count}; write i/n with i from 1 to n")]
    Shard {
        /// Which.
        index: usize,
        /// Of how many.
        count: usize,
    },
}

/// Why a member has no numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MemberFailure {
    /// What went wrong.
    pub error: String,
    /// File and line, or the model.
    pub place: String,
    /// What to do about it.
    pub remedy: String,
}

impl From<MemberFailure> for MemberRun {
    fn from(failure: MemberFailure) -> Self {
        Self { result: Err(failure), warnings: Vec::new() }
    }
}

impl MemberFailure {
    /// Of an error that `file` has explained.
    pub(super) fn of(error: &crate::Error, model: &str) -> Self {
        if let crate::Error::Model(diagnostic) = error {
            return Self {
                error: diagnostic.problem.clone(),
                place: format!("{}:{}:{}", diagnostic.file, diagnostic.line, diagnostic.column),
                remedy: diagnostic.remedy.clone(),
            };
        }
        let text = error.to_string();
        let (problem, remedy) =
            text.rsplit_once("; ").unwrap_or((&text, "run this member alone with --set to see more"));
        Self { error: problem.to_owned(), place: model.to_owned(), remedy: remedy.to_owned() }
    }
}
