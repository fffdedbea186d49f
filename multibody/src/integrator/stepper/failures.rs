//! Failed attempts at one step.

/// Largest violation of an algebraic equation, in tolerances, that a step may repair.
const INCONSISTENCY_MAX: f64 = 100.0;

/// How many attempts at the present step failed.
#[derive(Debug, Default)]
pub(super) struct Failures {
    pub(super) error: u32,
    pub(super) newton: u32,
    /// Local error of the last attempt that failed the test at order 1; 0 if none did.
    pub(super) at_order_1: f64,
}

impl Failures {
    /// Whether an error above the tolerance does not come from the step: it stays although the step shrank tenfold. The
    /// implicit step then projects a state that violates an algebraic equation back onto it, which is what is wanted
    /// as long as it is a matter of tolerances. (A start that is off by more is an error of the caller.)
    pub(super) fn is_inconsistency(&self, error: f64) -> bool {
        error <= INCONSISTENCY_MAX && self.at_order_1 > 0.0 && error > 0.5 * self.at_order_1
    }
}
