//! A cylinder against boxes, hulls and meshes, over whose edges it reaches.
//!
//! What touches are points of one shape on the surface of the other, and crossing edges:
//!
//! - the lowest point of a rim, and the contact points of a cap, over a face;
//! - the side across an edge, over a corner, and over an edge along it where that leaves the cylinder at an end;
//! - a cap over a corner, and over an edge where that comes out from under it.
//!
//! None of these places may enter the other shape, whatever else touches. So one too many does no harm, and a cylinder goes from a face over an edge to
//! a corner without a jump of its gap.

use super::cylinder::{CAP_POINTS, CHAMFER, Cylinder, FACES, INSIDE};
use super::facets::{Edge, Facets};
use super::rounded::{BESIDE, Near, OUTSIDE, PARALLEL, ROUNDED, placed};
use super::{Placed, Point, Solid};
use crate::pair::nearest::Feature;
use fourbar_multibody::space::V3;
use std::f64::consts::TAU;

/// Kinds of features, above the number of a face, an edge or a corner, apart from those of cylinders over one face.
const KIND: u32 = 19;
const RIM: u32 = 1;
const FOOT: u32 = 3;
const ACROSS: u32 = 19;
const OVER: u32 = 20;
const LEAVES: u32 = 21;
const CAP: u32 = 23;
const UNDER: u32 = 25;
/// Cosine of the angle with the axis from which on an edge lies along a cylinder.
const LENGTHWISE: f64 = 0.5;

/// Points of cylinder number `round` of two at most `margin` from the facets of the other one.
pub(crate) fn cylinder_over(
    cylinder: Cylinder<'_>,
    solid: &Solid,
    at: [&Placed; 2],
    round: usize,
    margin: f64,
    out: &mut Vec<Point>,
) {
    let Some(facets) = solid.facets.as_deref() else { return };
    let flat = at[1 - round];
    let local = |v: V3| flat.a.tr_mul(&v);
    let [x, y, z] = [2, 1, 0].map(|k| local(V3::from(cylinder.at.a.column(k))));
    let middle = local(cylinder.at.x - flat.x);
    let reach = cylinder.radius + margin.max(0.0);
    let way = y * cylinder.half;
    let near = Near::of(facets, solid, reach, &(middle - way), &(middle + way));
    let Cylinder { half, radius, .. } = cylinder;
    let pair = Pair { middle, axis: y, across: [x, z], half, radius, facets, at, round, margin };
    let first = out.len();
    near.faces.iter().for_each(|&k| pair.over_face(k, out));
    near.edges.iter().for_each(|&k| pair.over_edge(k, out));
    near.corners.iter().for_each(|&k| pair.over_corner(k, out));
    out[first..].sort_by_key(|point| point.feature);
}

struct Pair<'a> {
    middle: V3,
    axis: V3,
    /// Two directions across the axis.
    across: [V3; 2],
    half: f64,
    radius: f64,
    facets: &'a Facets,
    at: [&'a Placed; 2],
    round: usize,
    margin: f64,
}

impl Pair<'_> {
    /// Number, outward direction and middle of each cap.
    fn caps(&self) -> [(u32, V3, V3); 2] {
        [(0, -1.0), (1, 1.0)].map(|(k, sign)| {
            let outward = self.axis * sign;
            (k, outward, self.middle + outward * self.half)
        })
    }

    fn add(&self, kind: u32, k: usize, radius: f64, places: [(V3, Feature); 2], n: V3, out: &mut Vec<Point>) {
        out.push(placed(self.at, self.round, radius, kind << KIND | k as u32, places, n));
    }

    /// Rims and contact points of the caps over face `k`.
    fn over_face(&self, k: usize, out: &mut Vec<Point>) {
        let face = &self.facets.faces[k];
        let touches = |p: &V3| {
            let height = face.height(p);
            let least_deep = height > -self.radius
                && (!self.facets.is_convex || height >= self.facets.height(p) - OUTSIDE * self.radius);
            height <= self.margin && face.inside(p) >= -OUTSIDE * self.radius && (height >= 0.0 || least_deep)
        };
        let off = (face.p, Feature::Face(face.n));
        let across = self.axis.cross(&face.n.cross(&self.axis));
        let size = across.norm();
        for (end, outward, middle) in self.caps() {
            let rim = middle - outward * (CHAMFER * self.radius);
            let low = if size > 0.0 { rim - across * (self.radius / size) } else { rim };
            if touches(&low) {
                let on = Feature::Rim { axis: self.axis, radius: self.radius };
                self.add(RIM + end, k, 0.0, [(low, on), off], face.n, out);
            }
            if outward.dot(&face.n) > -FACES {
                continue;
            }
            for foot in 0..CAP_POINTS {
                let (s, c) = (TAU * foot as f64 / CAP_POINTS as f64).sin_cos();
                let arm = self.across[0] * c + self.across[1] * s;
                let p = middle + arm * (self.radius * (1.0 - INSIDE));
                if touches(&p) {
                    let kind = FOOT + end * CAP_POINTS as u32 + foot as u32;
                    self.add(kind, k, 0.0, [(p, Feature::Point), off], face.n, out);
                }
            }
        }
    }

    /// Side and caps over edge `k`.
    fn over_edge(&self, k: usize, out: &mut Vec<Point>) {
        let edge = &self.facets.edges[k];
        self.across_edge(k, edge, out);
        let along = edge.along.dot(&self.axis);
        for (end, outward, middle) in self.caps() {
            if along.abs() > LENGTHWISE {
                let place = (middle - edge.middle).dot(&self.axis) / along;
                let q = edge.middle + edge.along * place;
                let apart = middle - q;
                let distance = apart.norm();
                let near = distance - self.radius <= self.margin && distance > ROUNDED * self.radius;
                if near && place.abs() <= edge.half && edge.has(&(apart / distance), BESIDE) {
                    let places = [(middle, Feature::Edge(self.axis)), (q, Feature::Point)];
                    self.add(LEAVES + end, k, self.radius, places, apart / distance, out);
                }
                continue;
            }
            if !edge.has(&-outward, BESIDE) {
                continue;
            }
            // Where the edge is at the distance of the radius from the axis.
            let from = edge.middle - middle;
            let (d, f) = (edge.along - self.axis * along, from - self.axis * from.dot(&self.axis));
            let (a, b) = (d.norm_squared(), d.dot(&f));
            let square = b * b - a * (f.norm_squared() - self.radius * self.radius);
            if square <= 0.0 {
                continue;
            }
            for (side, root) in [(0, -square.sqrt()), (1, square.sqrt())] {
                let place = (root - b) / a;
                let q = edge.middle + edge.along * place;
                let height = (q - middle).dot(&outward);
                if place.abs() <= edge.half && height <= self.margin && height > -self.half {
                    let places = [(middle, Feature::Face(outward)), (q, Feature::Point)];
                    self.add(UNDER + 2 * side + end, k, 0.0, places, -outward, out);
                }
            }
        }
    }

    /// The side across an edge, as the axis and the edge cross.
    fn across_edge(&self, k: usize, edge: &Edge, out: &mut Vec<Point>) {
        let cross = self.axis.cross(&edge.along);
        let length = cross.norm();
        if length <= PARALLEL {
            return;
        }
        let n = cross * (cross.dot(&edge.outward()).signum() / length);
        let d = edge.middle - self.middle;
        let s = d.cross(&edge.along).dot(&cross) / (length * length);
        let t = d.cross(&self.axis).dot(&cross) / (length * length);
        let height = -d.dot(&n);
        let inside = s.abs() <= self.half && t.abs() <= edge.half && edge.has(&n, BESIDE);
        if inside && height > -self.radius && height - self.radius <= self.margin {
            let (p, q) = (self.middle + self.axis * s, edge.middle + edge.along * t);
            let places = [(p, Feature::Edge(self.axis)), (q, Feature::Edge(edge.along))];
            self.add(ACROSS, k, self.radius, places, n, out);
        }
    }

    /// Side and caps over corner `k`.
    fn over_corner(&self, k: usize, out: &mut Vec<Point>) {
        let corner = &self.facets.corners[k];
        let place = (corner.p - self.middle).dot(&self.axis);
        let p = self.middle + self.axis * place;
        let distance = (p - corner.p).norm();
        let is_beside = distance - self.radius <= self.margin && distance > ROUNDED * self.radius;
        if is_beside && place.abs() <= self.half && corner.has(&((p - corner.p) / distance), BESIDE) {
            let places = [(p, Feature::Edge(self.axis)), (corner.p, Feature::Point)];
            self.add(OVER, k, self.radius, places, (p - corner.p) / distance, out);
        }
        if distance > self.radius {
            return;
        }
        for (end, outward, middle) in self.caps() {
            let height = (corner.p - middle).dot(&outward);
            if height <= self.margin && height > -self.half && corner.has(&-outward, BESIDE) {
                let places = [(middle, Feature::Face(outward)), (corner.p, Feature::Point)];
                self.add(CAP + end, k, 0.0, places, -outward, out);
            }
        }
    }
}
