//! Files that the `[[include]]` entries of a mechanism name.

use super::issue::{Issue, Segment};
use super::{ModelFile, Refusal};
use crate::Error;
use crate::mechanism::Include;
use serde::de::Error as _;
use std::path::{Path, PathBuf};
use toml::Spanned;
use toml::de::DeTable;

/// Reads the files that `includes` name, which lie in `folder`; `file` is the table in which they are written, `above` the files that are
/// being read.
pub(super) fn read(
    includes: &mut [Include],
    file: &DeTable<'_>,
    folder: &Path,
    above: &[PathBuf],
) -> Result<Vec<ModelFile>, Refusal> {
    let mut files = Vec::new();
    for (index, include) in includes.iter_mut().enumerate() {
        let entry = file.get("include").and_then(|section| section.get_ref().get(index));
        let refuse = |message: String| {
            let value = entry.and_then(|entry| entry.get_ref().get("file")).or(entry);
            let issue = Issue::custom(message).at(value.map_or(0..0, Spanned::span));
            let issue = issue.within(Segment::Key("file".to_owned())).within(Segment::Index(index));
            Refusal::Here(issue.within(Segment::Key("include".to_owned())))
        };
        if include.file.is_empty() {
            return Err(refuse("no model is named; write the file of a mechanism".to_owned()));
        }
        let path = folder.join(&include.file);
        if path.canonicalize().is_ok_and(|path| above.contains(&path)) {
            return Err(refuse(format!("{} includes itself; remove the circle", path.display())));
        }
        let read = ModelFile::load_within(&path, above).map_err(|error| match error {
            Error::Read { path, source } => refuse(format!("cannot read {}: {source}", path.display())),
            error => Refusal::There(error),
        })?;
        match read.document().mechanism() {
            Some(model) => include.model = Some(Box::new(model.clone())),
            None => {
                let kind = read.document().kind();
                return Err(refuse(format!("it is of the kind \"{kind}\"; only mechanisms can be included")));
            }
        }
        files.push(read);
    }
    Ok(files)
}
