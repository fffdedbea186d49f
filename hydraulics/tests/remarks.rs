//! What passes the laws of a circuit but is hardly meant: commands beyond 1, pressures from two zeros, components that lead nowhere.

use fourbar_dae::integrator::{Gstiff, Integrator, Stop};
use fourbar_hydraulics::{Circuit, Error, Model};
use proptest::prelude::*;
use serde_json::{Value, json};

fn compile(model: Value) -> Result<Circuit, Error> {
    Circuit::compile(&serde_json::from_value::<Model>(model).unwrap())
}

fn remarks(model: Value) -> Vec<String> {
    let mut circuit = compile(model).unwrap();
    let start = circuit.start(0.0).unwrap();
    let mut run = Gstiff::with_tolerance(1e-6).start(circuit, 0.0, &start.y, &start.yp, 1.0).unwrap();
    while run.step().unwrap() != Stop::EndTime {}
    run.dae().remarks()
}

fn valve(command: Value, limit: Value) -> Value {
    let mut valve = json!({ "type": "spool_valve", "name": "sv", "supply": "s", "tank": "t", "a": "a", "b": "b", "command": command, "area": 1e-5,
        "frequency": 300, "damping": 0.8 });
    if !limit.is_null() {
        valve["limit"] = limit;
    }
    json!({
        "node": [ { "type": "pressure", "name": "s", "pressure": 1e7 }, { "type": "tank", "name": "t" },
            { "type": "volume", "name": "a", "volume": 1e-4 }, { "type": "volume", "name": "b", "volume": 1e-4 } ],
        "component": [ valve, { "type": "orifice", "name": "load", "from": "a", "to": "b", "area": 1e-6 } ] })
}

#[test]
fn commands_beyond_full_opening_are_named() {
    for command in [json!(50), json!("if(time > 0.5, 50, 1)")] {
        let told = remarks(valve(command, Value::Null));
        let named = |told: &String| told.contains("\"sv\", `command`") && told.contains("50");
        assert!(told.len() == 1 && told.iter().all(named), "{told:?}");
    }
    // 1 is full, and a limit is one.
    assert_eq!(remarks(valve(json!("sign(sin(20*time))"), Value::Null)), Vec::<String>::new());
    assert_eq!(remarks(valve(json!(50), json!(1))), Vec::<String>::new());
    let pump = json!({
        "node": [ { "type": "tank", "name": "t" }, { "type": "volume", "name": "v", "volume": 1e-4 } ],
        "component": [ { "type": "orifice", "name": "o", "from": "v", "to": "t", "area": 1e-5 },
            { "type": "variable_pump", "name": "p", "from": "t", "to": "v", "displacement": 1e-6, "speed": 100, "setting": 2,
              "time_constant": 0.1 } ] });
    let told = remarks(pump);
    assert!(told.len() == 1 && told[0].contains("\"p\", `setting`"), "{told:?}");
}

#[test]
fn pressures_that_count_from_two_zeros_are_named() {
    let model = |pressure: f64| {
        json!({
            "node": [ { "type": "pressure", "name": "s", "pressure": 1e7 }, { "type": "pressure", "name": "r", "pressure": 0 },
                { "type": "tank", "name": "t", "pressure": pressure }, { "type": "volume", "name": "v", "volume": 1e-4 } ],
            "component": [ { "type": "orifice", "name": "o", "from": "s", "to": "v", "area": 1e-6 },
                { "type": "orifice", "name": "p", "from": "v", "to": "r", "area": 1e-6 },
                { "type": "orifice", "name": "q", "from": "v", "to": "t", "area": 1e-6 } ] })
    };
    let told = remarks(model(101_325.0));
    assert!(told.len() == 1 && told[0].contains("\"r\"") && told[0].contains("\"t\""), "{told:?}");
    assert_eq!(remarks(model(0.0)), Vec::<String>::new());
}

#[test]
fn a_component_from_a_node_to_itself_is_refused() {
    let error = compile(json!({
        "node": [ { "type": "tank", "name": "t" } ],
        "component": [ { "type": "orifice", "name": "o", "from": "t", "to": "t", "area": 1e-6 } ] }))
    .unwrap_err();
    assert!(matches!(error, Error::Model(_)));
    let text = error.to_string();
    assert!(text.contains("\"o\", `to`") && text.contains("\"t\"") && text.contains("two nodes"), "{text}");
}

/// A rod under a constant pressure, free to leave its stroke (m) from `position` on with `velocity`.
fn free_rod(stroke: f64, position: f64, velocity: f64, stops: Value) -> Value {
    let mut cylinder = json!({ "type": "cylinder", "name": "c", "a": "t", "area_a": 1e-3, "stroke": stroke, "dead_a": 1e-2 * stroke,
        "position": position, "velocity": velocity, "load": { "mass": 10 }, "friction": { "viscous": 1 } });
    if !stops.is_null() {
        cylinder["stops"] = stops;
    }
    json!({ "node": [ { "type": "tank", "name": "t", "pressure": 0 }, { "type": "volume", "name": "v", "volume": 1e-3 } ],
        "component": [ { "type": "orifice", "name": "o", "from": "v", "to": "t", "area": 1e-6 }, cylinder ] })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    /// A rod that leaves its stroke is told, one that stays or has stops is not: in a micrometre and in a hundred metres.
    #[test]
    fn rods_outside_their_strokes_are_named(magnitude in -6.0..2.0f64, part in 0.05..0.95f64, speed in -3.0..3.0f64) {
        let stroke = 10f64.powf(magnitude);
        // x = x0 + v m/c (1 - exp(-c t/m)) over 1 s.
        let way = speed * stroke * 10.0 * (1.0 - (-0.1_f64).exp());
        let end = part * stroke + way;
        prop_assume!((end / stroke).abs() > 1e-3 && (end / stroke - 1.0).abs() > 1e-3);
        let outside = !(0.0..=stroke).contains(&end);
        let told = remarks(free_rod(stroke, part * stroke, speed * stroke, Value::Null));
        prop_assert_eq!(told.iter().any(|text| text.contains("outside its stroke")), outside, "{} {:?}", end / stroke, told);
        prop_assert!(told.len() <= 1, "{:?}", told);
    }
}

#[test]
fn a_start_outside_the_stroke_is_refused_and_stops_are_no_remark() {
    for position in [-0.1, 0.55] {
        let text = compile(free_rod(0.5, position, 0.0, Value::Null)).unwrap_err().to_string();
        assert!(text.contains("position") && text.contains("stroke"), "{text}");
    }
    let stops = json!({ "stiffness": 1e6, "damping": 0.1 });
    assert_eq!(remarks(free_rod(0.5, 0.45, 1.0, stops)), Vec::<String>::new());
}

/// A cylinder with a load under a pump and a relief valve, and an accumulator.
fn stated(position: f64, velocity: f64, fluid: f64) -> Circuit {
    compile(json!({
        "node": [ { "type": "tank", "name": "t" }, { "type": "volume", "name": "p", "volume": 1e-3 } ],
        "component": [ { "type": "fixed_pump", "name": "pump", "from": "t", "to": "p", "displacement": 2e-6, "speed": 150 },
            { "type": "relief_valve", "name": "rv", "from": "p", "to": "t", "pressure": 1e7, "slope": 1e-9 },
            { "type": "accumulator", "name": "acc", "node": "p", "volume": 4e-3, "precharge": 5e6, "area": 1e-4, "start": fluid },
            { "type": "cylinder", "name": "cyl", "a": "p", "area_a": 2e-3, "stroke": 1, "dead_a": 1e-4, "position": position, "velocity": velocity,
              "load": { "mass": 1000, "force": 9810 }, "friction": { "viscous": 1000 }, "stops": { "stiffness": 1e8, "damping": 1 } } ] }))
    .unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    /// Of stated starts a steady start tells those, and only those, that it does not keep; a start from the values keeps all.
    #[test]
    fn stated_starts_that_a_steady_start_overrules_are_named(
        position in prop_oneof![Just(0.0), 0.01..0.95f64], velocity in prop_oneof![Just(0.0), -0.5..0.5f64], fluid in prop_oneof![Just(0.0), 1e-5..1e-3f64],
    ) {
        let mut circuit = stated(position, velocity, fluid);
        let steady = circuit.steady(0.0).unwrap();
        let found = |name: &str| steady.y[circuit.output(name).unwrap()];
        let values = [("cyl.position", position), ("cyl.velocity", velocity), ("acc.volume", fluid)];
        let told = circuit.remarks();
        for (name, stated) in values {
            prop_assert_eq!(told.iter().any(|told| told.contains(name)), stated != 0.0, "{} {}: {:?}", name, stated, &told);
        }
        prop_assert!(told.len() <= 1 && told.iter().all(|told| told.contains("`start = \"values\"`")), "{told:?}");
        // What a steady start found it keeps.
        let mut again = stated(found("cyl.position"), 0.0, found("acc.volume"));
        again.steady(0.0).unwrap();
        prop_assert_eq!(again.remarks(), Vec::<String>::new());
        circuit.start(0.0).unwrap();
        prop_assert_eq!(circuit.remarks(), Vec::<String>::new());
    }
}

fn pump_into(volume: f64, speed: Value) -> Circuit {
    let parts =
        [json!({ "type": "fixed_pump", "name": "pump", "from": "t", "to": "v", "displacement": 2e-6, "speed": speed })];
    compile(json!({ "node": [ { "type": "tank", "name": "t" }, { "type": "volume", "name": "v", "volume": volume } ], "component": parts })).unwrap()
}

#[test]
fn a_closed_volume_is_told_what_it_lacks() {
    let text = pump_into(1e-3, json!(150)).steady(0.0).unwrap_err().to_string();
    assert!(
        text.contains("v.pressure") && text.contains("relief valve") && !text.contains("volume of its own"),
        "{text}"
    );
    let text = pump_into(0.0, json!(150)).steady(0.0).unwrap_err().to_string();
    assert!(text.contains("v.pressure") && text.contains("volume of its own"), "{text}");
}

/// A signal that is no number is named with its place; the equation in which it appears is not what is wrong.
#[test]
fn a_signal_that_is_no_number_is_named() {
    let mut circuit = pump_into(1e-3, json!("if(time < 0.5, 150, sqrt(0.4 - time))"));
    let start = circuit.start(0.0).unwrap();
    let mut run = Gstiff::with_tolerance(1e-6).start(circuit, 0.0, &start.y, &start.yp, 1.0).unwrap();
    let error = loop {
        match run.step() {
            Ok(Stop::EndTime) => panic!("it ended"),
            Ok(_) => {}
            Err(error) => break error.to_string(),
        }
    };
    assert!(error.contains("\"pump\", `speed`") && error.contains("its value is NaN"), "{error}");
}
