//! Numbers with their units: `500 mm`, `9.81 [m/s^2]`.
//!
//! A text that is one number and a unit may have any unit that [`Unit::parse`] reads. Within a longer text a unit that is one name stands behind the
//! number as it is, any other one in brackets, since `30 m/s` would be a division there.

use super::error::Problem;
use super::token;
use fourbar_linalg::unit::{Dimension, Unit};

/// SI units in one unit of a dimension, of the system of units in which the value of an expression is wanted.
pub(super) type Scale<'a> = &'a dyn Fn(&Dimension) -> f64;

/// What is known of the units in a text.
#[derive(Debug, Clone, Default)]
pub(super) struct Quantities {
    /// Dimensions of the units that the text names.
    pub(super) named: Vec<Dimension>,
    /// The unit, if the text is one number with it.
    pub(super) whole: Option<Box<str>>,
    /// What the value should measure, where that is known: its dimension, and how a unit of it is written.
    pub(super) wanted: Option<(Dimension, String)>,
}

impl Quantities {
    /// Refuses one number whose unit measures something else than is wanted. Angles count as plain numbers: a stiffness in N m/rad is one in N m.
    pub(super) fn check(&self) -> Result<(), Problem> {
        let (Some(unit), [found], Some((wanted, expected))) = (&self.whole, &self.named[..], &self.wanted) else {
            return Ok(());
        };
        let plain = |dimension: &Dimension| [&dimension[..7], &[0]].concat();
        let frequency = unit.contains("Hz");
        if plain(found) == plain(wanted) && !frequency {
            return Ok(());
        }
        Err(Problem::Dimension { unit: unit.to_string(), expected: expected.clone() })
    }
}

/// A text that is one number with its unit: where the number begins, its value, the unit, and how that is written.
pub(super) fn whole(text: &str) -> Option<(usize, f64, Unit, &str)> {
    let start = text.len() - text.trim_start().len();
    let (sign, digits) = match text[start..].strip_prefix('-') {
        Some(rest) => (-1.0, rest),
        None => (1.0, text[start..].strip_prefix('+').unwrap_or(&text[start..])),
    };
    let (number, length) = token::number_at(digits.trim_start())?;
    let unit = digits.trim_start()[length..].trim();
    // A plain number is no quantity.
    let named = unit.chars().any(|c| c.is_alphabetic() || matches!(c, '%' | '\u{b0}'));
    let parsed = Unit::parse(unit).ok().filter(|_| named)?;
    Some((start, sign * number, parsed, unit))
}

/// The value of a number with its unit.
pub(super) fn value(number: f64, unit: &Unit, written: &str, scale: Scale<'_>) -> Result<f64, Problem> {
    let value = (number * unit.factor + unit.offset) / scale(&unit.dimension);
    if value.is_finite() { Ok(value) } else { Err(Problem::Overflow { found: format!("{number:?} {written}") }) }
}
