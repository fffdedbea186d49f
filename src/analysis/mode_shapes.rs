//! Where the bodies are in a mode of a given size: each moves along the twist of its way and turn, a screw motion, so that what turns about a point at
//! rest leaves that point there at any size (Murray, Li and Sastry 1994, 2.3: the exponential of a twist).

use super::modes::ModeMotion;
use super::statics::with_ground;
use super::{Mode, OperatingPoint};
use crate::Error;
use crate::run::Frame;
use fourbar_multibody::space::{Pose, V3, rotation};
use nalgebra::Complex;
use std::f64::consts::TAU;

/// Exponent by which a mode that does not oscillate changes while it is shown: of its way 2 % is left.
pub(crate) const FOLDS: f64 = 4.0;

impl OperatingPoint {
    /// The bodies in the state, for those who draw them.
    ///
    /// # Errors
    /// [`Error::Multibody`] where the state cannot be made consistent.
    pub fn frame(&mut self) -> Result<Frame, Error> {
        let time = self.time();
        Ok(Frame { time, poses: with_ground(self.state()?), ..Frame::default() })
    }
}

impl Mode {
    /// What a shape is multiplied by at a part of the time in which it is shown, 0 to 1: an oscillation goes round once, what goes back or leaves
    /// without oscillation does so by e^4.
    #[must_use]
    pub fn factor(&self, part: f64) -> Complex<f64> {
        match self.motion {
            ModeMotion::Overdamped | ModeMotion::Decays => Complex::new((-FOLDS * part).exp(), 0.0),
            ModeMotion::Diverges => Complex::new((FOLDS * (part - 1.0)).exp(), 0.0),
            _ => Complex::from_polar(1.0, TAU * part),
        }
    }

    /// Ways of a body's point `arm` from its centre of mass \[m\], complex as its shape.
    #[must_use]
    pub fn way(&self, body: usize, arm: &V3) -> [Complex<f64>; 3] {
        let Some(shape) = self.shape.get(body) else { return [Complex::new(0.0, 0.0); 3] };
        let of = |part: fn(&Complex<f64>) -> f64| {
            let [way, turn] = [0, 3].map(|k| V3::new(part(&shape[k]), part(&shape[k + 1]), part(&shape[k + 2])));
            way + turn.cross(arm)
        };
        let (re, im) = (of(|z| z.re), of(|z| z.im));
        [0, 1, 2].map(|k| Complex::new(re[k], im[k]))
    }

    /// `rest` (ground last) moved by the real part of the shape times `factor`.
    #[must_use]
    pub fn moved(&self, rest: &[Pose], factor: Complex<f64>) -> Vec<Pose> {
        let moved = |(body, pose): (usize, &Pose)| {
            let Some(shape) = self.shape.get(body) else { return *pose };
            let [way, turn] =
                [0, 3].map(|k| V3::new(0.0, 0.0, 0.0).map_with_location(|i, _, _| (shape[k + i] * factor).re));
            Pose { x: pose.x + along(&way, &turn), a: rotation(&turn) * pose.a, ..*pose }
        };
        rest.iter().enumerate().map(moved).collect()
    }
}

/// Where the unit twist (`way`, `turn`) brings the point at which it is given.
fn along(way: &V3, turn: &V3) -> V3 {
    let angle = turn.norm();
    if !(angle > 0.0) {
        return *way;
    }
    let axis = turn / angle;
    // (1 - cos x)/x without cancellation.
    let half = (0.5 * angle).sin();
    way * (angle.sin() / angle)
        + axis.cross(way) * (2.0 * half * half / angle)
        + axis * (axis.dot(way) * (1.0 - angle.sin() / angle))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A body that turns about a point at rest leaves it there, by whatever angle; turned by a quarter its centre goes round by that.
    #[test]
    fn a_pivot_stays_at_rest() {
        let (axis, pivot) = (V3::new(0.0, 0.6, 0.8), V3::new(0.3, -0.2, 0.5));
        let pose = Pose { x: V3::new(1.0, 2.0, 3.0), ..Pose::ground() };
        let way = axis.cross(&(pose.x - pivot));
        let shape = [way.x, way.y, way.z, axis.x, axis.y, axis.z].map(|part| Complex::new(part, 0.0));
        let mode = Mode { eigenvalue: Complex::new(0.0, 1.0), shape: vec![shape], motion: ModeMotion::Oscillates };
        for angle in [1e-9, 0.1, 1.0, 3.0] {
            let moved = mode.moved(&[pose, Pose::ground()], Complex::new(angle, 0.0));
            let at = moved[0].x + moved[0].a * (pivot - pose.x);
            assert!((at - pivot).norm() < 1e-14, "{angle}: {at}");
            let around = rotation(&(axis * angle)) * (pose.x - pivot) + pivot;
            assert!((moved[0].x - around).norm() < 1e-14, "{angle}");
            assert_eq!(moved[1], Pose::ground());
        }
        assert!((mode.moved(&[pose], mode.factor(0.25))[0].x - pose.x).norm() < 1e-15);
    }
}
