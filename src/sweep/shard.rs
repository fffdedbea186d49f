//! Parts of a sweep, for several computers.

use super::error::SweepError;
use serde::{Deserialize, Serialize};
use std::str::FromStr;

/// One part of a sweep: its members `index - 1`, `index - 1 + count`, .., so that parts take about as long as each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Shard {
    pub(super) index: usize,
    pub(super) count: usize,
}

impl Shard {
    /// The part `index`, from 1, of `count`.
    ///
    /// # Errors
    /// [`SweepError::Shard`] if there is no such part.
    pub fn new(index: usize, count: usize) -> Result<Self, SweepError> {
        if index == 0 || index > count { Err(SweepError::Shard { index, count }) } else { Ok(Self { index, count }) }
    }

    /// Its members of `number`.
    pub(super) fn members(self, number: usize) -> impl Iterator<Item = usize> {
        (self.index - 1..number).step_by(self.count)
    }
}

impl Default for Shard {
    /// The whole.
    fn default() -> Self {
        Self { index: 1, count: 1 }
    }
}

/// As `i/n`.
impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let pair = text.split_once('/').and_then(|(index, count)| Some((index.parse().ok()?, count.parse().ok()?)));
        let (index, count) = pair.ok_or("write it as i/n, as in 1/4")?;
        Self::new(index, count).map_err(|error| error.to_string())
    }
}

impl TryFrom<String> for Shard {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<Shard> for String {
    fn from(shard: Shard) -> Self {
        shard.to_string()
    }
}

impl std::fmt::Display for Shard {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}
