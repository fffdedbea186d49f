//! Below the vapour pressure a cavity grows: the pressure stays there, and what was drawn out comes back.

use crate::support::fluids;

use fluids::fluid;
use fourbar_dae::integrator::{Gstiff, Integrator, Stop};
use fourbar_hydraulics::{Circuit, Error, Model};
use proptest::prelude::*;
use serde_json::{Value, json};

fn compile(model: Value) -> Circuit {
    Circuit::compile(&serde_json::from_value::<Model>(model).unwrap()).unwrap()
}

/// The circuit after a run from its start values.
fn run(model: Value, end: f64, tolerance: f64) -> (Circuit, Vec<f64>) {
    let mut circuit = compile(model);
    let start = circuit.start(0.0).unwrap();
    let mut run = Gstiff::with_tolerance(tolerance).start(circuit, 0.0, &start.y, &start.yp, end).unwrap();
    while run.step().unwrap() != Stop::EndTime {}
    (run.dae().clone(), run.state().to_vec())
}

/// One litre between an orifice from the tank and a source that draws.
fn suction(node: Value, flow: &str) -> Value {
    json!({
        "node": [ { "type": "tank", "name": "t" }, node ],
        "component": [
            { "type": "orifice", "name": "o", "from": "t", "to": "a", "area": 1e-6 },
            { "type": "flow_source", "name": "s", "from": "a", "to": "t", "flow": flow } ],
    })
}

fn litre() -> Value {
    json!({ "type": "volume", "name": "a", "volume": 1e-3, "start": 1e5 })
}

#[test]
fn a_node_from_which_more_is_drawn_than_can_flow_in_stays_at_the_vapour_pressure_and_is_named() {
    for end in [0.1, 1.0, 100.0] {
        let (circuit, y) = run(suction(litre(), "1e-3"), end, 1e-6);
        assert!((3000.0..4000.0).contains(&y[0]), "{}", y[0]);
        let [cavity] = &circuit.cavities()[..] else { panic!("{:?}", circuit.cavities()) };
        assert!(cavity.node == "a" && !cavity.junction && (3000.0..4000.0).contains(&cavity.lowest), "{cavity:?}");
        // The liquid of a litre at E = 1.4e9 Pa bears 0.07 cm^3 to the vapour pressure.
        assert!(cavity.since > 6e-5 && cavity.since < 1e-2, "{cavity:?}");
        assert!(cavity.to_string().contains("node \"a\" came to the vapour pressure"), "{cavity}");
    }
    let (circuit, y) = run(suction(litre(), "1e-6"), 1.0, 1e-6);
    assert!(y[0] > 9e4 && circuit.cavities().is_empty());
}

/// 6 cm³ are drawn out of a litre without a way back: 0.6 % of its volume, where the liquid bears 0.008 %.
#[test]
fn a_cavity_of_less_than_a_percent_is_named() {
    let model = json!({
        "node": [ { "type": "tank", "name": "t" }, litre() ],
        "component": [ { "type": "flow_source", "name": "s", "from": "a", "to": "t", "flow": 6e-6 } ] });
    for (end, opens) in [(1e-2, false), (0.1, true), (1.0, true)] {
        let (circuit, _) = run(model.clone(), end, 1e-6);
        assert_eq!(!circuit.cavities().is_empty(), opens, "{:?}", circuit.cavities());
    }
    // The size of a larger one is told with how far it is known.
    let (circuit, _) = run(suction(litre(), "1e-3"), 1.0, 1e-6);
    let told = circuit.cavities()[0].to_string();
    assert!(told.contains("volumes of the node") && told.contains("tolerance"), "{told}");
}

#[test]
fn a_state_that_only_tension_would_balance_is_refused_with_the_node() {
    let mut circuit = compile(suction(litre(), "1e-3"));
    let error = circuit.steady(0.0).unwrap_err();
    assert!(matches!(&error, Error::Cavitates { node, pressure, .. } if node == "a" && *pressure < 3e3), "{error}");
    // A junction has no place for a cavity.
    let mut circuit = compile(suction(json!({ "type": "volume", "name": "a" }), "1e-3"));
    for error in [circuit.steady(0.0).unwrap_err(), circuit.start(0.0).unwrap_err()] {
        assert!(matches!(&error, Error::Cavitates { node, .. } if node == "a"), "{error}");
        assert!(error.to_string().contains("give it a `volume`"), "{error}");
    }
}

#[test]
fn a_junction_under_tension_is_named_with_what_to_do() {
    let (circuit, _) =
        run(suction(json!({ "type": "volume", "name": "a" }), "1e-3*step5(time, 0, 0, 0.1, 1)"), 0.1, 1e-6);
    let [cavity] = &circuit.cavities()[..] else { panic!("{:?}", circuit.cavities()) };
    assert!(
        cavity.junction && cavity.lowest < 0.0 && cavity.to_string().contains("give the node a `volume`"),
        "{cavity}"
    );
}

#[test]
fn pressures_that_count_from_the_atmosphere_evaporate_an_atmosphere_lower() {
    let mut model = suction(litre(), "1e-3");
    model["node"][0]["pressure"] = json!(0);
    let (_, y) = run(model, 1.0, 1e-6);
    assert!((3000.0..4000.0).contains(&(y[0] + 101_325.0)), "{}", y[0]);
    // At rest nothing evaporates.
    let mut circuit = compile(json!({ "node": [ { "type": "tank", "name": "t", "pressure": 0 }, litre() ],
        "component": [ { "type": "orifice", "name": "o", "from": "t", "to": "a", "area": 1e-6 } ] }));
    assert!(circuit.steady(0.0).unwrap().y[0].abs() < 1e-6);
}

#[test]
fn a_start_below_the_vapour_pressure_is_one_without_a_cavity() {
    for start in [-1e6, 0.0, 2999.0, 3500.0] {
        let node = json!({ "type": "volume", "name": "a", "volume": 1e-3, "start": start });
        let (_, y) = run(suction(node, "0"), 1.0, 1e-6);
        assert!((y[0] / 101_325.0 - 1.0).abs() < 1e-3, "{}", y[0]);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    /// The volume that was drawn out of a node and put back leaves its pressure as it was, whatever the fluid, and it never falls below that of the vapour.
    #[test]
    fn what_was_drawn_out_comes_back(fluid in fluid(), volume in 1e-6..1e-1, start in 1e5..2e7, size in 0.01..10.0, time in 0.01..10.0) {
        let vapor = fluid.pointer("/vapor/pressure").map_or(3e3, |p| p.as_f64().unwrap());
        let onset = vapor + fluid.pointer("/vapor/modulus").map_or(1e3, |m| m.as_f64().unwrap());
        let flow = format!("{size}*{volume}*pi/(2*{time})*sin(pi*time/{time})");
        let model = json!({
            "fluid": fluid,
            "node": [ { "type": "volume", "name": "a", "volume": volume, "start": start }, { "type": "tank", "name": "t" } ],
            "component": [ { "type": "flow_source", "name": "s", "from": "a", "to": "t", "flow": flow } ],
        });
        let (_, open) = run(model.clone(), time, 1e-8);
        prop_assert!(open[0] > vapor, "{}", open[0]);
        // Air expands before a cavity opens: 0.05 of it at the atmosphere to 1.7 volumes at most.
        if size > 2.0 {
            prop_assert!(open[0] < onset, "{}", open[0]);
        }
        let (circuit, closed) = run(model, 2.0 * time, 1e-8);
        // The error of the volume, of the size of the cavity, is that of the pressure over E.
        let error = f64::abs(closed[0] - start) / 1.5e9;
        prop_assert!(error < 1e-6 * (1.0 + size), "{} {}", closed[0], start);
        prop_assert!(circuit.cavities().iter().all(|cavity| cavity.lowest > vapor), "{:?}", circuit.cavities());
    }

    /// Oil is drawn for a second and returned at the same rate: the cavity closes a second later, but for the part of it that is told to be open.
    #[test]
    fn a_large_cavity_closes_when_its_oil_is_back(size in -1.0..2.9f64, tolerance in -8.0..-4.0f64) {
        let (size, tolerance) = (10f64.powf(size), 10f64.powf(tolerance));
        let model = json!({
            "node": [ { "type": "tank", "name": "t" }, litre() ],
            "component": [ { "type": "flow_source", "name": "s", "from": "a", "to": "t",
                "flow": format!("{size:e}*1e-3*if(time < 1, 1, -1)") } ] });
        let mut circuit = compile(model);
        let start = circuit.start(0.0).unwrap();
        let mut run = Gstiff::with_tolerance(tolerance).start(circuit, 0.0, &start.y, &start.yp, 3.0).unwrap();
        let mut before = 0.0;
        while run.state()[0] < 1e5 || run.time() < 1.0 {
            before = run.time();
            prop_assert_ne!(run.step().unwrap(), Stop::EndTime);
        }
        // Within the step in which the pressure is back.
        let missed = f64::max(before - 2.0, 2.0 - run.time()).max(0.0) * size;
        let told = run.dae().cavities()[0].size[1];
        prop_assert!(missed < told && told < 1e3 * tolerance * (1.0 + size), "D = {size}, e = {tolerance:e}: {missed:e} of {told:e}");
        prop_assert!(run.statistics().steps < 3000, "{:?}", run.statistics());
    }
}
