//! Rolling without sliding.

use super::MarkerRef;
use crate::expression::Expression;
use serde::{Deserialize, Serialize};

/// A sphere or a disc of the body of marker I that rolls on a plane of another body without sliding. It touches the plane all the time, and spins about its
/// normal freely. Of the three rows two hold velocities alone: where it can get to has more freedoms than how it can move.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Rolling {
    /// Name, unique among joints and rolling elements.
    pub name: String,
    /// What rolls.
    pub shape: RollingShape,
    /// Its radius \[m\].
    pub radius: Expression,
    /// Marker I at its centre; z is the axis of a disc. Reactions are reported as acting on its body.
    pub i: MarkerRef,
    /// Marker J: the plane is its x-y plane, and the centre stays on the side of z; the global x-y plane if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub j: Option<MarkerRef>,
}

/// What rolls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum RollingShape {
    /// A sphere about the origin of I.
    Sphere,
    /// A disc with a sharp edge, about z of I. It may lean, but not lie flat.
    Disc,
}
