//! Parameters: named constants over which the expressions of a model are evaluated.

use super::check::at;
use crate::error::{Location, ModelError};
use crate::expression::{Binding, Expression, Stack, definition_order, is_free_name};
use std::collections::BTreeMap;

/// The parameters of a model as numbers, and what its expressions of parameters are worth.
///
/// ```
/// use fourbar_multibody::expression::Expression;
/// use fourbar_multibody::{Location, Parameters};
///
/// let model = [("length", "0.3"), ("half", "length/2")];
/// let model = model.map(|(name, text)| (name.to_owned(), Expression::parse(text).unwrap())).into();
/// let parameters = Parameters::new(&model)?;
/// let place = Location { section: "body", index: 0, name: "rod".into(), field: "mass".into() };
/// assert_eq!(parameters.number(&Expression::parse("4*half").unwrap(), &place)?, 0.6);
/// # Ok::<(), Box<fourbar_multibody::ModelError>>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Parameters<'a> {
    values: BTreeMap<&'a str, f64>,
}

impl<'a> Parameters<'a> {
    /// Evaluates the parameters, which may refer to each other in any order.
    ///
    /// # Errors
    /// A name that no expression could use, a circle, or a value that is not finite.
    pub fn new(model: &'a BTreeMap<String, Expression>) -> Result<Self, Box<ModelError>> {
        let definitions: Vec<(&str, &Expression)> = model.iter().map(|(n, e)| (n.as_str(), e)).collect();
        for (index, (name, _)) in definitions.iter().enumerate() {
            if !is_free_name(name) {
                return Err(ModelError::new(
                    at("parameters", index, name, ""),
                    format!("`{name}` cannot name a parameter"),
                    "use letters, digits and _, beginning with a letter, and not the name of a function, `time` or `pi`",
                ));
            }
        }
        let order = definition_order(&definitions).map_err(|cycle| {
            let name = cycle.cycle.first().cloned().unwrap_or_default();
            let index = definitions.iter().position(|(n, _)| *n == name).unwrap_or(0);
            ModelError::new(
                at("parameters", index, &name, ""),
                format!("cyclic expression: {}", cycle.cycle.join(" -> ")),
                "define one of these without the others",
            )
        })?;
        let mut parameters = Self::default();
        for index in order {
            let (name, expression) = definitions[index];
            let value = parameters.number(expression, &at("parameters", index, name, ""))?;
            parameters.values.insert(name, value);
        }
        Ok(parameters)
    }

    /// Value of a parameter.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<f64> {
        self.values.get(name).copied()
    }

    /// The names, in the order of the alphabet.
    pub fn names(&self) -> impl Iterator<Item = &'a str> + '_ {
        self.values.keys().copied()
    }

    /// Value of an expression of parameters.
    ///
    /// # Errors
    /// An unknown name, or a value that is not finite; `location` says where the expression stands.
    pub fn number(&self, expression: &Expression, location: &Location) -> Result<f64, Box<ModelError>> {
        let program = expression.bind(&mut |name| self.get(name).map(Binding::Constant)).map_err(|error| {
            ModelError::new(
                location.clone(),
                error.suggest(self.names()).to_string(),
                "only parameters, numbers, `pi` and functions may stand here",
            )
        })?;
        let value = program.evaluate::<f64>(&[], &mut Stack::new(program.depth()));
        if value.is_finite() {
            Ok(value)
        } else {
            Err(ModelError::new(
                location.clone(),
                format!("`{expression}` has the value {value}"),
                "write an expression with a finite value",
            ))
        }
    }

    /// As [`Parameters::number`], and checked to satisfy `holds`; `allowed` says in words what does.
    ///
    /// # Errors
    /// As [`Parameters::number`]; a value that is not `allowed`.
    pub fn checked(
        &self,
        expression: &Expression,
        location: &Location,
        allowed: &str,
        holds: impl Fn(f64) -> bool,
    ) -> Result<f64, Box<ModelError>> {
        let value = self.number(expression, location)?;
        if holds(value) {
            Ok(value)
        } else {
            Err(ModelError::new(location.clone(), format!("the value is {value}"), format!("it must be {allowed}")))
        }
    }
}
