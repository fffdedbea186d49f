//! Where a node is at the output times.

use super::{Lengths, PATHS, UnitQuaternion};
use crate::scene::item::Placement;
use fourbar_multibody::space::V3;
use gltf_json::accessor::Type;
use gltf_json::animation::Property;
use gltf_json::scene::Node;
use nalgebra::{Rotation3, UnitQuaternion as Quaternion};
use std::ops::Range;

/// Translations, rotations and scales at the output times.
pub(super) struct Track {
    translations: Vec<[f32; 3]>,
    /// x, y, z, w; neighbours never have opposite signs.
    rotations: Vec<[f32; 4]>,
    scales: Vec<[f32; 3]>,
}

/// Steps to which numbers are rounded. As powers of two they leave the last bits of a number zero, which deflates well.
#[derive(Debug, Clone, Copy)]
pub(in crate::scene) struct Grid {
    /// Of places, in the unit of the file; of lengths of what is stretched, as many metres.
    pub(in crate::scene) place: f32,
    /// Of the parts of unit quaternions.
    pub(in crate::scene) rotation: f32,
}

/// How much coarser arrows are: their feet by a pixel of 1000, their lengths by a 500th of the longest, their directions by a quarter of a degree.
const ARROWS: f32 = 8.0;

impl Grid {
    /// The steps for arrows, which nobody measures: together they take less room than the bodies.
    pub(super) fn for_arrows(self) -> Self {
        Self { place: ARROWS * self.place, rotation: 2.0 * ARROWS * self.rotation }
    }
}

fn rounded(value: f64, grid: Option<f32>) -> f32 {
    let value = value as f32;
    grid.map_or(value, |grid| (value / grid).round() * grid)
}

impl Track {
    pub(super) fn new(mut placements: Vec<Placement>, lengths: &Lengths, grid: Option<Grid>) -> Self {
        // What is not there waits where it was, or will be, so that it does not fly in from elsewhere.
        let mut last = placements.iter().find(|place| place.is_seen()).copied();
        for place in &mut placements {
            match (place.is_seen(), last) {
                (true, _) => last = Some(*place),
                (false, Some(last)) => (place.position, place.rotation) = (last.position, last.rotation),
                (false, None) => {}
            }
        }
        let step = grid.map(|grid| grid.place);
        let place = |p: &V3| <[f64; 3]>::from(lengths.place(p)).map(|part| rounded(part, step));
        // What is not stretched stays as it is, however coarse the grid.
        let factor = |s: f64| if s == 1.0 { 1.0 } else { rounded(s, step.map(|step| step * lengths.unit as f32)) };
        let mut rotations: Vec<[f32; 4]> = Vec::with_capacity(placements.len());
        for place in &placements {
            let q = Quaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(place.rotation));
            let q = [q.i, q.j, q.k, q.w].map(|part| rounded(part, grid.map(|grid| grid.rotation)));
            let nearness = rotations.last().map_or(1.0, |last| last.iter().zip(&q).map(|(a, b)| a * b).sum::<f32>());
            rotations.push(if nearness < 0.0 { q.map(|part| -part) } else { q });
        }
        Self {
            translations: placements.iter().map(|own| place(&own.position)).collect(),
            rotations,
            scales: placements.iter().map(|own| <[f64; 3]>::from(own.scale).map(factor)).collect(),
        }
    }

    /// Whether it is to be seen at any time.
    pub(super) fn is_seen(&self) -> bool {
        self.scales.iter().flatten().any(|factor| *factor > 0.0)
    }

    /// A node at the first time.
    pub(super) fn start(&self) -> Node {
        Node {
            translation: self.translations.first().copied(),
            rotation: self.rotations.first().map(|q| UnitQuaternion(*q)),
            scale: self.scales.first().copied().filter(|scale| *scale != [1.0; 3]),
            ..Node::default()
        }
    }

    /// What of it differs from the node in these frames: path, numbers in a row, and how many belong together.
    pub(super) fn moving(&self, frames: Range<usize>) -> impl Iterator<Item = (Property, Vec<f32>, Type)> + '_ {
        fn changes<const N: usize>(values: &[[f32; N]], frames: &Range<usize>) -> Option<Vec<f32>> {
            let own = values.get(frames.clone())?;
            own.iter().any(|value| *value != values[0]).then(|| own.concat())
        }
        let Self { translations, rotations, scales } = self;
        let values = [changes(translations, &frames), changes(rotations, &frames), changes(scales, &frames)];
        let kinds = [Type::Vec3, Type::Vec4, Type::Vec3];
        PATHS.into_iter().zip(values).zip(kinds).filter_map(|((path, values), kind)| Some((path, values?, kind)))
    }
}
