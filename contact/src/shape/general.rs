//! Any two shapes, through `parry3d-f64`.
//!
//! parry gives manifolds: a normal, and points on both shapes with the features they lie on. The manifolds are computed
//! afresh at each call: parry would else carry points along with the bodies, and their distances would no longer be those of
//! the shapes.

use super::boxes::MERGE;
use super::{Form, Placed, Point, Solid};
use crate::pair::nearest::{Feature, Side};
use fourbar_multibody::space::V3;
use parry3d_f64::math::{Mat3, Pose3, Rot3, Vec3};
use parry3d_f64::query::details::closest_points_support_map_support_map;
use parry3d_f64::query::{
    ClosestPoints, ContactManifold, DefaultQueryDispatcher, PersistentQueryDispatcher, TrackedContact,
};
use parry3d_f64::shape::{Cuboid, PackedFeatureId};

/// Of the half lengths: how far from a face of a box a point may lie that is on it.
const ON_FACE: f64 = 1e-9;
/// Of the smallest half length: depth by which the point of deepest overlap must exceed the others; else it is one of them, or between them.
const DEEPER: f64 = 1e-8;

/// Of the radii: distance of the centres, or of a centre and a corner, below which their direction says nothing.
const ROUNDED: f64 = 1e-3;

type Manifold = ContactManifold<(), ()>;

/// The manifolds of one pair, reused for the next.
#[derive(Clone, Default)]
pub(crate) struct General {
    manifolds: Vec<Manifold>,
}

impl General {
    /// Points where shape I is at most `margin` from shape J. False if parry cannot say.
    pub(crate) fn points(
        &mut self,
        [i, j]: [&Solid; 2],
        [at_i, at_j]: [&Placed; 2],
        margin: f64,
        out: &mut Vec<Point>,
    ) -> bool {
        let (pose_i, pose_j) = (pose(at_i), pose(at_j));
        // parry's first shape is J: its normals point from the first to the second.
        let relative = pose_j.inv_mul(&pose_i);
        self.manifolds.clear();
        let mut workspace = None;
        let (shape_j, shape_i) = (j.shape.as_ref(), i.shape.as_ref());
        let found = DefaultQueryDispatcher.contact_manifolds(
            &relative,
            shape_j,
            shape_i,
            margin,
            &mut self.manifolds,
            &mut workspace,
        );
        if found.is_err() {
            return false;
        }
        let first = out.len();
        for manifold in &self.manifolds {
            add([i, j], [at_i, at_j], manifold, margin, out);
        }
        number(&mut out[first..]);
        true
    }
}

/// The nearest points of two boxes that are apart, with a corner or an edge at each end. False if they overlap.
pub(crate) fn corners_apart([i, j]: [&V3; 2], [at_i, at_j]: [&Placed; 2], margin: f64, out: &mut Vec<Point>) -> bool {
    let cuboid = |half: &V3| Cuboid::new(vec3(half));
    let relative = pose(at_j).inv_mul(&pose(at_i));
    match closest_points_support_map_support_map(&relative, &cuboid(j), &cuboid(i), margin) {
        ClosestPoints::Intersecting => false,
        ClosestPoints::Disjoint => true,
        ClosestPoints::WithinMargin(on_j, on_i) => {
            let (on_i, on_j) = (at_i.x + at_i.a * v3(&on_i), at_j.x + at_j.a * v3(&on_j));
            let apart = on_i - on_j;
            let distance = apart.norm();
            if distance == 0.0 {
                return false;
            }
            let side = |half, at: &Placed, p| Side { body: at.body, p, feature: on_box(half, at, &p), radius: 0.0 };
            let (i, j) = (side(i, at_i, on_i), side(j, at_j, on_j));
            out.push(Point { i, j, n: apart / distance, hint: at_j.oblique(), feature: 3 << 22 });
            true
        }
    }
}

/// Adds the points of a manifold.
fn add(solids: [&Solid; 2], at: [&Placed; 2], manifold: &Manifold, margin: f64, out: &mut Vec<Point>) {
    let [at_i, at_j] = at;
    let n = at_j.a * v3(&manifold.local_n1);
    let first = out.len();
    let least = solids[0].half.min().min(solids[1].half.min());
    let merge = MERGE * least;
    let known = |c: &&TrackedContact<()>| !(c.fid1.is_unknown() && c.fid2.is_unknown());
    let deepest = manifold.points.iter().filter(known).map(|c| c.dist).fold(f64::INFINITY, f64::min);
    for contact in &manifold.points {
        // parry adds the point of its distance algorithm to those of the features.
        let extra = !known(&contact) && contact.dist > deepest - DEEPER * least;
        if extra || contact.dist > margin {
            continue;
        }
        let moved = |pose: Option<&Pose3>, p: Vec3| pose.map_or(p, |pose| pose.transform_point(p));
        let on_j = at_j.x + at_j.a * v3(&moved(manifold.subshape_pos1(), contact.local_p1));
        let on_i = at_i.x + at_i.a * v3(&moved(manifold.subshape_pos2(), contact.local_p2));
        let i = side(solids[0], at_i, &on_i, &-n, contact.fid2);
        let mut j = side(solids[1], at_j, &on_j, &n, contact.fid1);
        let is_face = |side: &Side| matches!(side.feature, Feature::Face(_));
        let radii = i.radius + j.radius;
        let rounded = radii > 0.0 && (i.p - j.p).dot(&n) > ROUNDED * radii;
        if !(is_face(&i) || is_face(&j) || rounded) {
            // Features that parry does not tell: the normal counts as fixed to J.
            j.feature = Feature::Face(n);
        }
        let hint = if solids[1].form == Form::HalfSpace { at_j.a.column(0).into() } else { at_j.oblique() };
        let feature = mixed([manifold.subshape1, manifold.subshape2, contact.fid1.0, contact.fid2.0]);
        let point = Point { i, j, n, hint, feature };
        if !merged(&mut out[first..], &point, merge) {
            out.push(point);
        }
    }
}

/// Makes `new` one with a point of the manifold nearer than `distance`, of which the deeper stays. False if none is so near.
fn merged(points: &mut [Point], new: &Point, distance: f64) -> bool {
    let gap = |p: &Point| (p.i.p - p.j.p).dot(&p.n) - p.i.radius - p.j.radius;
    let Some(old) = points.iter_mut().find(|p| (p.i.p - new.i.p).norm() < distance) else { return false };
    if gap(new) < gap(old) {
        *old = *new;
    }
    true
}

/// The feature of a shape at the point `p` of its surface, where `outward` is normal.
fn side(solid: &Solid, at: &Placed, p: &V3, outward: &V3, id: PackedFeatureId) -> Side {
    let (feature, radius) = match solid.form {
        Form::Sphere(radius) => (Feature::Point, radius),
        Form::HalfSpace => (Feature::Face(at.a.column(2).into()), 0.0),
        Form::Box(half) => (on_box(&half, at, p), 0.0),
        Form::Capsule { half, radius } => (on_axis(half, at, &(p - outward * radius)), radius),
        Form::Cylinder { .. } | Form::Mesh | Form::General if id.is_face() => (Feature::Face(*outward), 0.0),
        Form::Cylinder { .. } | Form::Mesh | Form::General => (Feature::Point, 0.0),
    };
    Side { body: at.body, p: p - outward * radius, feature, radius }
}

/// Which feature of the segment from -`half` to `half` on the z axis the point `p` is.
fn on_axis(half: f64, at: &Placed, p: &V3) -> Feature {
    let axis: V3 = at.a.column(2).into();
    if axis.dot(&(p - at.x)).abs() >= half * (1.0 - ON_FACE) { Feature::Point } else { Feature::Edge(axis) }
}

/// Which feature of a box the point `p` of its surface lies on.
fn on_box(half: &V3, at: &Placed, p: &V3) -> Feature {
    let local = at.a.tr_mul(&(p - at.x));
    let slack = ON_FACE * half.max();
    let on = |k: usize| local[k].abs() >= half[k] - slack;
    let axis = |k: usize| V3::from(at.a.column(k));
    match [on(0), on(1), on(2)] {
        [true, false, false] => Feature::Face(axis(0) * local.x.signum()),
        [false, true, false] => Feature::Face(axis(1) * local.y.signum()),
        [false, false, true] => Feature::Face(axis(2) * local.z.signum()),
        [true, true, false] => Feature::Edge(axis(2)),
        [true, false, true] => Feature::Edge(axis(1)),
        [false, true, true] => Feature::Edge(axis(0)),
        _ => Feature::Point,
    }
}

/// A number below 2^22, in a range of its own, from the features of both shapes (the hash of Fowler, Noll and Vo).
fn mixed(words: [u32; 4]) -> u32 {
    let hash = words.iter().fold(0x811c_9dc5_u32, |hash, word| {
        word.to_le_bytes().iter().fold(hash, |hash, byte| (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193))
    });
    2 << 22 | ((hash >> 22) ^ (hash & 0x3f_ffff))
}

/// Sorts by feature, and tells those apart that the hash did not.
pub(super) fn number(points: &mut [Point]) {
    points.sort_by_key(|p| p.feature);
    for k in 1..points.len() {
        points[k].feature = points[k].feature.max(points[k - 1].feature + 1);
    }
}

pub(crate) fn pose(at: &Placed) -> Pose3 {
    let column = |k: usize| vec3(&at.a.column(k).into());
    let rotation = Rot3::from_mat3(&Mat3::from_cols(column(0), column(1), column(2)));
    Pose3::from_parts(vec3(&at.x), rotation)
}

pub(crate) fn vec3(v: &V3) -> Vec3 {
    Vec3::new(v.x, v.y, v.z)
}

fn v3(v: &Vec3) -> V3 {
    V3::new(v.x, v.y, v.z)
}
