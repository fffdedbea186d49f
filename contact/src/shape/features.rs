//! Two boxes feature by feature, for events: corners over faces, and edges across edges, each with a smooth gap of its own.
//!
//! The manifold of [`boxes`](super::boxes) is that of the moment: its corners are cut anew at each configuration, where they slide along
//! edges and change their names as another face comes to bear. Events follow a closed contact as long as its two features touch. A pair of
//! features counts where it is in its region,
//!
//! - a corner over a face: its projection lies inside of the face, and the edges from the corner lead away from it;
//! - edges a and b across each other: the nearest points of their lines lie inside of both, and n = +-a x b is among the normals of both;
//!
//! and where it is little inside the material: less than its place is inside of the region, or than the boxes overlap along any face
//! normal, so that what touches on one side says nothing of the other. Where a contact leaves its region another is at the same place with the same gap: a corner that slides over the edge of
//! a face hands over to the edges that end in it, across the edge of the face (the boundary of the Minkowski sum of two convex polyhedra is
//! made of such pairs of features; S. Cameron, R. Culley, Determining the minimum translational distance between two convex polyhedra, IEEE
//! ICRA 1986).

use super::Point;
use super::boxes::Block;
use super::general::corners_apart;
use crate::pair::nearest::{Feature, Side};
use fourbar_multibody::space::V3;

/// Of the half diagonals: by how much a place may be outside of its region, above round-off of positions; a closed one leaves at twice that.
const OUTSIDE: f64 = 1e-11;
/// Of the same: places nearer than this are one.
const ONE: f64 = 1e-10;
/// Cosine of an angle by which normals that are one may differ.
const ALONG: f64 = 1.0 - 1e-9;
/// Sine of the angle by which a normal may lie beside those of an edge or a corner. The gap of such a pair is never less than that of a
/// neighbour which is right, and two edges of one face on one edge have the same normal.
const BESIDE: f64 = 0.1;
/// Sine of an angle below which edges count as parallel: their ends touch, as corners over faces or on other edges.
const PARALLEL: f64 = 1e-3;
/// Of the half diagonals: distance from which on features are looked for by themselves.
const NEAR: f64 = 1e-6;
/// Of the least half length: overlap up to which a pair of features is that which touches.
const DEEP: f64 = 0.1;

/// Features are told from the manifolds of fixed steps by this.
const CODE: u32 = 2 << 22;
const EDGES: u32 = 1 << 10;

/// A contact and how far its place is inside of its region, until it leaves it \[m\].
#[derive(Debug, Clone, Copy)]
pub(crate) struct Followed {
    pub(crate) point: Point,
    pub(crate) region: f64,
}

/// Whether a feature of a pair of boxes is one of these.
pub(crate) fn is_followed(feature: u32) -> bool {
    feature >> 22 == CODE >> 22
}

struct Pair<'a> {
    i: Block<'a>,
    j: Block<'a>,
    size: f64,
    deep: f64,
    /// Largest separation along the normals of the faces.
    separation: f64,
    margin: f64,
    /// Features to be found wherever they are, sorted.
    held: &'a [u32],
    /// Places and normals of what has been found.
    found: Vec<(V3, V3)>,
}

/// Contacts of boxes I and J with a gap of at most `margin`; those that are `held`, sorted, wherever they are. Where no features are near, the
/// nearest points stand for those to come.
pub(crate) fn features(i: Block<'_>, j: Block<'_>, margin: f64, held: &[u32], out: &mut Vec<Followed>) {
    let first = out.len();
    let size = i.half.norm() + j.half.norm();
    let deep = (DEEP * i.half.min().min(j.half.min())).max(OUTSIDE * size);
    let separation = separation(&i, &j);
    let mut pair = Pair { i, j, size, deep, separation, margin, held, found: Vec::new() };
    if !held.is_empty() {
        pair.corners(true, out);
        pair.edges(true, out);
    }
    let any = out.len() > first;
    pair.corners(false, out);
    pair.edges(false, out);
    if !any {
        let mut points = Vec::new();
        corners_apart([&i.half, &j.half], [i.at, j.at], margin, &mut points);
        let far = points.into_iter().filter(|p| (p.i.p - p.j.p).norm() > NEAR * size);
        out.extend(far.map(|point| Followed { point, region: f64::INFINITY }));
    }
}

impl Pair<'_> {
    fn holds(&self, feature: u32) -> bool {
        self.held.binary_search(&feature).is_ok()
    }

    /// Adds `point` with its nearest points halfway at `place`, unless another is there already.
    fn add(&mut self, point: Point, place: V3, region: f64, out: &mut Vec<Followed>) {
        let one = |(p, n): &(V3, V3)| (p - place).norm() <= ONE * self.size && n.dot(&point.n) > ALONG;
        if self.holds(point.feature) || !self.found.iter().any(one) {
            self.found.push((place, point.n));
            out.push(Followed { point, region: region + 2.0 * OUTSIDE * self.size });
        }
    }

    /// Whether a free pair of features counts, whose place is `inside` of its region.
    fn counts(&self, inside: f64, gap: f64) -> bool {
        let outside = OUTSIDE * self.size;
        let touches = gap >= -inside.max(outside) || gap >= self.separation - outside;
        inside >= -outside && gap <= self.margin && gap >= -self.deep && touches
    }

    /// Corners of each box over faces of the other, held ones or free ones.
    fn corners(&mut self, held: bool, out: &mut Vec<Followed>) {
        for side in [0, 1] {
            let (own, other) = if side == 0 { (self.i, self.j) } else { (self.j, self.i) };
            let turn = own.at.a.tr_mul(&other.at.a);
            for corner in 0..8 {
                let p = own.corner(corner);
                let local = other.at.a.tr_mul(&(p - other.at.x));
                for face in 0..6 {
                    let feature = CODE | side << 9 | (corner as u32) << 3 | face as u32;
                    if self.holds(feature) != held {
                        continue;
                    }
                    let (axis, sign) = (face >> 1, if face & 1 == 1 { 1.0 } else { -1.0 });
                    let height = sign * local[axis] - other.half[axis];
                    let beside = |k: usize| other.half[k] - local[k].abs();
                    let inside = beside((axis + 1) % 3).min(beside((axis + 2) % 3));
                    // Edges lead from the corner along the axes, away from its side.
                    let leads = |k: usize| sign * turn[(k, axis)] * if corner >> k & 1 == 1 { -1.0 } else { 1.0 };
                    let lowest = (0..3).all(|k| leads(k) >= -BESIDE);
                    if !(held || lowest && self.counts(inside, height)) {
                        continue;
                    }
                    let normal = other.axis(axis) * sign;
                    let corner = Side { body: own.at.body, p, feature: Feature::Point, radius: 0.0 };
                    let middle = other.at.x + normal * other.half[axis];
                    let plane = Side { body: other.at.body, p: middle, feature: Feature::Face(normal), radius: 0.0 };
                    let (i, j, n) = if side == 0 { (corner, plane, normal) } else { (plane, corner, -normal) };
                    let point = Point { i, j, n, hint: self.j.at.oblique(), feature };
                    self.add(point, p - normal * (0.5 * height), inside, out);
                }
            }
        }
    }

    /// Edges of I across edges of J, held ones or free ones.
    fn edges(&mut self, held: bool, out: &mut Vec<Followed>) {
        let apart = self.i.at.x - self.j.at.x;
        for (a, b) in (0..9).map(|k| (k / 3, k % 3)) {
            let (da, db) = (self.i.axis(a), self.j.axis(b));
            let cross = da.cross(&db);
            let length = cross.norm();
            if length <= 0.5 * PARALLEL {
                continue;
            }
            let n = cross * (cross.dot(&apart).signum() / length);
            let ends_i: [_; 4] = std::array::from_fn(|e| edge(&self.i, a, e as u32, &-n));
            let ends_j: [_; 4] = std::array::from_fn(|e| edge(&self.j, b, e as u32, &n));
            for (ei, ej) in (0..16).map(|k| (k >> 2, k & 3)) {
                let ((pi, beside_i), (pj, beside_j)) = (ends_i[ei as usize], ends_j[ej as usize]);
                if !held && beside_i.min(beside_j) < -BESIDE {
                    continue;
                }
                let feature = CODE | EDGES | (4 * a as u32 + ei) << 4 | (4 * b as u32 + ej);
                if self.holds(feature) != held {
                    continue;
                }
                let d = pj - pi;
                let s = d.cross(&db).dot(&cross) / (length * length);
                let t = d.cross(&da).dot(&cross) / (length * length);
                let ends = (self.i.half[a] - s.abs()).min(self.j.half[b] - t.abs());
                let inside = ends.min((length - PARALLEL) * self.size);
                if !held && !self.counts(inside, -d.dot(&n)) {
                    continue;
                }
                let (on_i, on_j) = (pi + da * s, pj + db * t);
                let side =
                    |block: &Block<'_>, p, e| Side { body: block.at.body, p, feature: Feature::Edge(e), radius: 0.0 };
                let (i, j) = (side(&self.i, on_i, da), side(&self.j, on_j, db));
                let point = Point { i, j, n, hint: self.j.at.oblique(), feature };
                self.add(point, (on_i + on_j) * 0.5, inside, out);
            }
        }
    }
}

/// Largest separation of two boxes along the normals of their faces.
fn separation(i: &Block<'_>, j: &Block<'_>) -> f64 {
    let (apart, c) = (i.at.x - j.at.x, i.at.a.tr_mul(&j.at.a).abs());
    let along_i = i.at.a.tr_mul(&apart).abs() - i.half - c * j.half;
    let along_j = j.at.a.tr_mul(&apart).abs() - j.half - c.tr_mul(&i.half);
    along_i.max().max(along_j.max())
}

/// Middle of the edge of number `number` along `axis`, and the least component along `n` of the ways there from the middle of the box.
fn edge(block: &Block<'_>, axis: usize, number: u32, n: &V3) -> (V3, f64) {
    let (mut p, mut least) = (block.at.x, f64::INFINITY);
    for (bit, k) in [(axis + 1) % 3, (axis + 2) % 3].into_iter().enumerate() {
        let way = block.axis(k) * if number >> bit & 1 == 1 { 1.0 } else { -1.0 };
        p += way * block.half[k];
        least = least.min(way.dot(n));
    }
    (p, least)
}
