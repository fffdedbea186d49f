//! Signals of time are resolved wherever they drive a circuit: bells and fronts anywhere in a run, sines whose period divides the steps, against runs with
//! short steps and a small tolerance.

use fourbar_dae::integrator::{Error, Gstiff, Integrator, Stop};
use fourbar_hydraulics::{Circuit, Model};
use proptest::prelude::*;
use serde_json::{Value, json};

const END: f64 = 20.0;
const ROWS: usize = 1000;

fn compile(model: &Value) -> Circuit {
    Circuit::compile(&serde_json::from_value::<Model>(model.clone()).unwrap()).unwrap()
}

/// The unknowns at the ends of rows, and the number of steps; none longer than `largest`.
fn rows(model: &Value, tolerance: f64, largest: f64) -> Result<(Vec<Vec<f64>>, u64), Error> {
    let mut circuit = compile(model);
    let start = circuit.steady(0.0).unwrap();
    let mut method = Gstiff::with_tolerance(tolerance);
    method.step.largest = circuit.longest_step().unwrap_or(f64::INFINITY).min(largest);
    let mut run = method.start(circuit, 0.0, &start.y, &start.yp, END)?;
    let mut rows: Vec<Vec<f64>> = vec![start.y.clone()];
    let (mut y, mut yp) = (start.y.clone(), start.yp);
    loop {
        let stop = run.step()?;
        assert!(run.statistics().steps < 2_000_000);
        while rows.len() <= ROWS && END * rows.len() as f64 / ROWS as f64 <= run.time() {
            run.interpolate(END * rows.len() as f64 / ROWS as f64, &mut y, &mut yp)?;
            rows.push(y.clone());
        }
        if stop == Stop::EndTime {
            return Ok((rows, run.statistics().steps));
        }
    }
}

/// A signal of height 1 about 0.
fn signal(kind: usize, place: f64, width: f64, cycles: f64, step: f64) -> String {
    let omega = std::f64::consts::TAU * cycles / step;
    match kind {
        0 => format!("exp(-((time - {place:?})/{width:?})^2)"),
        1 => format!("0.5 + 0.5*tanh((time - {place:?})/{width:?})"),
        2 => format!("sin({omega:?}*time)"),
        3 => format!("cos({omega:?}*time)"),
        _ => format!("abs(sin({omega:?}*time))"),
    }
}

/// A circuit that `signal` drives at one place: a pressure, an orifice, a junction j, an orifice, a volume v, an orifice to the tank.
fn driven(place: usize, signal: &str, volume: f64) -> Value {
    let at = |mine: usize, text: String, otherwise: &str| if place == mine { text } else { otherwise.to_owned() };
    let mut model = json!({
        "node": [
            { "type": "pressure", "name": "s", "pressure": at(0, format!("1e7 + 5e6*({signal})"), "1e7") },
            { "type": "volume", "name": "j" }, { "type": "volume", "name": "v", "volume": volume },
            { "type": "tank", "name": "t" } ],
        "component": [
            { "type": "orifice", "name": "one", "from": "s", "to": "j", "area": 1e-6,
              "opening": at(1, format!("0.6 + 0.3*({signal})"), "1") },
            { "type": "orifice", "name": "two", "from": "j", "to": "v", "area": 1e-6 },
            { "type": "orifice", "name": "three", "from": "v", "to": "t", "area": 1e-6,
              "opening": at(2, format!("0.6 + 0.3*({signal})"), "1") },
            { "type": "flow_source", "name": "q", "from": "t", "to": if place == 3 { "j" } else { "v" },
              "flow": if (3..=4).contains(&place) { format!("3e-5 + 2e-5*({signal})") } else { "3e-5".to_owned() } },
            { "type": "fixed_pump", "name": "pump", "from": "t", "to": "v", "displacement": 1e-6,
              "speed": at(5, format!("30 + 20*({signal})"), "30") } ],
    });
    let parts = model["component"].as_array_mut().unwrap();
    if place == 6 {
        let shaft = json!({ "inertia": 1e-3, "torque": format!("(3 + ({signal}))*tanh(m.speed/10)") });
        parts.push(json!({ "type": "motor", "name": "m", "a": "v", "b": "t", "displacement": 1e-6, "shaft": shaft }));
    }
    model
}

/// Largest difference of two runs on all rows, of the largest change of each unknown.
fn difference(one: &[Vec<f64>], two: &[Vec<f64>]) -> f64 {
    (0..one[0].len())
        .map(|i| {
            let sizes = two.iter().map(|row| row[i].abs()).fold(0.0, f64::max);
            let apart = one.iter().zip(two).map(|(a, b)| (a[i] - b[i]).abs()).fold(0.0, f64::max);
            apart / sizes.max(1e-3)
        })
        .fold(0.0, f64::max)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 50, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn signals_of_time_are_resolved(
        kind in 0..5_usize, place in 0..7_usize, at in 0.02..0.98f64, width in -3.0..-1.0f64, cycles in 1..4_u32,
        volume in -9.0..-3.0f64,
    ) {
        // Sines whose period divides the longest step.
        let step = if kind < 2 { END / 1000.0 } else { END / 200.0 };
        let signal = signal(kind, END * at, END * 10.0_f64.powf(width), f64::from(cycles), step);
        let model = driven(place, &signal, 10.0_f64.powf(volume));
        let (found, steps) = rows(&model, 1e-6, step).unwrap();
        let (fine, _) = rows(&model, 1e-9, END / 20_000.0).unwrap();
        let apart = difference(&found, &fine);
        println!("{apart:.2e} {steps} place {place} volume {:.1e} {signal}", 10.0_f64.powf(volume));
        prop_assert!(apart < 3e-5, "{apart:e} in {steps} steps, place {place}, {signal}");
    }
}
