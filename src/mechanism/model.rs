//! A mechanism and what may touch in it, as a person describes them.

use super::solids;
use super::{ContactMeasure, ContactSettings, Copies, Display, Include, display};
use fourbar_contact::model::ContactModel;
use fourbar_multibody::{Location, Model, ModelError};
use std::collections::BTreeMap;

/// A mechanism and what may touch in it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct MechanismModel {
    /// Bodies, joints, forces, measures.
    pub model: Model,
    /// Shapes, and pairs that may touch.
    pub contacts: ContactModel,
    /// How contacts are followed.
    pub settings: ContactSettings,
    /// What of the contacts is measured.
    pub measures: Vec<ContactMeasure>,
    /// Units in which measures are shown, by their names; of expressions it stands with them.
    pub units_of_measures: BTreeMap<String, String>,
    /// Bodies and included mechanisms to multiply.
    pub copies: Vec<Copies>,
    /// Mechanisms taken in.
    pub includes: Vec<Include>,
    /// What bodies look like.
    pub displays: Vec<Display>,
}

impl MechanismModel {
    /// The model in SI units with all its copies and included mechanisms written out, and with the shapes of solids that contacts name.
    ///
    /// # Errors
    /// Units that are none, a fault of an included model (its name stands before that of the entry), copies of an unknown body, a count of zero or beyond measure, a spacing that is not a number; a display of an unknown marker or without its sizes; settings of contacts where nothing
    /// may touch.
    pub fn expand(&self) -> Result<Self, Box<ModelError>> {
        let mut whole = self.in_si()?;
        let copies = std::mem::take(&mut whole.copies);
        let included = |copies: &Copies| self.includes.iter().any(|include| include.name == copies.of);
        for (index, copies) in copies.iter().enumerate().filter(|(_, copies)| included(copies)) {
            copies.write_out_include(index, &mut whole)?;
        }
        for (index, include) in std::mem::take(&mut whole.includes).iter().enumerate() {
            include.write_out(index, &mut whole)?;
        }
        for (index, copies) in copies.iter().enumerate().filter(|(_, copies)| !included(copies)) {
            copies.write_out(index, &mut whole)?;
        }
        solids::write_out(&whole.model, &mut whole.contacts)?;
        display::check(&whole.displays, &whole.model)?;
        if let (true, Some(location)) = (whole.has_contacts(), whole.model.first_switch()) {
            let problem = "a model with contacts has neither sensors nor elements that act for a part of the time";
            let remedy = "take it out; a bushing or stiff spring may stand for the contact, and a number for `active` holds with contacts too";
            return Err(ModelError::new(location, problem, remedy));
        }
        if !whole.has_contacts() && whole.settings != ContactSettings::default() {
            let location = Location { section: "contacts", index: 0, name: String::new(), field: "method".to_owned() };
            let remedy = "add a [[contact]], or leave [contacts] out";
            return Err(ModelError::new(location, "there is no contact that it could hold for", remedy));
        }
        Ok(whole)
    }

    /// Whether anything may touch.
    #[must_use]
    pub fn has_contacts(&self) -> bool {
        !self.contacts.contacts.is_empty()
    }

    /// The contact of each of its measures, as an index.
    ///
    /// # Errors
    /// A measure of a contact that does not exist.
    pub fn measured_pairs(&self) -> Result<Vec<usize>, Box<ModelError>> {
        let names = || self.contacts.contacts.iter().map(|contact| contact.name.as_str());
        let pair = |measure: &ContactMeasure| {
            names().position(|name| name == measure.contact).ok_or_else(|| {
                let name = measure.name.clone();
                let location = Location { section: "measure", index: 0, name, field: "contact".to_owned() };
                ModelError::unknown("contact", &measure.contact, names(), &location)
            })
        };
        self.measures.iter().map(pair).collect()
    }
}

impl From<Model> for MechanismModel {
    fn from(model: Model) -> Self {
        Self { model, ..Self::default() }
    }
}
