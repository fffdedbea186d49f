//! Pipes in cells: a valve that closes at once gives the pressure of Joukowsky and no ringing beyond it, friction is that of Hagen and Poiseuille, and
//! the damping is what the documentation says.

use fourbar_dae::integrator::{Gstiff, Integrator, Stop};
use fourbar_hydraulics::{Circuit, Model};
use proptest::prelude::*;
use serde_json::{Value, json};

const VESSEL: f64 = 2e7;
const DENSITY: f64 = 860.0;

fn compile(model: &Value) -> Circuit {
    Circuit::compile(&serde_json::from_value::<Model>(model.clone()).unwrap()).unwrap()
}

#[derive(Debug, Clone, Copy)]
struct Pipe {
    length: f64,
    diameter: f64,
    modulus: f64,
    segments: usize,
}

impl Pipe {
    fn speed(self) -> f64 {
        (self.modulus / DENSITY).sqrt()
    }

    fn area(self) -> f64 {
        std::f64::consts::PI * self.diameter * self.diameter / 4.0
    }

    /// From a vessel to a valve that draws `flow`, a signal.
    fn model(self, viscosity: f64, flow: &str) -> Value {
        json!({
            "fluid": { "density": DENSITY, "viscosity": viscosity, "bulk_modulus": { "type": "constant", "value": self.modulus } },
            "node": [ { "type": "pressure", "name": "vessel", "pressure": VESSEL }, { "type": "volume", "name": "valve" },
                      { "type": "tank", "name": "tank" } ],
            "component": [
                { "type": "pipe", "name": "pipe", "from": "vessel", "to": "valve", "length": self.length, "diameter": self.diameter,
                  "segments": self.segments },
                { "type": "flow_source", "name": "outlet", "from": "valve", "to": "tank", "flow": flow } ],
        })
    }

    /// Pressures at the valve beyond that of the vessel, at the ends of the steps, after a flow of the velocity v is cut off at l/c, and times in l/c.
    fn closure(self, v: f64, travels: f64) -> Vec<[f64; 2]> {
        let travel = self.length / self.speed();
        let mut circuit = compile(&self.model(1e-9, &format!("if(time < {travel:?}, {:?}, 0)", v * self.area())));
        let start = circuit.steady(0.0).unwrap();
        let valve = circuit.output("valve.pressure").unwrap();
        let method = Gstiff { order_max: 2, ..Gstiff::with_tolerance(1e-6) };
        let mut run = method.start(circuit, 0.0, &start.y, &start.yp, (1.0 + travels) * travel).unwrap();
        let mut seen = vec![];
        loop {
            let stop = run.step().unwrap();
            if run.time() > travel * (1.0 + 1e-9) {
                seen.push([run.time() / travel - 1.0, run.state()[valve] - VESSEL]);
            }
            if stop == Stop::EndTime {
                return seen;
            }
        }
    }
}

fn pipe() -> impl Strategy<Value = Pipe> {
    (0.1..100.0, 0.003..0.1, 7e8..2.5e9, prop_oneof![Just(1_usize), Just(2), Just(10), 1_usize..40])
        .prop_map(|(length, diameter, modulus, segments)| Pipe { length, diameter, modulus, segments })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn a_valve_that_closes_at_once_gives_rho_c_dv_and_no_ringing_beyond_it(pipe in pipe(), v in 0.1..5.0) {
        let joukowsky = DENSITY * pipe.speed() * v;
        let seen = pipe.closure(v, 12.0);
        for [time, pressure] in &seen {
            prop_assert!(pressure.abs() < 1.001 * joukowsky, "{pressure} of {joukowsky} after {time} travels");
        }
        prop_assert!((seen[0][1] / joukowsky - 1.0).abs() < 0.01, "{:?} {joukowsky}", seen[0]);
    }

    #[test]
    fn friction_is_that_of_hagen_and_poiseuille(pipe in pipe(), viscosity in 1e-3..1.0, v in 1e-3..1.0) {
        let flow: f64 = v * pipe.area();
        let drop = 32.0 * viscosity * pipe.length * v / (pipe.diameter * pipe.diameter);
        prop_assume!(drop < 0.9 * VESSEL);
        let mut circuit = compile(&pipe.model(viscosity, &format!("{flow:?}")));
        let steady = circuit.steady(0.0).unwrap();
        let mut values = vec![0.0; circuit.outputs().len()];
        circuit.observe(0.0, &steady.y, &mut values).unwrap();
        let found = |name: &str| values[circuit.output(name).unwrap()];
        prop_assert!(f64::abs(VESSEL - found("valve.pressure") - drop) < 1e-9 * (drop + VESSEL * 1e-3));
        for k in 1..=pipe.segments {
            for side in ["flow", "flow_from", "flow_to"] {
                let passed: f64 = found(&format!("pipe.s{k}.{side}"));
                prop_assert!((passed / flow - 1.0).abs() < 1e-9, "cell {} {}: {}", k, side, passed);
            }
        }
    }
}

#[test]
fn ringing_dies_out_as_documented() {
    for segments in [10, 20] {
        let pipe = Pipe { length: 20.0, diameter: 0.02, modulus: 1.4e9, segments };
        let seen = pipe.closure(1.0, 20.0);
        // In the fifth period the square wave is a sine.
        let largest = |from: f64| {
            seen.iter().filter(|[time, _]| (from..from + 4.0).contains(time)).map(|[_, p]| p.abs()).fold(0.0, f64::max)
        };
        let ratio = largest(15.0) / largest(11.0);
        let expected = (-std::f64::consts::PI.powi(2) / (2.0 * segments as f64)).exp();
        assert!((ratio / expected - 1.0).abs() < 0.03, "{segments}: {ratio}, expected {expected}");
    }
}
