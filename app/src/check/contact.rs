//! What `fourbar check` tells of contacts: how many there are, and what touches at the start.

use crate::text::{number, two_columns};
use fourbar::Error;
use fourbar::contact::pair::ContactSet;
use fourbar::contact::unilateral::Contacts;
use fourbar::mechanism::MechanismModel;
use fourbar::multibody::Mechanism;
use fourbar::multibody::space::Pose;
use serde::Serialize;
use std::collections::BTreeMap;

/// Gap up to which a contact is listed as touching \[m, rad\].
const TOUCHING: f64 = 1e-9;
/// Contacts that are listed one by one.
const LISTED: usize = 20;

/// Contacts of a model at its start.
#[derive(Serialize)]
pub(super) struct Touching {
    shapes: usize,
    /// Type of contact to number.
    kinds: BTreeMap<String, usize>,
    touching: Vec<Touch>,
    /// Largest depth by which shapes overlap [m].
    overlap: f64,
}

#[derive(Serialize)]
struct Touch {
    contact: String,
    gap: f64,
    /// Speed with which the gap closes [m/s, rad/s].
    closing_speed: f64,
}

impl Touching {
    /// None for a model in which nothing touches.
    pub(super) fn new(model: &MechanismModel, mechanism: &Mechanism) -> Result<Option<Self>, Error> {
        model.measured_pairs().map_err(fourbar::multibody::Error::Model)?;
        let mut set = ContactSet::compile(&model.model, &model.contacts, mechanism)?;
        if !model.has_contacts() {
            return Ok(None);
        }
        let mut kinds = BTreeMap::new();
        for contact in &model.contacts.contacts {
            // The kind's name in model files is its name in serde.
            let kind = serde_json::to_value(&contact.kind).ok();
            let kind = kind.as_ref().and_then(|kind| kind["type"].as_str()).unwrap_or_default();
            *kinds.entry(kind.to_owned()).or_insert(0) += 1;
        }
        let poses: Vec<Pose> = mechanism.start().poses.iter().copied().chain([Pose::ground()]).collect();
        let mut found = Vec::new();
        set.find(0.0, &poses, TOUCHING, &mut found)?;
        let touch = |contact: &fourbar::contact::unilateral::Unilateral| Touch {
            contact: set.describe(contact.id),
            gap: contact.gap,
            closing_speed: -contact.rate(&poses),
        };
        let touching = found.iter().map(touch).collect();
        Ok(Some(Self { shapes: model.contacts.shapes.len(), kinds, touching, overlap: set.overlap(&poses) }))
    }

    pub(super) fn text(&self) -> String {
        let kinds: Vec<_> = self.kinds.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
        let mut text = format!("contacts: {}", kinds.join(", "));
        if self.shapes > 0 {
            text.push_str(&format!("; {} shapes", self.shapes));
        }
        if self.touching.is_empty() {
            text.push_str("\nnothing touches at the start\n");
            return text;
        }
        text.push_str(&format!("\n{} touching at the start\n", self.touching.len()));
        let row = |touch: &Touch| {
            let closing = if touch.closing_speed > 0.0 {
                format!(", closing with {} m/s", number(touch.closing_speed, 3))
            } else {
                String::new()
            };
            (touch.contact.clone(), format!("gap {} m{closing}", number(touch.gap, 3)))
        };
        text.push_str(&two_columns(&self.touching.iter().take(LISTED).map(row).collect::<Vec<_>>()));
        if self.touching.len() > LISTED {
            text.push_str(&format!("  and {} more\n", self.touching.len() - LISTED));
        }
        if self.overlap > TOUCHING {
            text.push_str(&format!(
                "shapes overlap by up to {} m: they will be pushed apart\n",
                number(self.overlap, 3)
            ));
        }
        text
    }
}
