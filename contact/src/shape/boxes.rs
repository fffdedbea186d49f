//! Two boxes; a box and a half space.
//!
//! The separating axis with the largest separation is sought among the normals of the faces and the cross products of the
//! edges (Gottschalk, Lin and Manocha 1996). If it is a face's, the facing face of the other box is clipped to it
//! and each corner of what is left is a contact of a point with that face; if it is a cross product, the two edges touch in one
//! point. The gap is that of the two features, apart or overlapping.

use super::polygon::{Over, Polygon};
use super::{Placed, Point};
use crate::pair::nearest::{Feature, Side};
use fourbar_multibody::space::V3;

/// Edges whose cross product is smaller than this count as parallel.
const PARALLEL: f64 = 1e-4;
/// Of the smallest half length: by how much an axis must be better to be preferred to one before it. Faces of the first box come
/// before those of the second, faces before edges.
const PREFERENCE: f64 = 1e-4;
/// Of the smallest half length: points of a manifold nearer than this are one.
pub(super) const MERGE: f64 = 1e-2;
/// Of that: corners that stand out by less are none.
const STRAIGHT: f64 = 0.1;

/// A box with its axes at hand.
#[derive(Clone, Copy)]
pub(crate) struct Block<'a> {
    pub(crate) at: &'a Placed,
    pub(crate) half: V3,
}

impl Block<'_> {
    #[inline]
    pub(super) fn axis(&self, k: usize) -> V3 {
        self.at.a.column(k).into()
    }

    /// Corner of the signs given by bits 0 to 2 of `k`.
    pub(super) fn corner(&self, k: usize) -> V3 {
        let sign = |axis: usize| if k >> axis & 1 == 1 { 1.0 } else { -1.0 };
        self.at.x + self.at.a * V3::new(sign(0) * self.half.x, sign(1) * self.half.y, sign(2) * self.half.z)
    }
}

/// Which axis separates.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Axis {
    /// Face normal `axis` of the first (0) or second (1) box.
    Face { of: usize, axis: usize },
    /// Cross product of the edges of the first and second box.
    Edges([usize; 2]),
}

/// Points where box I is at most `margin` from box J. False if the boxes are apart and the nearest features are not found this
/// way: two corners, or a corner and an edge.
pub(crate) fn box_box(i: Block<'_>, j: Block<'_>, margin: f64, out: &mut Vec<Point>) -> bool {
    let apart = i.at.x - j.at.x;
    let scale = i.half.min().min(j.half.min());
    let Some((axis, separation)) = separating(&i, &j, &apart, margin, PREFERENCE * scale) else { return true };
    if let Axis::Edges(edges) = axis
        && let Some(point) = edge_edge(&i, &j, edges, &apart)
    {
        out.push(point);
        return true;
    }
    let (of, axis) = match axis {
        Axis::Face { of, axis } => (of, axis),
        Axis::Edges(_) => best_face(&i, &j, &apart),
    };
    face_face(i, j, of, axis, margin, MERGE * scale, out) > 0 || separation > margin
}

/// The axis of largest separation, none if that is more than `margin`.
fn separating(i: &Block<'_>, j: &Block<'_>, apart: &V3, margin: f64, preference: f64) -> Option<(Axis, f64)> {
    let c = i.at.a.tr_mul(&j.at.a);
    let size = c.abs();
    let (ti, tj) = (i.at.a.tr_mul(apart), j.at.a.tr_mul(apart));
    let mut best = (Axis::Face { of: 0, axis: 0 }, f64::NEG_INFINITY);
    let (reach_i, reach_j) = (size * j.half, size.tr_mul(&i.half));
    for (of, t, half, reach) in [(0, &ti, &i.half, &reach_i), (1, &tj, &j.half, &reach_j)] {
        for axis in 0..3 {
            let separation = t[axis].abs() - half[axis] - reach[axis];
            if separation > margin {
                return None;
            }
            if separation > best.1 + preference {
                best = (Axis::Face { of, axis }, separation);
            }
        }
    }
    for a in 0..3 {
        for b in 0..3 {
            let length = (1.0 - c[(a, b)] * c[(a, b)]).max(0.0).sqrt();
            if length < PARALLEL {
                continue;
            }
            // |t.(a x b)| less the reach of both boxes along it, all in the axes of I.
            let (p, q, r, s) = ((a + 1) % 3, (a + 2) % 3, (b + 1) % 3, (b + 2) % 3);
            let along = (ti[q] * c[(p, b)] - ti[p] * c[(q, b)]).abs();
            let of_i = i.half[p] * size[(q, b)] + i.half[q] * size[(p, b)];
            let of_j = j.half[r] * size[(a, s)] + j.half[s] * size[(a, r)];
            let separation = (along - of_i - of_j) / length;
            if separation > margin {
                return None;
            }
            if separation > best.1 + preference {
                best = (Axis::Edges([a, b]), separation);
            }
        }
    }
    Some(best)
}

/// The face of largest separation.
fn best_face(i: &Block<'_>, j: &Block<'_>, apart: &V3) -> (usize, usize) {
    let size = i.at.a.tr_mul(&j.at.a).abs();
    let of_i = i.at.a.tr_mul(apart).abs() - i.half - size * j.half;
    let of_j = j.at.a.tr_mul(apart).abs() - j.half - size.tr_mul(&i.half);
    if of_j.max() > of_i.max() { (1, of_j.imax()) } else { (0, of_i.imax()) }
}

/// Contact of the edges along axis `a` of I and `b` of J; none if their lines are nearest outside of them.
fn edge_edge(i: &Block<'_>, j: &Block<'_>, [a, b]: [usize; 2], apart: &V3) -> Option<Point> {
    let (da, db) = (i.axis(a), j.axis(b));
    let cross = da.cross(&db);
    let length = cross.norm();
    let n = cross * (cross.dot(apart).signum() / length);
    let (pi, ei) = edge(i, a, &-n);
    let (pj, ej) = edge(j, b, &n);
    // Nearest points of the lines p_i + s d_a, p_j + t d_b.
    let d = pj - pi;
    let s = d.cross(&db).dot(&cross) / (length * length);
    let t = d.cross(&da).dot(&cross) / (length * length);
    if s.abs() > i.half[a] || t.abs() > j.half[b] {
        return None;
    }
    let side = |at: &Placed, p, e| Side { body: at.body, p, feature: Feature::Edge(e), radius: 0.0 };
    let feature = 1 << 22 | ((4 * a as u32 + ei) << 4) | (4 * b as u32 + ej);
    Some(Point { i: side(i.at, pi + da * s, da), j: side(j.at, pj + db * t, db), n, hint: db, feature })
}

/// Middle of the edge along `axis` that reaches farthest along `n`, and its number among the four.
fn edge(block: &Block<'_>, axis: usize, n: &V3) -> (V3, u32) {
    let (mut p, mut number) = (block.at.x, 0);
    for (bit, k) in [(axis + 1) % 3, (axis + 2) % 3].into_iter().enumerate() {
        let e = block.axis(k);
        let far = e.dot(n) >= 0.0;
        p += e * if far { block.half[k] } else { -block.half[k] };
        number |= u32::from(far) << bit;
    }
    (p, number)
}

/// A face of a box: origin in its middle, axes u, v and the outward normal.
struct Face {
    middle: V3,
    normal: V3,
    u: V3,
    v: V3,
    half: [f64; 2],
    /// Axis and side, 0 to 5.
    number: u32,
    /// Axis of the box along u.
    along: usize,
}

impl Face {
    fn new(block: &Block<'_>, axis: usize, outward: &V3) -> Self {
        let up = block.axis(axis).dot(outward) >= 0.0;
        let normal = block.axis(axis) * if up { 1.0 } else { -1.0 };
        let (p, q) = ((axis + 1) % 3, (axis + 2) % 3);
        Self {
            middle: block.at.x + normal * block.half[axis],
            normal,
            u: block.axis(p),
            v: block.axis(q),
            half: [block.half[p], block.half[q]],
            number: 2 * axis as u32 + u32::from(up),
            along: p,
        }
    }

    fn over(&self, p: &V3) -> Over {
        let d = p - self.middle;
        Over { u: d.dot(&self.u), v: d.dot(&self.v), height: d.dot(&self.normal) }
    }

    fn point(&self, over: &Over) -> V3 {
        self.middle + self.u * over.u + self.v * over.v + self.normal * over.height
    }

    /// Corners in order around the face.
    fn corners(&self) -> [V3; 4] {
        [[1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]]
            .map(|[x, y]| self.middle + self.u * (x * self.half[0]) + self.v * (y * self.half[1]))
    }

    fn area(&self) -> f64 {
        self.half[0] * self.half[1]
    }
}

/// The facing face of the other box, clipped to face `axis` of box `of`. Returns how many corners are left, near or not.
fn face_face(
    i: Block<'_>,
    j: Block<'_>,
    of: usize,
    axis: usize,
    margin: f64,
    merge: f64,
    out: &mut Vec<Point>,
) -> usize {
    let (own, other) = if of == 0 { (i, j) } else { (j, i) };
    let face = Face::new(&own, axis, &(other.at.x - own.at.x));
    let facing = other.at.a.tr_mul(&face.normal).iamax();
    let facing = Face::new(&other, facing, &-face.normal);
    let quadrangle = facing.corners().map(|p| face.over(&p));
    let polygon = Polygon::new(&quadrangle).clipped(face.half).straightened(STRAIGHT * merge).merged(merge);
    // Corners are told apart by the nearest corner of the smaller face: the same one from step to step, even where
    // two faces of one size coincide and round-off decides what is inside of what.
    let own_corners = face.corners().map(|p| face.over(&p));
    let names = if facing.area() <= face.area() { &quadrangle } else { &own_corners };
    let faces = if of == 0 { [&face, &facing] } else { [&facing, &face] };
    let pair = (faces[0].number << 3 | faces[1].number) << 5;
    let hint = j.axis(faces[1].along);
    let first = out.len();
    let mut taken = [0; 4];
    for corner in polygon.corners() {
        let near = nearest(names, corner);
        let feature = pair | (near as u32) << 3 | taken[near];
        taken[near] += 1;
        if corner.height > margin {
            continue;
        }
        let point = Side { body: other.at.body, p: face.point(corner), feature: Feature::Point, radius: 0.0 };
        let plane = Side { body: own.at.body, p: face.middle, feature: Feature::Face(face.normal), radius: 0.0 };
        let (on_i, on_j) = if of == 0 { (plane, point) } else { (point, plane) };
        let n = if of == 0 { -face.normal } else { face.normal };
        out.push(Point { i: on_i, j: on_j, n, hint, feature });
    }
    out[first..].sort_unstable_by_key(|p| p.feature);
    polygon.corners().len()
}

/// The corner of `names` nearest to `at`.
fn nearest(names: &[Over; 4], at: &Over) -> usize {
    let mut best = 0;
    for k in 1..4 {
        if names[k].apart(at) < names[best].apart(at) {
            best = k;
        }
    }
    best
}

/// Corners of a box at most `margin` above a half space, whose z axis points out of it; `on_i` if the box is body I.
pub(crate) fn box_half_space(block: Block<'_>, space: &Placed, on_i: bool, margin: f64, out: &mut Vec<Point>) {
    let n: V3 = space.a.column(2).into();
    let plane = Side { body: space.body, p: space.x, feature: Feature::Face(n), radius: 0.0 };
    let hint = if on_i { space.a.column(0).into() } else { block.at.oblique() };
    for k in 0..8 {
        let p = block.corner(k);
        if n.dot(&(p - space.x)) > margin {
            continue;
        }
        let corner = Side { body: block.at.body, p, feature: Feature::Point, radius: 0.0 };
        let (i, j, n) = if on_i { (corner, plane, n) } else { (plane, corner, -n) };
        out.push(Point { i, j, n, hint, feature: k as u32 });
    }
}
