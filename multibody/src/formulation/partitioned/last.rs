//! The point that was evaluated last: a step's end is asked for by the method, by whoever reads the state, and before the next step.
//!
//! Only the very same numbers count as the same point, so that what is found never depends on what was asked before.

/// How much of a point is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Known {
    Nothing,
    /// Its dependent coordinates.
    Closed,
    /// Its accelerations and multipliers, too.
    Evaluated,
}

/// (t, y) as they were given, and what is known there.
#[derive(Debug)]
pub(super) struct Last {
    t: f64,
    y: Vec<f64>,
    known: Known,
}

impl Last {
    /// Of n unknowns; no point yet.
    pub(super) fn new(n: usize) -> Self {
        Self { t: 0.0, y: vec![0.0; n], known: Known::Nothing }
    }

    /// Whether as much is known of (t, y). NaN is never known.
    pub(super) fn knows(&self, known: Known, t: f64, y: &[f64]) -> bool {
        self.known >= known && self.t == t && self.y == y
    }

    /// (t, y) is about to be evaluated.
    pub(super) fn begin(&mut self, t: f64, y: &[f64]) {
        self.known = Known::Nothing;
        self.t = t;
        self.y.copy_from_slice(y);
    }

    /// So much is known now of the point that was begun.
    pub(super) fn reach(&mut self, known: Known) {
        self.known = known;
    }

    /// No more than `known` holds from now on.
    pub(super) fn keep_only(&mut self, known: Known) {
        self.known = self.known.min(known);
    }

    /// What a point gives has changed.
    pub(super) fn forget(&mut self) {
        self.known = Known::Nothing;
    }
}
