//! A cylinder over a flat face: a half space, or the face of a box over which all of it lies.
//!
//! With the outward normal n of the face and the unit axis a, t = (n - (n.a) a)/s, s = |n - (n.a) a|, the lowest point of the rim of an
//! end with centre q is q - R t: it moves along the rim as the cylinder rolls ([`Feature::Rim`]), and its gap
//!
//! ```text
//! g = n.(q - p) - R s
//! ```
//!
//! is smooth but where the end is parallel to the face, s = 0. There the cap stands on contact points, fixed to it just inside of the rim,
//! which is chamfered a little: as s falls these points touch before the rim has lost its lowest point. So all gaps are smooth where they
//! are near zero, and all places have names that stay. Friction at them acts at two thirds of the radius: under an even pressure a disc that spins has the
//! torque 2/3 mu N R, whichever of them carry it.

use super::{Placed, Point};
use crate::pair::nearest::{Feature, Nearest, Side, reject};
use fourbar_multibody::space::{Pose, V3};
use std::f64::consts::TAU;

/// Contact points of a cap: it stands on a polygon of so many corners.
pub(super) const CAP_POINTS: usize = 8;
/// Of the radius: how far inside of the rim contact points of a cap are.
pub(super) const INSIDE: f64 = 1e-2;
/// Of the radius: how far from the middle of a cap friction acts, as an even pressure on a disc has it: the mean of the distance over the disc.
const EVEN: f64 = 2.0 / 3.0;
/// Of the radius: how far the rim lies behind the end: above what counts as touching, and below what a start may overlap.
pub(super) const CHAMFER: f64 = 1e-7;

/// Of the radius: how far a cylinder may reach over the edges of a face and still lie over it, so that one that stands along an edge does.
const BESIDE: f64 = 1e-6;
/// -n.a of an outward axis a from which the contact points of a cap are looked at. They come near the face after the rim of the cap only, which is always looked at.
pub(super) const FACES: f64 = 0.5;

/// A cylinder along the second axis of its frame, as parry has it.
#[derive(Clone, Copy)]
pub(crate) struct Cylinder<'a> {
    pub(crate) at: &'a Placed,
    /// Half its length \[m\].
    pub(crate) half: f64,
    pub(crate) radius: f64,
}

/// Where friction acts at `nearest`, with the body of the cylinder, if it is a contact point of a cap: nearer to the middle than what touches, so that a
/// disc which spins is braked as under an even pressure. As the way there lies in the face, tipping about a contact point slides nowhere.
pub(crate) fn rubbing(nearest: &Nearest, point: &Point, at: &Placed, poses: &[Pose]) -> Option<Nearest> {
    // Those of the rim have the number 0.
    if point.feature >> 8 != 0 || point.feature & 0xf == 0 {
        return None;
    }
    let axis: V3 = at.a.column(1).into();
    let foot = if point.i.body == at.body { point.i.p } else { point.j.p };
    let way = reject(&(foot - at.x), &axis) * (EVEN / (1.0 - INSIDE) - 1.0);
    let way_rate = poses[at.body].w.cross(&way);
    let (n, n_rate) = (&nearest.n, &nearest.n_rate);
    let rate = reject(&way_rate, n) - n_rate * n.dot(&way) - n * n_rate.dot(&way);
    Some(Nearest { p: nearest.p + reject(&way, n), p_rate: nearest.p_rate + rate, ..*nearest })
}

/// A flat face.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Flat {
    pub(crate) body: usize,
    /// A point of it, and its outward normal.
    pub(crate) p: V3,
    pub(crate) n: V3,
    /// A direction in it.
    pub(crate) along: V3,
    /// Which one of its shape, below 8.
    pub(crate) number: u32,
}

impl Flat {
    pub(crate) fn of_half_space(at: &Placed) -> Self {
        Self { body: at.body, p: at.x, n: at.a.column(2).into(), along: at.a.column(0).into(), number: 0 }
    }
}

impl Cylinder<'_> {
    fn axis(&self) -> V3 {
        self.at.a.column(1).into()
    }

    /// Half its extent along the unit direction `d`.
    fn reach(&self, d: &V3) -> f64 {
        let along = self.axis().dot(d);
        self.half * along.abs() + self.radius * (1.0 - along * along).max(0.0).sqrt()
    }

    /// The face of a box, of the half lengths `half`, over which all of the cylinder lies; none where it reaches over an edge.
    pub(crate) fn face_under(&self, at: &Placed, half: &V3) -> Option<Flat> {
        let apart = at.a.tr_mul(&(self.at.x - at.x));
        let axes = [0, 1, 2].map(|k| V3::from(at.a.column(k)));
        let reach = axes.map(|axis| self.reach(&axis));
        let separation = |k: usize| apart[k].abs() - half[k] - reach[k];
        let face = (0..3).max_by(|&k, &l| separation(k).total_cmp(&separation(l)))?;
        let beside = [(face + 1) % 3, (face + 2) % 3];
        if beside.iter().any(|&k| apart[k].abs() + reach[k] > half[k] + BESIDE * self.radius) {
            return None;
        }
        let n = axes[face] * apart[face].signum();
        let number = 2 * face as u32 + u32::from(apart[face] > 0.0);
        Some(Flat { body: at.body, p: at.x + n * half[face], n, along: axes[beside[0]], number })
    }

    /// Its points at most `margin` above a face; `on_i` if it is on body I.
    pub(crate) fn over(&self, flat: &Flat, on_i: bool, margin: f64, out: &mut Vec<Point>) {
        let axis = self.axis();
        // As a cross product it keeps its digits where n and a nearly coincide.
        let across = axis.cross(&flat.n.cross(&axis));
        let size = across.norm();
        let chamfer = CHAMFER * self.radius;
        let low = if size > 0.0 { across * (self.radius / size) } else { V3::zeros() };
        let plane = Side { body: flat.body, p: flat.p, feature: Feature::Face(flat.n), radius: 0.0 };
        let hint = if on_i { flat.along } else { self.at.oblique() };
        let mut add = |p: V3, feature: Feature, number: u32| {
            if flat.n.dot(&(p - flat.p)) > margin {
                return;
            }
            let side = Side { body: self.at.body, p, feature, radius: 0.0 };
            let (i, j, n) = if on_i { (side, plane, flat.n) } else { (plane, side, -flat.n) };
            out.push(Point { i, j, n, hint, feature: flat.number << 5 | number });
        };
        for (end, sign) in [(0, -1.0), (1, 1.0)] {
            let outward = axis * sign;
            let middle = self.at.x + outward * (self.half - chamfer);
            add(middle - low, Feature::Rim { axis, radius: self.radius }, end << 4);
            if outward.dot(&flat.n) > -FACES {
                continue;
            }
            let middle = self.at.x + outward * self.half;
            for k in 0..CAP_POINTS {
                let (s, c) = (TAU * k as f64 / CAP_POINTS as f64).sin_cos();
                let arm = self.at.a.column(2) * c + self.at.a.column(0) * s;
                add(middle + arm * (self.radius * (1.0 - INSIDE)), Feature::Point, end << 4 | (k as u32 + 1));
            }
        }
    }
}
