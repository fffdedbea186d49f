//! Where in the text of a file an entry or a field stands.

use super::explain;
use fourbar_multibody::Location;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The bytes of the first entry of that name in any section.
pub(super) fn named(file: &DeTable<'_>, name: &str) -> Option<Range<usize>> {
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
pub(super) fn simulator_table<'a, 'i>(file: &'a DeTable<'i>, index: usize) -> Option<(Range<usize>, &'a DeTable<'i>)> {
    let entry = file.get("simulator")?.get_ref().get(index)?;
    match entry.get_ref() {
        DeValue::Table(table) => Some((entry.span(), table)),
        _ => None,
    }
}

/// The bytes of what `location` names, or of what encloses it most closely; of the header if it names an entry as a whole.
pub(super) fn locate(file: &DeTable<'_>, location: &Location) -> Range<usize> {
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
