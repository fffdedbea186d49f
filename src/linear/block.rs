//! The blocks of a diagram. What enters a block is a linear combination of inputs and blocks by name.

use fourbar_multibody::expression::Expression;
use serde::de::{self, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// A block of a diagram.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "snake_case")]
// Data of a model: read once, never moved in a loop.
#[allow(clippy::large_enum_variant)]
pub enum Block {
    /// y = gain u.
    Gain(Constant),
    /// y = u: a name for a combination of signals, such as a control error.
    Sum(Sum),
    /// dy/dt = u.
    Integrator(First),
    /// `time_constant` dy/dt + y = gain u.
    Lag(Lag),
    /// A quotient of two polynomials of s.
    TransferFunction(Polynomials),
    /// gain times a quotient of two products over s.
    ZerosPolesGain(ZerosPoles),
    /// A system by its matrices.
    StateSpace(Matrices),
}

impl Block {
    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Gain(block) => &block.name,
            Self::Sum(block) => &block.name,
            Self::Integrator(block) => &block.name,
            Self::Lag(block) => &block.name,
            Self::TransferFunction(block) => &block.name,
            Self::ZerosPolesGain(block) => &block.name,
            Self::StateSpace(block) => &block.name,
        }
    }

    /// What enters, one expression for each port.
    #[must_use]
    pub fn inputs(&self) -> &[Expression] {
        use std::slice::from_ref;
        match self {
            Self::Gain(block) => from_ref(&block.input),
            Self::Sum(block) => from_ref(&block.input),
            Self::Integrator(block) => from_ref(&block.input),
            Self::Lag(block) => from_ref(&block.input),
            Self::TransferFunction(block) => from_ref(&block.input),
            Self::ZerosPolesGain(block) => from_ref(&block.input),
            Self::StateSpace(block) => &block.inputs,
        }
    }
}

/// A factor.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Constant {
    /// Name, unique among blocks and inputs.
    pub name: String,
    /// What enters.
    pub input: Expression,
    /// The factor.
    pub gain: Expression,
}

/// A summing junction.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Sum {
    /// Name, unique among blocks and inputs.
    pub name: String,
    /// What enters, as in `"reference - position"`.
    pub input: Expression,
}

/// An integrator.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct First {
    /// Name, unique among blocks and inputs.
    pub name: String,
    /// What enters.
    pub input: Expression,
    /// Output at the start.
    #[serde(default = "zero")]
    pub initial: Expression,
}

/// A lag of first order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Lag {
    /// Name, unique among blocks and inputs.
    pub name: String,
    /// What enters.
    pub input: Expression,
    /// Gain at rest.
    #[serde(default = "one")]
    pub gain: Expression,
    /// Time constant \[s\].
    pub time_constant: Expression,
    /// Output at the start.
    #[serde(default = "zero")]
    pub initial: Expression,
}

/// H(s) = numerator(s)/denominator(s); starts at rest.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Polynomials {
    /// Name, unique among blocks and inputs.
    pub name: String,
    /// What enters.
    pub input: Expression,
    /// Coefficients, highest power of s \[1/s\] first.
    pub numerator: Vec<Expression>,
    /// Coefficients, highest power of s \[1/s\] first.
    pub denominator: Vec<Expression>,
}

/// H(s) = gain prod (s - zero)/prod (s - pole); starts at rest. Keeps poles of any spread to the last digit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ZerosPoles {
    /// Name, unique among blocks and inputs.
    pub name: String,
    /// What enters.
    pub input: Expression,
    /// Zeros \[1/s\].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub zeros: Vec<Root>,
    /// Poles \[1/s\].
    pub poles: Vec<Root>,
    /// Ratio of the leading coefficients.
    pub gain: Expression,
}

/// A zero or pole: a number; or `[re, im]`, which stands for the number and its conjugate.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(untagged))]
pub enum Root {
    /// Real.
    Real(Expression),
    /// Real part and imaginary part of a conjugate pair.
    Pair([Expression; 2]),
}

impl Serialize for Root {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Real(value) => value.serialize(serializer),
            Self::Pair(parts) => parts.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Root {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct RootVisitor;
        impl<'de> Visitor<'de> for RootVisitor {
            type Value = Root;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number, an expression, or a conjugate pair as [re, im]")
            }

            fn visit_i64<E: de::Error>(self, value: i64) -> Result<Root, E> {
                Ok(Root::Real(Expression::constant(value as f64)))
            }

            fn visit_u64<E: de::Error>(self, value: u64) -> Result<Root, E> {
                Ok(Root::Real(Expression::constant(value as f64)))
            }

            fn visit_f64<E: de::Error>(self, value: f64) -> Result<Root, E> {
                Ok(Root::Real(Expression::constant(value)))
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Root, E> {
                Expression::parse(text).map(Root::Real).map_err(E::custom)
            }

            fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Root, A::Error> {
                Deserialize::deserialize(de::value::SeqAccessDeserializer::new(seq)).map(Root::Pair)
            }
        }
        deserializer.deserialize_any(RootVisitor)
    }
}

/// A system by its matrices, rows as arrays.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Matrices {
    /// Name, unique among blocks and inputs.
    pub name: String,
    /// What enters, one for each column of B.
    pub inputs: Vec<Expression>,
    /// A, n x n \[1/s\].
    pub a: Vec<Vec<Expression>>,
    /// B, n x m.
    pub b: Vec<Vec<Expression>>,
    /// C, q x n; the identity if absent.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub c: Vec<Vec<Expression>>,
    /// D, q x m; zero if absent.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub d: Vec<Vec<Expression>>,
    /// x(0); zero if absent.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub initial: Vec<Expression>,
}

fn zero() -> Expression {
    Expression::constant(0.0)
}

fn one() -> Expression {
    Expression::constant(1.0)
}
