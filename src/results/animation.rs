//! The bodies of a machine in motion, as a page carries them.

use serde::Serialize;

/// Bodies in motion for a page: [`Report::animation`](super::Report::animation) and
/// [`AnalysisPage::animation`](super::AnalysisPage::animation). `Film::animation` of the module `scene` makes it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Animation {
    /// A binary glTF 2.0 file whose animation has the times of the run \[s\].
    pub glb: Vec<u8>,
    /// A picture for browsers without WebGL, as SVG.
    pub still: String,
    /// Of so many outputs one is a frame: 1 for all.
    pub stride: usize,
    /// Length that stands for the size of what is shown \[m\]; 0 where it is not known. Plots measure by it what of lengths is round-off.
    pub length: f64,
    /// Modes, which the page moves one at a time, over and over; the file then has no animation. None for a run.
    pub modes: Vec<MovingMode>,
}

/// A mode as a page moves it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MovingMode {
    /// Name for people.
    pub name: String,
    /// What it does, as a sentence.
    pub told: String,
    /// Exponent by which it changes while it is shown; 0 of one that goes round.
    pub growth: f64,
    /// Of each body the way of its origin and its turn, real parts and then imaginary ones \[m, rad\], at the largest size that is usual.
    pub ways: Vec<[f64; 12]>,
}
