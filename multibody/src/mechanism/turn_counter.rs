//! Angles between two frames that are counted through full turns.

use crate::constraint::{Constraint, Form, MAX_ROWS, Row};
use crate::space::{FixedFrame, Pose};

/// Cosine of the largest tilt at which a turn of I about z of J counts \[0.1 rad\]. Beyond it the body tumbles, and a turn is none about z.
const UPRIGHT: f64 = 0.995;

/// An angle between two frames whose full turns are counted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct TurnCounter {
    pub i: FixedFrame,
    pub j: FixedFrame,
    pub angle: CountedAngle,
}

/// Which angle of I against J a [`TurnCounter`] counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CountedAngle {
    /// From x of J to x of I about z of J.
    Projected,
    /// Twist about z: that of the rotation which is left when the shortest one that tilts z of J to z of I is taken away.
    Twist,
}

impl TurnCounter {
    /// The angle modulo 2 pi \[rad\] and its rate [rad/s].
    pub(crate) fn angle(&self, poses: &[Pose]) -> [f64; 2] {
        match self.angle {
            CountedAngle::Projected => self.projected(poses),
            CountedAngle::Twist => self.twist(poses),
        }
    }

    fn projected(&self, poses: &[Pose]) -> [f64; 2] {
        let (i, j) = (self.i, self.j);
        let mut rows = [Row::zero(); MAX_ROWS];
        Constraint { form: Form::Angle, i, j }.rows(poses, &mut rows);
        // Where x of I lies along z of J there is no angle, and no rate: it goes on from what was counted.
        let rate = rows[0].rate(&poses[i.body], &poses[j.body]);
        [rows[0].phi, if rate.is_finite() { rate } else { 0.0 }]
    }

    fn twist(&self, poses: &[Pose]) -> [f64; 2] {
        let (i, j) = (&poses[self.i.body], &poses[self.j.body]);
        let axes = j.a * self.j.c;
        let r = axes.transpose() * (i.a * self.i.c);
        if r[(2, 2)] < UPRIGHT {
            return [0.0, 0.0];
        }
        [(r[(1, 0)] - r[(0, 1)]).atan2(r[(0, 0)] + r[(1, 1)]), axes.column(2).dot(&(i.w - j.w))]
    }
}
