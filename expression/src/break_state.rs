//! Where a run stands among the times at which expressions jump or bend.
//!
//! Steps end at such times. A step that ends at one sees the expressions before it, one that begins there those behind it: within
//! round-off of the time they are evaluated on that side, so that no value is used before its time.

use crate::breaks::Break;
use std::sync::Arc;

/// Times of this relative distance are one: a few hundred units in the last place, what rounding does to `(time - t0)/T < 0.3` and its like.
const SAME: f64 = 1e-13;

/// Distance within which times are one with `t` \[s\].
#[must_use]
pub fn round_off(t: f64) -> f64 {
    SAME * t.abs()
}

/// `t` \[s\], or the time beside the break that was `passed` last or comes `next`, on the side on which the run is.
#[inline]
#[must_use]
pub fn sided(t: f64, passed: f64, next: f64) -> f64 {
    let same = round_off(t);
    if (t - passed).abs() <= same {
        t.max(passed) + (2.0 * same).max(f64::MIN_POSITIVE)
    } else if (t - next).abs() <= same {
        t.min(next) - 2.0 * same
    } else {
        t
    }
}

/// The time \[s\] from which on breaks are not passed, of a run at `t`; a run that has returned to an earlier time has passed none.
pub fn onward(t: f64, passed: &mut f64) -> f64 {
    let same = round_off(t);
    if *passed > t + same {
        *passed = f64::NEG_INFINITY;
    }
    // Before the first break, infinities would meet here, and trap in a host that traps invalid operations.
    if passed.is_finite() { (t - same).max((*passed + round_off(*passed)).next_up()) } else { t - same }
}

/// Where a run stands among known breaks.
#[derive(Debug, Clone)]
pub struct BreakState {
    breaks: Arc<[Break]>,
    /// The last that was passed, and the next one \[s\].
    passed: f64,
    next: f64,
    /// Time from which on `next` was looked for \[s\].
    since: f64,
}

impl BreakState {
    /// Before the first of `breaks`.
    #[must_use]
    pub fn new(breaks: Arc<[Break]>) -> Self {
        Self { breaks, passed: f64::NEG_INFINITY, next: f64::INFINITY, since: f64::INFINITY }
    }

    /// `t` \[s\], or the time beside a break on the side on which the run is.
    #[inline]
    #[must_use]
    pub fn sided(&self, t: f64) -> f64 {
        sided(t, self.passed, self.next)
    }

    /// The first break from `t` \[s\] on that is not passed; infinite if there is none.
    pub fn from(&mut self, t: f64) -> f64 {
        let same = round_off(t);
        if self.since <= t && t + same < self.next {
            return self.next;
        }
        let from = onward(t, &mut self.passed);
        self.next = self.breaks.iter().map(|each| each.from(from)).fold(f64::INFINITY, f64::min);
        self.since = t;
        if self.next <= t + same { t } else { self.next }
    }

    /// Whether the run stands at a break that is not passed.
    #[must_use]
    pub fn is_at(&self, t: f64) -> bool {
        (t - self.next).abs() <= round_off(t)
    }

    /// Goes on behind the break at `t` \[s\].
    pub fn pass(&mut self, t: f64) {
        (self.passed, self.next, self.since) = (t, f64::INFINITY, f64::INFINITY);
    }

    /// What it remembers: the last break that was passed, and the next one.
    #[must_use]
    pub fn saved(&self) -> [f64; 3] {
        [self.passed, self.next, self.since]
    }

    /// Goes back to what [`BreakState::saved`] gave.
    pub fn restore(&mut self, [passed, next, since]: [f64; 3]) {
        (self.passed, self.next, self.since) = (passed, next, since);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_side_of_a_break_sees_its_own_value() {
        let breaks = [Break { time: 1.0, period: None }, Break { time: 3.0 * (0.1 + 0.2), period: Some(0.5) }];
        let mut break_state = BreakState::new(breaks.into());
        assert_eq!(break_state.from(0.95), 1.0);
        assert!(break_state.sided(1.0) < 1.0 && break_state.sided(0.97) == 0.97);
        break_state.pass(1.0);
        assert!(break_state.sided(1.0) > 1.0);
        let next = break_state.from(1.0);
        assert!((next - 1.4).abs() < 1e-12 && break_state.sided(next) < next);
        // Back again.
        assert_eq!(break_state.from(0.2), 3.0 * (0.1 + 0.2) - 0.5);
    }

    #[test]
    fn times_that_rounding_parts_are_one() {
        let breaks = [Break { time: 0.3, period: None }, Break { time: 0.1 + 0.2, period: None }];
        let mut break_state = BreakState::new(breaks.into());
        let first = break_state.from(0.0);
        break_state.pass(first);
        assert_eq!(break_state.from(first), f64::INFINITY);
        assert!(break_state.sided(0.1 + 0.2) > 0.1 + 0.2);
    }

    #[test]
    fn a_break_at_zero_is_passed() {
        let mut break_state = BreakState::new([Break { time: 0.0, period: None }].into());
        assert_eq!(break_state.from(0.0), 0.0);
        break_state.pass(0.0);
        assert!(break_state.from(0.0).is_infinite() && break_state.sided(0.0) > 0.0);
    }
}
