//! Model files: TOML text to a [`Document`], with errors that name the thing, the line and the remedy.
//!
//! Every field is checked against the model's own types, so a misspelt field, a missing one, a wrong type or a number that
//! is not finite stops here. What only the compiled model can know (a negative inertia, a joint that cannot close, a matrix of the
//! wrong shape) comes back from [`Run::new`](crate::run::Run::new) as a place in the model, and [`ModelFile::explain`] turns that into
//! a line of the file. Each kind of model has a module that reads it. The format is described in `docs/model-format.md`.

mod changes;
mod circuit;
mod coupled;
mod diagnostic;
mod explain;
#[cfg(all(feature = "ssp", feature = "fmi-export"))]
mod extract;
mod fault;
mod files;
mod flexible;
mod include;
mod issue;
mod linear;
mod lines;
mod locate;
mod mechanism;
mod mesh;
#[cfg(feature = "scene")]
mod mesh_formats;
mod names;
mod section;
mod shorthand;
mod spline;
#[cfg(feature = "ssp")]
mod structure;
#[cfg(feature = "sweep")]
pub(crate) mod table_file;
mod value;

pub use diagnostic::Diagnostic;
#[cfg(feature = "ssp")]
pub(crate) use diagnostic::line_number;

use crate::{Document, Error};
use explain::explain;
use fourbar_multibody::model::Spline;
use issue::Issue;
use section::Entry;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The largest file that is read, in bytes. A ladder of 1000 bodies takes about 1 MB.
pub const LARGEST: u64 = 64 << 20;

/// A model and the text it was read from.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelFile {
    name: String,
    text: String,
    document: Document,
    /// Parameters with other values than the file gives.
    set: Vec<(String, String)>,
    /// The files of the simulators of a coupled model, by their index.
    simulators: Vec<(usize, ModelFile)>,
    /// The files that a mechanism includes, in the order of its entries.
    includes: Vec<ModelFile>,
    /// Whether the text is all there is: it was taken out of another file.
    is_part: bool,
    /// Of a structure of SSP: lines for its faults, and what is not carried.
    #[cfg(feature = "ssp")]
    structure: Option<Box<crate::ssp::Structure>>,
}

/// Why a file is refused: for a fault of its own, or of a file that it names.
enum Refusal {
    Here(Issue),
    There(Error),
}

impl From<Issue> for Refusal {
    fn from(issue: Issue) -> Self {
        Self::Here(issue)
    }
}

impl ModelFile {
    /// Reads the file at `path`, and those of its simulators if it is a coupled model.
    ///
    /// # Errors
    /// [`Error::Read`] if the file cannot be read or is larger than [`LARGEST`]; [`Error::Model`] if it, or one of these, is not a model.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, Error> {
        Self::load_with(path.as_ref(), true, &[])
    }

    /// As [`ModelFile::load`], of a file that those `above` include; no coupled model can be included.
    fn load_within(path: &Path, above: &[PathBuf]) -> Result<Self, Error> {
        Self::load_with(path, false, above)
    }

    fn load_with(path: &Path, coupled: bool, above: &[PathBuf]) -> Result<Self, Error> {
        #[cfg(feature = "ssp")]
        if coupled && crate::ssp::is_structure(path) {
            return Self::load_structure(path);
        }
        let cannot = |source| Error::Read { path: path.to_owned(), source };
        let mut bytes = Vec::new();
        File::open(path).and_then(|file| file.take(LARGEST + 1).read_to_end(&mut bytes)).map_err(cannot)?;
        if bytes.len() as u64 > LARGEST {
            let problem = format!("the file is larger than {} MiB; a model file is text of a few kB", LARGEST >> 20);
            return Err(cannot(std::io::Error::new(std::io::ErrorKind::FileTooLarge, problem)));
        }
        let name = path.display().to_string();
        match String::from_utf8(bytes) {
            Ok(text) => {
                let above: Vec<PathBuf> = above.iter().cloned().chain(path.canonicalize()).collect();
                Self::parse_with(name, text, coupled, &above)
            }
            Err(error) => {
                let valid = error.utf8_error().valid_up_to();
                let text = String::from_utf8_lossy(error.as_bytes()).into_owned();
                let problem = format!("the file is not UTF-8 text: byte {} cannot be read", valid + 1);
                let remedy = "save the file with the encoding UTF-8".to_owned();
                Err(Error::model(Diagnostic::new(&name, &text, valid..valid + 1, problem, remedy)))
            }
        }
    }

    /// Reads `text`; `name` stands for the file in messages, and files that a coupled model names lie in its folder.
    ///
    /// # Errors
    /// [`Error::Model`] with the first fault found.
    pub fn parse(name: impl Into<String>, text: impl Into<String>) -> Result<Self, Error> {
        Self::parse_with(name.into(), text.into(), true, &[])
    }

    fn parse_with(name: String, text: String, coupled: bool, above: &[PathBuf]) -> Result<Self, Error> {
        if text.trim().is_empty() {
            let remedy = "a model has at least one [[body]]; see models/pendulum.toml".to_owned();
            return Err(Error::model(Diagnostic::new(&name, &text, 0..0, "the file is empty".to_owned(), remedy)));
        }
        let table = DeTable::parse(&text).map_err(|error| Error::model(syntax(&name, &text, &error)))?;
        let folder = Path::new(&name).parent().unwrap_or(Path::new(""));
        let read = match coupled {
            true => read(table.get_ref(), folder, above),
            false => read_single(table.get_ref(), folder, above).map(|(document, files)| (document, Vec::new(), files)),
        };
        let (document, simulators, includes) = read.map_err(|refusal| match refusal {
            Refusal::Here(issue) => Error::model(explain(issue, &name, &text, table.get_ref())),
            Refusal::There(error) => error,
        })?;
        let mut file = Self { name, text, document, simulators, includes, ..Self::empty() };
        file.give_text();
        Ok(file)
    }

    /// Gives the models that this file includes in place its name and its text, in which they stand, and its units.
    fn give_text(&mut self) {
        let Document::Mechanism(mechanism) = &mut self.document else { return };
        let units = mechanism.model.units.clone();
        for (include, part) in mechanism.includes.iter_mut().zip(&mut self.includes) {
            if include.file.is_empty() {
                include.inherit_units(&units);
                (part.name, part.text) = (self.name.clone(), self.text.clone());
                part.give_text();
            }
        }
    }

    /// The table in which the model of include `index` stands, given the table of this one, to `then`.
    fn in_table<T>(&self, table: &DeTable<'_>, index: usize, then: impl FnOnce(&Self, &DeTable<'_>) -> T) -> Option<T> {
        let (file, include) = (self.includes.get(index)?, self.document.mechanism()?.includes.get(index)?);
        if !include.file.is_empty() {
            return Some(then(file, DeTable::parse(&file.text).ok()?.get_ref()));
        }
        match table.get("include")?.get_ref().get(index)?.get_ref().get("model")?.get_ref() {
            DeValue::Table(table) => Some(then(file, table)),
            _ => None,
        }
    }

    /// The file as the caller named it.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What the file says.
    #[must_use]
    pub fn document(&self) -> &Document {
        &self.document
    }
}

/// The kind that the key `type` says.
fn kind<'a>(file: &'a DeTable<'_>) -> Result<&'a str, Issue> {
    section::unique_names(file)?;
    let top = Entry::top(file);
    if top.has("type") { top.word("type", &Document::KINDS) } else { Ok("mechanism") }
}

/// A model of any kind with the files of its simulators, which lie in `folder`.
fn read(file: &DeTable<'_>, folder: &Path, above: &[PathBuf]) -> Result<Whole, Refusal> {
    if kind(file)? == "coupled" {
        let (model, simulators) = coupled::read(file, folder, above)?;
        return Ok((model.into(), simulators, Vec::new()));
    }
    read_single(file, folder, above).map(|(document, files)| (document, Vec::new(), files))
}

/// A model, the files of its simulators by their index, and those that it includes.
type Whole = (Document, Vec<(usize, ModelFile)>, Vec<ModelFile>);

/// A model of a kind that stands alone, and the files that it includes; these and the files of its splines lie in `folder`.
fn read_single(file: &DeTable<'_>, folder: &Path, above: &[PathBuf]) -> Result<(Document, Vec<ModelFile>), Refusal> {
    let mut document = read_kind(file)?;
    if let Some(splines) = splines_mut(&mut document) {
        spline::read(splines, file, folder)?;
    }
    if let Document::Mechanism(mechanism) = &mut document {
        spline::read_curves(&mut mechanism.model.curves, file, folder)?;
    }
    let files = match &mut document {
        Document::Mechanism(model) => {
            mesh::read(&mut model.displays, file, folder)?;
            flexible::read(&mut model.model.flexible, file, folder)?;
            include::read(&mut model.includes, file, folder, above)?
        }
        _ => Vec::new(),
    };
    Ok((document, files))
}

/// The splines of a model that stands alone.
fn splines_mut(document: &mut Document) -> Option<&mut Vec<Spline>> {
    match document {
        Document::Mechanism(mechanism) => Some(&mut mechanism.model.splines),
        Document::Linear(model) => Some(&mut model.splines),
        Document::Circuit(circuit) => Some(&mut circuit.model.splines),
        Document::Coupled(_) => None,
    }
}

fn read_kind(file: &DeTable<'_>) -> Result<Document, Issue> {
    match kind(file)? {
        "mechanism" => mechanism::read(file).map(Document::from),
        "linear" => linear::read(file).map(Document::from),
        "circuit" => circuit::read(file).map(Document::from),
        "coupled" => {
            let message = "a coupled model that is a part of another model stands in a file of its own; name it as the `file` of a simulator";
            let place = file.get("type").map_or(0..0, Spanned::span);
            Err(<Issue as serde::de::Error>::custom(message).at(place).within(issue::Segment::Key("type".to_owned())))
        }
        other => Err(Issue::unknown_word(other, &Document::KINDS)),
    }
}

/// A text that is not TOML.
fn syntax(name: &str, text: &str, error: &toml::de::Error) -> Diagnostic {
    let problem = format!("not TOML: {}", error.message().replace('\n', "; "));
    let remedy = "correct the syntax; toml.io describes it, models/pendulum.toml is an example".to_owned();
    Diagnostic::new(name, text, error.span().unwrap_or(0..0), problem, remedy)
}
