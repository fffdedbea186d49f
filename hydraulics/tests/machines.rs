//! Efficiency maps, winches, filters and coolers against their closed forms.

use fourbar_dae::integrator::{Gstiff, Integrator, Stop};
use fourbar_hydraulics::{Circuit, Model};
use proptest::prelude::*;
use serde_json::{Value, json};

fn compile(model: Value) -> Circuit {
    Circuit::compile(&serde_json::from_value::<Model>(model).unwrap()).unwrap()
}

/// A component between the held pressures a and b.
fn held(a: f64, b: f64, component: Value) -> Circuit {
    compile(
        json!({ "node": [ { "type": "pressure", "name": "a", "pressure": a }, { "type": "pressure", "name": "b", "pressure": b } ],
                    "component": [component] }),
    )
}

/// The outputs after `end` seconds from the start values, by name; at once if nothing is unknown.
fn run(mut circuit: Circuit, end: f64) -> impl Fn(&str) -> f64 {
    let mut y = circuit.start(0.0).unwrap().y;
    if !y.is_empty() && end > 0.0 {
        let start = circuit.start(0.0).unwrap();
        let mut run = Gstiff::with_tolerance(1e-9).start(circuit.clone(), 0.0, &start.y, &start.yp, end).unwrap();
        while run.step().unwrap() != Stop::EndTime {}
        y.copy_from_slice(run.state());
    }
    let mut values = vec![0.0; circuit.outputs().len()];
    circuit.observe(end, &y, &mut values).unwrap();
    move |name| values[circuit.output(name).unwrap_or_else(|| panic!("no output {name}"))]
}

fn near(found: f64, expected: f64, size: f64) -> Result<(), TestCaseError> {
    prop_assert!((found - expected).abs() <= 1e-12 * expected.abs() + 1e-14 * size, "{found:e}, expected {expected:e}");
    Ok(())
}

const SPEEDS: [f64; 3] = [50.0, 150.0, 250.0];
const PRESSURES: [f64; 2] = [5e6, 3e7];
const VOLUMETRIC: [[f64; 2]; 3] = [[0.9, 0.7], [0.97, 0.9], [0.98, 0.94]];
const MECHANICAL: [[f64; 2]; 3] = [[0.92, 0.95], [0.9, 0.94], [0.85, 0.93]];

fn map() -> Value {
    json!({ "speed": SPEEDS, "pressure": PRESSURES, "volumetric": VOLUMETRIC, "mechanical": MECHANICAL })
}

/// Linear between the points.
fn at(table: &[[f64; 2]; 3], speed: f64, dp: f64) -> f64 {
    let right = ((dp - PRESSURES[0]) / (PRESSURES[1] - PRESSURES[0])).clamp(0.0, 1.0);
    let row = |k: usize| table[k][0] * (1.0 - right) + table[k][1] * right;
    let down = ((speed - 50.0) / 100.0).clamp(0.0, 2.0);
    if down < 1.0 { row(0) * (1.0 - down) + row(1) * down } else { row(1) * (2.0 - down) + row(2) * (down - 1.0) }
}

proptest! {
    #[test]
    fn a_pump_has_the_efficiencies_of_its_table(speed in 1.0..400.0, low in 1e5..1e6, dp in 1e5..4e7, setting in 0.1..1.0) {
        let (eta_v, eta_m): (f64, f64) = (at(&VOLUMETRIC, speed, dp), at(&MECHANICAL, speed, dp));
        let pump = json!({ "type": "fixed_pump", "name": "pump", "from": "a", "to": "b", "displacement": 1e-5, "speed": speed, "efficiency": map() });
        let found = run(held(low, low + dp, pump), 0.0);
        near(found("pump.flow"), 1e-5 * speed * eta_v, 1e-2)?;
        near(found("pump.torque"), 1e-5 * dp / eta_m, 1e3)?;
        let pump = json!({ "type": "variable_pump", "name": "pump", "from": "a", "to": "b", "displacement": 1e-5, "speed": speed, "setting": setting,
            "time_constant": 0.1, "efficiency": map() });
        let mut circuit = held(low, low + dp, pump);
        let mut values = vec![0.0; circuit.outputs().len()];
        circuit.observe(0.0, &[setting], &mut values).unwrap();
        near(values[circuit.output("pump.flow").unwrap()], 1e-5 * setting * speed * eta_v, 1e-2)?;
        near(values[circuit.output("pump.torque").unwrap()], 1e-5 * setting * dp / eta_m, 1e3)?;
    }

    #[test]
    fn a_motor_has_the_efficiencies_of_its_table(speed in 1.0..400.0, low in 1e5..1e6, dp in 1e5..4e7) {
        let (eta_v, eta_m): (f64, f64) = (at(&VOLUMETRIC, speed, dp), at(&MECHANICAL, speed, dp));
        let motor = json!({ "type": "motor", "name": "motor", "a": "a", "b": "b", "displacement": 1e-5, "speed": speed, "efficiency": map() });
        let found = run(held(low + dp, low, motor), 0.0);
        near(found("motor.torque"), 1e-5 * dp * eta_m, 1e3)?;
        // A source of what it takes keeps the pressure of a volume.
        let model = json!({
            "node": [ { "type": "volume", "name": "a", "volume": 1e-3, "start": low + dp }, { "type": "pressure", "name": "b", "pressure": low } ],
            "component": [
                { "type": "flow_source", "name": "source", "from": "b", "to": "a", "flow": 1e-5 * speed / eta_v },
                { "type": "motor", "name": "motor", "a": "a", "b": "b", "displacement": 1e-5, "speed": speed, "efficiency": map() } ],
        });
        let rate: f64 = compile(model).start(0.0).unwrap().yp[0];
        prop_assert!(rate.abs() < 1e-12 * 1.4e12 * 1e-5 * speed, "{rate}");
    }

    /// Whatever the quadrant, what a machine loses is not negative.
    #[test]
    fn no_quadrant_gains_power([a, b] in prop::array::uniform2(1e5..4e7), speed in -400.0..400.0) {
        let pump = json!({ "type": "fixed_pump", "name": "m", "from": "a", "to": "b", "displacement": 1e-5, "speed": speed, "efficiency": map() });
        let found = run(held(a, b, pump), 0.0);
        let loss: f64 = found("m.torque") * speed - found("m.flow") * (b - a);
        prop_assert!(loss >= -1e-9 * 1e-5 * 4e7 * 400.0, "{loss}");
    }

    #[test]
    fn a_winch_hauls_with_the_torque_of_its_motor(
        [a, b] in prop::array::uniform2(1e5..2e7), gear in 1.0..50.0, radius in 0.05..1.0, inertia in 1.0..100.0, tension in 0.0..1e5, length in 0.0..100.0,
    ) {
        let winch = |more: Value| {
            let mut winch = json!({ "type": "winch", "name": "w", "a": "a", "b": "b", "displacement": 1e-5, "gear": gear, "radius": radius });
            winch.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            winch
        };
        let pull = 1e-5 * (a - b) * gear / radius;
        let outside = run(held(a, b, winch(json!({ "velocity": -0.3 }))), 0.0);
        near(outside("w.tension"), pull, 1e5)?;
        // The rope comes in while oil flows from a to b.
        near(outside("w.speed"), 0.3 * gear / radius, 1.0)?;
        let end = 0.1;
        let found = run(held(a, b, winch(json!({ "length": length, "drum": { "inertia": inertia, "tension": tension } }))), end);
        let acceleration: f64 = (tension - pull) * radius * radius / inertia;
        prop_assert!(f64::abs(found("w.velocity") - acceleration * end) < 1e-6 * (acceleration.abs() * end + 1.0));
        prop_assert!(f64::abs(found("w.length") - length - 0.5 * acceleration * end * end) < 1e-6 * (acceleration.abs() + length + 1.0));
    }

    #[test]
    fn a_filter_clogs_and_its_bypass_opens(
        [a, b] in prop::array::uniform2(1e5..3e6), flow in 1e-5..1e-2, drop in 1e4..5e5, clogging in -0.5..1.5, cracking in 1e5..5e5, area in 1e-6..1e-3,
    ) {
        let filter = json!({ "type": "filter", "name": "f", "from": "a", "to": "b", "flow": flow, "drop": drop, "clogging": clogging,
            "bypass": { "cracking": cracking, "area": area } });
        let found = run(held(a, b, filter), 0.0);
        let dp: f64 = a - b;
        let z = f64::clamp((dp - cracking) / 1e5, 0.0, 1.0);
        let past = 0.62 * area * (2.0_f64 / 860.0).sqrt() * dp / dp.hypot(1e5).sqrt() * z * z * (3.0 - 2.0 * z);
        near(found("f.bypass_flow"), past, 1.0)?;
        near(found("f.flow"), dp * flow / drop * (1.0 - f64::clamp(clogging, 0.0, 1.0)) + past, 1.0)?;
    }

    #[test]
    fn a_cooler_has_its_nominal_flow_and_takes_its_heat(
        b in 1e5..3e6, flow in 1e-5..1e-2, drop in 1e3..5e5, effectiveness in 0.0..1.0, oil in 30.0..90.0, coolant in 5.0..30.0,
    ) {
        let cooler = json!({ "type": "cooler", "name": "c", "from": "a", "to": "b", "flow": flow, "drop": drop, "effectiveness": effectiveness,
            "heat_capacity": 2000, "oil_temperature": oil, "coolant_temperature": coolant });
        for (a, b, direction) in [(b + drop, b, 1.0), (b, b + drop, -1.0)] {
            let found = run(held(a, b, cooler.clone()), 0.0);
            near(found("c.flow"), direction * flow, 1e5 * flow)?;
            near(found("c.heat"), effectiveness * 860.0 * 2000.0 * flow * (oil - coolant), 1e12 * flow)?;
        }
    }
}

#[test]
fn a_winch_lowers_and_its_feedthrough_is_its_velocity() {
    let circuit = held(
        2e7,
        1e5,
        json!({ "type": "winch", "name": "w", "a": "a", "b": "b", "displacement": 1e-5, "radius": 0.2 }),
    );
    assert_eq!(circuit.inputs()[0].name, "w.velocity");
    assert_eq!(circuit.feedthrough(circuit.output("w.tension").unwrap()), [0]);
}

#[test]
fn wrong_tables_say_where_and_what_to_write() {
    let error = |field: &str, value: Value| {
        let mut map = map();
        map[field] = value;
        let model = json!({ "node": [ { "type": "tank", "name": "t" }, { "type": "volume", "name": "p", "volume": 1e-3 } ],
            "component": [ { "type": "fixed_pump", "name": "pump", "from": "t", "to": "p", "displacement": 1e-5, "speed": 1, "efficiency": map } ] });
        Circuit::compile(&serde_json::from_value(model).unwrap()).unwrap_err().to_string()
    };
    for (field, value, expected) in [
        ("speed", json!([50, 50, 60]), "larger than the one before, 50"),
        ("speed", json!([]), "it has no entry above 0"),
        ("pressure", json!([0]), "it has no entry above 0"),
        ("volumetric", json!([[1, 1], [1, 1]]), "one row for each of the 3 speeds"),
        ("mechanical", json!([[1, 1], [1], [1, 1]]), "one entry for each of the 2 pressures"),
        ("mechanical", json!([[1, 1], [0, 1], [1, 1]]), "above 0 and at most 1"),
        ("volumetric", json!([[1, 1], [1, 1.1], [1, 1]]), "above 0 and at most 1"),
    ] {
        let error = error(field, value);
        assert!(error.starts_with("component") && error.contains(field) && error.contains(expected), "{error}");
    }
}
