//! Nearest points of two features, how they move, and the rows they give.
//!
//! Each side of a contact is a feature of its body, rounded by a radius: a point, an edge or a face. Between them lie the unit
//! normal n (from J to I), the points p_I and p_J of the features with p_I - p_J = l n, and the gap g = l - r_I - r_J. Since n is
//! normal to both features, sliding of the points along them changes nothing at first order (the envelope theorem):
//!
//! ```text
//! g' = n.(v_I(p) - v_J(p)),    v_B(p) = V_B + omega_B x (p - x_B)
//! ```
//!
//! at any p on the line of the normal, so the row of the gap is that of a force along n at p. Along the motion with u' = 0 the row
//! changes by (p' is the velocity of the place p, not of the material there)
//!
//! ```text
//! d.(v_I - v_J)' -> d'.(v_I(p) - v_J(p)) + d.(omega_I x (p' - V_I) - omega_J x (p' - V_J))
//! ```
//!
//! for any direction d: n itself, or a tangent. n' and p' follow from which features are nearest.

use crate::unilateral::{ContactId, Row, Surface, Unilateral};
use fourbar_multibody::space::{M3, Pose, V3};

/// sin of an angle below which edges count as parallel.
const PARALLEL: f64 = 1e-9;
/// Squared sine of the angle between normal and hint below which the hint says nothing: tangents lose half their digits.
const ALONG: f64 = 1e-12;

/// What of a body is nearest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Feature {
    /// A point of the body.
    Point,
    /// A straight edge of this unit direction.
    Edge(V3),
    /// A face with this unit normal, out of the body.
    Face(V3),
    /// The lowest point of a rim over a face: it moves along the rim as the body turns.
    Rim {
        /// Unit axis.
        axis: V3,
        /// Radius \[m\].
        radius: f64,
    },
}

/// One side of a contact; all vectors in global axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Side {
    /// Body.
    pub body: usize,
    /// Nearest point of the feature \[m\], before rounding.
    pub p: V3,
    /// Feature.
    pub feature: Feature,
    /// Radius by which it is rounded \[m\].
    pub radius: f64,
}

/// Nearest points with their rates.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Nearest {
    /// g \[m\].
    pub gap: f64,
    /// Unit normal n, from J to I.
    pub n: V3,
    /// n' at the velocities of the bodies [1/s].
    pub n_rate: V3,
    /// The contact's place, halfway between the surfaces \[m\].
    pub p: V3,
    /// Its velocity p' [m/s].
    pub p_rate: V3,
}

impl Nearest {
    /// From the features `i` and `j`. `n` is the unit normal from J to I; a face brings its own.
    #[must_use]
    pub fn new(i: &Side, j: &Side, n: &V3, poses: &[Pose]) -> Self {
        let (bi, bj) = (&poses[i.body], &poses[j.body]);
        let (vi, vj) = (velocity(bi, &i.p), velocity(bj, &j.p));
        match (i.feature, j.feature) {
            (_, Feature::Face(m)) => Self::on_face(i, j, &m, 1.0, [bi, bj]),
            (Feature::Face(m), _) => Self::on_face(j, i, &m, -1.0, [bj, bi]),
            (Feature::Edge(a), Feature::Edge(b)) if a.cross(&b).norm() > PARALLEL => {
                let c = a.cross(&b);
                let sign = c.dot(n).signum();
                let n = c * (sign / c.norm());
                let change = bi.w.cross(&a).cross(&b) + a.cross(&bj.w.cross(&b));
                let n_rate = reject(&change, &n) * (sign / c.norm());
                // d/dt (p_I - p_J) = v_I + a s' - v_J - b t' = (l n)': solved for s' and t'.
                let along = M3::from_columns(&[a, -b, -n]);
                let l = (i.p - j.p).dot(&n);
                let slides = along.lu().solve(&(n_rate * l - (vi - vj))).unwrap_or_else(V3::zeros);
                Self::between(i, j, &n, &n_rate, [vi + a * slides.x, vj + b * slides.y])
            }
            (Feature::Edge(a), _) => {
                let slide = slide(&a, &(vj - vi), &(j.p - i.p), &bi.w);
                Self::apart(i, j, n, [vi + a * slide, vj])
            }
            (_, Feature::Edge(b)) => {
                let slide = slide(&b, &(vi - vj), &(i.p - j.p), &bj.w);
                Self::apart(i, j, n, [vi, vj + b * slide])
            }
            (Feature::Point | Feature::Rim { .. }, Feature::Point | Feature::Rim { .. }) => {
                Self::apart(i, j, n, [vi, vj])
            }
        }
    }

    /// A feature `a` over a face of `b` with normal `m`; `sign` -1 if a is on J.
    fn on_face(a: &Side, b: &Side, m: &V3, sign: f64, [ba, bb]: [&Pose; 2]) -> Self {
        let l = m.dot(&(a.p - b.p));
        let m_rate = bb.w.cross(m);
        let va = match a.feature {
            Feature::Rim { axis, radius } => rim_rate(&axis, radius, &a.p, ba, [m, &m_rate]),
            _ => velocity(ba, &a.p),
        };
        let l_rate = m.dot(&(va - velocity(bb, &a.p)));
        let half = 0.5 * (l + a.radius - b.radius);
        Self {
            gap: l - a.radius - b.radius,
            n: m * sign,
            n_rate: m_rate * sign,
            p: a.p - m * half,
            p_rate: va - m * (0.5 * l_rate) - m_rate * half,
        }
    }

    /// Features whose normal is the direction between the points.
    fn apart(i: &Side, j: &Side, n: &V3, rates: [V3; 2]) -> Self {
        let l = (i.p - j.p).dot(n);
        let n_rate = if l == 0.0 { V3::zeros() } else { reject(&(rates[0] - rates[1]), n) / l };
        Self::between(i, j, n, &n_rate, rates)
    }

    /// From the points with their rates.
    #[must_use]
    pub(crate) fn between(i: &Side, j: &Side, n: &V3, n_rate: &V3, rates: [V3; 2]) -> Self {
        let shift = 0.5 * (j.radius - i.radius);
        Self {
            gap: (i.p - j.p).dot(n) - i.radius - j.radius,
            n: *n,
            n_rate: *n_rate,
            p: (i.p + j.p) * 0.5 + n * shift,
            p_rate: (rates[0] + rates[1]) * 0.5 + n_rate * shift,
        }
    }

    /// The contact with its rows. `hint` is a direction fixed to body J that the first tangent follows.
    #[must_use]
    pub fn contact(
        &self,
        id: ContactId,
        bodies: [usize; 2],
        surface: Surface,
        hint: &V3,
        poses: &[Pose],
    ) -> Unilateral {
        let (i, j) = (&poses[bodies[0]], &poses[bodies[1]]);
        let mut rows = [Row::zero(); 6];
        rows[0] = self.sliding(&self.n, &self.n_rate, i, j);
        let friction = surface.friction_rows();
        if friction > 0 {
            let [(t1, r1), (t2, r2)] = self.tangents(hint, &j.w.cross(hint));
            rows[1] = self.sliding(&t1, &r1, i, j);
            rows[2] = self.sliding(&t2, &r2, i, j);
            if friction > 2 {
                rows[3] = turning(&self.n, &self.n_rate, i, j);
                rows[4] = turning(&t1, &r1, i, j);
                rows[5] = turning(&t2, &r2, i, j);
            }
        }
        Unilateral { id, bodies, gap: self.gap, gap_rate: 0.0, gap_rate_drift: 0.0, rows, point: Some(self.p), surface }
    }

    /// Row of the relative velocity along `d` at p.
    #[inline]
    fn sliding(&self, d: &V3, rate: &V3, i: &Pose, j: &Pose) -> Row {
        let (si, sj) = (self.p - i.x, self.p - j.x);
        let apart = i.v - j.v + i.w.cross(&si) - j.w.cross(&sj);
        let turn = i.w.cross(&(self.p_rate - i.v)) - j.w.cross(&(self.p_rate - j.v));
        Row { g: *d, gi: si.cross(d), gj: d.cross(&sj), drift: rate.dot(&apart) + d.dot(&turn) }
    }

    /// Two tangents with their rates: the first in the plane of n and `hint`, the second across.
    #[must_use]
    pub fn tangents(&self, hint: &V3, hint_rate: &V3) -> [(V3, V3); 2] {
        let mut across = self.n.cross(hint);
        let mut change = self.n_rate.cross(hint) + self.n.cross(hint_rate);
        if across.norm_squared() < ALONG {
            // The hint points along the normal: another one, fixed in space.
            let other = if self.n.x.abs() < 0.9 { V3::x() } else { V3::y() };
            across = self.n.cross(&other);
            change = self.n_rate.cross(&other);
        }
        let size = across.norm();
        let t2 = across / size;
        let r2 = reject(&change, &t2) / size;
        let t1 = t2.cross(&self.n);
        let r1 = r2.cross(&self.n) + t2.cross(&self.n_rate);
        [(t1, r1), (t2, r2)]
    }
}

/// Row of the relative turning about `d`.
#[inline]
fn turning(d: &V3, rate: &V3, i: &Pose, j: &Pose) -> Row {
    Row { g: V3::zeros(), gi: *d, gj: -d, drift: rate.dot(&(i.w - j.w)) }
}

/// Velocity of the material of a body at `p`.
#[inline]
#[must_use]
pub(crate) fn velocity(body: &Pose, p: &V3) -> V3 {
    body.v + body.w.cross(&(p - body.x))
}

/// Velocity of the place `p` that is lowest over a face with normal m on the rim of radius R about the axis a of a body: p = q - R t, with
/// the middle q of the rim and t = (m - (m.a) a)/s of unit length.
fn rim_rate(a: &V3, radius: f64, p: &V3, body: &Pose, [m, m_rate]: [&V3; 2]) -> V3 {
    let across = a.cross(&m.cross(a));
    let s = across.norm();
    if s == 0.0 {
        return velocity(body, p);
    }
    let t = across / s;
    let a_rate = body.w.cross(a);
    let change = m_rate - a * (m_rate.dot(a) + m.dot(&a_rate)) - a_rate * m.dot(a);
    velocity(body, &(p + t * radius)) - reject(&change, &t) * (radius / s)
}

/// The part of `a` normal to the unit vector `n`.
#[inline]
#[must_use]
pub(crate) fn reject(a: &V3, n: &V3) -> V3 {
    a - n * n.dot(a)
}

/// Speed along the edge `e` of its point nearest to another: (q - p).e = 0 differentiated; `v` = q' - v(p).
#[inline]
fn slide(e: &V3, v: &V3, apart: &V3, w: &V3) -> f64 {
    e.dot(v) + apart.dot(&w.cross(e))
}
