//! Where the polynomial of a formula with variable coefficients takes its values: the ends of past steps (integrators.md, section 2).
//!
//! | symbol | meaning |
//! |---|---|
//! | xi_i | (t - t_{-i})/h: distance of the i-th end before t, in steps; xi_0 = 0 |
//! | Lambda | prod_{i=1..k} (1 + x/xi_i): 1 at the end of the step, 0 at the k ends before it |
//!
//! At a start all ends coincide: the polynomial has the slope of the start there, as one through values that coincide.

use super::order::ORDER_MAX;

/// Ends that are remembered: one more than the estimate of the next higher order asks for.
const ENDS: usize = ORDER_MAX + 2;

/// Distances of the ends of past steps from the present time \[s\].
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Knots {
    spans: [f64; ENDS],
}

fourbar_linalg::stored!(struct Knots { spans });

/// xi_i, i = 0 ..
#[derive(Debug, Clone, Copy)]
pub(super) struct Xi([f64; ENDS + 1]);

impl Knots {
    /// All ends at the present time.
    pub(super) fn restart(&mut self) {
        *self = Self::default();
    }

    /// Ends of equal steps of length `h`.
    pub(super) fn equal(&mut self, h: f64) {
        self.spans = std::array::from_fn(|i| i as f64 * h);
    }

    /// The ends seen from behind a step of length `h`, in that step.
    pub(super) fn ahead(&self, h: f64) -> Xi {
        let mut xi = [0.0; ENDS + 1];
        for (xi, span) in xi[1..].iter_mut().zip(self.spans) {
            *xi = (h + span) / h;
        }
        Xi(xi)
    }

    /// The ends seen from the present time, in steps of length `h`.
    pub(super) fn behind(&self, h: f64) -> Xi {
        let mut xi = [0.0; ENDS + 1];
        for (xi, span) in xi.iter_mut().zip(self.spans) {
            *xi = span / h;
        }
        Xi(xi)
    }

    /// A step of length `h` was taken.
    pub(super) fn take(&mut self, h: f64) {
        for i in (1..ENDS).rev() {
            self.spans[i] = self.spans[i - 1] + h;
        }
    }

    /// prod_{i=1..k+1} (t' - t'_{-i})/(t - t_{-i}), t' behind a step of length `h`: what a divided difference of k + 2 values that stays the same is
    /// worth there, against the present time.
    pub(super) fn growth(&self, k: usize, h: f64) -> f64 {
        (1..=k + 1).map(|i| (self.spans[i - 1] + h) / self.spans[i]).product()
    }
}

impl Xi {
    pub(super) fn get(&self, i: usize) -> f64 {
        self.0[i]
    }

    /// alpha_s = sum_{i=1..k} 1/xi_i.
    pub(super) fn sum_of_reciprocals(&self, k: usize) -> f64 {
        self.0[1..=k].iter().map(|xi| 1.0 / xi).sum()
    }

    /// prod_{i=1..k} xi_i.
    pub(super) fn product(&self, k: usize) -> f64 {
        self.0[1..=k].iter().product()
    }

    /// Coefficients of Lambda of degree k.
    pub(super) fn lambda(&self, k: usize) -> [f64; ORDER_MAX + 1] {
        let mut p = [0.0; ORDER_MAX + 1];
        p[0] = 1.0;
        for i in 1..=k {
            for j in (1..=i).rev() {
                p[j] += p[j - 1] / self.0[i];
            }
        }
        p
    }
}
