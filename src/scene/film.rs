//! A scene and its frames.

use super::item::Largest;
use super::{Carrier, Facets, Form, Group, Item, Scene};
use crate::run::{Frame, Observer};
use fourbar_linalg::text::Brief;
use std::collections::BTreeMap;
use std::io;

/// Points of contacts that are shown at most, the first of each pair: more than a thousand arrows nobody reads, and each is a node.
const POINTS: usize = 500;
const RED: [u8; 3] = [214, 39, 40];
const ORANGE: [u8; 3] = [230, 126, 20];

/// A scene and where its bodies are over time.
#[derive(Debug, Clone)]
pub struct Film {
    /// The shapes.
    pub scene: Scene,
    /// The frames, in the order of time; at least one.
    pub frames: Vec<Frame>,
    /// Of forces, reactions and contacts.
    largest: [Largest; 3],
}

impl Film {
    /// The film of a scene; points of contacts are added to it as far as `frames` have them.
    #[must_use]
    pub fn new(mut scene: Scene, frames: Vec<Frame>, names: &[String]) -> Self {
        let largest = scene.largest(&frames);
        let mut most: BTreeMap<usize, usize> = BTreeMap::new();
        for frame in &frames {
            let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
            for contact in &frame.contacts {
                let count = counts.entry(contact.pair).or_default();
                *count += 1;
                let most = most.entry(contact.pair).or_default();
                *most = (*most).max(*count);
            }
        }
        let points = most.into_iter().flat_map(|(pair, count)| (0..count).map(move |number| (pair, number)));
        for following in &scene.following {
            following.stretch(&mut scene.items[following.item], &frames, scene.length);
        }
        let dot = Form::surface(Facets::sphere(0.008 * scene.length));
        let arrow = Form::surface(Facets::arrow(1));
        for (pair, number) in points.take(POINTS) {
            let name = names.get(pair).map_or("contact", String::as_str);
            for (what, point, form, color) in [("point", true, &dot, ORANGE), ("force", false, &arrow, RED)] {
                scene.items.push(Item {
                    name: format!("{name} {what} {}", number + 1),
                    group: Group::Contacts,
                    carrier: Carrier::Contact { pair, number, point },
                    form: form.clone(),
                    color,
                });
            }
        }
        Self { scene, frames, largest }
    }

    pub(super) fn largest(&self, group: Group) -> Largest {
        match group {
            Group::Reactions => self.largest[1],
            Group::Contacts => self.largest[2],
            _ => self.largest[0],
        }
    }

    /// What the longest arrow of a group stands for, in words; nothing where it has none.
    pub(super) fn scale(&self, group: Group) -> Option<String> {
        if !matches!(group, Group::Forces | Group::Reactions | Group::Contacts) {
            return None;
        }
        let Largest { force, torque } = self.largest(group);
        let parts = [(force, "N"), (torque, "N m")];
        let told = parts.into_iter().filter(|(value, _)| *value > 0.0);
        let told: Vec<String> = told.map(|(value, unit)| format!("{:.3} {unit}", Brief(value))).collect();
        (!told.is_empty()).then(|| format!("{}: longest arrow {}", group.name(), told.join(", ")))
    }

    /// The frame nearest to a time \[s\]; none if there is none.
    #[must_use]
    pub fn nearest(&self, time: f64) -> Option<&Frame> {
        self.frames.iter().min_by(|a, b| (a.time - time).abs().total_cmp(&(b.time - time).abs()))
    }
}

/// Keeps the frames of a run.
#[derive(Debug, Default)]
pub struct Recorder {
    /// The frames so far.
    pub frames: Vec<Frame>,
}

impl Observer for Recorder {
    fn wants_frames(&self) -> bool {
        true
    }

    fn frame(&mut self, frame: &Frame) -> io::Result<()> {
        self.frames.push(frame.clone());
        Ok(())
    }
}
