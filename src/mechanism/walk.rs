//! A walk through a mechanism and its contacts past every number and every name.

use super::{ContactMeasure, ContactSettings, Copies, Include, MechanismModel, ProjectionSettings};
use fourbar_multibody::model::{Dimension, Units, Walk};
use fourbar_multibody::{IntoSi, ModelError};

impl MechanismModel {
    /// Takes `walk` past every number and name of what this model itself describes.
    pub(super) fn walk(&mut self, walk: &mut dyn Walk) {
        let Self { model, contacts, settings, measures, copies, includes } = self;
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
    }

    /// The model with every number in SI units.
    pub(super) fn in_si(&self) -> Result<Self, Box<ModelError>> {
        let mut model = self.clone();
        if let Some(mut conversion) = IntoSi::of(&self.model)? {
            model.walk(&mut conversion);
            model.model.units = Units::default();
        }
        Ok(model)
    }
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
