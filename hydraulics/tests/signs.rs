//! The signs of forces, torques, speeds and flows, as docs/hydraulics.md draws them.

use fourbar_dae::integrator::{Gstiff, Integrator, Stop};
use fourbar_hydraulics::{Circuit, Model};
use proptest::prelude::*;
use serde_json::{Value, json};

/// The outputs after `end` seconds from the start values, by name.
fn run(model: &Value, end: f64) -> impl Fn(&str) -> f64 + use<> {
    let mut circuit = Circuit::compile(&serde_json::from_value::<Model>(model.clone()).unwrap()).unwrap();
    let start = circuit.start(0.0).unwrap();
    let mut values = vec![0.0; circuit.outputs().len()];
    let mut y = start.y.clone();
    if !y.is_empty() {
        let mut run = Gstiff::with_tolerance(1e-8).start(circuit.clone(), 0.0, &start.y, &start.yp, end).unwrap();
        while run.step().unwrap() != Stop::EndTime {}
        y.copy_from_slice(run.state());
    }
    circuit.observe(end, &y, &mut values).unwrap();
    move |name| values[circuit.output(name).unwrap_or_else(|| panic!("no output {name}"))]
}

fn held(a: f64, b: f64, component: Value) -> Value {
    json!({ "node": [ { "type": "pressure", "name": "a", "pressure": a }, { "type": "pressure", "name": "b", "pressure": b } ],
            "component": [component] })
}

proptest! {
    #[test]
    fn pressure_at_a_pushes_the_rod_out_and_a_positive_load_pushes_it_in(
        [a, b] in prop::array::uniform2(1e5..1e7), load in -1e4..1e4, mass in 1.0..1e4,
    ) {
        let model = held(a, b, json!({ "type": "cylinder", "name": "rod", "a": "a", "b": "b", "area_a": 2e-3, "area_b": 1e-3, "stroke": 0.5,
            "dead_a": 1e-4, "dead_b": 1e-4, "position": 0.25, "load": { "mass": mass, "force": load } }));
        let (end, found) = (1e-3, run(&model, 1e-3));
        let force = 2e-3 * a - 1e-3 * b;
        prop_assert!((found("rod.force") - force).abs() < 1e-9 * (3e-3 * 1e7));
        prop_assert!(f64::abs(found("rod.velocity") - (force - load) / mass * end) < 1e-6 * (4e4 / mass * end));
    }

    #[test]
    fn oil_from_a_to_b_turns_a_motor_forwards_and_a_positive_shaft_torque_brakes_it(
        [a, b] in prop::array::uniform2(1e5..1e7), load in -50.0..50.0, inertia in 0.1..10.0,
    ) {
        let model = held(a, b, json!({ "type": "motor", "name": "motor", "a": "a", "b": "b", "displacement": 5e-6,
            "shaft": { "inertia": inertia, "torque": load } }));
        let (end, found) = (1e-2, run(&model, 1e-2));
        let torque = 5e-6 * (a - b);
        prop_assert!((found("motor.torque") - torque).abs() < 1e-9 * 50.0);
        let speed = (torque - load) / inertia * end;
        prop_assert!(f64::abs(found("motor.speed") - speed) < 1e-6 * (100.0 / inertia * end));
    }

    #[test]
    fn a_pump_needs_a_torque_along_its_speed_to_raise_the_pressure([a, b] in prop::array::uniform2(1e5..1e7), speed in 1.0..300.0) {
        let model = held(a, b, json!({ "type": "fixed_pump", "name": "pump", "from": "a", "to": "b", "displacement": 5e-6, "speed": speed }));
        let found = run(&model, 1.0);
        prop_assert!(f64::abs(found("pump.flow") / (5e-6 * speed) - 1.0) < 1e-12);
        prop_assert!((found("pump.torque") - 5e-6 * (b - a)).abs() < 1e-9 * 50.0);
    }
}

#[test]
fn a_rod_moved_out_from_outside_fills_a_and_empties_b() {
    let model = json!({
        "node": [ { "type": "volume", "name": "a", "start": 5e6 }, { "type": "volume", "name": "b", "start": 5e6 } ],
        "component": [ { "type": "cylinder", "name": "rod", "a": "a", "b": "b", "area_a": 2e-3, "area_b": 1e-3, "stroke": 0.5, "dead_a": 1e-4,
            "dead_b": 1e-4, "position": 0.25, "velocity": 0.01 } ],
    });
    let found = run(&model, 1e-3);
    assert!(found("a.pressure") < 5e6 && found("b.pressure") > 5e6 && found("rod.force") < 5e6 * 1e-3);
}
