//! Reading of Rust values from TOML values that know their place in the text.
//!
//! The deserializers of the `toml` crate word their errors at once; this one keeps them as data ([`Issue`]) with place and
//! path, and stops numbers that are not finite.

use super::issue::{Issue, IssueKind, Segment};
use fourbar_multibody::expression::Expression;
use serde::de::value::StrDeserializer;
use serde::de::{self, DeserializeSeed, Deserializer, IntoDeserializer, MapAccess, SeqAccess, Unexpected, Visitor};
use serde::forward_to_deserialize_any;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A value of the file.
pub(crate) struct Value<'a, 'i>(pub(crate) &'a Spanned<DeValue<'i>>);

/// A table of the file, some of whose keys may be left to another reader.
pub(crate) struct Table<'a, 'i> {
    pub(crate) table: &'a DeTable<'i>,
    pub(crate) span: Range<usize>,
    pub(crate) without: &'a [&'a str],
}

impl<'de> Deserializer<'de> for Value<'_, '_> {
    type Error = Issue;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Issue> {
        let span = self.0.span();
        let read = match self.0.get_ref() {
            DeValue::String(text) => visitor.visit_str(text).map_err(|issue| narrow(issue, text, &span)),
            DeValue::Integer(number) => match i64::from_str_radix(number.as_str(), number.radix()) {
                Ok(value) => visitor.visit_i64(value),
                Err(_) => Err(Issue::new(IssueKind::TooLarge(number.to_string()))),
            },
            DeValue::Float(number) => match number.as_str().parse::<f64>() {
                Ok(value) if value.is_finite() => visitor.visit_f64(value),
                _ => Err(Issue::new(IssueKind::NotFinite(number.as_str().to_owned()))),
            },
            DeValue::Boolean(value) => visitor.visit_bool(*value),
            DeValue::Datetime(_) => Err(de::Error::invalid_type(Unexpected::Other("a date or time"), &visitor)),
            DeValue::Array(array) => {
                let mut entries = Entries { array: array.iter().enumerate() };
                let read = visitor.visit_seq(&mut entries);
                match (read, entries.array.next()) {
                    // Vectors and pairs take as many as they have, whatever follows.
                    (Ok(_), Some((taken, _))) => Err(Issue::new(IssueKind::WrongLength {
                        found: array.len(),
                        expected: format!("{taken} entries"),
                    })),
                    (read, _) => read,
                }
            }
            DeValue::Table(table) => {
                return Table { table, span, without: &[] }.deserialize_any(visitor);
            }
        };
        read.map_err(|issue| issue.at(span))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Issue> {
        visitor.visit_some(self)
    }

    /// TOML asks for the range of `i64`; a seed may have all 64 bits.
    fn deserialize_u64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Issue> {
        let large = match self.0.get_ref() {
            DeValue::Integer(number) => u64::from_str_radix(number.as_str(), number.radix()).ok(),
            _ => None,
        };
        match large {
            Some(value) => visitor.visit_u64(value).map_err(|issue: Issue| issue.at(self.0.span())),
            None => self.deserialize_any(visitor),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _name: &'static str, visitor: V) -> Result<V::Value, Issue> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Issue> {
        let span = self.0.span();
        match self.0.get_ref() {
            DeValue::String(text) => {
                let word: StrDeserializer<'_, Issue> = text.as_ref().into_deserializer();
                word.deserialize_enum(name, variants, visitor).map_err(|issue| issue.at(span))
            }
            _ => self.deserialize_any(visitor),
        }
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct map struct identifier ignored_any
    }
}

impl<'de> Deserializer<'de> for Table<'_, '_> {
    type Error = Issue;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Issue> {
        let mut pairs = Pairs { pairs: self.table.iter(), without: self.without, value: None };
        visitor.visit_map(&mut pairs).map_err(|issue| issue.at(self.span))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

/// A message about the text of an expression becomes the expression's own error, and points to the character concerned
/// if the text is written plainly: one line, no escapes.
fn narrow(issue: Issue, text: &str, span: &Range<usize>) -> Issue {
    match (&issue.kind, Expression::parse(text)) {
        (IssueKind::Message(_), Err(error)) => {
            let plainly_written = span.len() == text.len() + 2;
            let start = if plainly_written { span.start + 1 + error.offset } else { span.start };
            Issue { kind: IssueKind::Expression(Box::new(error)), ..issue }.at(start..span.end)
        }
        _ => issue,
    }
}

struct Entries<'a, 'i> {
    array: std::iter::Enumerate<std::slice::Iter<'a, Spanned<DeValue<'i>>>>,
}

impl<'de> SeqAccess<'de> for &mut Entries<'_, '_> {
    type Error = Issue;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Issue> {
        let Some((index, value)) = self.array.next() else { return Ok(None) };
        seed.deserialize(Value(value)).map(Some).map_err(|issue| issue.within(Segment::Index(index)))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.array.len())
    }
}

struct Pairs<'a, 'i, I> {
    pairs: I,
    without: &'a [&'a str],
    value: Option<(&'a str, &'a Spanned<DeValue<'i>>)>,
}

impl<'de, 'a, 'i, I> MapAccess<'de> for &mut Pairs<'a, 'i, I>
where
    I: Iterator<Item = (&'a Spanned<std::borrow::Cow<'i, str>>, &'a Spanned<DeValue<'i>>)>,
    'i: 'a,
{
    type Error = Issue;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Issue> {
        for (key, value) in self.pairs.by_ref() {
            let name = key.get_ref().as_ref();
            if self.without.contains(&name) {
                continue;
            }
            self.value = Some((name, value));
            let word: StrDeserializer<'_, Issue> = name.into_deserializer();
            return seed.deserialize(word).map(Some).map_err(|issue| issue.at(key.span()));
        }
        Ok(None)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Issue> {
        match self.value.take() {
            Some((name, value)) => {
                seed.deserialize(Value(value)).map_err(|issue| issue.within(Segment::Key(name.to_owned())))
            }
            None => Err(de::Error::custom("a value was asked for before its key")),
        }
    }
}
