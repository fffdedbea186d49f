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
    /// A floor, along x and y, for points that are not below it.
    Floor,
}

impl Following {
    /// Axes of the item along which it is stretched.
    pub(super) fn axes(&self) -> &'static [usize] {
        if self.way == Way::Rail { &[2] } else { &[0, 1] }
    }

    /// How far it leads beyond its points in a scene of that length \[m\].
    pub(super) fn beyond(&self, length: f64) -> f64 {
        BEYOND * length
    }

    /// How far below a floor its points may be \[m\]: what is deeper has fallen beside it, and corners of the box around a wheel reach below its tread. A rail follows all.
    pub(super) fn depth(&self, length: f64) -> Option<f64> {
        (self.way == Way::Floor).then_some(BEYOND * length)
    }

    /// Moves the ends of the item outwards, as far as `frames` need.
    pub(super) fn stretch(&self, item: &mut Item, frames: &[Frame], length: f64) {
        let (Carrier::Body(own), Form::Surface(facets)) = (&item.carrier, &item.form) else { return };
        let (mut low, mut high) = (V3::zeros(), V3::zeros());
        for frame in frames {
            let (origin, rotation) = (own.origin(&frame.poses), own.axes(&frame.poses));
            for point in &self.points {
                let at = rotation.tr_mul(&(point.origin(&frame.poses) - origin));
                let is_followed =
                    at.iter().all(|part| part.is_finite()) && self.depth(length).is_none_or(|depth| at.z > -depth);
                if is_followed {
                    (low, high) = (low.inf(&at), high.sup(&at));
                }
            }
        }
        let half = facets.points.iter().fold(V3::zeros(), |half, point| half.sup(&point.abs()));
        let further = |reach: f64, half: f64| (reach + self.beyond(length) - half).max(0.0);
        let moved = facets.as_ref().clone().mapped(|point| {
            let mut point = *point;
            for &axis in self.axes() {
                let half = half[axis];
                point[axis] += if point[axis] > 0.0 { further(high[axis], half) } else { -further(-low[axis], half) };
            }
            point
        });
        item.form = Form::Surface(Arc::new(moved));
    }
}
