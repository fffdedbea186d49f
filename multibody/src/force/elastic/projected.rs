//! Displacements by projected angles, the law of Adams' BUSHING, FIELD and BEAM; and of gyroscopic couples, which need rates alone.

use super::ElasticLaw;
use crate::measure::{BodyGradient, Kinematic};
use crate::space::{FixedFrame, Pose, V3, wrap};
use crate::state::Tracked;
use nalgebra::Vector6;

/// Coordinates of an elastic element: six displacements, then six rates.
const COORDINATES: usize = 12;

/// q is the way from the origin of J to that of I and the angles of I about the axes of J; q' the velocity as seen from J and the angular
/// velocity of I against J, all in the axes of J. The law holds for small angles about two of the axes.
#[derive(Debug, Clone)]
pub(crate) struct Projected {
    /// q and q'.
    pub coordinates: [Kinematic; COORDINATES],
}

impl Projected {
    pub(super) fn markers(&self) -> [FixedFrame; 2] {
        [self.coordinates[0].i, self.coordinates[0].j]
    }

    /// Sizes of its angles, turns left out.
    pub(super) fn angles(&self, t: f64, poses: &[Pose], tracked: &[Tracked]) -> [f64; 3] {
        [3, 4, 5].map(|k| wrap(self.coordinates[k].value(t, poses, tracked)).abs())
    }

    pub(super) fn value(&self, law: &ElasticLaw, t: f64, poses: &[Pose], tracked: &[Tracked]) -> Vector6<f64> {
        let rates = Vector6::from_fn(|k, _| self.coordinates[6 + k].value(t, poses, tracked));
        law.preload - law.stiffness * self.way(law, t, poses, tracked) - law.damping * rates
    }

    pub(super) fn potential_rate(
        &self,
        law: &ElasticLaw,
        bodies: &[usize],
        t: f64,
        poses: &[Pose],
        tracked: &[Tracked],
    ) -> f64 {
        let slope = law.conservative().stiffness * self.way(law, t, poses, tracked) - law.preload;
        // Rates of angles are not those of the law where bodies turn about several axes.
        let rate = |coordinate: &Kinematic| -> f64 {
            let by = |&body: &usize| {
                let [x, turn, ..] = coordinate.gradient(t, body, poses, tracked);
                x.dot(&poses[body].v) + turn.dot(&poses[body].w)
            };
            bodies.iter().map(by).sum()
        };
        let counting = slope.iter().zip(&self.coordinates).filter(|(slope, _)| **slope != 0.0);
        counting.map(|(slope, coordinate)| slope * rate(coordinate)).sum()
    }

    /// q - free.
    pub(super) fn way(&self, law: &ElasticLaw, t: f64, poses: &[Pose], tracked: &[Tracked]) -> Vector6<f64> {
        Vector6::from_fn(|k, _| self.coordinates[k].value(t, poses, tracked)) - law.free
    }

    /// Gradients of its six numbers by the motion of `body`.
    pub(super) fn gradients(
        &self,
        law: &ElasticLaw,
        t: f64,
        body: usize,
        poses: &[Pose],
        tracked: &[Tracked],
    ) -> [BodyGradient; 6] {
        let own = self.coordinates.map(|k| k.gradient(t, body, poses, tracked));
        let weight = |row: usize, k: usize| {
            if k < 6 { law.stiffness[(row, k)] } else { law.damping[(row, k - 6)] }
        };
        std::array::from_fn(|row| {
            let mut sum = [V3::zeros(); 4];
            for (k, gradient) in own.iter().enumerate() {
                // What does not count may have no derivative, as an angle where its axes coincide.
                if weight(row, k) != 0.0 {
                    sum.iter_mut().zip(gradient).for_each(|(sum, part)| *sum -= part * weight(row, k));
                }
            }
            sum
        })
    }
}
