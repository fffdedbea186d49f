//! Files of the modes of flexible bodies, which the `[[flexible]]` entries of a mechanism name: JSON or TOML.

use super::LARGEST;
use super::issue::{Issue, Segment};
use fourbar_multibody::model::SourceFile;
use fourbar_multibody::model::{Flexible, ModalData};
use serde::de::Error as _;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use toml::Spanned;
use toml::de::DeTable;

/// Reads the files that `bodies` name, which lie in `folder`; `file` is the table in which they are written.
pub(super) fn read(bodies: &mut [Flexible], file: &DeTable<'_>, folder: &Path) -> Result<(), Issue> {
    for (index, body) in bodies.iter_mut().enumerate() {
        let entry = file.get("flexible").and_then(|section| section.get_ref().get(index));
        let fault = |message: String| {
            let value = entry.and_then(|entry| entry.get_ref().get("file")).or(entry);
            let issue = Issue::custom(message).at(value.map_or(0..0, Spanned::span));
            let issue = issue.within(Segment::Key("file".to_owned())).within(Segment::Index(index));
            issue.within(Segment::Key("flexible".to_owned()))
        };
        let Some(name) = &body.file else { continue };
        if body.data.is_some() || body.beam.is_some() {
            return Err(fault("modes are given in the model and in a file; remove one of them".to_owned()));
        }
        let path = folder.join(name);
        let data = modes(&path).map_err(|problem| fault(format!("cannot read {}: {problem}", path.display())))?;
        body.data = Some(Box::new(data));
        body.source = Some(SourceFile::new(path));
        body.file = None;
    }
    Ok(())
}

/// The modes in the file at `path`.
fn modes(path: &Path) -> Result<ModalData, String> {
    let mut text = String::new();
    File::open(path).and_then(|file| file.take(LARGEST + 1).read_to_string(&mut text)).map_err(|e| e.to_string())?;
    if text.len() as u64 > LARGEST {
        return Err(format!("it is larger than {} MiB; write fewer nodes", LARGEST >> 20));
    }
    if text.trim_start().starts_with('{') {
        return of_json(&text);
    }
    toml::from_str(&text).map_err(|e| e.message().to_owned())
}

#[cfg(feature = "results")]
fn of_json(text: &str) -> Result<ModalData, String> {
    serde_json::from_str(text).map_err(|e| e.to_string())
}

#[cfg(not(feature = "results"))]
fn of_json(_text: &str) -> Result<ModalData, String> {
    Err("JSON is read with the feature `results`; write TOML".to_owned())
}
