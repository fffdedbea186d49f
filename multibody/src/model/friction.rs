//! Friction at joints.

use crate::expression::Expression;
use serde::{Deserialize, Serialize};

/// Friction at a revolute, prismatic, cylindrical, spherical, universal or Hooke joint, from the reaction that presses its surfaces. Each universal or
/// Hooke joint has two pins of the same kind.
///
/// The force on the surfaces is N = |force across the axis| + |force along it| `friction_arm`/`pin_radius` + |moment across the axis|/`bending_arm` +
/// |moment about it|/`torsion_arm` + `preload_force` + `preload_torque`/`pin_radius`; of a ball it is the whole force. What has no arm does not count.
/// Moments are those about the origin of I, so that I belongs on the shorter part of a guide. At the velocity v of the surfaces the friction is
/// mu(v) N + `viscous` v, where mu rises smoothly from 0 at rest to `mu_static` at `transition_velocity` and falls to `mu_dynamic` beyond.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Friction {
    /// Name, unique among friction and force elements; measures of forces may name it.
    pub name: String,
    /// The joint.
    pub joint: String,
    /// Coefficient of fast sliding, zero or positive.
    pub mu_dynamic: Expression,
    /// Largest coefficient, at the transition velocity; `mu_dynamic` if absent, and never less.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mu_static: Option<Expression>,
    /// Velocity of the surfaces at which friction is largest [m/s], positive. Held loads creep slower than this.
    pub transition_velocity: Expression,
    /// Force on the surfaces a velocity, whatever presses them [N s/m]; 0 if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub viscous: Option<Expression>,
    /// Radius of the pin or ball \[m\]; for every kind but prismatic.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pin_radius: Option<Expression>,
    /// Whether the force across the axis, or that on a ball, presses; true if absent.
    #[serde(default = "yes", skip_serializing_if = "is_yes")]
    pub reaction: bool,
    /// Radius at which the force along the axis rubs \[m\]; revolute, universal and Hooke joints.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub friction_arm: Option<Expression>,
    /// Moment across the axis over the force on the surfaces \[m\]: half the length of a guide; not for a ball.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bending_arm: Option<Expression>,
    /// Moment about the axis over the force on the surfaces \[m\]; prismatic joints.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub torsion_arm: Option<Expression>,
    /// Force that presses the surfaces without any reaction \[N\]; 0 if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub preload_force: Option<Expression>,
    /// The same as a torque at the radius of the pin or ball \[N m\]: mu times it is the friction torque; 0 if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub preload_torque: Option<Expression>,
}

fn yes() -> bool {
    true
}

#[allow(clippy::trivially_copy_pass_by_ref)] // As serde calls it.
fn is_yes(value: &bool) -> bool {
    *value
}
