//! Model exchange: equations solved here, events in states and in time.

use super::build::{Model, opened, outputs, run};
use fourbar_coupling::partner::{FmuInterfaceKind, FmuOptions};
use fourbar_coupling::{Signal, Simulator, Snapshot};

fn solved(tolerance: f64) -> FmuOptions {
    FmuOptions {
        name: "test".into(),
        interface: Some(FmuInterfaceKind::ModelExchange),
        tolerance: Some(tolerance),
        ..FmuOptions::default()
    }
}

#[test]
fn equations_are_solved() {
    for version in [2, 3] {
        let Some(mut fmu) = opened((version, Model::Dahlquist), &solved(1e-10)) else { return };
        fmu.set_inputs(&[Signal { value: 0.0, first: 1.0, second: 0.0 }]).unwrap();
        fmu.step(0.0, 1.0).unwrap();
        let (x, expected) = (outputs(&mut fmu)[0], 2.0 * (-1.0_f64).exp());
        assert!((x - expected).abs() < 1e-9, "FMI {version}: {x} is not {expected}");
    }
}

#[test]
fn events_of_states_are_located() {
    for version in [2, 3] {
        let Some(mut fmu) = opened((version, Model::Ball), &solved(1e-10)) else { return };
        let seen = run(&mut fmu, 20, 0.1, &[]);
        // Falls from 1 m, each bounce takes 0.7 of the velocity: touches at s, s (1 + 2 e), s (1 + 2 e + 2 e^2) ..
        let (g, e, end) = (9.81_f64, 0.7_f64, 2.0);
        let (mut touch, mut speed, mut bounces) = ((2.0 / g).sqrt(), (2.0 * g).sqrt(), 0);
        let mut last = 0.0;
        while touch <= end {
            last = touch;
            speed *= e;
            bounces += 1;
            touch += 2.0 * speed / g;
        }
        let s = end - last;
        let (h, v) = (speed * s - 0.5 * g * s * s, speed - g * s);
        assert_eq!(seen[2], f64::from(bounces), "FMI {version}");
        assert!((seen[0] - h).abs() < 1e-7 && (seen[1] - v).abs() < 1e-7, "FMI {version}: {seen:?}, {h}, {v}");
    }
}

#[test]
fn events_in_time_are_met() {
    for version in [2, 3] {
        let Some(mut fmu) = opened((version, Model::Stair), &solved(1e-6)) else { return };
        for k in 0..4 {
            let t = 0.8 * f64::from(k);
            assert_eq!(fmu.step(t, 0.8).unwrap(), t + 0.8);
            assert_eq!(outputs(&mut fmu), [(t + 0.8).floor()], "FMI {version}");
        }
    }
}

#[test]
fn outputs_follow_inputs_at_once() {
    for version in [2, 3] {
        let Some(mut fmu) = opened((version, Model::Feed), &solved(1e-6)) else { return };
        let description = fmu.describe();
        assert!(description.variables[1].feedthrough.contains(&"u".to_owned()));
        let count = if version == 2 { 3 } else { 7 };
        for k in 0..4 {
            let mut signals = vec![Signal::default(); count];
            (signals[0], signals[1]) = (Signal::held(f64::from(k)), Signal::held(f64::from(2 * k)));
            fmu.set_inputs(&signals).unwrap();
            assert_eq!(outputs(&mut fmu)[..2], [f64::from(k), f64::from(2 * k)], "FMI {version}");
            fmu.step(0.1 * f64::from(k), 0.1).unwrap();
        }
    }
}

#[test]
fn states_are_returned_to_bit_for_bit() {
    for (version, model) in [(2, Model::Ball), (3, Model::Ball), (2, Model::VanDerPol), (3, Model::VanDerPol)] {
        let Some(mut fmu) = opened((version, model), &solved(1e-8)) else { return };
        run(&mut fmu, 4, 0.1, &[]);
        let mut snapshot = Snapshot::new();
        fmu.save(&mut snapshot).unwrap();
        let again = |fmu: &mut dyn Simulator| {
            (4..12).for_each(|k| {
                fmu.step(f64::from(k) * 0.1, 0.1).unwrap();
            });
            outputs(fmu)
        };
        let first = again(&mut fmu);
        for _ in 0..3 {
            fmu.restore(&snapshot).unwrap();
            assert_eq!(again(&mut fmu), first, "FMI {version}");
        }
    }
}
