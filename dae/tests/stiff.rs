//! Stiff systems with reference solutions: Robertson's kinetics and van der Pol's oscillator.

use crate::support;

use fourbar_dae::Dae;
use fourbar_dae::integrator::{Absolute, Gstiff, Integrator, Statistics, Stop, Tolerance};
use serde_json::Value;
use support::{Differentiation, ProtheroRobinson, Robertson, VanDerPol};

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
pub(crate) fn worst_error(
    problem: &str,
    dae: impl Dae,
    y0: &[f64],
    yp0: &[f64],
    method: &impl Differentiation,
) -> (f64, Statistics) {
    let points = reference(problem);
    let times: Vec<f64> = points.iter().map(|p| p.0).collect();
    let mut run = method.begin(dae, y0, yp0, times[times.len() - 1]);
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

pub(crate) fn method(relative: f64, absolute: &[f64]) -> Gstiff {
    Gstiff { tolerance: Tolerance { relative, absolute: Absolute::Unknown(absolute.to_vec()) }, ..Gstiff::default() }
}

#[test]
fn robertson_as_ode_and_as_dae() {
    for index1 in [false, true] {
        let method = method(1e-8, &[1e-12, 1e-15, 1e-12]);
        let system = Robertson::system(index1);
        let (error, statistics) = worst_error("robertson", system, &Robertson::START, &Robertson::SLOPE, &method);
        assert!(error < 1e-6, "index 1: {index1}, worst relative error {error:e}");
        assert!(statistics.steps < 1500, "{statistics:?}");
    }
}

#[test]
fn van_der_pol_mu_1000() {
    let method = method(1e-8, &[1e-9, 1e-11]);
    let (error, statistics) =
        worst_error("van_der_pol_mu1000", VanDerPol::system(1000.0), &[2.0, 0.0], &[0.0, -2.0], &method);
    assert!(error < 1e-6, "worst relative error {error:e}");
    assert!(statistics.steps < 4000, "{statistics:?}");
}

#[test]
fn error_falls_with_the_tolerance() {
    let mut previous = f64::INFINITY;
    for digits in [4, 6, 8, 10] {
        let relative = 10f64.powi(-digits);
        let method = method(relative, &[1e-4 * relative, 1e-7 * relative, 1e-4 * relative]);
        let system = Robertson::system(true);
        let (error, _) = worst_error("robertson", system, &Robertson::START, &Robertson::SLOPE, &method);
        println!("{relative:e}: {error:e}");
        assert!(error < 0.2 * previous && error < 300.0 * relative, "tolerance {relative:e}: {error:e}");
        previous = error;
    }
}

#[test]
fn a_million_times_stiffer_than_the_solution_is_slow() {
    let method = Gstiff::with_tolerance(1e-8);
    // On the solution, and one unit away from it: the transient dies within 1e-5 s.
    for (start, slope) in [(1.0, 0.0), (2.0, -1e6)] {
        let y0 = [start, start * start];
        let mut run = method.start(ProtheroRobinson::system(1e6), 0.0, &y0, &[slope, 0.0], 10.0).expect("start");
        while run.step().expect("step") != Stop::EndTime {}
        let (y, z) = (10f64.cos(), 10f64.cos().powi(2));
        assert!((run.state()[0] - y).abs() < 1e-8 && (run.state()[1] - z).abs() < 1e-8, "{:?}", run.state());
        assert!(run.statistics().steps < 700, "{:?}", run.statistics());
    }
}
