//! The functions of FMI 2.0 and 3.0 by the loader of the operating system, in the order of the standard and in others.

mod exchange;
mod residuals;
mod unit;

use crate::compile::{library_folder, root};
use fourbar::fmi::{Causality, Contents, Instance};
use libloading::Library;
use std::path::{Path, PathBuf};
use tempfile::TempDir;
use unit::{ERROR, OK, Unit};

const VERSIONS: [u32; 2] = [2, 3];
/// Communication step [s]: of no model that of its outputs.
const STEP: f64 = 0.7e-3;

fn library_file() -> PathBuf {
    let (prefix, suffix) = (std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    library_folder().join(format!("{prefix}fourbar_capi{suffix}"))
}

fn library() -> Library {
    // SAFETY: the library of this crate, which does nothing when it is loaded.
    unsafe { Library::new(library_file()) }.unwrap()
}

/// The resources of a unit in a folder of their own, and an instance of it.
fn resources(files: &[&str]) -> (TempDir, Instance) {
    resources_with(files, "co-simulation")
}

fn resources_with(files: &[&str], interfaces: &str) -> (TempDir, Instance) {
    let folder = tempfile::tempdir().unwrap();
    for file in files {
        std::fs::copy(root().join("models").join(file), folder.path().join(file)).unwrap();
    }
    let list = format!("model = {:?}\nfiles = {files:?}\ninterfaces = {interfaces:?}\n", files[0]);
    std::fs::write(folder.path().join("fourbar.toml"), list).unwrap();
    let instance = open(folder.path());
    (folder, instance)
}

fn open(folder: &Path) -> Instance {
    Instance::new(Contents::read(folder).unwrap()).unwrap()
}

fn references(instance: &Instance, causality: Causality) -> Vec<u32> {
    instance.variables().with(causality).map(|(reference, _)| reference).collect()
}

/// Steps from number `first` on with inputs that jump, and all outputs after each.
fn go(unit: &Unit<'_>, instance: &Instance, first: u32) -> Vec<u64> {
    let outputs = references(instance, Causality::Output);
    let mut all = Vec::new();
    for k in first..first + 6 {
        for (reference, own) in instance.variables().with(Causality::Input) {
            // A thousandth of what the models bear, another one in each second step.
            let value = own.start + 1e-3 * f64::from(k / 2 % 3 + reference % 2);
            assert_eq!(unit.set(reference, value), OK, "{}", unit.told());
        }
        assert_eq!(unit.step(f64::from(k) * STEP, STEP), OK, "{}", unit.told());
        let mut values = vec![0.0; outputs.len()];
        assert_eq!(unit.get(&outputs, values.as_mut_ptr()), OK, "{}", unit.told());
        all.extend(values.iter().map(|value| value.to_bits()));
    }
    all
}

#[test]
fn states_are_restored_bit_for_bit_in_both_versions() {
    let library = library();
    let kinds: [&[&str]; 6] = [
        &["slider-crank.toml"],
        &["quarter-car.toml"],
        &["bouncing-ball.toml"],
        &["hydraulic-axis.toml"],
        &["servo.toml"],
        &["press.toml", "hydraulic-axis.toml"],
    ];
    for files in kinds {
        let (folder, instance) = resources(files);
        for version in VERSIONS {
            let new = || {
                let unit = Unit::new(&library, version, folder.path(), instance.contents().token());
                assert!(!unit.is_null(), "{}: {}", files[0], unit.told());
                assert_eq!((unit.enter(1.0), unit.plain("ExitInitializationMode")), (OK, OK), "{}", unit.told());
                unit
            };
            let unit = new();
            go(&unit, &instance, 0);
            let state = unit.save();
            let bytes = unit.bytes(state);
            let expected = go(&unit, &instance, 6);
            assert_eq!(unit.restore(state), OK, "{}", unit.told());
            assert!(go(&unit, &instance, 6) == expected, "{}: the saved state", files[0]);
            let other = new();
            let loaded = other.state_of(&bytes).unwrap();
            assert_eq!(other.restore(loaded), OK, "{}", other.told());
            assert!(go(&other, &instance, 6) == expected, "{}: the state of bytes", files[0]);
            // The same steps again from the start, after a reset.
            assert_eq!((unit.plain("Reset"), unit.enter(1.0), unit.plain("ExitInitializationMode")), (OK, OK, OK));
            go(&unit, &instance, 0);
            assert!(go(&unit, &instance, 6) == expected, "{}: after a reset", files[0]);
            let mut damaged = bytes.clone();
            damaged[bytes.len() / 2] ^= 1;
            assert!(other.state_of(&damaged).is_none() && other.told().contains("checksum"), "{}", other.told());
            unit.free_state(state);
            other.free_state(loaded);
            assert_eq!(unit.plain("Terminate"), OK);
        }
    }
}

#[test]
fn wrong_calls_are_errors_with_a_text_and_leave_the_instance_as_it_was() {
    let library = library();
    let (folder, instance) = resources(&["quarter-car.toml"]);
    let (input, output) = (references(&instance, Causality::Input)[0], references(&instance, Causality::Output)[0]);
    let parameter = |name: &str| {
        let mut all = instance.variables().with(Causality::Parameter);
        all.find(|(_, own)| own.name == name).map(|(reference, own)| (reference, own.start)).unwrap()
    };
    let (tunable, start) = parameter("parameters.m_body");
    let unknown = instance.variables().all().len() as u32;
    for version in VERSIONS {
        let unit = Unit::new(&library, version, folder.path(), instance.contents().token());
        let refused = |status: i32, words: &str| {
            assert_eq!(status, ERROR, "{words}");
            assert!(unit.told().contains(words), "{} does not say {words}", unit.told());
        };
        refused(unit.step(0.0, STEP), "not allowed before the initialization");
        refused(unit.plain("ExitInitializationMode"), "not allowed");
        refused(unit.plain("Terminate"), "not allowed");
        assert_eq!((unit.enter(1.0), unit.plain("ExitInitializationMode")), (OK, OK), "{}", unit.told());
        let expected = go(&unit, &instance, 0);
        let mut value = [0.0];
        refused(unit.get(&[unknown], value.as_mut_ptr()), "no real variable");
        refused(unit.get(&[output], std::ptr::null_mut()), "NULL");
        refused(unit.set(output, 1.0), "it is an output");
        assert_eq!(unit.set(tunable, start), OK, "{}", unit.told());
        refused(unit.set(tunable, -1.0), "goes on with those that it had");
        refused(unit.update().0, "made for co-simulation");
        refused(unit.set(input, f64::NAN), "cannot become NaN");
        refused(unit.set(input, f64::INFINITY), "cannot become inf");
        refused(unit.step(0.0, STEP), "steps begin where the last one ended");
        refused(unit.step(6.0 * STEP, -STEP), "a step above 0 s");
        refused(unit.step(f64::NAN, STEP), "finite times");
        refused(unit.step(6.0 * STEP, 2.0), "end at the stop time");
        refused(unit.restore(std::ptr::null_mut()), "NULL");
        refused(unit.enter(1.0), "not allowed between steps");
        let on = go(&unit, &instance, 6);
        let other = Unit::new(&library, version, folder.path(), instance.contents().token());
        assert_eq!((other.enter(1.0), other.plain("ExitInitializationMode")), (OK, OK));
        assert!(go(&other, &instance, 0) == expected && go(&other, &instance, 6) == on);
        let stranger = Unit::new(&library, version, folder.path(), "{another}");
        assert!(stranger.is_null() && stranger.told().contains("export again"), "{}", stranger.told());
        // Calls on what could not be instantiated.
        assert_eq!((stranger.plain("Terminate"), stranger.step(0.0, STEP)), (ERROR, ERROR));
        let nowhere = Unit::new(&library, version, &folder.path().join("none"), "");
        assert!(nowhere.is_null() && nowhere.told().contains("unpack the unit"), "{}", nowhere.told());
    }
}

#[test]
fn instances_on_threads_do_not_know_each_other() {
    let library = library();
    let (folder, instance) = resources(&["bouncing-ball.toml"]);
    let token = instance.contents().token();
    let run = |version: u32| {
        let unit = Unit::new(&library, version, folder.path(), token);
        assert_eq!((unit.enter(1.0), unit.plain("ExitInitializationMode")), (OK, OK), "{}", unit.told());
        go(&unit, &open(folder.path()), 0)
    };
    let alone = run(3);
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|k| scope.spawn(move || run(2 + k % 2))).collect();
        assert!(threads.into_iter().all(|thread| thread.join().unwrap() == alone));
    });
}
