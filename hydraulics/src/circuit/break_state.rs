//! Where a run stands among the times at which the equations jump or bend.

use super::plan::Plan;
use fourbar_expression::Break;
use fourbar_expression::break_state::{onward, round_off, sided};

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
        sided(t, self.passed, self.next)
    }

    /// The first time from `t` on that is not passed; `front` gives that of the waves.
    pub(super) fn from(&mut self, t: f64, front: impl Fn(f64) -> f64) -> f64 {
        let from = onward(t, &mut self.passed);
        self.next = self.breaks.iter().map(|each| each.from(from)).fold(front(from), f64::min);
        if self.next <= t + round_off(t) { t } else { self.next }
    }

    /// The last time that was passed \[s\].
    pub(super) fn passed(&self) -> f64 {
        self.passed
    }

    pub(super) fn is_next(&self, t: f64) -> bool {
        (t - self.next).abs() <= round_off(t)
    }
}
