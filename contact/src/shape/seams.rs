//! Shapes of one body that lie flush against each other: what they have in common is inside of the body, and nothing touches it.
//!
//! A place p of the surface of a shape S that also belongs to another shape T of the same body is no place of the body's own surface with the normal n
//!
//! - of a face of S, if T covers all of that face next to p;
//! - else, if T reaches beyond p along n: then n is among the normals of S there but not among those of both together.
//!
//! So a box that slides from one tile to the next does not meet the edge of the next one, nor does a ball that rolls there. Where a wall stands on a floor
//! both faces are open next to the corner between them, and both touch.

use super::broad::{Extent, Sweep};
use super::facets::{Face, Facets};
use super::{Placed, Point, Solid};
use crate::pair::nearest::{Feature, Side};
use fourbar_multibody::space::V3;

/// Of the half diagonal of a shape: how far apart what is flush may be, as places in files have six digits.
const FLUSH: f64 = 1e-6;
/// Sine of an angle by which faces in one plane may be turned against each other.
const ALONG: f64 = 1e-5;
/// Cosine of an angle up to which the normal of a flat contact is that of a face below it.
const LEVEL: f64 = 0.99;

/// For each shape the others of its body with which it shares places.
#[derive(Debug, Clone, Default)]
pub(crate) struct Seams {
    /// Pairs of shapes, sorted, each both ways.
    pairs: Vec<[u32; 2]>,
}

impl Seams {
    /// Among shapes that touch the same others: two groups of numbers of `solids`.
    pub(crate) fn new(groups: [&[u32]; 2], solids: &[Solid]) -> Self {
        let mut pairs: Vec<[u32; 2]> = groups.iter().flat_map(|group| Self::within(group, solids)).collect();
        pairs.sort_unstable();
        pairs.dedup();
        Self { pairs }
    }

    fn within(members: &[u32], solids: &[Solid]) -> Vec<[u32; 2]> {
        let mut members: Vec<u32> = members.iter().copied().filter(|k| solids[*k as usize].facets.is_some()).collect();
        members.sort_by_key(|k| (solids[*k as usize].frame.body, *k));
        let mut pairs = Vec::new();
        for own in members.chunk_by(|a, b| solids[*a as usize].frame.body == solids[*b as usize].frame.body) {
            let extent = |k: &u32| {
                let solid = &solids[*k as usize];
                let at = Placed { body: solid.frame.body, x: solid.frame.r, a: solid.frame.c };
                Extent::new(solid, &at, FLUSH * solid.half.norm())
            };
            let extents: Vec<Extent> = own.iter().map(extent).collect();
            Sweep::default().pairs(&extents, |a, b| {
                let [a, b] = [own[a as usize], own[b as usize]];
                pairs.extend([[a, b], [b, a]]);
            });
        }
        pairs
    }

    /// Whether `point`, between the shapes I and J, touches one of them where it is inside of its body.
    pub(crate) fn hide(&self, point: &Point, shapes: [usize; 2], solids: &[Solid], placed: &[Placed]) -> bool {
        if self.pairs.is_empty() {
            return false;
        }
        let place = |own: &Side, other: &Side| match own.feature {
            Feature::Face(m) => other.p - m * m.dot(&(other.p - own.p)),
            _ => own.p,
        };
        let sides = [(&point.i, &point.j, -point.n), (&point.j, &point.i, point.n)];
        sides.into_iter().zip(shapes).any(|((own, other, n), shape)| {
            let of_shape = |[first, _]: &[u32; 2]| *first as usize;
            let first = self.pairs.partition_point(|pair| of_shape(pair) < shape);
            let others = self.pairs[first..].iter().take_while(|pair| of_shape(pair) == shape);
            let p = place(own, other);
            let covering: Vec<Cover<'_>> =
                others.filter_map(|[_, k]| Cover::of(&solids[*k as usize], &placed[*k as usize], &p, &n)).collect();
            if covering.is_empty() {
                return false;
            }
            let is_round = other.radius > 0.0;
            match face_at(&solids[shape], &placed[shape], &p, &n, own, is_round) {
                Some(face) => covered(face, &placed[shape], &p, &covering),
                None => covering.iter().any(Cover::reaches_beyond),
            }
        })
    }
}

/// The face of a shape that a contact at `p` with the normal `n` touches; none if it touches an edge or a corner.
fn face_at<'a>(solid: &'a Solid, at: &Placed, p: &V3, n: &V3, own: &Side, is_round: bool) -> Option<&'a Face> {
    let facets = solid.facets.as_deref()?;
    let is_face = matches!(own.feature, Feature::Face(_));
    if !is_face && is_round {
        return None;
    }
    let (p, n) = (at.a.tr_mul(&(p - at.x)), at.a.tr_mul(n));
    let near = FLUSH * solid.half.norm();
    let faces = facets.faces.iter().filter(|face| face.height(&p).abs() <= near && face.n.dot(&n) > LEVEL);
    faces.max_by(|a, b| a.inside(&p).total_cmp(&b.inside(&p)))
}

/// Whether all of `face` next to `p` is inside of others.
fn covered(face: &Face, at: &Placed, p: &V3, covering: &[Cover<'_>]) -> bool {
    let p = at.a.tr_mul(&(p - at.x));
    let mut ways = face.round().map(|corner| corner - p).filter(|way| way.norm() > FLUSH * face.size());
    ways.all(|way| {
        let way = at.a * way.normalize();
        covering.iter().any(|cover| cover.has_way(&way))
    })
}

/// A shape at a place of its own surface or inside, in its frame.
struct Cover<'a> {
    facets: &'a Facets,
    at: &'a Placed,
    p: V3,
    n: V3,
    near: f64,
}

impl<'a> Cover<'a> {
    /// None if the place does not belong to the shape.
    fn of(solid: &'a Solid, at: &'a Placed, p: &V3, n: &V3) -> Option<Self> {
        let facets = solid.facets.as_deref()?;
        let (p, n, near) = (at.a.tr_mul(&(p - at.x)), at.a.tr_mul(n), FLUSH * solid.half.norm());
        let cover = Self { facets, at, p, n, near };
        let belongs = if facets.is_convex {
            facets.faces.iter().all(|face| face.height(&p) <= near)
        } else {
            cover.faces().next().is_some()
        };
        belongs.then_some(cover)
    }

    /// Its faces on which the place lies.
    fn faces(&self) -> impl Iterator<Item = &'a Face> + use<'a> {
        let (p, near) = (self.p, self.near);
        self.facets.faces.iter().filter(move |face| face.height(&p).abs() <= near && face.inside(&p) >= -near)
    }

    /// Whether the way leads along or into it.
    fn has_way(&self, way: &V3) -> bool {
        let way = self.at.a.tr_mul(way);
        self.faces().all(|face| face.n.dot(&way) <= ALONG)
    }

    /// Whether it has points beyond the place along the normal.
    fn reaches_beyond(&self) -> bool {
        let beyond = |corner: &V3| {
            let way = corner - self.p;
            way.dot(&self.n) > ALONG * way.norm() + self.near
        };
        if self.facets.is_convex {
            return self.facets.corners.iter().any(|corner| beyond(&corner.p));
        }
        self.faces().any(|face| face.n.dot(&self.n) < -ALONG || face.round().any(|corner| beyond(&corner)))
    }
}
