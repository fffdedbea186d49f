//! The files of a command: results may not overwrite what it reads, nor each other.

use crate::args::RunArguments;
use crate::exit::Failure;
use crate::table;
use fourbar::coupling::application::same;
use fourbar::file::ModelFile;
use std::path::{Path, PathBuf};

/// Refuses result files that are files which the run reads, or one another.
pub(crate) fn check(arguments: &RunArguments, file: &ModelFile) -> Result<(), Failure> {
    let RunArguments { model, out, report, gltf, summary, .. } = arguments;
    let files = [("--out", out), ("--report", report), ("--gltf", gltf), ("--summary", summary)];
    let files: Vec<_> = files.into_iter().filter_map(|(option, path)| Some((option, path.as_deref()?))).collect();
    for (k, (option, path)) in files.iter().enumerate() {
        spare(option, path, model, file)?;
        match *option {
            "--report" => ends_in(option, path, PAGES)?,
            "--gltf" => ends_in(option, path, SCENES)?,
            _ => named(option, path)?,
        }
        if let Some((other, _)) = files[..k].iter().find(|(_, other)| same(path, other)) {
            return Err(Failure::TwoOutputs { options: [*other, *option], path: (*path).to_owned() });
        }
    }
    out.as_deref().map_or(Ok(()), table::check)
}

/// Endings of pages.
pub(crate) const PAGES: &[&str] = &["html", "htm", "xhtml"];
/// Endings of 3-D scenes; their text form has the ending gltf and is not written.
pub(crate) const SCENES: &[&str] = &["glb"];
/// Endings of pictures.
pub(crate) const PICTURES: &[&str] = &["svg"];

/// Refuses a name whose ending promises another format than the first of `endings`. A name without an ending promises nothing.
pub(crate) fn ends_in(option: &str, path: &Path, endings: &[&str]) -> Result<(), Failure> {
    named(option, path)?;
    let Some(own) = path.extension() else { return Ok(()) };
    if endings.iter().any(|ending| own.eq_ignore_ascii_case(ending)) {
        return Ok(());
    }
    let (path, remedy) = (path.display(), path.with_extension(endings[0]));
    let text = format!("{option} {path} would hold another format than its name says; name it {}", remedy.display());
    Err(Failure::Usage(text))
}

/// Refuses `-`, which other programs take for standard output: results are files that come to their place when they are whole.
pub(crate) fn named(option: &str, path: &Path) -> Result<(), Failure> {
    if path.as_os_str() == "-" {
        let text = format!(
            "{option} - is no file, and results are not written to standard output; give the name of a file, as in `./-`, or /dev/stdout"
        );
        return Err(Failure::Usage(text));
    }
    Ok(())
}

/// Refuses a result at `path` that is `model`, which was read as `file`, or a file that the model names.
pub(crate) fn spare(option: &'static str, path: &Path, model: &Path, file: &ModelFile) -> Result<(), Failure> {
    let read: Vec<PathBuf> = [model.to_owned()].into_iter().chain(file.files()).collect();
    spare_of(option, path, &read)
}

/// Refuses a result at `path` that is one of the files that are `read`.
pub(crate) fn spare_of(option: &'static str, path: &Path, read: &[PathBuf]) -> Result<(), Failure> {
    match read.iter().find(|read| same(path, read)) {
        Some(read) => Err(Failure::Overwrites { option, path: path.to_owned(), read: read.clone() }),
        None => Ok(()),
    }
}

/// Refuses a file that cannot be written, before there is anything to write. One that is there stays as it is.
#[cfg(feature = "serve")]
pub(crate) fn probe(path: &Path) -> Result<(), Failure> {
    fourbar::coupling::application::OutputFile::create(path).map(drop).map_err(Failure::write(path))
}
