//! Failed attempts at one step.

/// Largest violation of an algebraic equation, in tolerances, that a step may repair.
const INCONSISTENCY_MAX: f64 = 100.0;

/// Lengths of attempts, in those of the first one, where it ended beside a singular position: beyond it, before it, and further beyond. Where none passes,
/// steps shrink as elsewhere. A step that ends before it is followed by one that ends beyond; no two of these meet at one place again.
const LEAPS: [f64; 4] = [1.3, 0.7, 1.6, 1.0];

/// How many attempts at the present step failed.
#[derive(Debug, Default)]
pub(super) struct Failures {
    pub(super) error: u32,
    pub(super) newton: u32,
    /// Local error of the last attempt that failed the test at order 1; 0 if none did.
    pub(super) at_order_1: f64,
    /// Length of the first attempt \[s\], and how often it was tried to leap over a singular position since.
    first: f64,
    leaps: usize,
}

impl Failures {
    /// The length of the next attempt \[s\] behind one of length `h` that failed, `beside` a singular position or not: where no shorter step is any better.
    pub(super) fn leap(&mut self, h: f64, beside: bool) -> Option<f64> {
        if self.first == 0.0 {
            self.first = h;
        }
        let factor = LEAPS.get(self.leaps).filter(|_| beside)?;
        self.leaps += 1;
        Some(factor * self.first)
    }

    /// Whether an error above the tolerance does not come from the step: it stays although the step shrank tenfold. The
    /// implicit step then projects a state that violates an algebraic equation back onto it, which is what is wanted
    /// as long as it is a matter of tolerances. (A start that is off by more is an error of the caller.)
    pub(super) fn is_inconsistency(&self, error: f64) -> bool {
        error <= INCONSISTENCY_MAX && self.at_order_1 > 0.0 && error > 0.5 * self.at_order_1
    }
}
