//! Residuals (FMI-LS-DAE) of exported mechanisms: solved by the importer of this project with the numbers of runs, and calls in wrong orders.

use super::unit::{ERROR, OK, Unit};
use super::{library, library_file, references, resources, resources_with};
use crate::compile::root;
use fourbar::coupling::partner::{Fmu, FmuInterfaceKind, FmuOptions};
use fourbar::coupling::{Causality as Way, Signal, Simulator};
use fourbar::file::ModelFile;
use fourbar::fmi::{Causality, Export, FmiVersion, Interfaces, LibraryFile};
use fourbar::results::Table;
use fourbar::run::{Overrides, Run};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

/// Of the importer and of the run.
const TOLERANCE: f64 = 1e-9;

/// A platform on two pairs of hinges whose planes are at right angles (Sarrus): it moves in space along z, and one of 30 rows is redundant.
const SARRUS: &str = r#"
name = "sarrus"
gravity = [0, 0, -9.81]
[parameters]
c = 0.24
h = 0.44
[simulation]
end = 0.5
output_step = 0.01
[[body]]
name = "platform"
mass = 2
inertia = [0.1, 0.1, 0.2]
position = [0, 0, "2*h"]
[[body]]
name = "lower a"
mass = 0.5
inertia = [0.02, 0.02, 0.01]
position = [1, 0, 0]
center_of_mass = ["c/2", 0, "h/2"]
[[body]]
name = "upper a"
mass = 0.5
inertia = [0.02, 0.02, 0.01]
position = ["1 + c", 0, "h"]
center_of_mass = ["-c/2", 0, "h/2"]
[[body]]
name = "lower b"
mass = 0.5
inertia = [0.02, 0.02, 0.01]
position = [0, 1, 0]
center_of_mass = [0, "c/2", "h/2"]
[[body]]
name = "upper b"
mass = 0.5
inertia = [0.02, 0.02, 0.01]
position = [0, "1 + c", "h"]
center_of_mass = [0, "-c/2", "h/2"]
[[joint]]
name = "a1"
type = "revolute"
i = { body = "lower a", orientation = { z_axis = [0, 1, 0] } }
j = { body = "ground", position = [1, 0, 0], orientation = { z_axis = [0, 1, 0] } }
[[joint]]
name = "a2"
type = "revolute"
i = { body = "upper a", orientation = { z_axis = [0, 1, 0] } }
j = { body = "lower a", position = ["c", 0, "h"], orientation = { z_axis = [0, 1, 0] } }
[[joint]]
name = "a3"
type = "revolute"
i = { body = "upper a", position = ["-c", 0, "h"], orientation = { z_axis = [0, 1, 0] } }
j = { body = "platform", position = [1, 0, 0], orientation = { z_axis = [0, 1, 0] } }
[[joint]]
name = "b1"
type = "revolute"
i = { body = "lower b", orientation = { z_axis = [1, 0, 0] } }
j = { body = "ground", position = [0, 1, 0], orientation = { z_axis = [1, 0, 0] } }
[[joint]]
name = "b2"
type = "revolute"
i = { body = "upper b", orientation = { z_axis = [1, 0, 0] } }
j = { body = "lower b", position = [0, "c", "h"], orientation = { z_axis = [1, 0, 0] } }
[[joint]]
name = "b3"
type = "revolute"
i = { body = "upper b", position = [0, "-c", "h"], orientation = { z_axis = [1, 0, 0] } }
j = { body = "platform", position = [0, 1, 0], orientation = { z_axis = [1, 0, 0] } }
[[force]]
name = "spring"
type = "spring_damper"
i = "platform"
j = "ground"
stiffness = 400
damping = 5
free_length = 0.85
[[measure]]
name = "height"
type = "position"
i = "platform"
component = "z"
[[measure]]
name = "lift"
type = "acceleration"
i = "platform"
component = "z"
[[measure]]
name = "spin"
type = "angular_velocity"
i = "lower a"
component = "y"
"#;

fn model(name: &str) -> ModelFile {
    ModelFile::load(root().join("models").join(name)).unwrap()
}

fn exported(folder: &Path, file: &ModelFile) -> PathBuf {
    let path = folder.join("unit.fmu");
    let export = Export::with(file, FmiVersion::V3, Interfaces::Dae).unwrap();
    if file.name().ends_with("sarrus.toml") {
        // Three a row that is kept, of 30 one less, and six accelerations a body.
        assert_eq!(references(export.instance(), Causality::Algebraic).len(), 3 * 29 + 6 * 5);
    }
    export.write(&LibraryFile::at(&library_file()).unwrap(), File::create(&path).unwrap()).unwrap();
    path
}

/// The largest difference of an output from a run, relative to its largest value.
fn worst(file: &ModelFile, interface: FmuInterfaceKind, end: f64) -> f64 {
    let overrides = Overrides { end: Some(end), tolerance: Some(TOLERANCE), ..Overrides::default() };
    let mut table = Table::default();
    let run = Run::new(file.document(), &overrides).unwrap();
    assert!(run.execute(&mut [&mut table], &AtomicBool::new(false)).unwrap().failure.is_none());
    let folder = tempfile::tempdir().unwrap();
    let path = exported(folder.path(), file);
    let tolerance = Some(TOLERANCE);
    let options = FmuOptions { name: "unit".into(), interface: Some(interface), tolerance, ..FmuOptions::default() };
    let mut unit = Fmu::open(&path, &options).unwrap();
    let described = unit.describe();
    let inputs: Vec<Signal> = described.with(Way::Input).map(|own| Signal::held(own.start)).collect();
    let outputs = described.with(Way::Output).count();
    let mut worst = 0.0_f64;
    let largest: Vec<f64> =
        (0..outputs).map(|k| table.series(k).fold(1e-6, |largest: f64, value| largest.max(value.abs()))).collect();
    for (row, times) in table.times().to_vec().windows(2).enumerate() {
        unit.set_inputs(&inputs).unwrap();
        unit.step(times[0], times[1] - times[0]).unwrap();
        let mut values = vec![0.0; outputs];
        unit.outputs(&mut values).unwrap();
        for (k, value) in values.into_iter().enumerate() {
            worst = worst.max((value - table.series(k).nth(row + 1).unwrap()).abs() / largest[k]);
        }
    }
    worst
}

#[test]
fn mechanisms_solved_by_their_residuals_have_the_numbers_of_runs() {
    let folder = tempfile::tempdir().unwrap();
    let spatial = folder.path().join("sarrus.toml");
    std::fs::write(&spatial, SARRUS).unwrap();
    let spatial = ModelFile::load(&spatial).unwrap();
    for (name, file, end) in [
        ("slider-crank", model("slider-crank.toml"), 0.02),
        ("four-bar", model("four-bar.toml"), 0.1),
        ("sarrus", spatial, 0.2),
    ] {
        let residuals = worst(&file, FmuInterfaceKind::Dae, end);
        let ordinary = worst(&file, FmuInterfaceKind::ModelExchange, end);
        println!("{name}: by residuals {residuals:.1e}, by ordinary equations {ordinary:.1e}");
        assert!(residuals < 1e-6 && ordinary < 1e-6, "{name}: {residuals:e} {ordinary:e}");
    }
}

#[test]
fn what_turns_residuals_on_is_set_in_the_configuration_mode_alone() {
    let library = library();
    let (folder, instance) = resources_with(&["four-bar.toml"], "dae");
    let token = instance.contents().token();
    let switch = instance.variables().switch().unwrap();
    let (algebraic, residuals) =
        (references(&instance, Causality::Algebraic), references(&instance, Causality::Residual));
    let unit = Unit::with(&library, 3, folder.path(), token, true);
    let refused = |unit: &Unit<'_>, status: i32, words: &str| {
        assert_eq!(status, ERROR, "{words}");
        assert!(unit.told().contains(words), "{} does not say {words}", unit.told());
    };
    refused(&unit, unit.set_truth(switch, true), "set it in the configuration mode");
    refused(&unit, unit.plain("ExitConfigurationMode"), "allowed after its begin");
    assert_eq!(unit.plain("EnterConfigurationMode"), OK, "{}", unit.told());
    refused(&unit, unit.enter(1.0), "in the configuration mode");
    refused(&unit, unit.set(algebraic[0], 0.0), "structural parameters alone");
    refused(&unit, unit.set_truth(algebraic[0], true), "no Boolean variable");
    refused(&unit, unit.set(switch, 1.0), "no real variable");
    assert_eq!((unit.set_truth(switch, true), unit.truth(switch)), (OK, (OK, true)), "{}", unit.told());
    assert_eq!(unit.plain("ExitConfigurationMode"), OK, "{}", unit.told());
    // A guess before the start is taken, and the unit knows better.
    assert_eq!((unit.set(algebraic[0], 5.0), unit.enter(1.0)), (OK, OK), "{}", unit.told());
    refused(&unit, unit.plain("EnterConfigurationMode"), "not allowed during the initialization");
    assert_eq!((unit.plain("ExitInitializationMode"), unit.update().0), (OK, OK), "{}", unit.told());
    assert_eq!(unit.plain("EnterContinuousTimeMode"), OK, "{}", unit.told());
    let read = |references: &[u32]| {
        let mut values = vec![f64::NAN; references.len()];
        assert_eq!(unit.get(references, values.as_mut_ptr()), OK, "{}", unit.told());
        values
    };
    assert_eq!(read(&algebraic)[0], 0.0);
    let left = read(&residuals).iter().fold(0.0_f64, |left, value| left.max(value.abs()));
    assert!(left < 1e-9, "{left}");
    // An acceleration that is off shows in the balances and in the derivative of its velocity.
    let last = algebraic.len() - 1;
    let value = read(&algebraic)[last] + 1.0;
    assert_eq!((unit.set(algebraic[last], value), unit.set(algebraic[last], f64::NAN)), (OK, ERROR));
    assert!(read(&algebraic)[last] == value && read(&residuals).iter().any(|value| value.abs() > 0.1));
    refused(&unit, unit.set(residuals[0], 0.0), "it follows from the equations");
    // The state keeps algebraic variables, and what they are.
    let (state, kept) = (unit.save(), read(&residuals));
    let bytes = unit.bytes(state);
    assert_eq!((unit.set(algebraic[last], 0.0), unit.restore(state)), (OK, OK), "{}", unit.told());
    assert!(read(&residuals) == kept);
    let other = Unit::with(&library, 3, folder.path(), token, true);
    let loaded = other.state_of(&bytes).unwrap();
    assert_eq!(other.restore(loaded), OK, "{}", other.told());
    let mut found = vec![f64::NAN; residuals.len()];
    assert_eq!(other.get(&residuals, found.as_mut_ptr()), OK, "{}", other.told());
    assert!(found == kept && other.truth(switch) == (OK, true));
    unit.free_state(state);
    other.free_state(loaded);
    // A reset turns them off.
    assert_eq!((unit.plain("Reset"), unit.truth(switch)), (OK, (OK, false)));
    // In co-simulation nothing is solved by the importer.
    let stepped = Unit::new(&library, 3, folder.path(), token);
    assert_eq!(stepped.plain("EnterConfigurationMode"), OK, "{}", stepped.told());
    refused(&stepped, stepped.set_truth(switch, true), "made for co-simulation");
}

#[test]
fn units_without_residuals_have_no_configuration_mode() {
    let library = library();
    let (folder, instance) = resources(&["four-bar.toml"]);
    let unit = Unit::new(&library, 3, folder.path(), instance.contents().token());
    assert_eq!(unit.plain("EnterConfigurationMode"), ERROR);
    assert!(unit.told().contains("export it with `--interface dae`"), "{}", unit.told());
    assert_eq!(unit.truth(0).0, ERROR);
    assert!(unit.told().contains("no Boolean variable"), "{}", unit.told());
}
