//! Expressions of model files.
mod code;
mod definitions;
mod elementary;
mod error;
mod function;
mod interchange;
mod machine;
mod parser;
mod program;
mod scalar;
#[cfg(test)]
mod tests;
mod token;

use std::fmt;

pub use definitions::{CyclicDefinition, definition_order};
pub use error::{ExpressionError, Problem, nearest_name};
pub use parser::is_free_name;
pub use program::{GRADIENT_WIDTH, Program, Stack};
pub use scalar::{Partials, Scalar};

use code::Op;

/// A formula of a model file: a number, or a text such as `"10 * sin(2*pi*time)"`.
///
/// Two expressions are equal if they compute the same operations on the same names, however they are spaced.
#[derive(Debug, Clone)]
pub struct Expression {
    source: String,
    code: Vec<Op>,
    /// Where each operation is written in `source`, in bytes.
    places: Vec<usize>,
    variables: Vec<String>,
    /// Where each variable is first used in `source`, in bytes.
    first_uses: Vec<usize>,
}

/// What a name of an expression stands for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Binding {
    /// A number that is known when the model is compiled.
    Constant(f64),
    /// The value in the slot of this index, given at each evaluation.
    Slot(usize),
}

impl Expression {
    /// Parses the text of an expression.
    ///
    /// # Errors
    /// The first problem in the text, with its place.
    pub fn parse(text: &str) -> Result<Self, ExpressionError> {
        let parsed = parser::parse(text)?;
        Ok(Self {
            source: text.to_owned(),
            code: parsed.code,
            places: parsed.places,
            variables: parsed.variables,
            first_uses: parsed.first_uses,
        })
    }

    /// The expression of a number.
    ///
    /// A value that is not finite is kept, and every evaluation shows it; model files cannot contain one.
    #[must_use]
    pub fn constant(value: f64) -> Self {
        Self {
            source: format!("{value:?}"),
            code: vec![Op::Constant(value)],
            places: vec![0],
            variables: Vec::new(),
            first_uses: Vec::new(),
        }
    }

    /// The text of the expression.
    #[must_use]
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The names that the expression uses, `time` among them, in order of first use. `pi` is not a name.
    #[must_use]
    pub fn variables(&self) -> &[String] {
        &self.variables
    }

    /// The value, if the expression uses no names.
    ///
    /// ```
    /// use fourbar_multibody::expression::Expression;
    /// assert_eq!(Expression::parse("2 * 3 + 1")?.value(), Some(7.0));
    /// assert_eq!(Expression::parse("2 * time")?.value(), None);
    /// # Ok::<(), fourbar_multibody::expression::ExpressionError>(())
    /// ```
    #[must_use]
    pub fn value(&self) -> Option<f64> {
        if !self.variables.is_empty() {
            return None;
        }
        // Without names, only conditionals are left to be folded, which binding does.
        program::bind(self, &mut |_| None).ok()?.is_constant()
    }

    /// Compiles the expression; `resolve` says what each of [`Self::variables`] stands for.
    ///
    /// # Errors
    /// A name that `resolve` does not know ([`ExpressionError::suggest`] adds the nearest known one), a constant
    /// that is not finite, a step over an interval that the constants make empty.
    pub fn bind(
        &self,
        resolve: &mut dyn FnMut(&str) -> Option<Binding>,
    ) -> Result<Program, ExpressionError> {
        program::bind(self, resolve)
    }
}

impl PartialEq for Expression {
    fn eq(&self, other: &Self) -> bool {
        self.code == other.code && self.variables == other.variables
    }
}

impl fmt::Display for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.source)
    }
}

impl std::str::FromStr for Expression {
    type Err = ExpressionError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::parse(text)
    }
}

impl From<f64> for Expression {
    fn from(value: f64) -> Self {
        Self::constant(value)
    }
}
