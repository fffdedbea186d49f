//! Models that the `[[include]]` entries of a mechanism take in: files that they name, or tables in place.

use super::issue::{Issue, IssueKind, Segment};
use super::{ModelFile, Refusal};
use crate::mechanism::Include;
use crate::{Document, Error};
use serde::de::Error as _;
use std::path::{Path, PathBuf};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Reads the models of `includes`, their files in `folder`; `file` is the table in which they are written, `above` the files that are being read.
/// A model in place has the text of the file that is being read, which is not known here: name and text are empty.
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
        let in_place = entry.and_then(|entry| entry.get_ref().get("model"));
        match (include.file.is_empty(), in_place) {
            (true, None) => {
                return Err(refuse(
                    "no model is named; write the file of a mechanism, or the model in place".to_owned(),
                ));
            }
            (false, Some(_)) => return Err(refuse("an include has either `file` or `model`; remove one".to_owned())),
            (true, Some(model)) => {
                let within = |issue: Issue| {
                    let issue = issue.at(model.span()).within(Segment::Key("model".to_owned()));
                    issue.within(Segment::Index(index)).within(Segment::Key("include".to_owned()))
                };
                files.push(read_in_place(include, model, folder, above).map_err(|refusal| match refusal {
                    Refusal::Here(issue) => Refusal::Here(within(issue)),
                    there => there,
                })?);
                continue;
            }
            (false, None) => {}
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

/// Reads the model that stands in place of a file.
fn read_in_place(
    include: &mut Include,
    model: &Spanned<DeValue<'_>>,
    folder: &Path,
    above: &[PathBuf],
) -> Result<ModelFile, Refusal> {
    let DeValue::Table(table) = model.get_ref() else {
        let kind =
            IssueKind::WrongValue { found: model.get_ref().type_str().to_owned(), expected: "a table".to_owned() };
        return Err(Issue::new(kind).into());
    };
    let (document, includes) = super::read_single(table, folder, above)?;
    let Document::Mechanism(mechanism) = &document else {
        let message = format!("it is of the kind \"{}\"; only mechanisms can be included", document.kind());
        return Err(Issue::custom(message).into());
    };
    include.model = Some(mechanism.clone());
    Ok(ModelFile { document, includes, ..ModelFile::empty() })
}
