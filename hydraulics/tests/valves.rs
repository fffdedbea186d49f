//! Counterbalance, pilot-operated check, flow-control and pressure-reducing valves against their closed forms, between held pressures.

use fourbar_hydraulics::{Circuit, Model};
use proptest::prelude::*;
use serde_json::{Value, json};

/// The outputs of a component between held pressures n0, n1, ..
fn between(pressures: &[f64], component: &Value) -> impl Fn(&str) -> f64 + use<> {
    let node = |(k, p): (usize, &f64)| json!({ "type": "pressure", "name": format!("n{k}"), "pressure": p });
    let nodes: Vec<Value> = pressures.iter().enumerate().map(node).collect();
    let model = json!({ "node": nodes, "component": [component] });
    let mut circuit = Circuit::compile(&serde_json::from_value::<Model>(model).unwrap()).unwrap();
    let mut values = vec![0.0; circuit.outputs().len()];
    circuit.observe(0.0, &[], &mut values).unwrap();
    move |name| values[circuit.output(name).unwrap_or_else(|| panic!("no output {name}"))]
}

/// Bernoulli's flow through an area, laminar below 1e5 Pa.
fn orifice(area: f64, dp: f64) -> f64 {
    0.62 * area * (2.0_f64 / 860.0).sqrt() * dp / dp.hypot(1e5).sqrt()
}

/// 3 z^2 - 2 z^3.
fn blend(z: f64) -> f64 {
    let z = z.clamp(0.0, 1.0);
    z * z * (3.0 - 2.0 * z)
}

/// Evenly in the logarithm.
fn decades(low: f64, high: f64) -> impl Strategy<Value = f64> {
    (low.ln()..high.ln()).prop_map(f64::exp)
}

fn pressure() -> impl Strategy<Value = f64> {
    decades(1e4, 5e7)
}

fn near(found: f64, expected: f64, size: f64) -> Result<(), TestCaseError> {
    prop_assert!((found - expected).abs() <= 1e-12 * expected.abs() + 1e-14 * size, "{found:e}, expected {expected:e}");
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn a_counterbalance_valve_opens_by_load_and_pilot(
        (load, back, pilot) in (pressure(), pressure(), pressure()), set in 1e6..4e7, ratio in 0.0..10.0, band in 1e5..1e7, area in decades(1e-7, 1e-3),
        vented in any::<bool>(),
    ) {
        let valve = json!({ "type": "counterbalance_valve", "name": "valve", "from": "n0", "to": "n1", "pilot": "n2", "pressure": set, "ratio": ratio,
            "band": band, "area": area, "leak": 0, "sense": if vented { "inlet" } else { "difference" } });
        let flow = between(&[load, back, pilot], &valve)("valve.flow");
        let excess = load + ratio * pilot - set - if vented { 0.0 } else { (1.0 + ratio) * back };
        let closed = (1.0 - blend(excess / band)) * (1.0 - blend((back - load) / 1e5));
        near(flow, orifice((1.0 - closed) * area, load - back), orifice(area, 1e8))?;
        // Backwards it is a check valve, whatever the pilot.
        if back > load + 1e5 {
            near(flow, orifice(area, load - back), orifice(area, 1e8))?;
        }
    }

    #[test]
    fn a_pilot_opens_a_check_valve_backwards(
        (low, load, pilot) in (pressure(), pressure(), pressure()), ratio in 1.0..10.0, cracking in 0.0..1e6, area in decades(1e-7, 1e-3),
    ) {
        let valve = json!({ "type": "pilot_operated_check_valve", "name": "valve", "from": "n0", "to": "n1", "pilot": "n2", "ratio": ratio,
            "cracking": cracking, "area": area, "leak": 0 });
        let flow = between(&[low, load, pilot], &valve)("valve.flow");
        let dp: f64 = low - load;
        let full = orifice(area, dp);
        // The seat holds back load and spring; the piston pushes with r times its area.
        let push = ratio * (pilot - low) - (load - low) - cracking;
        if dp > cracking + 1e5 || push > 1e5 {
            near(flow, full, orifice(area, 1e8))?;
        } else if dp < cracking && push < 0.0 {
            prop_assert_eq!(flow, 0.0);
        } else {
            prop_assert!(flow.abs() <= full.abs() && flow * full >= 0.0);
        }
    }

    #[test]
    fn a_flow_control_valve_passes_what_is_set_or_is_an_orifice(
        (inlet, outlet) in (pressure(), pressure()), set in decades(1e-6, 1e-2), compensation in 1e5..2e6,
    ) {
        let valve = json!({ "type": "flow_control_valve", "name": "valve", "from": "n0", "to": "n1", "flow": set, "compensation": compensation });
        let flow = between(&[inlet, outlet], &valve)("valve.flow");
        let dp = inlet - outlet;
        let edge = set * orifice(1.0, dp) / orifice(1.0, compensation);
        if dp >= 1.2 * compensation {
            near(flow, set, 0.0)?;
        } else if dp <= 0.8 * compensation {
            near(flow, edge, set)?;
        } else {
            prop_assert!(flow < set.min(edge) * (1.0 + 1e-12) && flow > 0.85 * set, "{flow:e} of {set:e}");
        }
    }

    #[test]
    fn a_reducing_valve_feeds_below_its_pressure_and_drains_above(
        (inlet, drain) in (pressure(), pressure()), set in 1e6..2e7, share in -3.0..3.0, band in 1e5..5e5, area in decades(1e-7, 1e-3),
    ) {
        let outlet = set + share * band;
        for name in ["reducing_valve", "pressure_reducing_valve"] {
            let valve = json!({ "type": name, "name": "valve", "from": "n0", "to": "n1", "drain": "n2", "pressure": set, "band": band, "area": area,
                "leak": 0 });
            let found = between(&[inlet, outlet, drain], &valve);
            // The share of the band is rounded as the pressures are.
            let size = orifice(area, 1e8) * 1e5;
            near(found("valve.flow"), orifice(area, inlet - outlet) * (1.0 - blend(share + 1.0)), size)?;
            near(found("valve.drain_flow"), orifice(area, outlet - drain) * blend(share), size)?;
        }
    }
}

/// The outputs in the steady state.
fn steady(model: Value) -> impl Fn(&str) -> f64 {
    let mut circuit = Circuit::compile(&serde_json::from_value::<Model>(model).unwrap()).unwrap();
    let point = circuit.steady(0.0).unwrap();
    let mut values = vec![0.0; circuit.outputs().len()];
    circuit.observe(0.0, &point.y, &mut values).unwrap();
    move |name| values[circuit.output(name).unwrap_or_else(|| panic!("no output {name}"))]
}

#[test]
fn a_pump_lowers_a_load_against_its_counterbalance_valve() {
    // A load drives the motor along; the pump feeds it and opens the valve behind it by its pressure.
    let motor = json!({ "type": "motor", "name": "motor", "a": "a", "b": "b", "displacement": 1e-5, "shaft": { "inertia": 1, "torque": -200 } });
    let found = steady(json!({
        "node": [ { "type": "volume", "name": "a" }, { "type": "volume", "name": "b" }, { "type": "tank", "name": "tank" } ],
        "component": [
            { "type": "flow_source", "name": "pump", "from": "tank", "to": "a", "flow": 1e-4 },
            { "type": "relief_valve", "name": "relief", "from": "a", "to": "tank", "pressure": 2e7, "slope": 1e-9 },
            { "type": "counterbalance_valve", "name": "hold", "from": "b", "to": "tank", "pilot": "a", "pressure": 2.5e7, "ratio": 4, "area": 1e-5 },
            motor ],
    }));
    // D (p_b - p_a) = 200 N m, and the flow opens the valve: e = p_b + 4 p_a - 5 p_t - set.
    let (a, b) = (found("a.pressure"), found("b.pressure"));
    assert!((b - a - 2e7).abs() < 1.0, "{a} {b}");
    let flow = 1e-4 - found("relief.flow");
    assert!((found("motor.speed") * 1e-5 / flow - 1.0).abs() < 1e-9, "{}", found("motor.speed"));
    let excess = b + 4.0 * a - 5.0 * 101_325.0 - 2.5e7;
    let expected = orifice(1e-5 * (1e-6 + (1.0 - 1e-6) * blend(excess / 1e6)), b - 101_325.0);
    assert!((found("hold.flow") / expected - 1.0).abs() < 1e-9 && (expected / flow - 1.0).abs() < 1e-9);
}
