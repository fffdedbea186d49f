//! Bushings, fields, beams and gyroscopic couples: forces and torques linear in six displacements and their rates.

use crate::measure::{BodyGradient, Kinematic};
use crate::space::{Pose, V3};
use crate::state::Tracked;
use nalgebra::{Matrix6, Vector6};

/// Coordinates of an elastic element: six displacements, then six rates.
const COORDINATES: usize = 12;

/// preload - stiffness (q - free) - damping q', three forces and three torques on I in the axes of J. q is the way from the
/// origin of J to that of I and the angles of I about the axes of J; q' the velocity as seen from J and the angular velocity.
#[derive(Debug, Clone)]
pub(crate) struct ElasticForce {
    /// Place of its first number among those of the programs.
    pub first: usize,
    /// Bodies it depends on, ground excluded, ascending.
    pub bodies: Vec<usize>,
    /// q and q' in the axes of J.
    pub coordinates: [Kinematic; COORDINATES],
    pub law: ElasticLaw,
}

/// The coefficients of an [`ElasticForce`].
#[derive(Debug, Clone, Copy)]
pub(crate) struct ElasticLaw {
    /// [N/m, N/rad, N m/m, N m/rad]
    pub stiffness: Matrix6<f64>,
    /// The same times s.
    pub damping: Matrix6<f64>,
    /// q without force [m, rad].
    pub free: Vector6<f64>,
    /// [N, N m]
    pub preload: Vector6<f64>,
}

impl ElasticForce {
    /// Force and torque on I in the axes of J [N, N m].
    pub(crate) fn value(&self, t: f64, poses: &[Pose], tracked: &[Tracked]) -> Vector6<f64> {
        let rates = Vector6::from_fn(|k, _| self.coordinates[6 + k].value(t, poses, tracked));
        self.law.preload - self.law.stiffness * self.way(t, poses, tracked) - self.law.damping * rates
    }

    /// (q - free) S (q - free)/2 - preload (q - free), S the symmetric part of the stiffness \[J\].
    pub(crate) fn potential(&self, t: f64, poses: &[Pose], tracked: &[Tracked]) -> f64 {
        let way = self.way(t, poses, tracked);
        // The other part of the stiffness adds nothing to this product.
        way.dot(&(self.law.stiffness * way * 0.5 - self.law.preload))
    }

    /// Rate of its potential \[W\].
    pub(crate) fn potential_rate(&self, t: f64, poses: &[Pose], tracked: &[Tracked]) -> f64 {
        let stiffness = (self.law.stiffness + self.law.stiffness.transpose()) * 0.5;
        let slope = stiffness * self.way(t, poses, tracked) - self.law.preload;
        // Rates of angles are not those of the law where bodies turn about several axes.
        let rate = |coordinate: &Kinematic| -> f64 {
            let by = |&body: &usize| {
                let [x, turn, ..] = coordinate.gradient(t, body, poses, tracked);
                x.dot(&poses[body].v) + turn.dot(&poses[body].w)
            };
            self.bodies.iter().map(by).sum()
        };
        let counting = slope.iter().zip(&self.coordinates).filter(|(slope, _)| **slope != 0.0);
        counting.map(|(slope, coordinate)| slope * rate(coordinate)).sum()
    }

    /// q - free.
    fn way(&self, t: f64, poses: &[Pose], tracked: &[Tracked]) -> Vector6<f64> {
        Vector6::from_fn(|k, _| self.coordinates[k].value(t, poses, tracked)) - self.law.free
    }

    /// Gradients of its six numbers by the motion of `body`.
    pub(crate) fn gradients(&self, t: f64, body: usize, poses: &[Pose], tracked: &[Tracked]) -> [BodyGradient; 6] {
        let own = self.coordinates.map(|k| k.gradient(t, body, poses, tracked));
        let weight = |row: usize, k: usize| {
            if k < 6 { self.law.stiffness[(row, k)] } else { self.law.damping[(row, k - 6)] }
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
