//! Folders of unpacked FMUs whose process was killed.
//!
//! The rule: each folder holds a file that its process has locked. The system lets go of the lock when the process ends, however that happens; a
//! folder of the same user whose lock can be taken is removed.

use std::fs::File;
use std::path::Path;

/// How the names of such folders begin.
pub(super) const PREFIX: &str = "fourbar-fmu-";
/// The locked file.
const NAME: &str = ".in-use";

/// A folder in use.
#[derive(Debug)]
pub(super) struct Lock {
    _file: File,
}

impl Lock {
    /// Marks a folder as in use; None where the file system knows no locks: such a folder is never taken for a leftover.
    pub(super) fn take(folder: &Path) -> Option<Self> {
        // Locked under another name first: under its own nobody ever sees it without the lock.
        let file = tempfile::NamedTempFile::new_in(folder).ok()?;
        file.as_file().try_lock().ok()?;
        let file = file.persist(folder.join(NAME)).ok()?;
        Some(Self { _file: file })
    }
}

/// Removes what processes that are no more have left. What cannot be removed stays: it is no fault of the present run.
pub(super) fn remove() {
    let Ok(entries) = std::fs::read_dir(std::env::temp_dir()) else { return };
    for entry in entries.flatten() {
        let ours = entry.file_name().to_str().is_some_and(|name| name.starts_with(PREFIX));
        if ours && entry.file_type().is_ok_and(|kind| kind.is_dir()) && is_left(&entry.path()) {
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}

/// Whether nobody holds the lock of a folder.
fn is_left(folder: &Path) -> bool {
    let path = folder.join(NAME);
    // Only a plain file is opened: anything else was not put there by fourbar.
    let plain = std::fs::symlink_metadata(&path).is_ok_and(|metadata| metadata.is_file());
    plain && File::open(&path).is_ok_and(|file| file.try_lock().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_left_when_nobody_holds_their_lock() {
        let folder = tempfile::tempdir().unwrap();
        assert!(!is_left(folder.path()));
        let lock = Lock::take(folder.path()).unwrap();
        assert!(!is_left(folder.path()));
        drop(lock);
        assert!(is_left(folder.path()));
    }
}
