//! Blocks of a controller or filter. Each stands for states and measures: its output is a measure of its name.

use crate::expression::Expression;
use serde::{Deserialize, Serialize};

/// y = H(s) u with H = numerator(s)/denominator(s); it starts at rest. Its input is the measure `NAME.u`, its states are `NAME.x1` and so on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct TransferFunction {
    /// Name, unique among measures, states and inputs.
    pub name: String,
    /// Unit of the output, SI; empty for a bare number.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub unit: String,
    /// What enters, over `time`, measures, inputs and states.
    pub input: Expression,
    /// Coefficients of the numerator, highest power of s first; not more than those of the denominator.
    pub numerator: Vec<Expression>,
    /// Coefficients of the denominator, highest power of s first; the first is not 0.
    pub denominator: Vec<Expression>,
}

/// x' = A x + B u, y = C x + D u. Inputs are the measures `NAME.u1` and so on, states `NAME.x1`, outputs `NAME.y1`; a single output is `NAME`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct StateSpaceBlock {
    /// Name, unique among measures, states and inputs.
    pub name: String,
    /// Unit of the outputs, SI; empty for bare numbers.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub unit: String,
    /// What enters, one entry an input, over `time`, measures, inputs and states.
    pub inputs: Vec<Expression>,
    /// A by rows, n x n.
    pub a: Vec<Vec<Expression>>,
    /// B by rows, n x inputs.
    pub b: Vec<Vec<Expression>>,
    /// C by rows, outputs x n.
    pub c: Vec<Vec<Expression>>,
    /// D by rows, outputs x inputs; zero if left out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub d: Vec<Vec<Expression>>,
    /// x at the start, n entries; zero if left out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub start: Vec<Expression>,
}

/// y = `kp` e + `ki` times the integral of e + `kd` times the filtered rate of e, between limits. The error e is the measure `NAME.u`, the output without
/// limits `NAME.raw`; states are `NAME.integral` (`ki` times the integral) and `NAME.filtered`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Pid {
    /// Name, unique among measures, states and inputs.
    pub name: String,
    /// Unit of the output, SI; empty for a bare number.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub unit: String,
    /// The error e, over `time`, measures, inputs and states.
    pub input: Expression,
    /// Proportional gain.
    #[serde(default = "none")]
    pub kp: Expression,
    /// Integral gain [1/s of the proportional one].
    #[serde(default = "none")]
    pub ki: Expression,
    /// Derivative gain [s of the proportional one].
    #[serde(default = "none")]
    pub kd: Expression,
    /// Time constant of the filter of the derivative \[s\]; needed with `kd`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub filter: Option<Expression>,
    /// Smallest output.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lower: Option<Expression>,
    /// Largest output.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub upper: Option<Expression>,
    /// Time within which the integral returns from a limit \[s\] (anti-windup); `kp`/`ki` if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tracking: Option<Expression>,
    /// Integral part at the start.
    #[serde(default = "none")]
    pub start: Expression,
    /// Error before the start, from which the derivative begins.
    #[serde(default = "none")]
    pub start_input: Expression,
}

fn none() -> Expression {
    Expression::constant(0.0)
}
