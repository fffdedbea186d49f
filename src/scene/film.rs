//! A scene and its frames.

use super::item::{Largest, arrow_color};
use super::{Carrier, Facets, Form, Group, Item, Scene};
use crate::run::{Frame, Observer};
use fourbar_linalg::text::Brief;
use std::collections::BTreeMap;
use std::io;

/// Points of contacts that are shown at most, the first of each pair: more than a thousand arrows nobody reads, and each is a node.
const POINTS: usize = 500;

/// A scene and where its bodies are over time.
#[derive(Debug, Clone)]
pub struct Film {
    /// The shapes.
    pub scene: Scene,
    /// The frames, in the order of time; at least one.
    pub frames: Vec<Frame>,
    /// Of forces, reactions and contacts.
    largest: [Largest; 3],
    /// Of so many outputs one is a frame.
    pub(super) stride: usize,
    /// Constraint sets whose reactions come with the poses, for who moves the film by these.
    pub(super) carried: Vec<usize>,
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
            for (what, point, form) in [("point", true, &dot), ("force", false, &arrow)] {
                scene.items.push(Item {
                    name: format!("{name} {what} {}", number + 1),
                    group: Group::Contacts,
                    carrier: Carrier::Contact { pair, number, point },
                    form: form.clone(),
                    color: arrow_color(Group::Contacts, false),
                    is_painted: false,
                });
            }
        }
        Self { scene, frames, largest, stride: 1, carried: Vec::new() }
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

    /// Whether anything of a group is to be seen in the frame nearest to a time \[s\].
    #[must_use]
    pub fn shows(&self, group: Group, time: f64) -> bool {
        let mut own = self.scene.items.iter().filter(|item| item.group == group);
        self.nearest(time).is_some_and(|frame| own.any(|item| item.placement(self, frame).is_seen()))
    }

    /// The frame nearest to a time \[s\]; none if there is none.
    #[must_use]
    pub fn nearest(&self, time: f64) -> Option<&Frame> {
        self.frames.iter().min_by(|a, b| (a.time - time).abs().total_cmp(&(b.time - time).abs()))
    }
}

/// Keeps the frames of a run.
#[derive(Debug, Clone, Default)]
pub struct Recorder {
    /// The frames so far.
    pub frames: Vec<Frame>,
    /// Of so many outputs one is kept; 0 stands for 1.
    stride: usize,
    /// Outputs so far.
    outputs: usize,
    /// The last one, where it is not kept.
    last: Option<Frame>,
    /// Frames that are kept at least, and not twice as many.
    most: Option<usize>,
}

impl Recorder {
    /// With these frames, all of which are kept.
    pub(super) fn of(frames: Vec<Frame>) -> Self {
        Self { outputs: frames.len(), frames, ..Self::default() }
    }

    /// A recorder for a film of which no more is wanted than `most` frames: beyond twice as many every other one is dropped, and of so many outputs
    /// one is kept from then on.
    #[must_use]
    pub fn of_at_most(most: usize) -> Self {
        Self { most: Some(most.max(1)), ..Self::default() }
    }

    /// The frames, the last one among them.
    #[must_use]
    pub fn into_frames(self) -> Vec<Frame> {
        let Self { mut frames, last, .. } = self;
        frames.extend(last);
        frames
    }

    /// Of so many outputs one is a frame.
    #[must_use]
    pub fn stride(&self) -> usize {
        self.stride.max(1)
    }
}

impl Observer for Recorder {
    fn wants_frames(&self) -> bool {
        true
    }

    fn frame(&mut self, frame: &Frame) -> io::Result<()> {
        if self.outputs.is_multiple_of(self.stride()) {
            if self.most.is_some_and(|most| self.frames.len() >= 2 * most) {
                self.stride = 2 * self.stride();
                let mut index = 0;
                self.frames.retain(|_| {
                    index += 1;
                    index % 2 == 1
                });
            }
            // The one at which the stride has grown lies on it: an even number of frames came before.
            self.frames.push(frame.clone());
            self.last = None;
        } else {
            self.last = Some(frame.clone());
        }
        self.outputs += 1;
        Ok(())
    }
}
