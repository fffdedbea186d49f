//! Vectors of a model: three numbers or expressions.

use crate::expression::Expression;

/// Three components, each a number or an expression of parameters.
pub type Vector3 = [Expression; 3];

/// A zero vector.
#[must_use]
pub fn zero() -> Vector3 {
    vector([0.0; 3])
}

/// A vector of plain numbers.
#[must_use]
pub fn vector(v: [f64; 3]) -> Vector3 {
    v.map(Expression::constant)
}
