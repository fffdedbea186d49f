//! Units of the Functional Mock-up Interface: instances against runs, and the archive.

use crate::fmi_instances::{begun, initialized, instance, outputs, reference, written};
use crate::running::{model, run_file};
use fourbar::fmi::description::description;
use fourbar::fmi::{Causality, Export, FmiVersion, Instance, Interfaces, LIBRARY_MARK, LibraryFile};
use fourbar::run::Overrides;
use std::path::PathBuf;

#[test]
fn steps_from_output_to_output_give_the_numbers_of_a_run() {
    for (name, end) in
        [("pendulum.toml", 0.05), ("bouncing-ball.toml", 0.5), ("servo.toml", 0.04), ("press.toml", 6e-3)]
    {
        let file = model(name);
        let (_, table) = run_file(&file, &Overrides { end: Some(end), ..Overrides::default() });
        let mut instance = begun(&file, end);
        for (k, &time) in table.times().iter().enumerate() {
            if k > 0 {
                let from = instance.time();
                instance.step(from, time - from).unwrap();
            }
            for (column, value) in outputs(&mut instance).into_iter().enumerate() {
                let expected = table.series(column).nth(k).unwrap();
                assert!(
                    (value - expected).abs() <= 1e-12 * expected.abs().max(1.0),
                    "{name} t = {time}: {value} {expected}"
                );
            }
        }
    }
}

/// m x'' = u, whose solution for a ramp that begins between two steps is known.
const CART: &str = r#"
name = "cart"
[simulation]
end = 2
output_step = 0.1
tolerance = 1e-9
[parameters]
mass = 2
twice = "2*mass"
[[body]]
name = "cart"
mass = "mass"
inertia = [1, 1, 1]
[[joint]]
name = "rail"
type = "prismatic"
i = "cart"
j = "ground"
[[input]]
name = "push"
unit = "N"
[[force]]
name = "push"
type = "force"
i = "cart"
value = [0, 0, "push"]
[[measure]]
name = "x"
type = "position"
i = "cart"
component = "z"
"#;

#[test]
fn inputs_act_from_the_communication_point_on_with_their_derivatives() {
    let folder = tempfile::tempdir().unwrap();
    let mut instance = begun(&written(&folder, "cart.toml", CART), 2.0);
    let (push, x) = (reference(&instance, "push"), reference(&instance, "x"));
    instance.step(0.0, 0.35).unwrap();
    // 3 + 4 s over 0.5 s, then held at 5.
    instance.set(push, 3.0).unwrap();
    instance.set_derivative(push, 1, 4.0).unwrap();
    instance.step(0.35, 0.5).unwrap();
    assert_eq!(instance.get(push).unwrap(), 5.0);
    let (mass, s) = (2.0, 0.5);
    let ramp = (3.0 * s * s / 2.0 + 4.0 * s * s * s / 6.0) / mass;
    let x1 = instance.get(x).unwrap();
    assert!((x1 - ramp).abs() < 1e-7, "{x1} {ramp}");
    instance.step(0.85, 0.15).unwrap();
    let speed = (3.0 * s + 4.0 * s * s / 2.0) / mass;
    let held = ramp + speed * 0.15 + 5.0 * 0.15 * 0.15 / 2.0 / mass;
    let x2 = instance.get(x).unwrap();
    assert!((x2 - held).abs() < 1e-7, "{x2} {held}");
    // The position does not follow the force at once.
    assert!(instance.directional_derivative(&[x], &[push], &[1.0]).unwrap()[0].abs() < 1e-9);
}

#[test]
fn parameters_are_set_until_the_initialization_ends_and_others_follow() {
    let folder = tempfile::tempdir().unwrap();
    let mut instance = instance(&written(&folder, "cart.toml", CART));
    let (mass, twice) = (reference(&instance, "parameters.mass"), reference(&instance, "parameters.twice"));
    let (push, x) = (reference(&instance, "push"), reference(&instance, "x"));
    assert_eq!(instance.variables().get(twice).unwrap().causality, Causality::CalculatedParameter);
    instance.set(mass, 4.0).unwrap();
    assert_eq!((instance.get(mass).unwrap(), instance.get(twice).unwrap()), (4.0, 8.0));
    assert!(instance.set(twice, 1.0).unwrap_err().to_string().contains("follows from other parameters"));
    instance.set(push, 8.0).unwrap();
    instance.set_up(0.0, Some(2.0), None).unwrap();
    instance.enter_initialization().unwrap();
    instance.exit_initialization().unwrap();
    instance.step(0.0, 1.0).unwrap();
    let value = instance.get(x).unwrap();
    assert!((value - 1.0).abs() < 1e-7, "{value}");
    instance.reset();
    assert_eq!((instance.get(mass).unwrap(), instance.get(push).unwrap()), (2.0, 0.0));
    // A mass with which nothing can be simulated is refused when it counts, and the instance can be reset.
    instance.set(mass, -1.0).unwrap();
    instance.enter_initialization().unwrap();
    assert!(instance.exit_initialization().unwrap_err().to_string().contains("mass"));
    instance.reset();
    instance.enter_initialization().unwrap();
    instance.exit_initialization().unwrap();
}

#[test]
fn a_sensor_ends_the_simulation_before_the_step_does() {
    let folder = tempfile::tempdir().unwrap();
    let sensor = "[[sensor]]\nname = \"wall\"\nexpression = \"x\"\nvalue = 0.25\nstop = true\n";
    let mut instance = begun(&written(&folder, "cart.toml", &(CART.to_owned() + sensor)), 2.0);
    assert!(instance.capabilities().ends_early && !instance.capabilities().serialized_state);
    let push = reference(&instance, "push");
    instance.set(push, 4.0).unwrap();
    let reached = instance.step(0.0, 2.0).unwrap();
    assert_eq!(reached.ended_by.as_deref(), Some("wall"));
    // x = t^2.
    assert!((reached.time - 0.5).abs() < 1e-6, "{}", reached.time);
    assert!(instance.step(reached.time, 0.1).unwrap_err().to_string().contains("the model has ended"));
}

#[test]
fn a_tolerance_of_the_importer_is_that_of_the_integrator_where_there_is_one() {
    for (name, has_one) in [("pendulum.toml", true), ("winch.toml", true), ("servo.toml", false), ("tower.toml", false)]
    {
        let run = |tolerance| {
            let mut instance = initialized(instance(&model(name)), Some(1.0), tolerance);
            instance.step(0.0, 0.02).unwrap();
            outputs(&mut instance)
        };
        assert_eq!(run(None) != run(Some(1e-3)), has_one, "{name}");
    }
}

#[test]
fn descriptions_name_variables_units_and_dependencies() {
    let instance = instance(&model("hydraulic-axis.toml"));
    let text = description(&instance, FmiVersion::V2, "axis");
    assert!(text.contains("<Unit name=\"Pa\">") && text.contains("<BaseUnit kg=\"1\" m=\"-1\" s=\"-2\"/>"), "{text}");
    assert!(text.contains(&format!("guid=\"{}\"", instance.contents().token())));
    let text = description(&instance, FmiVersion::V3, "axis");
    assert!(text.contains("causality=\"input\"") && text.contains("<InitialUnknown valueReference="), "{text}");
}

/// The dependencies of a variable in a list of the model structure.
fn dependencies<'a>(text: &'a str, element: &str, reference: u32) -> &'a str {
    let start = format!("<{element} valueReference=\"{reference}\"");
    let line = text.lines().find(|line| line.trim_start().starts_with(&start)).unwrap_or_default();
    line.split_once("dependencies=\"").and_then(|(_, rest)| rest.split_once('"')).map_or("all", |(own, _)| own)
}

#[test]
fn positions_depend_on_no_force_and_accelerations_do() {
    let folder = tempfile::tempdir().unwrap();
    let file = written(
        &folder,
        "mass.toml",
        "name = \"A mass, 2 kg\"\n[simulation]\nend = 1\ntolerance = 1e-7\n[parameters]\nm = 2\n[[body]]\nname = \"b\"\nmass = \"m\"\ninertia = [1, 1, 1]\n[[input]]\nname = \"f\"\nvalue = 6\n[[force]]\ntype = \"force\"\nname = \"F\"\ni = \"b\"\nvalue = [\"f\", 0, 0]\n[[measure]]\nname = \"x\"\ntype = \"position\"\ni = \"b\"\ncomponent = \"x\"\n[[measure]]\nname = \"a\"\ntype = \"acceleration\"\ni = \"b\"\ncomponent = \"x\"\n",
    );
    let stepped = description(&instance(&file), FmiVersion::V3, "mass");
    // References: 0 the time, 1 the input, 2 x, 3 a, 4 m; then twelve states and their derivatives.
    assert_eq!((dependencies(&stepped, "Output", 2), dependencies(&stepped, "Output", 3)), ("", "1"));
    assert_eq!(
        (dependencies(&stepped, "InitialUnknown", 2), dependencies(&stepped, "InitialUnknown", 3)),
        ("4", "1 4")
    );
    assert!(
        stepped.contains("modelName=\"A_mass__2_kg\"") && stepped.contains("description=\"A mass, 2 kg\""),
        "{stepped}"
    );
    assert!(stepped.contains("tolerance=\"1e-7\"") || stepped.contains("tolerance=\"1e-07\""), "{stepped}");
    let both = Export::with(&file, FmiVersion::V3, Interfaces::Both).unwrap();
    let both = description(both.instance(), FmiVersion::V3, "mass");
    let states = (5..17).map(|k| k.to_string()).collect::<Vec<_>>().join(" ");
    assert_eq!(dependencies(&both, "Output", 2), states);
    assert_eq!(dependencies(&both, "Output", 3), format!("1 {states}"));
    // The position follows the velocity, which follows the force.
    assert_eq!(dependencies(&both, "ContinuousStateDerivative", 17), states);
    assert_eq!(dependencies(&both, "ContinuousStateDerivative", 23), format!("1 {states}"));
    assert_eq!((dependencies(&both, "InitialUnknown", 5), dependencies(&both, "InitialUnknown", 23)), ("4", "1 4"));
}

/// Units that begin elsewhere than at 0, before it and after it: what the time says counts from there.
#[test]
fn units_of_every_kind_begin_at_any_time() {
    let folder = tempfile::tempdir().unwrap();
    let mechanism = "gravity = [0, 0, 0]\n[simulation]\nend = 1\ntolerance = 1e-10\n[[body]]\nname = \"b\"\nmass = 2\ninertia = [1, 1, 1]\n[[force]]\ntype = \"force\"\nname = \"F\"\ni = \"b\"\nvalue = [\"12*time\", 0, 0]\n[[measure]]\nname = \"x\"\ntype = \"position\"\ni = \"b\"\ncomponent = \"x\"\n";
    let linear = "type = \"linear\"\n[simulation]\nend = 1\n[state_space]\na = [[0]]\nb = [[1]]\nc = [[1]]\n[[input]]\nname = \"u\"\ntype = \"expression\"\nvalue = \"3*time^2\"\n[[output]]\nname = \"y\"\n";
    for begin in [5.0, -2.0] {
        // x'' = 6 t from rest at `begin`; y' = 3 t^2 from 0.
        let end: f64 = begin + 0.5;
        let moved = end.powi(3) - begin.powi(3) - 3.0 * begin * begin * 0.5;
        for (name, text, expected) in [("m.toml", mechanism, moved), ("l.toml", linear, end.powi(3) - begin.powi(3))] {
            let mut unit = instance(&written(&folder, name, text));
            unit.set_up(begin, Some(begin + 1.0), None).unwrap();
            unit.enter_initialization().unwrap();
            assert_eq!((unit.get(0).unwrap(), outputs(&mut unit)[0]), (begin, 0.0));
            unit.exit_initialization().unwrap();
            unit.step(begin, 0.5).unwrap();
            let value = outputs(&mut unit)[0];
            assert!(
                (value - expected).abs() < 1e-7 * expected.abs().max(1.0),
                "{name} from {begin}: {value} {expected}"
            );
        }
    }
    let refused =
        instance(&written(&folder, "m.toml", mechanism)).set_up(2.0, Some(1.0), None).unwrap_err().to_string();
    assert!(refused.contains("stop behind the start"), "{refused}");
}

#[test]
fn archives_hold_what_the_model_names_and_are_the_same_each_time() {
    let folder = tempfile::tempdir().unwrap();
    let library: PathBuf = folder.path().join("library.so");
    std::fs::write(&library, "no library").unwrap();
    let refused = LibraryFile::at(&library).unwrap_err().to_string();
    assert!(refused.contains("cargo build --release -p fourbar-capi"), "{refused}");
    std::fs::write(&library, "...fmi3InstantiateCoSimulation...").unwrap();
    let refused = LibraryFile::at(&library).unwrap_err().to_string();
    assert!(refused.contains("of another version"), "{refused}");
    std::fs::write(&library, format!("...fmi3InstantiateCoSimulation...{LIBRARY_MARK}...")).unwrap();
    let library = LibraryFile::at(&library).unwrap();
    let write = |version| {
        let mut archive = std::io::Cursor::new(Vec::new());
        Export::new(&model("press.toml"), version).unwrap().write(&library, &mut archive).unwrap();
        archive.into_inner()
    };
    let bytes = write(FmiVersion::V2);
    assert!(bytes == write(FmiVersion::V2) && bytes != write(FmiVersion::V3));
    for name in ["modelDescription.xml", "resources/model/hydraulic-axis.toml", "resources/model/press.toml"] {
        assert!(bytes.windows(name.len()).any(|window| window == name.as_bytes()), "{name}");
    }
}

/// The state of a coupled model is that of each simulator: who returns to it, here or in another instance, goes on with the same bits.
#[test]
fn a_coupled_model_returns_to_its_state_without_doing_all_again() {
    let (file, h) = (model("press.toml"), 5e-4);
    let mut one = begun(&file, 1.0);
    assert!(one.capabilities().state && one.capabilities().serialized_state);
    let go = |instance: &mut Instance, steps: usize| {
        let step = |_| {
            let from = instance.time();
            instance.step(from, h).unwrap();
            outputs(instance)
        };
        (0..steps).map(step).collect::<Vec<_>>()
    };
    go(&mut one, 20);
    let state = one.save().unwrap();
    let expected = go(&mut one, 20);
    one.restore(&state).unwrap();
    assert_eq!(go(&mut one, 20), expected);
    let bytes = one.state_to_bytes(&state).unwrap();
    let mut other = begun(&file, 1.0);
    let read = other.state_from_bytes(&bytes).unwrap();
    other.restore(&read).unwrap();
    assert_eq!(go(&mut other, 20), expected);
}
