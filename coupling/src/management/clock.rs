//! The common time (R16, R17, R27 to R29): communication points are integers times a tick.

use crate::Error;
use crate::error::{finite, positive};
use crate::function::leg::Timebase;

/// Time management. With a fixed communication step H the tick is H; with an adaptive one it is a power-of-two fraction of the
/// longest step.
#[derive(Debug, Clone, PartialEq)]
pub struct Clock {
    pub(super) base: Timebase,
    pub(super) now: u64,
    /// None in an endless run.
    pub(super) end: Option<u64>,
    /// Ticks of the common communication step.
    pub(super) step: u64,
    /// Stamp beyond which no step goes for the time being.
    pub(super) horizon: u64,
    /// Each partner's communication step in ticks.
    pub(super) every: Vec<u64>,
}

impl Clock {
    /// From `start` to `end` \[s\] by `step` \[s\], divided into 2^`halvings` ticks; each partner takes part in every `counts[i]`-th point.
    pub(super) fn new(start: f64, end: f64, step: f64, halvings: u32, counts: &[u64]) -> Result<Self, Error> {
        finite("the start time [s]", start)?;
        positive("the communication step [s]", step)?;
        // A NaN is refused as well.
        if !(end > start) {
            return Err(Error::Value {
                name: "the end time [s]".into(),
                value: end,
                remedy: "it must lie behind the start",
            });
        }
        let ticks = 1u64 << halvings;
        let tick = step / ticks as f64;
        let clock = |end| Self {
            base: Timebase { start, tick },
            now: 0,
            end,
            step: ticks,
            horizon: u64::MAX,
            every: counts.iter().map(|count| count * ticks).collect(),
        };
        if end.is_infinite() {
            return Ok(clock(None));
        }
        let longest = counts.iter().copied().max().unwrap_or(1);
        let unit = if halvings == 0 { step * longest as f64 } else { tick };
        let steps = (end - start) / unit;
        let whole = steps.round();
        if whole < 1.0 || (steps - whole).abs() > 1e-6 || whole * longest as f64 >= 2f64.powi(62) {
            let nearest = (end - start) / whole.max(1.0) / (unit / step);
            // In the steps that somebody wrote.
            let steps = (end - start) / step;
            return Err(Error::EndBetweenPoints { start, end, step, steps, every: longest, nearest });
        }
        let per_unit = if halvings == 0 { longest } else { 1 };
        Ok(clock(Some(whole as u64 * per_unit)))
    }

    /// Present time \[s\].
    #[must_use]
    pub fn time(&self) -> f64 {
        self.base.time(self.now)
    }

    /// Present time in ticks since the start.
    #[must_use]
    pub fn stamp(&self) -> u64 {
        self.now
    }

    /// Length of a tick \[s\].
    #[must_use]
    pub fn tick(&self) -> f64 {
        self.base.tick
    }

    /// End time \[s\]; infinite in an endless run.
    #[must_use]
    pub fn end(&self) -> f64 {
        self.end.map_or(f64::INFINITY, |end| self.base.time(end))
    }

    #[inline]
    pub(super) fn is_over(&self) -> bool {
        self.end.is_some_and(|end| self.now >= end)
    }

    /// Whether `stamp` is a sampling point of partner i.
    #[inline]
    pub(super) fn is_due(&self, i: usize, stamp: u64) -> bool {
        self.every[i] <= 1 || stamp.is_multiple_of(self.every[i])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_multiples_of_the_step_to_round_off() {
        let clock = Clock::new(0.5, 1e4 + 0.5, 1e-3, 0, &[1, 5]).unwrap();
        assert_eq!((clock.end, clock.tick()), (Some(10_000_000), 1e-3));
        assert_eq!(clock.base.time(9_999_999), 0.5 + 9_999_999.0 * 1e-3);
        assert!(clock.is_due(0, 7) && !clock.is_due(1, 7) && clock.is_due(1, 10));
        let endless = Clock::new(0.0, f64::INFINITY, 1e-3, 0, &[1]).unwrap();
        assert!(!endless.is_over() && endless.end().is_infinite());
    }

    #[test]
    fn an_end_between_the_points_names_a_step_that_fits() {
        match Clock::new(0.0, 2.0, 0.73e-3, 0, &[1]) {
            Err(Error::EndBetweenPoints { nearest, .. }) => {
                assert!(Clock::new(0.0, 2.0, nearest, 0, &[1]).is_ok() && (nearest / 0.73e-3 - 1.0).abs() < 1e-3);
            }
            other => panic!("{other:?}"),
        }
        // A partner that takes part in every third point only.
        assert!(Clock::new(0.0, 1.0, 0.1, 0, &[1, 3]).is_err());
        assert!(Clock::new(0.0, 0.9, 0.1, 0, &[1, 3]).is_ok());
        for (end, step) in [(0.0, 0.1), (f64::NAN, 0.1), (1.0, 0.0), (1.0, f64::NAN), (1.0, -1.0)] {
            assert!(Clock::new(0.0, end, step, 0, &[1]).is_err());
        }
    }
}
