//! Bodies that nothing holds: what a model allows, and what is mostly a contact or joint forgotten.

use super::MechanismModel;
use fourbar_contact::model::{ContactKind, ContactModel};
use fourbar_multibody::model::{MarkerRef, Model, Walk};
use fourbar_multibody::{Location, Parameters};
use std::collections::BTreeSet;

/// Names in a message, at most.
const MOST: usize = 8;

impl MechanismModel {
    /// What a reader should know of this model, which has its copies and included mechanisms written out ([`MechanismModel::expand`]): bodies that fall
    /// for ever, since no joint, force or contact acts on them, beside others on which something does.
    #[must_use]
    pub fn advice(&self) -> Vec<String> {
        let unheld = if self.has_gravity() { self.unheld() } else { Vec::new() };
        if unheld.is_empty() || unheld.len() == self.model.bodies.len() {
            return Vec::new();
        }
        let named: Vec<String> = unheld.iter().take(MOST).map(|name| format!("\"{name}\"")).collect();
        let more = unheld.len().saturating_sub(MOST);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let word = if unheld.len() == 1 { "body" } else { "bodies" };
        vec![format!(
            "nothing holds {word} {}{more}: no joint, force or contact acts there, and gravity does; copies have the shapes of their body, but not \
             the joints, forces and contacts that name it: give each its own, or let one contact of type \"shapes\" name a group of shapes",
            named.join(", ")
        )]
    }

    /// Rigid bodies on which neither joint nor force nor contact acts.
    fn unheld(&self) -> Vec<&str> {
        let held = self.held();
        let names = self.model.bodies.iter().map(|body| body.name.as_str());
        names.filter(|name| !held.contains(*name)).collect()
    }

    /// Bodies that an element names.
    fn held(&self) -> BTreeSet<String> {
        let mut named = Markers(BTreeSet::new());
        elements(&self.model).walk(&mut named);
        let pairs = ContactModel { shapes: Vec::new(), contacts: self.contacts.contacts.clone() };
        pairs.clone().walk(&mut named, &self.model.joints);
        for kind in pairs.contacts.iter().map(|contact| &contact.kind) {
            let ContactKind::Shapes(pair) = kind else { continue };
            let is = |name: &String| *name == pair.i || pair.j.as_ref() == Some(name);
            let touching = self.contacts.shapes.iter().filter(|s| is(&s.name) || s.group.as_ref().is_some_and(is));
            touching.for_each(|shape| named.take(&shape.on));
        }
        let of_marker = |name: String| match self.model.markers.iter().find(|marker| marker.name == name) {
            Some(marker) => marker.body.clone(),
            None => name,
        };
        named.0.into_iter().map(of_marker).collect()
    }

    fn has_gravity(&self) -> bool {
        let location = |_| Location { section: "", index: 0, name: String::new(), field: "gravity".to_owned() };
        let Ok(parameters) = Parameters::with_splines(&self.model.parameters, &self.model.splines) else {
            return false;
        };
        let mut axes = self.model.gravity.iter().enumerate();
        axes.any(|(axis, value)| parameters.number(value, &location(axis)).is_ok_and(|value| value != 0.0))
    }
}

/// The elements of a model alone, without what only reads or draws; measures too where a constraint by expression reads them.
fn elements(model: &Model) -> Model {
    let measures = if model.equations.is_empty() { Vec::new() } else { model.measures.clone() };
    Model {
        bodies: Vec::new(),
        markers: Vec::new(),
        sensors: Vec::new(),
        activities: Vec::new(),
        measures,
        ..model.clone()
    }
}

/// Names of the markers, or bodies, that elements name.
struct Markers(BTreeSet<String>);

impl Markers {
    fn take(&mut self, reference: &MarkerRef) {
        self.0.insert(match reference {
            MarkerRef::Name(name) => name.clone(),
            MarkerRef::Inline(place) => place.body.clone(),
        });
    }
}

impl Walk for Markers {
    fn reference(&mut self, reference: &mut MarkerRef) {
        self.take(reference);
    }

    fn carrier(&mut self, body: &mut Option<String>) {
        self.0.extend(body.clone());
    }
}
