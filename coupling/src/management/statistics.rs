//! What a run has cost.

use crate::function::SolverCounts;

fourbar_linalg::stored!(struct Statistics {
    steps, rejected, sweeps, most_sweeps, unconverged, order_reductions, faults, warnings, held,
});

/// What a run has cost so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize)]
#[non_exhaustive]
pub struct Statistics {
    /// Communication steps accepted.
    pub steps: u64,
    /// Communication steps undone because the tolerance was missed.
    pub rejected: u64,
    /// Sweeps of the iterated scheme.
    pub sweeps: u64,
    /// Largest number of sweeps in one communication step.
    pub most_sweeps: u64,
    /// Communication steps whose iteration did not converge.
    pub unconverged: u64,
    /// Times the order of a partner's inputs was lowered.
    pub order_reductions: u64,
    /// Faults caught, retries included.
    pub faults: u64,
    /// Faults handled with a warning.
    pub warnings: u64,
    /// Times the last good values of a partner stood in.
    pub held: u64,
}

/// What the steps of a partner have cost so far.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[non_exhaustive]
pub struct PartnerCost {
    /// Its name in the run.
    pub name: String,
    /// The counts of its solver; none of a partner that keeps no counts or does not report them.
    #[serde(flatten)]
    pub solver: Option<SolverCounts>,
    /// Time that its communication steps took \[s\]: the first 64 and each 16th of those that follow are measured. 0 in a build without the feature `clock`.
    pub seconds: f64,
}
