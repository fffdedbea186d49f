//! What the names of a model stand for, for those who add elements to it: contacts, simulators.

use super::scope::{Scope, center};
use super::{bodies, curves, flexible, markers};
use crate::curve::Curve;
use crate::error::{Location, ModelError};
use crate::expression::{Binding, Expression, Program};
use crate::model::{self, MarkerRef, Model, Orientation, Vector3};
use crate::space::{FixedFrame, M3, V3};
use std::sync::Arc;

/// Parameters, bodies and markers of a model by name. Indices of bodies are those of the compiled
/// [`Mechanism`](crate::Mechanism).
pub struct Names<'a> {
    scope: Scope<'a>,
}

impl<'a> Names<'a> {
    /// Evaluates the parameters and places the markers of `model`, which is in SI units: see [`Model::in_si`].
    ///
    /// # Errors
    /// What is wrong with a parameter, body or marker.
    pub fn new(model: &'a Model) -> Result<Self, Box<ModelError>> {
        debug_assert!(model.units.is_empty(), "the model is made one in SI units first");
        let mut scope = Scope::new(model)?;
        bodies::read(model, &mut scope)?;
        flexible::read(model, &mut scope)?;
        markers::read(model, &mut scope)?;
        Ok(Self { scope })
    }

    /// Value of an expression of parameters.
    ///
    /// # Errors
    /// An unknown name, or a value that is not finite.
    pub fn number(&self, expression: &Expression, location: &Location) -> Result<f64, Box<ModelError>> {
        self.scope.number(expression, location)
    }

    /// As [`Names::number`], and checked to satisfy `holds`; `allowed` completes "it must be ..".
    ///
    /// # Errors
    /// As [`Names::number`], or the value and what is allowed.
    pub fn checked(
        &self,
        expression: &Expression,
        location: &Location,
        allowed: &str,
        holds: impl Fn(f64) -> bool,
    ) -> Result<f64, Box<ModelError>> {
        self.scope.checked(expression, location, allowed, holds)
    }

    /// Three numbers.
    ///
    /// # Errors
    /// As [`Names::number`].
    pub fn vector(&self, v: &Vector3, location: &Location) -> Result<V3, Box<ModelError>> {
        self.scope.vector(v, location)
    }

    /// Program of an expression over parameters and one variable, which is its only slot.
    ///
    /// # Errors
    /// An unknown name.
    pub fn program(
        &self,
        expression: &Expression,
        variable: &str,
        location: &Location,
    ) -> Result<Program, Box<ModelError>> {
        let parameters = &self.scope.parameters;
        let resolve = |name: &str| match name {
            _ if name == variable => Some(Binding::Slot(0)),
            _ => parameters.binding(name),
        };
        expression.bind(&mut { resolve }).map_err(|error| {
            let error = error.suggest(parameters.names().chain([variable]));
            let remedy = format!("only `{variable}`, parameters, numbers, `pi` and functions may stand here");
            ModelError::of_expression(location.clone(), &error, remedy)
        })
    }

    /// The frame a marker or body stands for.
    ///
    /// # Errors
    /// An unknown name with the nearest known one, or what is wrong with a marker written in place.
    pub fn marker(&self, reference: &MarkerRef, location: &Location) -> Result<FixedFrame, Box<ModelError>> {
        markers::resolve(&self.scope, reference, location)
    }

    /// As [`Names::marker`], from the frame of its body: index of the body (their number for the ground), origin \[m\], axes as columns.
    ///
    /// # Errors
    /// As [`Names::marker`].
    pub fn in_body(&self, reference: &MarkerRef, location: &Location) -> Result<(usize, V3, M3), Box<ModelError>> {
        let frame = self.marker(reference, location)?;
        Ok((frame.body, frame.r + center(&self.scope, frame.body), frame.c))
    }

    /// Rotation matrix of an orientation; its columns are the axes.
    ///
    /// # Errors
    /// No orientation, or several in one.
    pub fn rotation(&self, orientation: &Orientation, location: &Location) -> Result<M3, Box<ModelError>> {
        markers::rotation(&self.scope, orientation, location)
    }

    /// Origin \[m\] and axes, as columns, of the frame of a body at the start, global; of the ground beyond the last body.
    #[must_use]
    pub fn frame(&self, body: usize) -> (V3, M3) {
        self.scope.frames.get(body).copied().unwrap_or((V3::zeros(), M3::identity()))
    }

    /// The curve of that place in the section, and the frame that carries it.
    ///
    /// # Errors
    /// An unknown marker, or what is wrong with the points.
    pub fn curve(&self, index: usize, curve: &model::Curve) -> Result<(FixedFrame, Arc<Curve>), Box<ModelError>> {
        curves::placed(&self.scope, index, curve)
    }

    /// Name of a body; of the ground beyond the last body.
    #[must_use]
    pub fn body_name(&self, body: usize) -> &str {
        self.scope.bodies.get(body).map_or(crate::model::GROUND, |body| body.name.as_str())
    }

    /// Two frames on different bodies; `field` gives the location of a field of the element, which has fields `i` and `j`.
    ///
    /// # Errors
    /// As [`Names::marker`], or that both are on one body.
    pub fn pair(
        &self,
        i: &MarkerRef,
        j: &MarkerRef,
        field: &dyn Fn(&str) -> Location,
    ) -> Result<(FixedFrame, FixedFrame), Box<ModelError>> {
        markers::pair(&self.scope, i, j, field)
    }
}
