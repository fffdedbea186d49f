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

    /// The first stamp at `time` \[s\] or behind it: a billionth of a tick is round-off.
    pub(crate) fn at_or_behind(&self, time: f64) -> u64 {
        // Times before the start become 0.
        ((time - self.start) / self.tick - 1e-9).ceil() as u64
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
