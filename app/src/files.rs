//! The files of a run: results may not overwrite the model or each other.

use crate::args::RunArguments;
use crate::exit::Failure;
use crate::table;
use std::path::{Path, PathBuf};

/// Refuses result files that are the model or one another.
pub(crate) fn check(arguments: &RunArguments) -> Result<(), Failure> {
    let RunArguments { model, out, report, summary, .. } = arguments;
    out.as_deref().map_or(Ok(()), table::check)?;
    let files = [("--out", out), ("--report", report), ("--summary", summary)];
    let files: Vec<_> = files.into_iter().filter_map(|(option, path)| Some((option, path.as_deref()?))).collect();
    for (k, (option, path)) in files.iter().enumerate() {
        if same(path, model) {
            let text = format!("{option} {} would overwrite the model; choose another file", path.display());
            return Err(Failure::Usage(text));
        }
        if let Some((other, _)) = files[..k].iter().find(|(_, other)| same(path, other)) {
            let text = format!("{other} and {option} are both {}; choose two files", path.display());
            return Err(Failure::Usage(text));
        }
    }
    Ok(())
}

/// Refuses a file that cannot be written, before there is anything to write. One that is there stays as it is.
#[cfg(feature = "serve")]
pub(crate) fn probe(path: &Path) -> Result<(), Failure> {
    let there = path.exists();
    std::fs::OpenOptions::new().append(true).create(true).open(path).map_err(Failure::write(path))?;
    if !there {
        std::fs::remove_file(path).map_err(Failure::write(path))?;
    }
    Ok(())
}

/// Whether two paths lead to one file: by the same way once links are followed, or as two names of it. Devices are no files.
pub(crate) fn same(a: &Path, b: &Path) -> bool {
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
