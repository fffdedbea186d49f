//! Coefficients of the backward differentiation formulas in Nordsieck form (integrators.md, section 2; Gear 1971).

/// Highest order at which the formulas are zero-stable.
pub const ORDER_MAX: usize = 6;

/// l_j of order k, row k - 1: prod_{i=1..k} (1 + x/i) / sum_{i=1..k} 1/i = sum_j l_j x^j. l_0 is beta_0; l_1 = 1.
pub(super) const L: [[f64; ORDER_MAX + 1]; ORDER_MAX] = [
    [1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0],
    [2.0 / 3.0, 1.0, 1.0 / 3.0, 0.0, 0.0, 0.0, 0.0],
    [6.0 / 11.0, 1.0, 6.0 / 11.0, 1.0 / 11.0, 0.0, 0.0, 0.0],
    [12.0 / 25.0, 1.0, 7.0 / 10.0, 1.0 / 5.0, 1.0 / 50.0, 0.0, 0.0],
    [60.0 / 137.0, 1.0, 225.0 / 274.0, 85.0 / 274.0, 15.0 / 274.0, 1.0 / 274.0, 0.0],
    [20.0 / 49.0, 1.0, 58.0 / 63.0, 5.0 / 12.0, 25.0 / 252.0, 1.0 / 84.0, 1.0 / 1764.0],
];

/// beta_0 of order k.
pub(super) fn beta0(order: usize) -> f64 {
    L[order - 1][0]
}

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
