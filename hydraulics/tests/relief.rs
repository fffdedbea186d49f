//! Relief valves let nothing flow from a low to a high pressure, and have their characteristic wherever the pressure falls.

use fourbar_hydraulics::{Circuit, Model};
use proptest::prelude::*;
use serde_json::json;

/// Flow through a valve between two held pressures.
fn flow(valve: &Valve, inlet: f64, outlet: f64) -> f64 {
    let model = json!({
        "node": [ { "type": "pressure", "name": "p", "pressure": inlet }, { "type": "pressure", "name": "t", "pressure": outlet } ],
        "component": [ { "type": "relief_valve", "name": "valve", "from": "p", "to": "t", "pressure": valve.pressure,
                         "slope": valve.slope, "band": valve.band, "sense": valve.sense } ],
    });
    let mut circuit = Circuit::compile(&serde_json::from_value::<Model>(model).unwrap()).unwrap();
    let mut values = vec![0.0; circuit.outputs().len()];
    circuit.observe(0.0, &[], &mut values).unwrap();
    values[circuit.output("valve.flow").unwrap()]
}

#[derive(Debug, Clone)]
struct Valve {
    pressure: f64,
    slope: f64,
    band: f64,
    sense: &'static str,
}

impl Valve {
    /// The characteristic of a valve that only its excess opens.
    fn characteristic(&self, inlet: f64, outlet: f64) -> f64 {
        let d = if self.sense == "inlet" { inlet } else { inlet - outlet } - self.pressure;
        self.slope * 0.5 * (d + d.hypot(self.band))
    }
}

/// Evenly in the logarithm.
fn decades(low: f64, high: f64) -> impl Strategy<Value = f64> {
    (low.ln()..high.ln()).prop_map(f64::exp)
}

fn valve() -> impl Strategy<Value = Valve> {
    (decades(1e4, 5e7), decades(1e-12, 1e-6), decades(1e2, 1e6), prop_oneof![Just("inlet"), Just("difference")])
        .prop_map(|(pressure, slope, band, sense)| Valve { pressure, slope, band, sense })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn nothing_flows_uphill(valve in valve(), low in decades(1.0, 5e7), rise in prop_oneof![Just(0.0), decades(1e-3, 1e8)]) {
        prop_assert_eq!(flow(&valve, low, low + rise), 0.0);
    }

    #[test]
    fn the_characteristic_is_exact_where_the_pressure_falls_by_the_band(valve in valve(), outlet in decades(1.0, 5e7), more in decades(1e-6, 1e3)) {
        let inlet = outlet + valve.band * (1.0 + more);
        let expected = valve.characteristic(inlet, outlet);
        // Far below the set pressure d + sqrt(d^2 + w^2) cancels.
        let allowed = 1e-12 * expected + 1e-15 * valve.slope * (inlet + valve.pressure);
        prop_assert!((flow(&valve, inlet, outlet) - expected).abs() <= allowed);
    }

    #[test]
    fn the_flow_grows_with_the_fall_of_pressure(valve in valve(), outlet in decades(1.0, 5e7), fall in decades(1e-3, 1e8), more in decades(1e-3, 1.0)) {
        let [less, more] = [fall, fall * (1.0 + more)].map(|fall| flow(&valve, outlet + fall, outlet));
        let round_off = 1e-15 * valve.slope * (outlet + fall + valve.pressure);
        prop_assert!(less >= 0.0 && more >= less - round_off, "{less:e} {more:e}");
    }
}
