//! One contribution to the derivative of the wrenches.

use crate::constraint::{Constraint, Curvature, Mask};
use crate::measure::BodyGradient;
use crate::space::{M3, V3};

/// One contribution to the derivative of the wrenches, body by body. Wrenches are (force, torque about the centre of mass).
#[derive(Debug)]
#[expect(
    clippy::large_enum_variant,
    reason = "entries are handed on one by one, and a box would allocate in every Jacobian"
)]
pub enum Entry<'a> {
    /// `weight` times a curvature between the bodies of `constraint`.
    Curvature {
        /// Frames.
        constraint: &'a Constraint,
        /// Blocks.
        mask: Mask,
        /// K.
        curvature: &'a Curvature,
        /// Weight.
        weight: f64,
    },
    /// A wrench times the gradient of its size.
    Gradient {
        /// Body it acts on.
        body: usize,
        /// Unit wrench.
        wrench: [V3; 2],
        /// Body the size depends on.
        by: usize,
        /// Gradient.
        gradient: BodyGradient,
        /// What of it can differ from zero.
        parts: Parts,
    },
    /// Change of a wrench with an unknown of the user.
    State {
        /// Body it acts on.
        body: usize,
        /// Derivative of the wrench.
        wrench: [V3; 2],
        /// Unknown it depends on.
        by: usize,
        /// Whether there is a force, not a torque alone.
        force: bool,
    },
    /// Change of a wrench with a multiplier.
    Multiplier {
        /// Body it acts on.
        body: usize,
        /// Derivative of the wrench.
        wrench: [V3; 2],
        /// Independent row whose multiplier it is.
        row: usize,
        /// Whether there is a force, not a torque alone.
        force: bool,
    },
    /// Change of a wrench with the virtual rotation of `by`.
    Turn {
        /// Body it acts on.
        body: usize,
        /// Body that turns.
        by: usize,
        /// Derivative of the torque.
        torque: M3,
        /// Derivative of the force.
        force: M3,
    },
    /// Changes of force and torque with place, virtual rotation, velocity and angular velocity of `by`; which there are is fixed for an element.
    Blocks {
        /// Body it acts on.
        body: usize,
        /// Body it depends on.
        by: usize,
        /// Derivatives of the force.
        force: [Option<M3>; 4],
        /// Derivatives of the torque.
        torque: [Option<M3>; 4],
    },
    /// Change of a torque with the centre of mass of `by`.
    Shift {
        /// Body it acts on.
        body: usize,
        /// Body that moves.
        by: usize,
        /// Derivative of the torque.
        torque: M3,
    },
}

/// Which parts of an [`Entry::Gradient`] can differ from zero; fixed for an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parts {
    /// The wrench has a force, not a torque alone.
    pub force: bool,
    /// The size depends on centres of mass.
    pub centers: bool,
    /// The size depends on velocities.
    pub rates: bool,
}
