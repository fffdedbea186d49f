//! The chemical problem of Akzo Nobel in the IVP test set (Stortelder 1998): two species react while carbon dioxide is led through; one of the six
//! concentrations is in equilibrium. Index 1.

use super::Build;
use super::implicit::{Implicit, Law};
use crate::accuracy::references::Column;
use fourbar_multibody::dae::{Kind, Unknown};

/// Rates of the reactions; K is the equilibrium constant of the second one.
const RATES: [f64; 4] = [18.7, 0.58, 0.09, 0.42];
const K: f64 = 34.4;
/// Inflow of carbon dioxide: coefficient, partial pressure, Henry's constant.
const INFLOW: f64 = 3.3;
const PRESSURE: f64 = 0.9;
const HENRY: f64 = 737.0;
/// y6 = KS y1 y4.
const KS: f64 = 115.83;
const START: [f64; 5] = [0.444, 0.001_23, 0.0, 0.007, 0.0];

pub(in crate::accuracy) const AKZO: Build = Build {
    columns: || (1..=6).map(|k| Column::new(format!("y{k}"), "mol/L")).collect(),
    formulated: false,
    system: Implicit::<Akzo>::boxed,
};

struct Akzo;

/// y1' to y5'.
fn rates(y: &[f64]) -> [f64; 5] {
    let [k1, k2, k3, k4] = RATES;
    let root = y[1].sqrt();
    let first = k1 * y[0].powi(4) * root;
    let (there, back) = (k2 * y[2] * y[3], k2 / K * y[0] * y[4]);
    let fourth = k3 * y[0] * y[3] * y[3];
    let fifth = k4 * y[5] * y[5] * root;
    let inflow = INFLOW * (PRESSURE / HENRY - y[1]);
    [
        -2.0 * first + there - back - fourth,
        -0.5 * first - fourth - 0.5 * fifth + inflow,
        first - there + back,
        -there + back - 2.0 * fourth,
        there - back + fifth,
    ]
}

impl Law for Akzo {
    fn unknowns() -> Vec<Unknown> {
        let unknown = |kind, typical| Unknown { kind, error_tested: true, scale_power: 0, typical };
        let states = [0.1, 1e-3, 0.1, 1e-3, 1e-2].map(|typical| unknown(Kind::STATE, typical));
        [&states[..], &[unknown(Kind::ALGEBRAIC, 1e-2)]].concat()
    }

    fn start() -> [Vec<f64>; 2] {
        let mut y = START.to_vec();
        y.push(KS * y[0] * y[3]);
        let mut yp = rates(&y).to_vec();
        yp.push(KS * (yp[0] * y[3] + y[0] * yp[3]));
        [y, yp]
    }

    fn residual(_: f64, y: &[f64], yp: &[f64], residual: &mut [f64]) {
        for (k, rate) in rates(y).into_iter().enumerate() {
            residual[k] = yp[k] - rate;
        }
        residual[5] = y[5] - KS * y[0] * y[3];
    }
}

#[cfg(test)]
mod tests {
    use super::super::implicit::start_residual;
    use super::*;

    #[test]
    fn the_start_is_consistent() {
        assert_eq!(start_residual::<Akzo>(), 0.0);
    }
}
