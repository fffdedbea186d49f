//! Why bytes are no checkpoint of what they were given to.

/// Why bytes are no checkpoint of what they were given to.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CheckpointError {
    /// They do not begin as a checkpoint does.
    #[error("these bytes are no checkpoint; give those that were written, from the first on")]
    NotACheckpoint,
    /// Another version wrote them.
    #[error(
        "the checkpoint was written by version {found}, this is {own}: a point is read by the version that wrote it"
    )]
    Version {
        /// Format and version that wrote it.
        found: String,
        /// Those of this library.
        own: String,
    },
    /// Bytes are missing or too many.
    #[error("the checkpoint has {found} bytes, but says that it has {expected}; give all that were written")]
    Length {
        /// Bytes given.
        found: usize,
        /// Bytes that its head tells of.
        expected: u64,
    },
    /// The checksum is wrong.
    #[error("the checkpoint is damaged: its checksum is {found:016x}, that of its bytes {expected:016x}; save it anew")]
    Checksum {
        /// As written.
        found: u64,
        /// Of the bytes.
        expected: u64,
    },
    /// A point of something else.
    #[error("the checkpoint is one of {found}, not of {own}")]
    Kind {
        /// What it is of.
        found: String,
        /// What it was given to.
        own: String,
    },
    /// Of the same kind, but of another one.
    #[error(
        "the checkpoint is of {what}, but not of this one: model, settings and method must be those with which it was saved"
    )]
    Foreign {
        /// What it was given to.
        what: &'static str,
    },
    /// Of a kind of which there are no bytes.
    #[error("a checkpoint of {what} has no bytes; keep it in the process that saved it, or begin anew there")]
    InProcess {
        /// What it is of.
        what: &'static str,
    },
    /// Whole, but not what this library writes.
    #[error("the checkpoint is damaged: {what} at byte {at} of its content cannot be; save it anew")]
    Content {
        /// What cannot be.
        what: &'static str,
        /// How far it was read.
        at: usize,
    },
}
