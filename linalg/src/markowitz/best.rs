//! The choice among the pivots that one search finds: the fewest multiply-adds, and when to look no further.

/// The best pivot found so far in one search.
pub(super) struct Best {
    pub(super) pivot: Option<(usize, usize)>,
    cost: usize,
    lines_left: usize,
}

impl Best {
    /// None yet, among so many lines.
    pub(super) fn among(lines_left: usize) -> Self {
        Self { pivot: None, cost: usize::MAX, lines_left }
    }

    pub(super) fn offer(&mut self, pivot: (usize, usize), cost: usize) {
        self.lines_left = self.lines_left.saturating_sub(1);
        if cost < self.cost {
            (self.pivot, self.cost) = (Some(pivot), cost);
        }
    }

    /// Whether to stop before lines that cost at least `least`.
    pub(super) fn is_enough(&self, least: usize) -> bool {
        self.pivot.is_some() && (self.lines_left == 0 || self.cost <= least)
    }
}
