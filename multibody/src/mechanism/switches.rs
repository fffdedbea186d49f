//! What switches while a mechanism runs: sensors, activities, and which of the elements act.

use super::Mechanism;
use crate::expression::Program;
use crate::host::HostFunctions;
use crate::model::{CrossingDirection, ElementKind, Model};
use crate::space::FixedFrame;
use std::collections::{BTreeMap, BTreeSet};

/// What a mechanism is compiled from.
#[derive(Debug, Clone)]
pub(crate) struct Origin {
    pub model: Model,
    pub functions: HostFunctions,
}

/// An element that can be switched: its kind and its name.
pub(crate) type Element = (ElementKind, String);

/// In what a mechanism differs from its model as it is written: what sensors and activities made of it.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Variant {
    /// Elements that do not act.
    pub inactive: BTreeSet<Element>,
    /// Parameters that were set, in the units of the model.
    pub parameters: BTreeMap<String, f64>,
    /// Marker J of joints that keep the pose at which they were locked.
    pub frames: BTreeMap<String, FixedFrame>,
    /// Distances of joints that keep the one at which they were locked \[m\].
    pub lengths: BTreeMap<String, f64>,
}

impl Variant {
    /// Whether an element acts.
    pub(crate) fn acts(&self, kind: ElementKind, name: &str) -> bool {
        self.inactive.is_empty() || !self.inactive.contains(&(kind, name.to_owned()))
    }

    /// Lets an element act or not. Returns whether that is new.
    pub(crate) fn turn(&mut self, element: &Element, acts: bool) -> bool {
        if acts { self.inactive.remove(element) } else { self.inactive.insert(element.clone()) }
    }
}

/// What switches, compiled. Slots of programs are those of measures.
#[derive(Debug, Clone, Default)]
pub(crate) struct Switches {
    pub variant: Variant,
    pub sensors: Vec<BoundSensor>,
    pub activities: Vec<BoundActivity>,
}

/// A sensor, compiled.
#[derive(Debug, Clone)]
pub(crate) struct BoundSensor {
    pub name: String,
    pub expression: Program,
    pub value: Program,
    pub direction: CrossingDirection,
    pub when: Option<Program>,
    pub once: bool,
    pub stop: bool,
    /// Texts and programs.
    pub print: Vec<(String, Program)>,
    pub set: Vec<(Target, Program)>,
    /// Elements, and whether they act from there on.
    pub turns: Vec<(Element, bool)>,
    /// Step and largest step from there on \[s\].
    pub step: Option<f64>,
    pub max_step: Option<f64>,
}

/// What a sensor sets.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Target {
    Parameter(String),
    /// An input by its index.
    Input(usize),
}

/// An element that acts where a program is above 0.
#[derive(Debug, Clone)]
pub(crate) struct BoundActivity {
    pub element: Element,
    pub active: Program,
}

impl Switches {
    /// Number of functions that are watched: sensors, then activities.
    pub(crate) fn count(&self) -> usize {
        self.sensors.len() + self.activities.len()
    }

    /// Name of function `k`, for messages.
    pub(crate) fn name(&self, k: usize) -> String {
        match self.sensors.get(k) {
            Some(sensor) => format!("sensor \"{}\"", sensor.name),
            None => {
                let (kind, name) = &self.activities[k - self.sensors.len()].element;
                format!("`active` of {} \"{name}\"", kind.word())
            }
        }
    }

    /// Programs that are evaluated.
    pub(crate) fn programs(&self) -> impl Iterator<Item = &Program> {
        let watched = self.sensors.iter().flat_map(|sensor| [&sensor.expression, &sensor.value]);
        let others = self.sensors.iter().flat_map(|sensor| {
            let printed = sensor.print.iter().map(|(_, program)| program);
            let set = sensor.set.iter().map(|(_, program)| program);
            sensor.when.iter().chain(printed).chain(set)
        });
        watched.chain(others).chain(self.activities.iter().map(|activity| &activity.active))
    }
}

impl BoundSensor {
    /// Whether anything is other behind it than before it.
    pub(crate) fn switches(&self) -> bool {
        !self.set.is_empty() || !self.turns.is_empty() || self.step.is_some() || self.max_step.is_some()
    }
}

impl Mechanism {
    /// Whether sensors or activities may switch it while it runs.
    #[must_use]
    pub fn has_switches(&self) -> bool {
        self.switches.count() > 0
    }

    /// The first of what may switch it, by kind and name, for messages.
    #[must_use]
    pub fn first_switch(&self) -> Option<String> {
        let sensor = self.switches.sensors.first().map(|sensor| format!("sensor \"{}\"", sensor.name));
        let activity = || {
            let (kind, name) = &self.switches.activities.first()?.element;
            Some(format!("{} \"{name}\" with `active`", kind.word()))
        };
        sensor.or_else(activity)
    }
}
