//! Forces and torques.

use super::{Beam, Bushing, Field, MarkerRef};
use crate::expression::Expression;
use serde::{Deserialize, Serialize};

/// A force element.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Force {
    /// Spring and damper along the line between two origins.
    SpringDamper(SpringDamper),
    /// Spring and damper about the common z axis of two markers.
    TorsionSpringDamper(TorsionSpringDamper),
    /// Force along the line between two origins, by an expression.
    LineForce(LineForce),
    /// Torque about z of J between two bodies, by an expression.
    AxialTorque(AxialTorque),
    /// Force with three components, by expressions.
    Force(VectorForce),
    /// Torque with three components, by expressions.
    Torque(VectorForce),
    /// Force and torque with three components each, by expressions.
    Gforce(Box<GeneralForce>),
    /// Couple of a rotor that spins in a body.
    GyroscopicCouple(GyroscopicCouple),
    /// Force and torque by full matrices.
    Field(Box<Field>),
    /// Force and torque linear in six displacements and their rates.
    Bushing(Box<Bushing>),
    /// A straight beam between two markers.
    Beam(Box<Beam>),
}

impl Force {
    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::SpringDamper(f) => &f.name,
            Self::TorsionSpringDamper(f) => &f.name,
            Self::LineForce(f) => &f.name,
            Self::AxialTorque(f) => &f.name,
            Self::Force(f) | Self::Torque(f) => &f.name,
            Self::Gforce(f) => &f.name,
            Self::GyroscopicCouple(f) => &f.name,
            Self::Field(f) => &f.name,
            Self::Bushing(f) => &f.name,
            Self::Beam(f) => &f.name,
        }
    }
}

/// f = preload - stiffness (l - `free_length`) - damping dl/dt, pushing the origins apart where positive \[N\].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SpringDamper {
    /// Name, unique among forces.
    pub name: String,
    /// One end.
    pub i: MarkerRef,
    /// Other end.
    pub j: MarkerRef,
    /// Stiffness [N/m].
    #[serde(default = "none")]
    pub stiffness: Expression,
    /// Damping [N s/m].
    #[serde(default = "none")]
    pub damping: Expression,
    /// Length without force \[m\]; the length at the start if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub free_length: Option<Expression>,
    /// Force at the free length \[N\].
    #[serde(default = "none")]
    pub preload: Expression,
}

/// tau = preload - stiffness (a - `free_angle`) - damping da/dt on the body of I about z of J \[N m\], opposite on J, where
/// a is the angle of I against J, full turns counted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct TorsionSpringDamper {
    /// Name, unique among forces.
    pub name: String,
    /// Marker on one body.
    pub i: MarkerRef,
    /// Marker on the other; its z axis is the axis.
    pub j: MarkerRef,
    /// Stiffness [N m/rad].
    #[serde(default = "none")]
    pub stiffness: Expression,
    /// Damping [N m s/rad].
    #[serde(default = "none")]
    pub damping: Expression,
    /// Angle without torque \[rad\]; the angle at the start if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub free_angle: Option<Expression>,
    /// Torque at the free angle \[N m\].
    #[serde(default = "none")]
    pub preload: Expression,
}

/// A force along the line between two origins.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct LineForce {
    /// Name, unique among forces.
    pub name: String,
    /// One end.
    pub i: MarkerRef,
    /// Other end.
    pub j: MarkerRef,
    /// Force \[N\] over `time` and measures; positive pushes the origins apart.
    pub value: Expression,
}

/// A torque about z of J.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct AxialTorque {
    /// Name, unique among forces.
    pub name: String,
    /// Marker on the body that the torque acts on.
    pub i: MarkerRef,
    /// Marker on the body that takes the reaction; its z axis is the axis.
    pub j: MarkerRef,
    /// Torque \[N m\] over `time` and measures.
    pub value: Expression,
}

/// A force or torque with three components.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct VectorForce {
    /// Name, unique among forces.
    pub name: String,
    /// Marker at whose origin it acts.
    pub i: MarkerRef,
    /// Body that takes the reaction, at the same point; the ground if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reaction: Option<String>,
    /// Marker in whose axes the components are written; the global frame if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub frame: Option<MarkerRef>,
    /// Components [N, N m] over `time` and measures.
    pub value: Vector,
}

/// A force and a torque in one; the reaction acts on another body at the origin of I, wherever that is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct GeneralForce {
    /// Name, unique among forces.
    pub name: String,
    /// Marker at whose origin it acts.
    pub i: MarkerRef,
    /// Body that takes the reaction, at the same point; the ground if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reaction: Option<String>,
    /// Marker in whose axes the components are written; the global frame if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub frame: Option<MarkerRef>,
    /// Components of the force \[N\] over `time` and measures.
    #[serde(default = "no_vector")]
    pub force: Vector,
    /// Components of the torque \[N m\] over `time` and measures.
    #[serde(default = "no_vector")]
    pub torque: Vector,
}

/// The couple -omega x h on the body of I, of a balanced rotor that spins in it at constant speed: h along z of I, omega the angular
/// velocity of the body. The inertia of the rotor at rest counts as that of the body.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct GyroscopicCouple {
    /// Name, unique among forces.
    pub name: String,
    /// Marker whose z axis is that of the rotor.
    pub i: MarkerRef,
    /// Moment of inertia of the rotor about its axis times its speed against the body [kg m^2/s].
    pub momentum: Expression,
}

/// Three expressions over `time` and measures.
pub type Vector = [Expression; 3];

fn no_vector() -> Vector {
    std::array::from_fn(|_| none())
}

fn none() -> Expression {
    Expression::constant(0.0)
}
