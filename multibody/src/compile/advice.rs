//! What is allowed in a model and yet does nothing: sensors that turn on what acts, turn off what does not, or set what nothing uses.

use super::sensors::{start_variant, turns};
use crate::expression::Expression;
use crate::mechanism::Element;
use crate::model::{Dimension, ElementKind, Model, Settings, Walk};
use std::collections::BTreeSet;

/// What a reader should know of the sensors of `model`, which is sound.
pub(super) fn advice(model: &Model) -> Vec<String> {
    if model.sensors.is_empty() {
        return Vec::new();
    }
    let mut told = idle_turns(model);
    told.extend(idle_settings(model));
    told
}

/// An element that is turned to what it is from the start, by every sensor that turns it.
fn idle_turns(model: &Model) -> Vec<String> {
    let start = start_variant(model);
    let all = model.sensors.iter().enumerate().map(|(index, sensor)| (&sensor.name, turns(model, index, sensor)));
    let all: Vec<(&String, Vec<(Element, bool)>)> =
        all.map(|(name, turns)| (name, turns.unwrap_or_default())).collect();
    let turned_back =
        |element: &Element, acts: bool| all.iter().flat_map(|(_, t)| t).any(|(e, a)| e == element && *a != acts);
    let mut told = Vec::new();
    for (sensor, turns) in &all {
        for (element, acts) in turns {
            let (kind, name) = element;
            if start.acts(*kind, name) != *acts || turned_back(element, *acts) {
                continue;
            }
            let (verb, state) = match (kind, acts) {
                (ElementKind::Force, true) => ("activates", "acts"),
                (ElementKind::Force, false) => ("deactivates", "does not act"),
                (_, true) => ("locks", "holds"),
                (_, false) => ("releases", "does not hold"),
            };
            let remedy = if *acts { "give it `active = 0`" } else { "remove its `active`" };
            told.push(format!(
                "sensor \"{sensor}\" {verb} {} \"{name}\", which {state} from the start, and no sensor changes that: {remedy}",
                kind.word()
            ));
        }
    }
    told
}

/// A parameter or input that is set and that nothing reads.
fn idle_settings(model: &Model) -> Vec<String> {
    let mut model = model.clone();
    // The settings of a run are read before it.
    model.simulation = Settings::default();
    let mut names = Names(BTreeSet::new());
    model.walk(&mut names);
    let set = model.sensors.iter().flat_map(|sensor| sensor.set.keys().map(move |name| (sensor, name)));
    let idle = set.filter(|(_, name)| !names.0.contains(*name));
    idle.map(|(sensor, name)| {
        format!("sensor \"{}\" sets \"{name}\", which no expression reads: write it where it is to count", sensor.name)
    })
    .collect()
}

/// Names that expressions read.
struct Names(BTreeSet<String>);

impl Walk for Names {
    fn expression(&mut self, expression: &mut Expression, _: Dimension) {
        self.0.extend(expression.variables().iter().cloned());
    }
}
