//! How long the state of a mechanism is as numbers.

use fourbar::multibody::Mechanism;

/// Numbers of a body: centre of mass, quaternion, velocity, angular velocity.
pub(crate) const PER_BODY: usize = 13;

/// Numbers of a state.
pub(crate) fn numbers_of(mechanism: &Mechanism) -> usize {
    PER_BODY * mechanism.start().poses.len() + mechanism.start().drives.len()
}
