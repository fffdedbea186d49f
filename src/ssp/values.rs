//! Parameter bindings: sets of values (SSP 1.0, section 6) under the names that mappings (section 7) and prefixes give them.

use super::description::{Binding, Parameter, Value};
use super::package::Package;
use super::transformation::{TRANSFORMATIONS, Transformation};
use super::units::Definitions;
use super::xml::{Element, Notes, Place, with_root};
use crate::Error;
use std::collections::BTreeSet;

/// The bindings of an element in their order.
pub(super) fn bindings(node: Element<'_>, package: &Package, notes: &mut Notes) -> Result<Vec<Binding>, Error> {
    node.within("ParameterBindings", "ParameterBinding").map(|node| binding(node, package, notes)).collect()
}

fn binding(node: Element<'_>, package: &Package, notes: &mut Notes) -> Result<Binding, Error> {
    node.note_others(&["ParameterValues", "ParameterMapping"], &["type", "source", "sourceBase", "prefix"], notes);
    of_type(node, "application/x-ssp-parameter-set")?;
    let prefix = node.optional("prefix").unwrap_or_default();
    let mut parameters = match (source(node)?, node.child("ParameterValues")) {
        (Some(uri), None) => {
            let text = package.text(uri, &node.place_of("source"))?;
            with_root(&text, "ParameterSet", |root| set(root, notes))?
        }
        (None, Some(values)) => match values.child("ParameterSet") {
            Some(root) => set(root, notes)?,
            None => {
                return Err(values.refuse("there is no ParameterSet", "write one there, or name a file by `source`"));
            }
        },
        (Some(_), Some(values)) => {
            return Err(values.refuse("the binding has values and a `source`", "keep one of them"));
        }
        (None, None) => {
            return Err(node.refuse("the binding has no values", "name a file by `source`, or write ParameterValues"));
        }
    };
    for parameter in &mut parameters {
        parameter.name.insert_str(0, prefix);
    }
    if let Some(own) = node.child("ParameterMapping") {
        of_type(own, "application/x-ssp-parameter-mapping")?;
        let entries = match (source(own)?, own.child("ParameterMapping")) {
            (Some(uri), None) => {
                let text = package.text(uri, &own.place_of("source"))?;
                with_root(&text, "ParameterMapping", |root| mapping(root, notes))?
            }
            (None, Some(root)) => mapping(root, notes)?,
            _ => return Err(own.refuse("a mapping has either a `source` or entries", "write one of them")),
        };
        parameters = mapped(&parameters, &entries, notes);
    }
    Ok(Binding { parameters })
}

/// The file that a binding or mapping names.
fn source(node: Element<'_>) -> Result<Option<&str>, Error> {
    let Some(uri) = node.optional("source").filter(|uri| !uri.is_empty()) else { return Ok(None) };
    match node.optional("sourceBase") {
        None | Some("SSD") => Ok(Some(uri)),
        Some(other) => {
            let problem = format!("\"{uri}\" lies in a {other}, from which parameters are not read");
            let remedy = "put the file among the resources of the archive, and leave `sourceBase` out";
            Err(node.place_of("sourceBase").refuse(problem, remedy))
        }
    }
}

/// Refuses formats of others.
fn of_type(node: Element<'_>, expected: &str) -> Result<(), Error> {
    match node.optional("type").filter(|own| *own != expected) {
        None => Ok(()),
        Some(other) => {
            let problem = format!("parameters of the type \"{other}\" are not read");
            Err(node.place_of("type").refuse(problem, format!("write them as {expected}")))
        }
    }
}

/// The parameters of a set.
fn set(root: Element<'_>, notes: &mut Notes) -> Result<Vec<Parameter>, Error> {
    let definitions = Definitions::read(root, notes)?;
    let mut names = BTreeSet::new();
    let mut all = Vec::new();
    for node in root.within("Parameters", "Parameter") {
        let name = node.required("name")?;
        if !names.insert(name) {
            return Err(node.refuse(format!("the parameter \"{name}\" is there twice"), "rename or remove one"));
        }
        let value = value(node, &definitions)?;
        all.push(Parameter {
            name: name.to_owned(),
            place: node.place(),
            value,
            suppress: false,
            transformation: None,
        });
    }
    Ok(all)
}

fn value(node: Element<'_>, definitions: &Definitions) -> Result<Value, Error> {
    if node.child("Dimension").is_some() {
        return Err(node.refuse("parameters that are arrays are not read", "give each element as `name[i]`"));
    }
    let typed = node.children().find(|child| child.name() != "Annotations");
    let typed =
        typed.ok_or_else(|| node.refuse("the parameter has no type", "write for example <Real value=\"1\"/>"))?;
    let no_value = || typed.refuse(format!("{} has no `value`", typed.name()), "write value=\"...\" there");
    // SSP 2.0 may write texts as elements.
    let text = || {
        let element = typed.child("Value").map(|own| own.optional("value").unwrap_or(own.words()));
        typed.optional("value").or(element).ok_or_else(no_value)
    };
    Ok(match typed.name() {
        "Real" | "Float64" | "Float32" => {
            Value::Real(typed.number("value")?.ok_or_else(no_value)?, definitions.unit(typed)?)
        }
        "Boolean" => Value::Boolean(typed.flag("value")?.ok_or_else(no_value)?),
        "String" => Value::Text(text()?.to_owned()),
        "Enumeration" => Value::Item(text()?.to_owned(), definitions.enumeration(typed)?),
        name if name.contains("Int") => Value::Integer(typed.number("value")?.ok_or_else(no_value)?),
        name => {
            let remedy = "write Real, Integer, Boolean, String or Enumeration, or remove the parameter";
            return Err(typed.refuse(format!("parameters of the type {name} are not read"), remedy));
        }
    })
}

/// An entry of a mapping.
struct Entry {
    source: String,
    target: String,
    suppress: bool,
    transformation: Option<Transformation>,
    place: Place,
}

fn mapping(root: Element<'_>, notes: &mut Notes) -> Result<Vec<Entry>, Error> {
    let mut targets = BTreeSet::new();
    let mut all = Vec::new();
    for node in root.all("MappingEntry") {
        node.note_others(&TRANSFORMATIONS, &["source", "target", "suppressUnitConversion"], notes);
        let target = node.required("target")?;
        if !targets.insert(target) {
            return Err(node.refuse(format!("two parameters are mapped to \"{target}\""), "keep one of the entries"));
        }
        all.push(Entry {
            source: node.required("source")?.to_owned(),
            target: target.to_owned(),
            suppress: node.flag("suppressUnitConversion")?.unwrap_or(false),
            transformation: Transformation::read(node)?,
            place: node.place(),
        });
    }
    Ok(all)
}

/// The parameters under their new names; those that are not mapped are not applied.
fn mapped(parameters: &[Parameter], entries: &[Entry], notes: &mut Notes) -> Vec<Parameter> {
    let mut all = Vec::new();
    for entry in entries {
        let Some(parameter) = parameters.iter().find(|parameter| parameter.name == entry.source) else {
            notes.add(&entry.place, format!("the set has no parameter \"{}\", so nothing is mapped", entry.source));
            continue;
        };
        all.push(Parameter {
            name: entry.target.clone(),
            suppress: entry.suppress,
            transformation: entry.transformation.clone(),
            ..parameter.clone()
        });
    }
    all
}
