//! Unknowns of the user: closed forms, Jacobians, orders, units, methods, analyses.

use crate::support::runs::compile;
use fourbar_multibody::Method;
use fourbar_multibody::analysis::{Equilibrium, Kinematics, Linearization};
use fourbar_multibody::dae::{Dae, Role};
use fourbar_multibody::integrator::{Abam, ConstantBdf, Dstiff, Gstiff, Hht, Rkf45, Stop, Wstiff};
use fourbar_multibody::{Dynamics, DynamicsOptions, Equations, Error, Formulation, Inputs, Mechanism, Model};
use serde_json::{Value, json};
use std::sync::Arc;

const FORMULATIONS: [Formulation; 3] = [Formulation::Si2, Formulation::I3, Formulation::Si1];

pub(crate) fn methods(tolerance: f64) -> Vec<(&'static str, Method)> {
    vec![
        ("gstiff", Gstiff::with_tolerance(tolerance).into()),
        ("wstiff", Wstiff::with_tolerance(tolerance).into()),
        ("dstiff", Dstiff::with_tolerance(tolerance).into()),
        ("hht", Hht::with_tolerance(tolerance).into()),
        ("rkf45", Rkf45::with_tolerance(tolerance).into()),
        ("abam", Abam::with_tolerance(tolerance).into()),
    ]
}

/// Runs to `end`; returns measure `name` there and the number of steps.
pub(crate) fn run(
    mechanism: &Arc<Mechanism>,
    formulation: Formulation,
    method: Method,
    end: f64,
    name: &str,
) -> (f64, u64) {
    let options = DynamicsOptions { formulation, method, end, stop_times: vec![] };
    let mut dynamics = Dynamics::new(mechanism, &options).expect("a start");
    while dynamics.step().expect("a step") != Stop::EndTime {
        assert!(dynamics.statistics().steps < 100_000, "too many steps");
    }
    let mut values = vec![0.0; mechanism.measures().len()];
    dynamics.measures_at(end, &mut values).expect("measures");
    let at = mechanism.measures().iter().position(|m| m.name == name).expect("a measure");
    (values[at], dynamics.statistics().steps)
}

/// A slider that a spring lets oscillate, x = cos(w t), and a filter on it: s' = (gain x - s)/T.
pub(crate) fn slider(gain: f64, time_constant: f64) -> Value {
    json!({
        "body": [{ "name": "slider", "mass": 2.0, "inertia": [0.1, 0.1, 0.1], "position": [1, 0, 0] }],
        "joint": [{ "name": "guide", "type": "prismatic",
            "i": { "body": "slider", "orientation": { "z_axis": [1, 0, 0] } },
            "j": { "body": "ground", "orientation": { "z_axis": [1, 0, 0] } } }],
        "force": [{ "name": "spring", "type": "force", "i": "slider", "value": ["-18*x", 0, 0] }],
        "measure": [{ "name": "x", "type": "position", "i": "slider", "component": "x" }],
        "parameters": { "gain": gain, "T": time_constant },
        "state": [{ "name": "s", "rate": "(gain*x - s)/T", "start": 0 }],
    })
}

/// The filtered cosine by Laplace: s = gain/(1 + (w T)^2) (cos w t + w T sin w t - exp(-t/T)).
fn filtered(gain: f64, time_constant: f64, t: f64) -> f64 {
    let wt = 3.0 * time_constant;
    gain / (1.0 + wt * wt) * ((3.0 * t).cos() + wt * (3.0 * t).sin() - (-t / time_constant).exp())
}

#[test]
fn a_filter_on_a_slider_follows_laplace_by_every_method_and_formulation() {
    let mechanism = compile(&slider(2.0, 0.4));
    let exact = filtered(2.0, 0.4, 3.0);
    for (name, method) in methods(1e-8) {
        let all = if method.takes_ode() { &FORMULATIONS[..1] } else { &FORMULATIONS };
        for &formulation in all {
            let (s, steps) = run(&mechanism, formulation, method.clone(), 3.0, "s");
            // A method of order 2 adds up more of the local errors that the tolerance allows.
            let allowed = if name == "hht" { 2e-5 } else { 2e-7 };
            assert!((s - exact).abs() < allowed, "{name} {formulation:?}: {s} for {exact} in {steps} steps");
        }
    }
}

/// A cart with a pendulum, in space where `tilted`; states of each kind take part in forces, torques and measures.
fn cart(tilted: bool) -> Value {
    let axis = if tilted { json!([0.1, 0.2, 1.0]) } else { json!([0, 0, 1]) };
    json!({
        "gravity": [0, -9.81, 0],
        "body": [
            { "name": "cart", "mass": 2.0, "inertia": [0.1, 0.1, 0.1] },
            { "name": "rod", "mass": 1.0, "inertia": [0.01, 0.08, 0.09], "position": [0.4, -0.3, 0], "angular_velocity": [0, 0, 0.5] },
        ],
        "joint": [
            { "name": "guide", "type": "prismatic",
                "i": { "body": "cart", "orientation": { "z_axis": [1, 0, 0] } },
                "j": { "body": "ground", "orientation": { "z_axis": [1, 0, 0] } } },
            { "name": "pin", "type": "revolute",
                "i": { "body": "rod", "position": [-0.4, 0.3, 0], "orientation": { "z_axis": axis } },
                "j": { "body": "cart", "orientation": { "z_axis": axis } } },
        ],
        "measure": [
            { "name": "x", "type": "position", "i": "cart", "component": "x" },
            { "name": "v", "type": "velocity", "i": "cart", "component": "x" },
            { "name": "angle", "type": "angle", "i": "rod", "j": "cart" },
            { "name": "mixed", "type": "expression", "expression": "low*p + angle*x" },
        ],
        "state": [
            { "name": "low", "rate": "4*(angle - low) + 0.3*v*p", "start": 0.2 },
            { "name": "p", "zero": "p^3 + p - 2*x - low - 1", "start": 0.5 },
            { "name": "sum", "rate": "mixed + sin(time)", "start": -0.1 },
        ],
        "force": [
            { "name": "push", "type": "force", "i": "cart", "value": ["-20*p - 3*sum*v", 0, 0] },
            { "name": "drive", "type": "axial_torque", "i": "rod", "j": "cart", "value": "-2*low - mixed" },
            { "name": "wind", "type": "force", "i": { "body": "rod", "position": [0.1, 0.2, 0] }, "frame": "rod", "value": ["sum", "low*p", 0] },
        ],
    })
}

/// F and its matrix agree at a point off the start, unknown by unknown.
fn matrix_is_the_derivative(equations: &mut Equations, mechanism: &Mechanism) {
    let n = equations.dimension();
    let (mut y, mut yp) = (vec![0.0; n], vec![0.0; n]);
    equations.write(mechanism.start(), &mut y, &mut yp);
    equations.let_conditions_go();
    // Rates that are no solution let every term count. Of the stabilizing multipliers, zero in every solution, the matrix has no curvature.
    let moved = |k: usize| equations.unknowns()[k].kind.role() != Role::Multiplier;
    (0..n).filter(|&k| moved(k)).for_each(|k| yp[k] += 0.1 + (k as f64 * 0.618).fract());
    let c = 3.0;
    let mut values = vec![0.0; equations.pattern().nnz()];
    equations.jacobian(0.3, &y, &yp, c, &mut values).expect("the matrix");
    let mut matrix = vec![vec![0.0; n]; n];
    for ((column, row), value) in equations.pattern().entries().zip(&values) {
        matrix[row][column] = *value;
    }
    let largest = values.iter().fold(0.0_f64, |a, b| a.max(b.abs()));
    for column in 0..n {
        let step = 1e-6;
        let mut at = |by: f64| {
            let (mut y, mut yp, mut r) = (y.clone(), yp.clone(), vec![0.0; n]);
            (y[column], yp[column]) = (y[column] + by, yp[column] + c * by);
            equations.residual(0.3, &y, &yp, &mut r).expect("F");
            r
        };
        let (plus, minus) = (at(step), at(-step));
        for row in 0..n {
            let difference = (plus[row] - minus[row]) / (2.0 * step);
            // Central differences with this step leave the cube root of the rounding error squared.
            assert!(
                (difference - matrix[row][column]).abs() < 1e-8 * largest,
                "{} by {}: {} for {difference}",
                equations.equation_name(row),
                equations.unknown_name(column),
                matrix[row][column]
            );
        }
    }
}

#[test]
fn matrices_are_derivatives_in_each_formulation() {
    for tilted in [false, true] {
        let mechanism = compile(&cart(tilted));
        for formulation in FORMULATIONS {
            let start = mechanism.start();
            let mut fewest = Equations::fewest(Arc::clone(&mechanism), formulation, start);
            assert_eq!(fewest.is_planar(), !tilted, "states leave a plane what it is");
            matrix_is_the_derivative(&mut fewest, &mechanism);
            matrix_is_the_derivative(&mut Equations::new(Arc::clone(&mechanism), formulation, start), &mechanism);
        }
    }
}

#[test]
fn plane_and_space_agree_with_states() {
    let mechanism = compile(&cart(false));
    let options =
        DynamicsOptions { method: Gstiff::with_tolerance(1e-9).into(), end: 2.0, ..DynamicsOptions::default() };
    let end = |mut dynamics: Dynamics| {
        while dynamics.step().expect("a step") != Stop::EndTime {}
        let mut values = vec![0.0; mechanism.measures().len()];
        dynamics.measures_at(2.0, &mut values).expect("measures");
        values
    };
    let plane = end(Dynamics::new(&mechanism, &options).expect("a start"));
    let space = end(Dynamics::in_space(&mechanism, &options, mechanism.start()).expect("a start"));
    for ((a, b), measure) in plane.iter().zip(&space).zip(mechanism.measures()) {
        assert!((a - b).abs() < 1e-6 * (1.0 + a.abs()), "{}: {a} in the plane, {b} in space", measure.name);
    }
}

#[test]
fn implicit_equations_hold_from_the_start_on() {
    let mechanism = compile(&cart(false));
    let values = |state: &fourbar_multibody::State| mechanism.states_in(&state.drives).to_vec();
    let start = values(mechanism.start());
    let left = |p: f64, x: f64, low: f64| (p.powi(3) + p - 2.0 * x - low - 1.0).abs();
    assert!(left(start[1], 0.0, 0.2) < 1e-14, "{start:?}");
    for (name, method) in methods(1e-7).into_iter().filter(|(_, method)| !method.takes_ode()) {
        let options = DynamicsOptions { method, end: 1.0, ..DynamicsOptions::default() };
        let mut dynamics = Dynamics::new(&mechanism, &options).expect("a start");
        while dynamics.step().expect("a step") != Stop::EndTime {}
        let state = dynamics.motion_at(1.0).expect("a state");
        let (x, states) = (state.poses[0].x.x, values(state));
        assert!(left(states[1], x, states[0]) < 1e-7, "{name}: {states:?}");
    }
}

#[test]
fn methods_for_ordinary_equations_refuse_implicit_states_by_name() {
    let mechanism = compile(&cart(false));
    for method in [Method::from(Rkf45::default()), Abam::default().into()] {
        let options = DynamicsOptions { method, end: 1.0, ..DynamicsOptions::default() };
        match Dynamics::new(&mechanism, &options) {
            Err(error @ Error::StateUnsupported { .. }) => assert!(error.to_string().contains("\"p\""), "{error}"),
            other => panic!("{other:?}"),
        }
    }
}

/// Units do not change the steps: the same filter in units of some 1e-9 and 1e9.
#[test]
fn units_of_states_do_not_matter() {
    for (name, method) in methods(1e-7) {
        let units = [2.0_f64.powi(-30), 1.0, 2.0_f64.powi(30)];
        let runs = units.map(|unit| run(&compile(&slider(unit, 0.4)), Formulation::Si2, method.clone(), 2.0, "s"));
        for ((s, steps), unit) in runs.into_iter().zip(units) {
            assert!((s / unit - filtered(1.0, 0.4, 2.0)).abs() < 1e-4, "{name}: {s} in units of {unit}");
            // Powers of two do not round, so that steps are the same bit for bit.
            assert_eq!((s / unit, steps), runs[1], "{name}: in units of {unit}");
        }
    }
}

#[test]
fn a_stiff_filter_costs_stiff_methods_little() {
    let mechanism = compile(&slider(1.0, 1e-6));
    let exact = filtered(1.0, 1e-6, 3.0);
    for (name, method) in methods(1e-7).into_iter().take(3) {
        let (s, steps) = run(&mechanism, Formulation::Si2, method, 3.0, "s");
        assert!((s - exact).abs() < 2e-6, "{name}: {s} for {exact}");
        // The transient takes a hundred steps or so, the rest as many as the slider alone: with steps of the filter there were millions.
        assert!(steps < 1000, "{name}: {steps} steps");
    }
}

#[test]
fn constant_steps_show_the_order() {
    let mechanism = compile(&slider(1.0, 0.4));
    let exact = filtered(1.0, 0.4, 1.0);
    for order in 1..=4 {
        // Below order 4 the start at order 1 is not seen: 32 and 64 times as fine steps.
        let error = |step: f64| {
            let method = ConstantBdf::new(step, order);
            (run(&mechanism, Formulation::Si2, method.into(), 1.0, "s").0 - exact).abs()
        };
        let (coarse, fine) = (error(2e-3), error(1e-3));
        let seen = (coarse / fine).log2();
        println!("order {order}: {coarse:e} {fine:e} {seen}");
        assert!(seen > order.min(2) as f64 - 0.3, "order {order}: {seen}");
    }
}

#[test]
fn states_rest_where_the_mechanism_does() {
    let mut model = slider(2.0, 0.4);
    model["force"][0]["value"] = json!(["-18*x + s - 6", 0, 0]);
    let mechanism = compile(&model);
    let rest = Equilibrium::find(&mechanism, mechanism.start(), &Inputs::start(&mechanism)).expect("an equilibrium");
    // s = 2 x, -18 x + 2 x = 6.
    assert!((rest.state.poses[0].x.x + 6.0 / 16.0).abs() < 1e-10);
    assert!((mechanism.states_in(&rest.state.drives)[0] + 12.0 / 16.0).abs() < 1e-10);
    assert!(rest.stable);
}

#[test]
fn linearizations_have_the_states() {
    let mut model = slider(2.0, 0.4);
    model["force"][0]["value"] = json!(["-18*x + 5*s", 0, 0]);
    let mechanism = compile(&model);
    let linear = Linearization::new(&mechanism, mechanism.start(), &Inputs::start(&mechanism)).expect("matrices");
    let exact = [[0.0, 1.0, 0.0], [-9.0, 0.0, 2.5], [5.0, 0.0, -2.5]];
    for (row, exact) in exact.iter().enumerate() {
        for (column, exact) in exact.iter().enumerate() {
            assert!((linear.a[(row, column)] - exact).abs() < 1e-9, "{}", linear.a);
        }
    }
    assert_eq!((linear.states.as_slice(), linear.c.shape()), ([0].as_slice(), (2, 3)));
    assert!((linear.c[(1, 2)] - 1.0).abs() < 1e-9);
}

#[test]
fn kinematics_solves_implicit_states_and_refuses_others_by_name() {
    let mut model = slider(1.0, 0.4);
    model["motion"] = json!([{ "name": "go", "joint": "guide", "displacement": "sin(time)" }]);
    let refused = Kinematics::new(&compile(&model)).expect_err("a rate");
    assert!(refused.to_string().contains("state \"s\""), "{refused}");
    model["state"] = json!([{ "name": "s", "zero": "exp(s) - 3 - x" }]);
    let mechanism = compile(&model);
    let mut kinematics = Kinematics::new(&mechanism).expect("kinematics");
    kinematics.go_to(1.5).expect("a position");
    let mut values = vec![0.0; 2];
    kinematics.measures(&mut values).expect("measures");
    assert!((values[1].exp() - 3.0 - values[0]).abs() < 1e-12, "{values:?}");
}

#[test]
fn a_switching_rate_is_located() {
    // s' = 1 while x > 0, else -2: x = cos 3 t changes its sign at pi/6 and pi/2.
    let mut model = slider(1.0, 0.4);
    model["state"] = json!([{ "name": "s", "rate": "if(x > 0, 1, -2)" }]);
    let mechanism = compile(&model);
    let (first, second) = (std::f64::consts::FRAC_PI_6, std::f64::consts::FRAC_PI_2);
    let exact = first - 2.0 * (second - first) + (2.0 - second);
    for (name, method) in methods(1e-8).into_iter().filter(|(name, _)| *name != "hht") {
        let (s, _) = run(&mechanism, Formulation::Si2, method, 2.0, "s");
        // The times of the switches are as exact as x is there, over its speed of 3.
        assert!((s - exact).abs() < 1e-6, "{name}: {s} for {exact}");
    }
}

#[test]
fn a_state_begins_to_move_in_the_middle_of_a_run() {
    let mut model = slider(1.0, 0.4);
    model["body"][0]["position"] = json!([0, 0, 0]);
    model["state"] = json!([{ "name": "s", "rate": "step5(time, 1, 0, 2, 1e9)" }]);
    let mechanism = compile(&model);
    for (name, method) in methods(1e-7).into_iter().filter(|(name, _)| *name != "hht") {
        let (s, steps) = run(&mechanism, Formulation::Si2, method, 2.5, "s");
        assert!((s / 1e9 - 1.0).abs() < 1e-5, "{name}: {s} in {steps} steps");
        assert!(steps < 5000, "{name}: {steps} steps");
    }
}

#[test]
fn checkpoints_keep_states() {
    for (name, method) in methods(1e-7) {
        let mechanism = compile(&slider(1.0, 0.4));
        let options = DynamicsOptions { method, end: 1.0, ..DynamicsOptions::default() };
        let mut dynamics = Dynamics::new(&mechanism, &options).expect("a start");
        (0..20).for_each(|_| assert_eq!(dynamics.step().expect("a step"), Stop::Step));
        let mut saved = fourbar_multibody::DynamicsSnapshot::default();
        dynamics.save(&mut saved);
        let mut on = || {
            while dynamics.step().expect("a step") != Stop::EndTime {}
            let values = mechanism.states_in(&dynamics.motion_at(1.0).expect("a state").drives)[0];
            dynamics.restore(&saved).expect("a checkpoint");
            values.to_bits()
        };
        assert_eq!(on(), on(), "{name}");
    }
}

#[test]
fn bad_states_and_blocks_are_told_with_a_remedy() {
    let with = |section: &str, entry: Value| {
        let mut model = slider(1.0, 0.4);
        match model[section].as_array_mut() {
            Some(entries) => entries.push(entry),
            None => model[section] = json!([entry]),
        }
        let model: Model = serde_json::from_value(model).expect("a model");
        match Mechanism::compile(&model) {
            Err(Error::Model(error)) => format!("{error} | {}", error.location.section),
            Err(other) => other.to_string(),
            Ok(_) => panic!("{section} was taken"),
        }
    };
    let state = |rest: Value| {
        let mut entry = json!({ "name": "q" });
        entry.as_object_mut().expect("a table").extend(rest.as_object().expect("a table").clone());
        with("state", entry)
    };
    let cases = [
        (state(json!({})), "no equation"),
        (state(json!({ "rate": "1", "zero": "q" })), "two equations"),
        (state(json!({ "rate": "qq" })), "qq"),
        (state(json!({ "name": "x", "rate": "1" })), "a measure has this name"),
        (state(json!({ "name": "gain", "rate": "1" })), "a parameter has this name"),
        (state(json!({ "name": "s", "rate": "1" })), "\"s\""),
        (state(json!({ "name": "sin", "rate": "1" })), "cannot name a state"),
        (state(json!({ "rate": "1", "unit": "furlong" })), "furlong"),
        (state(json!({ "rate": "1", "size": 0 })), "above 0"),
        (state(json!({ "zero": "q^2 + 1" })), "no value was found"),
        (
            with(
                "transfer_function",
                json!({ "name": "h", "input": "x", "numerator": [1, 0, 0], "denominator": [1, 1] }),
            ),
            "differentiates",
        ),
        (
            with("transfer_function", json!({ "name": "h", "input": "x", "numerator": [1], "denominator": [0, 1] })),
            "first coefficient",
        ),
        (
            with("transfer_function", json!({ "name": "h", "input": "y", "numerator": [1], "denominator": [1, 1] })),
            "| transfer_function",
        ),
        (
            with("state_space", json!({ "name": "g", "inputs": ["x"], "a": [[1, 2]], "b": [[1]], "c": [[1]] })),
            "rows of",
        ),
        (with("pid", json!({ "name": "c", "input": "x", "kd": 1 })), "no filter"),
        (with("pid", json!({ "name": "c", "input": "x", "ki": 1, "upper": 1 })), "tracking"),
        (with("pid", json!({ "name": "c", "input": "x", "kp": 1, "lower": 2, "upper": 1 })), "not below"),
    ];
    for (message, part) in cases {
        assert!(message.contains(part), "{part}: {message}");
    }
}
