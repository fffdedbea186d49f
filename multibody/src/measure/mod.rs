//! Scalars measured on a mechanism, in the order in which they can be computed.

mod kinematic;

pub use kinematic::{BodyGradient, Kinematic, KinematicQuantity, MovingPose, Projection};
pub(crate) use kinematic::{Dual12, arc, cross, dot, gradient, norm, sub};

use crate::expression::Program;
use crate::model::{Component, Quantity};
use crate::space::FixedFrame;

/// Name and unit of a measured scalar.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MeasureInfo {
    /// Name: that of the measure, with `.x`, `.y`, `.z` for the components of a vector.
    pub name: String,
    /// Unit, SI; empty for a bare number or an expression without one.
    pub unit: String,
}

/// A measured scalar.
#[derive(Debug, Clone)]
pub struct ScalarMeasure {
    /// Name and unit.
    pub info: MeasureInfo,
    /// How it is computed.
    pub source: Source,
}

/// How a scalar is computed.
#[derive(Debug, Clone)]
pub enum Source {
    /// From positions and velocities.
    Kinematic(Kinematic),
    /// From accelerations: linear or angular, of I against J.
    Acceleration {
        /// Angular instead of linear.
        angular: bool,
        /// Marker I.
        i: FixedFrame,
        /// Marker J.
        j: FixedFrame,
        /// Frame in which the vectors are differentiated.
        seen_from: FixedFrame,
        /// Number made of the vector.
        projection: Projection,
    },
    /// From multipliers.
    Reaction(Reaction),
    /// Kinetic energy, potential energy or their sum.
    Energy(Energy),
    /// Of one body.
    Body {
        /// The body.
        body: usize,
        /// What of it.
        quantity: BodyQuantity,
    },
    /// Force or torque of a force element.
    Load(Load),
    /// A component of the unit quaternion that turns J into I.
    Quaternion {
        /// Marker I.
        i: FixedFrame,
        /// Marker J.
        j: FixedFrame,
        /// 0 for the scalar, 1 to 3.
        component: usize,
        /// Index of the quaternion among all.
        counter: usize,
    },
    /// The unknown of the user of this index.
    State(usize),
    /// From other measures and inputs: slot 0 is time, slot k + 1 scalar k; inputs follow the last scalar.
    Expression(Program),
    /// Whether a sensor is above its value, or an element acts: 1 or 0.
    Switch(Box<SwitchColumn>),
}

/// What a column of 0 and 1 shows.
#[derive(Debug, Clone)]
pub enum SwitchColumn {
    /// Whether an expression is above a value, both as in [`Source::Expression`].
    Above {
        /// The expression.
        expression: Program,
        /// The value.
        value: Program,
    },
    /// Whether an element acts.
    Active(bool),
}

/// A component of a reaction wrench.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Reaction {
    /// Constraint set: joints first, then motions, then couplers, gears and racks.
    pub owner: usize,
    /// Of the last three, the joint at which it acts.
    pub at: Option<usize>,
    /// Force or torque.
    pub quantity: Quantity,
    /// Number made of the vector.
    pub projection: Projection,
}

/// What is measured of one body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum BodyQuantity {
    /// Kinetic energy, potential energy of gravity, or their sum \[J\].
    Energy(Energy),
    /// Mass times velocity \[N s\].
    Momentum(Projection),
    /// About the centre of mass \[N m s\].
    AngularMomentum(Projection),
}

/// A component of the wrench of a force element on the body of its marker I, the torque about the origin of that marker.
#[derive(Debug, Clone, PartialEq)]
pub struct Load {
    /// Force element.
    pub force: String,
    /// Force or torque.
    pub quantity: Quantity,
    /// Number made of the vector.
    pub projection: Projection,
}

/// An energy \[J\].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Energy {
    /// Of motion.
    Kinetic,
    /// Of gravity and springs.
    Potential,
    /// Sum.
    Total,
}

/// Component of a vector in the axes (columns) of a frame, global.
#[must_use]
pub(crate) fn component(vector: &crate::space::V3, axes: &crate::space::M3, component: Component) -> f64 {
    match component {
        Component::X => axes.column(0).dot(vector),
        Component::Y => axes.column(1).dot(vector),
        Component::Z => axes.column(2).dot(vector),
        Component::Magnitude => vector.norm(),
    }
}
