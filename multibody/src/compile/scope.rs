//! What names mean while a model is compiled: parameters, bodies, markers.

use crate::error::{Location, ModelError};
use crate::expression::Expression;
use crate::mechanism::RigidBody;
use crate::model::{Model, Vector3};
use crate::space::{FixedFrame, M3, Pose, V3};
use fourbar_expression::model::Parameters;
use std::collections::HashMap;

/// Names resolved so far.
pub(super) struct Scope<'a> {
    pub(super) parameters: Parameters<'a>,
    pub(super) bodies: Vec<RigidBody>,
    pub(super) body_index: HashMap<String, usize>,
    /// Body frames (origin and axes) as the model puts them, global.
    pub(super) frames: Vec<(V3, M3)>,
    pub(super) poses: Vec<Pose>,
    pub(super) markers: HashMap<&'a str, FixedFrame>,
}

impl<'a> Scope<'a> {
    /// Evaluates the parameters.
    pub(super) fn new(model: &'a Model) -> Result<Self, Box<ModelError>> {
        Ok(Self {
            parameters: Parameters::with_splines(&model.parameters, &model.splines)?,
            bodies: Vec::new(),
            body_index: HashMap::new(),
            frames: Vec::new(),
            poses: Vec::new(),
            markers: HashMap::new(),
        })
    }

    /// Value of an expression of parameters.
    pub(super) fn number(&self, expression: &Expression, location: &Location) -> Result<f64, Box<ModelError>> {
        self.parameters.number(expression, location)
    }

    /// As [`Scope::number`], and checked to satisfy `holds`.
    pub(super) fn checked(
        &self,
        expression: &Expression,
        location: &Location,
        allowed: &str,
        holds: impl Fn(f64) -> bool,
    ) -> Result<f64, Box<ModelError>> {
        self.parameters.checked(expression, location, allowed, holds)
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
            .ok_or_else(|| unknown("body", name, self.body_index.keys().map(String::as_str), location))
    }
}

/// Error for a name that nothing has.
pub(super) fn unknown<'a>(
    what: &str,
    name: &str,
    known: impl IntoIterator<Item = &'a str>,
    location: &Location,
) -> Box<ModelError> {
    ModelError::unknown(what, name, known, location)
}

/// Centre of mass of body `index` in its model frame.
pub(super) fn center(scope: &Scope<'_>, index: usize) -> V3 {
    scope.bodies.get(index).map_or_else(V3::zeros, |b| b.center)
}
