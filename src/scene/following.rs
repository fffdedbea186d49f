//! Rails and floors that are as long as what moves along them goes: how far shows only in the frames of a run.

use super::{Carrier, Form, Item};
use crate::run::Frame;
use fourbar_multibody::space::{FixedFrame, V3};
use std::sync::Arc;

/// How far a rail or floor leads beyond what moves on it, over the length of the scene: about the size of a body.
const BEYOND: f64 = 0.1;

/// Axes of an item along which it is stretched, and the points that it follows.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Following {
    /// Place among the items of the scene.
    pub(super) item: usize,
    pub(super) way: Way,
    pub(super) points: Vec<FixedFrame>,
}

/// What is stretched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// A rail, along z.
    Rail,
    /// A floor, along x and y, for points above it.
    Floor,
}

impl Following {
    /// Moves the ends of the item outwards, as far as `frames` need.
    pub(super) fn stretch(&self, item: &mut Item, frames: &[Frame], length: f64) {
        let (Carrier::Body(own), Form::Surface(facets)) = (&item.carrier, &item.form) else { return };
        let axes: &[usize] = if self.way == Way::Rail { &[2] } else { &[0, 1] };
        let (mut low, mut high) = (V3::zeros(), V3::zeros());
        for frame in frames {
            let (origin, rotation) = (own.origin(&frame.poses), own.axes(&frame.poses));
            for point in &self.points {
                let at = rotation.tr_mul(&(point.origin(&frame.poses) - origin));
                let is_followed = at.iter().all(|part| part.is_finite()) && (self.way == Way::Rail || at.z > 0.0);
                if is_followed {
                    (low, high) = (low.inf(&at), high.sup(&at));
                }
            }
        }
        let half = facets.points.iter().fold(V3::zeros(), |half, point| half.sup(&point.abs()));
        let further = |reach: f64, half: f64| (reach + BEYOND * length - half).max(0.0);
        let moved = facets.as_ref().clone().mapped(|point| {
            let mut point = *point;
            for &axis in axes {
                let half = half[axis];
                point[axis] += if point[axis] > 0.0 { further(high[axis], half) } else { -further(-low[axis], half) };
            }
            point
        });
        item.form = Form::Surface(Arc::new(moved));
    }
}
