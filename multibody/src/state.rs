//! The state of a mechanism: time, positions, velocities, multipliers.

use crate::space::Pose;

/// t and the vectors q, u, lambda of a mechanism, free of any choice of orientation coordinates.
#[derive(Debug, PartialEq)]
pub struct State {
    /// Time \[s\].
    pub time: f64,
    /// Positions and velocities of the bodies, in the order of the model; the ground is not among them.
    pub poses: Vec<Pose>,
    /// Accelerations: (V', omega') of each body [m/s^2, rad/s^2], global frame.
    pub accelerations: Vec<[crate::space::V3; 2]>,
    /// Multipliers of the independent constraint rows [N, N m]; the joint acts with -`Phi_q^T` lambda.
    pub multipliers: Vec<f64>,
    /// Coordinates of motions given by velocity or acceleration: displacement, then rate.
    pub drives: Vec<f64>,
    /// Angles counted through full turns \[rad\], one per tracked pair of markers.
    pub angles: Vec<Tracked>,
}

fourbar_linalg::stored!(struct State { time, poses, accelerations, multipliers, drives, angles });

impl Clone for State {
    fn clone(&self) -> Self {
        Self {
            time: self.time,
            poses: self.poses.clone(),
            accelerations: self.accelerations.clone(),
            multipliers: self.multipliers.clone(),
            drives: self.drives.clone(),
            angles: self.angles.clone(),
        }
    }

    /// In the memory it has: time steps take a copy each.
    fn clone_from(&mut self, source: &Self) {
        self.time = source.time;
        self.poses.clone_from(&source.poses);
        self.accelerations.clone_from(&source.accelerations);
        self.multipliers.clone_from(&source.multipliers);
        self.drives.clone_from(&source.drives);
        self.angles.clone_from(&source.angles);
    }
}

fourbar_linalg::stored!(struct Tracked { time, angle, rate });

/// An angle followed through full turns.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tracked {
    /// Time of the last accepted value \[s\].
    pub time: f64,
    /// Value \[rad\].
    pub angle: f64,
    /// Rate [rad/s].
    pub rate: f64,
}

impl Tracked {
    /// The branch of `raw`, an angle modulo 2 pi, that continues this one at `time`. The mean of the old rate and of `rate`, that there, tells how far it
    /// went: exactly for a constant acceleration, whose steps may be of many turns. Where `rate` is not finite the old one stands for it.
    #[inline]
    #[must_use]
    pub fn continued(&self, raw: f64, rate: f64, time: f64) -> f64 {
        let mean = if rate.is_finite() { 0.5 * (self.rate + rate) } else { self.rate };
        let expected = self.angle + mean * (time - self.time);
        expected + crate::space::wrap(raw - expected)
    }
}
