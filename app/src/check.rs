//! `fourbar check`: what a model file contains, and whether it is sound.

mod circuit;
mod contact;
mod coupled;
mod linear;
mod mechanism;

use crate::args::CheckArguments;
use crate::exit::{Exit, Failure};
use fourbar::file::ModelFile;
use fourbar::run::{Overrides, Run};
use fourbar::{Document, Error};
use serde::Serialize;
use std::io::{self, Write};

pub(crate) fn check(arguments: &CheckArguments) -> Result<Exit, Failure> {
    let file = ModelFile::load(&arguments.model).map_err(Failure::Model)?;
    let refused = |error| Failure::Model(file.explain(error));
    let findings = of(file.document(), arguments.json).map_err(refused)?;
    let mut text = findings.map_err(|error| Failure::Output(error.into()))?;
    if arguments.json {
        text.push('\n');
    }
    io::stdout().write_all(text.as_bytes()).map_err(Failure::Output)?;
    Ok(Exit::Done)
}

/// What is found in a model of any kind, as text or as JSON.
fn of(document: &Document, json: bool) -> Result<Result<String, serde_json::Error>, Error> {
    match document {
        Document::Mechanism(model) => {
            let run = runs(document)?;
            mechanism::findings(model, run.mechanism().expect("the run is one of a mechanism"), json)
        }
        Document::Circuit(model) => {
            let run = runs(document)?;
            circuit::findings(model, run.circuit().expect("the run is one of a circuit"), json)
        }
        Document::Linear(model) => runs(document).and_then(|_| linear::findings(model, json)),
        Document::Coupled(model) => coupled::findings(model, json),
    }
}

/// Compiles a model as a run does, and refuses what a run refuses; an end time may still come with it.
fn runs(document: &Document) -> Result<Run, Error> {
    match Run::new(document, &Overrides::default()) {
        Err(Error::NoEnd) => Run::new(document, &Overrides { end: Some(1.0), ..Overrides::default() }),
        run => run,
    }
}

/// A measure or an output.
#[derive(Serialize)]
struct Measured<'a> {
    name: &'a str,
    unit: &'a str,
}
