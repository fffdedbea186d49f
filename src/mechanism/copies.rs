//! Bodies with their shapes, and included mechanisms, multiplied on a grid.

use super::{Display, Include, MechanismModel};
use fourbar_contact::model::Shape;
use fourbar_multibody::expression::Expression;
use fourbar_multibody::model::{Body, MarkerRef, Place, Vector3, vector};
use fourbar_multibody::{Location, ModelError, Parameters};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The most bodies that one entry makes.
const MOST: u64 = 100_000;

/// Copies of a body and of the shapes and displays that stand directly on it, on a grid along the global axes, or of an included mechanism. The body is the
/// first of the grid; its copies are called `name 2`, `name 3`, .., x running fastest, then y; of an included mechanism `name_2`, `name_3`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Copies {
    /// Name of the body or of the included mechanism.
    pub of: String,
    /// Number of bodies along x, y and z, itself among them.
    pub count: [u64; 3],
    /// Distance from one to the next along x, y and z \[m\].
    pub spacing: Vector3,
    /// Of an included mechanism: other values of parameters of single copies, by their names. Those of the include hold for the others.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub parameters: BTreeMap<String, BTreeMap<String, Expression>>,
}

impl Copies {
    /// Adds the copies to `whole`, with their shapes and displays; `index` is the place of this entry in its section.
    pub(super) fn write_out(&self, index: usize, whole: &mut MechanismModel) -> Result<(), Box<ModelError>> {
        let MechanismModel { model, contacts, displays, .. } = whole;
        let at = |field: &str| Location { section: "copies", index, name: self.of.clone(), field: field.to_owned() };
        let bodies = &model.bodies;
        let Some(first) = bodies.iter().position(|body| body.name == self.of) else {
            if model.flexible.iter().any(|body| body.name == self.of) {
                let problem = format!("\"{}\" is a flexible body; copies are made of rigid ones", self.of);
                let remedy = "write it in a model of its own, and copy an [[include]] of that";
                return Err(ModelError::new(at("of"), problem, remedy));
            }
            return Err(ModelError::unknown("body", &self.of, bodies.iter().map(|b| b.name.as_str()), &at("of")));
        };
        let original = bodies[first].clone();
        self.check_count(&at)?;
        if let Some(name) = self.parameters.keys().next() {
            let problem = "a body has no parameters of its own";
            return Err(ModelError::new(at(&format!("parameters.{name}")), problem, "remove them, or copy an include"));
        }
        let parameters = Parameters::with_splines(&model.parameters, &model.splines)?;
        let step = numbers(&parameters, &self.spacing, &|axis| at(&format!("spacing.{axis}")))?;
        let body_at =
            |axis| Location { section: "body", index: first, name: self.of.clone(), field: format!("position.{axis}") };
        let from = numbers(&parameters, &original.position, &body_at)?;
        let shapes: Vec<Shape> =
            contacts.shapes.iter().filter(|shape| carrier(&shape.on) == self.of).cloned().collect();
        let shown: Vec<Display> = displays.iter().filter(|d| carrier(&d.on) == self.of).cloned().collect();
        for (number, place) in self.places() {
            let name = format!("{} {number}", self.of);
            let position = vector([0, 1, 2].map(|axis| from[axis] + place[axis] as f64 * step[axis]));
            model.bodies.push(Body { name: name.clone(), position, ..original.clone() });
            contacts.shapes.extend(shapes.iter().map(|shape| Shape {
                name: format!("{} {number}", shape.name),
                on: onto(&shape.on, &name),
                ..shape.clone()
            }));
            displays.extend(shown.iter().map(|display| Display {
                name: format!("{} {number}", display.name),
                on: onto(&display.on, &name),
                ..display.clone()
            }));
        }
        Ok(())
    }

    /// Adds the copies of an included mechanism, called `name_2`, `name_3`, .., to those of `whole`, along the axes of the marker that it
    /// stands on.
    pub(super) fn write_out_include(&self, index: usize, whole: &mut MechanismModel) -> Result<(), Box<ModelError>> {
        let at = |field: &str| Location { section: "copies", index, name: self.of.clone(), field: field.to_owned() };
        self.check_count(&at)?;
        let Some(first) = whole.includes.iter().position(|include| include.name == self.of) else { return Ok(()) };
        if let Some(name) = self.parameters.keys().find(|name| self.names().all(|known| known != **name)) {
            let known: Vec<String> = self.names().collect();
            let place = at(&format!("parameters.{name}"));
            return Err(ModelError::unknown("copy", name, known.iter().map(String::as_str), &place));
        }
        let original = whole.includes[first].clone();
        let parameters = Parameters::with_splines(&whole.model.parameters, &whole.model.splines)?;
        let step = numbers(&parameters, &self.spacing, &|axis| at(&format!("spacing.{axis}")))?;
        let from = numbers(&parameters, &original.position, &|axis| Location {
            section: "include",
            index: first,
            name: self.of.clone(),
            field: format!("position.{axis}"),
        })?;
        for (number, place) in self.places() {
            let position = vector([0, 1, 2].map(|axis| from[axis] + place[axis] as f64 * step[axis]));
            let name = format!("{}_{number}", self.of);
            let mut copy = Include { position, ..original.clone() };
            copy.parameters
                .extend(self.parameters.get(&name).into_iter().flatten().map(|(k, v)| (k.clone(), v.clone())));
            copy.name = name;
            whole.includes.push(copy);
        }
        Ok(())
    }

    /// Names of the copies of an included mechanism, without the first.
    pub(super) fn names(&self) -> impl Iterator<Item = String> + '_ {
        self.places().map(|(number, _)| format!("{}_{number}", self.of))
    }

    fn check_count(&self, at: &dyn Fn(&str) -> Location) -> Result<(), Box<ModelError>> {
        let total = self.count.iter().try_fold(1_u64, |product, n| product.checked_mul(*n));
        if !total.is_some_and(|total| (1..=MOST).contains(&total)) {
            let problem = format!("the count is {:?}", self.count);
            return Err(ModelError::new(
                at("count"),
                problem,
                format!("write three numbers from 1 on, at most {MOST} bodies in all"),
            ));
        }
        Ok(())
    }

    /// The copies by their numbers, from 2 on, with their places on the grid.
    fn places(&self) -> impl Iterator<Item = (usize, [u64; 3])> {
        let [nx, ny, nz] = self.count;
        let places = (0..nz).flat_map(move |z| (0..ny).flat_map(move |y| (0..nx).map(move |x| [x, y, z])));
        (1..).zip(places).skip(1)
    }
}

fn numbers(
    parameters: &Parameters<'_>,
    vector: &Vector3,
    at: &dyn Fn(usize) -> Location,
) -> Result<[f64; 3], Box<ModelError>> {
    let mut values = [0.0; 3];
    for (axis, (value, expression)) in values.iter_mut().zip(vector).enumerate() {
        *value = parameters.number(expression, &at(axis))?;
    }
    Ok(values)
}

/// The body that a shape stands on, or the name of its marker.
fn carrier(on: &MarkerRef) -> &str {
    match on {
        MarkerRef::Name(name) => name,
        MarkerRef::Inline(place) => &place.body,
    }
}

fn onto(on: &MarkerRef, body: &str) -> MarkerRef {
    match on {
        MarkerRef::Name(_) => body.into(),
        MarkerRef::Inline(place) => MarkerRef::Inline(Box::new(Place { body: body.to_owned(), ..(**place).clone() })),
    }
}
