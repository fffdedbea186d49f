//! Expressions in model files: a number or a text.
use std::fmt;

use serde::de::{Error, Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::expression::Expression;

impl Expression {
    /// The number, if the text of the expression is one.
    fn literal(&self) -> Option<f64> {
        let text = self.source.trim();
        text.parse::<f64>().ok().filter(|value| value.is_finite())
    }
}

/// A number if the text is one, otherwise the text.
impl Serialize for Expression {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.literal() {
            Some(value) => serializer.serialize_f64(value),
            None => serializer.serialize_str(&self.source),
        }
    }
}

impl<'de> Deserialize<'de> for Expression {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(NumberOrText)
    }
}

struct NumberOrText;

impl Visitor<'_> for NumberOrText {
    type Value = Expression;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a finite number or an expression in quotes")
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Expression, E> {
        if value.is_finite() {
            Ok(Expression::constant(value))
        } else {
            Err(E::invalid_value(Unexpected::Float(value), &self))
        }
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Expression, E> {
        Ok(Expression::whole(value.into()))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Expression, E> {
        Ok(Expression::whole(value.into()))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Expression, E> {
        Expression::parse(text).map_err(E::custom)
    }
}
