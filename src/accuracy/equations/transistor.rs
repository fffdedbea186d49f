//! The transistor amplifier of the IVP test set (Rentrop, Roche and Steinebach 1989): two transistors in a row amplify a sine of 100 Hz. Index 1,
//! 8 unknowns. Each capacitor joins two nodes, so that the mass matrix has rank 5.

use super::Build;
use super::implicit::{Implicit, Law};
use crate::accuracy::references::Column;
use fourbar_multibody::dae::{Kind, Unknown};

const NODES: usize = 8;
/// Supply and thermal voltage \[V\].
const SUPPLY: f64 = 6.0;
const THERMAL: f64 = 0.026;
/// Current through the collector, of that of the emitter.
const ALPHA: f64 = 0.99;
/// Saturation current \[A\].
const BETA: f64 = 1e-6;
/// Resistance at the input, and all others \[Ohm\].
const R0: f64 = 1000.0;
const R: f64 = 9000.0;
/// Capacitances C1 to C5 \[F\].
const C: [f64; 5] = [1e-6, 2e-6, 3e-6, 4e-6, 5e-6];
/// Amplitude \[V\] and frequency \[rad/s\] of the input.
const AMPLITUDE: f64 = 0.1;
const FREQUENCY: f64 = 200.0 * std::f64::consts::PI;

pub(in crate::accuracy) const TRANSISTOR: Build = Build {
    columns: || (1..=NODES).map(|k| Column::new(format!("U{k}"), "V")).collect(),
    formulated: false,
    system: Implicit::<Transistor>::boxed,
};

struct Transistor;

/// Current from base to emitter at this voltage, and its slope.
fn diode(voltage: f64) -> [f64; 2] {
    let growth = (voltage / THERMAL).exp();
    [BETA * (growth - 1.0), BETA * growth / THERMAL]
}

impl Law for Transistor {
    fn unknowns() -> Vec<Unknown> {
        vec![Unknown { kind: Kind::STATE, error_tested: true, scale_power: 0, typical: 1.0 }; NODES]
    }

    /// At rest, both transistors without current. Rates: those of nodes that a capacitor joins are equal, since no current flows through it; the
    /// others follow from the derivative of the sum of their two rows, in which the capacitor cancels.
    fn start() -> [Vec<f64>; 2] {
        let half = SUPPLY / 2.0;
        let slope = diode(0.0)[1];
        let (base, collector) = ((1.0 - ALPHA) * slope, ALPHA * slope);
        let [v3, v6] = [C[1], C[3]].map(|c| -half / (c * R));
        let v2 = (AMPLITUDE * FREQUENCY / R0 + base * v3) / (1.0 / R0 + 2.0 / R + base);
        let v5 = (base * v6 - collector * (v2 - v3)) / (3.0 / R + base);
        let v8 = -collector * (v5 - v6) / (2.0 / R);
        [vec![0.0, half, half, SUPPLY, half, half, SUPPLY, 0.0], vec![v2, v2, v3, v5, v5, v6, v8, v8]]
    }

    /// The sum of the currents into each node.
    fn residual(t: f64, y: &[f64], yp: &[f64], residual: &mut [f64]) {
        let input = AMPLITUDE * (FREQUENCY * t).sin();
        let [[first, _], [second, _]] = [diode(y[1] - y[2]), diode(y[4] - y[5])];
        let through = |k: usize, from: usize, to: usize| C[k] * (yp[to] - yp[from]);
        let [c1, c3, c5] = [through(0, 0, 1), through(2, 3, 4), through(4, 6, 7)];
        residual[0] = c1 - (y[0] - input) / R0;
        residual[1] = -c1 - y[1] / R - (y[1] - SUPPLY) / R - (1.0 - ALPHA) * first;
        residual[2] = -C[1] * yp[2] - y[2] / R + first;
        residual[3] = c3 - (y[3] - SUPPLY) / R - ALPHA * first;
        residual[4] = -c3 - y[4] / R - (y[4] - SUPPLY) / R - (1.0 - ALPHA) * second;
        residual[5] = -C[3] * yp[5] - y[5] / R + second;
        residual[6] = c5 - (y[6] - SUPPLY) / R - ALPHA * second;
        residual[7] = -c5 - y[7] / R;
    }
}

#[cfg(test)]
mod tests {
    use super::super::implicit::start_residual;
    use super::*;

    #[test]
    fn the_start_is_consistent_with_the_rates_of_the_test_set() {
        // Currents are of the order of 1e-4 A.
        assert!(start_residual::<Transistor>() < 1e-18);
        let [_, rates] = Transistor::start();
        // Those of the test set were found by differences: rows 4 and 5, and 7 and 8, added and differentiated by hand, give -24.9703 and -10.0003.
        for (k, told) in [(0, 51.338_775), (3, -24.975_766_7), (6, -10.005_644_53)] {
            assert!((rates[k] / told - 1.0).abs() < 1e-3, "{k}: {}", rates[k]);
        }
    }
}
