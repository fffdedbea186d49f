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
mod files;
mod flexible;
mod include;
mod issue;
mod linear;
mod locate;
mod mechanism;
mod mesh;
mod names;
mod section;
mod spline;
#[cfg(feature = "ssp")]
mod structure;
#[cfg(feature = "sweep")]
pub(crate) mod table_file;
mod value;

pub use diagnostic::Diagnostic;
#[cfg(feature = "ssp")]
pub(crate) use diagnostic::line_number;

use crate::coupled::SimulatorKind;
use crate::mechanism::Include;
use crate::{Document, Error};
use explain::{Subject, explain};
use fourbar_multibody::{Location, ModelError, model::Spline};
use issue::Issue;
use locate::{locate, named, simulator_table};
use section::Entry;
use std::borrow::Cow;
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
    /// The files that a mechanism includes, in the order of its entries.
    includes: Vec<ModelFile>,
    /// Whether the text is all there is: it was taken out of another file.
    is_part: bool,
    /// Of a structure of SSP: lines for its faults, and what is not carried.
    #[cfg(feature = "ssp")]
    structure: Option<Box<crate::ssp::Structure>>,
}

/// Bytes of the text of a file.
struct Place {
    name: String,
    text: String,
    span: Range<usize>,
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

    /// Gives an error about this file's model its line, or the line of the simulator's file; other errors are returned as they are.
    #[must_use]
    pub fn explain(&self, error: Error) -> Error {
        #[cfg(feature = "ssp")]
        if let Some(structure) = &self.structure {
            return structure.explain(error, false);
        }
        let Ok(table) = DeTable::parse(&self.text) else { return error };
        if let Error::Simulator { name, source } = error {
            return self.explain_simulator(table.get_ref(), name, source);
        }
        let whole = self.whole();
        match explain::fault(&error, Subject::of(&whole)) {
            Some((location, problem, remedy)) => {
                let mut remedy = names::known_elsewhere(&error, self.document.mechanism()).unwrap_or(remedy);
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
                self.diagnose(table.get_ref(), location, problem, remedy)
            }
            None => error,
        }
    }

    /// The document with what it includes, as far as that can be put together.
    fn whole(&self) -> Cow<'_, Document> {
        match &self.document {
            Document::Mechanism(model) if !model.includes.is_empty() => {
                model.expand().map_or(Cow::Borrowed(&self.document), |whole| Cow::Owned(whole.into()))
            }
            document => Cow::Borrowed(document),
        }
    }

    /// A fault at its place in the file that it stands in, this one or one that is included.
    fn diagnose(&self, table: &DeTable<'_>, location: Location, problem: String, remedy: String) -> Error {
        if let Some((index, name)) = self.included(&location.name) {
            let location = Location { name: name.to_owned(), index: usize::MAX, ..location.clone() };
            let (problem, remedy) = (problem.clone(), remedy.clone());
            let within = self.in_table(table, index, |file, table| file.diagnose(table, location, problem, remedy));
            if let Some(error) = within {
                return error;
            }
        }
        let span = locate(table, &location);
        Error::model(Diagnostic::new(&self.name, &self.text, span, problem, remedy))
    }

    /// The include in whose model the entry of this name stands, and its name there.
    fn included<'a>(&self, name: &'a str) -> Option<(usize, &'a str)> {
        let (prefix, rest) = name.split_once('.')?;
        let includes = self.document.mechanism().map_or(&[][..], |model| &model.includes);
        // Copies of an included mechanism have a number.
        let is_of = |include: &Include| {
            prefix.strip_prefix(include.name.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('_'))
        };
        let found = |exact: bool| includes.iter().position(|i| if exact { i.name == prefix } else { is_of(i) });
        found(true).or_else(|| found(false)).map(|index| (index, rest))
    }

    /// Where the first of the names that `text` quotes has its entry: the file, and the bytes there.
    fn named_in(&self, table: &DeTable<'_>, text: &str) -> Option<Place> {
        text.split('"').skip(1).step_by(2).find_map(|name| self.entry_of(table, name))
    }

    fn entry_of(&self, table: &DeTable<'_>, name: &str) -> Option<Place> {
        if let Some(span) = named(table, name) {
            return Some(Place { name: self.name.clone(), text: self.text.clone(), span });
        }
        if let Some((index, name)) = self.included(name) {
            return self.in_table(table, index, |file, table| file.entry_of(table, name))?;
        }
        // What a block or an actuator brings begins with its name.
        name.split_once('.').and_then(|(entry, _)| self.entry_of(table, entry))
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
        #[cfg(feature = "ssp")]
        if let Some(structure) = &self.structure {
            return structure.explain(error, always);
        }
        let error = self.explain(error);
        if matches!(&error, Error::Multibody(fourbar_multibody::Error::Model(error)) if error.location.section == "--set")
        {
            return error;
        }
        let about_model = matches!(
            error,
            Error::Multibody(_) | Error::Contact(_) | Error::Circuit(_) | Error::Coupling(_) | Error::Simulator { .. }
        ) || matches!(
            error,
            Error::Input { .. } | Error::Linear { .. } | Error::NoOperatingPoint { .. }
        );
        let text = error.to_string();
        let about_model = about_model && !self.is_of_federation(&error, &text);
        let (true, Ok(table)) = (about_model, DeTable::parse(&self.text)) else { return error };
        let settings = || table.get_ref().get_key_value("simulation").map(|(key, _)| key.span());
        let Place { name, text: whole, span } = match self.named_in(table.get_ref(), &text) {
            Some(place) => place,
            None if always => {
                let span = settings().unwrap_or(0..0);
                Place { name: self.name.clone(), text: self.text.clone(), span }
            }
            None => return error,
        };
        let (problem, remedy) = text.rsplit_once("; ").unwrap_or((&text, "correct the model there"));
        Error::model(Diagnostic::new(&name, &whole, span, problem.to_owned(), remedy.to_owned()))
    }

    /// Whether an error is of a federation, which stands in no file: the command line says what it is.
    fn is_of_federation(&self, error: &Error, text: &str) -> bool {
        #[cfg(feature = "helics")]
        if matches!(error, Error::Coupling(fourbar_coupling::Error::Helics(_))) {
            return true;
        }
        let simulators = self.document.coupled().map_or(&[][..], |model| &model.simulators);
        let own = simulators.iter().find(|simulator| matches!(simulator.kind, SimulatorKind::Federation(_)));
        let is_named = |name: &str| {
            matches!(error, Error::Simulator { name: own, .. } if own == name) || text.contains(&format!("\"{name}\""))
        };
        own.is_some_and(|simulator| is_named(&simulator.name))
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
            SimulatorKind::Federation(_) => "federation",
            SimulatorKind::Fmu(_) => "fmu",
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
