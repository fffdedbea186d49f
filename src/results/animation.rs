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
    /// Parts of the animation that are shown one at a time, over and over, as modes are; none for a run.
    pub parts: Vec<Part>,
}

/// A part of an animation.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Part {
    /// Name for people.
    pub name: String,
    /// Where it begins and ends \[s\].
    pub span: [f64; 2],
}
