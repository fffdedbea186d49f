//! What is wrong in a model, where, and what to write instead.

use super::location::Location;
use crate::error::{ExpressionError, Problem, nearest_name};

/// Something wrong in a model.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{location}: {problem}; {remedy}")]
pub struct ModelError {
    /// Where.
    pub location: Location,
    /// What is wrong, with the value.
    pub problem: String,
    /// What to write instead.
    pub remedy: String,
    /// The name that an expression reads and nothing has, for those who know what else may have it.
    pub unknown: Option<String>,
}

impl ModelError {
    /// What is wrong at `location`, with the value, and what to write instead.
    #[must_use]
    pub fn new(location: Location, problem: impl Into<String>, remedy: impl Into<String>) -> Box<Self> {
        Box::new(Self { location, problem: problem.into(), remedy: remedy.into(), unknown: None })
    }

    /// What is wrong with an expression at `location`.
    #[must_use]
    pub fn of_expression(location: Location, error: &ExpressionError, remedy: impl Into<String>) -> Box<Self> {
        let unknown = match &error.problem {
            Problem::UnknownName { name, .. } => Some(name.clone()),
            _ => None,
        };
        Box::new(Self { unknown, ..*Self::new(location, error.to_string(), remedy) })
    }

    /// Error for a name that nothing has; suggests the nearest of the `known` ones.
    #[must_use]
    pub fn unknown<'a>(
        what: &str,
        name: &str,
        known: impl IntoIterator<Item = &'a str>,
        location: &Location,
    ) -> Box<Self> {
        let mut known: Vec<&str> = known.into_iter().collect();
        known.sort_unstable();
        let remedy = match nearest_name(name, known.iter().copied()) {
            Some(near) => format!("did you mean \"{near}\"?"),
            None if known.is_empty() => format!("the model has no {what} yet; add one of that name"),
            None if known.len() <= 12 => format!("there are {}", known.join(", ")),
            None => format!("add a {what} of that name"),
        };
        Self::new(location.clone(), format!("there is no {what} \"{name}\""), remedy)
    }
}
