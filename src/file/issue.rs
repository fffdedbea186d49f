//! What can be wrong in a model file, as data: kind, place in the text, path through the tables.
//!
//! Deserialization raises an [`Issue`] without a place; each level on the way out adds what it knows. Nothing is worded
//! here: `explain` does that.

use fourbar_multibody::expression::ExpressionError;
use serde::de::{self, Expected, Unexpected};
use std::fmt;
use std::ops::Range;

/// One fault of a model file.
#[derive(Debug)]
pub(crate) struct Issue {
    pub(crate) kind: IssueKind,
    /// Bytes of the text concerned.
    pub(crate) span: Option<Range<usize>>,
    /// From the innermost table outwards.
    pub(crate) path: Vec<Segment>,
}

/// One step of the way to a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Segment {
    Key(String),
    Index(usize),
}

#[derive(Debug)]
pub(crate) enum IssueKind {
    /// A key that the table does not know.
    UnknownField { field: String, expected: Vec<&'static str> },
    /// A key that the table needs.
    MissingField(&'static str),
    /// A word outside a fixed list.
    UnknownWord { word: String, expected: Vec<&'static str> },
    /// A value of the wrong type, or of the right type with a value outside the range.
    WrongValue { found: String, expected: String },
    /// An array with too few or too many entries.
    WrongLength { found: usize, expected: String },
    /// A number that is not finite.
    NotFinite(String),
    /// An integer beyond 64 bits.
    TooLarge(String),
    /// Two entries of a section with one name; the first stands at these bytes.
    DuplicateName { name: String, first: Range<usize> },
    /// An expression that cannot be read.
    Expression(Box<ExpressionError>),
    /// A message of the value's own type.
    Message(String),
}

impl Issue {
    pub(crate) fn new(kind: IssueKind) -> Self {
        Self { kind, span: None, path: Vec::new() }
    }

    /// Places the issue, unless a deeper level has placed it already.
    pub(crate) fn at(mut self, span: Range<usize>) -> Self {
        self.span.get_or_insert(span);
        self
    }

    pub(crate) fn within(mut self, segment: Segment) -> Self {
        self.path.push(segment);
        self
    }

    pub(crate) fn unknown_word(word: &str, expected: &[&'static str]) -> Self {
        Self::new(IssueKind::UnknownWord { word: word.to_owned(), expected: expected.to_vec() })
    }
}

impl fmt::Display for Issue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.kind)
    }
}

impl std::error::Error for Issue {}

impl de::Error for Issue {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self::new(IssueKind::Message(message.to_string()))
    }

    fn invalid_type(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::new(IssueKind::WrongValue { found: describe(found), expected: expected.to_string() })
    }

    fn invalid_value(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::invalid_type(found, expected)
    }

    fn invalid_length(length: usize, expected: &dyn Expected) -> Self {
        Self::new(IssueKind::WrongLength { found: length, expected: expected.to_string() })
    }

    fn unknown_variant(variant: &str, expected: &'static [&'static str]) -> Self {
        Self::unknown_word(variant, expected)
    }

    fn unknown_field(field: &str, expected: &'static [&'static str]) -> Self {
        Self::new(IssueKind::UnknownField { field: field.to_owned(), expected: expected.to_vec() })
    }

    fn missing_field(field: &'static str) -> Self {
        Self::new(IssueKind::MissingField(field))
    }
}

/// The words of the file format for what serde calls by Rust's names.
fn describe(found: Unexpected<'_>) -> String {
    match found {
        Unexpected::Bool(value) => format!("the truth value `{value}`"),
        Unexpected::Signed(value) => format!("the number `{value}`"),
        Unexpected::Unsigned(value) => format!("the number `{value}`"),
        Unexpected::Float(value) => format!("the number `{value}`"),
        Unexpected::Str(text) => format!("the text {text:?}"),
        Unexpected::Seq => "an array".to_owned(),
        Unexpected::Map => "a table".to_owned(),
        Unexpected::Other(what) => what.to_owned(),
        other => other.to_string(),
    }
}
