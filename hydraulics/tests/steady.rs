//! The steady state of any circuit of pumps, relief valves, orifices and volumes, over all fluids: its flows balance by the laws of the components
//! written here once more, and it is where a long run from the start values ends.

use crate::support::fluids;

use fluids::fluid;
use fourbar_dae::integrator::{Gstiff, Integrator, Stop};
use fourbar_hydraulics::{Circuit, Error, Model};
use proptest::prelude::*;
use serde_json::{Value, json};

const TANK: f64 = 101_325.0;
const DENSITY: f64 = 860.0;

/// A component between nodes; node 0 is the tank.
#[derive(Debug, Clone)]
enum Part {
    /// Area, pressure below which it is laminar.
    Orifice(f64, f64),
    /// Displacement times speed, leakage.
    Pump(f64, f64),
    /// Set pressure, slope, whether it senses its inlet alone.
    Relief(f64, f64, bool),
}

impl Part {
    /// Flow from the pressure p to the pressure q.
    fn flow(&self, p: f64, q: f64) -> f64 {
        let dp = p - q;
        match *self {
            Self::Orifice(area, laminar) => 0.62 * area * (2.0 / DENSITY).sqrt() * dp / dp.hypot(laminar).sqrt(),
            Self::Pump(flow, leakage) => flow + leakage * dp,
            Self::Relief(set, slope, inlet) => {
                let excess = if inlet { p } else { dp } - set;
                let z = (dp / 5e4_f64.min(set)).clamp(0.0, 1.0);
                slope * 0.5 * (excess + excess.hypot(5e4)) * z * z * (3.0 - 2.0 * z)
            }
        }
    }

    fn model(&self, name: String, from: usize, to: usize) -> Value {
        let mut part = match *self {
            Self::Orifice(area, laminar) => json!({ "type": "orifice", "area": area, "laminar_below": laminar }),
            Self::Pump(flow, leakage) => {
                json!({ "type": "fixed_pump", "displacement": 1e-5, "speed": flow / 1e-5, "leakage": leakage })
            }
            Self::Relief(set, slope, inlet) => {
                json!({ "type": "relief_valve", "pressure": set, "slope": slope, "sense": if inlet { "inlet" } else { "difference" } })
            }
        };
        part["name"] = json!(name);
        part["from"] = json!(node(from));
        part["to"] = json!(node(to));
        part
    }
}

fn node(k: usize) -> String {
    format!("n{k}")
}

#[derive(Debug, Clone)]
struct Network {
    /// Volume of each node from 1 on.
    volumes: Vec<f64>,
    parts: Vec<(Part, usize, usize)>,
}

impl Network {
    fn model(&self, fluid: &Value) -> Value {
        let volumes = self.volumes.iter().enumerate();
        let volumes = volumes.map(|(k, v)| json!({ "type": "volume", "name": node(k + 1), "volume": v }));
        let tank = json!({ "type": "tank", "name": node(0), "pressure": TANK });
        let parts = self.parts.iter().enumerate().map(|(k, (part, from, to))| part.model(format!("c{k}"), *from, *to));
        json!({ "fluid": fluid, "node": volumes.chain([tank]).collect::<Vec<_>>(), "component": parts.collect::<Vec<_>>() })
    }

    /// Largest imbalance of a node, over the largest flow.
    fn imbalance(&self, pressures: &[f64]) -> f64 {
        let mut sums = vec![0.0; self.volumes.len() + 1];
        let mut largest: f64 = 0.0;
        let at = |k: usize| if k == 0 { TANK } else { pressures[k - 1] };
        for (part, from, to) in &self.parts {
            let q = part.flow(at(*from), at(*to));
            sums[*from] -= q;
            sums[*to] += q;
            largest = largest.max(q.abs());
        }
        sums[1..].iter().fold(0.0, |worst: f64, sum| worst.max(sum.abs())) / largest
    }
}

/// Evenly in the logarithm.
fn decades(low: f64, high: f64) -> impl Strategy<Value = f64> {
    (low.ln()..high.ln()).prop_map(f64::exp)
}

fn orifice() -> impl Strategy<Value = Part> {
    (decades(1e-7, 1e-4), decades(1e3, 1e6)).prop_map(|(area, laminar)| Part::Orifice(area, laminar))
}

fn relief() -> impl Strategy<Value = Part> {
    (decades(1e5, 4e7), decades(1e-10, 1e-8), any::<bool>())
        .prop_map(|(set, slope, inlet)| Part::Relief(set, slope, inlet))
}

fn pump() -> impl Strategy<Value = Part> {
    (decades(1e-5, 2e-3), decades(1e-14, 1e-11)).prop_map(|(flow, leakage)| Part::Pump(flow, leakage))
}

/// Nodes on a tree of orifices and relief valves that hangs on the tank, further passages across, a pump from the tank with a relief valve,
/// and pumps from node to node with one as well.
fn network() -> impl Strategy<Value = Network> {
    (1_usize..7).prop_flat_map(|n| {
        let volumes = prop::collection::vec(decades(1e-6, 1e-1), n);
        let passage = prop_oneof![3 => orifice().boxed(), 1 => relief().boxed()];
        let branch = (orifice(), any::<prop::sample::Index>(), any::<bool>());
        let tree = prop::collection::vec(branch, n);
        let across = prop::collection::vec((passage, 0..=n, 0..=n), 0..n);
        let fed = prop::collection::vec((pump(), relief(), 1..=n), 1..3);
        let boosters = prop::collection::vec((pump(), relief(), 1..=n, 1..=n), 0..2);
        (volumes, tree, across, fed, boosters).prop_map(|(volumes, tree, across, fed, boosters)| {
            let mut parts = vec![];
            for (k, (part, parent, out)) in tree.into_iter().enumerate() {
                let (near, far) = (parent.index(k + 1), k + 1);
                parts.push(if out { (part, far, near) } else { (part, near, far) });
            }
            parts.extend(across.into_iter().filter(|(_, from, to)| from != to));
            for (pump, relief, from, to) in boosters.into_iter().filter(|(.., from, to)| from != to) {
                parts.extend([(pump, from, to), (relief, to, 0)]);
            }
            for (pump, relief, at) in fed {
                parts.extend([(pump, 0, at), (relief, at, 0)]);
            }
            Network { volumes, parts }
        })
    })
}

fn compile(model: Value) -> Circuit {
    Circuit::compile(&serde_json::from_value::<Model>(model).unwrap()).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn flows_balance_whatever_the_fluid(fluid in fluid(), network in network()) {
        let mut circuit = compile(network.model(&fluid));
        match circuit.steady(0.0) {
            Ok(steady) => {
                let imbalance = network.imbalance(&steady.y);
                prop_assert!(imbalance < 1e-9, "{imbalance:e} at {:?}", steady.y);
                let vapor = fluid.pointer("/vapor/pressure").map_or(3e3, |p| p.as_f64().unwrap());
                prop_assert!(steady.y.iter().all(|&p| p >= vapor), "{:?}", steady.y);
            }
            // Pumps that draw from nodes may ask for more than flows in: a liquid that bears tension shows it.
            Err(Error::Cavitates { node, pressure, vapor, .. }) => {
                let tough = json!({ "bulk_modulus": { "type": "constant", "value": 1e15 }, "vapor": { "pressure": -1e15 } });
                let steady = compile(network.model(&tough)).steady(0.0).unwrap();
                prop_assert!(network.imbalance(&steady.y) < 1e-9);
                let k: usize = node[1..].parse().unwrap();
                prop_assert!(steady.y[k - 1] < vapor, "{:?}", steady.y);
                // The search ends where the liquid would be torn to twice its volume, before it has come to the balance.
                let torn = pressure < -5e8;
                prop_assert!(torn || (steady.y[k - 1] - pressure).abs() <= 1e-6 * pressure.abs(), "{:?}", steady.y);
            }
            Err(error) => return Err(TestCaseError::fail(error.to_string())),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn a_long_run_ends_in_the_steady_state(fluid in fluid(), network in network()) {
        let mut circuit = compile(network.model(&fluid));
        let Ok(steady) = circuit.steady(0.0) else { return Ok(()) };
        let start = circuit.start(0.0).unwrap();
        let mut run = Gstiff::with_tolerance(1e-6).start(circuit, 0.0, &start.y, &start.yp, 1e6).unwrap();
        while run.step().unwrap() != Stop::EndTime {}
        for (end, steady) in run.state().iter().zip(&steady.y) {
            prop_assert!((end - steady).abs() < 1e-4 * steady + 10.0, "{:?} {:?}", run.state(), steady);
        }
    }
}
