//! A rigid body, compiled.

use crate::model::Exact;
use crate::space::{M3, Pose, V3};
use fourbar_linalg::symmetric_eigen;

/// Weight of a start value that shall be kept, against 1 for the others.
pub(crate) const EXACT: f64 = 1e8;

/// Part by which two principal moments of inertia of a body with an axis of symmetry may differ: figures from drawings have six
/// digits. Which coordinates a body has depends on it, not its motion.
const SYMMETRIC: f64 = 1e-6;
/// Cosine between angular momentum and axis of symmetry from which on a body mainly spins: the axis stays within 45 degrees of the momentum.
const SPINS: f64 = 0.7;
/// Sine between angular velocity and momentum from which on a free body tumbles: below, its Euler angles are straight to a thousandth.
const TUMBLES: f64 = 1e-3;

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
    /// Axis of symmetry of its inertia, body axes, if it has one that is of use to its Euler angles.
    pub(crate) symmetry: Option<V3>,
    /// Whether its principal moments differ and no joint holds it.
    pub(crate) loose: bool,
    /// Centre of mass in the frame of the model \[m\].
    pub(crate) center: V3,
    /// Weights of the corrections of x, y, z and the orientation at assembly, and of the velocities: large where exact.
    pub(crate) weights: [[f64; 6]; 2],
    /// Start values to keep.
    pub(crate) exact: Vec<Exact>,
}

impl RigidBody {
    /// A point mass.
    pub(crate) fn point(name: &str, mass: f64) -> Self {
        Self {
            name: name.to_owned(),
            mass,
            inertia: M3::zeros(),
            hinge: None,
            symmetry: None,
            loose: false,
            center: V3::zeros(),
            weights: [[1.0; 6]; 2],
            exact: Vec::new(),
        }
    }

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

    /// Whether it is free, has no axis of symmetry, and `omega` is about no principal axis: its axis of turning does not stay.
    pub(crate) fn tumbles(&self, a: &M3, omega: &V3) -> bool {
        let momentum = a * (self.inertia * a.tr_mul(omega));
        self.loose && omega.cross(&momentum).norm() > TUMBLES * omega.norm() * momentum.norm()
    }

    /// The axis about which it spins, global axes, if it has an axis of symmetry and turns with `omega` mainly about that.
    pub(crate) fn spin_axis(&self, a: &M3, omega: &V3) -> Option<V3> {
        let axis = a * self.symmetry?;
        let momentum = a * (self.inertia * a.tr_mul(omega));
        let along = momentum.dot(&axis);
        (along.abs() > SPINS * momentum.norm()).then(|| axis * along.signum())
    }
}

/// The axis of symmetry of an inertia: the principal axis of a moment that differs from the two others, which are equal.
pub(crate) fn axis_of_symmetry(inertia: &M3) -> Option<V3> {
    let principal = symmetric_eigen(inertia);
    let moments = principal.eigenvalues;
    let largest = moments.amax();
    (0..3).find_map(|k| {
        let [one, two] = [moments[(k + 1) % 3], moments[(k + 2) % 3]];
        let equal = |a: f64, b: f64| (a - b).abs() <= SYMMETRIC * largest;
        (equal(one, two) && !equal(one, moments[k]) && moments[k] > 0.0)
            .then(|| principal.eigenvectors.column(k).into_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::rotation;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_axis_of_symmetry_is_found_in_any_axes_and_units(t in prop::array::uniform3(-3.0..3.0f64), ratio in 0.01..1.9f64, unit in -9..9i32) {
            prop_assume!((ratio - 1.0).abs() > 0.01);
            let (a, unit) = (rotation(&V3::from(t)), 10f64.powi(unit));
            let turned = |moments: [f64; 3]| a * M3::from_diagonal(&(V3::from(moments) * unit)) * a.transpose();
            let axis = axis_of_symmetry(&turned([1.0, ratio, 1.0])).unwrap();
            prop_assert!((axis.dot(&a.column(1)).abs() - 1.0).abs() < 1e-12);
            prop_assert!(axis_of_symmetry(&turned([1.0, ratio, 1.001])).is_none());
            prop_assert!(axis_of_symmetry(&turned([1.0; 3])).is_none());
        }
    }
}
