//! Spheres and capsules against boxes, hulls, meshes and each other, feature by feature.
//!
//! A sphere is a point and a capsule a segment, rounded by its radius. What it may touch with are its ends and what lies between them:
//!
//! - an end, whose gap is the distance to the nearest place of the other shape: over a face, an edge or a corner. Its normal turns without a jump from
//!   one to the next, and the contact keeps one name;
//! - the segment across an edge, where the nearest points of both lines lie between their ends;
//! - the segment over a corner, where that is nearest to a point between the ends.
//!
//! All of these must stay apart whatever else touches, so that one too many does no harm. Along an edge, or a face, the ends and the corners hold a capsule,
//! and what crosses is left out. A mesh has a contact for each of its features to which an end is near: it may touch several.

use super::facets::{Facet, Facets};
use super::features::Followed;
use super::{Form, Placed, Point, Solid};
use crate::pair::nearest::{Feature, Side};
use fourbar_multibody::space::V3;
use parry3d_f64::bounding_volume::Aabb;
use parry3d_f64::math::Vec3;

/// Sine of the angle below which a segment and an edge count as parallel.
pub(super) const PARALLEL: f64 = 1e-4;
/// Sine of the angle by which a normal may lie beside those of an edge or a corner: what is nearly parallel touches with both ends.
pub(super) const BESIDE: f64 = 0.1;
/// Of the radius: distance from an edge or a corner below which its direction says nothing.
pub(super) const ROUNDED: f64 = 1e-3;
/// Of the radius: how far a foot may be outside of a face of a mesh.
pub(super) const OUTSIDE: f64 = 1e-9;
/// Of lengths: how far a place may be outside of its region; a closed one leaves at twice that, so that it does not come back at once.
const LEAVES: f64 = 1e-11;
/// Kinds of features: the numbers of two ends, then what crosses an edge, and what lies over a corner.
const KIND: u32 = 21;
const ACROSS: u32 = 2;
const OVER: u32 = 3;

/// A point or a segment, in the frame of whoever asks.
#[derive(Debug, Clone, Copy)]
struct Core {
    middle: V3,
    axis: V3,
    half: f64,
    radius: f64,
}

impl Core {
    fn of(solid: &Solid, at: &Placed) -> Option<Self> {
        let axis = at.a.column(2).into();
        match solid.form {
            Form::Sphere(radius) => Some(Self { middle: at.x, axis, half: 0.0, radius }),
            Form::Capsule { half, radius } => Some(Self { middle: at.x, axis, half, radius }),
            _ => None,
        }
    }

    fn seen_from(&self, at: &Placed) -> Self {
        Self { middle: at.a.tr_mul(&(self.middle - at.x)), axis: at.a.tr_mul(&self.axis), ..*self }
    }

    fn ends(&self) -> impl Iterator<Item = (u32, V3)> {
        let (middle, way, count) = (self.middle, self.axis * self.half, if self.half > 0.0 { 2 } else { 1 });
        (0..count).map(move |k| (k, if k == 0 { middle - way } else { middle + way }))
    }

    /// The place nearest to `p`, from the middle.
    fn place(&self, p: &V3) -> f64 {
        (p - self.middle).dot(&self.axis).clamp(-self.half, self.half)
    }

    fn at(&self, place: f64) -> V3 {
        self.middle + self.axis * place
    }

    /// What it is at a place: an end, or an edge.
    fn feature(&self, place: f64) -> Feature {
        if place.abs() >= self.half { Feature::Point } else { Feature::Edge(self.axis) }
    }
}

/// Whether two shapes are such a pair.
pub(crate) fn is_rounded(solids: [&Solid; 2]) -> bool {
    let round = solids.map(|solid| matches!(solid.form, Form::Sphere(_) | Form::Capsule { .. }));
    match round {
        [true, true] => solids.iter().any(|solid| matches!(solid.form, Form::Capsule { .. })),
        [true, false] => solids[1].facets.is_some(),
        [false, true] => solids[0].facets.is_some(),
        [false, false] => false,
    }
}

/// Whether contacts of such a pair may leave the region in which their features touch: those between the ends of a capsule.
pub(crate) fn may_leave(solids: [&Solid; 2]) -> bool {
    is_rounded(solids) && solids.iter().any(|solid| matches!(solid.form, Form::Capsule { .. }))
}

/// Contacts of shapes I and J with a gap of at most `margin`, those that are `held`, sorted, wherever they are.
pub(crate) fn rounded(solids: [&Solid; 2], at: [&Placed; 2], margin: f64, held: &[u32], out: &mut Vec<Followed>) {
    let cores = [0, 1].map(|k| Core::of(solids[k], at[k]));
    let first = out.len();
    if let [Some(i), Some(j)] = cores {
        Cores { cores: [i, j], bodies: at.map(|at| at.body), hint: at[1].oblique(), margin, held }.find(out);
    } else {
        let round = usize::from(cores[0].is_none());
        let (Some(core), Some(facets)) = (cores[round], solids[1 - round].facets.as_deref()) else { return };
        let local = core.seen_from(at[1 - round]);
        let pair = Pair { core: local, facets, at, round, margin, held };
        pair.ends(solids[1 - round], out);
        if core.half > 0.0 {
            pair.between(solids[1 - round], out);
        }
    }
    out[first..].sort_by_key(|followed| followed.point.feature);
}

/// A round shape, number `round` of two, and one with facets, in whose frame its core is.
struct Pair<'a> {
    core: Core,
    facets: &'a Facets,
    at: [&'a Placed; 2],
    round: usize,
    margin: f64,
    held: &'a [u32],
}

impl Pair<'_> {
    fn holds(&self, feature: u32) -> bool {
        self.held.binary_search(&feature).is_ok()
    }

    /// The contact of the places p of the core and q of the facets, with the normal n from these to the core.
    fn add(&self, feature: u32, region: f64, places: [(V3, Feature); 2], n: V3, out: &mut Vec<Followed>) {
        let point = placed(self.at, self.round, self.core.radius, feature, places, n);
        out.push(Followed { point, region });
    }

    /// How far from its core contacts are looked for.
    fn reach(&self) -> f64 {
        self.core.radius + self.margin.max(0.0)
    }

    /// The ends over faces, edges and corners.
    fn ends(&self, solid: &Solid, out: &mut Vec<Followed>) {
        for (end, p) in self.core.ends() {
            if self.facets.is_convex {
                let (q, facet) = self.facets.nearest(&p, ROUNDED * self.core.radius);
                self.end(end << KIND, &p, q, facet, out);
            } else {
                self.end_over_mesh(end, &p, solid, out);
            }
        }
    }

    /// An end at `p` whose nearest place is `q`.
    fn end(&self, feature: u32, p: &V3, q: V3, facet: Facet, out: &mut Vec<Followed>) {
        let apart = p - q;
        let (n, off) = match facet {
            Facet::Face(k) => (self.facets.faces[k].n, Feature::Face(self.facets.faces[k].n)),
            Facet::Edge(k) => (apart.normalize(), Feature::Edge(self.facets.edges[k].along)),
            Facet::Corner(_) => (apart.normalize(), Feature::Point),
        };
        if apart.dot(&n) - self.core.radius <= self.margin || self.holds(feature) {
            self.add(feature, f64::INFINITY, [(*p, Feature::Point), (q, off)], n, out);
        }
    }

    /// An end at `p` over all features of a mesh that are near.
    fn end_over_mesh(&self, end: u32, p: &V3, solid: &Solid, out: &mut Vec<Followed>) {
        let Facets { corners, edges, faces, .. } = self.facets;
        let near = Near::of(self.facets, solid, self.reach(), p, p);
        let (radius, kind) = (self.core.radius, end << KIND);
        for &k in &near.faces {
            let (face, height) = (&faces[k], faces[k].height(p));
            let over = face.inside(p) >= -OUTSIDE * radius && height > -radius;
            if over && height - radius <= self.margin {
                self.end(kind | k as u32, p, p - face.n * height, Facet::Face(k), out);
            }
        }
        let base = faces.len();
        for &k in &near.edges {
            let (edge, place) = (&edges[k], edges[k].place(p));
            let q = edge.middle + edge.along * place;
            let apart = (p - q).norm();
            if place.abs() <= edge.half && apart > ROUNDED * radius && edge.has(&((p - q) / apart), OUTSIDE) {
                self.end(kind | (base + k) as u32, p, q, Facet::Edge(k), out);
            }
        }
        let base = base + edges.len();
        for &k in &near.corners {
            let apart = (p - corners[k].p).norm();
            if apart > ROUNDED * radius && corners[k].has(&((p - corners[k].p) / apart), OUTSIDE) {
                self.end(kind | (base + k) as u32, p, corners[k].p, Facet::Corner(k), out);
            }
        }
    }

    /// What lies between the ends: across edges, and over corners.
    fn between(&self, solid: &Solid, out: &mut Vec<Followed>) {
        let ends = [-self.core.half, self.core.half].map(|place| self.core.at(place));
        let near = Near::of(self.facets, solid, self.reach(), &ends[0], &ends[1]);
        near.edges.iter().for_each(|&k| self.across(k, out));
        near.corners.iter().for_each(|&k| self.over(k, out));
    }

    /// The segment across edge `k`.
    fn across(&self, k: usize, out: &mut Vec<Followed>) {
        let (core, edge) = (&self.core, &self.facets.edges[k]);
        let feature = ACROSS << KIND | k as u32;
        let cross = core.axis.cross(&edge.along);
        let length = cross.norm();
        if length <= 0.5 * PARALLEL {
            return;
        }
        let n = cross * (cross.dot(&edge.outward()).signum() / length);
        let d = edge.middle - core.middle;
        let s = d.cross(&edge.along).dot(&cross) / (length * length);
        let t = d.cross(&core.axis).dot(&cross) / (length * length);
        let size = core.half + edge.half;
        let slack = LEAVES * size;
        let inside = (core.half - s.abs()).min(edge.half - t.abs()).min((length - PARALLEL) * size);
        let height = -d.dot(&n);
        let free =
            inside >= -slack && edge.has(&n, BESIDE) && height > -core.radius && height - core.radius <= self.margin;
        if free || self.holds(feature) {
            let (p, q) = (core.at(s), edge.middle + edge.along * t);
            let places = [(p, Feature::Edge(core.axis)), (q, Feature::Edge(edge.along))];
            self.add(feature, inside + 2.0 * slack, places, n, out);
        }
    }

    /// The segment over corner `k`.
    fn over(&self, k: usize, out: &mut Vec<Followed>) {
        let (core, corner) = (&self.core, &self.facets.corners[k]);
        let feature = OVER << KIND | k as u32;
        let place = (corner.p - core.middle).dot(&core.axis);
        let (inside, slack) = (core.half - place.abs(), LEAVES * core.half);
        let p = core.at(place);
        let apart = (p - corner.p).norm();
        if apart <= ROUNDED * core.radius {
            return;
        }
        let n = (p - corner.p) / apart;
        let free = inside >= -slack && corner.has(&n, BESIDE) && apart - core.radius <= self.margin;
        if free || self.holds(feature) {
            let places = [(p, Feature::Edge(core.axis)), (corner.p, Feature::Point)];
            self.add(feature, inside + 2.0 * slack, places, n, out);
        }
    }
}

/// The contact of the place p of shape number `round` of two, rounded by `radius`, and q of the other one, in whose frame both are given, with the normal
/// n from q to p.
pub(super) fn placed(
    at: [&Placed; 2],
    round: usize,
    radius: f64,
    feature: u32,
    [(p, on), (q, off)]: [(V3, Feature); 2],
    n: V3,
) -> Point {
    let (own, flat) = (at[round], at[1 - round]);
    let turned = |feature: Feature| match feature {
        Feature::Face(m) => Feature::Face(flat.a * m),
        Feature::Edge(e) => Feature::Edge(flat.a * e),
        Feature::Rim { axis, radius } => Feature::Rim { axis: flat.a * axis, radius },
        Feature::Point => Feature::Point,
    };
    let place = |p: &V3| flat.x + flat.a * p;
    let own = Side { body: own.body, p: place(&p), feature: turned(on), radius };
    let other = Side { body: flat.body, p: place(&q), feature: turned(off), radius: 0.0 };
    let n = flat.a * n;
    let (i, j, n) = if round == 0 { (own, other, n) } else { (other, own, -n) };
    Point { i, j, n, hint: at[1].oblique(), feature }
}

/// Features of a shape near a segment, by number.
pub(super) struct Near {
    pub(super) faces: Vec<usize>,
    pub(super) edges: Vec<usize>,
    pub(super) corners: Vec<usize>,
}

impl Near {
    /// All of a convex shape; of a mesh those of the triangles within `reach` of the segment from `a` to `b`.
    pub(super) fn of(facets: &Facets, solid: &Solid, reach: f64, a: &V3, b: &V3) -> Self {
        let all = || Self {
            faces: (0..facets.faces.len()).collect(),
            edges: (0..facets.edges.len()).collect(),
            corners: (0..facets.corners.len()).collect(),
        };
        let Some(mesh) = solid.shape.as_trimesh().filter(|_| reach.is_finite()) else { return all() };
        let vec3 = |v: V3| Vec3::new(v.x, v.y, v.z);
        let about = V3::repeat(reach);
        let around = Aabb::new(vec3(a.inf(b) - about), vec3(a.sup(b) + about));
        let mut faces: Vec<usize> = mesh.bvh().intersect_aabb(&around).map(|k| k as usize).collect();
        faces.retain(|k| *k < facets.faces.len());
        faces.sort_unstable();
        let gathered = |of: &dyn Fn(usize) -> Vec<u32>| {
            let mut all: Vec<usize> = faces.iter().flat_map(|k| of(*k)).map(|k| k as usize).collect();
            all.sort_unstable();
            all.dedup();
            all
        };
        let edges = gathered(&|k| facets.faces[k].edges.clone());
        let corners = gathered(&|k| facets.faces[k].corners.clone());
        Self { faces, edges, corners }
    }
}

/// Two round shapes.
struct Cores<'a> {
    cores: [Core; 2],
    bodies: [usize; 2],
    hint: V3,
    margin: f64,
    held: &'a [u32],
}

impl Cores<'_> {
    /// The ends of each over the other, each two ends once, and where they cross.
    fn find(&self, out: &mut Vec<Followed>) {
        let [i, j] = &self.cores;
        for (end, p) in i.ends() {
            let place = j.place(&p);
            self.add(end, f64::INFINITY, [(p, Feature::Point), (j.at(place), j.feature(place))], None, out);
        }
        for (end, q) in j.ends() {
            let place = i.place(&q);
            let p = i.at(place);
            let twice = place.abs() >= i.half && j.at(j.place(&p)) == q;
            if !twice || self.held.binary_search(&(2 + end)).is_ok() {
                self.add(2 + end, f64::INFINITY, [(p, i.feature(place)), (q, Feature::Point)], None, out);
            }
        }
        let cross = i.axis.cross(&j.axis);
        let length = cross.norm();
        if length <= 0.5 * PARALLEL {
            return;
        }
        let d = j.middle - i.middle;
        let s = d.cross(&j.axis).dot(&cross) / (length * length);
        let t = d.cross(&i.axis).dot(&cross) / (length * length);
        let size = i.half + j.half;
        let (inside, slack) = ((i.half - s.abs()).min(j.half - t.abs()).min((length - PARALLEL) * size), LEAVES * size);
        if inside >= -slack || self.held.binary_search(&4).is_ok() {
            let n = cross * (-cross.dot(&d).signum() / length);
            let sides = [(i.at(s), Feature::Edge(i.axis)), (j.at(t), Feature::Edge(j.axis))];
            self.add(4, inside + 2.0 * slack, sides, Some(n), out);
        }
    }

    fn add(
        &self,
        feature: u32,
        region: f64,
        [(p, on_i), (q, on_j)]: [(V3, Feature); 2],
        n: Option<V3>,
        out: &mut Vec<Followed>,
    ) {
        let [i, j] = &self.cores;
        let (apart, radii) = (p - q, i.radius + j.radius);
        let distance = apart.norm();
        let n = n.unwrap_or_else(|| if distance > ROUNDED * radii { apart / distance } else { self.across(&apart) });
        if apart.dot(&n) - radii > self.margin && self.held.binary_search(&feature).is_err() {
            return;
        }
        let side = |k: usize, p, feature| Side { body: self.bodies[k], p, feature, radius: self.cores[k].radius };
        let point = Point { i: side(0, p, on_i), j: side(1, q, on_j), n, hint: self.hint, feature };
        out.push(Followed { point, region });
    }

    /// A normal where the axes touch, across both.
    fn across(&self, apart: &V3) -> V3 {
        let [i, j] = &self.cores;
        let across = i.axis.cross(&j.axis);
        let across = if across.norm() > PARALLEL { across } else { j.axis.cross(&j.axis.yzx()) };
        let toward = if apart.dot(&across) < 0.0 { -1.0 } else { 1.0 };
        across * (toward / across.norm())
    }
}

/// The facets of a form, if it has some.
pub(crate) fn facets_of(form: &Form, shape: &parry3d_f64::shape::SharedShape) -> Option<Facets> {
    match form {
        Form::Box(half) => Some(Facets::of_box(half)),
        Form::General => shape.as_convex_polyhedron().map(Facets::of_hull),
        Form::Mesh => shape.as_trimesh().map(Facets::of_mesh),
        _ => None,
    }
}
