//! Boxes, hulls and meshes, but for two boxes and two meshes: corners over faces, and edges across edges.
//!
//! As [`features`](super::features) for boxes: a pair of features counts where its place lies inside of both and its normal is among those of both, but
//! for a little, and where it is less deep than that place is inside, or than convex shapes overlap along any normal of a face. What is deep in a mesh is
//! not of that face.

use super::facets::Facets;
use super::general::number;
use super::rounded::{BESIDE, Near, PARALLEL, placed};
use super::{Placed, Point, Solid};
use crate::pair::nearest::Feature;
use fourbar_multibody::space::V3;

/// Of the half diagonals: by how much a place may be outside of its region.
const OUTSIDE: f64 = 1e-11;
/// Of the same: places nearer than this, with one normal, are one.
const ONE: f64 = 1e-9;
/// Cosine of an angle by which normals that are one may differ.
const ALONG: f64 = 1.0 - 1e-9;
/// Of the least half length of the smaller shape: how deep features of a mesh may overlap.
const DEEP: f64 = 0.2;
/// Bits of the number of a corner, an edge or a face.
const BITS: u32 = 11;
const MASK: usize = (1 << BITS) - 1;

/// Contacts of the shapes I and J with a gap of at most `margin`. False if no such features are near, though the shapes may be.
pub(crate) fn polytopes(solids: [&Solid; 2], at: [&Placed; 2], margin: f64, out: &mut Vec<Point>) -> bool {
    let (Some(i), Some(j)) = (solids[0].facets.as_deref(), solids[1].facets.as_deref()) else { return false };
    let first = out.len();
    let outside = OUTSIDE * (solids[0].half.norm() + solids[1].half.norm());
    let deep = DEEP * solids[0].half.min().min(solids[1].half.min());
    let near = [0, 1].map(|k| near(solids, at, k, margin));
    let mut pair = Pair { facets: [i, j], at, near, margin, outside, deep, separation: None };
    if i.is_convex && j.is_convex {
        let separation = pair.lowest(0).max(pair.lowest(1));
        if separation > margin {
            return true;
        }
        pair.separation = Some(separation);
    }
    pair.corners(0, out);
    pair.corners(1, out);
    pair.edges(out);
    merge(out, first, ONE / OUTSIDE * outside);
    number(&mut out[first..]);
    out.len() > first
}

/// Features of shape `k` near the box about the other one.
fn near(solids: [&Solid; 2], at: [&Placed; 2], k: usize, margin: f64) -> Near {
    let (own, other, solid) = (at[k], at[1 - k], solids[1 - k]);
    let turn = own.a.tr_mul(&other.a);
    let middle = own.a.tr_mul(&(other.x + other.a * solid.middle - own.x));
    let reach = turn.abs() * solid.half;
    let none = Facets::default();
    let facets = solids[k].facets.as_deref().unwrap_or(&none);
    Near::of(facets, solids[k], margin.max(0.0), &(middle - reach), &(middle + reach))
}

struct Pair<'a> {
    facets: [&'a Facets; 2],
    at: [&'a Placed; 2],
    near: [Near; 2],
    margin: f64,
    outside: f64,
    deep: f64,
    /// Largest separation of convex shapes along normals of faces.
    separation: Option<f64>,
}

impl Pair<'_> {
    /// A place of shape `side` in the frame of the other one.
    fn across(&self, side: usize, p: &V3) -> V3 {
        let (own, other) = (self.at[side], self.at[1 - side]);
        other.a.tr_mul(&(own.x + own.a * p - other.x))
    }

    fn turned(&self, side: usize, v: &V3) -> V3 {
        self.at[1 - side].a.tr_mul(&(self.at[side].a * v))
    }

    /// Separation along the faces of the other shape than `side`.
    fn lowest(&self, side: usize) -> f64 {
        let points: Vec<V3> = self.facets[side].corners.iter().map(|corner| self.across(side, &corner.p)).collect();
        let over = |face: &super::facets::Face| points.iter().map(|p| face.height(p)).fold(f64::INFINITY, f64::min);
        self.facets[1 - side].faces.iter().map(over).fold(f64::NEG_INFINITY, f64::max)
    }

    /// Whether a pair of features counts, whose place is `inside` of its region.
    fn counts(&self, inside: f64, gap: f64) -> bool {
        let touches = match self.separation {
            Some(separation) => gap >= -inside.max(self.outside) || gap >= separation - self.outside,
            None => gap >= -self.deep,
        };
        inside >= -self.outside && gap <= self.margin && touches
    }

    /// Corners of shape `side` over faces of the other.
    fn corners(&self, side: usize, out: &mut Vec<Point>) {
        let other = self.facets[1 - side];
        for &k in &self.near[side].corners {
            let corner = &self.facets[side].corners[k];
            let p = self.across(side, &corner.p);
            if other.is_convex && other.height(&p) > self.margin {
                continue;
            }
            for &f in &self.near[1 - side].faces {
                let face = &other.faces[f];
                let height = face.height(&p);
                if !self.counts(face.inside(&p), height) || !corner.has(&-self.turned(1 - side, &face.n), BESIDE) {
                    continue;
                }
                let feature = (side << 22 | (k & MASK) << BITS | f & MASK) as u32;
                let places = [(p, Feature::Point), (p - face.n * height, Feature::Face(face.n))];
                out.push(placed(self.at, side, 0.0, feature, places, face.n));
            }
        }
    }

    /// Edges of I across edges of J.
    fn edges(&self, out: &mut Vec<Point>) {
        let [i, j] = self.facets;
        for &a in &self.near[0].edges {
            let own = &i.edges[a];
            let (middle, along) = (self.across(0, &own.middle), self.turned(0, &own.along));
            let ends = [middle - along * own.half, middle + along * own.half];
            let apart = |face: &super::facets::Face| face.height(&ends[0]).min(face.height(&ends[1]));
            if j.is_convex && j.faces.iter().any(|face| apart(face) > self.margin) {
                continue;
            }
            for &b in &self.near[1].edges {
                let other = &j.edges[b];
                let cross = along.cross(&other.along);
                let length = cross.norm();
                if length <= PARALLEL {
                    continue;
                }
                let n = cross * (cross.dot(&other.outward()).signum() / length);
                let d = other.middle - middle;
                let s = d.cross(&other.along).dot(&cross) / (length * length);
                let t = d.cross(&along).dot(&cross) / (length * length);
                let inside = (own.half - s.abs()).min(other.half - t.abs());
                let has = other.has(&n, BESIDE) && own.has(&-self.turned(1, &n), BESIDE);
                if has && self.counts(inside, -d.dot(&n)) {
                    let feature = (2 << 22 | (a & MASK) << BITS | b & MASK) as u32;
                    let (p, q) = (middle + along * s, other.middle + other.along * t);
                    let places = [(p, Feature::Edge(along)), (q, Feature::Edge(other.along))];
                    out.push(placed(self.at, 0, 0.0, feature, places, n));
                }
            }
        }
    }
}

/// Leaves one of several contacts at a place.
fn merge(out: &mut Vec<Point>, first: usize, distance: f64) {
    let mut kept = first;
    for k in first..out.len() {
        let new = out[k];
        let one = |old: &Point| (old.i.p - new.i.p).norm() <= distance && old.n.dot(&new.n) > ALONG;
        if !out[first..kept].iter().any(one) {
            out[kept] = new;
            kept += 1;
        }
    }
    out.truncate(kept);
}
