//! Blocks beside what they stand for: Laplace's transform, another form of the same system, an independent integration.

use crate::support::runs::compile;
use crate::user_states::{methods, run, slider};
use fourbar_multibody::Formulation;
use serde_json::json;

/// 1/((s + 1e6)(s + 2e6)) 2e12 of x = cos(3 t), at rest at the start: coefficients of 1e12 and a denominator that is not monic.
#[test]
fn transfer_functions_with_large_coefficients_follow_laplace() {
    let mut model = slider(1.0, 0.4);
    model["transfer_function"] = json!([
        { "name": "fast", "unit": "m", "input": "x", "numerator": ["4e12"], "denominator": [2, 6e6, 4e12] },
        { "name": "lead", "input": "2*x", "numerator": [3, 1], "denominator": [0.5, 1] },
    ]);
    let mechanism = compile(&model);
    let steady = |zeros: &dyn Fn(f64) -> [f64; 2], poles: &dyn Fn(f64) -> [f64; 2], t: f64| {
        let ([a, b], [c, d]) = (zeros(3.0), poles(3.0));
        let square = c * c + d * d;
        let h = [(a * c + b * d) / square, (b * c - a * d) / square];
        h[0] * (3.0 * t).cos() - h[1] * (3.0 * t).sin()
    };
    let t = 2.0;
    let fast = steady(&|_| [4e12, 0.0], &|w| [4e12 - 2.0 * w * w, 6e6 * w], t);
    // The transient of the lead is (C x(0) ..) exp(-2 t): y = 12 x + z, z' = -2 z - 20 x, z(0) = 0.
    let z = |t: f64| -20.0 / 13.0 * (2.0 * (3.0 * t).cos() + 3.0 * (3.0 * t).sin() - 2.0 * (-2.0 * t).exp());
    let lead = 12.0 * (3.0 * t).cos() + z(t);
    for (name, method) in methods(1e-8).into_iter().take(3) {
        let (value, steps) = run(&mechanism, Formulation::Si2, method.clone(), t, "fast");
        assert!((value - fast).abs() < 1e-6, "{name}: {value} for {fast}");
        assert!(steps < 2000, "{name}: {steps} steps");
        let (value, _) = run(&mechanism, Formulation::Si2, method, t, "lead");
        assert!((value - lead).abs() < 1e-5, "{name}: {value} for {lead}");
    }
}

#[test]
fn a_state_space_block_is_its_transfer_function() {
    let mut model = slider(1.0, 0.4);
    model["transfer_function"] = json!([{ "name": "h", "input": "x", "numerator": [1, 3], "denominator": [1, 2, 5] }]);
    model["state_space"] =
        json!([{ "name": "g", "inputs": ["x"], "a": [[0, 1], [-5, -2]], "b": [[0], [1]], "c": [[3, 1]] }]);
    let mechanism = compile(&model);
    for (name, method) in methods(1e-8).into_iter().filter(|(name, _)| *name != "hht") {
        let h = run(&mechanism, Formulation::Si2, method.clone(), 2.0, "h").0;
        let g = run(&mechanism, Formulation::Si2, method, 2.0, "g").0;
        // States of other sizes are tested otherwise, within the same tolerances.
        assert!((h - g).abs() < 1e-7, "{name}: {h} {g}");
    }
}

/// A pendulum that a PID controller holds up, its torque limited: against the same equations by Runge and Kutta's rule with fixed steps.
#[test]
fn a_controlled_pendulum_follows_an_independent_integration() {
    let model = json!({
        "gravity": [0, -10, 0],
        "body": [{ "name": "rod", "mass": 1.0, "inertia": [0.1, 0.1, 0.1], "position": [0, -0.5, 0] }],
        "joint": [{ "name": "pin", "type": "revolute", "i": { "body": "rod", "position": [0, 0.5, 0] }, "j": "ground" }],
        "measure": [{ "name": "angle", "type": "angle", "i": "rod" }],
        "pid": [{ "name": "control", "unit": "N m", "input": "1 - angle", "kp": 8, "ki": 6, "kd": 2, "filter": 0.05,
            "lower": -3, "upper": 6, "tracking": 0.5, "start_input": 1 }],
        "force": [{ "name": "motor", "type": "axial_torque", "i": "rod", "j": "ground", "value": "control" }],
    });
    let mechanism = compile(&model);
    // Inertia about the pin 0.1 + 0.25, gravity torque -5 sin a.
    let rates = |[a, w, integral, filtered]: [f64; 4]| {
        let e = 1.0 - a;
        let raw = 8.0 * e + 2.0 / 0.05 * (e - filtered) + integral;
        let torque = raw.clamp(-3.0, 6.0);
        [w, (torque - 5.0 * a.sin()) / 0.35, 6.0 * e + (torque - raw) / 0.5, (e - filtered) / 0.05]
    };
    let (steps, end) = (200_000, 2.0);
    let h = end / f64::from(steps);
    let mut y = [0.0, 0.0, 0.0, 1.0];
    for _ in 0..steps {
        let moved = |k: [f64; 4], by: f64| std::array::from_fn(|i| y[i] + by * k[i]);
        let k1 = rates(y);
        let k2 = rates(moved(k1, 0.5 * h));
        let k3 = rates(moved(k2, 0.5 * h));
        let k4 = rates(moved(k3, h));
        y = std::array::from_fn(|i| y[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]));
    }
    for (name, method) in methods(1e-8).into_iter().filter(|(name, _)| *name != "hht") {
        let (angle, _) = run(&mechanism, Formulation::Si2, method, end, "angle");
        assert!((angle - y[0]).abs() < 1e-6, "{name}: {angle} for {}", y[0]);
    }
}

/// A ram that falls against a PI controller drawn at its set point takes no more steps than the same one drawn at 0 and half as many again, and goes the same way: the error
/// of the controller is 0 but for the rounding of the set point. At 1e-6 m a controller in micrometres.
#[test]
fn set_points_cost_no_steps() {
    let ram = |at: f64, scale: f64| {
        let mass = 100.0;
        compile(&json!({
            "gravity": [0, 0, -9.81 * scale],
            "body": [{ "name": "ram", "mass": mass, "inertia": [1, 1, 1], "position": [0, 0, at] }],
            "joint": [{ "name": "guide", "type": "prismatic", "i": "ram", "j": { "body": "ground", "position": [0, 0, at] } }],
            "measure": [{ "name": "s", "type": "position", "i": "ram", "component": "z" }, { "name": "e", "type": "expression", "expression": format!("s - ({at:e})") }],
            "pid": [{ "name": "control", "input": format!("{at:e} - s"), "kp": 2e4, "ki": 2e4 }],
            "force": [{ "name": "servo", "type": "force", "i": "ram", "value": [0, 0, "control"] }],
        }))
    };
    // Round-off of the coordinates lies below the tolerance of the way.
    for (at, scale) in [(1e-6, 1e-6), (1e-3, 1.0), (1.0, 1.0), (-1.0, 1.0), (1e3, 1.0), (1e6, 1e6)] {
        for tolerance in [1e-6, 1e-7] {
            for (name, method) in methods(tolerance) {
                let (right, steps) = run(&ram(0.0, scale), Formulation::Si2, method.clone(), 0.2, "e");
                let (value, shifted) = run(&ram(at, scale), Formulation::Si2, method, 0.2, "e");
                assert!(
                    (value - right).abs() < 1e3 * tolerance * right.abs(),
                    "{name} {at} {tolerance}: {value} {right}"
                );
                assert!(2 * shifted < 3 * steps, "{name} {at} {tolerance}: {shifted} steps, {steps} at 0");
            }
        }
    }
}
