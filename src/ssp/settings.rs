//! Annotations of fourbar: settings of a run, of components and of connections, which the standard leaves to the tools.
//!
//! An element of the annotation is a table of a model file: its attributes are the values, children with text the entries of lists, children
//! with attributes tables.

use super::description::Settings;
use super::xml::Element;
use crate::Error;
use crate::coupled::Place;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use toml::{Table, Value};

/// The type of such annotations.
pub(super) const ANNOTATION: &str = "fourbar.settings";

/// The element within the annotation of fourbar, if there is one.
fn annotation(node: Element<'_>) -> Option<Element<'_>> {
    let own = node.within("Annotations", "Annotation").find(|own| own.optional("type") == Some(ANNOTATION));
    own.and_then(|own| own.children().next())
}

/// Settings of the run.
pub(super) fn of_structure(root: Element<'_>) -> Result<Settings, Error> {
    let Some(own) = annotation(root) else { return Ok(Settings::default()) };
    let mut settings = Settings::default();
    for child in own.children() {
        match child.name() {
            "simulation" => settings.simulation = value(child)?,
            "faults" => settings.faults = value(child)?,
            "port" => settings.ports.push(value(child)?),
            name => {
                let problem = format!("settings have no entry `{name}`");
                return Err(child.refuse(problem, "write one of: simulation, faults, port"));
            }
        }
    }
    Ok(settings)
}

/// How a component takes part, and whether in a process of its own.
pub(super) fn of_component(node: Element<'_>) -> Result<(Place, bool), Error> {
    #[derive(Deserialize, Default)]
    struct Process {
        #[serde(default)]
        process: bool,
    }
    let Some(own) = annotation(node) else { return Ok((Place::default(), false)) };
    let mut table = table(own);
    let process = Table::from_iter(table.remove_entry("process"));
    let Process { process } = deserialized(own, process)?;
    Ok((deserialized(own, table)?, process))
}

/// The typical magnitude that passes a connection.
pub(super) fn of_connection(node: Element<'_>) -> Result<Option<f64>, Error> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Own {
        nominal: f64,
    }
    let Some(own) = annotation(node) else { return Ok(None) };
    Ok(Some(value::<Own>(own)?.nominal))
}

fn value<T: DeserializeOwned>(node: Element<'_>) -> Result<T, Error> {
    deserialized(node, table(node))
}

fn deserialized<T: DeserializeOwned>(node: Element<'_>, table: Table) -> Result<T, Error> {
    table.try_into().map_err(|error: toml::de::Error| {
        let problem = format!("`{}`: {}", node.name(), error.message());
        node.refuse(problem, "write what docs/ssp.md lists; the fields are those of a model file")
    })
}

/// An element as a table of a model file.
fn table(node: Element<'_>) -> Table {
    let mut table: Table = node.attributes().map(|(name, text)| (name.to_owned(), scalar(text))).collect();
    for child in node.children() {
        let name = child.name().to_owned();
        if child.attributes().next().is_some() {
            table.insert(name, Value::Table(self::table(child)));
        } else if let Value::Array(list) = table.entry(name).or_insert_with(|| Value::Array(Vec::new())) {
            list.push(Value::String(child.words().to_owned()));
        }
    }
    table
}

fn scalar(text: &str) -> Value {
    match text {
        "true" => Value::Boolean(true),
        "false" => Value::Boolean(false),
        _ => match (text.parse(), text.parse::<f64>()) {
            (Ok(whole), _) => Value::Integer(whole),
            (_, Ok(number)) if number.is_finite() => Value::Float(number),
            _ => Value::String(text.to_owned()),
        },
    }
}
