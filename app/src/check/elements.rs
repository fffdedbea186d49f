//! What `fourbar check` counts of a mechanism's elements: how many there are of each kind.

use fourbar::mechanism::MechanismModel;
use serde::Serialize;
use std::collections::BTreeMap;

/// Name of a kind in model files, to number.
pub(super) type Kinds = BTreeMap<String, usize>;

/// Elements that have kinds by kind, others by their number. In JSON those that a model has none of are left out.
#[derive(Serialize)]
pub(super) struct Elements {
    /// Of the bodies.
    #[serde(skip_serializing_if = "is_zero")]
    flexible: usize,
    joints: Kinds,
    #[serde(skip_serializing_if = "Kinds::is_empty")]
    rolling: Kinds,
    motions: usize,
    /// Couplers, gears, racks with pinions.
    #[serde(skip_serializing_if = "Kinds::is_empty")]
    couplers: Kinds,
    /// Curves, and what follows them.
    #[serde(skip_serializing_if = "Kinds::is_empty")]
    curves: Kinds,
    /// Constraints by expression.
    #[serde(skip_serializing_if = "is_zero")]
    constraints: usize,
    forces: Kinds,
    #[serde(skip_serializing_if = "is_zero")]
    friction: usize,
    #[serde(skip_serializing_if = "Kinds::is_empty")]
    actuators: Kinds,
    /// States of the user and blocks.
    #[serde(skip_serializing_if = "Kinds::is_empty")]
    states: Kinds,
    #[serde(skip_serializing_if = "is_zero")]
    inputs: usize,
    #[serde(skip_serializing_if = "is_zero")]
    sensors: usize,
}

// Serde hands over a reference.
#[allow(clippy::trivially_copy_pass_by_ref)]
fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// How many elements there are of each kind, whose name in model files `tag` of its form in serde tells; the form itself without a tag.
fn kinds<T: Serialize>(elements: impl Iterator<Item = T>, tag: Option<&str>) -> Kinds {
    let mut kinds = Kinds::new();
    for element in elements {
        let form = serde_json::to_value(element).unwrap_or_default();
        let name = tag.map_or(&form, |tag| &form[tag]).as_str().unwrap_or_default();
        *kinds.entry(name.to_owned()).or_insert(0) += 1;
    }
    kinds
}

/// Sections with their numbers of elements, but for empty ones.
fn sections<const N: usize>(counts: [(&str, usize); N]) -> Kinds {
    counts.into_iter().filter(|(_, count)| *count > 0).map(|(name, count)| (name.to_owned(), count)).collect()
}

impl Elements {
    /// Those of a model with its copies written out.
    pub(super) fn new(whole: &MechanismModel) -> Self {
        let model = &whole.model;
        Self {
            flexible: model.flexible.len(),
            joints: kinds(model.joints.iter().map(|joint| joint.kind), None),
            rolling: kinds(model.rolling.iter().map(|rolling| rolling.shape), None),
            motions: model.motions.len(),
            couplers: sections([
                ("coupler", model.couplers.len()),
                ("gear", model.gears.len()),
                ("rack_and_pinion", model.racks.len()),
            ]),
            curves: sections([
                ("curve", model.curves.len()),
                ("point_on_curve", model.points_on_curves.len()),
                ("curve_on_curve", model.curves_on_curves.len()),
            ]),
            constraints: model.equations.len(),
            friction: model.frictions.len(),
            sensors: model.sensors.len(),
            forces: kinds(model.forces.iter(), Some("type")),
            actuators: kinds(model.actuators.iter().map(|actuator| actuator.kind), None),
            states: sections([
                ("state", model.states.len()),
                ("transfer_function", model.transfer_functions.len()),
                ("state_space", model.state_spaces.len()),
                ("pid", model.pids.len()),
            ]),
            inputs: model.inputs.len(),
        }
    }

    /// Rows of a table: what, and how many; of `bodies` those that are flexible too.
    pub(super) fn rows(&self, bodies: usize) -> Vec<(String, String)> {
        let text = |kinds: &Kinds| kinds.iter().map(|(kind, count)| format!("{count} {kind}")).collect::<Vec<_>>();
        let some = |kinds: &Kinds| (!kinds.is_empty()).then(|| text(kinds).join(", "));
        let mut forces = text(&self.forces);
        forces.push("gravity".to_owned());
        let count = |count: usize| (count > 0).then(|| count.to_string());
        let of_which = if self.flexible > 0 { format!(", of which {} flexible", self.flexible) } else { String::new() };
        let rows = [
            ("bodies", Some(format!("{bodies}{of_which}"))),
            ("joints", Some(some(&self.joints).unwrap_or_else(|| "none".to_owned()))),
            ("rolling", some(&self.rolling)),
            ("motions", Some(self.motions.to_string())),
            ("couplers", some(&self.couplers)),
            ("curves", some(&self.curves)),
            ("constraints", count(self.constraints)),
            ("friction", count(self.friction)),
            ("forces", Some(forces.join(", "))),
            ("actuators", some(&self.actuators)),
            ("states", some(&self.states)),
            ("inputs", count(self.inputs)),
            ("sensors", count(self.sensors)),
        ];
        rows.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect()
    }
}
