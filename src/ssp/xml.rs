//! The files of a system structure as trees whose elements know their place, so that every fault has a line.

use crate::Error;
use crate::file::Diagnostic;
use roxmltree::{Document, Node, ParsingOptions};
use std::ops::Range;
use std::str::FromStr;
use std::sync::Arc;

/// Most elements and texts of a file: 100,000 connections with all their attributes.
const MOST_NODES: u32 = 8_000_000;

/// A file by the name that messages have for it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Text {
    pub(super) name: String,
    pub(super) text: String,
}

/// Bytes of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place {
    text: Arc<Text>,
    span: Range<usize>,
}

impl Place {
    /// The beginning of a file.
    pub(super) fn top(text: &Arc<Text>) -> Self {
        Self { text: Arc::clone(text), span: 0..0 }
    }

    /// A fault there.
    pub(super) fn refuse(&self, problem: impl Into<String>, remedy: impl Into<String>) -> Error {
        let Text { name, text } = &*self.text;
        Error::model(Diagnostic::new(name, text, self.span.clone(), problem.into(), remedy.into()))
    }

    /// File and line.
    pub(super) fn shown(&self) -> String {
        format!("{}:{}", self.text.name, crate::file::line_number(&self.text.text, self.span.start))
    }
}

/// Reads a file and gives its root to `then`.
pub(super) fn with_root<T>(
    text: &Arc<Text>,
    name: &str,
    then: impl FnOnce(Element<'_>) -> Result<T, Error>,
) -> Result<T, Error> {
    let options = ParsingOptions { allow_dtd: false, nodes_limit: MOST_NODES, ..ParsingOptions::default() };
    let document = Document::parse_with_options(&text.text, options).map_err(|error| {
        let at = offset(&text.text, error.pos());
        let place = Place { text: Arc::clone(text), span: at..at };
        place.refuse(format!("not XML: {error}"), "correct the file, or write it again with the tool that made it")
    })?;
    let root = Element { text, node: document.root_element() };
    if root.name() != name {
        let problem = format!("the file begins with the element {} instead of {name}", root.name());
        return Err(root.refuse(problem, format!("name a file whose root is {name}")));
    }
    root.version()?;
    then(root)
}

/// The byte of a line and column, which count from 1.
fn offset(text: &str, at: roxmltree::TextPos) -> usize {
    let mut lines = text.split_inclusive('\n');
    let before: usize = lines.by_ref().take((at.row as usize).saturating_sub(1)).map(str::len).sum();
    let within = lines.next().and_then(|line| line.char_indices().nth((at.col as usize).saturating_sub(1)));
    before + within.map_or(0, |(byte, _)| byte)
}

/// An element with the file that it stands in.
#[derive(Clone, Copy)]
pub(super) struct Element<'a> {
    text: &'a Arc<Text>,
    node: Node<'a, 'a>,
}

/// What every entity may have beside its own (SSP 1.0, sections 4.1 and 4.3).
const COMMON: [&str; 2] = ["id", "description"];
/// Pictures, which have no meaning for a simulation.
const GEOMETRY: [&str; 5] =
    ["ElementGeometry", "ConnectorGeometry", "ConnectionGeometry", "SystemGeometry", "GraphicalElements"];

impl<'a> Element<'a> {
    /// Its name without the namespace.
    pub(super) fn name(self) -> &'a str {
        self.node.tag_name().name()
    }

    pub(super) fn place(self) -> Place {
        Place { text: Arc::clone(self.text), span: self.node.range() }
    }

    /// The place of an attribute, or of the element.
    pub(super) fn place_of(self, attribute: &str) -> Place {
        let span = self.node.attribute_node(attribute).map_or_else(|| self.node.range(), |found| found.range());
        Place { text: Arc::clone(self.text), span }
    }

    pub(super) fn refuse(self, problem: impl Into<String>, remedy: impl Into<String>) -> Error {
        self.place().refuse(problem, remedy)
    }

    pub(super) fn children(self) -> impl Iterator<Item = Self> {
        let text = self.text;
        self.node.children().filter(Node::is_element).map(move |node| Self { text, node })
    }

    /// The children of this name.
    pub(super) fn all(self, name: &'static str) -> impl Iterator<Item = Self> {
        self.children().filter(move |child| child.name() == name)
    }

    pub(super) fn child(self, name: &'static str) -> Option<Self> {
        self.all(name).next()
    }

    /// The children of this name within the first child named `list`.
    pub(super) fn within(self, list: &'static str, name: &'static str) -> impl Iterator<Item = Self> {
        self.child(list).into_iter().flat_map(move |list| list.all(name))
    }

    /// The element with this `id` in the whole file.
    pub(super) fn with_id(self, id: &str) -> Option<Self> {
        let found = self.node.document().descendants().find(|node| node.attribute("id") == Some(id));
        found.map(|node| Self { text: self.text, node })
    }

    pub(super) fn words(self) -> &'a str {
        self.node.text().unwrap_or_default().trim()
    }

    pub(super) fn attributes(self) -> impl Iterator<Item = (&'a str, &'a str)> {
        self.node.attributes().filter(|own| own.namespace().is_none()).map(|own| (own.name(), own.value()))
    }

    pub(super) fn optional(self, name: &str) -> Option<&'a str> {
        self.node.attribute(name)
    }

    pub(super) fn required(self, name: &str) -> Result<&'a str, Error> {
        self.optional(name).ok_or_else(|| {
            let remedy = format!("write {name}=\"...\" there");
            self.refuse(format!("{} has no attribute `{name}`", self.name()), remedy)
        })
    }

    /// A number, if it is there.
    pub(super) fn number<T: FromStr + Finite>(self, name: &str) -> Result<Option<T>, Error> {
        let read = |text: &str| {
            let value = text.trim().parse::<T>().ok().filter(T::is_fine);
            value.ok_or_else(|| {
                let problem = format!("`{name}` of {} is \"{text}\"", self.name());
                self.place_of(name).refuse(problem, format!("write {}", T::EXPECTED))
            })
        };
        self.optional(name).map(read).transpose()
    }

    /// A truth value of XML Schema, if it is there.
    pub(super) fn flag(self, name: &str) -> Result<Option<bool>, Error> {
        let read = |text: &str| match text.trim() {
            "true" | "1" => Ok(true),
            "false" | "0" => Ok(false),
            _ => {
                let problem = format!("`{name}` of {} is \"{text}\"", self.name());
                Err(self.place_of(name).refuse(problem, "write true or false"))
            }
        };
        self.optional(name).map(read).transpose()
    }

    /// Refuses versions of the standard that are not known.
    fn version(self) -> Result<(), Error> {
        let version = self.required("version")?;
        match version.split('.').next() {
            Some("1" | "2") => Ok(()),
            _ => {
                let problem = format!("the version of the standard is \"{version}\"");
                Err(self.place_of("version").refuse(problem, "write the file for SSP 1.0 or 2.0"))
            }
        }
    }

    /// Notes every child and attribute beside the known ones.
    pub(super) fn note_others(self, children: &[&str], attributes: &[&str], notes: &mut Notes) {
        for child in self.children().filter(|child| !children.contains(&child.name())) {
            match child.name() {
                name if GEOMETRY.contains(&name) => notes.pictures += 1,
                "Annotations" => {
                    for kind in child.children().filter_map(|own| own.optional("type")) {
                        if kind != super::settings::ANNOTATION {
                            notes.add(&child.place(), format!("the annotation \"{kind}\" is not carried"));
                        }
                    }
                }
                name => notes.add(&child.place(), format!("{name} of {} is not carried", self.called())),
            }
        }
        for (name, _) in self.attributes().filter(|(name, _)| !attributes.contains(name) && !COMMON.contains(name)) {
            notes.add(&self.place_of(name), format!("the attribute `{name}` of {} is not carried", self.called()));
        }
    }

    /// The element with its name, for messages.
    fn called(self) -> String {
        self.optional("name").map_or_else(|| self.name().to_owned(), |name| format!("{} \"{name}\"", self.name()))
    }
}

/// Numbers that attributes may hold.
pub(super) trait Finite {
    /// What is expected, for messages.
    const EXPECTED: &'static str;

    fn is_fine(&self) -> bool;
}

impl Finite for f64 {
    const EXPECTED: &'static str = "a finite number";

    fn is_fine(&self) -> bool {
        self.is_finite()
    }
}

impl Finite for i32 {
    const EXPECTED: &'static str = "a whole number";

    fn is_fine(&self) -> bool {
        true
    }
}

impl Finite for i128 {
    const EXPECTED: &'static str = "a whole number";

    fn is_fine(&self) -> bool {
        true
    }
}

/// Most notes that are told one by one: more are read by nobody.
const MOST_NOTES: usize = 200;

/// What a file says and fourbar does not carry.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Notes {
    all: Vec<String>,
    /// Elements that are pictures alone.
    pictures: usize,
    /// Notes beyond the most.
    more: usize,
}

impl Notes {
    pub(super) fn add(&mut self, place: &Place, words: String) {
        if self.all.len() < MOST_NOTES {
            self.all.push(format!("{}: {words}", place.shown()));
        } else {
            self.more += 1;
        }
    }

    /// All of them; pictures are told once.
    pub(super) fn finish(mut self) -> Vec<String> {
        if self.pictures > 0 {
            self.all.push(format!("geometry is not carried: {} elements", self.pictures));
        }
        if self.more > 0 {
            self.all.push(format!("and {} more", self.more));
        }
        self.all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_of_the_syntax_has_its_line() {
        let text = Text { name: "x.ssd".to_owned(), text: "<a>\n  <\u{e4}b>\n</a>".to_owned() };
        let error = with_root(&Arc::new(text), "a", |_| Ok(())).unwrap_err().to_string();
        assert!(error.starts_with("x.ssd:3:") && error.contains("not XML"), "{error}");
    }
}
