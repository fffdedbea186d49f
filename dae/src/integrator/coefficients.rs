//! Coefficients of the backward differentiation formulas in Nordsieck form (integrators.md, section 2; Gear 1971).

use super::damping::Damping;
use super::knots::{Knots, Xi};
use super::order::ORDER_MAX;

/// How a formula treats steps of different lengths.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Coefficients {
    /// Those of equal steps; the history is scaled where the step changes (Gear 1971).
    Fixed,
    /// Those of the polynomial through the ends of the steps as they are (van Bokhoven 1975).
    Variable,
    /// The polynomial through the ends as they are; the coefficient of the new value is that of equal steps (Brenan, Campbell, Petzold 1996).
    FixedLeading,
    /// Those of generalized-alpha at order 2; the history is scaled where the step changes ([`Hht`](super::Hht)).
    Alpha(Damping),
}

/// What one step of order k needs.
#[derive(Debug, Clone, Copy)]
pub(super) struct Formula {
    /// y' = y'_p + (y - y_p)/(h beta_0).
    pub(super) beta0: f64,
    /// What y - y_p adds to each column of the history.
    pub(super) update: [f64; ORDER_MAX + 1],
    /// y - y_p per local error.
    pub(super) error: f64,
}

impl Formula {
    /// Fixed coefficients.
    fn fixed(k: usize) -> Self {
        let row = &L[k - 1];
        Self { beta0: row[0], update: row.map(|l| l / row[0]), error: (k + 1) as f64 }
    }

    /// Order 1 is that of Gear.
    fn alpha(damping: Damping, k: usize) -> Self {
        if k == 1 {
            return Self::fixed(1);
        }
        let [first, second, error] = damping.coefficients();
        let mut update = [0.0; ORDER_MAX + 1];
        update[..3].copy_from_slice(&[1.0, first, second]);
        Self { beta0: 1.0 / first, update, error }
    }

    /// What dense output adds to the polynomial of a step, per y - y_p: the factors of s^2 and s^3, s = (t - t_n)/h, with which value and slope at its
    /// start, s = -1, are those of the step before.
    fn closing(&self) -> [f64; 2] {
        let value = self.update.iter().enumerate().map(|(j, l)| if j % 2 == 0 { *l } else { -l }).sum::<f64>();
        let slope = self.update[1] - 2.0 * self.update[2];
        [-slope - 3.0 * value, -slope - 2.0 * value]
    }

    /// Of the polynomial through the ends `xi` of steps, with a leading coefficient of its own or that of equal steps.
    fn through(xi: &Xi, k: usize, fixed_leading: bool) -> Self {
        let own = xi.sum_of_reciprocals(k);
        let last = xi.get(k + 1);
        let equal: f64 = (1..=k).map(|i| 1.0 / i as f64).sum();
        let leading = if fixed_leading { equal } else { own };
        // DASSL's constant, with alphas that are all positive. Ends far behind a step that has become short say little of what begins there, a pulse or a
        // jump: at least the part counts that is the error in equal steps.
        let part = (1.0 / last).max((1.0 / last + own - leading).abs()).max(1.0 / (k + 1) as f64);
        Self { beta0: 1.0 / leading, update: xi.lambda(k), error: 1.0 / part }
    }
}

impl Coefficients {
    /// The formula of order k for a step of length `h` behind `knots`.
    pub(super) fn formula(self, k: usize, h: f64, knots: &Knots) -> Formula {
        match self {
            Self::Fixed => Formula::fixed(k),
            Self::Variable => Formula::through(&knots.ahead(h), k, false),
            Self::FixedLeading => Formula::through(&knots.ahead(h), k, true),
            Self::Alpha(damping) => Formula::alpha(damping, k),
        }
    }

    /// Factors of s^2 and s^3 that y - y_p adds to the polynomial of order `k` between steps, if there are any: where that does not go through the start
    /// of the step.
    pub(super) fn closing(self, k: usize) -> Option<[f64; 2]> {
        match self {
            Self::Alpha(damping) if k == 2 => Some(Formula::alpha(damping, k).closing()),
            _ => None,
        }
    }

    /// Whether steps may change at will.
    pub(super) fn follow_steps(self) -> bool {
        matches!(self, Self::Variable | Self::FixedLeading)
    }

    /// Whether the matrix made with `made` serves `c`: the same one, or DASSL's range of 3/5 to 5/3 where steps may change at will.
    pub(super) fn keeps_matrix(self, made: f64, c: f64) -> bool {
        let ratio = made / c;
        if self.follow_steps() { (0.6..=1.0 / 0.6).contains(&ratio) } else { (ratio - 1.0).abs() <= SAME_C }
    }
}

/// What a correction by the matrix made with `made` is multiplied with: right for all unknowns whose part of the matrix is c alone or none of c, in the
/// mean (Brenan, Campbell, Petzold 1996, section 5.2.2).
pub(super) fn relaxation(made: f64, c: f64) -> f64 {
    2.0 / (1.0 + c / made)
}

/// Relative difference of c below which it counts as the same: steps that land on stop times differ by round-off.
pub(super) const SAME_C: f64 = 1e-9;

/// l_j of order k, row k - 1: prod_{i=1..k} (1 + x/i) / sum_{i=1..k} 1/i = sum_j l_j x^j. l_0 is beta_0; l_1 = 1.
pub(super) const L: [[f64; ORDER_MAX + 1]; ORDER_MAX] = [
    [1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0],
    [2.0 / 3.0, 1.0, 1.0 / 3.0, 0.0, 0.0, 0.0, 0.0],
    [6.0 / 11.0, 1.0, 6.0 / 11.0, 1.0 / 11.0, 0.0, 0.0, 0.0],
    [12.0 / 25.0, 1.0, 7.0 / 10.0, 1.0 / 5.0, 1.0 / 50.0, 0.0, 0.0],
    [60.0 / 137.0, 1.0, 225.0 / 274.0, 85.0 / 274.0, 15.0 / 274.0, 1.0 / 274.0, 0.0],
    [20.0 / 49.0, 1.0, 58.0 / 63.0, 5.0 / 12.0, 25.0 / 252.0, 1.0 / 84.0, 1.0 / 1764.0],
];

/// k! for k up to 7.
pub(super) const FACTORIAL: [f64; 8] = [1.0, 1.0, 2.0, 6.0, 24.0, 120.0, 720.0, 5040.0];

#[cfg(test)]
mod tests {
    use super::*;

    /// The table against the product formula it comes from.
    #[test]
    fn table_is_the_expanded_product() {
        for k in 1..=ORDER_MAX {
            let mut p = [0.0; ORDER_MAX + 1];
            p[0] = 1.0;
            for i in 1..=k {
                for j in (1..=i).rev() {
                    p[j] += p[j - 1] / i as f64;
                }
            }
            let sum: f64 = (1..=k).map(|i| 1.0 / i as f64).sum();
            for j in 0..=ORDER_MAX {
                assert!((L[k - 1][j] - p[j] / sum).abs() < 1e-15, "order {k}, l_{j}");
            }
        }
    }
}
