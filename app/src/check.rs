//! `fourbar check`: what a model file contains, and whether it is sound.

mod circuit;
mod contact;
mod coupled;
mod linear;
mod mechanism;

use crate::args::CheckArguments;
use crate::exit::{Exit, Failure};
use fourbar::file::ModelFile;
use fourbar::{Document, Error};
use serde::Serialize;
use std::io::{self, Write};

pub(crate) fn check(arguments: &CheckArguments) -> Result<Exit, Failure> {
    let file = ModelFile::load(&arguments.model).map_err(Failure::Model)?;
    let findings = of(file.document(), arguments.json).map_err(|error| Failure::Model(file.explain(error)))?;
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
        Document::Mechanism(model) => mechanism::findings(model, json),
        Document::Linear(model) => linear::findings(model, json),
        Document::Circuit(model) => circuit::findings(model, json),
        Document::Coupled(model) => coupled::findings(model, json),
    }
}

/// A measure or an output.
#[derive(Serialize)]
struct Measured<'a> {
    name: &'a str,
    unit: &'a str,
}
