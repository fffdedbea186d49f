//! `--watch`: again and again, whenever a file has changed.
//!
//! Files are looked at by their time and length. There are a few of them, on any file system, also those that tell nobody of changes: that
//! needs no library for the notices of each operating system.

use crate::exit::{Exit, Failure};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// Time between two looks.
const PAUSE: Duration = Duration::from_millis(250);

/// What tells a version of a file: its time and length; nothing while it is not there.
type Version = Option<(SystemTime, u64)>;

fn version(path: &Path) -> Version {
    let data = std::fs::metadata(path).ok()?;
    Some((data.modified().ok()?, data.len()))
}

/// Calls `run` now and after each change of `model` or of the files that `run` says it has read. Its errors are printed, and the watch goes on;
/// a run that is interrupted ends it, and so does a first one that no change of the files can cure: wrong options, a model that is not there.
pub(crate) fn repeat(
    model: &Path,
    mut run: impl FnMut(&mut Vec<PathBuf>) -> Result<Exit, Failure>,
) -> Result<Exit, Failure> {
    let (mut files, mut first) = (vec![model.to_owned()], true);
    loop {
        // Before they are read: a change in the meantime counts.
        let before: Vec<Version> = files.iter().map(|path| version(path)).collect();
        let mut read = Vec::new();
        let result = run(&mut read);
        match result {
            Ok(Exit::Interrupted) => return Ok(Exit::Interrupted),
            Ok(_) => {}
            Err(failure) if first && (matches!(failure, Failure::Usage(_)) || before[0].is_none()) => {
                return Err(failure);
            }
            Err(failure) => say!("fourbar: {}", failure.shown()),
        }
        first = false;
        let mut watched: Vec<(PathBuf, Version)> = files.into_iter().zip(before).collect();
        // A file that cannot be read names none: those of before are watched on.
        for path in read {
            if !watched.iter().any(|(known, _)| *known == path) {
                let now = version(&path);
                watched.push((path, now));
            }
        }
        say!("fourbar: watching {} for changes; Ctrl-C ends it", count(watched.len()));
        wait(&watched);
        files = watched.into_iter().map(|(path, _)| path).collect();
    }
}

fn count(files: usize) -> String {
    if files == 1 { "1 file".to_owned() } else { format!("{files} files") }
}

/// Returns when a file has changed and rests: editors write in pieces, or put another file in its place.
fn wait(watched: &[(PathBuf, Version)]) {
    let look = || watched.iter().map(|(path, _)| version(path)).collect::<Vec<_>>();
    let mut now = look();
    while now.iter().zip(watched).all(|(now, (_, before))| now == before) {
        std::thread::sleep(PAUSE);
        now = look();
    }
    loop {
        std::thread::sleep(PAUSE);
        let then = std::mem::replace(&mut now, look());
        if then == now {
            return;
        }
    }
}
