//! The common time, and the way from one communication point to another.

/// The common time: stamps are integers, t = start + stamp * tick.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Timebase {
    /// Time of stamp 0 \[s\].
    pub(crate) start: f64,
    /// Length of a tick \[s\].
    pub(crate) tick: f64,
}

impl Timebase {
    #[inline]
    pub(crate) fn time(&self, stamp: u64) -> f64 {
        // Clocks end below 2^62: the signed conversion is exact, and one instruction.
        self.start + stamp as i64 as f64 * self.tick
    }

    /// The first stamp at `time` \[s\] or behind it, but for round-off: a billionth of a tick, or of times, which ticks may be as short as.
    pub(crate) fn at_or_behind(&self, time: f64) -> u64 {
        if time == f64::INFINITY {
            return u64::MAX;
        }
        let round_off = 1e-9 * self.tick + 4.0 * f64::EPSILON * (time.abs() + self.start.abs());
        // Times before the start become 0.
        ((time - self.start - round_off) / self.tick).ceil() as u64
    }

    /// From one communication point to another.
    #[inline]
    pub(crate) fn leg(&self, from: u64, to: u64) -> Leg {
        let end = self.time(to);
        Leg {
            base: *self,
            from,
            to,
            t: self.time(from),
            h: (to - from) as i64 as f64 * self.tick,
            end,
            round_off: 1e-9 * self.tick + 4.0 * f64::EPSILON * end.abs(),
        }
    }
}

/// The way from one communication point to another: what all partners that go it have in common, worked out once.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Leg {
    pub(super) base: Timebase,
    pub(super) from: u64,
    pub(super) to: u64,
    /// Time at which it begins, and its length \[s\].
    pub(super) t: f64,
    pub(super) h: f64,
    /// Time at which it ends, and how far a partner's own time may lie beside it \[s\].
    pub(super) end: f64,
    round_off: f64,
}

impl Leg {
    /// Whether a partner that is at this time \[s\] has gone it; a NaN is no time.
    #[inline]
    pub(super) fn ends_at(&self, reached: f64) -> bool {
        (reached - self.end).abs() <= self.round_off
    }
}

/// What a time may differ by from a multiple of its step and still be that multiple, as part of it: the roundings of two products and a sum are
/// half of a last digit each.
const ROUND_OFF: f64 = 2.0 * f64::EPSILON;

/// The end of a step from `t` by `h` \[s\]: the multiple of h that clocks and tables of outputs name, where the sum differs from it by round-off.
///
/// 0.09 + 0.01 is less than 0.1 by a rounding, 10 times 0.01 is not. What acts from 0.1 s on would come a step late at the sum.
///
/// ```
/// # use fourbar_coupling::function::end_of_step;
/// assert!(0.09 + 0.01 < 0.1);
/// assert_eq!(end_of_step(0.09, 0.01), 0.1);
/// assert_eq!(end_of_step(0.095, 0.01), 0.095 + 0.01);
/// // Of a step that is itself a difference of times the sum is right.
/// assert_eq!(end_of_step(0.09, 0.1 - 0.09), 0.1);
/// ```
#[must_use]
pub fn end_of_step(t: f64, h: f64) -> f64 {
    let sum = t + h;
    let multiple = (sum / h).round() * h;
    if (multiple - sum).abs() <= ROUND_OFF * sum.abs() { multiple } else { sum }
}
