//! Usual circuits start: from no `start` at all the steady state is found, valves shut or open, and the flows into every junction balance.

use fourbar_hydraulics::{Circuit, Error, Model};
use serde_json::{Value, json};

/// The steady state and the start of a model, as its outputs by name. The flows into each node are checked by the names of the components.
fn found(name: &str, model: &Value) -> impl Fn(&str) -> f64 + use<> {
    let mut circuit = compile(model);
    // Between lines alone the pressure of a junction is not determined at the start, where their flows are given.
    if !model["component"].as_array().unwrap().iter().any(|part| part["type"] == "line") {
        circuit.start(0.0).unwrap_or_else(|error| panic!("{name} at its start: {error}"));
    }
    let steady = circuit.steady(0.0).unwrap_or_else(|error| panic!("{name}: {error}\n{model:#}"));
    let mut values = vec![0.0; circuit.outputs().len()];
    circuit.observe(0.0, &steady.y, &mut values).unwrap();
    // Sought from itself it is found again.
    let again = circuit.steady_from(0.0, steady.y.clone()).unwrap_or_else(|error| panic!("{name} again: {error}"));
    for (i, (again, first)) in again.y.iter().zip(&steady.y).enumerate() {
        assert!(
            (again - first).abs() <= 1e-6 * first.abs().max(1.0),
            "{name}, unknown {i}: {again:e}, {first:e} before"
        );
    }
    move |output| values[circuit.output(output).unwrap_or_else(|| panic!("no output {output}"))]
}

fn compile(model: &Value) -> Circuit {
    Circuit::compile(&serde_json::from_value::<Model>(model.clone()).unwrap()).unwrap()
}

fn near(found: f64, expected: f64, relative: f64) {
    assert!((found - expected).abs() <= relative * expected.abs(), "{found:e}, expected {expected:e}");
}

const ATMOSPHERE: f64 = 101_325.0;

fn tank() -> Value {
    json!({ "type": "tank", "name": "tank" })
}

fn junction(name: &str) -> Value {
    json!({ "type": "volume", "name": name })
}

fn source(to: &str, flow: f64) -> Value {
    json!({ "type": "flow_source", "name": format!("source_{to}"), "from": "tank", "to": to, "flow": flow })
}

fn relief(from: &str, pressure: f64) -> Value {
    json!({ "type": "relief_valve", "name": format!("relief_{from}"), "from": from, "to": "tank", "pressure": pressure, "slope": 1e-9 })
}

fn orifice(name: &str, from: &str, to: &str, area: f64) -> Value {
    json!({ "type": "orifice", "name": name, "from": from, "to": to, "area": area })
}

fn directional(command: f64, center: &str) -> Value {
    json!({ "type": "spool_valve", "name": "valve", "supply": "p", "tank": "tank", "a": "a", "b": "b", "command": command,
            "frequency": 300, "damping": 0.8, "area": 2e-5, "center": center, "null_leakage": 1e-3 })
}

#[test]
fn the_plainest_power_pack() {
    let found =
        found("pack", &json!({ "node": [junction("p"), tank()], "component": [source("p", 1e-3), relief("p", 2e7)] }));
    // q = k (d + sqrt(d^2 + w^2))/2 has d = q/k - w^2 k/(4 q).
    near(found("p.pressure"), ATMOSPHERE + 2e7 + 1e6 - 2.5e9 * 1e-9 / 4e-3, 1e-12);
    near(found("relief_p.flow"), 1e-3, 1e-9);
}

#[test]
fn a_pump_with_relief_valve_and_a_cylinder_in_each_position_of_its_valve() {
    let drives =
        [json!({}), json!({ "load": { "mass": 200, "force": 1e4 }, "stops": { "stiffness": 1e9 }, "leakage": 1e-13 })];
    for center in ["closed", "open", "float", "tandem"] {
        for command in [-1.0, 0.0, 1.0] {
            for drive in &drives {
                let mut cylinder = json!({ "type": "cylinder", "name": "axis", "a": "a", "b": "b", "area_a": 2e-3, "area_b": 1e-3,
                    "stroke": 0.5, "dead_a": 1e-4, "dead_b": 1e-4, "position": 0.2 });
                cylinder.as_object_mut().unwrap().extend(drive.as_object().unwrap().clone());
                let pump = json!({ "type": "fixed_pump", "name": "pump", "from": "tank", "to": "p", "displacement": 3e-6,
                    "leakage": 1e-13, "speed": 157 });
                let model = json!({ "node": [junction("p"), junction("a"), junction("b"), tank()],
                    "component": [pump, relief("p", 1.6e7), directional(command, center), cylinder] });
                let name = format!("{center} {command} {drive}");
                let found = found(&name, &model);
                let through = found("pump.flow") - found("relief_p.flow");
                assert!((1e5..2e7).contains(&found("p.pressure")), "{name}: {}", found("p.pressure"));
                assert!(through > -1e-12 && found("valve.flow_a").abs() < 1e-4, "{name}: {through:e}");
                near(found("valve.spool") + 2.0, command + 2.0, 1e-9);
                if drive.get("load").is_some() {
                    // At rest, the force of chambers and stop is that of the load.
                    assert!(found("axis.velocity").abs() < 1e-9);
                    near(found("axis.force"), 1e4, 1e-6);
                }
            }
        }
    }
}

#[test]
fn a_reducing_valve_feeds_a_second_circuit() {
    let reducing = json!({ "type": "reducing_valve", "name": "reducing", "from": "p", "to": "low", "pressure": 4e6, "band": 2e5, "area": 2e-5 });
    let model = json!({ "node": [junction("p"), junction("low"), tank()],
        "component": [source("p", 5e-4), relief("p", 2e7), reducing, orifice("use", "low", "tank", 1e-6)] });
    let found = found("reducing", &model);
    assert!((3.8e6..4e6).contains(&found("low.pressure")), "{}", found("low.pressure"));
    near(found("reducing.flow"), found("use.flow"), 1e-9);
    near(found("relief_p.flow"), 5e-4 - found("use.flow"), 1e-9);
}

#[test]
fn check_valves_in_series_with_and_against_the_flow() {
    let check = |name: &str, from: &str, to: &str| {
        json!({ "type": "check_valve", "name": name, "from": from, "to": to,
        "area": 1e-5, "cracking": 3e5 })
    };
    for (from, to, open) in [("p", "m", true), ("m", "p", false)] {
        let second = if open { check("second", "m", "n") } else { check("second", "n", "m") };
        let model = json!({ "node": [junction("p"), junction("m"), junction("n"), tank()],
            "component": [source("p", 1e-4), relief("p", 1e7), check("first", from, to), second, orifice("end", "n", "tank", 1e-5)] });
        let found = found("checks", &model);
        let share = found("end.flow") / 1e-4;
        assert!(if open { share > 0.999 } else { share < 1e-3 }, "{share}");
        near(found("first.flow").abs(), found("end.flow"), 1e-9);
        near(found("relief_p.flow") + found("end.flow"), 1e-4, 1e-9);
    }
}

#[test]
fn an_accumulator_is_charged_to_the_pressure_of_the_pack() {
    let store = json!({ "type": "accumulator", "name": "store", "node": "p", "volume": 1e-3, "precharge": 5e6, "area": 1e-5, "exponent": 1.4 });
    let model = json!({ "node": [junction("p"), tank()], "component": [source("p", 1e-4), relief("p", 1e7), store] });
    let found = found("accumulator", &model);
    near(found("store.pressure"), found("p.pressure"), 1e-9);
    near(found("store.volume"), 1e-3 * (1.0 - (5e6 / found("p.pressure")).powf(1.0 / 1.4)), 1e-9);
}

#[test]
fn a_motor_turns_its_load_and_is_stalled_by_a_larger_one() {
    for (torque, turns) in [(20.0, true), (500.0, false)] {
        let motor = json!({ "type": "motor", "name": "motor", "a": "p", "b": "tank", "displacement": 8e-6, "leakage": 1e-12,
            "friction": { "viscous": 0.05 }, "shaft": { "inertia": 0.02, "torque": format!("{torque}*tanh(motor.speed/0.01)") } });
        let model =
            json!({ "node": [junction("p"), tank()], "component": [source("p", 5e-4), relief("p", 2e7), motor] });
        let found = found("motor", &model);
        let speed = found("motor.speed");
        assert_eq!(speed > 1.0, turns, "{speed}");
        near(8e-6 * speed + 1e-12 * (found("p.pressure") - ATMOSPHERE) + found("relief_p.flow"), 5e-4, 1e-9);
    }
}

#[test]
fn junctions_in_a_row_and_orifices_side_by_side_have_the_pressures_of_one_orifice() {
    // Far above the laminar range n equal orifices in a row take n times the pressure, m side by side that over m^2.
    let mut components = vec![source("n0", 1e-3)];
    let n = 12;
    for k in 0..n {
        let to = if k + 1 == n { "tank".to_owned() } else { format!("n{}", k + 1) };
        for side in 0..3 {
            let mut part = orifice(&format!("o{k}_{side}"), &format!("n{k}"), &to, 1e-5);
            part["laminar_below"] = json!(1.0);
            components.push(part);
        }
    }
    let nodes: Vec<Value> = (0..n).map(|k| junction(&format!("n{k}"))).chain([tank()]).collect();
    let found = found("row", &json!({ "node": nodes, "component": components }));
    let drop = 430.0 * (1e-3_f64 / 3.0 / (0.62 * 1e-5)).powi(2);
    near(found("n0.pressure"), ATMOSPHERE + 12.0 * drop, 1e-9);
    near(found("o7_2.flow"), 1e-3 / 3.0, 1e-9);
}

#[test]
fn a_pump_against_closed_valves_is_refused_with_what_to_do() {
    let valve = directional(0.0, "closed");
    let nodes = json!([junction("p"), junction("a"), junction("b"), tank()]);
    let model = json!({ "node": nodes, "component": [source("p", 1e-3), valve, orifice("use", "a", "b", 1e-6)] });
    let error = compile(&model).steady(0.0).unwrap_err();
    assert!(matches!(error, Error::Blocked { ref node, .. } if node == "p"), "{error}");
    assert!(error.to_string().contains("relief valve"), "{error}");
    // Nothing at all lets the flow out.
    let model = json!({ "node": [junction("p"), tank()], "component": [source("p", 1e-3)] });
    let error = compile(&model).steady(0.0).unwrap_err();
    assert!(matches!(error, Error::Undetermined { ref unknown, .. } if unknown == "p.pressure"), "{error}");
}

fn held(pressure: f64) -> Value {
    json!({ "type": "pressure", "name": "held", "pressure": pressure })
}

#[test]
fn shut_check_valves_let_through_until_the_pressures_are_equal() {
    for pressure in [1e6, 2e6, 5e6, 1e7] {
        for volume in [json!({}), json!({ "volume": 1e-3 })] {
            for area in [1e-7, 1e-5, 1e-3] {
                let mut node = junction("a");
                node.as_object_mut().unwrap().extend(volume.as_object().unwrap().clone());
                let valve = json!({ "type": "check_valve", "name": "valve", "from": "held", "to": "a", "area": area });
                let reverse =
                    json!({ "type": "check_valve", "name": "valve", "from": "a", "to": "held", "area": area });
                for valve in [valve, reverse] {
                    let model = json!({ "node": [tank(), held(pressure), node], "component": [valve] });
                    let found = found("one valve", &model);
                    near(found("a.pressure"), pressure, 1e-9);
                    assert!(found("valve.flow").abs() < 1e-18, "{:e}", found("valve.flow"));
                }
            }
        }
    }
}

#[test]
fn a_hydrostatic_drive_at_rest_has_the_pressure_that_feeds_it() {
    let check =
        |name: &str, to: &str| json!({ "type": "check_valve", "name": name, "from": "held", "to": to, "area": 1e-5 });
    let safety = |name: &str, from: &str, to: &str| json!({ "type": "relief_valve", "name": name, "from": from, "to": to, "pressure": 3e7, "slope": 1e-9 });
    let pump = json!({ "type": "fixed_pump", "name": "pump", "from": "b", "to": "a", "displacement": 2e-5, "speed": 0, "leakage": 1e-12 });
    let motor = json!({ "type": "motor", "name": "motor", "a": "a", "b": "b", "displacement": 3e-5, "leakage": 1e-12,
        "shaft": { "inertia": 2, "torque": "-50*tanh(motor.speed/0.1)" } });
    let model = json!({ "node": [tank(), held(2e6), junction("a"), junction("b")],
        "component": [pump, motor, check("feed_a", "a"), check("feed_b", "b"), safety("safe_a", "a", "b"), safety("safe_b", "b", "a")] });
    let found = found("drive", &model);
    near(found("a.pressure"), 2e6, 1e-9);
    near(found("b.pressure"), 2e6, 1e-9);
    assert!(found("motor.speed").abs() < 1e-9, "{}", found("motor.speed"));
}

/// The generator of Numerical Recipes (3rd edition, section 7.1.4, "Ranq1").
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 21;
        self.0 ^= self.0 << 35;
        self.0 ^= self.0 >> 4;
        self.0.wrapping_mul(2_685_821_657_736_338_717)
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() >> 11) as usize % n
    }

    /// Evenly in the logarithm.
    fn between(&mut self, low: f64, high: f64) -> f64 {
        low * (high / low).powf((self.next() >> 11) as f64 / (1u64 << 53) as f64)
    }
}

/// A component between two nodes.
fn passage(random: &mut Random, name: &str, from: &str, to: &str) -> Value {
    let area = random.between(1e-7, 1e-4);
    let mut part = match random.below(5) {
        0 | 1 => orifice(name, from, to, area),
        2 => {
            json!({ "type": "check_valve", "area": area, "cracking": random.between(1e4, 1e6), "leak": random.between(1e-6, 1e-3) })
        }
        3 => {
            json!({ "type": "reducing_valve", "area": area, "pressure": random.between(1e6, 2e7), "band": random.between(1e5, 1e6) })
        }
        _ => json!({ "type": "line", "inertance": random.between(1e5, 1e7), "resistance": random.between(1e8, 1e11) }),
    };
    let ends = [("name", name), ("from", from), ("to", to)];
    part.as_object_mut().unwrap().extend(ends.map(|(field, text)| (field.to_owned(), json!(text))));
    part
}

/// Nodes joined to a tree that hangs on the tank, further passages across, and sources, each with a relief valve: a steady state exists.
fn any_circuit(random: &mut Random) -> Value {
    let n = 2 + random.below(8);
    let name = |k: usize| if k == 0 { "tank".to_owned() } else { format!("n{k}") };
    let mut components = vec![];
    for k in 1..n + n / 2 {
        let (mut from, mut to) = if k < n { (k, random.below(k)) } else { (random.below(n), random.below(n)) };
        if random.below(2) == 0 {
            std::mem::swap(&mut from, &mut to);
        }
        if from != to {
            components.push(passage(random, &format!("c{k}"), &name(from), &name(to)));
        }
    }
    let mut fed: Vec<usize> = (0..1 + random.below(3)).map(|_| 1 + random.below(n - 1)).collect();
    fed.sort_unstable();
    fed.dedup();
    for k in fed {
        components.push(source(&name(k), random.between(1e-5, 2e-3)));
        let mut valve = relief(&name(k), random.between(1e6, 3e7));
        // What such a valve passes when it is shut, k w^2/(4 p), stays below the flow of the source.
        valve["slope"] = json!(random.between(1e-10, 1e-8));
        components.push(valve);
    }
    let nodes = (1..n).map(|k| match random.below(3) {
        0 => json!({ "type": "volume", "name": name(k), "volume": random.between(1e-6, 1e-2) }),
        _ => junction(&name(k)),
    });
    let nodes: Vec<Value> = nodes.chain([tank()]).collect();
    json!({ "node": nodes, "component": components })
}

#[test]
fn any_circuit_that_is_well_posed_starts_and_balances() {
    let mut random = Random(4_101_842_887_655_102_017);
    for count in 0..2000 {
        let model = any_circuit(&mut random);
        let found = found(&format!("circuit {count}"), &model);
        for node in model["node"].as_array().unwrap().iter().filter(|node| node["type"] != "tank") {
            let node = node["name"].as_str().unwrap();
            let flows = model["component"].as_array().unwrap().iter().filter_map(|part| {
                let flow = || found(&format!("{}.flow", part["name"].as_str().unwrap()));
                match (part["to"] == node, part["from"] == node) {
                    (true, false) => Some(flow()),
                    (false, true) => Some(-flow()),
                    _ => None,
                }
            });
            let (sum, most) = flows.fold((0.0, 0.0), |(sum, most): (f64, f64), q| (sum + q, most.max(q.abs())));
            assert!(sum.abs() <= 1e-9 * most.max(1e-6), "circuit {count}, {node}: {sum:e} of {most:e}\n{model:#}");
            let pressure = found(&format!("{node}.pressure"));
            assert!((0.0..2e8).contains(&pressure), "circuit {count}, {node}: {pressure:e}");
        }
    }
}
