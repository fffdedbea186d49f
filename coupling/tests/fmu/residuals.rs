//! Residuals by FMI-LS-DAE: x' = z - x + u, 0 = z + z^3 - x, by the residual and by the ordinary equations of the same FMU.

use super::build::{Model, edited_with, outputs, usual};
use fourbar_coupling::partner::{Fmu, FmuError, FmuIntegrator, FmuInterfaceKind, FmuOptions};
use fourbar_coupling::{Signal, Simulator, Snapshot};
use std::path::PathBuf;

const FILE: &str = "extra/org.fmi-standard.fmi-ls-dae/fmi-ls-manifest.xml";

fn manifest(version: &str, structure: &str) -> String {
    format!(
        r#"<fmiDAEManifest xmlns:fmi-ls="http://fmi-standard.org/fmi-ls-manifest" fmi-ls:fmi-ls-name="org.fmi-standard.fmi-ls-dae"
 fmi-ls:fmi-ls-version="{version}" fmi-ls:fmi-ls-description="Layered standard for DAE support in FMI.">
<EnableDAEParameter valueReference="30"/><AlgebraicVariables><AlgebraicVariable valueReference="9"/></AlgebraicVariables>
<ModelStructure>{structure}</ModelStructure></fmiDAEManifest>"#
    )
}

const STRUCTURE: &str = r#"<ContinuousStateDerivative valueReference="2" dependencies="1 7 9"/><Residual valueReference="10" dependencies="1 9"/>"#;
const VERSION: &str = "1.0.0-alpha.1";

fn unit(attributes: &str, manifest: &str) -> Option<PathBuf> {
    let attributes = format!("{} {attributes}", usual(3));
    edited_with((3, Model::Dae), &attributes, |text| text, &[(FILE, manifest.as_bytes())])
}

fn options(interface: FmuInterfaceKind) -> FmuOptions {
    FmuOptions { name: "test".into(), interface: Some(interface), tolerance: Some(1e-9), ..FmuOptions::default() }
}

/// Without an input z' = -z^3/(1 + 3 z^2): -1/(2 z^2) + 3 ln z + t does not change.
fn invariant(z: f64, t: f64) -> f64 {
    -0.5 / (z * z) + 3.0 * z.ln() + t
}

#[test]
fn residuals_are_solved() {
    for attributes in ["", "providesDirectionalDerivatives=\"true\""] {
        for structure in
            [STRUCTURE, r#"<ContinuousStateDerivative valueReference="2"/><Residual valueReference="10"/>"#]
        {
            let Some(path) = unit(attributes, &manifest(VERSION, structure)) else { return };
            let mut fmu = Fmu::open(&path, &options(FmuInterfaceKind::Dae)).unwrap();
            // z + z^3 = 2 at the start, although the FMU says 0.5.
            let start = outputs(&mut fmu);
            assert!(start[0] == 2.0 && (start[1] - 1.0).abs() < 1e-9, "{start:?}");
            for k in 0..10 {
                fmu.set_inputs(&[Signal::held(0.0)]).unwrap();
                fmu.step(0.1 * f64::from(k), 0.1).unwrap();
            }
            let end = outputs(&mut fmu);
            let (x, z) = (end[0], end[1]);
            assert!((z + z * z * z - x).abs() < 1e-7, "{end:?}");
            assert!((invariant(z, 1.0) - invariant(1.0, 0.0)).abs() < 1e-6, "{end:?}");
        }
    }
}

#[test]
fn residuals_and_ordinary_equations_agree_where_inputs_jump() {
    let Some(path) = unit("", &manifest(VERSION, STRUCTURE)) else { return };
    let seen = |interface| {
        let mut fmu = Fmu::open(&path, &options(interface)).unwrap();
        let mut seen = Vec::new();
        for (k, u) in [0.5, 0.5, -3.0, 1.0].into_iter().enumerate() {
            fmu.set_inputs(&[Signal::held(u)]).unwrap();
            seen.extend(outputs(&mut fmu));
            fmu.step(0.5 * k as f64, 0.5).unwrap();
            seen.extend(outputs(&mut fmu));
        }
        seen
    };
    let (residuals, ordinary) = (seen(FmuInterfaceKind::Dae), seen(FmuInterfaceKind::ModelExchange));
    for (one, two) in residuals.iter().zip(&ordinary) {
        assert!((one - two).abs() < 1e-6, "{residuals:?} {ordinary:?}");
    }
}

#[test]
fn states_are_returned_to_bit_for_bit() {
    let Some(path) = unit("", &manifest(VERSION, STRUCTURE)) else { return };
    let mut fmu = Fmu::open(&path, &options(FmuInterfaceKind::Dae)).unwrap();
    let step = |fmu: &mut Fmu, k: u32| {
        fmu.set_inputs(&[Signal::held(f64::from(k).sin())]).unwrap();
        fmu.step(0.1 * f64::from(k), 0.1).unwrap();
    };
    (0..5).for_each(|k| step(&mut fmu, k));
    let mut snapshot = Snapshot::new();
    fmu.save(&mut snapshot).unwrap();
    (5..10).for_each(|k| step(&mut fmu, k));
    let first = outputs(&mut fmu);
    fmu.restore(&snapshot).unwrap();
    (5..10).for_each(|k| step(&mut fmu, k));
    assert_eq!(outputs(&mut fmu), first);
}

#[test]
fn what_is_said_of_residuals_is_told() {
    let Some(path) = unit("", &manifest(VERSION, STRUCTURE)) else { return };
    let description = Fmu::inspect(path).unwrap();
    let dae = description.dae.clone().unwrap();
    assert_eq!(dae.version, VERSION);
    assert_eq!(description.variables[dae.algebraic[0]].name, "z");
    assert_eq!(description.variables[dae.residuals[0]].name, "residual");
}

#[test]
fn what_cannot_be_solved_is_refused() {
    let wrong = [
        ("0.1", STRUCTURE, FmuIntegrator::Gstiff, "its residuals are those of FMI-LS-DAE 0.1"),
        (VERSION, STRUCTURE, FmuIntegrator::Rkf45, "an explicit method solves no residuals"),
        (VERSION, "", FmuIntegrator::Gstiff, "it has 0 residuals for 1 algebraic variables"),
        (VERSION, "<Residual valueReference=\"99\"/>", FmuIntegrator::Gstiff, "\"99\" is no variable"),
        (VERSION, "<Residual valueReference=\"30\"/>", FmuIntegrator::Gstiff, "\"dae\" is no Float64"),
        (VERSION, "<Residual><Formulation valueReference=\"10\"/></Residual>", FmuIntegrator::Gstiff, "formulations"),
    ];
    for (version, structure, integrator, words) in wrong {
        let Some(path) = unit("", &manifest(version, structure)) else { return };
        let options = FmuOptions { integrator: Some(integrator), ..options(FmuInterfaceKind::Dae) };
        let refused = Fmu::open(&path, &options).err().unwrap().to_string();
        assert!(refused.contains(words), "{words}: {refused}");
        // Who does not solve them does not mind.
        assert!(Fmu::open(&path, &self::options(FmuInterfaceKind::ModelExchange)).is_ok());
    }
    let Some(path) = edited_with((3, Model::Dae), usual(3), |text| text, &[]) else { return };
    let refused = Fmu::open(path, &options(FmuInterfaceKind::Dae)).err().unwrap();
    assert!(matches!(refused, FmuError::Unsupported { .. }), "{refused}");
}
