//! What is done to a value on its way (SSP 1.0, section 4.5.2).

use super::xml::{Element, Place};
use crate::Error;
use std::collections::BTreeMap;

/// A transformation of a connection or of an entry of a mapping.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Transformation {
    /// target = factor source + offset.
    Linear {
        factor: f64,
        offset: f64,
    },
    Booleans(BTreeMap<bool, bool>),
    Integers(BTreeMap<i128, i128>),
    Items(BTreeMap<String, String>),
}

/// The names of all of them.
pub(super) const TRANSFORMATIONS: [&str; 4] = [
    "LinearTransformation",
    "BooleanMappingTransformation",
    "IntegerMappingTransformation",
    "EnumerationMappingTransformation",
];

impl Transformation {
    /// That within a connection or an entry.
    pub(super) fn read(node: Element<'_>) -> Result<Option<Self>, Error> {
        let mut found = node.children().filter(|child| TRANSFORMATIONS.contains(&child.name()));
        let Some(own) = found.next() else { return Ok(None) };
        if let Some(second) = found.next() {
            return Err(second.refuse("there are two transformations", "keep one of them"));
        }
        Ok(Some(match own.name() {
            "LinearTransformation" => Self::Linear {
                factor: own.number("factor")?.unwrap_or(1.0),
                offset: own.number("offset")?.unwrap_or(0.0),
            },
            "BooleanMappingTransformation" => {
                let value = |entry: Element<'_>, side| entry.flag(side)?.ok_or_else(|| missing(entry, side));
                Self::Booleans(entries(own, |entry| Ok((value(entry, "source")?, value(entry, "target")?)))?)
            }
            "IntegerMappingTransformation" => {
                let value = |entry: Element<'_>, side| entry.number(side)?.ok_or_else(|| missing(entry, side));
                Self::Integers(entries(own, |entry| Ok((value(entry, "source")?, value(entry, "target")?)))?)
            }
            _ => {
                let value = |entry: Element<'_>, side| entry.required(side).map(str::to_owned);
                Self::Items(entries(own, |entry| Ok((value(entry, "source")?, value(entry, "target")?)))?)
            }
        }))
    }

    /// Factor and offset, where it is a straight line on the numbers that pass: 0 and 1 for truth values.
    pub(super) fn line(&self, place: &Place) -> Result<(f64, f64), Error> {
        match self {
            Self::Linear { factor, offset } => Ok((*factor, *offset)),
            Self::Booleans(table) => {
                let [no, yes] = [false, true].map(|own| f64::from(*table.get(&own).unwrap_or(&own)));
                Ok((yes - no, no))
            }
            Self::Integers(table) if table.iter().all(|(source, target)| source == target) => Ok((1.0, 0.0)),
            Self::Items(table) if table.iter().all(|(source, target)| source == target) => Ok((1.0, 0.0)),
            Self::Integers(_) | Self::Items(_) => Err(place.refuse(
                "values that pass while the run goes on cannot be mapped by a table of integers",
                "give source and target the same values, or map them within a component",
            )),
        }
    }
}

fn missing(entry: Element<'_>, side: &str) -> Error {
    entry.refuse(format!("{} has no attribute `{side}`", entry.name()), format!("write {side}=\"...\" there"))
}

fn entries<T: Ord>(
    node: Element<'_>,
    read: impl Fn(Element<'_>) -> Result<(T, T), Error>,
) -> Result<BTreeMap<T, T>, Error> {
    let mut table = BTreeMap::new();
    for entry in node.all("MapEntry") {
        let (source, target) = read(entry)?;
        if table.insert(source, target).is_some() {
            return Err(entry.refuse("this source value is mapped twice", "keep one of the entries"));
        }
    }
    Ok(table)
}
