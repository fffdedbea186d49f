//! What the solvers know of a contact, without a mechanism: its rows over the velocities of two bodies, and how its surfaces behave.

use nalgebra::{Matrix3, Vector3};

/// A vector in space.
pub(crate) type V3 = Vector3<f64>;
/// A matrix of such.
pub(crate) type M3 = Matrix3<f64>;

/// One row J of velocity coordinates of two bodies: J u = g.(V_I - V_J) + g_i.omega_I + g_j.omega_J.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Row {
    /// Gradient by x_I; that by x_J is its negative.
    pub g: V3,
    /// Gradient by the virtual rotation of body I.
    pub gi: V3,
    /// Gradient by the virtual rotation of body J.
    pub gj: V3,
    /// (dJ/dt) u at the velocities of the bodies: J u' + this is the acceleration along the row [m/s^2, rad/s^2].
    pub drift: f64,
}

impl Row {
    /// A row of zeros.
    #[must_use]
    pub fn zero() -> Self {
        Self { g: V3::zeros(), gi: V3::zeros(), gj: V3::zeros(), drift: 0.0 }
    }
}

/// How bodies behave where they touch; one a pair.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Surface {
    /// Coefficient of restitution e, 0 to 1.
    pub restitution: f64,
    /// Coefficient of friction mu, at least 0.
    pub friction: f64,
    /// Rolling friction: largest rolling torque over normal force \[m\], at least 0.
    pub rolling: f64,
    /// Spinning friction: largest torque about the normal over normal force \[m\], at least 0.
    pub spinning: f64,
}

impl Surface {
    /// Perfectly plastic, without friction.
    #[must_use]
    pub fn smooth() -> Self {
        Self { restitution: 0.0, friction: 0.0, rolling: 0.0, spinning: 0.0 }
    }

    /// Number of friction rows: 2 for sliding, 1 more for spinning, 2 more for rolling.
    #[must_use]
    pub fn friction_rows(&self) -> usize {
        if self.rolling > 0.0 || self.spinning > 0.0 {
            5
        } else if self.friction > 0.0 {
            2
        } else {
            0
        }
    }
}
