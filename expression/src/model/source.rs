//! The file that a part of a model was read from.

use std::fmt;
use std::ops::Deref;
use std::path::{Path, PathBuf};

/// A file with its folder. [`Debug`](fmt::Debug) does not show it, so that the fingerprint of a model is the same in another folder.
#[derive(Clone, PartialEq, Eq)]
pub struct SourceFile(PathBuf);

impl SourceFile {
    /// The file at `path`.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self(path.into())
    }
}

impl Deref for SourceFile {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.0
    }
}

impl fmt::Debug for SourceFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SourceFile")
    }
}
