//! One thing to be seen, and where it is in a frame.

use super::turn::{carried, towards};
use super::{Facets, Film, Scene};
use crate::run::Frame;
use fourbar_multibody::space::{FixedFrame, M3, V3};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Length of the longest arrow, over that of the scene.
pub(super) const ARROW: f64 = 0.25;
/// Part of the longest arrow below which none is drawn: it would be smaller than its head is thick.
const NO_ARROW: f64 = 1e-3;

/// Torques below this part of the largest force over the size of the scene are round-off, and forces below as much of the largest torque: 4096 spacings
/// of doubles, what some thousand operations leave of numbers of that size.
const ROUND_OFF: f64 = 4096.0 * f64::EPSILON;

/// Red, green and blue, 0 to 255.
pub type Color = [u8; 3];

/// Colour of the arrows of a group, of its forces or of its torques: apart from each other and from light and dark ground.
pub(super) fn arrow_color(group: Group, torque: bool) -> Color {
    match (group, torque) {
        (Group::Contacts, _) => [230, 126, 20],
        (Group::Reactions, false) => [31, 119, 180],
        (Group::Reactions, true) => [0, 158, 150],
        (_, false) => [214, 39, 40],
        (_, true) => [170, 70, 200],
    }
}

/// One thing to be seen.
#[derive(Debug, Clone, PartialEq)]
pub struct Item {
    /// Name for people: of the body, joint, force or contact.
    pub name: String,
    /// What kind of thing it is, to be switched on and off together.
    pub group: Group,
    /// What it is fixed to.
    pub carrier: Carrier,
    /// What it looks like.
    pub form: Form,
    /// Its colour.
    pub color: Color,
    /// Whether the model says the colour: it stays as it is on every ground.
    pub is_painted: bool,
}

/// Kinds of things.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Group {
    /// Shapes of bodies.
    Bodies,
    /// The ground: floor, supports, walls.
    Ground,
    /// Joints.
    Joints,
    /// Springs, ropes, cylinders, beams, rods.
    Springs,
    /// Axes of the global frame and of the markers on the ground.
    Markers,
    /// Forces and torques of elements, as arrows.
    Forces,
    /// What joints and motions do to the bodies of their markers I, as arrows.
    Reactions,
    /// Contact points with their forces on the bodies I.
    Contacts,
}

impl Group {
    /// All of them with their names.
    pub const NAMES: [(&'static str, Self); 8] = [
        ("bodies", Self::Bodies),
        ("ground", Self::Ground),
        ("joints", Self::Joints),
        ("springs", Self::Springs),
        ("markers", Self::Markers),
        ("forces", Self::Forces),
        ("reactions", Self::Reactions),
        ("contacts", Self::Contacts),
    ];

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::NAMES.iter().find(|(_, group)| *group == self).map_or("", |(name, _)| name)
    }
}

/// What an item is fixed to.
#[derive(Debug, Clone, PartialEq)]
pub enum Carrier {
    /// A frame on a body, from its centre of mass.
    Body(FixedFrame),
    /// Two points of two bodies: z leads from the first to the second.
    Span {
        /// One end.
        i: FixedFrame,
        /// The other end.
        j: FixedFrame,
        /// How it is drawn between them.
        part: SpanPart,
    },
    /// A piece of a beam between two frames whose z lead along it: of the cubic that has these tangents.
    Bend {
        /// Frame at one end.
        i: FixedFrame,
        /// Frame at the other end.
        j: FixedFrame,
        /// Where the piece begins and ends: parts of the way.
        from_to: [f64; 2],
    },
    /// An arrow along the force or torque of the element of that place among [`Frame::forces`].
    Force {
        /// Place among the elements.
        element: usize,
        /// Whether its torque is shown, else its force.
        torque: bool,
    },
    /// An arrow along the reaction of that place among [`Frame::reactions`], at a marker.
    Reaction {
        /// Place among the constraint sets.
        set: usize,
        /// Marker I.
        at: FixedFrame,
        /// Whether its torque is shown, else its force.
        torque: bool,
    },
    /// An arrow along the force of a contact: of those of one pair the one of that number.
    Contact {
        /// The contact of the model.
        pair: usize,
        /// Number of the point.
        number: usize,
        /// Whether the point itself is shown, else its force.
        point: bool,
    },
}

impl Carrier {
    /// The constraint set whose reaction it shows.
    fn reaction(&self) -> Option<usize> {
        if let Self::Reaction { set, .. } = self { Some(*set) } else { None }
    }

    /// The bodies that it names.
    pub(super) fn bodies(&mut self) -> Vec<&mut usize> {
        match self {
            Self::Body(frame) | Self::Reaction { at: frame, .. } => vec![&mut frame.body],
            Self::Span { i, j, .. } | Self::Bend { i, j, .. } => vec![&mut i.body, &mut j.body],
            Self::Force { .. } | Self::Contact { .. } => Vec::new(),
        }
    }
}

/// How something is drawn between two points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SpanPart {
    /// From the first to the second, its z from 0 to 1 stretched over the distance.
    Stretched,
    /// At the first, in its own length.
    AtFirst,
    /// At the second and looking back, in its own length.
    AtSecond,
}

/// What an item looks like.
#[derive(Debug, Clone, PartialEq)]
pub enum Form {
    /// A surface.
    Surface(Arc<Facets>),
    /// Straight lines, two points each.
    Lines(Arc<Vec<[V3; 2]>>),
}

impl Form {
    pub(super) fn surface(facets: Facets) -> Self {
        Self::Surface(Arc::new(facets))
    }
}

/// Where an item is: a point p of its form is at `position + rotation * (scale * p)`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Placement {
    /// Its origin, global \[m\].
    pub position: V3,
    /// Its axes, global, as columns.
    pub rotation: M3,
    /// Factors along its axes; all zero where it is not there.
    pub scale: V3,
}

impl Placement {
    /// Where a point of the form is.
    #[must_use]
    pub fn point(&self, p: &V3) -> V3 {
        self.position + self.rotation * self.scale.component_mul(p)
    }

    /// Whether there is anything to see.
    #[must_use]
    pub fn is_seen(&self) -> bool {
        self.scale.min() > 0.0
    }
}

/// The largest force and torque that arrows of a group stand for.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Largest {
    pub(super) force: f64,
    pub(super) torque: f64,
}

impl Item {
    /// Where it is in a frame of a film.
    #[must_use]
    pub fn placement(&self, film: &Film, frame: &Frame) -> Placement {
        let poses = &frame.poses;
        match &self.carrier {
            Carrier::Body(fixed) => {
                Placement { position: fixed.origin(poses), rotation: fixed.axes(poses), scale: V3::repeat(1.0) }
            }
            Carrier::Span { i, j, part } => span(i, j, *part, frame),
            Carrier::Bend { i, j, from_to } => super::flexible::bend([i, j], *from_to, poses),
            Carrier::Force { element, torque } => match frame.forces.get(*element) {
                Some(load) => {
                    let vector = if *torque { load.torque } else { load.force };
                    self.arrow(film, load.i.origin(poses), &vector, *torque)
                }
                None => hidden(),
            },
            Carrier::Reaction { set, at, torque } => match frame.reactions.get(*set) {
                Some(wrench) => {
                    let vector = if *torque { wrench.torque } else { wrench.force };
                    self.arrow(film, at.origin(poses), &vector, *torque)
                }
                None => hidden(),
            },
            Carrier::Contact { pair, number, point } => {
                let of_pair = frame.contacts.iter().filter(|contact| contact.pair == *pair);
                match of_pair.clone().nth(*number) {
                    Some(contact) if *point => {
                        Placement { position: contact.point, rotation: M3::identity(), scale: V3::repeat(1.0) }
                    }
                    Some(contact) => self.arrow(film, contact.point, &contact.force, false),
                    None => hidden(),
                }
            }
        }
    }

    /// Where it is in frames that follow each other. What turns about its own axis from one to the next, since nothing says how it is turned, turns
    /// with its first body and no further than its direction asks for.
    pub(super) fn placements(&self, film: &Film, frames: &[&Frame]) -> Vec<Placement> {
        let mut placements: Vec<Placement> = frames.iter().map(|frame| self.placement(film, frame)).collect();
        let body = match &self.carrier {
            Carrier::Body(_) | Carrier::Bend { .. } => return placements,
            Carrier::Span { i, .. } => Some(i.body),
            Carrier::Force { .. } | Carrier::Reaction { .. } | Carrier::Contact { .. } => None,
        };
        // The last that was seen, and how its body was turned then.
        let mut last: Option<(M3, M3)> = None;
        for (placement, frame) in placements.iter_mut().zip(frames).filter(|(placement, _)| placement.is_seen()) {
            let turn = body.map_or_else(M3::identity, |body| frame.poses[body].a);
            if let Some((rotation, before)) = last {
                placement.rotation = carried(turn * before.tr_mul(&rotation), &placement.rotation.column(2).into());
            }
            last = Some((placement.rotation, turn));
        }
        placements
    }

    /// An arrow that ends at `position`, in the scale of its group.
    fn arrow(&self, film: &Film, position: V3, vector: &V3, torque: bool) -> Placement {
        let largest = film.largest(self.group);
        let largest = if torque { largest.torque } else { largest.force };
        let part = vector.norm() / largest;
        if !(largest > 0.0 && part > NO_ARROW) {
            return hidden();
        }
        let length = part * ARROW * film.scene.length;
        Placement { position, rotation: towards(vector), scale: V3::repeat(length) }
    }
}

/// Nothing to see, at a place that is finite.
pub(super) fn hidden() -> Placement {
    Placement { position: V3::zeros(), rotation: M3::identity(), scale: V3::zeros() }
}

fn span(i: &FixedFrame, j: &FixedFrame, part: SpanPart, frame: &Frame) -> Placement {
    let (from, to) = (i.origin(&frame.poses), j.origin(&frame.poses));
    let (position, way) = match part {
        SpanPart::AtSecond => (to, from - to),
        _ => (from, to - from),
    };
    let length = way.norm();
    if !(length > 0.0) {
        return hidden();
    }
    let z = way / length;
    // An axis of the first body that does not lie along it keeps it from spinning.
    let across = i.axis(&frame.poses, 0).cross(&z);
    let rotation = match across.norm() > 1e-3 {
        true => {
            let y = -across.normalize();
            M3::from_columns(&[y.cross(&z), y, z])
        }
        false => towards(&z),
    };
    let along = if part == SpanPart::Stretched { length } else { 1.0 };
    Placement { position, rotation, scale: V3::new(1.0, 1.0, along) }
}

impl Scene {
    /// The largest force and torque of each group over `frames`, of reactions those that are shown; none where that is round-off.
    pub(super) fn largest(&self, frames: &[Frame]) -> [Largest; 3] {
        let shown: BTreeSet<usize> = self.items.iter().filter_map(|item| item.carrier.reaction()).collect();
        let mut largest = [Largest::default(); 3];
        let mut take = |k: usize, force: &V3, torque: &V3| {
            largest[k].force = largest[k].force.max(force.norm());
            largest[k].torque = largest[k].torque.max(torque.norm());
        };
        for frame in frames {
            frame.forces.iter().for_each(|load| take(0, &load.force, &load.torque));
            let reactions = frame.reactions.iter().enumerate().filter(|(set, _)| shown.contains(set));
            reactions.for_each(|(_, wrench)| take(1, &wrench.force, &wrench.torque));
            frame.contacts.iter().for_each(|contact| take(2, &contact.force, &V3::zeros()));
        }
        let force = largest.iter().map(|own| own.force).fold(0.0, f64::max);
        let torque = largest.iter().map(|own| own.torque).fold(0.0, f64::max);
        let least = Largest {
            force: ROUND_OFF * force.max(torque / self.length),
            torque: ROUND_OFF * torque.max(force * self.length),
        };
        let told = |value: f64, least: f64| if value > least { value } else { 0.0 };
        largest.map(|own| Largest { force: told(own.force, least.force), torque: told(own.torque, least.torque) })
    }
}
