//! What names mean while a model is compiled: parameters, bodies, markers.

use super::at;
use crate::error::{Location, ModelError};
use crate::expression::{Binding, Expression, definition_order, is_free_name, nearest_name};
use crate::mechanism::RigidBody;
use crate::model::{Model, Vector3};
use crate::space::{FixedFrame, M3, Pose, V3};
use std::collections::HashMap;

/// Names resolved so far.
pub(super) struct Scope<'a> {
    pub(super) parameters: HashMap<&'a str, f64>,
    pub(super) bodies: Vec<RigidBody>,
    pub(super) body_index: HashMap<&'a str, usize>,
    /// Body frames (origin and axes) as the model puts them, global.
    pub(super) frames: Vec<(V3, M3)>,
    pub(super) poses: Vec<Pose>,
    pub(super) markers: HashMap<&'a str, FixedFrame>,
}

impl<'a> Scope<'a> {
    /// Evaluates the parameters.
    pub(super) fn new(model: &'a Model) -> Result<Self, Box<ModelError>> {
        let mut scope = Self {
            parameters: HashMap::new(),
            bodies: Vec::new(),
            body_index: HashMap::new(),
            frames: Vec::new(),
            poses: Vec::new(),
            markers: HashMap::new(),
        };
        let definitions: Vec<(&str, &Expression)> = model.parameters.iter().map(|(n, e)| (n.as_str(), e)).collect();
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
        for index in order {
            let (name, expression) = definitions[index];
            let value = scope.number(expression, &at("parameters", index, name, ""))?;
            scope.parameters.insert(name, value);
        }
        Ok(scope)
    }

    /// Value of an expression of parameters.
    pub(super) fn number(&self, expression: &Expression, location: &Location) -> Result<f64, Box<ModelError>> {
        let program =
            expression.bind(&mut |name| self.parameters.get(name).map(|&v| Binding::Constant(v))).map_err(|error| {
                let error = error.suggest(self.parameters.keys().copied());
                ModelError::new(
                    location.clone(),
                    error.to_string(),
                    "only parameters, numbers, `pi` and functions may stand here",
                )
            })?;
        let value = program.evaluate::<f64>(&[], &mut crate::expression::Stack::new(program.depth()));
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

    /// As [`Scope::number`], and checked to satisfy `holds`.
    pub(super) fn checked(
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

    /// Three numbers.
    pub(super) fn vector(&self, v: &Vector3, location: &Location) -> Result<V3, Box<ModelError>> {
        let mut out = V3::zeros();
        for (k, expression) in v.iter().enumerate() {
            out[k] = self.number(expression, location)?;
        }
        Ok(out)
    }

    /// A vector that is not zero, normalized.
    pub(super) fn direction(&self, v: &Vector3, location: &Location) -> Result<V3, Box<ModelError>> {
        let v = self.vector(v, location)?;
        let length = v.norm();
        if length > f64::MIN_POSITIVE.sqrt() && length.is_finite() {
            Ok(v / length)
        } else {
            Err(ModelError::new(
                location.clone(),
                format!("the axis has the length {length}"),
                "give a direction that is not zero",
            ))
        }
    }

    /// Index of a body by name; the number of bodies for the ground.
    pub(super) fn body(&self, name: &str, location: &Location) -> Result<usize, Box<ModelError>> {
        if name == crate::model::GROUND {
            return Ok(self.bodies.len());
        }
        self.body_index
            .get(name)
            .copied()
            .ok_or_else(|| unknown("body", name, self.body_index.keys().copied(), location))
    }
}

/// Error for a name that nothing has.
pub(super) fn unknown<'a>(
    what: &str,
    name: &str,
    known: impl IntoIterator<Item = &'a str>,
    location: &Location,
) -> Box<ModelError> {
    let mut known: Vec<&str> = known.into_iter().collect();
    known.sort_unstable();
    let remedy = match nearest_name(name, known.iter().copied()) {
        Some(near) => format!("did you mean \"{near}\"?"),
        None if known.is_empty() => format!("the model has no {what} yet; add one of that name"),
        None if known.len() <= 12 => format!("there are {}", known.join(", ")),
        None => format!("add a {what} of that name"),
    };
    ModelError::new(location.clone(), format!("there is no {what} \"{name}\""), remedy)
}
