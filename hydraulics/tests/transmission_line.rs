//! Transmission lines by the method of characteristics against closed forms: water hammer, reflections, friction, undone steps.

use fourbar_dae::integrator::{BdfStepper, Gstiff, Integrator, Snapshot, Stop};
use fourbar_hydraulics::{Circuit, Model};
use serde_json::{Value, json};

const RHO: f64 = 860.0;
const E: f64 = 1.4e9;
const LENGTH: f64 = 20.0;
const DIAMETER: f64 = 0.02;

fn compile(model: Value) -> Circuit {
    Circuit::compile(&serde_json::from_value::<Model>(model).unwrap()).unwrap()
}

fn speed() -> f64 {
    f64::sqrt(E / RHO)
}

fn travel() -> f64 {
    LENGTH / speed()
}

/// From the steady state, with no step longer than a wave travels.
fn start(mut circuit: Circuit, tolerance: f64, end: f64) -> BdfStepper<Circuit> {
    let start = circuit.steady(0.0).unwrap();
    let mut method = Gstiff { order_max: 2, ..Gstiff::with_tolerance(tolerance) };
    method.step.largest = 0.2 * circuit.shortest_travel().unwrap();
    method.start(circuit, 0.0, &start.y, &start.yp, end).unwrap()
}

/// The value of an output at each of the times, in order.
fn sampled(circuit: Circuit, name: &str, times: &[f64]) -> Vec<f64> {
    let output = circuit.output(name).unwrap();
    let mut values = vec![0.0; circuit.outputs().len()];
    let mut run = start(circuit, 1e-8, times[times.len() - 1]);
    run.set_stop_times(&times[..times.len() - 1]).unwrap();
    let mut found = vec![];
    loop {
        let stop = run.step().unwrap();
        if stop != Stop::Step {
            let (t, y) = (run.time(), run.state().to_vec());
            run.dae_mut().observe(t, &y, &mut values).unwrap();
            found.push(values[output]);
        }
        if stop == Stop::EndTime {
            return found;
        }
    }
}

fn line(viscosity: f64, nodes: Value, rest: &[Value]) -> Value {
    let mut components =
        vec![json!({ "type": "transmission_line", "name": "pipe", "from": "near", "to": "far", "length": LENGTH,
        "diameter": DIAMETER })];
    components.extend_from_slice(rest);
    json!({ "fluid": { "density": RHO, "viscosity": viscosity, "bulk_modulus": { "type": "constant", "value": E } },
        "node": nodes, "component": components })
}

#[test]
fn a_valve_that_closes_makes_rho_c_dv_and_the_vessel_turns_the_wave_round() {
    let v = 1.5;
    let flow = std::f64::consts::PI * DIAMETER * DIAMETER / 4.0 * v;
    let model = line(
        1e-9,
        json!([ { "type": "pressure", "name": "near", "pressure": 5e6 }, { "type": "volume", "name": "far" },
                { "type": "tank", "name": "tank" } ]),
        &[json!({ "type": "flow_source", "name": "outlet", "from": "far", "to": "tank",
            "flow": format!("{flow:?} * step5(time, 0, 1, {:?}, 0)", 0.3 * travel()) })],
    );
    // Up until the echo comes after two travels, down for two, and so on for ever.
    let times: Vec<f64> = (0..6).map(|k| (f64::from(k) * 2.0 + 1.0) * travel()).collect();
    let found = sampled(compile(model), "far.pressure", &times);
    for (k, pressure) in found.iter().enumerate() {
        let hammer = RHO * speed() * v * if k % 2 == 0 { 1.0 } else { -1.0 };
        assert!((pressure - 5e6 - hammer).abs() < 1e-5 * hammer.abs(), "{k}: {:e}, {hammer:e}", pressure - 5e6);
    }
}

#[test]
fn a_closed_end_doubles_a_wave() {
    let rise = 1e6;
    let model = line(
        1e-9,
        json!([ { "type": "pressure", "name": "near",
                  "pressure": format!("5e6 + {rise}*step5(time, 0, 0, {:?}, 1)", 0.3 * travel()) },
                { "type": "volume", "name": "far" } ]),
        &[],
    );
    let times: Vec<f64> = [0.5, 2.0, 4.0, 6.0].iter().map(|k| k * travel()).collect();
    let found = sampled(compile(model), "far.pressure", &times);
    for (found, expected) in found.iter().zip([0.0, 2.0, 0.0, 2.0]) {
        assert!((found - 5e6 - expected * rise).abs() < 1e-5 * rise, "{found:e}, {expected}");
    }
}

#[test]
fn a_steady_flow_meets_the_resistance_of_hagen_and_poiseuille_and_stays() {
    let (viscosity, difference) = (0.04, 1e4);
    let model = line(
        viscosity,
        json!([ { "type": "pressure", "name": "near", "pressure": 5e6 + difference },
                { "type": "pressure", "name": "far", "pressure": 5e6 } ]),
        &[],
    );
    let expected = difference * std::f64::consts::PI * DIAMETER.powi(4) / (128.0 * viscosity * LENGTH);
    // Nothing but the line: the circuit has no unknowns, its flows are those of the waves.
    let mut circuit = compile(model);
    assert!(circuit.steady(0.0).unwrap().y.is_empty());
    let mut values = vec![0.0; circuit.outputs().len()];
    circuit.observe(0.9 * travel(), &[], &mut values).unwrap();
    let [from, to] = ["pipe.flow_from", "pipe.flow_to"].map(|name| values[circuit.output(name).unwrap()]);
    assert!((from / expected - 1.0).abs() < 1e-9 && (to / expected + 1.0).abs() < 1e-9, "{from:e} {to:e} {expected:e}");
}

#[test]
fn steps_that_are_undone_leave_no_trace() {
    let model = line(
        0.04,
        json!([ { "type": "pressure", "name": "near", "pressure": 5e6 }, { "type": "volume", "name": "far", "volume": 1e-4 },
                { "type": "tank", "name": "tank" } ]),
        &[json!({ "type": "orifice", "name": "valve", "from": "far", "to": "tank", "area": 1e-5, "opening": "u" })],
    );
    let mut model = model;
    model["input"] = json!([{ "name": "u", "start": 1 }]);
    let advance = |run: &mut BdfStepper<Circuit>, since: f64, end: f64, opening: f64| {
        run.dae_mut().set_inputs(since, [[opening, 0.0, 0.0]].into_iter()).unwrap();
        run.set_end_time(end).unwrap();
        while run.step().unwrap() != Stop::EndTime {}
        run.state()[0]
    };
    let (half, whole, later) = (0.7 * travel(), 1.9 * travel(), 4.3 * travel());
    let mut run = start(compile(model.clone()), 1e-8, f64::INFINITY);
    advance(&mut run, 0.0, half, 0.8);
    let straight = [advance(&mut run, half, whole, 0.5), advance(&mut run, whole, later, 0.5)];

    // Two other ways first, as an iterated co-simulation tries them.
    let mut run = start(compile(model), 1e-8, f64::INFINITY);
    advance(&mut run, 0.0, half, 0.8);
    let mut saved = Snapshot::new();
    run.save(&mut saved);
    for opening in [0.1, 0.9] {
        advance(&mut run, half, whole, opening);
        run.restore(&saved).unwrap();
    }
    let again = [advance(&mut run, half, whole, 0.5), advance(&mut run, whole, later, 0.5)];
    assert_eq!(straight.map(f64::to_bits), again.map(f64::to_bits));
    assert!((straight[0] - 5e6).abs() > 1e4, "{straight:?}");
}

#[test]
fn a_line_in_which_waves_die_out_is_refused() {
    let model = line(10.0, json!([ { "type": "volume", "name": "near" }, { "type": "tank", "name": "far" } ]), &[]);
    let error = Circuit::compile(&serde_json::from_value::<Model>(model).unwrap()).unwrap_err();
    assert!(error.to_string().contains("use a `pipe`"), "{error}");
}
