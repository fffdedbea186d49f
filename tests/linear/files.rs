//! The files of `models/`.

use super::{assert_near, at, column, root, run};
use fourbar::file::ModelFile;
use fourbar::linear::MethodName;
use fourbar::run::{Overrides, Run};
use nalgebra::{Matrix5, Vector5};
use serde_json::Value;
use std::f64::consts::PI;

fn reference(name: &str) -> Value {
    let text = std::fs::read_to_string(root("tests/reference/lti").join(name)).unwrap();
    serde_json::from_str(&text).unwrap()
}

fn texts(value: &Value) -> Vec<&str> {
    value.as_array().unwrap().iter().map(|x| x.as_str().unwrap()).collect()
}

/// The times of the source's tables \[s\].
const TIMES: [f64; 5] = [2.0, 4.0, 6.0, 8.0, 10.0];

#[test]
fn the_example_of_jiang_and_chai_gives_their_tables() {
    let file = ModelFile::load(root("models/jiang-chai.toml")).unwrap();
    let (tables, reproduced) = (reference("tables.json"), reference("reproduce_out.json"));
    for (table, step) in [1e-4, 5e-4, 5e-3].into_iter().enumerate() {
        let of = |method, order| {
            let overrides = Overrides { step: Some(step), method: Some(method), order, ..Overrides::default() };
            run(&file, &overrides).1
        };
        // Algorithms 1 and 2 against 50 digits: the printed columns carry a coefficient error. The source starts Algorithm 2 with
        // two steps of Algorithm 1 of order 2, a run with its order 3: the difference dies away with the slow pole.
        let start = if step == 5e-3 { 2e-7 } else { 0.0 };
        let computed = [
            (of(MethodName::Algorithm1, Some(2)), "Alg1_eq20", 0.0),
            (of(MethodName::Algorithm2, Some(3)), "Alg2_eq32", start),
        ];
        for (results, name, start) in &computed {
            let expected = texts(&reproduced["tables"][table][*name]["ours_correct_G"]);
            for (time, expected) in TIMES.iter().zip(expected) {
                assert_near(at(results, "y", *time), expected.parse().unwrap(), 1e-10 + start * (-time).exp());
            }
        }
        for (time, printed) in TIMES.iter().zip(texts(&tables["exact_y"])) {
            assert_eq!(format!("{:.8}", at(&computed[0].0, "y_exact", *time)), printed);
        }
    }
}

/// The classical methods have no order of their own to override, so that the file is read without one.
#[test]
fn the_classical_methods_give_their_columns_digit_for_digit() {
    let text = std::fs::read_to_string(root("models/jiang-chai.toml")).unwrap();
    let file = ModelFile::parse("jiang-chai", text.replace("order = 3\n", "")).unwrap();
    let tables = reference("tables.json");
    for (table, step) in [1e-4, 5e-4, 5e-3].into_iter().enumerate() {
        for (method, name) in [(MethodName::Mtm4, "MTM-4"), (MethodName::Qam4, "QAM-4")] {
            let overrides = Overrides { step: Some(step), method: Some(method), ..Overrides::default() };
            let (_, results) = run(&file, &overrides);
            for (time, printed) in TIMES.iter().zip(texts(&tables["tables"][table][name])) {
                assert_eq!(format!("{:.8}", at(&results, "y", *time)), printed, "{name}, step {step}");
            }
        }
    }
}

/// Integral, force, velocity and position of the servo, with the input as a fifth constant state, written down from the physics
/// and carried over `time` by nalgebra's exponential.
fn servo(start: [f64; 4], reference: f64, load: f64, time: f64) -> [f64; 4] {
    let (mass, friction, lag, kp, kv, ki) = (20.0, 40.0, 1e-5, 12.0, 800.0, 4000.0);
    let a = Matrix5::new(
        0.0,
        0.0,
        -1.0,
        -kp,
        kp * reference,
        ki / lag,
        -1.0 / lag,
        -kv / lag,
        -kv * kp / lag,
        kv * kp * reference / lag,
        0.0,
        1.0 / mass,
        -friction / mass,
        0.0,
        -load / mass,
        0.0,
        0.0,
        1.0,
        0.0,
        0.0,
        0.0,
        0.0,
        0.0,
        0.0,
        0.0,
    );
    // In pieces of 1 ms: squaring a stiff exponential more often costs digits.
    let pieces = (time / 1e-3).round().max(1.0);
    let piece = (a * (time / pieces)).exp();
    let mut x = Vector5::new(start[0], start[1], start[2], start[3], 1.0);
    for _ in 0..pieces as usize {
        x = piece * x;
    }
    [x[0], x[1], x[2], x[3]]
}

#[test]
fn the_servo_is_exact_between_jumps_on_and_off_the_steps() {
    let file = ModelFile::load(root("models/servo.toml")).unwrap();
    let (summary, table) = run(&file, &Overrides::default());
    let statistics = summary.linear().unwrap();
    assert_eq!((statistics.states, statistics.stops, statistics.parts_of_steps), (4, 2, 2));
    let loaded = servo([0.0; 4], 0.1, 0.0, 0.49);
    for time in [0.012, 0.1, 0.5, 0.504, 0.7, 2.0] {
        let x =
            if time <= 0.5 { servo([0.0; 4], 0.1, 0.0, time - 0.01) } else { servo(loaded, 0.1, 200.0, time - 0.5) };
        assert_near(at(&table, "force", time), x[1], 1e-7);
        assert_near(at(&table, "velocity", time), x[2], 1e-10);
        assert_near(at(&table, "position", time), x[3], 1e-11);
    }
    // Before the jump nothing moves, whatever the step.
    assert_eq!((at(&table, "position", 0.008), at(&table, "reference", 0.008)), (0.0, 0.0));
    let (_, fine) = run(&file, &Overrides { step: Some(1e-3), ..Overrides::default() });
    for name in ["position", "force"] {
        let scale = if name == "force" { 1e3 } else { 0.1 };
        for (a, b) in column(&table, name).iter().zip(column(&fine, name)) {
            assert_near(*a, b, 1e-11 * scale);
        }
    }
}

/// The wall of `models/heat.toml`: times \[s\] and temperatures \[K\].
const WALL: [[f64; 2]; 4] = [[0.0, 0.0], [20.0, 0.0], [120.0, 50.0], [320.0, 50.0]];

/// The temperature of cell `i` (from 0) at `time`: the sum over the modes sin(theta_k (i + 1/2)), theta_k = (k - 1/2) pi/n, whose rates
/// are -4 D/h² sin²(theta_k/2), each carried exactly over the pieces of the wall's temperature.
fn cell(i: usize, time: f64) -> f64 {
    let (n, diffusivity) = (10_000, 9.7e-5);
    let conductance = diffusivity * (n * n) as f64;
    let mode = |k: usize| {
        let theta = (k as f64 - 0.5) * PI / n as f64;
        let rate = 4.0 * conductance * (0.5 * theta).sin().powi(2);
        let influence = 2.0 * conductance * (0.5 * theta).sin() * 2.0 / n as f64;
        let mut amplitude = if k == 1 { 40.0 } else { 0.0 };
        for piece in WALL.windows(2) {
            let [[t0, w0], [t1, w1]] = [piece[0], piece[1]];
            let span = time.clamp(t0, t1) - t0;
            let (z, slope) = (rate * span, (w1 - w0) / (t1 - t0));
            // int e^{-rate s} ds and the same of a ramp, without cancellation.
            let held = -(-z).exp_m1() / rate;
            let ramp = if z < 0.1 {
                span * span
                    * (0.5 - z / 6.0 + z * z / 24.0 - z.powi(3) / 120.0 + z.powi(4) / 720.0 - z.powi(5) / 5040.0
                        + z.powi(6) / 40320.0)
            } else {
                (span - held) / rate
            };
            amplitude = (-z).exp() * amplitude + influence * (w0 * held + slope * ramp);
        }
        amplitude * (theta * (i as f64 + 0.5)).sin()
    };
    (1..=n).map(mode).sum()
}

#[test]
fn ten_thousand_cells_follow_their_closed_form() {
    let file = ModelFile::load(root("models/heat.toml")).unwrap();
    let (summary, table) = run(&file, &Overrides { end: Some(160.0), ..Overrides::default() });
    assert_eq!(summary.linear().unwrap().states, 10_000);
    let krylov = summary.linear().unwrap().krylov.unwrap();
    assert!(krylov.factorizations <= 2 && krylov.largest_dimension <= 60, "{krylov:?}");
    for time in [20.0, 80.0, 160.0] {
        // At 0.1 m and 0.5 m, on the border of two cells, the output is their mean.
        assert_near(at(&table, "near", time), 0.5 * (cell(999, time) + cell(1000, time)), 5e-9);
        assert_near(at(&table, "middle", time), 0.5 * (cell(4999, time) + cell(5000, time)), 5e-9);
        assert_near(at(&table, "tip", time), cell(9999, time), 5e-9);
    }
    let quiet = table.times().iter().take_while(|t| **t <= 20.0).count();
    for (tip, exact) in column(&table, "tip").iter().zip(column(&table, "slowest_mode")).take(quiet) {
        assert_near(*tip, exact, 4e-9);
    }
}

#[test]
fn a_method_given_for_a_run_drops_the_order_that_the_file_gives_for_another() {
    let file = ModelFile::load(root("models/jiang-chai.toml")).unwrap();
    for method in [MethodName::Qam4, MethodName::Mtm4] {
        let overrides = Overrides { method: Some(method), ..Overrides::default() };
        let run = Run::new(file.document(), &overrides).unwrap();
        assert!(run.settings().contains(&("method".to_owned(), method.name().to_owned())), "{:?}", run.settings());
        let with_order = Overrides { order: Some(3), ..overrides };
        assert!(Run::new(file.document(), &with_order).is_err(), "an order given for this run is refused");
    }
}
