//! The words for what a model file has wrong by itself: the entry, the fault and the remedy.

use super::diagnostic::{Diagnostic, line_number};
use super::issue::{Issue, IssueKind, Segment};
use super::names;
use fourbar_multibody::expression::nearest_name;
use toml::de::{DeTable, DeValue};

/// The sections that hold one entry for each double-bracketed header.
pub(crate) const ENTRY_SECTIONS: &[&str] = &[
    "spline",
    "body",
    "flexible",
    "marker",
    "joint",
    "rolling",
    "motion",
    "coupler",
    "gear",
    "rack_and_pinion",
    "curve",
    "point_on_curve",
    "curve_on_curve",
    "constraint",
    "actuator",
    "force",
    "friction",
    "sensor",
    "activity",
    "measure",
    "shape",
    "contact",
    "copies",
    "include",
    "display",
    "block",
    "input",
    "output",
    "node",
    "component",
    "simulator",
    "connection",
    "port",
    "state",
    "transfer_function",
    "pid",
    "parameter",
];

/// Words `issue` for the file of this name and text.
pub(crate) fn explain(issue: Issue, file: &str, text: &str, table: &DeTable<'_>) -> Diagnostic {
    let mut path = issue.path;
    path.reverse();
    let place = thing(&path, table);
    let place = if place.is_empty() { String::new() } else { format!(" in {place}") };
    let mut related = None;
    let (problem, remedy) = match issue.kind {
        IssueKind::UnknownField { field, expected } => {
            let remedy = names::included_section(&path, &field)
                .unwrap_or_else(|| did_you_mean(&field, &expected, "the fields here are"));
            (format!("unknown field `{field}`{place}"), remedy)
        }
        IssueKind::MissingField(field) => (format!("missing field `{field}`{place}"), missing_remedy(field)),
        IssueKind::UnknownWord { word, expected } => {
            (format!("unknown {} `{word}`{place}", last_key(&path)), did_you_mean(&word, &expected, "write one of"))
        }
        IssueKind::WrongValue { found, expected } => {
            let field = last_key(&path);
            // At the top of a file, or of a model in place.
            let at_top = path.len() == 1
                || matches!(path.as_slice(), [_, Segment::Index(_), Segment::Key(place), Segment::Key(_)] if place == "model");
            if at_top && ENTRY_SECTIONS.contains(&field) {
                let remedy = format!("each {field} is an entry of its own: head it with [[{field}]]");
                (format!("`{field}` is {found}"), remedy)
            } else {
                (format!("`{field}` is {found}{place}"), format!("write {}", in_words(&expected)))
            }
        }
        IssueKind::WrongLength { found, expected } => {
            let entries = if found == 1 { "entry" } else { "entries" };
            let problem = format!("`{}` has {found} {entries}{place}", last_key(&path));
            (problem, format!("write {}", in_words(&expected)))
        }
        IssueKind::NotFinite(number) => (
            format!("`{}` is {number}, not a finite number{place}", last_key(&path)),
            "write a finite number".to_owned(),
        ),
        IssueKind::TooLarge(number) => (
            format!("the integer {number} of `{}` does not fit 64 bits{place}", last_key(&path)),
            match last_key(&path) {
                "seed" => format!("write a whole number from 0 to {}", u64::MAX),
                _ => "write it with a decimal point or an exponent, as in 1e20".to_owned(),
            },
        ),
        IssueKind::DuplicateName { name, first } => {
            let section = last_key(&path);
            related = Some((line_number(text, first.start), format!("the first {section} \"{name}\"")));
            (format!("two {} are named \"{name}\"", plural(section)), "give each its own name".to_owned())
        }
        IssueKind::Expression(error) => (
            format!("`{}` cannot be read{place}: {}", last_key(&path), error.problem),
            "expressions are described in docs/model-format.md, section Expressions".to_owned(),
        ),
        IssueKind::Message(message) => {
            let (message, remedy) = names::message_remedy(&message);
            (format!("`{}`{place}: {message}", last_key(&path)), remedy.to_owned())
        }
    };
    let mut diagnostic = Diagnostic::new(file, text, issue.span.unwrap_or(0..0), problem, remedy);
    diagnostic.related = related;
    diagnostic
}

/// "joint \"A\"", "[simulation]" or nothing for the top of the file.
fn thing(path: &[Segment], table: &DeTable<'_>) -> String {
    match path {
        // A simulator or an included mechanism written in place.
        [Segment::Key(section), Segment::Index(index), Segment::Key(place), rest @ ..]
            if ["simulator", "include"].contains(&section.as_str())
                && ["model", "equations"].contains(&place.as_str())
                && !rest.is_empty() =>
        {
            let whole = thing(&path[..2], table);
            match inner(table, section, *index, place).map(|inner| thing(rest, inner)) {
                Some(part) if !part.is_empty() => format!("{part} of {whole}"),
                _ => whole,
            }
        }
        [Segment::Key(section), Segment::Index(index), ..] if ENTRY_SECTIONS.contains(&section.as_str()) => {
            let entry = table.get(section.as_str()).and_then(|value| value.get_ref().get(*index));
            match entry.and_then(|entry| entry.get_ref().get("name")).map(|name| name.get_ref()) {
                Some(DeValue::String(name)) => format!("{section} \"{name}\""),
                _ => format!("{section} number {}", index + 1),
            }
        }
        [Segment::Key(section), Segment::Key(_), ..] => format!("[{section}]"),
        [Segment::Key(section)] if table.get(section.as_str()).is_some_and(|value| value.get_ref().is_table()) => {
            format!("[{section}]")
        }
        _ => String::new(),
    }
}

/// The table in which entry `index` of a section is written in place.
fn inner<'a, 'i>(table: &'a DeTable<'i>, section: &str, index: usize, place: &str) -> Option<&'a DeTable<'i>> {
    match table.get(section)?.get_ref().get(index)?.get_ref().get(place)?.get_ref() {
        DeValue::Table(inner) => Some(inner),
        _ => None,
    }
}

/// The innermost key, with the position in its array if the fault is one of several components.
fn last_key(path: &[Segment]) -> &str {
    path.iter()
        .rev()
        .find_map(|segment| match segment {
            Segment::Key(key) => Some(key.as_str()),
            Segment::Index(_) => None,
        })
        .unwrap_or("the file")
}

fn plural(section: &str) -> String {
    match section {
        "body" => "bodies".to_owned(),
        "copies" => section.to_owned(),
        other => format!("{other}s"),
    }
}

fn did_you_mean(word: &str, expected: &[&'static str], otherwise: &str) -> String {
    let list = expected.join(", ");
    // Every letter is near every other one.
    let near = if word.chars().count() > 1 { nearest_name(word, expected.iter().copied()) } else { None };
    match near {
        Some(name) => format!("did you mean `{name}`? ({otherwise} {list})"),
        None if expected.is_empty() => "remove it".to_owned(),
        None => format!("{otherwise} {list}"),
    }
}

/// What serde expects by Rust's names, in the words of the file format.
fn in_words(expected: &str) -> String {
    match expected {
        "u8" | "u32" | "u64" | "usize" => "a whole number that is not negative".to_owned(),
        "i64" => "a whole number".to_owned(),
        "f64" => "a number".to_owned(),
        "a boolean" => "true or false".to_owned(),
        "a string" => "a text in quotes".to_owned(),
        "a map" => "a table".to_owned(),
        "a sequence" => "an array in brackets".to_owned(),
        "an array of length 3" => "three components, as in [0, 0, 1]".to_owned(),
        "an array of length 4" => "four components, as in [1, 0, 0, 0]".to_owned(),
        other => other.strip_prefix("struct ").map_or_else(|| other.to_owned(), |_| "a table".to_owned()),
    }
}

fn missing_remedy(field: &str) -> String {
    let example = match field {
        "mass" => "mass = 1.0  # kg",
        "name" => "name = \"...\", unique in its section",
        "type" => "type = \"...\"; the types are listed in docs/model-format.md",
        "i" | "j" => "i = \"marker\" and j = \"marker\", or { body = \"...\", position = [0, 0, 0] }",
        "value" => "value = \"an expression of time and measures\"",
        "joint" => "joint = \"the name of the joint that is driven\"",
        "body" => "body = \"the name of a body, or ground\"",
        "expression" => "expression = \"an expression of time and measures\"",
        "quantity" => "quantity = \"force\" or quantity = \"torque\"; of a contact \"gap\" or \"normal_force\"",
        "on" => "on = \"the name of a marker or body\"",
        "of" => "of = \"the name of a body\"",
        "contact" => "contact = \"the name of a contact\"",
        "file" => {
            "file = \"the model file of the simulator\", or write the model in place: [simulator.model] or [simulator.equations]"
        }
        "from" | "to" => {
            "from = \"simulator.output\" and to = \"simulator.input\" (of a component: the names of nodes)"
        }
        "rate" => "rate = \"an expression of time, inputs and states\"",
        "count" => "count = [2, 1, 1]",
        "spacing" => "spacing = [0.5, 0, 0]  # m",
        _ => return format!("add `{field}`"),
    };
    format!("add {example}")
}
