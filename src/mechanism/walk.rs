//! A walk through a mechanism and its contacts past every number and every name.

use super::{
    ContactMeasure, ContactSettings, Copies, Display, DisplayKind, Include, MechanismModel, ProjectionSettings,
};
use fourbar_multibody::expression::Expression;
use fourbar_multibody::model::{Dimension, MeasureKind, Walk};
use fourbar_multibody::{IntoSi, ModelError};

impl MechanismModel {
    /// Takes `walk` past every number and name of what this model itself describes.
    pub(crate) fn walk(&mut self, walk: &mut dyn Walk) {
        let Self { model, contacts, settings, measures, units_of_measures: _, copies, includes, displays } = self;
        contacts.walk(walk, &model.joints);
        model.walk(walk);
        settings_of(walk, settings);
        for ContactMeasure { name, contact, quantity: _ } in measures {
            walk.name(name);
            walk.name(contact);
        }
        for Copies { of, count: _, spacing, parameters } in copies {
            walk.name(of);
            let values = parameters.values_mut().flat_map(|of| of.values_mut());
            values.for_each(|value| walk.expression(value, Dimension::NONE));
            walk.vector(spacing, Dimension::LENGTH);
        }
        for Include { name, file: _, parameters, on, position, orientation, model: _ } in includes {
            walk.name(name);
            parameters.values_mut().for_each(|value| walk.expression(value, Dimension::NONE));
            walk.reference(on);
            walk.vector(position, Dimension::LENGTH);
            walk.orientation(orientation);
        }
        displays.iter_mut().for_each(|d| display(walk, d));
    }

    /// The model with every number in SI units.
    pub(super) fn in_si(&self) -> Result<Self, Box<ModelError>> {
        let mut model = self.clone();
        model.walk(&mut IntoSi::always(&self.model)?);
        let written = std::mem::take(&mut model.model.units);
        if model.model.result_units.is_empty() && !written.is_empty() {
            model.model.result_units = written.0;
            // Expressions are in these units already, and are what their units say.
            let stated = model.model.measures.iter().filter_map(|measure| match &measure.kind {
                MeasureKind::Expression(own) => Some((measure.name.clone(), own.unit.clone())),
                _ => None,
            });
            model.units_of_measures.extend(stated);
        }
        Ok(model)
    }
}

fn display(walk: &mut dyn Walk, display: &mut Display) {
    let Display { name, kind, on, size, radius, length, extent, to, file: _, scale, color: _, mesh: _, source: _ } =
        display;
    if *kind == DisplayKind::Mesh {
        // In the unit of the model, unless another is given.
        scale.get_or_insert(Expression::constant(1.0));
    }
    walk.name(name);
    walk.reference(on);
    to.iter_mut().for_each(|to| walk.reference(to));
    size.iter_mut().for_each(|size| walk.vector(size, Dimension::LENGTH));
    [radius, length, scale].into_iter().for_each(|number| walk.optional(number, Dimension::LENGTH));
    extent.iter_mut().flatten().for_each(|e| walk.expression(e, Dimension::LENGTH));
}

fn settings_of(walk: &mut dyn Walk, settings: &mut ContactSettings) {
    let ContactSettings {
        method: _,
        step,
        theta,
        projection,
        restitution: _,
        impacts: _,
        accumulation_speed,
        events_max: _,
        pace_min,
        reach,
    } = settings;
    walk.optional(step, Dimension::TIME);
    walk.optional(theta, Dimension::NONE);
    walk.optional(accumulation_speed, Dimension::LENGTH.times_time(-1));
    walk.optional(pace_min, Dimension::TIME);
    walk.optional(reach, Dimension::LENGTH);
    if let Some(ProjectionSettings { iterations: _, velocities: _, tolerance, exact: _ }) = projection {
        walk.optional(tolerance, Dimension::LENGTH);
    }
}
