//! What the steps of a simulator cost: counts that it keeps itself, and the time that its calls took.

use fourbar_dae::integrator::Statistics;

/// What the solver of a simulator has done so far, undone steps included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize)]
#[non_exhaustive]
pub struct SolverCounts {
    /// Steps accepted.
    pub steps: u64,
    /// Attempts rejected, for whatever reason.
    pub rejected: u64,
    /// Evaluations of its equations.
    pub evaluations: u64,
}

impl SolverCounts {
    /// Of accepted steps, rejected attempts and evaluations.
    #[must_use]
    pub fn new(steps: u64, rejected: u64, evaluations: u64) -> Self {
        Self { steps, rejected, evaluations }
    }
}

impl From<&Statistics> for SolverCounts {
    fn from(spent: &Statistics) -> Self {
        let rejected =
            [spent.rejected_by_error, spent.rejected_by_newton, spent.rejected_by_evaluation, spent.rejected_by_switch];
        Self::new(spent.steps, rejected.iter().sum(), spent.residual_evaluations)
    }
}

impl std::ops::AddAssign for SolverCounts {
    fn add_assign(&mut self, other: Self) {
        self.steps += other.steps;
        self.rejected += other.rejected;
        self.evaluations += other.evaluations;
    }
}

/// Communication steps at the start that are measured one by one.
#[cfg(feature = "clock")]
const MEASURED: u64 = 64;
/// Of those that follow one in so many is measured: to read the clock twice takes as long as the shortest steps.
#[cfg(feature = "clock")]
const STRIDE: u64 = 16;

/// Measures how long steps take.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Meter {
    #[cfg(feature = "clock")]
    steps: u64,
    /// Time of all steps, as far as those measured show \[s\].
    pub(crate) seconds: f64,
    #[cfg(feature = "clock")]
    begun: Option<std::time::Instant>,
}

impl Meter {
    #[inline]
    pub(crate) fn begin(&mut self) {
        #[cfg(feature = "clock")]
        {
            self.steps += 1;
            if self.steps <= MEASURED || self.steps.is_multiple_of(STRIDE) {
                self.begun = Some(std::time::Instant::now());
            }
        }
    }

    #[inline]
    pub(crate) fn end(&mut self) {
        #[cfg(feature = "clock")]
        if let Some(begun) = self.begun.take() {
            let weight = if self.steps <= MEASURED { 1 } else { STRIDE };
            self.seconds += begun.elapsed().as_secs_f64() * weight as f64;
        }
    }
}
