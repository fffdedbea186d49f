//! Kinds of unknowns of mechanisms, as `fourbar-multibody` has them.

use fourbar_dae::Kind;

/// Lengths \[m\].
pub(crate) const POSITION: Kind = Kind::differential("positions");
/// Orientation coordinates \[rad\].
pub(crate) const ORIENTATION: Kind = Kind::differential("orientations");
/// Velocities \[m/s\].
pub(crate) const VELOCITY: Kind = Kind::differential("velocities");
/// Angular velocities \[rad/s\].
pub(crate) const ANGULAR_VELOCITY: Kind = Kind::differential("angular velocities");
/// Lagrange multipliers \[N or N m\].
pub(crate) const MULTIPLIER: Kind = Kind::multiplier("multipliers");
/// Multipliers that keep a stabilized formulation on its position constraints.
pub(crate) const STABILIZER: Kind = Kind::multiplier("stabilizing multipliers");
/// Integrals of Lagrange multipliers over the time \[N s or N m s\].
pub(crate) const MULTIPLIER_INTEGRAL: Kind = Kind::multiplier("integrals of multipliers");
/// Integrals of the multipliers that keep a stabilized formulation on its position constraints.
pub(crate) const STABILIZER_INTEGRAL: Kind = Kind::multiplier("integrals of stabilizing multipliers");
