//! The coefficients of the methods as combinations of phi functions, and the matrices made of them.

use fourbar_linalg::phi::DoubleDouble;
use nalgebra::DMatrix;

use super::method::ExponentialMethod;
use crate::interpolation::lagrange_coefficients;
use crate::stepper::panels::Panels;
use crate::{Error, GMatrices};

/// Where in the step a phi function or a stage belongs: at c h.
#[derive(Debug, Clone, Copy, PartialEq)]
enum At {
    /// c = 1/2.
    Half,
    /// c = 1.
    End,
}
use At::{End, Half};

impl At {
    fn c(self) -> f64 {
        if self == Half { 0.5 } else { 1.0 }
    }
}

/// sum of weight phi_index(c h A): (c, index, weight).
type Sum = &'static [(At, usize, f64)];

/// One row of a tableau: X = e^{chA} x + h sum_j a_j(hA) F_j, the a_j from the first that is not zero.
struct Row {
    at: At,
    first: usize,
    a: &'static [Sum],
}

const PHI_1_HALF: Sum = &[(Half, 1, 0.5)];
/// The weights of F_1, of F_2 and F_3, and of F_4, that the methods of order 4 with four stages have in common.
const B_1: Sum = &[(End, 1, 1.0), (End, 2, -3.0), (End, 3, 4.0)];
const B_23: Sum = &[(End, 2, 2.0), (End, 3, -4.0)];
const B_4: Sum = &[(End, 2, -1.0), (End, 3, 4.0)];
/// a_52 = a_53 = 1/2 phi_2(z/2) - phi_3(z) + 1/4 phi_2(z) - 1/2 phi_3(z/2) of Hochbruck and Ostermann; a_54 = 1/4 phi_2(z/2) - a_52 and
/// a_51 = 1/2 phi_1(z/2) - 2 a_52 - a_54 follow.
const A_52: Sum = &[(Half, 2, 0.5), (End, 3, -1.0), (End, 2, 0.25), (Half, 3, -0.5)];
const A_54: Sum = &[(Half, 2, -0.25), (End, 3, 1.0), (End, 2, -0.25), (Half, 3, 0.5)];
const A_51: Sum = &[(Half, 1, 0.5), (Half, 2, -0.75), (End, 3, 1.0), (End, 2, -0.25), (Half, 3, 0.5)];

const MIDPOINT: &[Row] = &[
    Row { at: Half, first: 0, a: &[PHI_1_HALF] },
    Row { at: End, first: 0, a: &[&[(End, 1, 1.0), (End, 2, -2.0)], &[(End, 2, 2.0)]] },
];
const ETDRK2: &[Row] = &[
    Row { at: End, first: 0, a: &[&[(End, 1, 1.0)]] },
    Row { at: End, first: 0, a: &[&[(End, 1, 1.0), (End, 2, -1.0)], &[(End, 2, 1.0)]] },
];
const ETDRK4: &[Row] = &[
    Row { at: Half, first: 0, a: &[PHI_1_HALF] },
    Row { at: Half, first: 1, a: &[PHI_1_HALF] },
    Row { at: End, first: 0, a: &[&[(End, 1, 1.0), (Half, 1, -1.0)], &[], &[(Half, 1, 1.0)]] },
    Row { at: End, first: 0, a: &[B_1, B_23, B_23, B_4] },
];
const KROGSTAD: &[Row] = &[
    Row { at: Half, first: 0, a: &[PHI_1_HALF] },
    Row { at: Half, first: 0, a: &[&[(Half, 1, 0.5), (Half, 2, -1.0)], &[(Half, 2, 1.0)]] },
    Row { at: End, first: 0, a: &[&[(End, 1, 1.0), (End, 2, -2.0)], &[], &[(End, 2, 2.0)]] },
    Row { at: End, first: 0, a: &[B_1, B_23, B_23, B_4] },
];
const HOCHBRUCK_OSTERMANN: &[Row] = &[
    Row { at: Half, first: 0, a: &[PHI_1_HALF] },
    Row { at: Half, first: 0, a: &[&[(Half, 1, 0.5), (Half, 2, -1.0)], &[(Half, 2, 1.0)]] },
    Row { at: End, first: 0, a: &[&[(End, 1, 1.0), (End, 2, -2.0)], &[(End, 2, 1.0)], &[(End, 2, 1.0)]] },
    Row { at: Half, first: 0, a: &[A_51, A_52, A_52, A_54] },
    Row { at: End, first: 0, a: &[B_1, &[], &[], B_4, &[(End, 2, 4.0), (End, 3, -8.0)]] },
];

fn rows(method: ExponentialMethod) -> &'static [Row] {
    match method {
        ExponentialMethod::MidpointRealTime => MIDPOINT,
        ExponentialMethod::Etdrk2 => ETDRK2,
        ExponentialMethod::Etdrk4 => ETDRK4,
        ExponentialMethod::Krogstad => KROGSTAD,
        ExponentialMethod::HochbruckOstermann => HOCHBRUCK_OSTERMANN,
        ExponentialMethod::Adams { .. } | ExponentialMethod::AdamsRealTime { .. } => &[],
    }
}

/// A stage, or the result, as one product with [x; F_first, F_first+1, ...].
#[derive(Debug, Clone)]
pub(super) struct Stage {
    pub(super) product: Panels,
    /// Its place in the step, in units of h.
    pub(super) c: f64,
    /// The first and the number of the F that enter.
    pub(super) slopes: std::ops::Range<usize>,
}

/// The stages of a Runge-Kutta method, its result last; none for the other methods.
///
/// # Errors
/// [`crate::Error::Transition`].
pub(super) fn stages(method: ExponentialMethod, a: &DMatrix<f64>, step: f64) -> Result<Vec<Stage>, Error> {
    let rows = rows(method);
    if rows.is_empty() {
        return Ok(Vec::new());
    }
    let half = GMatrices::new(a, step / 2.0, 2)?;
    let end = half.doubled()?;
    let stage = |row: &Row| {
        let exp = if row.at == Half { half.exp() } else { end.exp() };
        let blocks = row.a.iter().map(|sum| weight(sum, &half, &end));
        Stage {
            product: Panels::new(&side_by_side(exp, blocks)),
            c: row.at.c(),
            slopes: row.first..row.first + row.a.len(),
        }
    };
    Ok(rows.iter().map(stage).collect())
}

/// h times a sum of phi functions: h phi_k(c h A) = G_{k-1}(c h) / (c (k-1)!).
fn weight(sum: Sum, half: &GMatrices, end: &GMatrices) -> DMatrix<f64> {
    let part = |at: At, g: &GMatrices| {
        let mut weights = [DoubleDouble::default(); 3];
        for &(_, k, weight) in sum.iter().filter(|term| term.0 == at) {
            let factorial = if k == 3 { 2.0 } else { 1.0 };
            weights[k - 1] = DoubleDouble::from(weight / at.c() / factorial);
        }
        g.combination(&weights)
    };
    part(Half, half) + part(End, end)
}

/// [e^{hA}, weights of F at the times theta = `newest`, newest - 1, ...] of the interpolation through `count` values.
///
/// # Errors
/// [`crate::Error::Transition`].
pub(super) fn multistep(g: &GMatrices, newest: i32, count: usize) -> Panels {
    let nodes: Vec<_> = (0..count as i32).map(|i| DoubleDouble::from(f64::from(newest - i))).collect();
    let blocks = lagrange_coefficients(&nodes).into_iter().map(|weights| g.combination(&weights));
    Panels::new(&side_by_side(g.exp(), blocks))
}

fn side_by_side(exp: &DMatrix<f64>, blocks: impl Iterator<Item = DMatrix<f64>>) -> DMatrix<f64> {
    let n = exp.nrows();
    let mut columns = exp.as_slice().to_vec();
    for block in blocks {
        columns.extend_from_slice(block.as_slice());
    }
    let count = columns.len().checked_div(n).unwrap_or(0);
    DMatrix::from_vec(n, count, columns)
}

#[cfg(test)]
mod tests {
    use nalgebra::dmatrix;

    use super::*;

    /// For A = 0 the methods become the classical ones of the same stages.
    #[test]
    fn classical_methods_at_zero() {
        let zero = dmatrix![0.0];
        let weights = |method| {
            let (half, end) = (GMatrices::new(&zero, 0.5, 2).unwrap(), GMatrices::new(&zero, 1.0, 2).unwrap());
            let row = |row: &Row| row.a.iter().map(|sum| weight(sum, &half, &end)[0]).collect::<Vec<_>>();
            rows(method).iter().map(row).collect::<Vec<_>>()
        };
        let runge_kutta =
            vec![vec![0.5], vec![0.5], vec![0.0, 0.0, 1.0], vec![1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0]];
        assert_close(&weights(ExponentialMethod::Etdrk4), &runge_kutta);
        assert_close(&weights(ExponentialMethod::Etdrk2), &[vec![1.0], vec![0.5, 0.5]]);
        assert_close(&weights(ExponentialMethod::MidpointRealTime), &[vec![0.5], vec![0.0, 1.0]]);
    }

    fn assert_close(left: &[Vec<f64>], right: &[Vec<f64>]) {
        for (l, r) in left.iter().flatten().zip(right.iter().flatten()) {
            assert!((l - r).abs() < 1e-15, "{left:?}, {right:?}");
        }
    }

    /// Every stage satisfies sum_j a_ij = c_i phi_1(c_i z) (Hochbruck and Ostermann 2005, eq. 2.10), the result the conditions
    /// of stiff order up to 3 that its stage-independent part allows: sum b_i = phi_1, sum b_i c_i = phi_2 and sum b_i c_i^2 / 2 = phi_3.
    #[test]
    fn stiff_order_conditions() {
        let z = dmatrix![-7.0];
        let (half, end) = (GMatrices::new(&z, 0.5, 2).unwrap(), GMatrices::new(&z, 1.0, 2).unwrap());
        let phi = |k: usize, z: f64| match k {
            1 => z.exp_m1() / z,
            2 => (z.exp_m1() / z - 1.0) / z,
            _ => ((z.exp_m1() / z - 1.0) / z - 0.5) / z,
        };
        use ExponentialMethod::{Etdrk2, Etdrk4, HochbruckOstermann, Krogstad, MidpointRealTime};
        for method in [MidpointRealTime, Etdrk2, Etdrk4, Krogstad, HochbruckOstermann] {
            let rows = rows(method);
            for row in rows {
                let sum: f64 = row.a.iter().map(|sum| weight(sum, &half, &end)[0]).sum();
                assert!((sum - row.at.c() * phi(1, -7.0 * row.at.c())).abs() < 1e-15, "{method:?}");
            }
            let (result, inner) = rows.split_last().unwrap();
            let c = |i: usize| if i == 0 { 0.0 } else { inner[i - 1].at.c() };
            for k in 2..=if method.order() == 4 { 3 } else { 2 } {
                let factorial = if k == 3 { 2.0 } else { 1.0 };
                let moments = result.a.iter().enumerate();
                let sum: f64 = moments.map(|(i, sum)| weight(sum, &half, &end)[0] * c(i).powi(k - 1) / factorial).sum();
                assert!((sum - phi(k as usize, -7.0)).abs() < 1e-15, "{method:?}, phi_{k}");
            }
        }
    }
}
