//! Jumps of commands and sources against closed forms: junctions balance anew at once, waves travel on, and nothing that fails for another
//! reason is passed by.

use fourbar_dae::integrator::{BdfStepper, Error, Gstiff, Integrator, Snapshot, Stop};
use fourbar_hydraulics::{Circuit, Model};
use serde_json::{Value, json};

const RHO: f64 = 860.0;
const E: f64 = 1.4e9;
const HIGH: f64 = 2e7;
const LOW: f64 = 1e5;

fn compile(model: Value) -> Circuit {
    Circuit::compile(&serde_json::from_value::<Model>(model).unwrap()).unwrap()
}

fn start(mut circuit: Circuit, end: f64) -> BdfStepper<Circuit> {
    let start = circuit.steady(0.0).unwrap();
    let mut method = Gstiff::with_tolerance(1e-7);
    method.step.largest = circuit.longest_step().unwrap_or(f64::INFINITY);
    method.start(circuit, 0.0, &start.y, &start.yp, end).unwrap()
}

fn to_end(run: &mut BdfStepper<Circuit>) -> Result<(), Error> {
    while run.step()? != Stop::EndTime {}
    Ok(())
}

/// The value of an output at `t` and the y there.
fn value(run: &mut BdfStepper<Circuit>, name: &str) -> f64 {
    let (t, y) = (run.time(), run.state().to_vec());
    let circuit = run.dae_mut();
    let mut values = vec![0.0; circuit.outputs().len()];
    circuit.observe(t, &y, &mut values).unwrap();
    values[circuit.output(name).unwrap()]
}

/// Runs to each time and reads the pressure of the junction "a" there.
fn pressures(circuit: Circuit, times: &[f64]) -> Vec<f64> {
    let mut run = start(circuit, 0.0);
    let read = times.iter().map(|&time| {
        run.set_end_time(time).unwrap();
        to_end(&mut run).unwrap();
        value(&mut run, "a.pressure")
    });
    read.collect()
}

/// Two orifices in a row from a pressure to the tank, the junction "a" between them.
fn divider(pressure: &str, opening: &str, inputs: Value) -> Circuit {
    let orifice = |name: &str, from: &str, to: &str, opening: &str| {
        json!({ "type": "orifice", "name": name, "from": from, "to": to, "area": 1e-5, "opening": opening,
            "laminar_below": 1.0 })
    };
    compile(json!({ "fluid": { "density": RHO }, "input": inputs,
        "node": [ { "type": "pressure", "name": "p", "pressure": pressure }, { "type": "volume", "name": "a" },
            { "type": "tank", "name": "t", "pressure": LOW } ],
        "component": [ orifice("one", "p", "a", "1"), orifice("two", "a", "t", opening) ] }))
}

/// Pressure between an orifice of area 1 and one of area `opening`: the flows are the same, so (p - a) = opening^2 (a - t).
fn divided(pressure: f64, opening: f64) -> f64 {
    (pressure + opening * opening * LOW) / (1.0 + opening * opening)
}

#[test]
fn a_command_that_jumps_sets_the_junction_anew_at_once() {
    let times = [0.05, 0.1, 0.1 + 1e-9, 0.2];
    let before = divided(HIGH, 1.0);
    for opening in
        ["if(time < 0.1, 1, 0.1)", "if(time <= 0.1, 1, 0.1)", "1 - 0.9*floor(10*time)/max(1, floor(10*time))"]
    {
        let found = pressures(divider(&format!("{HIGH}"), opening, json!([])), &times);
        let after = divided(HIGH, 0.1);
        for (found, expected) in found.iter().zip([before, before, after, after]) {
            assert!((found / expected - 1.0).abs() < 1e-9, "{opening}: {found:e}, {expected:e}");
        }
    }
    let found = pressures(divider("if(time < 0.1, 2e7, 1e7)", "1", json!([])), &times);
    for (found, pressure) in found.iter().zip([HIGH, HIGH, 1e7, 1e7]) {
        let expected = divided(pressure, 1.0);
        assert!((found / expected - 1.0).abs() < 1e-9, "{found:e}, {expected:e}");
    }
}

#[test]
fn an_opening_below_nothing_is_shut() {
    let found = pressures(divider(&format!("{HIGH}"), "if(time<0.1, 1, -0.5)", json!([])), &[0.05, 0.15]);
    for (found, expected) in found.iter().zip([divided(HIGH, 1.0), HIGH]) {
        assert!((found / expected - 1.0).abs() < 1e-9, "{found:e}, {expected:e}");
    }
}

/// Shut and opened again by inputs that pass through zero, as extrapolation makes them: about the root of a shut junction's balance, where
/// all flows vanish, Newton's method goes to and fro between two points at any step.
#[test]
fn openings_that_inputs_take_through_zero_end_no_run() {
    let mut run = start(divider(&format!("{HIGH}"), "u", json!([{ "name": "u", "start": 1 }])), 0.0);
    let step = 1e-3;
    for (k, polynomial) in [
        // Value, speed, acceleration in steps: down to 0 along a parabola, below it and back, up again.
        [1.0, -0.5, -1.0],
        [0.0, -0.5, 1.0],
        [0.0, 0.5, 1.0],
        [1.0, -1.9, 0.0],
        [0.1, -0.9, 0.0],
        [0.1, 0.0, 0.0],
    ]
    .into_iter()
    .enumerate()
    {
        let [value0, first, second] = polynomial;
        let time = k as f64 * step;
        run.dae_mut().set_inputs(time, std::iter::once([value0, first / step, second / (step * step)])).unwrap();
        run.expect_jump();
        run.set_end_time(time + step).unwrap();
        to_end(&mut run).unwrap();
        let opening = f64::max(value0 + first + 0.5 * second, 0.0);
        let (found, expected) = (value(&mut run, "a.pressure"), divided(HIGH, opening));
        assert!((found / expected - 1.0).abs() < 1e-5, "{k}: {found:e}, {expected:e}");
    }
}

#[test]
fn each_edge_of_a_pulse_is_one_jump_and_costs_no_search() {
    let circuit = divider(&format!("{HIGH}"), "if(mod(time, 0.02) < 0.007, 1, 0.2)", json!([]));
    let mut run = start(circuit, 0.99);
    to_end(&mut run).unwrap();
    let statistics = run.statistics();
    // Falling edges at 7 ms + k 20 ms, rising ones at k 20 ms, k > 0; at that at 0 ms the method begins once more.
    assert_eq!((statistics.jumps, statistics.jumps_found), (100, 0));
    assert_eq!(statistics.rejected_by_error + statistics.rejected_by_newton, 0);
}

#[test]
fn a_flow_that_jumps_leaves_the_relief_valve_on_its_characteristic() {
    let (slope, set) = (1e-9, 1e7);
    let circuit = compile(json!({
        "node": [ { "type": "volume", "name": "a" }, { "type": "tank", "name": "t", "pressure": LOW } ],
        "component": [ { "type": "flow_source", "name": "q", "from": "t", "to": "a", "flow": "if(time<0.1,1e-4,2e-4)" },
            { "type": "relief_valve", "name": "r", "from": "a", "to": "t", "pressure": set, "slope": slope, "band": 1e3 } ] }));
    let found = pressures(circuit, &[0.1, 0.15]);
    for (found, flow) in found.iter().zip([1e-4, 2e-4]) {
        // q = k (d + sqrt(d^2 + w^2))/2 for d = q/k - w^2 k/(4 q).
        let expected = LOW + set + flow / slope - 1e6 * slope / (4.0 * flow);
        assert!((found / expected - 1.0).abs() < 1e-9, "{found:e}, {expected:e}");
    }
}

#[test]
fn an_input_that_jumps_from_outside_is_followed_at_once() {
    let mut run = start(divider(&format!("{HIGH}"), "u", json!([{ "name": "u", "start": 1 }])), 0.0);
    for (k, opening) in [1.0, 0.1, 0.100001, 0.7, 0.05].into_iter().enumerate() {
        run.dae_mut().hold_inputs(&[opening]).unwrap();
        run.expect_jump();
        run.set_end_time(0.01 * (k + 1) as f64).unwrap();
        to_end(&mut run).unwrap();
        let (found, expected) = (value(&mut run, "a.pressure"), divided(HIGH, opening));
        assert!((found / expected - 1.0).abs() < 1e-5, "{k}: {found:e}, {expected:e}");
    }
    let statistics = run.statistics();
    assert_eq!((statistics.jumps, statistics.jumps_found), (3, 0));
}

#[test]
fn a_jump_at_a_time_that_no_straight_line_tells_is_met() {
    // The condition is no straight line in time, and no sine of one.
    let circuit = divider(&format!("{HIGH}"), "if(exp(31*time) < 1.5, 1, 0.1)", json!([]));
    let jump = 1.5_f64.ln() / 31.0;
    let mut run = start(circuit, jump - 1e-7);
    to_end(&mut run).unwrap();
    assert!((value(&mut run, "a.pressure") / divided(HIGH, 1.0) - 1.0).abs() < 1e-9);
    run.set_end_time(jump + 1e-7).unwrap();
    to_end(&mut run).unwrap();
    assert!((value(&mut run, "a.pressure") / divided(HIGH, 0.1) - 1.0).abs() < 1e-9);
    let statistics = run.statistics();
    assert_eq!((statistics.jumps, statistics.jumps_found), (1, 0));
}

#[test]
fn a_valve_switched_by_a_pressure_is_met_too() {
    // The source presses 10 bar/s into the vessel; at 150 bar the valve at the junction behind it shuts to a tenth.
    let circuit = compile(json!({
        "parameters": { "p": HIGH },
        "node": [ { "type": "pressure", "name": "p", "pressure": HIGH }, { "type": "volume", "name": "a" },
            { "type": "volume", "name": "v", "volume": 1e-3, "start": 1e7 }, { "type": "tank", "name": "t", "pressure": LOW } ],
        "component": [
            { "type": "orifice", "name": "one", "from": "p", "to": "a", "area": 1e-5, "laminar_below": 1.0 },
            { "type": "orifice", "name": "two", "from": "a", "to": "t", "area": 1e-5, "laminar_below": 1.0,
              "opening": "if(v.pressure < 1.5e7, 1, 0.1)" },
            { "type": "flow_source", "name": "q", "from": "t", "to": "v", "flow": 1e-4 } ] }));
    let mut circuit = circuit;
    let start = circuit.start(0.0).unwrap();
    // p' = E q/V.
    let switched = 5e6 / (E * 1e-4 / 1e-3);
    let mut run = Gstiff::with_tolerance(1e-7).start(circuit, 0.0, &start.y, &start.yp, 0.999 * switched).unwrap();
    to_end(&mut run).unwrap();
    assert!((value(&mut run, "a.pressure") / divided(HIGH, 1.0) - 1.0).abs() < 1e-9);
    run.set_end_time(1.001 * switched).unwrap();
    to_end(&mut run).unwrap();
    assert!((value(&mut run, "a.pressure") / divided(HIGH, 0.1) - 1.0).abs() < 1e-9);
    assert_eq!((run.statistics().jumps, run.statistics().jumps_found), (1, 0));
}

/// Whether a run ends with the error that names what chatters.
fn chatters(error: &Error, of: &str, near: std::ops::Range<f64>) -> bool {
    matches!(error, Error::Chattering { condition, time } if condition.contains(of) && near.contains(time))
}

#[test]
fn a_relay_without_a_balance_chatters() {
    // All but shut below 40 bar, open above: when the source has passed 40 bar, with either the pressure is on the other side.
    let mut circuit = divider("3e6 + 1e7*min(1, 10*time)", "if(a.pressure > 4e6, 1, 0.1)", json!([]));
    let start = circuit.complete(0.0, vec![3e6]).unwrap();
    let mut run = Gstiff::with_tolerance(1e-7).start(circuit, 0.0, &start.y, &start.yp, 0.5).unwrap();
    let error = to_end(&mut run).unwrap_err();
    assert!(chatters(&error, "\"two\", `opening` = if(a.pressure > 4e6, 1, 0.1)", 0.0..0.02), "{error}");
}

/// Below 100 bar the pump delivers more than the orifice lets out, above nothing.
#[test]
fn a_pressure_switch_chatters() {
    let mut circuit = compile(json!({
        "node": [ { "type": "tank", "name": "t" }, { "type": "volume", "name": "v", "volume": 1e-3 } ],
        "component": [
            { "type": "fixed_pump", "name": "pu", "from": "t", "to": "v", "displacement": 1e-5, "speed": "if(v.pressure < 1e7, 150, 0)" },
            { "type": "orifice", "name": "o", "from": "v", "to": "t", "area": 1e-6 } ] }));
    let start = circuit.start(0.0).unwrap();
    let mut run = Gstiff::with_tolerance(1e-6).start(circuit, 0.0, &start.y, &start.yp, 10.0).unwrap();
    let error = to_end(&mut run).unwrap_err();
    // 1e7 Pa 1e-3 m^3/1.4e9 Pa of oil at 1.4e-3 m^3/s and more.
    assert!(chatters(&error, "\"pu\", `speed` = if(v.pressure < 1e7, 150, 0)", 4.7e-3..5.5e-3), "{error}");
    assert!(run.statistics().steps < 1000);
}

#[test]
fn stop_times_are_passed_and_checked() {
    let mut circuit = divider(&format!("{HIGH}"), "if(time*time < 0.01, 1, 0.1)", json!([]));
    assert!(circuit.set_stop_times(&[f64::NAN]).is_err());
    circuit.set_stop_times(&[0.1]).unwrap();
    let mut run = start(circuit, 0.3);
    to_end(&mut run).unwrap();
    assert!((value(&mut run, "a.pressure") / divided(HIGH, 0.1) - 1.0).abs() < 1e-9);
    assert_eq!((run.statistics().jumps, run.statistics().jumps_found), (1, 0));
}

const LENGTH: f64 = 5.0;
const DIAMETER: f64 = 0.02;

fn speed() -> f64 {
    f64::sqrt(E / RHO)
}

/// A vessel of constant pressure, a line almost without friction to the junction "a", and what follows there.
fn pipe(rest: Value) -> Circuit {
    compile(json!({ "fluid": { "density": RHO, "viscosity": 1e-7, "bulk_modulus": { "type": "constant", "value": E } },
        "node": [ { "type": "pressure", "name": "p", "pressure": HIGH }, { "type": "volume", "name": "a" },
            { "type": "tank", "name": "t", "pressure": LOW } ],
        "component": [ { "type": "transmission_line", "name": "line", "from": "p", "to": "a", "length": LENGTH,
            "diameter": DIAMETER }, rest ] }))
}

#[test]
fn a_flow_cut_off_at_once_hammers_with_rho_c_dv_and_turns_round_each_two_travels() {
    let (flow, shut) = (1e-4, 0.1);
    let circuit = pipe(
        json!({ "type": "flow_source", "name": "q", "from": "a", "to": "t", "flow": format!("if(time<{shut},{flow},0)") }),
    );
    let echo = 2.0 * LENGTH / speed();
    let hammer = RHO * speed() * flow / (std::f64::consts::PI * DIAMETER * DIAMETER / 4.0);
    // Up at once, and from one echo to the next down and up again: a square wave of period 4 l/c.
    let mut times = vec![shut, shut + 1e-9];
    let mut expected = vec![0.0, 1.0];
    for k in 1..40 {
        times.extend([shut + f64::from(k) * echo - 1e-9, shut + f64::from(k) * echo + 1e-9]);
        expected.extend(if k % 2 == 0 { [-1.0, 1.0] } else { [1.0, -1.0] });
    }
    for ((found, expected), time) in pressures(circuit, &times).iter().zip(expected).zip(times) {
        assert!((found - HIGH - expected * hammer).abs() < 1e-5 * hammer, "{time}: {found:e}, {expected} {hammer:e}");
    }
}

/// Pressure at the valve behind each echo after it was closed to `opening` at once: p = c + Z q and q = -k sqrt(p - t), in which the wave
/// that arrives is 2 H - (p - Z q) of one echo before (Wylie, Streeter, Suo 1993, chapter 3: a vessel turns pressure waves round).
fn echoes(opening: f64, count: usize) -> Vec<f64> {
    let impedance = RHO * speed() / (std::f64::consts::PI * DIAMETER * DIAMETER / 4.0);
    let coefficient = |opening: f64| 0.62 * 1e-5 * opening * f64::sqrt(2.0 / RHO);
    let mut out = coefficient(1.0) * f64::sqrt(HIGH - LOW);
    let mut pressure = HIGH;
    let steps = (0..count).map(|_| {
        let arriving = 2.0 * HIGH - pressure + impedance * out;
        // s = sqrt(p - t): s^2 + Z k s = arriving - t.
        let zk = impedance * coefficient(opening);
        let root = 0.5 * (f64::sqrt(zk * zk + 4.0 * (arriving - LOW)) - zk);
        (pressure, out) = (LOW + root * root, coefficient(opening) * root);
        pressure
    });
    steps.collect()
}

#[test]
fn a_valve_closed_at_once_at_the_end_of_a_line_gives_allievis_chain() {
    let (opening, shut, echo) = (0.1, 0.1, 2.0 * LENGTH / speed());
    let valve = |text: &str| {
        pipe(
            json!({ "type": "orifice", "name": "o", "from": "a", "to": "t", "area": 1e-5, "laminar_below": 1e-3, "opening": text }),
        )
    };
    let times: Vec<f64> = (0..30).map(|k| shut + (f64::from(k) + 0.5) * echo).collect();
    let expected = echoes(opening, times.len());
    // At once, and in a tenth of a millisecond, which is over when the first echo comes.
    let fast = "if(time<0.1, 1, 1 - 0.9*min(1, (time-0.1)*1e4))";
    for (text, tolerance) in [("if(time<0.1, 1, 0.1)", 1e-6), (fast, 1e-6)] {
        for ((found, expected), time) in pressures(valve(text), &times).iter().zip(&expected).zip(&times) {
            assert!((found / expected - 1.0).abs() < tolerance, "{text} at {time}: {found:e}, {expected:e}");
        }
    }
}

#[test]
fn a_run_that_returns_before_a_jump_is_the_same_bit_for_bit() {
    let mut run = start(
        pipe(json!({ "type": "orifice", "name": "o", "from": "a", "to": "t", "area": 1e-5,
        "opening": "if(time<0.1, 1, 0.1)" })),
        0.0,
    );
    let mut saved = Snapshot::new();
    let mut ends = vec![];
    // Returns to the jump itself, and to a time between a jump and its echo.
    for (from, to) in [(0.1, 0.105), (0.105, 0.14)] {
        run.set_end_time(from).unwrap();
        to_end(&mut run).unwrap();
        run.save(&mut saved);
        run.dae_mut().set_inputs(from, std::iter::empty()).unwrap();
        for _ in 0..3 {
            run.set_end_time(to).unwrap();
            to_end(&mut run).unwrap();
            ends.push((value(&mut run, "a.pressure").to_bits(), run.statistics().steps));
            run.restore(&saved).unwrap();
        }
        assert!(ends.iter().all(|end| end == &ends[0]), "{ends:?}");
        ends.clear();
    }
}

#[test]
fn start_values_that_differ_send_a_front_through_the_line() {
    let line = json!({ "type": "transmission_line", "name": "line", "from": "p", "to": "a", "length": LENGTH, "diameter": DIAMETER });
    let mut circuit = compile(json!({ "fluid": { "density": RHO, "viscosity": 1e-7 },
        "node": [ { "type": "pressure", "name": "p", "pressure": HIGH }, { "type": "volume", "name": "a", "start": 1e7 } ],
        "component": [ line ] }));
    // What is under way to the closed end has the pressure of the other one, and the other way round.
    let start = circuit.start(0.0).unwrap();
    assert!((start.y[0] / HIGH - 1.0).abs() < 1e-9);
    let travel = LENGTH / speed();
    let mut method = Gstiff::with_tolerance(1e-7);
    method.step.largest = 0.5 * travel;
    let mut run = method.start(circuit, 0.0, &start.y, &start.yp, 0.0).unwrap();
    let flow = 1e7 * (std::f64::consts::PI * DIAMETER * DIAMETER / 4.0) / (RHO * speed());
    for (time, expected) in [(0.5, 1.0), (1.0 - 1e-9, 1.0), (1.0 + 1e-9, 0.0), (3.5, 0.0)] {
        run.set_end_time(time * travel).unwrap();
        to_end(&mut run).unwrap();
        let found = value(&mut run, "line.flow_from");
        assert!((found - expected * flow).abs() < 1e-6 * flow, "{time}: {found:e}, {expected} {flow:e}");
    }
}

/// Three orifices in a row, the junction j and the volume v between them; the first shuts to a fifth late in a run. A volume of 1 mm³ follows in 0.1 us,
/// and the junction with it: by far the most that it changes is a matter of less than the smallest step if it is taken to be at rest behind the jump.
#[test]
fn a_small_volume_behind_a_junction_is_passed_late_in_a_run() {
    for (volume, junction, tolerance) in [
        (1e-9, 0.0, 1e-6),
        (1e-9, 1e-9, 1e-6),
        (1e-6, 0.0, 1e-10),
        (1e-10, 0.0, 1e-6),
        (1e-7, 0.0, 1e-8),
        (1e-3, 0.0, 1e-8),
    ] {
        let orifice = |name: &str, from: &str, to: &str, opening: &str| json!({ "type": "orifice", "name": name, "from": from, "to": to, "area": 1e-6, "opening": opening, "laminar_below": 1.0 });
        let mut circuit = compile(json!({
            "node": [ { "type": "pressure", "name": "s", "pressure": 1e7 }, { "type": "volume", "name": "j", "volume": junction },
                { "type": "volume", "name": "v", "volume": volume }, { "type": "tank", "name": "t", "pressure": LOW } ],
            "component": [ orifice("o1", "s", "j", "if(time < 50, 1, 0.2)"), orifice("o2", "j", "v", "1"), orifice("o3", "v", "t", "1") ] }));
        let start = circuit.steady(0.0).unwrap();
        let mut run = Gstiff::with_tolerance(tolerance).start(circuit, 0.0, &start.y, &start.yp, 100.0).unwrap();
        to_end(&mut run).unwrap_or_else(|error| panic!("{volume} {junction} {tolerance}: {error}"));
        // q^2 = 0.04 (s - j) = j - v = v - t.
        let q2 = (1e7 - LOW) / (1.0 / 0.04 + 2.0);
        for (name, expected) in [("j.pressure", LOW + 2.0 * q2), ("v.pressure", LOW + q2)] {
            let found = value(&mut run, name);
            assert!((found / expected - 1.0).abs() < 1e-5, "{volume} {tolerance} {name}: {found:e}, {expected:e}");
        }
    }
}
