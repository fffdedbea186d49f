//! Where a model says that something happens while it runs.

use crate::error::Location;
use crate::model::{ElementKind, Force, Model, Sensor};

impl Model {
    /// Where the first sensor, or element with `active` over time or measures, stands; none if nothing happens while the mechanism runs.
    #[must_use]
    pub fn first_switch(&self) -> Option<Location> {
        let sensor = self.sensors.first().map(|sensor| Location {
            section: "sensor",
            index: 0,
            name: sensor.name.clone(),
            field: String::new(),
        });
        sensor.or_else(|| self.first_activity())
    }

    /// As [`Model::first_switch`], sensors that only print or stop left aside.
    #[must_use]
    pub fn first_change(&self) -> Option<Location> {
        let changes = |sensor: &Sensor| {
            let silent = Sensor { stop: false, print: Vec::new(), ..sensor.clone() };
            silent.acts()
        };
        let index = self.sensors.iter().position(changes);
        let sensor = index.map(|index| Location {
            section: "sensor",
            index,
            name: self.sensors[index].name.clone(),
            field: String::new(),
        });
        sensor.or_else(|| self.first_activity())
    }

    fn first_activity(&self) -> Option<Location> {
        let activity = self.activities.iter().find(|activity| activity.active.value().is_none())?;
        let (section, name, field) = (activity.kind.word(), activity.name.clone(), "active".to_owned());
        let index = match activity.kind {
            ElementKind::Joint => self.joints.iter().position(|joint| joint.name == name),
            ElementKind::Motion => self.motions.iter().position(|motion| motion.name == name),
            ElementKind::Force => self.forces.iter().position(|force| Force::name(force) == name),
        };
        Some(Location { section, index: index.unwrap_or(0), name, field })
    }
}
