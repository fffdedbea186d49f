//! Forms of the equations of a mechanism.

/// Forms of the equations of a mechanism.
#[allow(non_camel_case_types)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(i32)]
pub enum fourbar_formulation {
    /// As the model says.
    FOURBAR_FORMULATION_MODEL = 0,
    /// Index 3: positions alone satisfy the constraints.
    FOURBAR_FORMULATION_I3 = 1,
    /// Stabilized index 2: positions and velocities satisfy them.
    FOURBAR_FORMULATION_SI2 = 2,
    /// y' = f(t, y) on partitioned coordinates, for explicit methods. Of equations and problems alone: simulations by RKF45 and ABAM take it by themselves.
    FOURBAR_FORMULATION_PARTITIONED = 3,
    /// Stabilized index 1: as SI2, the multipliers being derivatives of unknowns.
    FOURBAR_FORMULATION_SI1 = 4,
}
