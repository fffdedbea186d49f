//! Why a shared library cannot be a partner.

/// What is wrong with a shared library, or with what it was given. Each names the file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LibraryError {
    /// The file cannot be read.
    #[error("library \"{library}\" cannot be read: {reason}; correct the path")]
    File {
        /// The file.
        library: String,
        /// The answer of the operating system.
        reason: String,
    },
    /// It was built for another machine.
    #[error("library \"{library}\" was built for {found}, this program for {expected}: build it for {expected}")]
    Machine {
        /// The file.
        library: String,
        /// Machine of the library.
        found: String,
        /// Machine of the program.
        expected: &'static str,
    },
    /// The loader of the operating system refuses it.
    #[error("library \"{library}\" cannot be loaded: {reason}")]
    Load {
        /// The file.
        library: String,
        /// The words of the loader.
        reason: String,
    },
    /// A function is missing.
    #[error(
        "library \"{library}\" has no function {symbol}: export the five functions of fourbar_partner.h with C linkage"
    )]
    Symbol {
        /// The file.
        library: String,
        /// The function.
        symbol: &'static str,
    },
    /// It was compiled with another version of the interface.
    #[error(
        "library \"{library}\" has version {found} of the interface, this program version {expected}: compile it with this fourbar_partner.h"
    )]
    Version {
        /// The file.
        library: String,
        /// Version of the library.
        found: u32,
        /// Version of the program.
        expected: u32,
    },
    /// Its description cannot be used.
    #[error("library \"{library}\" describes itself wrongly: {what}")]
    Description {
        /// The file.
        library: String,
        /// What is wrong, with the place and the remedy.
        what: String,
    },
    /// An instance cannot be created.
    #[error("library \"{library}\" creates no instance \"{instance}\": {reason}")]
    Create {
        /// The file.
        library: String,
        /// Name of the instance.
        instance: String,
        /// Its words.
        reason: String,
    },
    /// A name that C cannot take.
    #[error("library \"{library}\": the name {name:?} holds a zero byte: remove it")]
    Name {
        /// The file.
        library: String,
        /// The name.
        name: String,
    },
    /// The child process cannot be started, or ends before it has answered.
    #[error("the process for library \"{library}\" cannot be started as \"{program}\": {reason}")]
    Process {
        /// The library.
        library: String,
        /// The program.
        program: String,
        /// What happened.
        reason: String,
    },
    /// The library was refused in the child process.
    #[error("in a process of its own: {0}")]
    Refused(String),
}
