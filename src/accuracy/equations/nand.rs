//! The NAND gate of the IVP test set (Guenther and Rentrop 1996): three transistors after Shichman and Hodges, 14 node voltages, capacitances that
//! depend on them: C(y) y' = f(t, y). Times are in ns, resistances in kOhm, currents in mA.

use super::Build;
use super::implicit::{Implicit, Law};
use crate::accuracy::references::Column;
use fourbar_multibody::dae::{Kind, Unknown};

const NODES: usize = 14;
/// Resistances at gate sides and at the bulk.
const R_GATE: f64 = 4.0;
const R_BULK: f64 = 10.0;
/// Capacitances: of the gate, of the junctions at 0 V, of the two nodes between transistors.
const C_GATE: f64 = 0.6e-4;
const C_JUNCTION: f64 = 2.4e-5;
const C_NODE: f64 = 0.5e-4;
const JUNCTION: f64 = 0.87;
/// Channel length modulation, saturation current, thermal voltage; supply and bulk \[V\].
const DELTA: f64 = 0.02;
const SATURATION: f64 = 1e-14;
const THERMAL: f64 = 25.85;
const SUPPLY: f64 = 5.0;
const BULK: f64 = -2.5;
/// Height of the pulses, and the time in which they rise and fall.
const HIGH: f64 = 5.0;
const RAMP: f64 = 5.0;
const END: f64 = 80.0;
const MIDDLE: f64 = 3.623_85;
/// Nodes come in fives: gate side of the source, of the drain, bulk at the source, bulk at the drain, node between transistors.
const START: [f64; NODES] =
    [SUPPLY, SUPPLY, BULK, BULK, SUPPLY, MIDDLE, SUPPLY, BULK, BULK, MIDDLE, 0.0, MIDDLE, BULK, BULK];

pub(in crate::accuracy) const NAND: Build = Build {
    columns: || (1..=NODES).map(|k| Column::new(format!("U{k}"), "V")).collect(),
    formulated: false,
    system: Implicit::<Nand>::boxed,
};

struct Nand;

/// A kind of transistor: threshold, body effect, surface potential, conductances in both directions.
struct Transistor {
    threshold: f64,
    body: f64,
    surface: f64,
    conductance: [f64; 2],
}

const DEPLETION: Transistor = Transistor { threshold: -2.43, body: 0.2, surface: 1.28, conductance: [5.35e-4; 2] };
/// The test set solves with a tenth of the conductance where drain and source change places.
const ENHANCEMENT: Transistor =
    Transistor { threshold: 0.2, body: 0.035, surface: 1.01, conductance: [1.748e-3, 1.748e-4] };

impl Transistor {
    /// Current from source to drain; voltages of drain, gate and bulk against the source, and of gate and bulk against the drain.
    fn current(&self, drain: f64, source: [f64; 2], other: [f64; 2]) -> f64 {
        let (along, [gate, bulk], sign, conductance) = if drain > 0.0 {
            (drain, source, -1.0, self.conductance[0])
        } else {
            (-drain, other, 1.0, self.conductance[1])
        };
        let over = gate - self.threshold - self.body * ((self.surface - bulk).sqrt() - self.surface.sqrt());
        let shape = if over <= 0.0 {
            0.0
        } else if over <= along {
            over * over
        } else {
            along * (2.0 * over - along)
        };
        // A square root of a negative number must not pass for a transistor without current.
        if over.is_nan() { over } else { sign * conductance * shape * (1.0 + DELTA * along) }
    }
}

/// Current through a junction.
fn leak(voltage: f64) -> f64 {
    if voltage <= 0.0 { -SATURATION * ((voltage / THERMAL).exp() - 1.0) } else { 0.0 }
}

/// Capacitance of a junction.
fn capacitance(voltage: f64) -> f64 {
    if voltage <= 0.0 {
        C_JUNCTION / (1.0 - voltage / JUNCTION).sqrt()
    } else {
        C_JUNCTION * (1.0 + voltage / (2.0 * JUNCTION))
    }
}

/// A pulse with its slope at t, of that piece of it that ends at or behind t: low, a ramp, high, a ramp.
fn pulse(t: f64, low: f64, high: f64, period: f64) -> [f64; 2] {
    let part = t - ((t / period).ceil() - 1.0).max(0.0) * period;
    if part <= low {
        [0.0, 0.0]
    } else if part <= low + RAMP {
        [HIGH / RAMP * (part - low), HIGH / RAMP]
    } else if part <= low + RAMP + high {
        [HIGH, 0.0]
    } else {
        [HIGH / RAMP * (period - part), -HIGH / RAMP]
    }
}

impl Law for Nand {
    fn unknowns() -> Vec<Unknown> {
        vec![Unknown { kind: Kind::STATE, error_tested: true, scale_power: 0, typical: 1.0 }; NODES]
    }

    fn start() -> [Vec<f64>; 2] {
        [START.to_vec(), vec![0.0; NODES]]
    }

    /// The sum of the currents into each node.
    fn residual(t: f64, y: &[f64], yp: &[f64], residual: &mut [f64]) {
        let [[v1, d1], [v2, d2]] = [pulse(t, 5.0, 5.0, 20.0), pulse(t, 15.0, 15.0, 40.0)];
        let channel = |kind: &Transistor, gate: f64, [s, d, bs, bd]: [f64; 4], below: f64, above: f64| {
            kind.current(d - s, [gate - s, bs - below], [gate - d, bd - above])
        };
        let first = channel(&DEPLETION, y[4], [y[0], y[1], y[2], y[3]], y[4], SUPPLY);
        let second = channel(&ENHANCEMENT, v1, [y[5], y[6], y[7], y[8]], y[9], y[4]);
        let third = channel(&ENHANCEMENT, v2, [y[10], y[11], y[12], y[13]], 0.0, y[9]);
        let through = |from: f64, to: f64, resistance: f64| (from - to) / resistance;
        // Junctions: the node of the bulk, and voltage and rate of the other side.
        let junction = |bulk: usize, other: f64, rate: f64| {
            let voltage = y[bulk] - other;
            (capacitance(voltage) * (yp[bulk] - rate), leak(voltage))
        };
        let [j2, j3] = [junction(2, y[4], yp[4]), junction(3, SUPPLY, 0.0)];
        let [j7, j8] = [junction(7, y[9], yp[9]), junction(8, y[4], yp[4])];
        let [j12, j13] = [junction(12, 0.0, 0.0), junction(13, y[9], yp[9])];
        residual[0] = C_GATE * (yp[0] - yp[4]) + through(y[0], y[4], R_GATE) + first;
        residual[1] = C_GATE * (yp[1] - yp[4]) + through(y[1], SUPPLY, R_GATE) - first;
        residual[4] = C_GATE * (2.0 * yp[4] - yp[0] - yp[1]) + C_NODE * yp[4] - j2.0 - j8.0
            + through(y[4], y[0], R_GATE)
            + through(y[4], y[6], R_GATE)
            + j2.1
            + j8.1;
        residual[5] = C_GATE * (yp[5] - d1) + through(y[5], y[9], R_GATE) + second;
        residual[6] = C_GATE * (yp[6] - d1) + through(y[6], y[4], R_GATE) - second;
        residual[9] =
            C_NODE * yp[9] - j7.0 - j13.0 + through(y[9], y[5], R_GATE) + through(y[9], y[11], R_GATE) + j7.1 + j13.1;
        residual[10] = C_GATE * (yp[10] - d2) + through(y[10], 0.0, R_GATE) + third;
        residual[11] = C_GATE * (yp[11] - d2) + through(y[11], y[9], R_GATE) - third;
        for (node, (charge, leak)) in [(2, j2), (3, j3), (7, j7), (8, j8), (12, j12), (13, j13)] {
            residual[node] = charge + through(y[node], BULK, R_BULK) - leak;
        }
    }

    /// Both pulses bend at multiples of 5 ns.
    fn breaks() -> Vec<f64> {
        let count = (END / RAMP) as usize;
        (1..count).map(|k| k as f64 * RAMP).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::implicit::start_residual;
    use super::*;

    #[test]
    fn the_start_is_at_rest_but_for_the_digits_it_is_given_in() {
        // The middle voltage has six digits; a transistor carries up to 0.01 mA.
        let residual = start_residual::<Nand>();
        assert!(residual < 1e-6, "{residual:e}");
    }

    #[test]
    fn pulses_are_trapezoids() {
        for (t, value) in [(0.0, 0.0), (5.0, 0.0), (7.5, 2.5), (12.0, 5.0), (17.5, 2.5), (20.0, 0.0), (27.5, 2.5)] {
            assert_eq!(pulse(t, 5.0, 5.0, 20.0)[0], value, "{t}");
        }
        assert_eq!(pulse(17.5, 15.0, 15.0, 40.0), [2.5, 1.0]);
        assert_eq!(pulse(37.5, 15.0, 15.0, 40.0), [2.5, -1.0]);
    }
}
