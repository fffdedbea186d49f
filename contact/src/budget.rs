//! What a solve may cost: work in units that are the same on every machine, wall-clock time, and a flag to call it off.
//!
//! Work alone keeps results reproducible, so it is what fixed steps use; time is for whoever asks for it. All loops whose number of turns
//! the problem decides ask between turns, so that a solve ends soon after its budget does, with the best point until then.

use std::sync::{
    Arc,
    atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
};
use std::time::{Duration, Instant};

/// What a solve may cost; nothing is limited by default.
///
/// ```
/// use fourbar_contact::{Budget, friction::{Coulomb, Workspace}, problem::FrictionProblem, solution::{Solution, Status}};
///
/// let text = r#"{"W": [[1, 0, 0], [0, 1, 0], [0, 0, 1]], "q": [-4, 3, -4], "mu": [0.2]}"#;
/// let problem: FrictionProblem = serde_json::from_str(text)?;
/// let mut workspace = Workspace::default();
/// workspace.budget = Budget { work: Some(0), ..Budget::default() };
/// let mut solution = Solution::default();
/// Coulomb::default().solve_in(&problem, None, &mut workspace, &mut solution)?;
/// assert_eq!(solution.status, Status::OutOfBudget);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Budget {
    /// Multiplications of the factorizations and products of a solve, about; the same problem ends at the same point on every machine.
    pub work: Option<u64>,
    /// Wall-clock time of a solve: results depend on the machine and its load. Nothing else in this crate reads a clock; leave it None where
    /// there is none.
    pub time: Option<Duration>,
    /// Ends the solve where another thread sets it.
    pub cancel: Option<Arc<AtomicBool>>,
}

/// A budget that is being spent. Counts behind a shared reference, since all methods see it through the problem.
#[derive(Debug)]
pub(crate) struct Meter {
    allowed: u64,
    spent: AtomicU64,
    deadline: Option<Instant>,
    cancel: Option<Arc<AtomicBool>>,
}

impl Default for Meter {
    fn default() -> Self {
        Self { allowed: u64::MAX, spent: AtomicU64::new(0), deadline: None, cancel: None }
    }
}

impl Clone for Meter {
    fn clone(&self) -> Self {
        let spent = AtomicU64::new(self.spent.load(Relaxed));
        Self { allowed: self.allowed, spent, deadline: self.deadline, cancel: self.cancel.clone() }
    }
}

impl Meter {
    /// Begins to spend a budget.
    pub(crate) fn begin(&mut self, budget: &Budget) {
        self.allowed = budget.work.unwrap_or(u64::MAX);
        self.spent = AtomicU64::new(0);
        self.deadline = budget.time.and_then(|time| Instant::now().checked_add(time));
        self.cancel.clone_from(&budget.cancel);
    }

    /// Begins to spend what another has left, to which [`Meter::charge`] brings the bill.
    pub(crate) fn begin_under(&mut self, other: &Self) {
        self.allowed = other.allowed.saturating_sub(other.spent.load(Relaxed));
        self.spent = AtomicU64::new(0);
        self.deadline = other.deadline;
        self.cancel.clone_from(&other.cancel);
    }

    /// What one that began under this one has spent.
    pub(crate) fn charge(&self, under: &Self) {
        self.spent.fetch_add(under.spent.load(Relaxed), Relaxed);
    }

    /// So many multiplications were done.
    #[inline]
    pub(crate) fn spend(&self, work: usize) {
        self.spent.fetch_add(work as u64, Relaxed);
    }

    /// Multiplications done until now.
    pub(crate) fn spent(&self) -> u64 {
        self.spent.load(Relaxed)
    }

    /// Goes back to what was done before.
    pub(crate) fn set_spent(&self, work: u64) {
        self.spent.store(work, Relaxed);
    }

    /// Whether all work that is allowed was done.
    pub(crate) fn is_spent(&self) -> bool {
        self.spent() >= self.allowed
    }

    /// Whether nothing is left, or it was called off.
    pub(crate) fn is_over(&self) -> bool {
        self.is_spent()
            || self.cancel.as_ref().is_some_and(|cancel| cancel.load(Relaxed))
            || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_is_spent_called_off_or_late() {
        let mut meter = Meter::default();
        meter.spend(usize::MAX / 2);
        assert!(!meter.is_over());
        meter.begin(&Budget { work: Some(10), ..Budget::default() });
        meter.spend(4);
        let mut under = Meter::default();
        under.begin_under(&meter);
        under.spend(5);
        assert!(!under.is_over());
        under.spend(1);
        assert!(under.is_over() && !meter.is_over());
        meter.charge(&under);
        assert!(meter.is_over());
        let cancel = Arc::new(AtomicBool::new(false));
        meter.begin(&Budget { cancel: Some(cancel.clone()), ..Budget::default() });
        assert!(!meter.is_over());
        cancel.store(true, Relaxed);
        assert!(meter.is_over());
        meter.begin(&Budget { time: Some(Duration::ZERO), ..Budget::default() });
        assert!(meter.is_over());
    }
}
