//! Motions against closed forms and reference solutions.

use crate::mechanism::machines::{angle, at, body, chain, hinge, joint, ladder, position};
use crate::mechanism::{Run, number, numbers, reference, run};
use fourbar::multibody::Formulation;
use fourbar::multibody::expression::Expression;
use fourbar::multibody::model::{JointKind, MarkerRef, Model, vector};

/// A point mass on a massless rod of 1 m, hinged at the origin, starting at rest from (x0, 0).
fn pendulum(gravity: f64, x0: f64) -> Model {
    let mut model = Model { gravity: vector([0.0, -gravity, 0.0]), ..Model::default() };
    model.bodies.push(body("mass", 1.0, [1e-9, 1e-9, 0.0], [x0, 0.0, 0.0]));
    model.bodies[0].inertia = vec![Expression::constant(0.0); 3];
    let pivot = joint("pivot", JointKind::Revolute, at("mass", [-x0, 0.0, 0.0]), at("ground", [0.0; 3]));
    model.joints.push(pivot);
    model.measures.push(position("p", MarkerRef::from("mass")));
    model
}

#[test]
fn pendulum_of_period_two_returns_fifty_times() {
    let data = reference("pendulum_period2");
    let times: Vec<f64> = (1..=50).map(|k| 2.0 * f64::from(k)).collect();
    let run = run(&pendulum(number(&data["g"]), 1.0), Formulation::Si2, 1e-8, &times);
    for k in 0..times.len() {
        let (x, y) = (run.value(k, "p.x"), run.value(k, "p.y"));
        assert!((x - 1.0).abs() < 1e-6 && y.abs() < 1e-6, "t = {}: ({x}, {y})", times[k]);
    }
    assert!(run.violation.position < 1e-9 && run.violation.velocity < 1e-7, "{:?}", run.violation);
    // m g L is the energy at play.
    assert!(run.energy.balance_error.abs() < 1e-6 * number(&data["g"]), "{:?}", run.energy);
}

#[test]
fn pendulum_between_its_turning_points() {
    let data = reference("A01_pendulum");
    let samples = &data["samples"].as_array().expect("samples")[1..];
    let times: Vec<f64> = samples.iter().map(|s| number(&s["t"])).collect();
    for formulation in [Formulation::Si2, Formulation::I3, Formulation::Si1] {
        let tolerance = if formulation == Formulation::I3 { 1e-11 } else { 1e-9 };
        let run = run(&pendulum(9.81, -1.0), formulation, tolerance, &times);
        for (k, sample) in samples.iter().enumerate() {
            let q = numbers(&sample["q"]);
            let error = (run.value(k, "p.x") - q[0]).abs().max((run.value(k, "p.y") - q[1]).abs());
            assert!(error < 1e-6, "{formulation:?}, t = {}: {error:e}", times[k]);
        }
    }
}

pub(crate) fn ladder_error(n: usize, run: &Run, samples: &[serde_json::Value]) -> f64 {
    let mut worst = 0.0_f64;
    for (k, sample) in samples.iter().enumerate() {
        let (p, v) = (numbers(&sample["B0"]), numbers(&sample["vB0"]));
        for (measure, expected) in [("B0.x", p[0]), ("B0.y", p[1]), ("vB0.x", v[0]), ("vB0.y", v[1])] {
            worst = worst.max((run.value(k, measure) - expected).abs());
        }
    }
    assert!(run.dynamics.mechanism().redundancies().len() == 3 * n);
    worst
}

/// The closed form of A02 at t = 0.6 comes from the same pendulum equation, integrated here with the classical Runge-Kutta
/// method at a step whose error is below 1e-13.
#[test]
fn n_four_bar_before_its_singular_position() {
    let n = 2.0;
    let (inertia, weight) = ((n + 1.0) / 3.0 + n, ((n + 1.0) / 2.0 + n) * 9.81);
    let f = |y: [f64; 2]| [y[1], weight / inertia * y[0].sin()];
    let mut y = [0.0, 1.0];
    let steps = 20_000;
    let h = 0.6 / f64::from(steps);
    for _ in 0..steps {
        let add = |y: [f64; 2], k: [f64; 2], s: f64| [y[0] + s * k[0], y[1] + s * k[1]];
        let k1 = f(y);
        let k2 = f(add(y, k1, 0.5 * h));
        let k3 = f(add(y, k2, 0.5 * h));
        let k4 = f(add(y, k3, h));
        y = [0, 1].map(|c| y[c] + h / 6.0 * (k1[c] + 2.0 * k2[c] + 2.0 * k3[c] + k4[c]));
    }
    let run = run(&ladder(2), Formulation::Si2, 1e-8, &[0.6]);
    let (sin, cos) = y[0].sin_cos();
    for (measure, expected) in [("B0.x", sin), ("B0.y", cos), ("vB0.x", cos * y[1]), ("vB0.y", -sin * y[1])] {
        let error = (run.value(0, measure) - expected).abs();
        assert!(error < 1e-6, "{measure}: {error:e}");
    }
    assert!(run.violation.position < 1e-9 && run.violation.velocity < 1e-7, "{:?}", run.violation);
    assert!(run.energy.balance_error.abs() < 1e-6 * run.energy.start, "{:?}", run.energy);
}

#[test]
fn ladders_follow_their_closed_form() {
    for (n, name) in [(1, "A02_N1"), (2, "A02_N2"), (40, "A02_N40")] {
        let data = reference(name);
        let singular = number(&data["first_horizontal_t"]);
        let all = data["samples"].as_array().expect("samples");
        let samples: Vec<_> =
            all.iter().filter(|s| (0.01..singular - 0.05).contains(&number(&s["t"]))).cloned().collect();
        assert!(!samples.is_empty());
        let times: Vec<f64> = samples.iter().map(|s| number(&s["t"])).collect();
        for formulation in [Formulation::Si2, Formulation::Si1] {
            let run = run(&ladder(n), formulation, 1e-8, &times);
            let error = ladder_error(n, &run, &samples);
            assert!(error < 1e-6, "{name} {formulation:?}: {error:e}");
        }
    }
}

#[test]
fn chains_follow_their_reference() {
    for n in [1, 2, 5, 10] {
        let data = reference(&format!("chain_N{n}"));
        let all = data["samples"].as_array().expect("samples");
        let samples: Vec<_> = all.iter().filter(|s| (0.01..=1.0).contains(&number(&s["t"]))).collect();
        let times: Vec<f64> = samples.iter().map(|s| number(&s["t"])).collect();
        for formulation in [Formulation::Si2, Formulation::Si1] {
            let run = run(&chain(n), formulation, 1e-9, &times);
            for (k, sample) in samples.iter().enumerate() {
                for (body, expected) in numbers(&sample["q"]).into_iter().enumerate() {
                    let error = (run.value(k, &format!("q{body}")) - expected).abs();
                    assert!(error < 1e-5, "{formulation:?}, N = {n}, t = {}, rod {body}: {error:e}", times[k]);
                }
            }
        }
    }
}

/// Bricard's linkage: a closed spatial loop with one redundant row at every position and mobility 1 where counting gives 0.
#[test]
fn bricard_moves_although_it_should_not() {
    let points =
        [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, -1.0, 0.0], [1.0, -1.0, 1.0], [0.0, -1.0, 1.0], [0.0, 0.0, 1.0]];
    let (x, y, z) = ([1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]);
    let axes = [y, z, x, y, z, x];
    let mut model = Model { gravity: vector([0.0, -9.81, 0.0]), ..Model::default() };
    let middle = |k: usize| [0, 1, 2].map(|c| 0.5 * (points[k][c] + points[k + 1][c]));
    for k in 0..5 {
        let along = (0..3).find(|&c| points[k][c] != points[k + 1][c]).expect("a rod has a length");
        let mut inertia = [1.01 / 12.0; 3];
        inertia[along] = 0.02 / 12.0;
        model.bodies.push(body(&format!("rod{k}"), 1.0, inertia, middle(k)));
    }
    let end = |k: usize, p: usize| [0, 1, 2].map(|c| points[p][c] - middle(k)[c]);
    for p in 0..6 {
        let on = |k: Option<usize>| {
            k.map_or_else(|| hinge("ground", points[p], axes[p]), |k| hinge(&format!("rod{k}"), end(k, p), axes[p]))
        };
        let (before, after) = (p.checked_sub(1), (p < 5).then_some(p));
        model.joints.push(joint(&format!("P{p}"), JointKind::Revolute, on(after), on(before)));
    }
    for p in 1..5 {
        model.measures.push(position(&format!("P{p}"), at(&format!("rod{p}"), end(p, p))));
    }
    let data = reference("A04_bricard_cuboid");
    let samples: Vec<_> = data["samples"]
        .as_array()
        .expect("samples")
        .iter()
        .filter(|s| (0.01..=2.0).contains(&number(&s["t"])))
        .collect();
    let times: Vec<f64> = samples.iter().map(|s| number(&s["t"])).collect();
    let run = run(&model, Formulation::Si2, 1e-9, &times);
    assert_eq!(run.dynamics.mechanism().redundancies().len(), 1);
    assert_eq!(run.dynamics.mechanism().degrees_of_freedom(), 1);
    for (k, sample) in samples.iter().enumerate() {
        for p in 1..5 {
            let expected = numbers(&sample["points"][format!("P{p}")]["x"]);
            for (c, axis) in ["x", "y", "z"].iter().enumerate() {
                let error = (run.value(k, &format!("P{p}.{axis}")) - expected[c]).abs();
                assert!(error < 1e-6, "t = {}, P{p}.{axis}: {error:e}", times[k]);
            }
        }
    }
    assert!(run.violation.position < 1e-9, "{:?}", run.violation);
}

/// Full turns are counted: a wheel driven at a constant rate.
#[test]
fn angles_count_full_turns() {
    let mut model = Model::default();
    model.bodies.push(body("wheel", 1.0, [1.0, 1.0, 1.0], [0.0; 3]));
    model.bodies[0].angular_velocity = vector([0.0, 30.0, 0.0]);
    model.joints.push(joint(
        "axle",
        JointKind::Revolute,
        hinge("wheel", [0.0; 3], [0.0, 1.0, 0.0]),
        hinge("ground", [0.0; 3], [0.0, 1.0, 0.0]),
    ));
    model.measures.push(angle(
        "turn",
        hinge("wheel", [0.0; 3], [0.0, 1.0, 0.0]),
        Some(hinge("ground", [0.0; 3], [0.0, 1.0, 0.0])),
    ));
    let run = run(&model, Formulation::Si2, 1e-8, &[1.0, 10.0]);
    assert!((run.value(0, "turn") - 30.0).abs() < 1e-6, "{}", run.value(0, "turn"));
    assert!((run.value(1, "turn") - 300.0).abs() < 1e-5, "{}", run.value(1, "turn"));
    // A steady turn never exchanges its chart.
    assert_eq!(run.dynamics.statistics().factorizations.chart_exchange, 0);
}
