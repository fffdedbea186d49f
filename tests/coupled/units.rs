//! Every unit that fourbar gives to an input or an output is one that connections know.

use crate::running::root;
use fourbar::coupled::CoupledSettings;
use fourbar::coupling::unit::Unit;
use fourbar::file::ModelFile;

/// The units of all inputs and outputs of simulators; whoever cannot be set up is told.
fn units(simulators: &str) -> Vec<String> {
    let text = format!("type = \"coupled\"\n[simulation]\nend = 1\nstep = 1\n{simulators}");
    let name = root("models/test.toml").display().to_string();
    let file = ModelFile::parse(name, &text).unwrap_or_else(|error| panic!("{error}"));
    let model = file.document().coupled().unwrap();
    let master = model.master(&CoupledSettings::default());
    let master = master.unwrap_or_else(|error| panic!("{}", file.explain(error)));
    let names = [master.output_names(), master.input_names()].concat();
    names.iter().map(|name| master.unit(name).unwrap().to_owned()).collect()
}

/// All measures, actuators and contact quantities of a mechanism.
const MECHANISM: &str = r#"
[[simulator]]
name = "m"
[simulator.model]
type = "mechanism"
gravity = [0, 0, -9.81]
[[simulator.model.body]]
name = "b"
mass = 1
inertia = [1, 1, 1]
[[simulator.model.body]]
name = "c"
mass = 1
inertia = [1, 1, 1]
position = [5, 0, 1]
[[simulator.model.joint]]
name = "j"
type = "revolute"
i = "b"
j = "ground"
[[simulator.model.actuator]]
name = "turn"
type = "torque"
i = "b"
j = "ground"
[[simulator.model.actuator]]
name = "push"
i = { body = "c", position = [0.1, 0, 0] }
j = { body = "ground", position = [1, 0, 0] }
[[simulator.model.measure]]
name = "angle"
type = "angle"
i = "b"
j = "ground"
[[simulator.model.measure]]
name = "pull"
type = "reaction"
joint = "j"
quantity = "force"
[[simulator.model.measure]]
name = "bend"
type = "reaction"
joint = "j"
quantity = "torque"
[[simulator.model.measure]]
name = "energy"
type = "total_energy"
"#;

#[test]
fn what_mechanisms_print_is_known() {
    let mut simulators = MECHANISM.to_owned();
    for kind in ["position", "velocity", "acceleration", "angular_velocity", "angular_acceleration"] {
        simulators += &format!("[[simulator.model.measure]]\nname = \"{kind}\"\ntype = \"{kind}\"\ni = \"c\"\n");
    }
    let units = units(&simulators);
    for expected in ["N", "N m", "m", "m/s", "m/s^2", "rad", "rad/s", "rad/s^2", "J"] {
        assert!(units.iter().any(|unit| unit == expected), "{expected}: {units:?}");
    }
    for unit in ["N s", "N*s"] {
        assert_eq!(Unit::parse(unit), Unit::parse("kg m/s"));
    }
}

#[test]
fn what_the_models_print_is_known() {
    let mut count = 0;
    for entry in std::fs::read_dir(root("models")).unwrap() {
        let path = entry.unwrap().path();
        let file = path.file_name().unwrap().to_str().unwrap().to_owned();
        let Ok(model) = ModelFile::load(&path) else { continue };
        // Sparse systems cannot be coupled.
        if file == "heat.toml" {
            continue;
        }
        if ["mechanism", "circuit", "linear"].contains(&model.document().kind()) {
            let found = units(&format!("[[simulator]]\nname = \"one\"\nfile = \"{file}\"\n"));
            count += found.len();
        }
    }
    assert!(count > 50, "{count}");
}
