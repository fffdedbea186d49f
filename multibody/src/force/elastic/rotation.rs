//! Finite rotations over any number type: quaternions and rotation vectors, with derivatives where they have any.

use crate::expression::Scalar;
use crate::measure::{arc, cross, dot, norm};

/// Half angle below which series replace quotients; their first term left out is below the rounding of the result.
const SMALL: f64 = 0.05;

/// A unit quaternion (s, v) with s >= 0.
#[derive(Debug, Clone, Copy)]
pub(super) struct Quaternion<T> {
    pub s: T,
    pub v: [T; 3],
}

pub(super) fn scaled<T: Scalar>(a: &[T; 3], by: T) -> [T; 3] {
    a.map(|x| x * by)
}

pub(super) fn plus<T: Scalar>(a: &[T; 3], b: &[T; 3]) -> [T; 3] {
    std::array::from_fn(|k| a[k] + b[k])
}

impl<T: Scalar> Quaternion<T> {
    /// Of a rotation matrix by rows, through its largest component (Shepperd 1978, Quaternion from rotation matrix).
    pub(super) fn of(r: &[[T; 3]; 3]) -> Self {
        let one = T::from(1.0);
        let [x, y, z] = [0, 1, 2].map(|k| r[k][k]);
        let squares = [one + x + y + z, one + x - y - z, one - x + y - z, one - x - y + z];
        let mut largest = 0;
        for (k, square) in squares.iter().enumerate() {
            if square.re() > squares[largest].re() {
                largest = k;
            }
        }
        let twice = squares[largest].sqrt();
        let own = twice * 0.5;
        let other = |sum: T| sum / (twice * 2.0);
        let skew = [r[2][1] - r[1][2], r[0][2] - r[2][0], r[1][0] - r[0][1]];
        let (s, v) = if largest == 0 {
            (own, skew.map(other))
        } else {
            let axis = largest - 1;
            let mut v = [own; 3];
            for k in (0..3).filter(|&k| k != axis) {
                v[k] = other(r[axis][k] + r[k][axis]);
            }
            (other(skew[axis]), v)
        };
        if s.re() < 0.0 { Self { s: -s, v: v.map(|x| -x) } } else { Self { s, v } }
    }

    /// That of half its rotation.
    pub(super) fn half(&self) -> Self {
        let s = ((self.s + T::from(1.0)) * 0.5).sqrt();
        Self { s, v: self.v.map(|x| x / (s * 2.0)) }
    }

    /// The vector turned by it.
    pub(super) fn turn(&self, a: &[T; 3]) -> [T; 3] {
        let once = scaled(&cross(&self.v, a), T::from(2.0));
        plus(&plus(a, &scaled(&once, self.s)), &cross(&self.v, &once))
    }

    /// The vector turned back by it.
    pub(super) fn turn_back(&self, a: &[T; 3]) -> [T; 3] {
        Self { s: self.s, v: self.v.map(|x| -x) }.turn(a)
    }

    /// Half the angle, from 0 to a quarter turn.
    fn half_angle(&self) -> T {
        arc(norm(&self.v), self.s)
    }

    /// The rotation vector, of at most half a turn \[rad\].
    pub(super) fn vector(&self) -> [T; 3] {
        let square = dot(&self.v, &self.v);
        // angle / sin(angle / 2), by the series of the arc sine near zero.
        let factor = if square.re() < SMALL * SMALL {
            let mut sum = T::from(0.0);
            for term in [63.0 / 2816.0, 35.0 / 1152.0, 5.0 / 112.0, 3.0 / 40.0, 1.0 / 6.0, 1.0] {
                sum = sum * square + T::from(term);
            }
            sum * 2.0
        } else {
            self.half_angle() * 2.0 / norm(&self.v)
        };
        scaled(&self.v, factor)
    }

    /// `a` times the inverse, transposed, of the left Jacobian of the rotation vector p: the torque whose power is that of `a` by the rate of p.
    pub(super) fn torque(&self, p: &[T; 3], a: &[T; 3]) -> [T; 3] {
        let square = dot(p, p);
        // (1 - angle/2 cot(angle/2)) / angle^2.
        let factor = if square.re() < 4.0 * SMALL * SMALL {
            let mut sum = T::from(0.0);
            for term in [1.0 / 1_209_600.0, 1.0 / 30_240.0, 1.0 / 720.0, 1.0 / 12.0] {
                sum = sum * square + T::from(term);
            }
            sum
        } else {
            (T::from(1.0) - self.half_angle() * self.s / norm(&self.v)) / square
        };
        let once = cross(p, a);
        plus(&plus(a, &scaled(&once, T::from(0.5))), &scaled(&cross(p, &once), factor))
    }
}
