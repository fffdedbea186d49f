//! The gap between two plane curves: a function of how the frame of the first lies in that of the second, zero where they touch.
//!
//! With P(s_1) on the first and Q(s_2) on the second curve, both in the axes of the second, r = P - Q, tangents T_1 and T, and n to the left of T,
//! the gap is n.r where
//!
//! ```text
//! T.r = 0,   T x T_1 = 0                                                         (conditions)
//! ```
//!
//! The way along both curves does not change it, so that its gradient is that at fixed parameters: n by the shift (x, y) of the first frame, and
//! n.(z x a) by its turn, a being P from the origin of that frame. The second derivatives follow from those of the parameters, which the conditions tell.

use super::{Curve, Expansion, Place};
use crate::space::V3;

/// Newton iterations for the conditions.
const ITERATIONS: usize = 50;
/// Largest step of an iteration, in lengths of each curve: more would leave the branch that is nearest.
const STRIDE: f64 = 0.05;

/// Step, as part of [`STRIDE`], after which one more iteration has all digits: it converges quadratically.
const SETTLED: f64 = 1e-9;

/// What meets at the parameters of both curves, in the axes of the second.
struct Meeting {
    /// First curve: from the origin of its frame, tangent, second derivative.
    own: [V3; 3],
    other: Place,
    r: V3,
    /// Derivatives of both conditions by s_1 and s_2.
    matrix: [[f64; 2]; 2],
}

impl Curve {
    /// The gap of this curve, whose frame lies at (x, y) in the frame of `other` and is turned by the angle about z, and the parameters of both where
    /// they touch. NaN where no place has parallel tangents, as of two parallel lines.
    #[must_use]
    pub fn gap(&self, other: &Self, [x, y, angle]: [f64; 3]) -> (Expansion<3>, [f64; 2]) {
        let (sin, cos) = angle.sin_cos();
        let turned = |v: &V3| V3::new(cos * v.x - sin * v.y, sin * v.x + cos * v.y, 0.0);
        let shift = V3::new(x, y, 0.0);
        let (s1, s2) = self.nearest_samples(other, &|p| turned(p) + shift);
        let mut s = [s1, s2];
        let stride = [STRIDE * self.length(), STRIDE * other.length()];
        let meet = |s: [f64; 2]| {
            let place = self.at(s[0]);
            Meeting::new([place.position, place.first, place.second].map(|v| turned(&v)), other.at(s[1]), &shift)
        };
        let mut meeting = meet(s);
        let mut settled = false;
        for _ in 0..ITERATIONS {
            let step = meeting.solve(meeting.conditions());
            let limit = (0..2).map(|k| (step[k] / stride[k]).abs()).fold(1.0, f64::max);
            (0..2).for_each(|k| s[k] -= step[k] / limit);
            meeting = meet(s);
            if settled || !limit.is_finite() {
                break;
            }
            settled = (0..2).all(|k| step[k].abs() <= SETTLED * stride[k]);
        }
        let expansion = if settled { meeting.expansion() } else { meeting.none() };
        (expansion, s)
    }
}

impl Meeting {
    fn new(own: [V3; 3], other: Place, shift: &V3) -> Self {
        let r = shift + own[0] - other.position;
        let Place { first: t, second, .. } = other;
        let matrix =
            [[t.dot(&own[1]), second.dot(&r) - t.norm_squared()], [cross(&t, &own[2]), cross(&second, &own[1])]];
        Self { own, other, r, matrix }
    }

    fn conditions(&self) -> [f64; 2] {
        [self.other.first.dot(&self.r), cross(&self.other.first, &self.own[1])]
    }

    /// The parameters by which the conditions change so.
    fn solve(&self, [e, f]: [f64; 2]) -> [f64; 2] {
        let [[a, b], [c, d]] = self.matrix;
        let determinant = a * d - b * c;
        [(d * e - b * f) / determinant, (a * f - c * e) / determinant]
    }

    fn expansion(&self) -> Expansion<3> {
        let [arm, tangent, _] = &self.own;
        let t = self.other.first;
        let n = V3::new(-t.y, t.x, 0.0) / t.norm();
        // dn = -(n.T') T/|T|^2 ds_2.
        let turns = -t * (n.dot(&self.other.second) / t.norm_squared());
        let moved = [V3::x(), V3::y(), left(arm)];
        let mut hessian = [[0.0; 3]; 3];
        for (by, moved_by) in moved.iter().enumerate() {
            // Turning changes the first tangent, too.
            let turned = if by == 2 { cross(&t, &left(tangent)) } else { 0.0 };
            let [s1, s2] = self.solve([-t.dot(moved_by), -turned]);
            let change = turns * s2;
            hessian[0][by] = change.x;
            hessian[1][by] = change.y;
            let arm_change = tangent * s1 + if by == 2 { left(arm) } else { V3::zeros() };
            hessian[2][by] = change.dot(&left(arm)) + n.dot(&left(&arm_change));
        }
        Expansion { value: n.dot(&self.r), gradient: moved.map(|moved| n.dot(&moved)), hessian }
    }

    fn none(&self) -> Expansion<3> {
        Expansion { value: f64::NAN, gradient: [f64::NAN; 3], hessian: [[f64::NAN; 3]; 3] }
    }
}

fn cross(a: &V3, b: &V3) -> f64 {
    a.x * b.y - a.y * b.x
}

/// Turned by a right angle to the left.
fn left(v: &V3) -> V3 {
    V3::new(-v.y, v.x, 0.0)
}
