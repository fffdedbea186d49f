//! The system itself: by matrices, or as diffusion along a rod; and what is measured of it.

use fourbar_multibody::expression::Expression;
use serde::{Deserialize, Serialize};

/// A system by its matrices, rows as arrays. Its outputs are the `[[output]]` entries that name nothing else, in their order.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct StateSpaceModel {
    /// A, n x n \[1/s\].
    pub a: Vec<Vec<Expression>>,
    /// B, n x m, a column for each input; absent for a system without inputs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub b: Vec<Vec<Expression>>,
    /// C, q x n; the identity if absent, so that the outputs are the states.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub c: Vec<Vec<Expression>>,
    /// D, q x m; zero if absent.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub d: Vec<Vec<Expression>>,
    /// x(0), n entries; zero if absent.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub initial: Vec<Expression>,
}

/// du/dt = D d²u/dx² on 0 < x < length, averaged over `cells` cells of equal width: a sparse system with a state for each.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Diffusion {
    /// Number of cells n, 1 to 1,000,000.
    pub cells: u32,
    /// Length \[m\].
    pub length: Expression,
    /// Diffusivity D \[m²/s\].
    pub diffusivity: Expression,
    /// What happens at x = 0; nothing passes if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left: Option<Boundary>,
    /// What happens at x = length; nothing passes if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub right: Option<Boundary>,
    /// u at the start, an expression of `x` \[m\] and parameters.
    #[serde(default = "zero")]
    pub initial: Expression,
}

/// An end of the rod: exactly one of the fields is given.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Boundary {
    /// Input that is u there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// Input that is the flow into the rod there, D du/dx along the inward normal [unit of u times m/s].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub flux: Option<String>,
}

/// A result by name: a column of the results. At most one of `from`, `at` and `expression` is given; none of them for the rows of C.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Output {
    /// Name, unique among outputs.
    pub name: String,
    /// Unit for tables and axes.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub unit: String,
    /// Name of a block (`plant.2` for the second output of one with several) or of an input.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// Place on the rod \[m\], for `diffusion`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<Expression>,
    /// A formula of `time` and other outputs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expression: Option<Expression>,
}

fn zero() -> Expression {
    Expression::constant(0.0)
}
