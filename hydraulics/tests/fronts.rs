//! Steep fronts in transmission lines against the characteristics on a fine grid, on every row of the results: what arrives at an end must be
//! seen there whether or not an unknown of the circuit shows it.

use fourbar_dae::Dae;
use fourbar_dae::integrator::{Gstiff, Integrator, Stop};
use fourbar_hydraulics::{Circuit, Model};
use serde_json::{Value, json};

const RHO: f64 = 860.0;
const E: f64 = 1.4e9;
const LENGTH: f64 = 10.0;
const DIAMETER: f64 = 0.02;
const HIGH: f64 = 2e7;
const LOW: f64 = 1e5;
const LAMINAR: f64 = 1e4;
const AREA: f64 = 1e-5;
/// When the valve begins to move \[s\].
const SHUT: f64 = 0.02;
/// Steps of the reference in a travel time, and rows there.
const GRID: usize = 32 * 400;
const ROWS: usize = 16;
const TRAVELS: usize = 10;

fn travel() -> f64 {
    LENGTH / f64::sqrt(E / RHO)
}

/// What is at the other end of the line.
#[derive(Debug, Clone, Copy)]
enum Other {
    Held(f64),
    Closed,
    Volume(f64),
}

/// The valve at the end "a" of the line, between a volume there and a held pressure, one of which moves from `SHUT` on.
#[derive(Debug, Clone, Copy)]
struct Case {
    other: Other,
    ramp: f64,
    volume: f64,
}

impl Case {
    /// Whether the valve shuts; else the pressure behind it falls.
    fn shuts(self) -> bool {
        matches!(self.other, Other::Held(_))
    }

    fn moved(self, t: f64) -> f64 {
        if self.ramp == 0.0 { f64::from(u8::from(t > SHUT)) } else { ((t - SHUT) / self.ramp).clamp(0.0, 1.0) }
    }

    /// Pressure behind the valve at its first.
    fn behind(self) -> f64 {
        match self.other {
            Other::Held(p) if p > LOW => LOW,
            _ => HIGH,
        }
    }

    /// Flow through the valve out of "a", and its derivative by the pressure there.
    fn valve(self, t: f64, p: f64) -> [f64; 2] {
        let s = self.moved(t);
        let (opening, behind) = if self.shuts() { (1.0 - s, self.behind()) } else { (1.0, HIGH - 1e7 * s) };
        let d = p - behind;
        let size = d * d + LAMINAR * LAMINAR;
        let gain = opening * AREA * 0.62 * f64::sqrt(2.0 / RHO);
        [gain * d / size.powf(0.25), gain * (0.5 * d * d + LAMINAR * LAMINAR) / size.powf(1.25)]
    }

    fn circuit(self) -> Circuit {
        let end = SHUT + self.ramp;
        let (opening, behind) = if self.shuts() {
            (ramp_of("1", "0", self.ramp, end), format!("{}", self.behind()))
        } else {
            ("1".to_owned(), ramp_of("2e7", "1e7", self.ramp, end))
        };
        let near = match self.other {
            Other::Held(p) if p > LOW => json!({ "type": "pressure", "name": "n", "pressure": p }),
            Other::Held(p) => json!({ "type": "tank", "name": "n", "pressure": p }),
            Other::Closed => json!({ "type": "volume", "name": "n", "start": HIGH }),
            Other::Volume(volume) => json!({ "type": "volume", "name": "n", "volume": volume, "start": HIGH }),
        };
        let model: Value = json!({
            // The reference is a liquid that bears any tension.
            "fluid": { "density": RHO, "viscosity": 1e-9, "bulk_modulus": { "type": "constant", "value": E }, "vapor": { "pressure": -1e9 } },
            "node": [ near, { "type": "volume", "name": "a", "volume": self.volume, "start": HIGH },
                { "type": "pressure", "name": "s", "pressure": behind } ],
            "component": [
                { "type": "transmission_line", "name": "l", "from": "n", "to": "a", "length": LENGTH, "diameter": DIAMETER },
                { "type": "orifice", "name": "o", "from": "a", "to": "s", "area": AREA, "opening": opening,
                  "laminar_below": LAMINAR } ] });
        Circuit::compile(&serde_json::from_value::<Model>(model).unwrap()).unwrap()
    }

    /// Pressure at "a" and the flow into the line at the other end, at all rows, by the characteristics: p = Z q + c at both ends, c = p + Z q
    /// of the other end a travel time before, and V p'/E = -q - valve by the trapezoidal rule.
    fn reference(self) -> Vec<[f64; 2]> {
        let z = RHO * f64::sqrt(E / RHO) / (std::f64::consts::PI * DIAMETER * DIAMETER / 4.0);
        let h = travel() / GRID as f64;
        let first = match self.other {
            Other::Held(p) => p,
            _ => HIGH,
        };
        let q = if self.shuts() { self.valve(0.0, first)[0] } else { 0.0 };
        let mut left = [vec![first + z * q; GRID], vec![first - z * q; GRID]];
        let (mut near, mut far) = ([first, first - z * q], [first, first + z * q]);
        let mut rows = vec![];
        for step in 1..=TRAVELS * GRID {
            let (before, t) = (SHUT + (step - 1) as f64 * h, SHUT + step as f64 * h);
            let place = (step - 1) % GRID;
            let next = |p: [f64; 2], c: f64, volume: f64, flow: &dyn Fn(f64, f64) -> [f64; 2]| {
                let storage = 2.0 * volume / (E * h);
                let rest = if volume > 0.0 { (p[1] - p[0]) / z - flow(before + 1e-12, p[0])[0] } else { 0.0 };
                let mut x = p[0];
                for _ in 0..30 {
                    let [q, slope] = flow(t - 1e-12, x);
                    let residual = storage * (x - p[0]) - rest - (c - x) / z + q;
                    let change = residual / (storage + 1.0 / z + slope);
                    x -= change;
                    if change.abs() < 1e-7 {
                        break;
                    }
                }
                [x, c]
            };
            let (c_near, c_far) = (left[1][place], left[0][place]);
            near = match self.other {
                Other::Held(p) => [p, c_near],
                Other::Closed => [c_near, c_near],
                Other::Volume(volume) => next(near, c_near, volume, &|_, _| [0.0; 2]),
            };
            far = next(far, c_far, self.volume, &|t, p| self.valve(t, p));
            left[0][place] = 2.0 * near[0] - c_near;
            left[1][place] = 2.0 * far[0] - c_far;
            if step % (GRID / ROWS) == GRID / ROWS / 2 {
                rows.push([far[0], (near[0] - near[1]) / z]);
            }
        }
        rows
    }

    /// The same by the library.
    fn found(self, tolerance: f64) -> Vec<[f64; 2]> {
        let mut circuit = self.circuit();
        let start = circuit.steady_from(0.0, vec![HIGH; circuit.dimension()]).unwrap();
        let outputs = ["a.pressure", "l.flow_from"].map(|name| circuit.output(name).unwrap());
        let mut values = vec![0.0; circuit.outputs().len()];
        let mut method = Gstiff::with_tolerance(tolerance);
        method.step.largest = circuit.longest_step().unwrap();
        let end = SHUT + TRAVELS as f64 * travel();
        let mut run = method.start(circuit, 0.0, &start.y, &start.yp, end).unwrap();
        let (mut y, mut yp) = (start.y.clone(), start.yp);
        let mut rows = vec![];
        loop {
            let stop = run.step().unwrap();
            loop {
                let time = SHUT + (rows.len() as f64 + 0.5) * travel() / ROWS as f64;
                if time > run.time() || rows.len() == ROWS * TRAVELS {
                    break;
                }
                run.interpolate(time, &mut y, &mut yp).unwrap();
                run.dae_mut().observe(time, &y, &mut values).unwrap();
                rows.push(outputs.map(|output| values[output]));
            }
            if stop == Stop::EndTime {
                return rows;
            }
        }
    }

    /// Largest error of pressure and flow over all rows, in parts of the largest change from the first state.
    fn error(self, expected: &[[f64; 2]], tolerance: f64) -> f64 {
        let found = self.found(tolerance);
        assert_eq!(found.len(), expected.len());
        let error = |k: usize| {
            let range = expected.iter().map(|row| (row[k] - expected[0][k]).abs()).fold(0.0, f64::max);
            let worst = expected.iter().zip(&found).map(|(e, f)| (e[k] - f[k]).abs()).fold(0.0, f64::max);
            if range > 0.0 { worst / range } else { 0.0 }
        };
        error(0).max(error(1))
    }
}

fn ramp_of(from: &str, to: &str, ramp: f64, end: f64) -> String {
    if ramp == 0.0 {
        format!("if(time<{SHUT},{from},{to})")
    } else {
        format!("{from}+({to}-{from})*max(0,min(1,(time-{SHUT})/({end}-{SHUT})))")
    }
}

#[test]
fn fronts_of_any_steepness_are_as_exact_as_the_tolerance_on_every_row() {
    for other in [Other::Held(HIGH), Other::Held(LOW), Other::Closed, Other::Volume(1e-4)] {
        for ramp in [3e-3, 1e-4, 1e-5, 0.0] {
            for volume in [0.0, 1e-6, 1e-4] {
                if ramp == 0.0 && volume == 0.0 && matches!(other, Other::Volume(_)) {
                    // The trapezoidal rule of the reference cannot pass a jump at the other end.
                    continue;
                }
                let case = Case { other, ramp, volume };
                let expected = case.reference();
                let errors = [1e-4, 1e-6, 1e-8].map(|tolerance| case.error(&expected, tolerance));
                // The last bound is what the trapezoidal rule of the reference leaves.
                for (error, bound) in errors.into_iter().zip([1e-2, 2e-4, 1e-4]) {
                    assert!(error <= bound, "{case:?}: {errors:?}");
                }
            }
        }
    }
}
