//! A rigid body, compiled.

use crate::model::Exact;
use crate::space::{M3, Pose, V3};

/// Weight of a start value that shall be kept, against 1 for the others.
pub(crate) const EXACT: f64 = 1e8;

/// A rigid body: mass and inertia.
#[derive(Debug, Clone, PartialEq)]
pub struct RigidBody {
    /// Name in the model.
    pub name: String,
    /// Mass \[kg\].
    pub mass: f64,
    /// Inertia about the centre of mass, body axes [kg m^2].
    pub inertia: M3,
    /// Axis the body will most likely turn about, body axes: that of its first hinge, else none.
    pub(crate) hinge: Option<V3>,
    /// Centre of mass in the frame of the model \[m\].
    pub(crate) center: V3,
    /// Weights of the corrections of x, y, z and the orientation at assembly, and of the velocities: large where exact.
    pub(crate) weights: [[f64; 6]; 2],
    /// Start values to keep.
    pub(crate) exact: Vec<Exact>,
}

impl RigidBody {
    /// Centre of mass in the frame of the model \[m\].
    #[must_use]
    pub fn center_of_mass(&self) -> V3 {
        self.center
    }

    /// Inertia in global axes [kg m^2].
    #[inline]
    #[must_use]
    pub fn global_inertia(&self, pose: &Pose) -> M3 {
        pose.a * self.inertia * pose.a.transpose()
    }

    /// Angular momentum about the centre of mass, global axes [kg m^2/s].
    #[inline]
    #[must_use]
    pub fn momentum(&self, pose: &Pose) -> V3 {
        pose.a * (self.inertia * pose.a.tr_mul(&pose.w))
    }

    /// Kinetic energy \[J\].
    #[must_use]
    pub fn kinetic_energy(&self, pose: &Pose) -> f64 {
        0.5 * (self.mass * pose.v.norm_squared() + pose.w.dot(&self.momentum(pose)))
    }

    /// Its hinge axis in global axes, zero if it has none.
    pub(crate) fn turning_axis(&self, pose: &Pose) -> V3 {
        self.hinge.map_or_else(V3::zeros, |axis| pose.a * axis)
    }
}
