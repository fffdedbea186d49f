//! How far a point is beside a curve: functions of its place, zero on the curve.
//!
//! With s the parameter of the nearest place, r = p - c(s) and r.c' = 0, both are e.r with a unit vector e(s) across the tangent T = c':
//! e_1 is the reference direction of the curve less its part along T, e_2 = e_1 x T/|T|. Of a plane curve e_1 is its normal, and e_2.r the signed
//! distance, positive to the left. By the theorem on implicit functions
//!
//! ```text
//! ds = T.dp/m,   m = T.T - T'.r
//! grad = e + (e'.r) T/m                                                          (gradient)
//! ```
//!
//! and once more for the second derivatives, e'' included: they are exact off the curve, too.

use super::{Curve, Expansion, Place};
use crate::space::{M3, V3};

/// A vector with its first and second derivative by s.
type Moving = [V3; 3];

impl Curve {
    /// The distances `e_2.r` (`side` 0) or `e_1.r` (1) of a point at `p` in the axes of the curve \[m\], and the parameter of the nearest place.
    #[must_use]
    pub fn beside_point(&self, p: &V3, side: usize) -> (Expansion<3>, f64) {
        let s = self.nearest(p);
        let place = self.at(s);
        let Place { position, first: t, second, third } = place;
        let r = p - position;
        let [e, e1, e2] = self.across_at(&place)[side];
        let m = t.norm_squared() - second.dot(&r);
        let by_s = t / m;
        let drift = e1.dot(&r);
        let gradient = e + by_s * drift;
        // d(e'.r) = (e''.r) ds + e'.(dp - T ds), dm = (3 T.T' - T''.r) ds - T'.dp.
        let drifts = by_s * (e2.dot(&r) - e1.dot(&t)) + e1;
        let dm = by_s * (3.0 * t.dot(&second) - third.dot(&r)) - second;
        let by_s_change: M3 = (second * by_s.transpose() - by_s * dm.transpose()) / m;
        let hessian = e1 * by_s.transpose() + by_s * drifts.transpose() + by_s_change * drift;
        let expansion = Expansion {
            value: e.dot(&r),
            gradient: gradient.into(),
            hessian: [0, 1, 2].map(|row| [0, 1, 2].map(|column| hessian[(row, column)])),
        };
        (expansion, s)
    }

    /// e_2 and e_1 at a place.
    fn across_at(&self, place: &Place) -> [Moving; 2] {
        let tangent = unit([place.first, place.second, place.third]);
        let [t, t1, t2] = tangent;
        let h = &self.reference;
        let [a, a1, a2] = tangent.map(|t| h.dot(&t));
        let level = [h - t * a, -t * a1 - t1 * a, -t * a2 - t1 * (2.0 * a1) - t2 * a];
        let up = unit(level);
        let [u, u1, u2] = up;
        let side = [u.cross(&t), u1.cross(&t) + u.cross(&t1), u2.cross(&t) + u1.cross(&t1) * 2.0 + u.cross(&t2)];
        [side, up]
    }
}

/// The unit vector of a vector.
fn unit([v, v1, v2]: Moving) -> Moving {
    let l = v.norm();
    let u = v / l;
    let l1 = u.dot(&v1);
    let u1 = (v1 - u * l1) / l;
    let l2 = u1.dot(&v1) + u.dot(&v2);
    [u, u1, (v2 - u1 * (2.0 * l1) - u * l2) / l]
}
