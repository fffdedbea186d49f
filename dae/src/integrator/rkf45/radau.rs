//! The Radau IIA method of five stages, order 9 (Hairer, Wanner, Solving Ordinary Differential Equations II, IV.5): a polynomial u of
//! degree 5 through y(t) with u'(t + c_i h) = f(t + c_i h, u(t + c_i h)).
//!
//! It is stiffly accurate and L-stable: a stiff component is on its slow solution at every node, however far that changes. Its stages lie
//! in the places of Fehlberg's slopes k_2 .. k_6, so that a step of either is the same sum of slopes to whoever interpolates in it.

use super::tableau::STAGES;

/// Stages of the method of order 9.
pub(super) const NODES: usize = 5;

/// c_i, zeros of d^4/dx^4 (x^4 (x - 1)^5).
pub(super) const C: [f64; NODES] =
    [0.057_104_196_114_517_68, 0.276_843_013_638_123_84, 0.583_590_432_368_916_8, 0.860_240_135_656_219_4, 1.0];

/// Weight of the slope at the start in the error estimate: the inverse of the real eigenvalue of A^-1.
pub(super) const GAMMA: f64 = 1.0 / 6.286_704_751_729_317;

/// Coefficients of 1 to x^4 in the Lagrange polynomials l_j(x) of the nodes.
const LAGRANGE: [[f64; NODES]; NODES] = lagrange();

/// a_ij, the integral of l_j from 0 to c_i.
pub(super) const A: [[f64; NODES]; NODES] = stages();

/// A^-1: the slopes of the polynomial through 0 and z_i at the nodes.
pub(super) const INVERSE: [[f64; NODES]; NODES] = inverse();

/// l_j(0): the slope of the polynomial at the start.
pub(super) const AT_START: [f64; NODES] =
    [LAGRANGE[0][0], LAGRANGE[1][0], LAGRANGE[2][0], LAGRANGE[3][0], LAGRANGE[4][0]];

const fn lagrange() -> [[f64; NODES]; NODES] {
    let mut all = [[0.0; NODES]; NODES];
    let mut j = 0;
    while j < NODES {
        let mut p = [0.0; NODES];
        p[0] = 1.0;
        let (mut m, mut degree) = (0, 0);
        while m < NODES {
            if m != j {
                // Times (x - c_m)/(c_j - c_m).
                let scale = C[j] - C[m];
                let mut k = degree + 1;
                while k > 0 {
                    p[k] = (p[k - 1] - C[m] * p[k]) / scale;
                    k -= 1;
                }
                p[0] *= -C[m] / scale;
                degree += 1;
            }
            m += 1;
        }
        all[j] = p;
        j += 1;
    }
    all
}

const fn integral(j: usize, x: f64) -> f64 {
    let (mut value, mut k) = (0.0, NODES);
    while k > 0 {
        value = (value + LAGRANGE[j][k - 1] / k as f64) * x;
        k -= 1;
    }
    value
}

const fn stages() -> [[f64; NODES]; NODES] {
    let mut a = [[0.0; NODES]; NODES];
    let mut i = 0;
    while i < NODES {
        let mut j = 0;
        while j < NODES {
            a[i][j] = integral(j, C[i]);
            j += 1;
        }
        i += 1;
    }
    a
}

const fn inverse() -> [[f64; NODES]; NODES] {
    let mut inverse = [[0.0; NODES]; NODES];
    let mut i = 0;
    while i < NODES {
        let mut j = 0;
        while j < NODES {
            inverse[i][j] = slope_between(i, j);
            j += 1;
        }
        i += 1;
    }
    inverse
}

/// Slope at c_i of the polynomial of degree 5 that is 1 at c_j and 0 at 0 and the other nodes.
const fn slope_between(i: usize, j: usize) -> f64 {
    let mut m = 0;
    if i == j {
        let mut sum = 1.0 / C[i];
        while m < NODES {
            if m != i {
                sum += 1.0 / (C[i] - C[m]);
            }
            m += 1;
        }
        return sum;
    }
    let mut product = C[i] / (C[j] * (C[j] - C[i]));
    while m < NODES {
        if m != i && m != j {
            product *= (C[i] - C[m]) / (C[j] - C[m]);
        }
        m += 1;
    }
    product
}

/// Weights of the slopes of a step, of u and of u', at t + theta h; theta may lie outside of \[0, 1\].
pub(super) fn extension(theta: f64) -> ([f64; STAGES], [f64; STAGES]) {
    let (mut value, mut slope) = ([0.0; STAGES], [0.0; STAGES]);
    for (j, p) in LAGRANGE.iter().enumerate() {
        value[j + 1] = integral(j, theta);
        slope[j + 1] = p.iter().rev().fold(0.0, |sum, c| sum * theta + c);
    }
    (value, slope)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Round-off of sums of the coefficients of the Lagrange polynomials, which reach 118.
    const ROUND_OFF: f64 = 118.0 * f64::EPSILON;

    #[test]
    fn quadrature_has_order_9_and_stages_order_5() {
        for k in 1..=9 {
            let sum: f64 = (0..NODES).map(|j| A[NODES - 1][j] * C[j].powi(k - 1)).sum();
            assert!((sum - 1.0 / f64::from(k)).abs() < ROUND_OFF, "{k}: {sum}");
        }
        for k in 1..=5 {
            for i in 0..NODES {
                let sum: f64 = (0..NODES).map(|j| A[i][j] * C[j].powi(k - 1)).sum();
                assert!((sum - C[i].powi(k) / f64::from(k)).abs() < ROUND_OFF, "{k}, {i}");
            }
        }
    }

    #[test]
    fn inverse_and_extension_belong_to_the_stages() {
        for i in 0..NODES {
            for j in 0..NODES {
                let entry: f64 = (0..NODES).map(|k| INVERSE[i][k] * A[k][j]).sum();
                assert!((entry - f64::from(u8::from(i == j))).abs() < 1e-13, "{i}, {j}: {entry}");
                assert_eq!(extension(C[i]).0[j + 1], A[i][j]);
                assert!((extension(C[i]).1[j + 1] - f64::from(u8::from(i == j))).abs() < 1e-13);
            }
        }
        // The real eigenvalue of A^-1.
        let inverse = nalgebra::SMatrix::<f64, NODES, NODES>::from_fn(|i, j| INVERSE[i][j]);
        let shifted = inverse - nalgebra::SMatrix::identity() / GAMMA;
        assert!(shifted.determinant().abs() < 1e-10 * inverse.determinant());
    }
}
