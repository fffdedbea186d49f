//! The units of a model.

use serde::{Deserialize, Serialize};

/// The units in which the numbers of a model are written, as `"mm, t, s, N"`: one each of length, mass, time and force, in any order.
/// Angles are in radians. Empty: SI units.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct Units(pub String);

impl Units {
    /// Whether the model is in SI units.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
