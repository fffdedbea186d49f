//! Errors about a model get their lines: of this file, of one that it includes, or of a simulator's.

use super::diagnostic::Diagnostic;
use super::fault::{Subject, fault};
use super::locate::{locate, named, simulator_table};
use super::{ModelFile, names};
use crate::coupled::SimulatorKind;
use crate::mechanism::Include;
use crate::{Document, Error};
use fourbar_multibody::{Location, ModelError};
use std::borrow::Cow;
use std::ops::Range;
use toml::de::{DeTable, DeValue};

/// Bytes of the text of a file.
struct Place {
    name: String,
    text: String,
    span: Range<usize>,
}

impl ModelFile {
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
        match fault(&error, Subject::of(&whole)) {
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
        if error.is_of_surroundings() {
            return error;
        }
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
        let (problem, remedy) = names::problem_and_remedy(&text);
        Error::model(Diagnostic::new(&name, &whole, span, problem.to_owned(), remedy.to_owned()))
    }

    /// Whether an error is of a federation, which stands in no file: the command line says what it is.
    fn is_of_federation(&self, error: &Error, text: &str) -> bool {
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
        let fault = fault(&source, Subject::of_simulator(kind));
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
