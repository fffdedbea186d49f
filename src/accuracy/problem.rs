//! A problem: equations with a solution to compare with.

use super::equations::Build;
use super::error::AccuracyError;
use super::references::{Column, Reference};
use super::shipped;
use crate::Document;
use crate::file::ModelFile;
use crate::run::{Overrides, Run};
use fourbar_multibody::{Mechanism, Model};
use std::path::Path;
use std::sync::Arc;

/// Part of the time between outputs by which times of a reference may miss theirs: the digits in which people write them.
const EVEN: f64 = 1e-6;

/// Equations with a solution to compare with.
#[derive(Debug)]
pub struct Problem {
    /// Its name on the command line.
    pub name: String,
    /// What it is, in a few words.
    pub title: String,
    /// The solution.
    pub reference: Reference,
    /// What is compared, in the order of the reference.
    pub columns: Vec<Column>,
    pub(super) statement: Statement,
}

/// How the equations are given.
#[derive(Debug)]
pub(super) enum Statement {
    /// A mechanism.
    Mechanism(Box<MechanismStatement>),
    /// A linear system, or a mechanism with contacts.
    Stepped(Box<SteppedStatement>),
    /// Equations in Rust.
    Equations(Build),
}

/// A model that is followed in steps, and where its columns stand.
#[derive(Debug)]
pub(super) struct SteppedStatement {
    /// The model file.
    pub(super) text: String,
    pub(super) document: Document,
    /// Time between outputs \[s\].
    pub(super) output_step: f64,
    /// The column of a run of each column of the reference.
    pub(super) columns: Vec<usize>,
}

/// A mechanism, compiled, and where its columns stand.
#[derive(Debug)]
pub(super) struct MechanismStatement {
    /// The model file.
    pub(super) text: String,
    pub(super) model: Model,
    pub(super) mechanism: Arc<Mechanism>,
    /// The measure of each column.
    pub(super) measures: Vec<usize>,
}

impl Problem {
    /// The shipped problem of this name.
    ///
    /// # Errors
    /// [`AccuracyError::UnknownProblem`].
    pub fn shipped(name: &str) -> Result<Self, AccuracyError> {
        shipped::problem(name)
    }

    /// A mechanism or a linear system of the user's, as a model file, with a reference as JSON or CSV whose columns are measures of the model.
    ///
    /// # Errors
    /// [`AccuracyError::Read`], [`AccuracyError::Model`], [`AccuracyError::Kind`], [`AccuracyError::Reference`],
    /// [`AccuracyError::Times`].
    pub fn from_files(model: &Path, reference: &Path) -> Result<Self, AccuracyError> {
        let read = |path: &Path| {
            std::fs::read_to_string(path).map_err(|source| AccuracyError::Read { path: path.to_owned(), source })
        };
        let stem = |path: &Path| path.file_stem().map_or(String::new(), |stem| stem.to_string_lossy().into_owned());
        let file = ModelFile::load(model)?;
        let solution = Reference::parse(&reference.display().to_string(), &read(reference)?)?;
        Self::from_file(&stem(model), &file, read(model)?, solution)
    }

    /// A problem whose model file is `text`.
    pub(super) fn from_text(name: &str, text: String, reference: Reference) -> Result<Self, AccuracyError> {
        let file = ModelFile::parse(format!("{name}.toml"), text.clone())?;
        Self::from_file(name, &file, text, reference)
    }

    fn from_file(name: &str, file: &ModelFile, text: String, reference: Reference) -> Result<Self, AccuracyError> {
        match file.document() {
            Document::Mechanism(own) if !own.has_contacts() => Self::mechanism(name, file, text, reference),
            Document::Mechanism(_) | Document::Linear(_) => Self::stepped(name, file, text, reference),
            other => Err(AccuracyError::Kind { name: file.name().to_owned(), kind: other.kind() }),
        }
    }

    fn stepped(name: &str, file: &ModelFile, text: String, reference: Reference) -> Result<Self, AccuracyError> {
        let document = file.document();
        let [first, second] = match reference.times[..] {
            [first, second, ..] => [first, second],
            _ => [0.0, reference.end()],
        };
        let output_step = second - first;
        let is_even = |(k, time): (usize, &f64)| (time - k as f64 * output_step).abs() <= EVEN * output_step;
        if first != 0.0 || !reference.times.iter().enumerate().all(is_even) {
            return Err(AccuracyError::Times { name: name.to_owned() });
        }
        let times = Overrides { end: Some(reference.end()), output_step: Some(output_step), ..Overrides::default() };
        let run = Run::new(document, &times).map_err(|error| file.explain_start(error))?;
        let known: Vec<&str> = run.columns().iter().map(|column| column.name.as_str()).collect();
        let columns = found(name, &reference, &known)?;
        Ok(Self {
            name: name.to_owned(),
            title: document.name().to_owned(),
            columns: columns.iter().map(|&k| Column::new(known[k], &run.columns()[k].unit)).collect(),
            reference,
            statement: Statement::Stepped(Box::new(SteppedStatement {
                text,
                document: document.clone(),
                output_step,
                columns,
            })),
        })
    }

    fn mechanism(name: &str, file: &ModelFile, text: String, reference: Reference) -> Result<Self, AccuracyError> {
        let document = file.document();
        let whole = document.mechanism().map(|model| model.expand());
        let model = match whole.transpose().map_err(|error| explained(file, error))? {
            Some(whole) if !whole.has_contacts() => whole.model,
            _ => return Err(AccuracyError::Kind { name: file.name().to_owned(), kind: document.kind() }),
        };
        let mechanism = Mechanism::compile(&model).map_err(|error| file.explain_start(error.into()))?;
        let known: Vec<&str> = mechanism.measures().iter().map(|measure| measure.name.as_str()).collect();
        let measures = found(name, &reference, &known)?;
        let column = |&k: &usize| Column::new(mechanism.measures()[k].name.clone(), &mechanism.measures()[k].unit);
        Ok(Self {
            name: name.to_owned(),
            title: document.name().to_owned(),
            columns: measures.iter().map(column).collect(),
            reference,
            statement: Statement::Mechanism(Box::new(MechanismStatement {
                text,
                model,
                mechanism: Arc::new(mechanism),
                measures,
            })),
        })
    }

    /// Equations in Rust, whose columns are those of the reference.
    pub(super) fn from_equations(name: &str, title: &str, build: Build, reference: Reference) -> Self {
        Self {
            name: name.to_owned(),
            title: title.to_owned(),
            columns: (build.columns)(),
            reference,
            statement: Statement::Equations(build),
        }
    }

    /// The model file, where it has one.
    #[must_use]
    pub fn model(&self) -> Option<&str> {
        match &self.statement {
            Statement::Mechanism(mechanism) => Some(&mechanism.text),
            Statement::Stepped(stepped) => Some(&stepped.text),
            Statement::Equations(_) => None,
        }
    }
}

/// Where the columns of a reference stand among those that a model has.
fn found(name: &str, reference: &Reference, known: &[&str]) -> Result<Vec<usize>, AccuracyError> {
    let find = |column: &String| {
        known.iter().position(|own| own == column).ok_or_else(|| AccuracyError::Reference {
            name: name.to_owned(),
            problem: format!("its column \"{column}\" is no measure of the model"),
            remedy: format!("name measures: {}", known.join(", ")),
        })
    };
    reference.names.iter().map(find).collect()
}

fn explained(file: &ModelFile, error: Box<fourbar_multibody::ModelError>) -> crate::Error {
    file.explain_start(fourbar_multibody::Error::Model(error).into())
}
