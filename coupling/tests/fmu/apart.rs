//! FMUs in processes of their own: the same bits, states in bytes, crashes as faults.

use super::build::{Model, opened, outputs, run, usual, with};
use crate::library::compile::hosted;
use fourbar_coupling::partner::{FmuInterfaceKind, FmuOptions, FmuValue, Process};
use fourbar_coupling::{Failure, Simulator, Snapshot};

#[test]
fn a_process_has_the_same_bits_and_returns_to_states() {
    for interface in [FmuInterfaceKind::CoSimulation, FmuInterfaceKind::ModelExchange] {
        for version in [2, 3] {
            let which = (version, Model::Ball);
            let options = FmuOptions {
                interface: Some(interface),
                values: vec![("q".into(), FmuValue::Number(0.8))],
                ..FmuOptions::default()
            };
            let (Some(mut here), Some(path)) = (opened(which, &options), with(which, usual(version))) else { return };
            let mut there = Process::open_fmu(&path, &options, &hosted()).unwrap();
            assert_eq!(there.describe(), here.describe());
            assert_eq!(run(&mut here, 7, 0.1, &[]), run(&mut there, 7, 0.1, &[]));
            let mut snapshot = Snapshot::new();
            there.save(&mut snapshot).unwrap();
            let on = |fmu: &mut dyn Simulator| {
                (7..15).for_each(|k| {
                    fmu.step(f64::from(k) * 0.1, 0.1).unwrap();
                });
                outputs(fmu)
            };
            let expected = on(&mut here);
            assert_eq!(on(&mut there), expected);
            there.restore(&snapshot).unwrap();
            assert_eq!(on(&mut there), expected, "FMI {version}, {interface:?}");
        }
    }
}

#[test]
fn a_crash_is_a_fault_and_a_new_process_goes_on() {
    let options = FmuOptions { values: vec![("p".into(), FmuValue::Number(5.0))], ..FmuOptions::default() };
    let Some(path) = with((3, Model::Trouble), usual(3)) else { return };
    let mut fmu = Process::open_fmu(&path, &options, &hosted()).unwrap();
    fmu.step(0.0, 0.25).unwrap();
    let mut snapshot = Snapshot::new();
    fmu.save(&mut snapshot).unwrap();
    fmu.step(0.25, 0.25).unwrap();
    assert!(matches!(fmu.step(0.5, 0.25), Err(Failure::Ended(_))));
    fmu.restore(&snapshot).unwrap();
    assert_eq!(fmu.step(0.25, 0.25).unwrap(), 0.5);
}

#[test]
fn what_a_process_refuses_is_told() {
    let Some(path) = with((2, Model::Dahlquist), usual(2)) else { return };
    let options = FmuOptions { values: vec![("none".into(), FmuValue::Number(5.0))], ..FmuOptions::default() };
    let refused = Process::open_fmu(&path, &options, &hosted()).err().unwrap().to_string();
    assert!(refused.contains("it has no such variable"), "{refused}");
}
