//! Choice of order and step from the error estimates (integrators.md, section 2; Gear 1971).
//!
//! D = ||y - y_p|| / (k+1), D_- = (k-1)! ||z_k||, D_+ = ||(y - y_p)_n - (y - y_p)_{n-1}|| / (k+2), each in units of the tolerance, estimate the
//! local errors at orders k, k-1 and k+1. The true error of y is beta_0 times as large, so that the test is conservative by
//! 1/beta_0.

use super::coefficients::Coefficients;

/// A ratio below this shortens the step although it passed its test. A rejection costs an attempt, and cuts the step
/// by more than needed. Without this rule the pendulum of period 2 s is rejected four times a period and its energy error over
/// 50 periods is 3 to 30 times as large, at the same number of residuals on Andrews' mechanism.
pub(super) const TOO_LONG: f64 = 0.95;

/// Smallest growth for which a change of the step (and a new matrix) is worth its cost.
pub(super) const WORTHWHILE: f64 = 1.1;

/// How far the step may grow at once.
///
/// Differences of equal steps underestimate the error of unknowns that follow from others through a constraint (a velocity that
/// follows from an orientation): they see the smooth drift only, while a change of the step changes its slope. The error
/// after a change is then linear in h, and a controller that forgets grows by the same factor into the same rejection for ever, most
/// often at order 1. So a growth that failed is not tried again soon: its square root is, and successes earn trust back.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Growth {
    /// Largest ratio that is trusted.
    trusted: f64,
    /// Ratio of the change that the next attempt begins with; 0 for none.
    tried: f64,
}

fourbar_linalg::stored!(struct Growth { trusted, tried });

impl Default for Growth {
    fn default() -> Self {
        Self { trusted: Self::LARGEST, tried: 0.0 }
    }
}

impl Growth {
    /// Largest ratio of two steps: the coefficients of longer ones are those of a start (Hairer, Wanner II, IV.8 take 5 to 10).
    const LARGEST: f64 = 10.0;

    /// That of a method which begins at order 2: the smaller end of what these authors take, since the third derivatives are found on the way.
    pub(super) fn at_order_2() -> Self {
        Self { trusted: 5.0, tried: 0.0 }
    }

    /// Largest ratio for a step of `order`.
    pub(super) fn limit(&self, order: usize, coefficients: Coefficients) -> f64 {
        let largest = match coefficients {
            // Measured in integrators.md, section 2: at order 3 and above the fixed coefficients do not bear more than a doubling.
            Coefficients::Fixed if order >= 3 => 2.0,
            // Steps of h, h, 2h, 2h and so on let an error of order 5 grow by 1.17 each four steps, of order 6 by 3.11; by 1.5 it falls to 0.21 and 0.66.
            Coefficients::FixedLeading if order >= 5 => 1.5,
            _ => Self::LARGEST,
        };
        self.trusted.min(largest)
    }

    /// Whether a growth failed not long ago. A higher order is then the way on, even at the same step.
    pub(super) fn is_limited(&self) -> bool {
        self.trusted < 2.0
    }

    /// The step was changed by `ratio`.
    pub(super) fn tried(&mut self, ratio: f64) {
        self.tried = ratio;
    }

    /// The step after the change passed its error test.
    pub(super) fn passed(&mut self) {
        if self.tried >= 1.0 {
            self.trusted = (1.5 * self.trusted).min(Self::LARGEST);
        }
        self.tried = 0.0;
    }

    /// An attempt failed its error test.
    pub(super) fn failed(&mut self) {
        if self.tried > 1.0 {
            self.trusted = self.tried.sqrt().clamp(1.0, Self::LARGEST);
        }
        self.tried = 0.0;
    }
}

/// Estimates of the local error in units of the tolerance.
#[derive(Debug, Clone, Copy)]
pub(super) struct Estimates {
    /// At order k.
    pub(super) same: f64,
    /// At order k - 1, if there is one.
    pub(super) lower: Option<f64>,
    /// At order k + 1, if it can be estimated and is allowed.
    pub(super) higher: Option<f64>,
}

/// A choice of order and step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Choice {
    pub(super) order: usize,
    pub(super) ratio: f64,
}

/// Margins of the new step at orders k, k-1 and k+1. LSODE's 1.2, 1.3, 1.4 aim at a third of the tolerance; these aim at a
/// twentieth, so that errors that add up with one sign (the energy of a pendulum) stay within a hundred tolerances after
/// twenty thousand steps: the pendulum of period 2 s ends 50 periods at tolerance 1e-8 with 6e-7 instead of 2e-6. At equal
/// accuracy both cost the same number of residuals; these are rejected three times less often.
const MARGINS: [f64; 3] = [1.6, 1.7, 1.8];

/// The order among k - 1, k, k + 1 that allows the largest step, and that step relative to the present one.
pub(super) fn choose(order: usize, estimates: Estimates) -> Choice {
    let k = order as f64;
    let mut best = Choice { order, ratio: factor(MARGINS[0], estimates.same, k + 1.0) };
    if let Some(lower) = estimates.lower {
        let ratio = factor(MARGINS[1], lower, k);
        if ratio > best.ratio {
            best = Choice { order: order - 1, ratio };
        }
    }
    if let Some(higher) = estimates.higher {
        let ratio = factor(MARGINS[2], higher, k + 2.0);
        if ratio > best.ratio {
            best = Choice { order: order + 1, ratio };
        }
    }
    best
}

/// Order k + 1 at a step it bears without shrinking, if there is such.
pub(super) fn choose_higher(order: usize, estimates: Estimates) -> Option<Choice> {
    let ratio = factor(MARGINS[2], estimates.higher?, order as f64 + 2.0);
    (ratio >= 1.0).then_some(Choice { order: order + 1, ratio })
}

/// Ratio of steps that brings an error D of order h^p to the tolerance with a margin.
fn factor(margin: f64, error: f64, p: f64) -> f64 {
    1.0 / (margin * error.powf(1.0 / p) + 1e-6)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn error_at_the_tolerance_shrinks_by_the_margin() {
        let choice = choose(3, Estimates { same: 1.0, lower: None, higher: None });
        assert_eq!(choice.order, 3);
        assert!((choice.ratio - 1.0 / (MARGINS[0] + 1e-6)).abs() < 1e-12);
    }

    #[test]
    fn order_follows_the_smaller_error() {
        let rising = choose(3, Estimates { same: 1e-2, lower: Some(1.0), higher: Some(1e-6) });
        assert_eq!(rising.order, 4);
        let falling = choose(3, Estimates { same: 1.0, lower: Some(1e-6), higher: Some(10.0) });
        assert_eq!(falling.order, 2);
        let staying = choose(3, Estimates { same: 1e-3, lower: Some(1e-2), higher: Some(1e-2) });
        assert_eq!(staying.order, 3);
    }

    #[test]
    fn no_error_at_all_gives_a_finite_ratio() {
        let choice = choose(1, Estimates { same: 0.0, lower: None, higher: None });
        assert!(choice.ratio.is_finite() && choice.ratio > 1e5);
    }
}
