//! What a coefficient of restitution means.

use serde::{Deserialize, Serialize};

/// What a coefficient of restitution means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Restitution {
    /// Ratio of normal velocities.
    #[default]
    Newton,
    /// Ratio of normal impulses.
    Poisson,
    /// Square root of the ratio of normal works. Several contacts at once expand with impulses in the ratio of Poisson's law,
    /// scaled so that their works together obey it.
    Energetic,
}

fourbar_linalg::stored!(
    enum Restitution {
        Newton = 0,
        Poisson = 1,
        Energetic = 2,
    }
);
