//! Modes in motion: as a page moves them, and as glTF with an animation each.

use super::glb::{Clip, write_clips};
use super::{Carrier, Film, Form, Recorder, Scene, Stage};
use crate::Error;
use crate::analysis::{Mode, Modes};
use crate::run::Frame;
use fourbar_multibody::space::{Pose, V3};
use std::io;

/// Largest way of a mode as it is shown, over the size of the scene: it is seen, and looks small.
const WAY: f64 = 0.1;
/// Largest turn \[rad\], 20 degrees: a small wheel in a large machine turns no further, and what a linear mode leaves open at joints, which grows with
/// the square of the turn, stays below a sixteenth of a body's length.
const TURN: f64 = 0.35;
/// Time in which a mode is shown once in a file \[s\], whatever its frequency.
const PERIOD: f64 = 2.0;
/// Keys in that time, and one at the end: straight lines between them are off a sine by half a hundredth.
const KEYS: usize = 32;
/// Modes times bodies that a page carries at most, some 600 kB.
#[cfg(feature = "report")]
const SHAPES: usize = 10_000;

/// The modes of a mechanism with its bodies.
#[derive(Debug, Clone)]
pub struct ModeFilm {
    /// At rest, and then the frames of each mode.
    film: Film,
    /// With shapes in the size in which they are shown.
    modes: Vec<Mode>,
}

impl Stage {
    /// The film of modes about `rest`, of the mechanism of this stage.
    ///
    /// # Errors
    /// What is wrong with a shape.
    pub fn modes(&self, rest: &Frame, modes: &Modes) -> Result<ModeFilm, Error> {
        let still = self.film(Recorder::of(vec![rest.clone()]))?;
        let arms = arms(&still.scene, &rest.poses);
        let sized = |mode: &Mode| {
            let size = size(mode, &arms, &still.scene);
            let shape = mode.shape.iter().map(|ways| ways.map(|way| way * size)).collect();
            Mode { shape, ..mode.clone() }
        };
        let modes: Vec<Mode> = modes.modes.iter().map(sized).collect();
        let mut frames = vec![rest.clone()];
        for mode in &modes {
            let parts = (0..=KEYS).map(|key| key as f64 / KEYS as f64);
            let moved = |part| mode.moved(&rest.poses, mode.factor(part));
            frames.extend(parts.map(|part| Frame { time: rest.time, poses: moved(part), ..Frame::default() }));
        }
        let film = self.film(Recorder::of(frames))?;
        Ok(ModeFilm { film, modes })
    }
}

impl ModeFilm {
    /// The bytes of a `.glb` file with an animation a mode, in which an oscillation goes round once in two seconds.
    ///
    /// # Errors
    /// A file of more than 4 GiB.
    pub fn glb(&self) -> io::Result<Vec<u8>> {
        let times = (0..=KEYS).map(|key| (PERIOD * key as f64 / KEYS as f64) as f32);
        let clip = |(k, mode): (usize, &Mode)| {
            let first = 1 + k * (KEYS + 1);
            Clip { name: mode.label(k + 1), frames: first..first + KEYS + 1, times: times.clone().collect() }
        };
        write_clips(&self.film, self.modes.iter().enumerate().map(clip).collect())
    }

    /// As a page carries them, which moves the bodies itself; of many the slowest.
    ///
    /// # Errors
    /// A file of more than 4 GiB.
    #[cfg(feature = "report")]
    pub fn animation(&self) -> io::Result<crate::results::Animation> {
        let mut still = self.film.clone();
        still.frames.truncate(1);
        let glb = super::driven_glb(&still)?;
        let most = SHAPES / still.scene.bodies.len();
        let modes = self.modes.iter().enumerate().take(most.max(1)).map(|(k, mode)| moving(k + 1, mode, &still));
        let modes = modes.collect();
        let length = still.scene.length;
        let still = super::svg(&still, &super::Picture::default());
        Ok(crate::results::Animation { glb, still, stride: 1, length, modes })
    }
}

/// A mode for a page; ways of origins.
#[cfg(feature = "report")]
fn moving(number: usize, mode: &Mode, still: &Film) -> crate::results::MovingMode {
    let moving = still.scene.bodies.split_last().map_or(&[][..], |(_, moving)| moving);
    let poses = still.frames.first().map_or(&[][..], |frame| &frame.poses);
    let short = |value: f64| format!("{value:.4e}").parse().unwrap_or(value);
    let ways = moving.iter().zip(poses).enumerate().map(|(body, (shown, pose))| {
        let origin = mode.way(body, &-(pose.a * shown.center));
        let shape = &mode.shape[body];
        std::array::from_fn(|k| {
            let part = if k % 6 < 3 { origin[k % 6] } else { shape[k % 6] };
            short(if k < 6 { part.re } else { part.im })
        })
    });
    let (label, told) = (mode.label(number), mode.explanation());
    let growth = if mode.motion.is_periodic() { 0.0 } else { (mode.factor(1.0).re / mode.factor(0.0).re).ln() };
    crate::results::MovingMode { name: label, told, growth, ways: ways.collect() }
}

/// The corners of a box about what is seen of each body, from its centre of mass, in global axes.
fn arms(scene: &Scene, poses: &[Pose]) -> Vec<Vec<V3>> {
    let ground = scene.bodies.len() - 1;
    let mut boxes = vec![[V3::zeros(); 2]; ground];
    let mut take = |body: usize, point: V3| {
        if let Some([low, high]) = boxes.get_mut(body) {
            (*low, *high) = (low.inf(&point), high.sup(&point));
        }
    };
    for item in &scene.items {
        match (&item.carrier, &item.form) {
            (Carrier::Body(frame), Form::Surface(facets)) => {
                facets.points.iter().for_each(|p| take(frame.body, frame.r + frame.c * p));
            }
            (Carrier::Span { i, j, .. } | Carrier::Bend { i, j, .. }, _) => {
                [i, j].into_iter().for_each(|end| take(end.body, end.r));
            }
            _ => {}
        }
    }
    let corners = |([low, high], pose): (&[V3; 2], &Pose)| {
        let corner = |k: usize| pose.a * V3::from_fn(|axis, _| if k >> axis & 1 == 0 { low[axis] } else { high[axis] });
        (0..8).map(corner).collect()
    };
    boxes.iter().zip(poses).map(corners).collect()
}

/// What a shape is multiplied by, so that nothing moves further than `WAY` or turns further than `TURN`; 0 for one that moves nothing.
fn size(mode: &Mode, arms: &[Vec<V3>], scene: &Scene) -> f64 {
    let length = |parts: &[nalgebra::Complex<f64>]| parts.iter().map(|part| part.norm_sqr()).sum::<f64>().sqrt();
    let (mut way, mut turn) = (0.0_f64, 0.0_f64);
    for (body, arms) in arms.iter().enumerate().filter(|(body, _)| scene.bodies[*body].has_place) {
        way = arms.iter().map(|arm| length(&mode.way(body, arm))).fold(way, f64::max);
        turn = turn.max(length(&mode.shape[body][3..]));
    }
    let size = (WAY * scene.length / way).min(TURN / turn);
    if size.is_finite() { size } else { 0.0 }
}
