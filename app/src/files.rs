//! The files of a run: results may not overwrite the model or each other.

use crate::args::RunArguments;
use crate::exit::Failure;
use std::path::{Path, PathBuf};

/// Refuses result files that are the model or one another.
pub(crate) fn check(arguments: &RunArguments) -> Result<(), Failure> {
    let RunArguments { model, out, report, .. } = arguments;
    for (option, path) in [("--out", out), ("--report", report)] {
        if let Some(path) = path
            && same(path, model)
        {
            let text = format!("{option} {} would overwrite the model; choose another file", path.display());
            return Err(Failure::Usage(text));
        }
    }
    match (out, report) {
        (Some(out), Some(report)) if same(out, report) => {
            let text = format!("--out and --report are both {}; choose two files", out.display());
            Err(Failure::Usage(text))
        }
        _ => Ok(()),
    }
}

/// Whether two paths lead to one file: by the same way once links are followed, or as two names of it. Devices are no files.
fn same(a: &Path, b: &Path) -> bool {
    if [a, b].iter().any(|path| path.exists() && !path.is_file()) {
        return false;
    }
    resolved(a) == resolved(b) || same_inode(a, b)
}

/// The path with links followed; of a file that does not exist yet, its folder.
fn resolved(path: &Path) -> PathBuf {
    if let Ok(path) = path.canonicalize() {
        return path;
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    match (folder.canonicalize(), path.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        _ => path.to_owned(),
    }
}

#[cfg(unix)]
fn same_inode(a: &Path, b: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let inode = |path: &Path| path.metadata().map(|file| (file.dev(), file.ino()));
    matches!((inode(a), inode(b)), (Ok(a), Ok(b)) if a == b)
}

#[cfg(not(unix))]
fn same_inode(_: &Path, _: &Path) -> bool {
    false
}
