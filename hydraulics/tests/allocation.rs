//! Evaluations of a compiled circuit allocate nothing.

use crate::counting;

use counting::obtained;
use fourbar_dae::Dae;
use fourbar_hydraulics::{Circuit, Model};
use serde_json::json;

#[test]
fn residual_jacobian_and_outputs_allocate_nothing() {
    let model = json!({
        "input": [ { "name": "target", "start": 0.2 } ],
        "node": [ { "type": "pressure", "name": "supply", "pressure": "2e7 + 1e5*sin(time)" }, { "type": "tank", "name": "tank" },
                  { "type": "volume", "name": "a" }, { "type": "volume", "name": "b" }, { "type": "volume", "name": "junction" } ],
        "component": [
            { "type": "spool_valve", "name": "valve", "supply": "supply", "tank": "tank", "a": "a", "b": "b",
              "command": "5*(target - rod.position)", "frequency": 300, "damping": 0.7, "area": 1e-5 },
            { "type": "cylinder", "name": "rod", "a": "a", "b": "b", "area_a": 2e-3, "area_b": 1e-3, "dead_a": 1e-4, "dead_b": 1e-4,
              "stroke": 0.5, "position": 0.2 },
            { "type": "orifice", "name": "first", "from": "a", "to": "junction", "area": 1e-8 },
            { "type": "orifice", "name": "second", "from": "junction", "to": "tank", "area": 1e-8 } ],
    });
    let mut circuit = Circuit::compile(&serde_json::from_value::<Model>(model).unwrap()).unwrap();
    let start = circuit.start(0.0).unwrap();
    let mut residual = vec![1.0; circuit.dimension()];
    let mut values = vec![0.0; circuit.pattern().nnz()];
    let mut outputs = vec![0.0; circuit.outputs().len()];
    let before = obtained();
    for k in 0..100 {
        let t = 0.01 * f64::from(k);
        circuit.set_inputs(t, [[0.2, 0.1, 0.0], [0.2, 0.05, 0.0], [0.05, 0.0, 0.0]].into_iter()).unwrap();
        circuit.residual(t + 0.005, &start.y, &start.yp, &mut residual).unwrap();
        circuit.jacobian(t + 0.005, &start.y, &start.yp, 100.0, &mut values).unwrap();
        circuit.observe(t + 0.005, &start.y, &mut outputs).unwrap();
    }
    assert_eq!(obtained() - before, 0);
    assert!(residual.iter().all(|r| r.is_finite()) && values.iter().any(|v| *v != 0.0));
}
