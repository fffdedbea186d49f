//! The second derivative of a row by the time at accelerations of zero: (V, omega)^T K (V, omega), written without K.
//!
//! With vectors s fixed to a body, s' = omega x s and s'' = omega x (omega x s).

use super::{Constraint, Curvature, Form, MAX_ROWS};
use crate::space::{Pose, V3};

impl Constraint {
    /// What the second derivative of each row is where no body accelerates [m/s^2, rad/s^2]; entries beyond
    /// [`Constraint::row_count`] are zero.
    #[inline]
    #[must_use]
    pub fn convective(&self, poses: &[Pose]) -> [f64; MAX_ROWS] {
        let (i, j) = (&poses[self.i.body], &poses[self.j.body]);
        let single = |value| [value, 0.0, 0.0];
        match self.form {
            Form::Point => {
                let d = twice(&i.w, &self.i.arm(poses)) - twice(&j.w, &self.j.arm(poses));
                [d.x, d.y, d.z]
            }
            Form::LocalPoint => [0, 1, 2].map(|axis| self.along(axis, poses)),
            Form::Dot { i: a, j: b } => {
                single(product(&i.w, &self.i.axis(poses, a), &j.w, &self.j.axis(poses, b)).change)
            }
            Form::AxisVector { axis, .. } => single(self.along(axis, poses)),
            Form::Distance { .. } => {
                let vector = self.vector(poses);
                let l = vector.value.norm();
                let along = vector.value.dot(&vector.rate) / l;
                single((vector.rate.norm_squared() + vector.value.dot(&vector.change) - along * along) / l)
            }
            Form::Angle => single(self.turning(poses)),
            Form::Cardan { axis } => single(self.cardan(axis, poses)),
            Form::Screw { lead } => single(self.along(2, poses) - lead * self.turning(poses)),
            Form::Along { .. } => single(0.0),
            Form::Rolling { .. } => single(self.by_curvature(poses)),
            Form::Twist => {
                let of = |a, b| product(&i.w, &self.i.axis(poses, a), &j.w, &self.j.axis(poses, b)).change;
                single(of(0, 1) - of(1, 0))
            }
        }
    }

    /// Of the component of p_i - p_j along an axis of J.
    #[inline]
    fn along(&self, axis: usize, poses: &[Pose]) -> f64 {
        let w = &poses[self.j.body].w;
        let (a, vector) = (self.j.axis(poses, axis), self.vector(poses));
        twice(w, &a).dot(&vector.value) + 2.0 * w.cross(&a).dot(&vector.rate) + a.dot(&vector.change)
    }

    /// Of the angle about z of J.
    #[inline]
    fn turning(&self, poses: &[Pose]) -> f64 {
        let (i, j, x) = (&poses[self.i.body], &poses[self.j.body], self.i.axis(poses, 0));
        let c = product(&i.w, &x, &j.w, &self.j.axis(poses, 0));
        let s = product(&i.w, &x, &j.w, &self.j.axis(poses, 1));
        let r2 = s.value * s.value + c.value * c.value;
        let rate = (c.value * s.rate - s.value * c.rate) / r2;
        let stretch = 2.0 * (s.value * s.rate + c.value * c.rate);
        (c.value * s.change - s.value * c.change - rate * stretch) / r2
    }

    /// Of the angle `axis` of three.
    #[inline]
    fn cardan(&self, axis: usize, poses: &[Pose]) -> f64 {
        if let Some(([i, j], _)) = super::cardan::about_z(axis, &self.i, &self.j) {
            return Self { form: Form::Angle, i, j }.turning(poses);
        }
        let (i, j) = (&poses[self.i.body], &poses[self.j.body]);
        let s = product(&i.w, &self.i.axis(poses, 2), &j.w, &self.j.axis(poses, 0));
        let c2 = (1.0 - s.value) * (1.0 + s.value);
        (s.change + s.value * s.rate * s.rate / c2) / c2.sqrt()
    }

    /// (V, omega)^T K (V, omega) of its only row.
    fn by_curvature(&self, poses: &[Pose]) -> f64 {
        let (i, j) = (&poses[self.i.body], &poses[self.j.body]);
        let mut curvature = Curvature::zero();
        self.curvature(0, poses, &mut curvature);
        let [by_x, by_i, by_j] = curvature.rate_gradient(self.mask(), i, j);
        by_x.dot(&(i.v - j.v)) + by_i.dot(&i.w) + by_j.dot(&j.w)
    }

    /// p_i - p_j.
    #[inline]
    fn vector(&self, poses: &[Pose]) -> Moving<V3> {
        let (i, j) = (&poses[self.i.body], &poses[self.j.body]);
        let (si, sj) = (self.i.arm(poses), self.j.arm(poses));
        Moving {
            value: i.x + si - j.x - sj,
            rate: i.v + i.w.cross(&si) - j.v - j.w.cross(&sj),
            change: twice(&i.w, &si) - twice(&j.w, &sj),
        }
    }
}

/// A quantity, its first derivative, and its second at accelerations of zero.
struct Moving<T> {
    value: T,
    rate: T,
    change: T,
}

/// omega x (omega x s).
#[inline]
fn twice(w: &V3, s: &V3) -> V3 {
    w.cross(&w.cross(s))
}

/// a.b, with a turning at `wi` and b at `wj`.
#[inline]
fn product(wi: &V3, a: &V3, wj: &V3, b: &V3) -> Moving<f64> {
    let (a_rate, b_rate) = (wi.cross(a), wj.cross(b));
    Moving {
        value: a.dot(b),
        rate: a_rate.dot(b) + a.dot(&b_rate),
        change: wi.cross(&a_rate).dot(b) + 2.0 * a_rate.dot(&b_rate) + a.dot(&wj.cross(&b_rate)),
    }
}
