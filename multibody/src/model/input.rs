//! Numbers that come from outside.

use crate::expression::Expression;
use serde::{Deserialize, Serialize};

/// A number that whoever runs the mechanism sets while it runs: a force from a simulator it is coupled to, a command. Forces and
/// expressions use it by name, as they use measures.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// Name, unique among inputs and measures.
    pub name: String,
    /// Unit, SI; empty for a bare number.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub unit: String,
    /// Value at the start, and for the whole run where nobody sets another.
    #[serde(default = "none")]
    pub value: Expression,
}

fn none() -> Expression {
    Expression::constant(0.0)
}
