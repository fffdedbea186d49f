//! Unknowns of the user, solved with the mechanism.

use crate::expression::Expression;
use serde::{Deserialize, Serialize};

/// An unknown x of the user: x' = `rate`, or 0 = `zero`. Forces, measures and other states use it by name, and it is a measure itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct UserState {
    /// Name, unique among states, measures and inputs.
    pub name: String,
    /// Unit, SI; empty for a bare number.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub unit: String,
    /// Its derivative by the time, over `time`, measures, inputs and states; in place of `zero`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rate: Option<Expression>,
    /// What is zero at the right value, over the same; in place of `rate`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub zero: Option<Expression>,
    /// Value at the start; of `zero` a guess near to it.
    #[serde(default = "none")]
    pub start: Expression,
    /// Typical size in its unit, above 0: the error test goes by it as long as the value rests at 0.
    #[serde(default = "one")]
    pub size: Expression,
}

fn none() -> Expression {
    Expression::constant(0.0)
}

fn one() -> Expression {
    Expression::constant(1.0)
}
