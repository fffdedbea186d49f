//! In place of the pacer where there is no clock (without the feature `clock`): none is ever made.

use std::time::Duration;

use super::pacing::{Pacing, PacingStatistics};
use crate::error::{Error, positive};

/// Has no value.
pub(super) enum Pacer {}

impl Pacer {
    pub(super) fn new(pacing: Pacing) -> Result<Self, Error> {
        let (name, value) = ("the real-time factor", pacing.real_time_factor);
        positive(name, value)?;
        let remedy = "this build has no clock: enable the feature `clock`, or leave the factor out";
        Err(Error::Value { name: name.into(), value, remedy })
    }

    pub(super) fn statistics(&self) -> PacingStatistics {
        match *self {}
    }

    pub(super) fn rest(&mut self) {
        match *self {}
    }

    pub(super) fn keep(&mut self, _: f64) -> Option<Duration> {
        match *self {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn real_time_is_refused_with_the_feature_that_brings_it() {
        let refused = |real_time_factor| Pacer::new(Pacing { real_time_factor }).err().map(|error| error.to_string());
        assert!(refused(1.0).is_some_and(|text| text.contains("factor") && text.contains("feature `clock`")));
        assert!(refused(-1.0).is_some_and(|text| text.contains("-1") && text.contains("positive")));
    }
}
