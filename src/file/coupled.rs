//! Files of the kind "coupled": each simulator stands in a file of its own, beside the coupled one, or in place.

use super::issue::{Issue, IssueKind, Segment};
use super::section::{Entry, entries, unique_names};
use super::{ModelFile, Refusal};
use crate::coupled::{
    ConnectionModel, CoupledModel, CoupledSettings, EquationsModel, FaultSettings, FmuModel, LibraryModel, Place,
    PortModel, SimulatorKind, SimulatorModel,
};
use crate::{Document, Error};
use fourbar_multibody::expression::Expression;
use serde::Deserialize;
use serde::de::{Error as _, IntoDeserializer};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A coupled model, and the files of its simulators by their index.
pub(super) type Read = (CoupledModel, Vec<(usize, ModelFile)>);

/// The fields that are neither simulators nor connections nor ports.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Top {
    #[serde(default)]
    name: String,
    #[serde(default)]
    description: String,
    #[serde(default)]
    result_units: String,
    #[serde(default)]
    parameters: BTreeMap<String, Expression>,
    #[serde(default)]
    simulation: CoupledSettings,
    #[serde(default)]
    faults: FaultSettings,
}

/// Fields of a simulator that say what it is.
const KINDS: [&str; 5] = ["file", "model", "equations", "library", "fmu"];

/// The whole model; names of files are relative to `folder`, `above` are the files that are being read.
pub(super) fn read(file: &DeTable<'_>, folder: &Path, above: &[PathBuf]) -> Result<Read, Refusal> {
    let Top { name, description, result_units, parameters, simulation, faults } =
        Entry::top(file).rest(&["type", "simulator", "connection", "port"])?;
    let mut files = Vec::new();
    let mut simulators = Vec::new();
    for (index, simulator) in
        entries(file, "simulator", |entry| Ok(read_simulator(entry, folder, above)))?.into_iter().enumerate()
    {
        let (simulator, file) = simulator.map_err(|refusal| match refusal {
            Refusal::Here(issue) => {
                Refusal::Here(issue.within(Segment::Index(index)).within(Segment::Key("simulator".to_owned())))
            }
            there => there,
        })?;
        files.extend(file.map(|file| (index, file)));
        simulators.push(simulator);
    }
    let connections: Vec<ConnectionModel> = entries(file, "connection", |entry| entry.rest(&[]))?;
    let ports: Vec<PortModel> = entries(file, "port", |entry| entry.rest(&[]))?;
    let model = CoupledModel {
        name,
        description,
        result_units,
        parameters,
        simulation,
        faults,
        simulators,
        connections,
        ports,
    };
    Ok((model, files))
}

/// A simulator, and its file if it has one.
fn read_simulator(
    entry: &Entry<'_, '_>,
    folder: &Path,
    above: &[PathBuf],
) -> Result<(SimulatorModel, Option<ModelFile>), Refusal> {
    let name: String = entry.field("name")?;
    if name.contains('.') {
        let message = format!(
            "`{name}` cannot be the name of a simulator; write a name without a dot: it stands before one in `simulator.output`"
        );
        let value = entry.required("name")?;
        return Err(Issue::custom(message).at(value.span()).within(Segment::Key("name".to_owned())).into());
    }
    let mut known = [&["name", "parameters"], &KINDS[..]].concat();
    // What one kind alone has.
    if entry.has("library") {
        known.push("process");
    }
    if entry.has("fmu") {
        known.extend(["process", "interface", "integrator", "texts", "units"]);
    }
    let place: Place = entry.rest(&known)?;
    // An FMU may have items of enumerations and texts among them, which are no expressions.
    let (parameters, words): (BTreeMap<String, Expression>, BTreeMap<String, String>) = match entry.has("fmu") {
        true => split(entry.optional("parameters")?.unwrap_or_default()),
        false => (entry.optional("parameters")?.unwrap_or_default(), BTreeMap::new()),
    };
    let given: Vec<&str> = KINDS.into_iter().filter(|field| entry.has(field)).collect();
    let said = |kind, file| SimulatorModel {
        name: name.clone(),
        kind,
        file,
        parameters: parameters.clone(),
        place: place.clone(),
        reactions: None,
    };
    match given.as_slice() {
        ["file"] => {
            let file: String = entry.field("file")?;
            let read = read_file(entry, folder, &file, above)?;
            Ok((said(kind(read.document()), Some(file)), Some(read)))
        }
        ["model"] => {
            let (value, table) = inner(entry, "model")?;
            no_other_kind(table)?;
            let within = |refusal| match refusal {
                Refusal::Here(issue) => Refusal::Here(issue.at(value.span()).within(Segment::Key("model".to_owned()))),
                there => there,
            };
            let (document, _) = super::read_single(table, folder, &[]).map_err(within)?;
            Ok((said(kind(&document), None), None))
        }
        ["equations"] => {
            let (_, table) = inner(entry, "equations")?;
            let equations = unique_names(table)
                .map_err(|issue| issue.within(Segment::Key("equations".to_owned())))
                .and_then(|()| entry.field::<EquationsModel>("equations"))
                .and_then(|mut equations| {
                    let read = super::spline::read(&mut equations.splines, table, folder);
                    read.map(|()| equations).map_err(|issue| issue.within(Segment::Key("equations".to_owned())))
                })?;
            Ok((said(SimulatorKind::Equations(Box::new(equations)), None), None))
        }
        ["library"] => {
            let path = folder.join(entry.field::<String>("library")?);
            let process = entry.optional("process")?.unwrap_or(false);
            let library = LibraryModel { path, process, parameters: BTreeMap::new() };
            Ok((said(SimulatorKind::Library(Box::new(library)), None), None))
        }
        ["fmu"] => {
            let fmu = FmuModel {
                path: folder.join(entry.field::<String>("fmu")?),
                process: entry.optional("process")?.unwrap_or(false),
                interface: entry.optional("interface")?,
                integrator: entry.optional("integrator")?,
                parameters: BTreeMap::new(),
                texts: entry.optional::<BTreeMap<_, _>>("texts")?.into_iter().flatten().chain(words).collect(),
                units: entry.optional("units")?.unwrap_or_default(),
                kept: None,
            };
            Ok((said(SimulatorKind::Fmu(Box::new(fmu)), None), None))
        }
        [] => Err(Issue::missing_field("file").at(entry.span()).into()),
        several => {
            let message = format!("a simulator is one of {}; remove all but one", several.join(" and "));
            Err(Issue::custom(message).at(entry.span()).within(Segment::Key(several[0].to_owned())).into())
        }
    }
}

/// What is given for a variable of an FMU: an expression, or a text that is none.
enum Given {
    Number(Expression),
    Text(String),
}

impl<'de> Deserialize<'de> for Given {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(NumberOrWords)
    }
}

struct NumberOrWords;

impl serde::de::Visitor<'_> for NumberOrWords {
    type Value = Given;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a finite number, an expression or a text in quotes")
    }

    fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<Given, E> {
        Expression::deserialize(value.into_deserializer()).map(Given::Number)
    }

    fn visit_i64<E: serde::de::Error>(self, value: i64) -> Result<Given, E> {
        Ok(Given::Number(Expression::whole(value.into())))
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Given, E> {
        Ok(Expression::parse(text).map_or_else(|_| Given::Text(text.to_owned()), Given::Number))
    }
}

/// Expressions, and texts.
fn split(given: BTreeMap<String, Given>) -> (BTreeMap<String, Expression>, BTreeMap<String, String>) {
    let (mut parameters, mut words) = (BTreeMap::new(), BTreeMap::new());
    for (name, value) in given {
        match value {
            Given::Number(value) => {
                parameters.insert(name, value);
            }
            Given::Text(text) => {
                words.insert(name, text);
            }
        }
    }
    (parameters, words)
}

/// Refuses a model whose `type` is another field of a simulator: equations, a library and an FMU are no models.
fn no_other_kind(model: &DeTable<'_>) -> Result<(), Issue> {
    let Some(value) = model.get("type") else { return Ok(()) };
    let DeValue::String(word) = value.get_ref() else { return Ok(()) };
    let is_other = ["equations", "library", "fmu"].contains(&word.as_ref());
    let message = match word.as_ref() {
        "equations" => "it is no type of a model; write [simulator.equations] in place of [simulator.model]".to_owned(),
        word => format!(
            "it is no type of a model; write `{word} = \"..\"`, the path of a file, in place of [simulator.model]"
        ),
    };
    let issue = || Issue::custom(message).at(value.span()).within(Segment::Key("type".to_owned()));
    if is_other { Err(issue().within(Segment::Key("model".to_owned()))) } else { Ok(()) }
}

/// The table of a field.
fn inner<'a, 'i>(
    entry: &Entry<'a, 'i>,
    field: &'static str,
) -> Result<(&'a Spanned<DeValue<'i>>, &'a DeTable<'i>), Issue> {
    let value = entry.required(field)?;
    match value.get_ref() {
        DeValue::Table(table) => Ok((value, table)),
        other => {
            let wrong = IssueKind::WrongValue { found: other.type_str().to_owned(), expected: "a table".to_owned() };
            Err(Issue::new(wrong).at(value.span()).within(Segment::Key(field.to_owned())))
        }
    }
}

/// The file that a simulator names. A fault in it is that file's; that it cannot be read is this one's.
fn read_file(entry: &Entry<'_, '_>, folder: &Path, file: &str, above: &[PathBuf]) -> Result<ModelFile, Refusal> {
    let value = entry.required("file")?;
    let refuse = |message: String| {
        Refusal::Here(Issue::custom(message).at(value.span()).within(Segment::Key("file".to_owned())))
    };
    let path = folder.join(file);
    if path.canonicalize().is_ok_and(|path| above.contains(&path)) {
        return Err(refuse(format!("{} is a simulator of itself; remove the circle", path.display())));
    }
    match ModelFile::load_with(&path, true, above) {
        Ok(read) => Ok(read),
        Err(Error::Read { path, source }) => Err(refuse(format!("cannot read {}: {source}", path.display()))),
        Err(error) => Err(Refusal::There(error)),
    }
}

/// What a document simulates.
fn kind(document: &Document) -> SimulatorKind {
    match document.clone() {
        Document::Mechanism(model) => SimulatorKind::Mechanism(model),
        Document::Linear(model) => SimulatorKind::Linear(model),
        Document::Circuit(model) => SimulatorKind::Circuit(model),
        Document::Coupled(model) => SimulatorKind::Coupled(model),
    }
}
