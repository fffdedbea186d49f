//! The Jacobian of a circuit with every component, against differences.

use fourbar_dae::Dae;
use fourbar_hydraulics::{Circuit, Model};
use serde_json::json;

fn model() -> Model {
    let friction = json!({ "coulomb": 200, "breakaway": 300, "stribeck": 0.3, "rounding": 0.2, "viscous": 900 });
    let valve = |name: &str, center: &str, a: &str, b: &str| {
        json!({ "type": "spool_valve", "name": name, "supply": "main", "tank": "tank", "a": a, "b": b, "center": center, "limit": 2,
                "command": "gain*(target - rod.position) - 1e-9*low.pressure", "frequency": 300, "damping": 0.7, "area": 2e-5,
                "overlap": 0.02 })
    };
    // Its points lie beyond all pressures and speeds here, or beside the scattered ones: nothing is differentiable at them.
    let map = json!({ "speed": [0, 1e4], "pressure": [0, 1e8], "volumetric": [[0.5, 0.4], [0.9, 0.6]], "mechanical": [[0.9, 0.8], [0.7, 0.6]] });
    let model = json!({
        "parameters": { "gain": 3 },
        "fluid": { "bulk_modulus": { "type": "entrained_air", "liquid": 1.6e9, "fraction": 0.01 },
                   "vapor": { "pressure": 3000, "band": 2e6 } },
        "input": [ { "name": "target", "start": 0.25 } ],
        "node": [
            { "type": "volume", "name": "main", "volume": 1e-3 },
            { "type": "volume", "name": "low", "volume": 2e-4 },
            { "type": "volume", "name": "a" }, { "type": "volume", "name": "b", "volume": 1e-4 },
            { "type": "volume", "name": "c", "volume": 1e-4 }, { "type": "volume", "name": "d", "volume": 1e-4 },
            { "type": "volume", "name": "between" },
            { "type": "pressure", "name": "held", "pressure": "1e7 + 1e6*rod.position" },
            { "type": "tank", "name": "tank" },
        ],
        "component": [
            { "type": "orifice", "name": "o1", "from": "main", "to": "between", "area": 1e-6, "opening": "0.5 + rod.velocity" },
            { "type": "orifice", "name": "o2", "from": "between", "to": "held", "area": 2e-6 },
            { "type": "check_valve", "name": "check", "from": "a", "to": "main", "area": 1e-5, "band": 3e7 },
            { "type": "relief_valve", "name": "relief", "from": "main", "to": "low", "pressure": 1e7, "slope": 1e-9, "band": 1e6 },
            { "type": "reducing_valve", "name": "reducer", "from": "main", "to": "low", "pressure": 2e7, "band": 3e7, "area": 1e-5 },
            { "type": "reducing_valve", "name": "three_way", "from": "main", "to": "low", "drain": "tank", "pressure": 1e7, "band": 2e7, "area": 1e-6 },
            { "type": "counterbalance_valve", "name": "hold", "from": "b", "to": "low", "pilot": "a", "pressure": 1e7, "ratio": 1, "band": 5e7,
              "area": 1e-5 },
            { "type": "pilot_operated_check_valve", "name": "lock", "from": "low", "to": "b", "pilot": "a", "ratio": 2, "band": 4e7, "area": 1e-5 },
            { "type": "flow_control_valve", "name": "meter", "from": "main", "to": "low", "flow": "1e-4*(1 + rod.velocity)", "compensation": 5e6,
              "laminar_below": 1e6 },
            valve("closed", "closed", "a", "b"), valve("open", "open", "a", "b"), valve("float", "float", "c", "d"),
            valve("tandem", "tandem", "c", "d"),
            { "type": "flow_source", "name": "source", "from": "tank", "to": "main", "flow": "1e-3*(1 - 1e-8*main.pressure)" },
            { "type": "fixed_pump", "name": "fixed", "from": "low", "to": "main", "displacement": 1e-6, "speed": 150, "leakage": 1e-12,
              "efficiency": map },
            { "type": "variable_pump", "name": "variable", "from": "tank", "to": "main", "displacement": 2e-6, "speed": "100 + motor.speed",
              "setting": 0.8, "time_constant": 0.02, "cutoff": 3e7, "band": 4e7, "leakage": 1e-12 },
            { "type": "accumulator", "name": "store", "node": "main", "volume": 1e-3, "precharge": 6e6, "area": 1e-4 },
            { "type": "line", "name": "line", "from": "main", "to": "low", "inertance": 2e6, "resistance": 1e6, "turbulent": 1e10 },
            { "type": "pipe", "name": "pipe", "from": "low", "to": "a", "length": 3, "diameter": 0.01, "segments": 3 },
            { "type": "cylinder", "name": "rod", "a": "a", "b": "b", "area_a": 3e-3, "area_b": 2e-3, "stroke": 0.5, "dead_a": 2e-3,
              "dead_b": 2e-3, "leakage": 1e-12, "friction": friction, "stops": { "stiffness": 1e7, "damping": 0.3 },
              "load": { "mass": 40, "force": "1000 + 50*rod.velocity" } },
            { "type": "winch", "name": "winch", "a": "c", "b": "low", "displacement": 3e-5, "leakage": 1e-12, "friction": friction, "radius": 0.5,
              "gear": 7, "efficiency": map, "drum": { "inertia": 20, "tension": "1000 + 10*winch.length" } },
            { "type": "filter", "name": "filter", "from": "low", "to": "d", "flow": 1e-3, "drop": 2e7, "clogging": "0.4 + 0.1*rod.position",
              "bypass": { "cracking": 1e6, "band": 3e7, "area": 1e-5 } },
            { "type": "cooler", "name": "cooler", "from": "low", "to": "d", "flow": 1e-4, "drop": 1e7, "laminar_below": 1e6 },
            { "type": "motor", "name": "motor", "a": "c", "b": "d", "displacement": 3e-6, "leakage": 1e-12, "friction": friction, "efficiency": map,
              "shaft": { "inertia": 0.1, "torque": "0.1*motor.speed" } },
        ],
    });
    serde_json::from_value(model).unwrap()
}

/// Numbers in (-1, 1) that repeat from run to run.
fn scatter(k: usize) -> f64 {
    2.0 * (k as f64 * 0.618_033_988_749_894_9).fract() - 1.0
}

#[test]
fn every_component_has_exact_derivatives() {
    let mut circuit = Circuit::compile(&model()).unwrap();
    let n = circuit.dimension();
    let c = 7.0;
    let mut checked = vec![false; n];
    for k in 0..40 {
        let random = |i: usize| scatter(n * k + i + 1);
        let (mut y, yp) = (vec![0.0; n], vec![0.0; n]);
        for (i, y) in y.iter_mut().enumerate() {
            *y = match circuit.unknown_name(i).rsplit('.').next().unwrap() {
                "pressure" => 1e7 * (1.0 + 0.99 * random(i)) + 2e4,
                "flow" => 1e-3 * random(i),
                "volume" => 3e-4 * (1.0 + 1.5 * random(i)),
                // Beyond both ends of the stroke too.
                "position" => 0.25 + 0.3 * random(i),
                "spool_velocity" | "speed" => 100.0 * random(i),
                _ => random(i),
            };
        }
        let mut values = vec![0.0; circuit.pattern().nnz()];
        circuit.jacobian(0.0, &y, &yp, c, &mut values).unwrap();
        let mut dense = vec![vec![0.0; n]; n];
        for ((column, row), value) in circuit.pattern().entries().zip(&values) {
            dense[column][row] = *value;
        }
        let scale: Vec<f64> = circuit.unknowns().iter().map(|unknown| unknown.typical).collect();
        let (mut up, mut down) = (vec![0.0; n], vec![0.0; n]);
        for j in 0..n {
            let h = 1e-6 * scale[j];
            let mut at = |sign: f64, residual: &mut [f64]| {
                let (mut y, mut yp) = (y.clone(), yp.clone());
                y[j] += sign * h;
                yp[j] += sign * c * h;
                circuit.residual(0.0, &y, &yp, residual).unwrap();
            };
            at(1.0, &mut up);
            at(-1.0, &mut down);
            for i in 0..n {
                let difference = (up[i] - down[i]) / (2.0 * h);
                let noise = 1e-15 * (up[i].abs() + 1e3 * scale[i]) / h;
                let (exact, allowed) = (dense[j][i], 2e-6 * dense[j][i].abs() + 30.0 * noise);
                let place = || format!("{} by {}", circuit.equation_name(i), circuit.unknown_name(j));
                assert!((exact - difference).abs() <= allowed, "{}: {exact:e} {difference:e} ({allowed:e})", place());
                checked[j] |= exact.abs() > 10.0 * allowed;
            }
        }
    }
    // Each column had entries far above the noise of the differences.
    assert!(checked.iter().all(|checked| *checked));
}
