//! What a run has cost.

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
