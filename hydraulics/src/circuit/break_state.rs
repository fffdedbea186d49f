//! Where a run stands among the times at which the equations jump or bend.

use super::plan::Plan;
use fourbar_multibody::expression::Break;

/// Times of this relative distance are one.
const SAME: f64 = 1e-13;

/// Distance within which times are one with `t` \[s\].
pub(super) fn round_off(t: f64) -> f64 {
    SAME * t.abs()
}

/// Where the run stands among the times at which the equations jump or bend.
#[derive(Debug, Clone)]
pub(super) struct BreakState {
    /// Times of the signals, and those set from outside.
    pub(super) breaks: Vec<Break>,
    /// Number of those of the signals.
    pub(super) own: usize,
    /// The last that was passed \[s\].
    pub(super) passed: f64,
    /// The next one \[s\].
    next: f64,
}

impl BreakState {
    pub(super) fn new(plan: &Plan) -> Self {
        // The slot 0 of signals is the time.
        let breaks: Vec<Break> = plan.signals.iter().flat_map(|signal| signal.breaks(0)).collect();
        Self { own: breaks.len(), breaks, passed: f64::NEG_INFINITY, next: f64::INFINITY }
    }

    /// `t`, or the time beside a jump on the side on which the run is.
    pub(super) fn sided(&self, t: f64) -> f64 {
        let same = round_off(t);
        if (t - self.passed).abs() <= same {
            t.max(self.passed) + (2.0 * same).max(f64::MIN_POSITIVE)
        } else if (t - self.next).abs() <= same {
            t.min(self.next) - 2.0 * same
        } else {
            t
        }
    }

    /// The first time from `t` on that is not passed; `front` gives that of the waves.
    pub(super) fn from(&mut self, t: f64, front: impl Fn(f64) -> f64) -> f64 {
        let same = round_off(t);
        if self.passed > t + same {
            // The run has returned to an earlier time.
            self.passed = f64::NEG_INFINITY;
        }
        let from = (t - same).max((self.passed + round_off(self.passed)).next_up());
        self.next = self.breaks.iter().map(|each| each.from(from)).fold(front(from), f64::min);
        if self.next <= t + same { t } else { self.next }
    }

    /// The last time that was passed \[s\].
    pub(super) fn passed(&self) -> f64 {
        self.passed
    }

    pub(super) fn is_next(&self, t: f64) -> bool {
        (t - self.next).abs() <= round_off(t)
    }
}
