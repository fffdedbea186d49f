//! Curves through points, for `akispl` and `cubspl` in expressions.

use super::source::SourceFile;
use crate::spline::{Spline as Interpolated, SplineError};
use serde::de::{SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// A curve y(x) through points, or a family of curves y(x, z): in the model, or in a file of columns.
///
/// Expressions use it by its name, as in `akispl(gap.x, name)`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Spline {
    /// Name, unique among splines and parameters.
    pub name: String,
    /// Values of x, which increase; at least two.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub x: Vec<f64>,
    /// Values of y at these x; of a family a list of them for each z.
    #[serde(skip_serializing_if = "Ordinates::is_empty")]
    pub y: Ordinates,
    /// Of a family of curves: the value of each, which increase; at least two.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub z: Vec<f64>,
    /// File of columns in place of `x` and `y`, relative to the folder of the model file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Columns of the file, by the names in its first line or by numbers from 1: that of x, then that of y or of each curve. The first
    /// ones if absent.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub columns: Vec<Column>,
    /// The file that the numbers were read from.
    #[serde(skip)]
    pub source: Option<SourceFile>,
}

/// A column of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Column {
    /// By its number, from 1.
    Number(usize),
    /// By its name in the first line.
    Name(String),
}

/// Values of y: one list, or one for each curve of a family.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Ordinates(pub Vec<Vec<f64>>);

impl Ordinates {
    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Spline {
    /// The curve through the points (x, y).
    #[must_use]
    pub fn curve(name: &str, x: &[f64], y: &[f64]) -> Self {
        Self { name: name.to_owned(), x: x.to_vec(), y: Ordinates(vec![y.to_vec()]), ..Self::default() }
    }

    /// The curves through (x, `y[k]`) at `z[k]`.
    #[must_use]
    pub fn family(name: &str, x: &[f64], y: Vec<Vec<f64>>, z: &[f64]) -> Self {
        Self { name: name.to_owned(), x: x.to_vec(), y: Ordinates(y), z: z.to_vec(), ..Self::default() }
    }

    /// What expressions evaluate.
    ///
    /// # Errors
    /// As [`Spline::new`](crate::Spline::new).
    pub fn interpolated(&self) -> Result<Interpolated, SplineError> {
        let rows: Vec<&[f64]> = self.y.0.iter().map(Vec::as_slice).collect();
        Interpolated::new(&self.x, &rows, &self.z)
    }
}

impl Serialize for Ordinates {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.as_slice() {
            [curve] => curve.serialize(serializer),
            curves => curves.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Ordinates {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(Rows)
    }
}

struct Rows;

impl<'de> Visitor<'de> for Rows {
    type Value = Ordinates;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of numbers, or a list of such lists")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut entries: A) -> Result<Ordinates, A::Error> {
        let (mut curve, mut curves) = (Vec::new(), Vec::new());
        while let Some(entry) = entries.next_element()? {
            match entry {
                Entry::Number(value) => curve.push(value),
                Entry::Curve(values) => curves.push(values),
            }
        }
        match (curve.is_empty(), curves.is_empty()) {
            (false, false) => Err(serde::de::Error::custom("numbers and lists are mixed; write one or the other")),
            (false, true) => Ok(Ordinates(vec![curve])),
            _ => Ok(Ordinates(curves)),
        }
    }
}

enum Entry {
    Number(f64),
    Curve(Vec<f64>),
}

impl<'de> Deserialize<'de> for Entry {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(NumberOrCurve)
    }
}

struct NumberOrCurve;

impl<'de> Visitor<'de> for NumberOrCurve {
    type Value = Entry;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number, or a list of numbers")
    }

    fn visit_f64<E>(self, value: f64) -> Result<Entry, E> {
        Ok(Entry::Number(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Entry, E> {
        Ok(Entry::Number(value as f64))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Entry, E> {
        Ok(Entry::Number(value as f64))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut entries: A) -> Result<Entry, A::Error> {
        let mut curve = Vec::with_capacity(entries.size_hint().unwrap_or(0));
        while let Some(value) = entries.next_element()? {
            curve.push(value);
        }
        Ok(Entry::Curve(curve))
    }
}
