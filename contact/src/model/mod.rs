//! What a person describes of contacts: pairs by name, shapes on bodies, surfaces. Plain data beside the
//! [`Model`](fourbar_multibody::Model) of the mechanism.
//!
//! Numbers are [`Expression`]s over the parameters of the model; fields said to be "over `time`" may use `time` too.
//! [`ContactSet::compile`](crate::pair::ContactSet::compile) checks the data and turns it into gap functions.
//!
//! ```
//! use fourbar_contact::model::{Contact, ContactKind, ContactModel, PointPlane};
//!
//! let wall = Contact::new("wall", ContactKind::PointPlane(PointPlane {
//!     i: "tip".into(),
//!     j: "wall".into(),
//!     offset: 0.0.into(),
//! }))
//! .with_restitution(0.8);
//! let model = ContactModel { contacts: vec![wall], ..ContactModel::default() };
//! let text = serde_json::to_string(&model)?;
//! assert_eq!(serde_json::from_str::<ContactModel>(&text)?, model);
//! # Ok::<(), serde_json::Error>(())
//! ```

mod pair;
mod shape;
mod walk;

pub use pair::{BoxPlane, Curve, CurveCurve, JointStop, PointPlane, Rope, Shapes, SpherePlane, SphereSphere};
pub use shape::{BoxShape, Geometry, HalfSpaceShape, HullShape, MeshShape, RoundShape, Shape, SphereShape};

use fourbar_multibody::expression::Expression;
use serde::{Deserialize, Serialize};

/// The contacts of a model and the shapes they speak of.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct ContactModel {
    /// Shapes on bodies.
    #[serde(rename = "shape", skip_serializing_if = "Vec::is_empty")]
    pub shapes: Vec<Shape>,
    /// Pairs that may touch.
    #[serde(rename = "contact", skip_serializing_if = "Vec::is_empty")]
    pub contacts: Vec<Contact>,
}

/// A pair that may touch, or a family of pairs of shapes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Contact {
    /// Name, unique among contacts.
    pub name: String,
    /// Coefficient of restitution, 0 to 1.
    #[serde(default = "zero", skip_serializing_if = "is_zero")]
    pub restitution: Expression,
    /// Coefficient of friction, at least 0.
    #[serde(default = "zero", skip_serializing_if = "is_zero")]
    pub friction: Expression,
    /// Rolling friction: largest rolling torque over normal force \[m\], at least 0.
    #[serde(default = "zero", skip_serializing_if = "is_zero")]
    pub rolling: Expression,
    /// Spinning friction: largest torque about the normal over normal force \[m\], at least 0.
    #[serde(default = "zero", skip_serializing_if = "is_zero")]
    pub spinning: Expression,
    /// What touches what.
    #[serde(flatten)]
    pub kind: ContactKind,
}

impl Contact {
    /// A pair, perfectly plastic and without friction.
    #[must_use]
    pub fn new(name: &str, kind: ContactKind) -> Self {
        let name = name.to_owned();
        Self { name, restitution: zero(), friction: zero(), rolling: zero(), spinning: zero(), kind }
    }

    /// With a coefficient of restitution.
    #[must_use]
    pub fn with_restitution(self, e: f64) -> Self {
        Self { restitution: e.into(), ..self }
    }

    /// With a coefficient of friction.
    #[must_use]
    pub fn with_friction(self, mu: f64) -> Self {
        Self { friction: mu.into(), ..self }
    }
}

/// What touches what.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "snake_case")]
// Data of a model: read once, never moved in a loop.
#[allow(clippy::large_enum_variant)]
#[non_exhaustive]
pub enum ContactKind {
    /// A point of I stays above the x-y plane of J.
    PointPlane(PointPlane),
    /// A sphere about I stays above the x-y plane of J.
    SpherePlane(SpherePlane),
    /// Two spheres do not overlap.
    SphereSphere(SphereSphere),
    /// The corners of a box stay above the x-y plane of J.
    BoxPlane(BoxPlane),
    /// Two curves in the planes of their markers do not overlap: cam and follower, pin in a slot.
    CurveCurve(CurveCurve),
    /// A joint coordinate stays between limits.
    JointStop(JointStop),
    /// The distance of two points stays below a length.
    Rope(Rope),
    /// Shapes do not overlap.
    Shapes(Shapes),
}

fn zero() -> Expression {
    Expression::constant(0.0)
}

fn is_zero(e: &Expression) -> bool {
    e.value() == Some(0.0)
}
