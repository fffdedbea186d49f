//! The charge pump of the IVP test set (Guenther, Denk and Feldmann, Preprint 1745, TH Darmstadt 1995): a transistor whose gate is pulsed moves
//! charge between two capacitors. Index 2, 9 unknowns: charges of gate, source capacitor, source, drain capacitor and drain, the three voltages, the
//! current into the gate.

use super::Build;
use super::implicit::{Implicit, Law};
use crate::accuracy::references::Column;
use fourbar_multibody::dae::{Kind, Unknown};

/// Threshold voltage, body effect, surface potential \[V, V^0.5, V\], capacitance of the oxide \[F\].
const THRESHOLD: f64 = 0.2;
const BODY: f64 = 0.035;
const SURFACE: f64 = 1.01;
const OXIDE: f64 = 4e-12;
/// Capacitors at source and drain \[F\].
const SOURCE: f64 = 1.6e-12;
const DRAIN: f64 = 0.4e-12;
/// Pulses: height \[V\], period, times in a period at which the input bends \[s\].
const HIGH: f64 = 20.0;
const PERIOD: f64 = 120e-9;
const BENDS: [f64; 3] = [50e-9, 60e-9, 110e-9];
const PERIODS: usize = 10;

pub(in crate::accuracy) const PUMP: Build = Build {
    columns: || {
        let names = [("Q_gate", "C"), ("Q1", "C"), ("Q_source", "C"), ("Q2", "C"), ("Q_drain", "C")];
        let others = [("U_gate", "V"), ("U_source", "V"), ("U_drain", "V"), ("I", "A")];
        names.into_iter().chain(others).map(|(name, unit)| Column::new(name, unit)).collect()
    },
    formulated: false,
    system: Implicit::<Pump>::boxed,
};

struct Pump;

/// The input at t, of that piece of it that ends at or behind t.
fn input(t: f64) -> f64 {
    let part = t - ((t / PERIOD).ceil() - 1.0).max(0.0) * PERIOD;
    let [rise, high, fall] = BENDS;
    if part <= rise {
        0.0
    } else if part <= high {
        HIGH * (part - rise) / (high - rise)
    } else if part <= fall {
        HIGH
    } else {
        HIGH * (PERIOD - part).max(0.0) / (PERIOD - fall)
    }
}

/// Charges of gate, and of source or drain, at these voltages against the bulk, the source and the drain.
fn charges(bulk: f64, source: f64, drain: f64) -> [f64; 2] {
    let (high, low) = (source.max(drain), source.min(drain));
    let flat = THRESHOLD - BODY * SURFACE.sqrt() - SURFACE;
    let body = (SURFACE - high + bulk).sqrt();
    let threshold = THRESHOLD + BODY * (body - SURFACE.sqrt());
    if bulk <= flat {
        return [OXIDE * (bulk - flat), 0.0];
    }
    if high <= threshold {
        let half = 0.5 * BODY;
        return [OXIDE * BODY * ((half * half + bulk - flat).sqrt() - half), 0.0];
    }
    let (high, low) = (high - threshold, (low - threshold).max(0.0));
    let channel = high + low - high * low / (high + low);
    [OXIDE * (2.0 / 3.0 * channel + BODY * body), -OXIDE / 3.0 * channel]
}

impl Law for Pump {
    fn unknowns() -> Vec<Unknown> {
        let unknown = |kind, error_tested, typical, scale_power| Unknown { kind, error_tested, scale_power, typical };
        let mut all = vec![unknown(Kind::STATE, true, 1e-11, 0); 5];
        all.extend([unknown(Kind::ALGEBRAIC, true, 1.0, 0); 3]);
        // The current is the derivative of a charge that the input fixes: of index 2.
        all.push(unknown(Kind::ALGEBRAIC, false, 1e-3, 1));
        all
    }

    fn start() -> [Vec<f64>; 2] {
        let mut y = vec![0.0; 9];
        y[0] = charges(0.0, 0.0, 0.0)[0];
        [y, vec![0.0; 9]]
    }

    fn residual(t: f64, y: &[f64], yp: &[f64], residual: &mut [f64]) {
        let [gate, channel] = charges(y[5], y[5] - y[6], y[5] - y[7]);
        residual[0] = yp[0] + y[8];
        residual[1] = yp[1] + yp[2];
        residual[2] = yp[3] + yp[4];
        residual[3] = y[5] - input(t);
        residual[4] = y[0] - gate;
        residual[5] = y[1] - SOURCE * y[6];
        residual[6] = y[2] - channel;
        residual[7] = y[3] - DRAIN * y[7];
        residual[8] = y[4] - channel;
    }

    fn breaks() -> Vec<f64> {
        let bends = |k: usize| [0.0, BENDS[0], BENDS[1], BENDS[2]].map(|bend| k as f64 * PERIOD + bend);
        (0..PERIODS).flat_map(bends).skip(1).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::implicit::start_residual;
    use super::*;

    #[test]
    fn the_start_is_consistent_and_has_the_charge_of_the_test_set() {
        assert!(start_residual::<Pump>() < 1e-28);
        let [y, _] = Pump::start();
        assert!((y[0] / 0.126_280_042_987_675_9e-12 - 1.0).abs() < 1e-14, "{}", y[0]);
    }

    #[test]
    fn the_input_is_a_row_of_trapezoids() {
        for (t, volt) in [(0.0, 0.0), (50e-9, 0.0), (55e-9, 10.0), (80e-9, 20.0), (115e-9, 10.0), (120e-9, 0.0)] {
            for k in 0..PERIODS {
                let own = input(t + k as f64 * PERIOD);
                assert!((own - volt).abs() < 1e-5, "{t} in period {k}: {own}");
            }
        }
        assert_eq!(Pump::breaks().len(), 39);
    }
}
