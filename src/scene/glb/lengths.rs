//! From metres to the lengths of a file, whose numbers are of single precision: from a place near the machine, and of a size that suits it.

use crate::run::Frame;
use crate::scene::{Film, Scene};
use fourbar_multibody::space::V3;

/// A machine that is farther from the origin than this many of its sizes is told from a place within it. Single precision has 24 bits: nearer
/// ones keep 16 bits of their size and more, what films for pages are rounded to (`PLACES`).
const FAR: f64 = 256.0;

/// A length of x metres is x/`unit` in the file, a place p is at (p - `origin`)/`unit` below its root node.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::scene) struct Lengths {
    /// What is at the origin of the file, global \[m\]; its numbers are of single precision.
    pub(super) origin: V3,
    /// A power of two, so that no number changes its digits \[m\].
    pub(super) unit: f64,
    /// Where the root node is: what is in metres is where it is in the model, a page need not know \[m\].
    pub(super) root: V3,
}

impl Lengths {
    /// Metres, for files that others read.
    pub(super) fn metres(film: &Film) -> Self {
        let origin = origin(film);
        Self { origin, unit: 1.0, root: origin }
    }

    /// For pages, whatever the size of the machine: about as long as the unit.
    pub(in crate::scene) fn own(film: &Film) -> Self {
        Self { origin: origin(film), unit: film.scene.length.log2().round().exp2(), root: V3::zeros() }
    }

    /// Metres of a unit.
    #[cfg(feature = "report")]
    pub(in crate::scene) fn unit(&self) -> f64 {
        self.unit
    }

    pub(super) fn way(&self, v: &V3) -> V3 {
        v / self.unit
    }

    pub(super) fn place(&self, p: &V3) -> V3 {
        (p - self.origin) / self.unit
    }
}

/// The middle of the bodies at the start where that is far away, else the global origin.
fn origin(film: &Film) -> V3 {
    let middle = film.frames.first().and_then(|frame| middle(&film.scene, frame));
    let far = middle.filter(|middle| middle.norm() > FAR * film.scene.length);
    far.map_or_else(V3::zeros, |middle| middle.map(|part| f64::from(part as f32)))
}

/// The middle of the centres of mass in a frame, global \[m\]; none without a body.
pub(in crate::scene) fn middle(scene: &Scene, frame: &Frame) -> Option<V3> {
    let placed = scene.bodies.iter().zip(&frame.poses).filter(|(body, _)| body.has_place);
    // The ground comes last.
    let own = placed.take(scene.bodies.len().saturating_sub(1)).map(|(_, pose)| pose.x);
    let finite: Vec<V3> = own.filter(|x| x.iter().all(|part| part.is_finite())).collect();
    (!finite.is_empty()).then(|| finite.iter().sum::<V3>() / finite.len() as f64)
}
