//! Mechanisms within a mechanism: a model taken in under a name, placed on a marker.

use super::MechanismModel;
use fourbar_multibody::expression::Expression;
use fourbar_multibody::model::{
    Body, Dimension, Flexible, Frame, GROUND, MarkerRef, Measure, Model, Orientation, Place, Placed, Vector3, Walk,
    vector, zero,
};
use fourbar_multibody::space::{M3, V3};
use fourbar_multibody::{Location, ModelError, Names};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// A mechanism taken into another one. Its entries are called `name.entry` there; its ground is a frame on a body of the other one.
///
/// Bodies, markers, joints, motions, curves, constraints, actuators, inputs, forces, measures, splines, parameters, shapes, contacts and displays
/// are taken in; gravity, `[simulation]` and `[contacts]` are those of the whole.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Include {
    /// Name, with which its entries begin.
    pub name: String,
    /// The model file, relative to the folder of the file that includes it; empty for a model that is written in place.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub file: String,
    /// Parameters of the included model that are to have other values, in the units of its file.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub parameters: BTreeMap<String, Expression>,
    /// The marker or body that takes the place of the included model's ground.
    #[serde(default = "ground")]
    pub on: MarkerRef,
    /// Origin of the included model's global frame, from the marker and in its axes \[m\].
    #[serde(default = "zero")]
    pub position: Vector3,
    /// Axes of the included model's global frame in those of the marker.
    #[serde(default)]
    pub orientation: Orientation,
    /// The model itself.
    #[serde(skip)]
    pub model: Option<Box<MechanismModel>>,
}

fn ground() -> MarkerRef {
    GROUND.into()
}

impl Include {
    /// `model` under a name, as it stands.
    #[must_use]
    pub fn new(name: &str, model: MechanismModel) -> Self {
        Self {
            name: name.to_owned(),
            file: String::new(),
            parameters: BTreeMap::new(),
            on: ground(),
            position: zero(),
            orientation: Orientation::default(),
            model: Some(Box::new(model)),
        }
    }

    /// Gives a model that is written in place the units of the file, unless it has its own.
    #[cfg(feature = "file")]
    pub(crate) fn inherit_units(&mut self, units: &fourbar_multibody::model::Units) {
        if let (true, Some(model)) = (self.file.is_empty(), &mut self.model)
            && model.model.units.is_empty()
        {
            model.model.units = units.clone();
            model.includes.iter_mut().for_each(|include| include.inherit_units(units));
        }
    }

    /// Adds its entries to `whole`; `index` is the place of this entry in its section.
    pub(super) fn write_out(&self, index: usize, whole: &mut MechanismModel) -> Result<(), Box<ModelError>> {
        let at = |field: &str| Location { section: "include", index, name: self.name.clone(), field: field.to_owned() };
        let Some(model) = &self.model else {
            let remedy = "read the including model from a file, whose folder then says where the included one lies";
            return Err(ModelError::new(at("file"), format!("the file \"{}\" was not read", self.file), remedy));
        };
        let inside = |mut error: Box<ModelError>| {
            error.location.name = format!("{}.{}", self.name, error.location.name);
            error
        };
        let outer = Names::new(&whole.model)?;
        let mut model = model.clone();
        self.set_parameters(&outer, &mut model, &at)?;
        let mut part = model.expand().map_err(inside)?;
        let anchor = self.anchor(&outer, &at)?;
        let before = part.model.clone();
        let inner = Names::new(&before).map_err(inside)?;
        if let Some(anchor) = &anchor {
            part.model
                .bodies
                .iter_mut()
                .enumerate()
                .try_for_each(|(k, b)| anchor.carry(b, k, &inner))
                .map_err(inside)?;
            part.model.flexible.iter_mut().try_for_each(|body| anchor.carry_flexible(body, &inner)).map_err(inside)?;
        }
        let known = names_of(&part.model);
        let mut taking = Taking { prefix: &self.name, anchor, names: &inner, known, fault: None };
        part.walk(&mut taking);
        if let Some(fault) = taking.fault {
            return Err(inside(fault));
        }
        let units = std::mem::take(&mut part.units_of_measures).into_iter();
        part.units_of_measures = units.map(|(measure, unit)| (format!("{}.{measure}", self.name), unit)).collect();
        append(whole, part);
        Ok(())
    }

    fn set_parameters(
        &self,
        outer: &Names<'_>,
        model: &mut MechanismModel,
        at: &dyn Fn(&str) -> Location,
    ) -> Result<(), Box<ModelError>> {
        for (name, value) in &self.parameters {
            let place = at(&format!("parameters.{name}"));
            let value = outer.number(value, &place)?.into();
            model.set_parameter(name, value).map_err(|error| Box::new(ModelError { location: place, ..*error }))?;
        }
        Ok(())
    }

    /// Where the ground of the included model comes to lie; nothing if it stays the ground.
    fn anchor(&self, outer: &Names<'_>, at: &dyn Fn(&str) -> Location) -> Result<Option<Anchor>, Box<ModelError>> {
        let (body, origin, axes) = outer.in_body(&self.on, &at("on"))?;
        let position = origin + axes * outer.vector(&self.position, &at("position"))?;
        let axes = axes * outer.rotation(&self.orientation, &at("orientation"))?;
        let name = outer.body_name(body).to_owned();
        if name == GROUND && position == V3::zeros() && axes == M3::identity() {
            return Ok(None);
        }
        Ok(Some(Anchor { body: name, position, axes, frame: outer.frame(body) }))
    }
}

/// A frame on a body of the whole.
struct Anchor {
    body: String,
    /// Origin and axes in the frame of the body.
    position: V3,
    axes: M3,
    /// Origin and axes of the body at the start, global.
    frame: (V3, M3),
}

impl Anchor {
    /// The place, with reference to the body of this frame, of what lies at `r` with the axes `c` in this frame.
    fn place(&self, r: &V3, c: &M3) -> Place {
        let position = numbers(&(self.position + self.axes * r));
        Place { body: self.body.clone(), position, orientation: axes(&(self.axes * c)), frame: Frame::Body }
    }

    /// Takes a flexible body with the frame.
    fn carry_flexible(&self, body: &mut Flexible, names: &Names<'_>) -> Result<(), Box<ModelError>> {
        let at =
            |field: &str| Location { section: "flexible", index: 0, name: body.name.clone(), field: field.to_owned() };
        let (own, ..) = names.in_body(&MarkerRef::Name(body.name.clone()), &at("name"))?;
        let (origin, turn) = &self.frame;
        let (r, c) = names.frame(own);
        let global = turn * self.axes;
        let velocity = global * names.vector(&body.velocity, &at("velocity"))?;
        let rate = global * names.vector(&body.angular_velocity, &at("angular_velocity"))?;
        body.position = numbers(&(origin + turn * self.position + global * r));
        body.orientation = axes(&(global * c));
        (body.velocity, body.angular_velocity) = (numbers(&velocity), numbers(&rate));
        Ok(())
    }

    /// Takes a body with the frame; `k` is its index among `names`.
    fn carry(&self, body: &mut Body, k: usize, names: &Names<'_>) -> Result<(), Box<ModelError>> {
        let at = |field: &str| Location { section: "body", index: k, name: body.name.clone(), field: field.to_owned() };
        let (origin, turn) = &self.frame;
        let (r, c) = names.frame(k);
        let global = turn * self.axes;
        let velocity = global * names.vector(&body.velocity, &at("velocity"))?;
        let rate = global * names.vector(&body.angular_velocity, &at("angular_velocity"))?;
        body.position = numbers(&(origin + turn * self.position + global * r));
        body.orientation = axes(&(global * c));
        (body.velocity, body.angular_velocity) = (numbers(&velocity), numbers(&rate));
        Ok(())
    }
}

fn numbers(v: &V3) -> Vector3 {
    vector([v.x, v.y, v.z])
}

fn axes(a: &M3) -> Orientation {
    let axis = |k: usize| Some(vector([0, 1, 2].map(|row| a[(row, k)])));
    Orientation { z_axis: axis(2), x_axis: axis(0), ..Orientation::default() }
}

/// Gives every name its prefix, and what stands on the ground its place on the anchor.
struct Taking<'a> {
    prefix: &'a str,
    anchor: Option<Anchor>,
    names: &'a Names<'a>,
    /// What expressions may name.
    known: BTreeSet<String>,
    fault: Option<Box<ModelError>>,
}

/// Names that expressions of the model may use; those of columns without the component behind the last point.
fn names_of(model: &Model) -> BTreeSet<String> {
    let splines = model.splines.iter().map(|spline| spline.name.clone());
    let measures = model.measures.iter().map(|Measure { name, .. }| name.clone());
    let inputs = model.inputs.iter().map(|input| input.name.clone());
    let states = model.states.iter().map(|state| state.name.clone());
    let transfer_functions = model.transfer_functions.iter().map(|block| block.name.clone());
    let state_spaces = model.state_spaces.iter().map(|block| block.name.clone());
    let blocks = transfer_functions.chain(state_spaces).chain(model.pids.iter().map(|block| block.name.clone()));
    let actuators = model.actuators.iter().map(|actuator| actuator.name.clone());
    model
        .parameters
        .keys()
        .cloned()
        .chain(splines)
        .chain(measures)
        .chain(inputs)
        .chain(states)
        .chain(blocks)
        .chain(actuators)
        .collect()
}

impl Taking<'_> {
    fn prefixed(&self, name: &str) -> String {
        format!("{}.{name}", self.prefix)
    }

    /// The place on the anchor of a place on the ground; on a body that of the included model.
    fn moved(&mut self, reference: &MarkerRef) -> Option<Place> {
        let location = Location { section: "marker", index: 0, name: String::new(), field: String::new() };
        match self.names.in_body(reference, &location) {
            Ok((_, r, c)) => self.anchor.as_ref().map(|anchor| anchor.place(&r, &c)),
            Err(error) => {
                self.fault.get_or_insert(error);
                None
            }
        }
    }
}

impl Walk for Taking<'_> {
    fn expression(&mut self, expression: &mut Expression, dimension: Dimension) {
        self.formula(expression, dimension, "time");
    }

    fn formula(&mut self, expression: &mut Expression, _: Dimension, variable: &str) {
        let known = |name: &str| {
            self.known.contains(name) || name.rsplit_once('.').is_some_and(|(entry, _)| self.known.contains(entry))
        };
        expression.rename(&|name| (name != variable && known(name)).then(|| self.prefixed(name)));
    }

    fn name(&mut self, name: &mut String) {
        if name != GROUND {
            *name = self.prefixed(name);
        }
    }

    fn reference(&mut self, reference: &mut MarkerRef) {
        match reference {
            MarkerRef::Name(name) if name == GROUND => {
                if let Some(anchor) = &self.anchor {
                    *reference = anchor.place(&V3::zeros(), &M3::identity()).into();
                }
            }
            _ => self.parts_of_reference(reference),
        }
    }

    fn frame(&mut self, reference: &mut Option<MarkerRef>) {
        match reference {
            Some(reference) => self.reference(reference),
            None => {
                let anchor = self.anchor.as_ref();
                *reference = anchor.map(|anchor| anchor.place(&V3::zeros(), &M3::identity()).into());
            }
        }
    }

    fn carrier(&mut self, body: &mut Option<String>) {
        match body {
            Some(name) if name != GROUND => self.name(name),
            _ => *body = self.anchor.as_ref().map(|anchor| anchor.body.clone()).or(body.take()),
        }
    }

    fn place(&mut self, place: Placed<'_>) {
        let written = Place {
            body: place.body.clone(),
            position: place.position.clone(),
            orientation: place.orientation.clone(),
            frame: *place.frame,
        };
        if place.body == GROUND
            && let Some(moved) = self.moved(&written.clone().into())
        {
            (*place.body, *place.position) = (moved.body, moved.position);
            (*place.orientation, *place.frame) = (moved.orientation, moved.frame);
            return;
        }
        // Numbers in the global frame of the included model become numbers in the frame of the body.
        if *place.frame == Frame::Global && place.body != GROUND && self.anchor.is_some() {
            let location = Location { section: "marker", index: 0, name: String::new(), field: String::new() };
            match self.names.in_body(&written.into(), &location) {
                Ok((_, r, c)) => {
                    (*place.position, *place.orientation, *place.frame) = (numbers(&r), axes(&c), Frame::Body);
                }
                Err(error) => {
                    self.fault.get_or_insert(error);
                }
            }
        }
        self.parts_of_place(place);
    }
}

/// Adds the entries of `part` to `whole`.
fn append(whole: &mut MechanismModel, part: MechanismModel) {
    let MechanismModel { model, contacts, settings: _, measures, units_of_measures, copies: _, includes: _, displays } =
        part;
    let Model {
        name: _,
        description: _,
        units: _,
        result_units: _,
        gravity: _,
        simulation: _,
        parameters,
        splines,
        bodies,
        flexible,
        markers,
        joints,
        rolling,
        couplers,
        gears,
        racks,
        curves,
        points_on_curves,
        curves_on_curves,
        equations,
        motions,
        actuators,
        inputs,
        states,
        transfer_functions,
        state_spaces,
        pids,
        forces,
        frictions,
        sensors,
        activities,
        measures: columns,
    } = model;
    let to = &mut whole.model;
    to.parameters.extend(parameters);
    to.splines.extend(splines);
    to.bodies.extend(bodies);
    to.flexible.extend(flexible);
    to.markers.extend(markers);
    to.joints.extend(joints);
    to.rolling.extend(rolling);
    to.couplers.extend(couplers);
    to.gears.extend(gears);
    to.racks.extend(racks);
    to.curves.extend(curves);
    to.points_on_curves.extend(points_on_curves);
    to.curves_on_curves.extend(curves_on_curves);
    to.equations.extend(equations);
    to.motions.extend(motions);
    to.actuators.extend(actuators);
    to.inputs.extend(inputs);
    to.states.extend(states);
    to.transfer_functions.extend(transfer_functions);
    to.state_spaces.extend(state_spaces);
    to.pids.extend(pids);
    to.forces.extend(forces);
    to.frictions.extend(frictions);
    to.sensors.extend(sensors);
    to.activities.extend(activities);
    to.measures.extend(columns);
    whole.contacts.shapes.extend(contacts.shapes);
    whole.contacts.contacts.extend(contacts.contacts);
    whole.measures.extend(measures);
    whole.units_of_measures.extend(units_of_measures);
    whole.displays.extend(displays);
}
