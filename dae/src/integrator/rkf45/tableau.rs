//! Fehlberg's coefficients (NASA TR R-315 (1969), table III) and a continuous extension of order 4.
//!
//! With the slope k_7 at the end of the step as a seventh stage (c_7 = 1, a_7j = b_j) the eight conditions of order 4 for
//! y(t + theta h) = y + h sum_i b_i(theta) k_i leave one parameter free. It is chosen to minimize the sum of squares of the nine error
//! coefficients of order 5 at every theta (each divided by the symmetry of its tree). Value and slope at theta = 0 and 1 then are those of the
//! step: the extension is continuously differentiable.

/// Stages of a step, the slope at its end included.
pub(super) const STAGES: usize = 7;

/// c_i of stages 1 to 6.
pub(super) const C: [f64; 6] = [0.0, 1.0 / 4.0, 3.0 / 8.0, 12.0 / 13.0, 1.0, 1.0 / 2.0];

/// a_ij of stages 2 to 6.
pub(super) const A: [[f64; 5]; 5] = [
    [1.0 / 4.0, 0.0, 0.0, 0.0, 0.0],
    [3.0 / 32.0, 9.0 / 32.0, 0.0, 0.0, 0.0],
    [1932.0 / 2197.0, -7200.0 / 2197.0, 7296.0 / 2197.0, 0.0, 0.0],
    [439.0 / 216.0, -8.0, 3680.0 / 513.0, -845.0 / 4104.0, 0.0],
    [-8.0 / 27.0, 2.0, -3544.0 / 2565.0, 1859.0 / 4104.0, -11.0 / 40.0],
];

/// Weights of order 5.
pub(super) const B5: [f64; 6] = [16.0 / 135.0, 0.0, 6656.0 / 12_825.0, 28_561.0 / 56_430.0, -9.0 / 50.0, 2.0 / 55.0];

/// Weights of order 5 less those of order 4.
pub(super) const ERROR: [f64; 6] = [1.0 / 360.0, 0.0, -128.0 / 4275.0, -2197.0 / 75_240.0, 1.0 / 50.0, 2.0 / 55.0];

/// Coefficients of theta to theta^5 in b_i(theta), of a step that ends with the weights of order 5.
const EXTENSION: [[f64; 5]; STAGES] = [
    [1.0, -168_929.0 / 67_224.0, 763_861.0 / 302_508.0, -185_299.0 / 201_672.0, 3172.0 / 126_045.0],
    [0.0; 5],
    [0.0, 270_336.0 / 53_219.0, -60_024_832.0 / 7_184_565.0, 1_947_136.0 / 478_971.0, -3_248_128.0 / 11_974_275.0],
    [
        0.0,
        -47_321_183.0 / 14_049_816.0,
        537_164_303.0 / 63_224_172.0,
        -183_662_609.0 / 42_149_448.0,
        -6_968_884.0 / 26_343_405.0,
    ],
    [0.0, 6201.0 / 5602.0, -38_551.0 / 14_005.0, 3598.0 / 2801.0, 12_688.0 / 70_025.0],
    [0.0, -55_632.0 / 30_811.0, 125_896.0 / 30_811.0, -79_294.0 / 30_811.0, 50_752.0 / 154_055.0],
    [0.0, 3.0 / 2.0, -4.0, 5.0 / 2.0, 0.0],
];

/// b_i(theta) and their derivatives by theta.
pub(super) fn extension(theta: f64) -> ([f64; STAGES], [f64; STAGES]) {
    let mut value = [0.0; STAGES];
    let mut slope = [0.0; STAGES];
    for (i, p) in EXTENSION.iter().enumerate() {
        for &c in p.iter().rev() {
            slope[i] = slope[i] * theta + value[i];
            value[i] = value[i] * theta + c;
        }
        slope[i] = slope[i] * theta + value[i];
        value[i] *= theta;
    }
    (value, slope)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Row i of the full tableau, the slope at the end included.
    fn row(i: usize) -> [f64; STAGES] {
        let mut row = [0.0; STAGES];
        match i {
            0 => {}
            6 => row[..6].copy_from_slice(&B5),
            _ => row[..5].copy_from_slice(&A[i - 1]),
        }
        row
    }

    fn apply(v: &[f64; STAGES]) -> [f64; STAGES] {
        std::array::from_fn(|i| row(i).iter().zip(v).map(|(a, v)| a * v).sum())
    }

    fn times(a: &[f64; STAGES], b: &[f64; STAGES]) -> [f64; STAGES] {
        std::array::from_fn(|i| a[i] * b[i])
    }

    /// (elementary weight vector, what b^T of it must be) of all trees up to order 5, with theta^order.
    fn conditions() -> Vec<(usize, [f64; STAGES], f64)> {
        let one = [1.0; STAGES];
        let c = apply(&one);
        let (c2, ac) = (times(&c, &c), apply(&c));
        let (c3, ac2, aac) = (times(&c2, &c), apply(&c2), apply(&ac));
        vec![
            (1, one, 1.0),
            (2, c, 1.0 / 2.0),
            (3, c2, 1.0 / 3.0),
            (3, ac, 1.0 / 6.0),
            (4, c3, 1.0 / 4.0),
            (4, times(&c, &ac), 1.0 / 8.0),
            (4, ac2, 1.0 / 12.0),
            (4, aac, 1.0 / 24.0),
            (5, times(&c3, &c), 1.0 / 5.0),
            (5, times(&c2, &ac), 1.0 / 10.0),
            (5, times(&ac, &ac), 1.0 / 20.0),
            (5, times(&c, &ac2), 1.0 / 15.0),
            (5, apply(&c3), 1.0 / 20.0),
            (5, times(&c, &aac), 1.0 / 30.0),
            (5, apply(&times(&c, &ac)), 1.0 / 40.0),
            (5, apply(&ac2), 1.0 / 60.0),
            (5, apply(&aac), 1.0 / 120.0),
        ]
    }

    fn dot(a: &[f64], b: &[f64]) -> f64 {
        a.iter().zip(b).map(|(a, b)| a * b).sum()
    }

    #[test]
    fn weights_have_their_orders() {
        for i in 1..6 {
            assert!((row(i).iter().sum::<f64>() - C[i]).abs() < 1e-15, "stage {}", i + 1);
        }
        for (order, vector, value) in conditions() {
            assert!((dot(&B5, &vector) - value).abs() < 1e-15, "order {order}");
            let b4: Vec<f64> = B5.iter().zip(ERROR).map(|(b, e)| b - e).collect();
            assert!(order == 5 || (dot(&b4, &vector) - value).abs() < 1e-15, "order {order}");
        }
    }

    #[test]
    fn extension_is_of_order_4_and_meets_the_step_at_both_ends() {
        for k in 0..=10 {
            let theta = f64::from(k) / 10.0;
            let (b, slope) = extension(theta);
            for (order, vector, value) in conditions().into_iter().filter(|c| c.0 < 5) {
                let (exact, rate) = (theta.powi(order as i32), order as f64 * theta.powi(order as i32 - 1));
                assert!((dot(&b, &vector) - value * exact).abs() < 1e-14, "order {order}, theta {theta}");
                assert!((dot(&slope, &vector) - value * rate).abs() < 1e-13, "order {order}, theta {theta}");
            }
        }
        let ((start, slope), (end, last)) = (extension(0.0), extension(1.0));
        for i in 0..STAGES {
            let weight = B5.get(i).copied().unwrap_or(0.0);
            let (first, seventh) = (f64::from(u8::from(i == 0)), f64::from(u8::from(i == 6)));
            assert!(start[i] == 0.0 && slope[i] == first);
            assert!((end[i] - weight).abs() < 1e-14 && (last[i] - seventh).abs() < 1e-13, "stage {}", i + 1);
        }
    }
}
