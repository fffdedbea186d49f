//! Stiff systems with reference solutions: Robertson's kinetics and van der Pol's oscillator.

mod support;

use fourbar_multibody::dae::Dae;
use fourbar_multibody::integrator::{Absolute, Gstiff, Integrator, Statistics, Stop, Tolerance};
use serde_json::Value;
use support::{robertson, van_der_pol};

/// Reference values and their source: see the `meaning` and `published` entries of the file.
const REFERENCE: &str = include_str!("../../tests/reference/multibody/stiff_odes.json");

/// (t, y) at the reference times of one problem.
fn reference(problem: &str) -> Vec<(f64, Vec<f64>)> {
    let file: Value = serde_json::from_str(REFERENCE).expect("the reference file is JSON");
    let number = |v: &Value| v.as_f64().expect("a number");
    let point = |p: &Value| (number(&p["t"]), p["y"].as_array().expect("y").iter().map(number).collect());
    file[problem].as_array().expect("points").iter().map(point).collect()
}

/// Largest relative error over all components and reference times, each met as a stop time.
fn worst_error(problem: &str, dae: impl Dae, y0: &[f64], yp0: &[f64], method: &Gstiff) -> (f64, Statistics) {
    let points = reference(problem);
    let times: Vec<f64> = points.iter().map(|p| p.0).collect();
    let mut run = method.start(dae, 0.0, y0, yp0, times[times.len() - 1]).expect("start");
    run.set_stop_times(&times).expect("stop times");
    let mut worst: f64 = 0.0;
    for (t, y) in &points {
        while run.step().expect("step") == Stop::Step {}
        assert_eq!(run.time(), *t);
        for (value, expected) in run.state().iter().zip(y) {
            worst = worst.max(((value - expected) / expected).abs());
        }
    }
    (worst, *run.statistics())
}

fn method(relative: f64, absolute: &[f64]) -> Gstiff {
    Gstiff { tolerance: Tolerance { relative, absolute: Absolute::Unknown(absolute.to_vec()) }, ..Gstiff::default() }
}

#[test]
fn robertson_as_ode_and_as_dae() {
    for index1 in [false, true] {
        let method = method(1e-8, &[1e-12, 1e-15, 1e-12]);
        let (error, statistics) =
            worst_error("robertson", robertson(index1), &[1.0, 0.0, 0.0], &[-0.04, 0.04, 0.0], &method);
        println!("robertson index1={index1}: {error:.2e} {statistics:?}");
        assert!(error < 1e-6, "index 1: {index1}, worst relative error {error:e}");
    }
}

#[test]
fn van_der_pol_mu_1000() {
    let method = method(1e-8, &[1e-9, 1e-11]);
    let (error, statistics) =
        worst_error("van_der_pol_mu1000", van_der_pol(1000.0), &[2.0, 0.0], &[0.0, -2.0], &method);
    println!("van der Pol: {error:.2e} {statistics:?}");
    assert!(error < 1e-6, "worst relative error {error:e}");
}
