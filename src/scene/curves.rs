//! Curves: plates with the outline of closed plane ones on bodies, rods along the others.

use super::Facets;
use super::build::Builder;
use super::outline::V2;
use crate::mechanism::MechanismModel;
use fourbar_multibody::curve::Curve;
use fourbar_multibody::space::{FixedFrame, Pose, V3};
use fourbar_multibody::{ModelError, Names};
use std::sync::Arc;

/// Straight pieces between two points of the model, and how many there are at least and at most over the whole curve.
const BETWEEN: usize = 2;
const LEAST: usize = 24;
const MOST: usize = 240;

/// A curve of the model.
pub(super) struct Placed {
    frame: FixedFrame,
    curve: Arc<Curve>,
    /// Places and tangents along it, in its frame.
    line: Vec<[V3; 2]>,
}

impl Placed {
    /// All curves of a model.
    pub(super) fn all(model: &MechanismModel, names: &Names<'_>) -> Result<Vec<Self>, Box<ModelError>> {
        let read = |(index, own): (usize, &fourbar_multibody::model::Curve)| {
            let (frame, curve) = names.curve(index, own)?;
            let pieces = (BETWEEN * own.points.len()).clamp(LEAST, MOST);
            let place = |k: usize| curve.at(curve.length() * k as f64 / pieces as f64);
            let line = (0..=pieces).map(place).map(|place| [place.position, place.first]).collect();
            Ok(Self { frame, curve, line })
        };
        model.model.curves.iter().enumerate().map(read).collect()
    }

    /// Its places, global.
    pub(super) fn seen<'a>(&'a self, poses: &'a [Pose]) -> impl Iterator<Item = V3> + 'a {
        let (origin, axes) = (self.frame.origin(poses), self.frame.axes(poses));
        self.line.iter().map(move |[place, _]| origin + axes * place)
    }

    /// The corners of a closed plane curve, counter-clockwise.
    fn outline(&self) -> Option<Vec<V2>> {
        if !(self.curve.is_closed() && self.curve.is_plane()) {
            return None;
        }
        let mut corners: Vec<V2> = self.line[1..].iter().map(|[place, _]| place.xy()).collect();
        let n = corners.len();
        let area: f64 = (0..n).map(|k| corners[k].perp(&corners[(k + 1) % n])).sum();
        if area < 0.0 {
            corners.reverse();
        }
        Some(corners)
    }
}

impl Builder<'_> {
    /// Draws the curves but those on bodies with displays. A plate is the look of its body.
    pub(super) fn add_curves(&mut self, displayed: &[bool]) {
        let curves = std::mem::take(&mut self.curves);
        for placed in curves.into_iter().filter(|placed| !displayed[placed.frame.body]) {
            let body = placed.frame.body;
            let frame = self.lifted(&placed.frame);
            match placed.outline().filter(|_| body != self.ground()) {
                Some(outline) => {
                    let half = self.thickness() / 2.0;
                    self.add_part(frame, Facets::prism(&outline, -half, half));
                    self.shaped[body] = true;
                }
                None => {
                    let rod = Facets::along(&placed.line, 0.2 * self.half_width(), !placed.curve.is_closed());
                    self.add_part(frame, rod);
                }
            }
        }
    }
}
