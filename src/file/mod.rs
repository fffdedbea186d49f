//! Model files: TOML text to a [`Document`], with errors that name the thing, the line and the remedy.
//!
//! Every field is checked against the model's own types, so a misspelt field, a missing one, a wrong type or a number that
//! is not finite stops here. What only the compiled model can know (a negative inertia, a joint that cannot close, a matrix of the
//! wrong shape) comes back from [`Run::new`](crate::run::Run::new) as a place in the model, and [`ModelFile::explain`] turns that into
//! a line of the file. Each kind of model has a module that reads it. The format is described in `docs/model-format.md`.

mod circuit;
mod coupled;
mod diagnostic;
mod explain;
mod issue;
mod linear;
mod mechanism;
mod section;
mod spline;
mod value;

pub use diagnostic::Diagnostic;

use crate::coupled::SimulatorKind;
use crate::{Document, Error};
use explain::{Subject, explain};
use fourbar_multibody::expression::Expression;
use fourbar_multibody::model::Spline;
use fourbar_multibody::{Location, ModelError};
use issue::Issue;
use section::Entry;
use std::fs::File;
use std::io::Read;
use std::ops::Range;
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
        Self::load_with(path.as_ref(), true)
    }

    /// Gives a parameter another value: see [`Document::set_parameter`].
    ///
    /// # Errors
    /// A parameter that the model does not have.
    pub fn set_parameter(&mut self, name: &str, value: Expression) -> Result<(), Box<ModelError>> {
        let text = value.to_string();
        self.document.set_parameter(name, value)?;
        self.set.retain(|(other, _)| other != name);
        self.set.push((name.to_owned(), text));
        Ok(())
    }

    /// As [`ModelFile::load`], coupled models excluded: they could name each other in a circle.
    fn load_single(path: impl AsRef<Path>) -> Result<Self, Error> {
        Self::load_with(path.as_ref(), false)
    }

    fn load_with(path: &Path, coupled: bool) -> Result<Self, Error> {
        let cannot = |source| Error::Read { path: path.to_owned(), source };
        let mut bytes = Vec::new();
        File::open(path).and_then(|file| file.take(LARGEST + 1).read_to_end(&mut bytes)).map_err(cannot)?;
        if bytes.len() as u64 > LARGEST {
            let problem = format!("the file is larger than {} MiB; a model file is text of a few kB", LARGEST >> 20);
            return Err(cannot(std::io::Error::new(std::io::ErrorKind::FileTooLarge, problem)));
        }
        let name = path.display().to_string();
        match String::from_utf8(bytes) {
            Ok(text) => Self::parse_with(name, text, coupled),
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
        Self::parse_with(name.into(), text.into(), true)
    }

    fn parse_with(name: String, text: String, coupled: bool) -> Result<Self, Error> {
        if text.trim().is_empty() {
            let remedy = "a model has at least one [[body]]; see models/pendulum.toml".to_owned();
            return Err(Error::model(Diagnostic::new(&name, &text, 0..0, "the file is empty".to_owned(), remedy)));
        }
        let table = DeTable::parse(&text).map_err(|error| Error::model(syntax(&name, &text, &error)))?;
        let folder = Path::new(&name).parent().unwrap_or(Path::new(""));
        let read = match coupled {
            true => read(table.get_ref(), folder),
            false => read_single(table.get_ref(), folder).map(|document| (document, Vec::new())).map_err(Refusal::Here),
        };
        let (document, simulators) = read.map_err(|refusal| match refusal {
            Refusal::Here(issue) => Error::model(explain(issue, &name, &text, table.get_ref())),
            Refusal::There(error) => error,
        })?;
        Ok(Self { name, text, document, set: Vec::new(), simulators })
    }

    /// The file as the caller named it.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Every file that a run of the model reads: this one, those of its simulators and splines, and shared libraries.
    #[must_use]
    pub fn files(&self) -> Vec<PathBuf> {
        let mut files = vec![PathBuf::from(&self.name)];
        files.extend(self.document.splines().iter().filter_map(|spline| spline.source.clone()));
        files.extend(self.simulators.iter().flat_map(|(_, file)| file.files()));
        let simulators = self.document.coupled().map_or(&[][..], |model| &model.simulators);
        files.extend(simulators.iter().filter_map(|simulator| match &simulator.kind {
            SimulatorKind::Library(library) => Some(library.file()),
            _ => None,
        }));
        for simulator in simulators.iter().filter(|simulator| simulator.file.is_none()) {
            files.extend(simulator.kind.splines().iter().filter_map(|spline| spline.source.clone()));
        }
        files
    }

    /// What the file says.
    #[must_use]
    pub fn document(&self) -> &Document {
        &self.document
    }

    /// Gives an error about this file's model its line, or the line of the simulator's file; other errors are returned as they are.
    #[must_use]
    pub fn explain(&self, error: Error) -> Error {
        let Ok(table) = DeTable::parse(&self.text) else { return error };
        if let Error::Simulator { name, source } = error {
            return self.explain_simulator(table.get_ref(), name, source);
        }
        match explain::fault(&error, Subject::of(&self.document)) {
            Some((location, problem, mut remedy)) => {
                if location.section == "parameters"
                    && let Some((name, value)) = self.set.iter().find(|(name, _)| *name == location.name)
                {
                    // Not the line of the file, whose value does not count.
                    let location = Location { section: "--set", index: 0, name: name.clone(), field: value.clone() };
                    let problem = problem.strip_prefix(&format!("parameters \"{name}\": ")).unwrap_or(&problem);
                    return Error::Multibody(fourbar_multibody::Error::Model(ModelError::new(
                        location, problem, remedy,
                    )));
                }
                if !self.set.is_empty() {
                    let all: Vec<_> = self.set.iter().map(|(name, value)| format!("{name} = {value}")).collect();
                    remedy += &format!(" (parameters set in place of the file's: {})", all.join(", "));
                }
                let span = locate(table.get_ref(), &location);
                Error::model(Diagnostic::new(&self.name, &self.text, span, problem, remedy))
            }
            None => error,
        }
    }

    /// As [`ModelFile::explain`] for an error that keeps a run from its beginning: one that has no line of its own gets that of the first
    /// entry it names, else that of the settings, else the first.
    #[must_use]
    pub fn explain_start(&self, error: Error) -> Error {
        self.explain_by_name(error, true)
    }

    /// As [`ModelFile::explain`] for an error that ends a run: one that has no line of its own gets that of the first entry it names, if any.
    #[must_use]
    pub fn explain_end(&self, error: Error) -> Error {
        self.explain_by_name(error, false)
    }

    fn explain_by_name(&self, error: Error, always: bool) -> Error {
        let error = self.explain(error);
        if matches!(&error, Error::Multibody(fourbar_multibody::Error::Model(error)) if error.location.section == "--set")
        {
            return error;
        }
        let about_model = matches!(
            error,
            Error::Multibody(_) | Error::Contact(_) | Error::Circuit(_) | Error::Coupling(_) | Error::Simulator { .. }
        ) || matches!(error, Error::Input { .. } | Error::Linear { .. });
        let (true, Ok(table)) = (about_model, DeTable::parse(&self.text)) else { return error };
        let text = error.to_string();
        let mut entries = text.split('"').skip(1).step_by(2).filter_map(|name| named(table.get_ref(), name));
        let settings = || table.get_ref().get_key_value("simulation").map(|(key, _)| key.span());
        let span = match entries.next() {
            Some(span) => span,
            None if always => settings().unwrap_or(0..0),
            None => return error,
        };
        let (problem, remedy) = text.rsplit_once("; ").unwrap_or((&text, "correct the model there"));
        Error::model(Diagnostic::new(&self.name, &self.text, span, problem.to_owned(), remedy.to_owned()))
    }

    /// As [`ModelFile::explain`] for an error of a simulator, which stands in a file of its own or in this one.
    fn explain_simulator(&self, table: &DeTable<'_>, name: String, source: Box<Error>) -> Error {
        let simulators = self.document.coupled().map_or(&[][..], |model| &model.simulators);
        let Some(index) = simulators.iter().position(|simulator| simulator.name == name) else {
            return Error::Simulator { name, source };
        };
        if let Some((_, file)) = self.simulators.iter().find(|(own, _)| *own == index) {
            return match file.explain(*source) {
                Error::Model(diagnostic) => Error::Model(diagnostic),
                source => Error::Simulator { name, source: Box::new(source) },
            };
        }
        let kind = &simulators[index].kind;
        let fault = explain::fault(&source, Subject::of_simulator(kind));
        let (Some((span, entry)), Some((location, problem, remedy))) = (simulator_table(table, index), fault) else {
            return Error::Simulator { name, source };
        };
        let place = match kind {
            SimulatorKind::Equations(_) => "equations",
            SimulatorKind::Library(_) => "library",
            _ => "model",
        };
        let inner = match entry.get(place).map(|value| (value.get_ref(), value.span())) {
            Some((DeValue::Table(inner), _)) => locate(inner, &location),
            Some((_, span)) => span,
            None => 0..0,
        };
        let span = if inner.is_empty() { span } else { inner };
        let problem = format!("simulator \"{name}\": {problem}");
        Error::model(Diagnostic::new(&self.name, &self.text, span, problem, remedy))
    }
}

/// The kind that the key `type` says.
fn kind<'a>(file: &'a DeTable<'_>) -> Result<&'a str, Issue> {
    section::unique_names(file)?;
    let top = Entry::top(file);
    if top.has("type") { top.word("type", &Document::KINDS) } else { Ok("mechanism") }
}

/// A model of any kind with the files of its simulators, which lie in `folder`.
fn read(file: &DeTable<'_>, folder: &Path) -> Result<(Document, Vec<(usize, ModelFile)>), Refusal> {
    if kind(file)? == "coupled" {
        let (model, simulators) = coupled::read(file, folder)?;
        return Ok((model.into(), simulators));
    }
    Ok((read_single(file, folder)?, Vec::new()))
}

/// A model of a kind that stands alone; the files of its splines lie in `folder`.
fn read_single(file: &DeTable<'_>, folder: &Path) -> Result<Document, Issue> {
    let mut document = read_kind(file)?;
    if let Some(splines) = splines_mut(&mut document) {
        spline::read(splines, file, folder)?;
    }
    Ok(document)
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
            let message = "a coupled model cannot be a simulator of another one; name its simulators there";
            let place = file.get("type").map_or(0..0, Spanned::span);
            Err(<Issue as serde::de::Error>::custom(message).at(place).within(issue::Segment::Key("type".to_owned())))
        }
        other => Err(Issue::unknown_word(other, &Document::KINDS)),
    }
}

/// The bytes of the first entry of that name in any section.
fn named(file: &DeTable<'_>, name: &str) -> Option<Range<usize>> {
    let is_named = |entry: &&Spanned<DeValue<'_>>| {
        let own = entry.get_ref().get("name").map(Spanned::get_ref);
        matches!(own, Some(DeValue::String(own)) if *own == name)
    };
    let sections = explain::ENTRY_SECTIONS.iter().filter_map(|section| match file.get(*section)?.get_ref() {
        DeValue::Array(entries) => entries.iter().find(is_named),
        _ => None,
    });
    sections.map(Spanned::span).next()
}

/// The entry of a simulator: its bytes and its table.
fn simulator_table<'a, 'i>(file: &'a DeTable<'i>, index: usize) -> Option<(Range<usize>, &'a DeTable<'i>)> {
    let entry = file.get("simulator")?.get_ref().get(index)?;
    match entry.get_ref() {
        DeValue::Table(table) => Some((entry.span(), table)),
        _ => None,
    }
}

/// A text that is not TOML.
fn syntax(name: &str, text: &str, error: &toml::de::Error) -> Diagnostic {
    let problem = format!("not TOML: {}", error.message().replace('\n', "; "));
    let remedy = "correct the syntax; toml.io describes it, models/pendulum.toml is an example".to_owned();
    Diagnostic::new(name, text, error.span().unwrap_or(0..0), problem, remedy)
}

/// The bytes of what `location` names, or of what encloses it most closely; of the header if it names an entry as a whole.
fn locate(file: &DeTable<'_>, location: &Location) -> Range<usize> {
    let mut table_span = 0..0;
    let mut value: Option<&Spanned<DeValue<'_>>> = None;
    if !location.section.is_empty() {
        let Some((key, section)) = file.get_key_value(location.section) else { return table_span };
        table_span = key.span();
        value = Some(match section.get_ref() {
            DeValue::Array(entries) => match entry(entries, location) {
                Some(entry) => entry,
                None => return table_span,
            },
            _ => section,
        });
        // The name of a parameter is a field of its section; that of an entry is not, whatever fields the entry has.
        if location.section == "parameters"
            && let Some((key, parameter)) = value.and_then(|section| child(section.get_ref(), &location.name))
        {
            (table_span, value) = (key, Some(parameter));
        }
    }
    let parts = location.field.split(['.', '[', ']']).filter(|part| !part.is_empty());
    for part in parts {
        let next = match value {
            Some(value) => child(value.get_ref(), part),
            None => file.get_key_value(part).map(|(key, value)| (key.span(), value)),
        };
        let Some((_, next)) = next else { break };
        value = Some(next);
    }
    value.map_or(table_span, Spanned::span)
}

/// The entry of that name, or that index: two kinds of measures share a section and are counted apart.
fn entry<'a, 'i>(entries: &'a [Spanned<DeValue<'i>>], location: &Location) -> Option<&'a Spanned<DeValue<'i>>> {
    let is_named = |entry: &&Spanned<DeValue<'_>>| {
        let name = entry.get_ref().get("name").map(Spanned::get_ref);
        matches!(name, Some(DeValue::String(name)) if *name == location.name)
    };
    entries
        .get(location.index)
        .filter(is_named)
        .or_else(|| entries.iter().find(is_named))
        .or_else(|| entries.get(location.index))
}

/// The entry `part` of a table or an array, and the bytes of its key.
fn child<'a, 'i>(value: &'a DeValue<'i>, part: &str) -> Option<(Range<usize>, &'a Spanned<DeValue<'i>>)> {
    match value {
        DeValue::Table(table) => table.get_key_value(part).map(|(key, value)| (key.span(), value)),
        DeValue::Array(array) => {
            part.parse::<usize>().ok().and_then(|index| array.get(index)).map(|value| (value.span(), value))
        }
        _ => None,
    }
}
