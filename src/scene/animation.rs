//! A film for a page: as few bytes as the eye lets pass.

use super::glb::{Grid, Lengths, write_thinned};
use super::{Film, Picture, Recorder, svg};
use crate::results::Animation;
use std::io;

/// Most frames: a second at 60 Hz for each of some thirty seconds that somebody looks.
const FRAMES: usize = 2000;
/// Most poses over all bodies, a thousand frames of two hundred: with their arrows some 5 MB in a page.
const POSES: usize = 200_000;
/// Parts of the size of the scene to which places are rounded: on a picture of 1000 pixels the 16th part of one.
const PLACES: f64 = 16_384.0;
/// Steps of the parts of unit quaternions: they turn by 0.014 degrees at most, a body of 1000 pixels by a quarter of one.
const TURN: f32 = 1.0 / 8_192.0;

impl Recorder {
    /// A recorder for [`Film::animation`]: it keeps no more frames than that shows.
    #[must_use]
    pub fn for_page() -> Self {
        Self::of_at_most(FRAMES)
    }
}

impl Film {
    /// As a page carries it. Every second, third, .. frame is taken of a film of more than 2,000 frames or 200,000 poses, and the last; places are rounded
    /// to the 16,384th part of the size of the scene or less, quaternions to 1/8,192.
    ///
    /// # Errors
    /// A file of more than 4 GiB.
    pub fn animation(&self) -> io::Result<Animation> {
        let frames = self.frames.len();
        let poses = frames * self.scene.bodies.len();
        let stride = frames.div_ceil(FRAMES).max(poses.div_ceil(POSES)).max(1);
        let place = (self.scene.length / Lengths::own(self).unit() / PLACES).log2().floor().exp2() as f32;
        let glb = write_thinned(self, stride, Grid { place, rotation: TURN })?;
        let still = svg(self, &Picture::default());
        Ok(Animation { glb, still, stride: stride * self.stride, length: self.scene.length, modes: Vec::new() })
    }
}
