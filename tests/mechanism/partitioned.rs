//! Partitioned coordinates with Rkf45 and Abam against the reference solutions.

use crate::mechanism::machines::{chain, ladder};
use crate::mechanism::references::ladder_error;
use crate::mechanism::{Run, number, numbers, reference, run_with};
use fourbar::multibody::integrator::{Abam, Rkf45};
use fourbar::multibody::{Formulation, Method, Model};

fn methods(tolerance: f64) -> [Method; 2] {
    [Rkf45::with_tolerance(tolerance).into(), Abam::with_tolerance(tolerance).into()]
}

fn run(model: &Model, method: Method, times: &[f64]) -> Run {
    let run = run_with(model, Formulation::default(), method, times);
    let v = run.violation;
    assert!(v.position < 1e-12 && v.orientation < 1e-12, "{v:?}");
    assert!(v.velocity < 1e-10 && v.angular_velocity < 1e-10, "{v:?}");
    run
}

/// Seven bodies, seven loops' rows redundant in space, accelerations of 1e4: q(0.03) to 1e-6.
#[test]
fn andrews_mechanism() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/models/andrews.toml");
    let file = fourbar::file::ModelFile::load(path).expect("the model loads");
    let model = &file.document().mechanism().expect("a mechanism").model;
    let data = reference("andrews");
    let end = data["samples"].as_array().and_then(|s| s.last()).expect("samples");
    assert!((number(&end["t"]) - 0.03).abs() < 1e-15);
    let exact = numbers(&end["q"])[0];
    let mut evaluations = Vec::new();
    for (tolerance, allowed) in [(1e-9, 1e-6), (1e-10, 1e-7)] {
        for method in methods(tolerance) {
            let name = method.name();
            let run = run(model, method, &[0.03]);
            let beta = run.value(0, "beta");
            assert!((beta / exact - 1.0).abs() < allowed, "{name} {tolerance:e}: {beta} instead of {exact}");
            evaluations.push(run.dynamics.statistics().residual_evaluations);
        }
    }
    // Of the same tolerance Adams' formulas take a third of the evaluations, at errors that the example `accuracy` prints.
    assert!(3 * evaluations[1] < evaluations[0] && 3 * evaluations[3] < evaluations[2], "{evaluations:?}");
}

/// Rods in the open: no row depends on a loop, and the motion is that of the reference to the tolerance.
#[test]
fn chains_fall_as_the_reference() {
    for n in [1, 2, 5] {
        let data = reference(&format!("chain_N{n}"));
        let samples: Vec<_> =
            data["samples"].as_array().expect("samples").iter().skip(1).filter(|s| number(&s["t"]) <= 1.0).collect();
        let times: Vec<f64> = samples.iter().map(|s| number(&s["t"])).collect();
        for method in methods(1e-9) {
            let run = run(&chain(n), method, &times);
            assert!(run.energy.balance_error.abs() < 1e-6, "{:?}", run.energy);
            let mut state = run.dynamics;
            let last = samples.len() - 1;
            let q = numbers(&samples[last]["q"]);
            let poses = &state.state_at(times[last]).expect("state").poses;
            for (pose, angle) in poses.iter().zip(q) {
                let error = (pose.a[(0, 0)] - angle.cos()).abs().max((pose.a[(1, 0)] - angle.sin()).abs());
                assert!(error < 1e-6, "{n}: {error:e}");
            }
        }
    }
}

/// The ladder until shortly before its rods lie flat, where constraints become dependent.
#[test]
fn ladder_up_to_its_singular_position() {
    let data = reference("A02_N2");
    let all = data["samples"].as_array().expect("samples");
    let samples: Vec<serde_json::Value> = all[1..].iter().take_while(|s| numbers(&s["B0"])[1] > 0.3).cloned().collect();
    let times: Vec<f64> = samples.iter().map(|s| number(&s["t"])).collect();
    assert!(!times.is_empty(), "no sample before the rods are flat");
    for method in methods(1e-9) {
        let run = run(&ladder(2), method, &times);
        let error = ladder_error(2, &run, &samples);
        assert!(error < 1e-6, "{error:e}");
    }
}
