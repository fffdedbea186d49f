//! Bushings, fields, beams and gyroscopic couples: forces and torques linear in six displacements and their rates.

mod middle;
mod projected;
mod rotation;

pub(crate) use middle::Middle;
pub(crate) use projected::Projected;

use crate::measure::BodyGradient;
use crate::space::{FixedFrame, Pose};
use crate::state::Tracked;
use nalgebra::{Matrix6, Vector6};

/// A force and a torque on I in the axes of J, linear in the displacement of I against J and its rate.
#[derive(Debug, Clone)]
pub(crate) struct ElasticForce {
    /// Place of its first number among those of the programs.
    pub first: usize,
    /// Bodies it depends on, ground excluded, ascending.
    pub bodies: Vec<usize>,
    pub displacement: Displacement,
    pub law: ElasticLaw,
}

/// How the displacement of I against J is measured.
#[derive(Debug, Clone)]
pub(crate) enum Displacement {
    Middle(Box<Middle>),
    Projected(Box<Projected>),
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

impl ElasticLaw {
    /// (q - free) S (q - free)/2 - preload (q - free), S the symmetric part of the stiffness, by `way` = q - free \[J\].
    fn potential(&self, way: &Vector6<f64>) -> f64 {
        // The other part of the stiffness adds nothing to this product.
        way.dot(&(self.stiffness * way * 0.5 - self.preload))
    }

    /// The part that stores energy: without damping, with the symmetric part of the stiffness.
    fn conservative(&self) -> Self {
        let stiffness = (self.stiffness + self.stiffness.transpose()) * 0.5;
        Self { stiffness, damping: Matrix6::zeros(), ..*self }
    }
}

impl ElasticForce {
    /// Markers I and J.
    pub(crate) fn markers(&self) -> [FixedFrame; 2] {
        match &self.displacement {
            Displacement::Middle(middle) => [middle.i, middle.j],
            Displacement::Projected(projected) => projected.markers(),
        }
    }

    /// Force and torque on I in the axes of J [N, N m].
    pub(crate) fn value(&self, t: f64, poses: &[Pose], tracked: &[Tracked]) -> Vector6<f64> {
        match &self.displacement {
            Displacement::Middle(middle) => middle.value(&self.law, t, poses, tracked),
            Displacement::Projected(projected) => projected.value(&self.law, t, poses, tracked),
        }
    }

    /// Sizes of its angles about the axes of J \[rad\], if its law holds only where two of them are small.
    pub(crate) fn small_angles(&self, t: f64, poses: &[Pose], tracked: &[Tracked]) -> Option<[f64; 3]> {
        let turns = self.law.stiffness.fixed_rows::<3>(3).iter().any(|k| *k != 0.0);
        match &self.displacement {
            Displacement::Projected(projected) if turns => Some(projected.angles(t, poses, tracked)),
            _ => None,
        }
    }

    /// Energy that it stores \[J\].
    pub(crate) fn potential(&self, t: f64, poses: &[Pose], tracked: &[Tracked]) -> f64 {
        self.law.potential(&match &self.displacement {
            Displacement::Middle(middle) => middle.way(&self.law, t, poses, tracked),
            Displacement::Projected(projected) => projected.way(&self.law, t, poses, tracked),
        })
    }

    /// Rate of its potential \[W\].
    pub(crate) fn potential_rate(&self, t: f64, poses: &[Pose], tracked: &[Tracked]) -> f64 {
        match &self.displacement {
            Displacement::Middle(middle) => -middle.power(&self.law.conservative(), t, poses, tracked),
            Displacement::Projected(projected) => projected.potential_rate(&self.law, &self.bodies, t, poses, tracked),
        }
    }

    /// Gradients of its six numbers by the motion of `body`.
    pub(crate) fn gradients(&self, t: f64, body: usize, poses: &[Pose], tracked: &[Tracked]) -> [BodyGradient; 6] {
        match &self.displacement {
            Displacement::Middle(middle) => middle.gradients(&self.law, t, body, poses, tracked),
            Displacement::Projected(projected) => projected.gradients(&self.law, t, body, poses, tracked),
        }
    }
}
