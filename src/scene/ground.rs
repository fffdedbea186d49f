//! The ground: supports of joints, planes of contacts, a floor, and the axes of markers.

use super::build::{Builder, Built, GROUND, axes, axis_across, in_plane};
use super::outline::{self, ROUND, V2};
use super::points::{Meeting, distinct};
use super::signs::triad;
use super::{Carrier, Facets, Form, Group, Item};
use fourbar_multibody::model::GROUND as NAME;
use fourbar_multibody::space::{FixedFrame, M3, V3};
use std::sync::Arc;

/// Squares of the floor from edge to edge.
const SQUARES: i32 = 10;

impl Builder<'_> {
    pub(super) fn add_ground(&mut self) -> Built {
        self.add_supports();
        let has_plane = self.add_planes()?;
        if !has_plane {
            self.add_floor();
        }
        self.add_triads();
        Ok(())
    }

    /// A foot under each joint with the ground.
    fn add_supports(&mut self) {
        let ground = self.ground();
        let hinges =
            self.places[ground].iter().filter(|place| place.meeting != Meeting::Slide && place.other.is_some());
        let origins = distinct(hinges.map(|place| place.frame.origin(&self.poses)), 0.004 * self.length);
        let r = self.half_width();
        for origin in origins {
            match self.normal {
                Some(normal) => {
                    // Up in the picture: gravity may act across the plane.
                    let across = self.up - normal * normal.dot(&self.up);
                    let up = if across.norm() > 0.1 { across.normalize() } else { in_plane(&normal) };
                    let origin = origin + normal * self.behind(&origin);
                    let frame = self.fixed(ground, origin, M3::from_columns(&[up.cross(&normal), up, normal]));
                    let mut corners = outline::circle(V2::zeros(), 0.9 * r, ROUND);
                    corners.extend([V2::new(-1.6 * r, -2.6 * r), V2::new(1.6 * r, -2.6 * r)]);
                    let half = self.thickness() / 2.0;
                    let foot = Facets::prism(&outline::hull(corners), -half, half);
                    let base = Facets::cuboid(V3::new(4.4 * r, 0.5 * r, 2.0 * half)).mapped(|p| p - V3::y() * 2.7 * r);
                    self.add_part(frame, foot.joined(base));
                }
                None => {
                    let frame = self.fixed(ground, origin, axes(&self.up, &axis_across(&self.up)));
                    let square = outline::circle(V2::zeros(), 1.3 * r, 4);
                    let foot = Facets::loft(&square, (-2.2 * r, 1.0), (-0.2 * r, 0.35));
                    self.add_part(frame, foot);
                }
            }
        }
    }

    /// A grid under everything.
    fn add_floor(&mut self) {
        let Some([low, high]) = self.bounds() else { return };
        let up = self.up;
        let frame_axes = axes(&up, &axis_across(&up));
        let (mut least, mut most) = (V3::repeat(f64::INFINITY), V3::repeat(f64::NEG_INFINITY));
        for k in 0..8 {
            let pick = |axis: usize| if k >> axis & 1 == 0 { low[axis] } else { high[axis] };
            let corner = frame_axes.tr_mul(&V3::new(pick(0), pick(1), pick(2)));
            (least, most) = (least.inf(&corner), most.sup(&corner));
        }
        let middle = (least + most) / 2.0;
        let origin = frame_axes * V3::new(middle.x, middle.y, least.z - 0.05 * self.length);
        let half = 0.5 * (most - least).xy().max() + 0.12 * self.length;
        let square = 2.0 * half / f64::from(SQUARES);
        let lines = (0..=SQUARES).flat_map(|k| {
            let at = square * f64::from(k) - half;
            [[V3::new(at, -half, 0.0), V3::new(at, half, 0.0)], [V3::new(-half, at, 0.0), V3::new(half, at, 0.0)]]
        });
        let frame = FixedFrame { body: self.ground(), r: origin, c: frame_axes };
        self.items.push(Item {
            name: "floor".to_owned(),
            group: Group::Ground,
            carrier: Carrier::Body(frame),
            form: Form::Lines(Arc::new(lines.collect())),
            color: GROUND,
            is_painted: false,
        });
    }

    /// The axes of the global frame, and of the markers on the ground.
    fn add_triads(&mut self) {
        let ground = self.ground();
        let global = FixedFrame { body: ground, r: V3::zeros(), c: M3::identity() };
        let mut frames = vec![(NAME, global, 0.12 * self.length)];
        for marker in self.model.model.markers.iter().filter(|marker| marker.body == NAME) {
            let place = super::points::at("marker", &marker.name);
            if let Ok(frame) = self.names.marker(&marker.name.as_str().into(), &place) {
                frames.push((&marker.name, frame, 0.07 * self.length));
            }
        }
        for (name, frame, length) in frames {
            for ((form, color), axis) in triad(length).into_iter().zip(["x", "y", "z"]) {
                let (name, carrier) = (format!("{name} {axis}"), Carrier::Body(frame));
                self.items.push(Item { name, group: Group::Markers, carrier, form, color, is_painted: false });
            }
        }
    }
}
