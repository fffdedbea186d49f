//! Input signals as functions of time.

use fourbar_multibody::expression::Expression;
use serde::{Deserialize, Serialize};

/// An input signal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Input {
    /// By an expression of `time`.
    Expression(TimeInput),
    /// A jump.
    Step(StepInput),
    /// A sine.
    Sine(SineInput),
    /// Straight lines between points.
    Table(SampledInput),
    /// From outside.
    External(ExternalInput),
}

impl Input {
    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Expression(input) => &input.name,
            Self::Step(input) => &input.name,
            Self::Sine(input) => &input.name,
            Self::Table(input) => &input.name,
            Self::External(input) => &input.name,
        }
    }

    /// It, if it comes from outside.
    pub(crate) fn external(&self) -> Option<&ExternalInput> {
        match self {
            Self::External(input) => Some(input),
            _ => None,
        }
    }
}

/// A signal by an expression of `time`. Its jumps and kinks are found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct TimeInput {
    /// Name, unique among inputs and blocks.
    pub name: String,
    /// The signal.
    pub value: Expression,
}

/// `before` up to `time`, `after` from there on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct StepInput {
    /// Name, unique among inputs and blocks.
    pub name: String,
    /// When it jumps \[s\].
    #[serde(default = "zero")]
    pub time: Expression,
    /// Value before.
    #[serde(default = "zero")]
    pub before: Expression,
    /// Value from then on.
    #[serde(default = "one")]
    pub after: Expression,
}

/// offset + amplitude sin(2 pi frequency t + phase).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SineInput {
    /// Name, unique among inputs and blocks.
    pub name: String,
    /// Amplitude.
    #[serde(default = "one")]
    pub amplitude: Expression,
    /// Frequency \[Hz\].
    pub frequency: Expression,
    /// Phase at t = 0 \[rad\].
    #[serde(default = "zero")]
    pub phase: Expression,
    /// Mean value.
    #[serde(default = "zero")]
    pub offset: Expression,
}

/// Straight lines between points; before the first and after the last the value stays. Two points at one time are a jump.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SampledInput {
    /// Name, unique among inputs and blocks.
    pub name: String,
    /// Times \[s\] and values, in the order of time.
    pub points: Vec<[Expression; 2]>,
}

/// A number that the simulators to which the model is coupled set while it runs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ExternalInput {
    /// Name, unique among inputs.
    pub name: String,
    /// Unit; a plain number if absent.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub unit: String,
    /// Value at the start, and for the whole run where nobody sets another; 0 if absent, of which a coupled run warns where nothing is connected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<Expression>,
}

impl ExternalInput {
    /// That value.
    pub(crate) fn start(&self) -> Expression {
        self.value.clone().unwrap_or_else(zero)
    }
}

fn zero() -> Expression {
    Expression::constant(0.0)
}

fn one() -> Expression {
    Expression::constant(1.0)
}
