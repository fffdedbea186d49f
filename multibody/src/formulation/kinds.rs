//! Kinds of unknowns of mechanisms.

use crate::dae::Kind;

/// Lengths \[m\].
pub const POSITION: Kind = Kind::differential("positions");
/// Orientation coordinates \[rad\].
pub const ORIENTATION: Kind = Kind::differential("orientations");
/// Velocities \[m/s\].
pub const VELOCITY: Kind = Kind::differential("velocities");
/// Angular velocities \[rad/s\].
pub const ANGULAR_VELOCITY: Kind = Kind::differential("angular velocities");
/// Angular momenta \[kg m^2/s\], whose tolerance is that of the angular velocity times the moment of inertia.
pub const MOMENTUM: Kind = Kind::differential("momenta").by_typical();
/// Lagrange multipliers \[N or N m\].
pub const MULTIPLIER: Kind = Kind::multiplier("multipliers");
/// Multipliers that keep a stabilized formulation on its position constraints; zero in the exact solution.
pub const STABILIZER: Kind = Kind::multiplier("stabilizing multipliers");
/// Integrals of Lagrange multipliers over the time \[N s or N m s\]: unknowns whose derivatives are the multipliers.
pub const MULTIPLIER_INTEGRAL: Kind = Kind::multiplier("integrals of multipliers");
/// Integrals of the multipliers that keep a stabilized formulation on its position constraints; zero in the exact solution.
pub const STABILIZER_INTEGRAL: Kind = Kind::multiplier("integrals of stabilizing multipliers");
/// Unknowns of the user with an equation 0 = f.
pub const IMPLICIT_STATE: Kind = Kind::algebraic("implicit states");
