//! Model exchange by Gear's method: stiff equations, with directional derivatives and without.

use super::build::{Model, edited, outputs, run, usual, with};
use fourbar_coupling::partner::{Fmu, FmuError, FmuIntegrator, FmuInterfaceKind, FmuOptions, FmuValue};
use fourbar_coupling::{Signal, Simulator, Snapshot};

fn stiff(integrator: FmuIntegrator, mu: f64, tolerance: f64) -> FmuOptions {
    FmuOptions {
        name: "test".into(),
        interface: Some(FmuInterfaceKind::ModelExchange),
        integrator: Some(integrator),
        tolerance: Some(tolerance),
        values: vec![("p".into(), FmuValue::Number(mu))],
        ..FmuOptions::default()
    }
}

/// The attribute that says that there are directional derivatives.
fn directional(version: u32) -> String {
    let name = if version == 2 { "providesDirectionalDerivative" } else { "providesDirectionalDerivatives" };
    format!("{} {name}=\"true\"", usual(version))
}

/// x'' = mu (1 - x^2) x' - x with mu = 1000 at t = 2000 s: Test Set for Initial Value Problem Solvers, release 2.4 (Mazzia and Magherini, 2008), problem
/// VDPOL, whose time is t/mu.
const END: [f64; 2] = [1.706_167_732_170_483_1, -0.892_809_701_024_797_5e-3];

#[test]
fn stiff_equations_are_solved_with_directional_derivatives_and_without() {
    for version in [2, 3] {
        for attributes in [usual(version).to_owned(), directional(version)] {
            for sparse in [false, true] {
                // x' depends on y alone.
                let edit = |text: String| match (version, sparse) {
                    (_, false) => text,
                    (2, true) => {
                        text.replacen("<Derivatives><Unknown ", "<Derivatives><Unknown dependencies=\"4\" ", 1)
                    }
                    _ => text.replacen(
                        "<ContinuousStateDerivative ",
                        "<ContinuousStateDerivative dependencies=\"3\" ",
                        1,
                    ),
                };
                let Some(path) = edited((version, Model::VanDerPol), &attributes, edit) else { return };
                let mut fmu = Fmu::open(&path, &stiff(FmuIntegrator::Gstiff, 1000.0, 1e-7)).unwrap();
                let seen = run(&mut fmu, 20, 100.0, &[]);
                let errors = [(seen[0] - END[0]).abs() / 2.0, (seen[1] - END[1]).abs() / 1e-3];
                assert!(errors.iter().all(|error| *error < 1e-4), "FMI {version}, {attributes}: {errors:?}");
            }
        }
    }
}

#[test]
fn events_are_located_and_states_returned_to_by_the_implicit_method_too() {
    for version in [2, 3] {
        let Some(path) = with((version, Model::Ball), usual(version)) else { return };
        let seen = |integrator| {
            let options = FmuOptions { values: Vec::new(), ..stiff(integrator, 1.0, 1e-10) };
            let mut fmu = Fmu::open(&path, &options).unwrap();
            run(&mut fmu, 10, 0.1, &[]);
            let mut snapshot = Snapshot::new();
            fmu.save(&mut snapshot).unwrap();
            let mut again = || {
                (10..20).for_each(|k| {
                    fmu.step(f64::from(k) * 0.1, 0.1).unwrap();
                });
                let seen = outputs(&mut fmu);
                fmu.restore(&snapshot).unwrap();
                seen
            };
            let first = again();
            assert_eq!(first, again());
            first
        };
        let (implicit, explicit) = (seen(FmuIntegrator::Gstiff), seen(FmuIntegrator::Rkf45));
        assert!((implicit[0] - explicit[0]).abs() < 1e-6 && implicit[2] == explicit[2], "{implicit:?} {explicit:?}");
    }
}

#[test]
fn inputs_that_bend_and_jump_are_followed() {
    for version in [2, 3] {
        let Some(path) = with((version, Model::Dahlquist), &directional(version)) else { return };
        let mut fmu = Fmu::open(&path, &stiff(FmuIntegrator::Gstiff, 1.0, 1e-9)).unwrap();
        // x' = -x + u from 1: u rises with t, falls from there, then jumps to 5.
        let inputs = [(0.0, 1.0), (1.0, -1.0), (5.0, 0.0)];
        for (k, (value, first)) in inputs.into_iter().enumerate() {
            fmu.set_inputs(&[Signal { value, first, second: 0.0 }]).unwrap();
            fmu.step(k as f64, 1.0).unwrap();
        }
        let ramp = |x: f64, value: f64, first: f64| {
            let e = (-1.0_f64).exp();
            x * e + value * (1.0 - e) + first * e
        };
        let expected = inputs.into_iter().fold(1.0, |x, (value, first)| ramp(x, value, first));
        let x = outputs(&mut fmu)[0];
        assert!((x - expected).abs() < 1e-7, "FMI {version}: {x} is not {expected}");
    }
}

#[test]
fn a_method_for_a_unit_that_solves_itself_is_refused() {
    let Some(path) = with((2, Model::Dahlquist), usual(2)) else { return };
    let options = FmuOptions { integrator: Some(FmuIntegrator::Gstiff), ..FmuOptions::default() };
    let refused = Fmu::open(&path, &options).err().unwrap();
    assert!(matches!(&refused, FmuError::Unsupported { .. }), "{refused}");
    assert!(refused.to_string().contains("leave the integrator out"), "{refused}");
}
