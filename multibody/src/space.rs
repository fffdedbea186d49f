//! Vectors and rotations in space, and where a body is.

/// Vector in space.
pub type V3 = nalgebra::Vector3<f64>;
/// 3 x 3 matrix.
pub type M3 = nalgebra::Matrix3<f64>;

/// [a]x, so that [a]x b = a x b.
#[inline]
#[must_use]
pub(crate) fn skew(a: &V3) -> M3 {
    M3::new(0.0, -a.z, a.y, a.z, 0.0, -a.x, -a.y, a.x, 0.0)
}

/// The matrix D with (p x s) x b = D p for every p: s b^T - (s.b) I.
#[inline]
#[must_use]
pub(crate) fn turned_left(s: &V3, b: &V3) -> M3 {
    outer_minus_dot(s, b)
}

/// The matrix D with a x (p x s) = D p for every p: (a.s) I - s a^T.
#[inline]
#[must_use]
pub(crate) fn turned_right(a: &V3, s: &V3) -> M3 {
    -outer_minus_dot(s, a)
}

#[inline]
fn outer_minus_dot(s: &V3, b: &V3) -> M3 {
    let d = s.dot(b);
    let mut m = s * b.transpose();
    m[(0, 0)] -= d;
    m[(1, 1)] -= d;
    m[(2, 2)] -= d;
    m
}

/// Angle reduced to (-pi, pi].
#[inline]
#[must_use]
pub(crate) fn wrap(angle: f64) -> f64 {
    use std::f64::consts::{PI, TAU};
    /// A turn in two parts: products of the first with whole numbers up to 2^45 are exact (Cody and Waite 1980, chapter 8).
    const TURN: [f64; 2] = [6.28125, 1.935_307_179_586_476_9e-3];
    /// Added and taken away it rounds to whole numbers, below 2^51; `round` would be a call.
    const WHOLE: f64 = 1.5 * (1_u64 << 52) as f64;
    if angle.abs() <= PI {
        return angle;
    }
    let turns = (angle / TAU + WHOLE) - WHOLE;
    angle - turns * TURN[0] - turns * TURN[1]
}

/// Rotation matrix of the rotation vector `p` (Rodrigues).
#[must_use]
pub fn rotation(p: &V3) -> M3 {
    nalgebra::Rotation3::from_scaled_axis(*p).into_inner()
}

/// Rotation vector of a rotation matrix, in the ball of radius pi. By a quaternion: the cosine of a small angle has lost half its digits.
#[must_use]
pub fn rotation_vector(a: &M3) -> V3 {
    nalgebra::UnitQuaternion::from_rotation_matrix(&nalgebra::Rotation3::from_matrix_unchecked(*a)).scaled_axis()
}

/// Where a body is and how it moves. All vectors in the global frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pose {
    /// Centre of mass \[m\].
    pub x: V3,
    /// Rotation from body axes to global axes.
    pub a: M3,
    /// Velocity of the centre of mass [m/s].
    pub v: V3,
    /// Angular velocity [rad/s].
    pub w: V3,
}

fourbar_linalg::stored!(struct Pose { x, a, v, w });

impl Pose {
    /// The ground: at the origin, at rest.
    #[must_use]
    pub fn ground() -> Self {
        Self { x: V3::zeros(), a: M3::identity(), v: V3::zeros(), w: V3::zeros() }
    }
}

/// A frame fixed to a body, as equations see it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FixedFrame {
    /// Body; the number of bodies stands for the ground.
    pub body: usize,
    /// Origin from the centre of mass, in body axes \[m\].
    pub r: V3,
    /// Axes (columns) in body axes.
    pub c: M3,
}

impl FixedFrame {
    /// Vector from the centre of mass to the origin, global axes \[m\].
    #[inline]
    #[must_use]
    pub fn arm(&self, poses: &[Pose]) -> V3 {
        poses[self.body].a * self.r
    }

    /// Axis `k` in global axes.
    #[inline]
    #[must_use]
    pub fn axis(&self, poses: &[Pose], k: usize) -> V3 {
        poses[self.body].a * self.c.column(k)
    }

    /// Axes (columns) in global axes.
    #[inline]
    #[must_use]
    pub fn axes(&self, poses: &[Pose]) -> M3 {
        poses[self.body].a * self.c
    }

    /// Origin in the global frame \[m\].
    #[inline]
    #[must_use]
    pub fn origin(&self, poses: &[Pose]) -> V3 {
        poses[self.body].x + self.arm(poses)
    }

    /// Velocity of the origin [m/s].
    #[inline]
    #[must_use]
    pub fn velocity(&self, poses: &[Pose]) -> V3 {
        let pose = &poses[self.body];
        pose.v + pose.w.cross(&self.arm(poses))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn double_cross_products_are_linear_in_the_turn() {
        let (p, s, b) = (V3::new(0.3, -1.2, 0.7), V3::new(2.0, 0.1, -0.4), V3::new(-0.6, 0.9, 1.1));
        approx::assert_relative_eq!(turned_left(&s, &b) * p, p.cross(&s).cross(&b), epsilon = 1e-15);
        approx::assert_relative_eq!(turned_right(&b, &s) * p, b.cross(&p.cross(&s)), epsilon = 1e-15);
        approx::assert_relative_eq!(skew(&s) * p, s.cross(&p), epsilon = 1e-15);
    }

    #[test]
    fn wrapping_keeps_the_angle() {
        for turns in -3..=3 {
            for angle in [-3.1, -1.0, 0.0, 0.5, 3.1] {
                approx::assert_abs_diff_eq!(
                    wrap(angle + std::f64::consts::TAU * f64::from(turns)),
                    angle,
                    epsilon = 1e-14
                );
            }
        }
    }
}
