//! The hydraulic axes of the press and arm problems, assembled from components: the equations of the reference, and its equilibria.

use crate::axis;

use axis::{Axis, STATES, arm_axis, press_axis};
use fourbar_dae::Dae;
use fourbar_dae::integrator::{Gstiff, Integrator, Stop};
use fourbar_hydraulics::{Circuit, Model};
use serde_json::{Value, json};

/// The unknowns in the order of the reference's states.
const ORDER: [&str; STATES] =
    ["valve.spool", "valve.spool_velocity", "port.pressure", "line.flow", "bottom.pressure", "top.pressure"];

fn model(axis: &Axis) -> Model {
    let model = json!({
        "fluid": { "density": 860, "bulk_modulus": { "type": "logarithmic", "maximum": axis.e_max, "reference": 28e6 } },
        "input": [ { "name": "r", "unit": "m" }, { "name": "dr", "unit": "m/s" } ],
        "node": [
            { "type": "pressure", "name": "supply", "pressure": axis.p_supply },
            { "type": "tank", "name": "tank", "pressure": 2e5 },
            { "type": "volume", "name": "port", "volume": axis.pipe[0] },
            { "type": "volume", "name": "bottom" },
            { "type": "volume", "name": "top" },
        ],
        "component": [
            { "type": "spool_valve", "name": "valve", "supply": "supply", "tank": "tank", "a": "port", "b": "top",
              "command": format!("{:?}*(r - rod.position) + 0.6*dr", axis.gain), "frequency": axis.omega, "damping": axis.zeta,
              "area": axis.valve },
            { "type": "line", "name": "line", "from": "port", "to": "bottom", "inertance": axis.pipe[1], "resistance": axis.pipe[2] },
            { "type": "relief_valve", "name": "relief", "from": "bottom", "to": "tank", "pressure": axis.relief,
              "slope": axis.k_relief, "sense": "inlet" },
            { "type": "cylinder", "name": "rod", "a": "bottom", "b": "top", "area_a": axis.area[0], "area_b": axis.area[1],
              "stroke": axis.stroke, "dead_a": axis.dead[0], "dead_b": axis.dead[1], "leakage": axis.leak,
              "friction": { "coulomb": axis.coulomb, "rounding": 0.02, "viscous": axis.viscous } },
        ],
    });
    serde_json::from_value(model).unwrap()
}

pub(crate) fn axes() -> [Axis; 3] {
    [press_axis(0.004, [0.002, 2.4e6, 4e6]), press_axis(0.006, [0.003, 3.6e6, 6e6]), arm_axis()]
}

/// Position of each reference state among the unknowns.
fn places(circuit: &Circuit) -> [usize; STATES] {
    ORDER.map(|name| circuit.output(name).unwrap())
}

/// Numbers in (-1, 1) that repeat from run to run.
fn scatter(k: usize) -> f64 {
    2.0 * (k as f64 * 0.618_033_988_749_894_9).fract() - 1.0
}

#[test]
fn the_circuit_has_the_equations_of_the_reference() {
    for axis in axes() {
        let mut circuit = Circuit::compile(&model(&axis)).unwrap();
        let (places, force) = (places(&circuit), circuit.output("rod.force").unwrap());
        let (mut y, mut residual) = ([0.0; STATES], [0.0; STATES]);
        let mut outputs = vec![0.0; circuit.outputs().len()];
        for k in 0..500 {
            let random = |i: usize| scatter(12 * k + i + 1);
            let pressure = |i| 0.5 * axis.p_supply * (1.0 + 0.9 * random(i));
            let state = [0.1 * random(0), 5.0 * random(1), pressure(2), 1e-3 * random(3), pressure(4), pressure(5)];
            let (x, v) = (0.5 * axis.stroke * (1.0 + 0.9 * random(6)), random(7));
            let (r, dr) = (x + 0.01 * random(8), random(9));
            let mut expected = [0.0; STATES];
            axis.rhs(&state, x, v, (r, dr), &mut expected);
            for (&place, value) in places.iter().zip(state) {
                y[place] = value;
            }
            circuit.hold_inputs(&[r, dr, x, v]).unwrap();
            circuit.residual(0.0, &y, &[0.0; STATES], &mut residual).unwrap();
            for (i, &place) in places.iter().enumerate() {
                let (found, expected) = (-residual[place], expected[i]);
                assert!((found - expected).abs() <= 1e-12 * expected.abs(), "{}: {found} {expected}", ORDER[i]);
            }
            circuit.observe(0.0, &y, &mut outputs).unwrap();
            let expected = axis.force(&state, v);
            let size = axis.area[0] * state[4] + axis.area[1] * state[5];
            assert!((outputs[force] - expected).abs() <= 1e-14 * size);
        }
    }
}

#[test]
fn the_steady_state_is_the_equilibrium_of_the_reference() {
    let file: Value = serde_json::from_str(include_str!("reference/press_initial.json")).unwrap();
    let number = |value: &Value| value.as_f64().unwrap();
    // Machine, its axis, first state of that axis, r(0).
    let cases = [("press", 0, 4, 0.2), ("press", 1, 10, 0.2), ("arm", 0, 2, 0.16)];
    for ((machine, k, first, r), axis) in cases.into_iter().zip(axes()) {
        let reference = &file[machine];
        let mut circuit = Circuit::compile(&model(&axis)).unwrap();
        circuit.hold_inputs(&[r, 0.0, number(&reference["rods"][k]), 0.0]).unwrap();
        let steady = circuit.steady(0.0).unwrap();
        // The rod's position has 17 digits: at 1e9 Pa a unit of spool travel, pressures are determined to 1e-6 Pa.
        let sizes = [1.0, 1.0, 1e7, 1e-4, 1e7, 1e7];
        for (i, (&place, size)) in places(&circuit).iter().zip(sizes).enumerate() {
            let expected = number(&reference["initial_state"][first + i]);
            assert!((steady.y[place] - expected).abs() < 1e-11 * size, "{} {} {expected}", ORDER[i], steady.y[place]);
        }
        let mut outputs = vec![0.0; circuit.outputs().len()];
        circuit.observe(0.0, &steady.y, &mut outputs).unwrap();
        let force = number(&reference["forces"][k]);
        assert!((outputs[circuit.output("rod.force").unwrap()] / force - 1.0).abs() < 1e-11);
    }
}

const MASS: f64 = 15_000.0;
const END: f64 = 0.4;

/// Position, velocity and states after `END` seconds of an axis that carries a mass: classical Runge-Kutta on the equations of the reference.
fn by_runge_kutta(axis: &Axis, mut z: [f64; STATES + 2], steps: usize) -> [f64; STATES + 2] {
    let h = END / steps as f64;
    let rate = |t: f64, z: &[f64; STATES + 2]| {
        let (r, dr) = reference(t);
        let mut d = [0.0; STATES + 2];
        axis.rhs(&z[..STATES], z[STATES], z[STATES + 1], (r, dr), &mut d[..STATES]);
        d[STATES] = z[STATES + 1];
        d[STATES + 1] = (axis.force(&z[..STATES], z[STATES + 1]) + MASS * 9.81) / MASS;
        d
    };
    for k in 0..steps {
        let t = k as f64 * h;
        let ahead = |s: f64, d: &[f64; STATES + 2]| std::array::from_fn(|i| z[i] + s * d[i]);
        let k1 = rate(t, &z);
        let k2 = rate(t + 0.5 * h, &ahead(0.5 * h, &k1));
        let k3 = rate(t + 0.5 * h, &ahead(0.5 * h, &k2));
        let k4 = rate(t + h, &ahead(h, &k3));
        z = std::array::from_fn(|i| z[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]));
    }
    z
}

/// r and r' of the press.
fn reference(t: f64) -> (f64, f64) {
    let pi = std::f64::consts::PI;
    (0.2 + 0.11 * (1.0 - (pi * t).cos()), 0.11 * pi * (pi * t).sin())
}

/// The circuit of an axis that carries a mass along the motion of the press.
pub(crate) fn loaded(axis: &Axis) -> Circuit {
    let mut model = serde_json::to_value(model(axis)).unwrap();
    model["input"] = json!([]);
    for component in model["component"].as_array_mut().unwrap() {
        match component["name"].as_str().unwrap() {
            "valve" => {
                let r = "0.2 + 0.11*(1 - cos(pi*time))";
                component["command"] = json!(format!("12*({r} - rod.position) + 0.6*0.11*pi*sin(pi*time)"));
            }
            "rod" => {
                component["load"] = json!({ "mass": MASS, "force": -MASS * 9.81 });
                component["position"] = json!(0.2);
            }
            _ => {}
        }
    }
    Circuit::compile(&serde_json::from_value(model).unwrap()).unwrap()
}

#[test]
fn the_stiff_integrator_moves_a_mass_as_runge_kutta_does() {
    let axis = axes()[0];
    let mut circuit = loaded(&axis);
    let start = circuit.steady(0.0).unwrap();
    let names = ORDER.into_iter().chain(["rod.position", "rod.velocity"]);
    let places: Vec<usize> = names.map(|name| circuit.output(name).unwrap()).collect();
    let mut run = Gstiff::with_tolerance(1e-9).start(circuit, 0.0, &start.y, &start.yp, END).unwrap();
    while run.step().unwrap() != Stop::EndTime {}
    let expected = by_runge_kutta(&axis, std::array::from_fn(|i| start.y[places[i]]), 20_000);
    let sizes = [0.1, 10.0, 1e7, 1e-2, 1e7, 1e7, 0.1, 0.1];
    for ((&place, expected), size) in places.iter().zip(expected).zip(sizes) {
        let found = run.state()[place];
        assert!((found - expected).abs() < 1e-6 * size, "{}: {found} {expected}", run.dae().unknown_name(place));
    }
    assert!(expected[STATES] > 0.25);
}

#[test]
fn the_force_follows_the_velocity_at_once_and_nothing_else() {
    let mut circuit = Circuit::compile(&model(&axes()[0])).unwrap();
    let start = circuit.start(0.0).unwrap();
    let outputs = circuit.outputs();
    let held = [0.2, 0.0, 0.3, 0.01];
    let mut at = |inputs: &[f64]| {
        let mut values = vec![0.0; outputs.len()];
        circuit.hold_inputs(inputs).unwrap();
        circuit.observe(0.0, &start.y, &mut values).unwrap();
        values
    };
    let before = at(&held);
    let moved: Vec<Vec<f64>> = (0..held.len())
        .map(|i| {
            let mut inputs = held;
            inputs[i] += 0.02;
            at(&inputs)
        })
        .collect();
    for (k, output) in outputs.iter().enumerate() {
        let changed: Vec<usize> = (0..held.len()).filter(|&i| moved[i][k] != before[k]).collect();
        assert_eq!(circuit.feedthrough(k), changed, "{}", output.name);
    }
    assert_eq!(circuit.feedthrough(circuit.output("rod.force").unwrap()), [3]);
    assert_eq!(circuit.inputs()[3].name, "rod.velocity");
}
