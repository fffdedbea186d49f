//! Every unit that fourbar gives to an input or an output is one that connections know.

use crate::coupled::running::root;
use fourbar::coupled::CoupledSettings;
use fourbar::file::ModelFile;
use fourbar::linalg::unit::Unit;
use fourbar::run::{Overrides, Run};

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
        // Sparse systems cannot be coupled, nor can mechanisms with sensors.
        if ["heat.toml", "clutch.toml"].contains(&file.as_str()) {
            continue;
        }
        if ["mechanism", "circuit", "linear"].contains(&model.document().kind()) {
            let found = units(&format!("[[simulator]]\nname = \"one\"\nfile = \"{file}\"\n"));
            count += found.len();
        }
    }
    assert!(count > 50, "{count}");
}

/// Every way to write a unit, by the SI unit that measures the same, with what one of it is there.
const SPELLINGS: [(&str, f64, &[&str]); 14] = [
    (
        "N m",
        1.0,
        &["N m", "N*m", "N.m", "N\u{b7}m", "N\u{22c5}m", "N * m", "Nm", "J", "kg m^2/s^2", "kg.m2.s-2", "(N m)", "W s"],
    ),
    ("N m", 1e3, &["kN m", "kN*m", "kNm", "N km", "MPa.l"]),
    ("Pa", 1e5, &["bar", "dN/mm^2"]),
    ("Pa", 1e6, &["MPa", "N/mm^2", "N/mm2", "N mm^-2", "N/(mm mm)"]),
    ("m", 1e-3, &["mm"]),
    ("m/s", 1e-3, &["mm/s", "mm s^-1", "mm\u{b7}s\u{207b}\u{b9}", "mm/(s)"]),
    ("rad", std::f64::consts::PI / 180.0, &["deg", "\u{b0}"]),
    ("rad/s", std::f64::consts::PI / 30.0, &["rpm", "rev/min", "rev min^-1"]),
    ("rad/s", std::f64::consts::PI / 180.0, &["deg/s", "deg*s^-1"]),
    ("m^3/s", 1.0 / 60_000.0, &["l/min", "L/min", "l min^-1", "dm^3/min"]),
    ("N m s/rad", 1.0, &["N m/(rad/s)", "N*m*s/rad", "(N.m)/(rad/s)"]),
    ("", 0.01, &["%"]),
    ("", 1.0, &["", "1", "m/m"]),
    ("kg/m^3", 1e3, &["kg/l", "g/cm^3", "g cm-3"]),
];

/// A number 1 in the unit `si` that goes through an input and an output in `unit` of each kind of model and comes back.
fn through_each_kind(si: &str, unit: &str) -> String {
    format!(
        r#"
type = "coupled"
[simulation]
end = 3
step = 1
[[simulator]]
name = "source"
[simulator.equations]
output = [{{ name = "y", unit = "{si}", value = "1" }}]
[[simulator]]
name = "mechanism"
[simulator.model]
type = "mechanism"
[[simulator.model.body]]
name = "b"
mass = 1
inertia = [1, 1, 1]
[[simulator.model.input]]
name = "u"
unit = "{unit}"
[[simulator.model.measure]]
name = "y"
type = "expression"
expression = "u"
unit = "{unit}"
[[simulator]]
name = "circuit"
[simulator.model]
type = "circuit"
input = [{{ name = "u", unit = "{unit}" }}]
node = [{{ name = "held", type = "pressure", pressure = "u" }}, {{ name = "n", type = "volume", volume = 1 }}]
component = [{{ name = "r", type = "orifice", from = "held", to = "n", area = 1e-8 }}]
[[simulator]]
name = "linear"
[simulator.model]
type = "linear"
state_space = {{ a = [[-1]], b = [[1]] }}
input = [{{ name = "u", type = "external", unit = "{unit}" }}]
output = [{{ name = "x" }}, {{ name = "y", from = "u", unit = "{unit}" }}]
[simulator.model.simulation]
step = 1
[[simulator]]
name = "equations"
[simulator.equations]
input = [{{ name = "u", unit = "{unit}" }}]
output = [{{ name = "y", unit = "{unit}", value = "u" }}]
[[simulator]]
name = "sink"
[simulator.equations]
input = [{{ name = "mechanism", unit = "{si}" }}, {{ name = "linear", unit = "{si}" }}, {{ name = "equations", unit = "{si}" }}]
output = [{{ name = "m", value = "mechanism" }}, {{ name = "l", value = "linear" }}, {{ name = "e", value = "equations" }}]
"#
    ) + &["mechanism", "circuit", "linear", "equations"]
        .map(|kind| format!("[[connection]]\nfrom = \"source.y\"\nto = \"{kind}.u\"\n"))
        .concat()
        + &["mechanism", "linear", "equations"]
            .map(|kind| format!("[[connection]]\nfrom = \"{kind}.y\"\nto = \"sink.{kind}\"\n"))
            .concat()
}

#[test]
fn every_spelling_means_the_same_in_every_kind_of_model() {
    for (si, factor, spellings) in SPELLINGS {
        for unit in spellings {
            let text = through_each_kind(si, unit);
            let file = ModelFile::parse("units.toml".to_owned(), &text).unwrap_or_else(|error| panic!("{error}"));
            let model = file.document().coupled().unwrap();
            let master = model.master(&CoupledSettings::default());
            let mut master = master.unwrap_or_else(|error| panic!("\"{unit}\": {}", file.explain(error)));
            for name in
                ["mechanism.u", "mechanism.y", "circuit.u", "linear.u", "linear.y", "equations.u", "equations.y"]
            {
                assert_eq!(master.unit(name).unwrap(), *unit, "as written");
            }
            master.run(&mut ()).unwrap();
            for back in ["sink.m", "sink.l", "sink.e"] {
                let value = master.output(back).unwrap();
                assert!((value - 1.0).abs() < 1e-12, "\"{unit}\", {back}: {value}");
            }
            let held = master.output("circuit.held.pressure").unwrap();
            assert!((held * factor - 1.0).abs() < 1e-12, "\"{unit}\": {held}");
        }
    }
}

/// One wrong unit of a file is refused where it stands, with the nearest right one.
#[test]
fn an_unknown_unit_is_refused_in_every_kind_of_model_run_alone_or_coupled() {
    let alone = [
        (
            "type = \"mechanism\"\n[simulation]\nend = 1\n[[input]]\nname = \"u\"\nunit = \"KN\"\n[[body]]\nname = \"b\"\nmass = 1\ninertia = [1, 1, 1]\n",
            6,
            "input \"u\"",
        ),
        (
            "type = \"mechanism\"\n[simulation]\nend = 1\n[[measure]]\nname = \"y\"\ntype = \"expression\"\nexpression = \"1\"\nunit = \"KN\"\n[[body]]\nname = \"b\"\nmass = 1\ninertia = [1, 1, 1]\n",
            8,
            "measure \"y\"",
        ),
        (
            "type = \"circuit\"\n[simulation]\nend = 1\n[[input]]\nname = \"u\"\nunit = \"KN\"\n[[node]]\nname = \"n\"\ntype = \"tank\"\n",
            6,
            "input \"u\"",
        ),
        (
            "type = \"linear\"\n[simulation]\nend = 1\n[state_space]\na = [[-1]]\nb = [[1]]\n[[input]]\nname = \"u\"\ntype = \"external\"\nunit = \"KN\"\n[[output]]\nname = \"x\"\n",
            10,
            "input \"u\"",
        ),
        (
            "type = \"linear\"\n[simulation]\nend = 1\n[state_space]\na = [[-1]]\n[[output]]\nname = \"x\"\nunit = \"KN\"\n",
            8,
            "output \"x\"",
        ),
        (
            "type = \"coupled\"\n[simulation]\nend = 1\nstep = 1\n[[simulator]]\nname = \"s\"\n[simulator.equations]\noutput = [{ name = \"y\", value = \"1\", unit = \"KN\" }]\n",
            8,
            "output \"y\"",
        ),
        (
            "type = \"coupled\"\n[simulation]\nend = 1\nstep = 1\n[[simulator]]\nname = \"s\"\n[simulator.equations]\ninput = [{ name = \"u\", unit = \"KN\" }]\n",
            8,
            "input \"u\"",
        ),
        (
            "type = \"coupled\"\n[simulation]\nend = 1\nstep = 1\n[[simulator]]\nname = \"s\"\n[simulator.model]\ntype = \"mechanism\"\n[[simulator.model.input]]\nname = \"u\"\nunit = \"KN\"\n[[simulator.model.body]]\nname = \"b\"\nmass = 1\ninertia = [1, 1, 1]\n",
            11,
            "input \"u\"",
        ),
    ];
    for (text, line, place) in alone {
        let file = ModelFile::parse("wrong.toml".to_owned(), text).unwrap_or_else(|error| panic!("{error}"));
        let error = Run::new(file.document(), &Overrides::default()).expect_err(text);
        let words = file.explain(error).to_string();
        let expected =
            [format!("wrong.toml:{line}:"), place.to_owned(), "\"KN\"".to_owned(), "did you mean \"kN\"".to_owned()];
        for part in expected {
            assert!(words.contains(&part), "{part} is not in: {words}");
        }
    }
}

/// Units of different things are not connected, in whichever kinds of models they stand.
#[test]
fn ends_of_other_dimensions_are_refused() {
    for (si, unit) in [("N", "N m"), ("rad/s", "Hz"), ("m", "deg"), ("Pa", ""), ("", "rad")] {
        let text = through_each_kind(si, unit);
        let file = ModelFile::parse("units.toml".to_owned(), &text).unwrap_or_else(|error| panic!("{error}"));
        let error = file.document().coupled().unwrap().master(&CoupledSettings::default()).err().unwrap();
        let words = file.explain(error).to_string();
        assert!(words.contains("which measures something else") && words.contains("units.toml:"), "{words}");
    }
}

/// A torque in any spelling drives a torque actuator, and its rate comes back in rpm.
#[test]
fn torque_actuators_are_coupled() {
    for unit in ["N m", "N*m", "N.m", "Nm", "kN mm"] {
        let text = format!(
            r#"
type = "coupled"
[simulation]
end = 1
step = 1e-2
[[simulator]]
name = "motor"
[simulator.equations]
input = [{{ name = "w", unit = "rpm" }}]
output = [{{ name = "T", unit = "{unit}", value = "1 - w*pi/30" }}, {{ name = "speed", unit = "rpm", value = "w" }}]
[[simulator]]
name = "arm"
[simulator.model]
type = "mechanism"
[[simulator.model.body]]
name = "b"
mass = 1
inertia = [1, 1, 1]
[[simulator.model.joint]]
name = "j"
type = "revolute"
i = "b"
j = "ground"
[[simulator.model.actuator]]
name = "d"
type = "torque"
i = "b"
j = "ground"
[[connection]]
from = "motor.T"
to = "arm.d.torque"
[[connection]]
from = "arm.d.rate"
to = "motor.w"
"#
        );
        let file = ModelFile::parse("torque.toml".to_owned(), &text).unwrap();
        let master = file.document().coupled().unwrap().master(&CoupledSettings::default());
        let mut master = master.unwrap_or_else(|error| panic!("{}", file.explain(error)));
        master.run(&mut ()).unwrap();
        // w' = 1 - w
        let speed = master.output("arm.d.rate").unwrap();
        assert!((speed - (1.0 - (-1f64).exp())).abs() < 1e-3, "{unit}: {speed}");
    }
}
