//! Sections whose entries have a `type`, and names that must be unique.
//!
//! serde buffers tagged tables and loses their places on the way; here the type is read first and the rest of the table is
//! then read straight into the struct of that type.

use super::issue::{Issue, IssueKind, Segment};
use super::value::{Table, Value};
use serde::de::{self, DeserializeOwned, Unexpected};
use std::collections::BTreeMap;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Refuses two entries of one section with the same name.
pub(crate) fn unique_names(file: &DeTable<'_>) -> Result<(), Issue> {
    for &section in super::explain::ENTRY_SECTIONS {
        let Some(DeValue::Array(array)) = file.get(section).map(Spanned::get_ref) else { continue };
        let mut seen = BTreeMap::new();
        for (index, entry) in array.iter().enumerate() {
            let Some(name) = entry.get_ref().get("name") else { continue };
            let DeValue::String(text) = name.get_ref() else { continue };
            if let Some(first) = seen.insert(text.as_ref(), name.span()) {
                return Err(Issue::new(IssueKind::DuplicateName { name: text.to_string(), first })
                    .at(name.span())
                    .within(Segment::Index(index))
                    .within(Segment::Key(section.to_owned())));
            }
        }
    }
    Ok(())
}

/// One table of a section.
pub(super) struct Entry<'a, 'i> {
    table: &'a DeTable<'i>,
    span: Range<usize>,
}

impl<'a, 'i> Entry<'a, 'i> {
    /// The file as a whole.
    pub(super) fn top(table: &'a DeTable<'i>) -> Self {
        Self { table, span: 0..0 }
    }

    /// The bytes of the table.
    pub(super) fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    pub(super) fn required(&self, field: &'static str) -> Result<&'a Spanned<DeValue<'i>>, Issue> {
        self.table.get(field).ok_or_else(|| de::Error::missing_field(field))
    }

    /// The value of `field`.
    pub(super) fn field<T: DeserializeOwned>(&self, field: &'static str) -> Result<T, Issue> {
        T::deserialize(Value(self.required(field)?)).map_err(|issue| issue.within(Segment::Key(field.to_owned())))
    }

    /// The value of `field`, if there is one.
    pub(super) fn optional<T: DeserializeOwned>(&self, field: &'static str) -> Result<Option<T>, Issue> {
        if self.has(field) { self.field(field).map(Some) } else { Ok(None) }
    }

    /// The word of `field`, one of `expected`.
    pub(super) fn word(&self, field: &'static str, expected: &[&'static str]) -> Result<&'a str, Issue> {
        let value = self.required(field)?;
        let issue = match value.get_ref() {
            DeValue::String(word) if expected.contains(&word.as_ref()) => return Ok(word),
            DeValue::String(word) => Issue::unknown_word(word, expected),
            other => de::Error::invalid_type(
                Unexpected::Other(other.type_str()),
                &format!("one of {}", expected.join(", ")).as_str(),
            ),
        };
        Err(issue.at(value.span()).within(Segment::Key(field.to_owned())))
    }

    /// Whether the table has this field.
    pub(super) fn has(&self, field: &str) -> bool {
        self.table.contains_key(field)
    }

    /// The fields other than `without`.
    pub(super) fn rest<T: DeserializeOwned>(&self, without: &[&'static str]) -> Result<T, Issue> {
        T::deserialize(Table { table: self.table, span: self.span.clone(), without }).map_err(|mut issue| {
            if let (IssueKind::UnknownField { expected, .. }, true) = (&mut issue.kind, issue.path.is_empty()) {
                expected.extend(without.iter().filter(|name| !expected.contains(name)).collect::<Vec<_>>());
            }
            issue
        })
    }
}

/// The entries of a section, each read by `read`.
pub(super) fn entries<T>(
    file: &DeTable<'_>,
    section: &'static str,
    read: impl Fn(&Entry<'_, '_>) -> Result<T, Issue>,
) -> Result<Vec<T>, Issue> {
    let within = |issue: Issue| issue.within(Segment::Key(section.to_owned()));
    let Some(value) = file.get(section) else { return Ok(Vec::new()) };
    let wrong = |value: &Spanned<DeValue<'_>>, expected: &'static str| {
        let found = Unexpected::Other(value.get_ref().type_str());
        Issue::at(de::Error::invalid_type(found, &expected), value.span())
    };
    let DeValue::Array(array) = value.get_ref() else {
        return Err(within(wrong(value, "entries, each with its own header")));
    };
    let one = |(index, value): (usize, &Spanned<DeValue<'_>>)| {
        let read = match value.get_ref() {
            DeValue::Table(table) => read(&Entry { table, span: value.span() }).map_err(|issue| issue.at(value.span())),
            _ => Err(wrong(value, "a table")),
        };
        read.map_err(|issue| within(issue.within(Segment::Index(index))))
    };
    array.iter().enumerate().map(one).collect()
}
