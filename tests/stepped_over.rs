//! Ordinary first models that a run at its defaults stepped over: each gives what its closed form, or a run with steps a hundred times as short, gives.

use fourbar::file::ModelFile;
use fourbar::results::Table;
use fourbar::run::{Overrides, Run};
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// The measures over time, and what ended the run early.
fn run(name: &str, overrides: &Overrides) -> (Table, Option<String>, Vec<String>) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases").join(name);
    let file = ModelFile::load(path).unwrap();
    let run = Run::new(file.document(), overrides).unwrap();
    let mut table = Table::default();
    let outcome = run.execute(&mut [&mut table], &AtomicBool::new(false)).unwrap();
    let names = run.columns().iter().map(|column| column.name.clone()).collect();
    (table, outcome.failure.map(|failure| failure.to_string()), names)
}

/// All values of a measure.
fn series(name: &str, measure: &str, overrides: &Overrides) -> Vec<f64> {
    let (table, failure, names) = run(name, overrides);
    assert_eq!(failure, None, "{name}");
    let column = names.iter().position(|known| known == measure).unwrap();
    table.series(column).collect()
}

fn methods() -> [Overrides; 3] {
    [None, Some("rkf45"), Some("abam")]
        .map(|name| Overrides { integrator: name.map(str::to_owned), ..Overrides::default() })
}

#[test]
fn what_comes_late_or_fast_counts_in_full() {
    // Impulse of 10 N s on 1 kg; integral of the rate; 100 bumps of 500 C(20, 10)/2^20 N s; work of 20 J on 1 kg at 10 m/s; mean speed
    // 1000/(2 pi 1000) of a force 1000 sin(2 pi 1000 t).
    let bumps = 100.0 * 500.0 * 184_756.0 / 1_048_576.0;
    let cases = [
        ("pulse.toml", "v", 10.0, 1e-6),
        ("motion.toml", "a", 2.4, 1e-5),
        ("bumps.toml", "v", bumps, 1e-3),
        // Its ends are met to the position tolerance, 0.4e-6 of 500 m: 400 N times that is 6.8e-3 m/s of 11.8 m/s.
        ("thin_wall_bump.toml", "v", 140.0_f64.sqrt(), 6e-4),
        ("force_1kHz_sin.toml", "x", 10.0 * 1000.0 / (2.0 * std::f64::consts::PI * 1000.0), 1e-3),
    ];
    for overrides in methods() {
        for (name, measure, expected, allowed) in cases {
            let last = *series(name, measure, &overrides).last().unwrap();
            assert!((last - expected).abs() < allowed * expected, "{name}: {last}, not {expected} ({overrides:?})");
        }
    }
}

/// A flow that swells to three times its size in the midst of a run: by Bernoulli's law at the peak, and as with steps a tenth as long.
#[test]
fn a_flow_that_swells_is_seen_by_a_circuit() {
    let largest =
        |overrides: &Overrides| series("circuit-bell.toml", "p.pressure", overrides).into_iter().fold(0.0, f64::max);
    let found = largest(&Overrides::default());
    let fine = largest(&Overrides { max_step: Some(0.01), ..Overrides::default() });
    assert!((found / fine - 1.0).abs() < 1e-6, "{found}, {fine}");
    let steady = series("circuit-bell.toml", "p.pressure", &Overrides::default())[0];
    assert!(found > 8.5 * steady, "{found} at three times the flow of {steady}");
}

/// A flow whose period divides the output step, and in a coupled model the communication step: as with short steps, and as alone.
#[test]
fn a_flow_whose_period_divides_the_step_is_seen_by_a_circuit() {
    let apart = |one: Vec<f64>, two: Vec<f64>| {
        assert_eq!(one.len(), two.len());
        let size = two.iter().copied().fold(0.0, f64::max);
        one.iter().zip(&two).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max) / size
    };
    let of = |name, max_step| series(name, "p.pressure", &Overrides { max_step, ..Overrides::default() });
    let alone = apart(of("circuit-sine.toml", None), of("circuit-sine.toml", Some(1e-3)));
    assert!(alone < 1e-5, "{alone}");
    let coupled = series("circuit-coupled-sine.toml", "hyd.p.pressure", &Overrides::default());
    let together = apart(coupled, of("circuit-sine-100Hz.toml", None));
    assert!(together < 3e-5, "{together}");
}

/// Of runs with steps of 1e-5 s.
#[test]
fn a_road_and_a_cam_move_what_follows() {
    let largest = |values: Vec<f64>| values.iter().fold(0.0_f64, |a, b| a.max((b - values[0]).abs()));
    for overrides in methods() {
        let chassis = largest(series("quarter-car.toml", "zs", &overrides));
        // The outputs miss the top by up to half of an output step.
        assert!((chassis - 0.020_897).abs() < 5e-6, "{chassis}");
        let follower = largest(series("cam-motion.toml", "zm", &overrides));
        assert!((follower - 0.0934).abs() < 1e-4, "{follower}");
    }
}

#[test]
fn dry_friction_at_rest_is_named() {
    for overrides in methods() {
        let (table, failure, _) = run("coul.toml", &overrides);
        let failure = failure.unwrap();
        assert!(failure.contains("sign in force \"friction\"") && failure.contains("without end"), "{failure}");
        assert!(table.times().last().is_some_and(|last| *last > 2.4));
    }
}

/// Each uses the two before it: written out, the last one has ten million terms.
#[test]
fn measures_of_measures_are_evaluated_once() {
    let last = *series("fib.toml", "o34", &Overrides::default()).last().unwrap();
    assert!((last + 9_227_465.0 * 9.81 * 0.005).abs() < 1.0, "{last}");
}
