//! Parameters of simulators set while a coupled run goes on, kind by kind.

use crate::coupled::running::root;
use fourbar::coupled::CoupledSettings;
use fourbar::coupling::{Checkpoint, Error, Master, ParameterRefusal};
use fourbar::file::ModelFile;

fn master(text: &str) -> Master {
    let file = ModelFile::parse("case.toml", text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let master = file.document().coupled().unwrap().master(&CoupledSettings::default());
    master.unwrap_or_else(|error| panic!("{}\n{text}", file.explain(error)))
}

fn steps(master: &mut Master, count: usize) {
    (0..count).for_each(|_| {
        master.step(&mut ()).unwrap();
    });
}

fn coupled(simulators: &str) -> String {
    format!("type = \"coupled\"\n[simulation]\nend = 2\nstep = 0.125\nalgorithm = \"jacobi\"\n{simulators}")
}

/// x' = -rate x, from 3.
const EQUATIONS: &str = "[[simulator]]\nname = \"e\"\n[simulator.equations]\nparameters = { rate = 1, twice = \"2*rate\", x0 = 3 }\n\
    state = [{ name = \"x\", start = \"x0\", rate = \"-rate*x\" }]\noutput = [{ name = \"x\", value = \"x\" }]\n";
/// Likewise.
const LINEAR: &str = "[[simulator]]\nname = \"l\"\n[simulator.model]\ntype = \"linear\"\nparameters = { rate = 1 }\n\
    [simulator.model.state_space]\na = [[\"-rate\"]]\ninitial = [3]\n[[simulator.model.output]]\nname = \"x\"\n";
/// m x'' = force, from rest.
const CART: &str = "[[simulator]]\nname = \"m\"\n[simulator.model]\nparameters = { mass = 2, force = 4, place = 0.5 }\n\
    [[simulator.model.body]]\nname = \"cart\"\nmass = \"mass\"\ninertia = [1, 1, 1]\nposition = [0, 0, \"place\"]\n\
    [[simulator.model.joint]]\nname = \"rail\"\ntype = \"prismatic\"\ni = \"cart\"\nj = \"ground\"\n\
    [[simulator.model.force]]\nname = \"push\"\ntype = \"force\"\ni = \"cart\"\nvalue = [0, 0, \"force\"]\n\
    [[simulator.model.measure]]\nname = \"x\"\ntype = \"position\"\ni = \"cart\"\ncomponent = \"z\"\n";
const FLOOR: &str = "[[simulator.model.contact]]\nname = \"stop\"\ntype = \"sphere_plane\"\ni = \"cart\"\nradius = 0.1\nj = \"ground\"\n\
    restitution = 0.5\n";

#[test]
fn equations_and_linear_systems_go_on_from_their_states() {
    let mut master = master(&coupled(&[EQUATIONS, LINEAR].concat()));
    let told: Vec<(String, f64, bool)> =
        master.parameters().into_iter().map(|own| (own.name, own.value, own.is_tunable)).collect();
    let expected = [("e.rate", 1.0, true), ("e.twice", 2.0, false), ("e.x0", 3.0, false), ("l.rate", 1.0, true)];
    assert_eq!(told, expected.map(|(name, value, tunable)| (name.to_owned(), value, tunable)));
    steps(&mut master, 4);
    master.set_parameters(&[("e.rate", 4.0), ("l.rate", 4.0)]).unwrap();
    assert_eq!(master.parameters()[1].value, 8.0);
    steps(&mut master, 2);
    let expected = 3.0 * (-0.5_f64 - 4.0 * 0.25).exp();
    for name in ["e.x", "l.x"] {
        let value = master.output(name).unwrap();
        assert!((value - expected).abs() < 1e-8, "{name}: {value} is not {expected}");
    }
    for fixed in ["e.x0", "e.twice"] {
        let error = master.set_parameter(fixed, 1.0).unwrap_err();
        assert!(matches!(error, Error::Parameter { reason: ParameterRefusal::Fixed, .. }), "{error}");
    }
}

#[test]
fn mechanisms_keep_places_and_velocities_with_contacts_or_without() {
    for (what, model) in [
        ("free", coupled(CART)),
        // By itself it is stepped as a run of its own, beside another one as a partner.
        ("contact alone", coupled(&[CART, FLOOR].concat())),
        ("contact", coupled(&[CART, FLOOR, EQUATIONS].concat())),
    ] {
        let mut master = master(&model);
        steps(&mut master, 4);
        let names: Vec<String> =
            master.parameters().into_iter().filter(|own| own.is_tunable).map(|own| own.name).collect();
        assert!(names.starts_with(&["m.force".to_owned(), "m.mass".to_owned()]), "{what}: {names:?}");
        let x = master.output("m.x").unwrap();
        master.set_parameters(&[("m.mass", 4.0), ("m.force", -6.0)]).unwrap();
        steps(&mut master, 4);
        let (a, b) = (4.0 / 2.0, -6.0 / 4.0);
        let expected = x + a * 0.5 * 0.5 + b * 0.5 * 0.5 / 2.0;
        let value = master.output("m.x").unwrap();
        assert!((value - expected).abs() < 1e-6, "{what}: {value} is not {expected}");
        let text = master.set_parameter("m.mass", -1.0).unwrap_err().to_string();
        assert!(text.contains("mass") && text.contains("goes on with the value"), "{what}: {text}");
        steps(&mut master, 1);
    }
}

#[test]
fn a_circuit_keeps_its_pressures() {
    let file = root("models/hydraulic-axis.toml");
    let mut master = master(&coupled(&format!("[[simulator]]\nname = \"c\"\nfile = '{}'\n", file.display())));
    steps(&mut master, 1);
    let names = master.output_names();
    let pressures: Vec<&String> = names.iter().filter(|name| name.ends_with(".pressure")).collect();
    let of = |master: &Master| -> Vec<f64> { pressures.iter().map(|name| master.output(name).unwrap()).collect() };
    let mut point = Checkpoint::default();
    master.save(&mut point).unwrap();
    steps(&mut master, 1);
    let as_it_was = of(&master);
    master.restore(&mut point).unwrap();
    let leakage = master.parameters().into_iter().find(|own| own.name == "c.leakage").unwrap();
    assert!(leakage.is_tunable);
    // The same value once more is another begin of the method, and nothing else.
    master.set_parameter("c.leakage", leakage.value).unwrap();
    steps(&mut master, 1);
    for (value, other) in of(&master).iter().zip(&as_it_was) {
        assert!((value - other).abs() < 1e-3 * other.abs().max(1e5), "{value} {other}");
    }
    master.restore(&mut point).unwrap();
    master.set_parameter("c.leakage", 100.0 * leakage.value).unwrap();
    steps(&mut master, 1);
    assert!(of(&master).iter().zip(&as_it_was).any(|(value, other)| (value - other).abs() > 1e3));
}

#[test]
fn checkpoints_hold_the_parameters_and_are_exact() {
    let text = coupled(&[CART, EQUATIONS, LINEAR].concat());
    let all = |master: &Master| -> Vec<u64> {
        master.output_names().iter().map(|name| master.output(name).unwrap().to_bits()).collect()
    };
    let on = |master: &mut Master| {
        steps(master, 3);
        all(master)
    };
    let mut own = master(&text);
    steps(&mut own, 2);
    let mut before = Checkpoint::default();
    own.save(&mut before).unwrap();
    own.set_parameters(&[("m.mass", 3.0), ("e.rate", 2.0), ("l.rate", 0.5)]).unwrap();
    steps(&mut own, 1);
    let mut after = Checkpoint::default();
    own.save(&mut after).unwrap();
    let expected = on(&mut own);
    own.restore(&mut before).unwrap();
    let first = on(&mut own);
    own.restore(&mut after).unwrap();
    assert_eq!(on(&mut own), expected);
    own.restore(&mut before).unwrap();
    assert_eq!(on(&mut own), first);
    let value =
        |master: &mut Master, name: &str| master.parameters().into_iter().find(|own| own.name == name).unwrap().value;
    assert_eq!((value(&mut own, "m.mass"), value(&mut own, "l.rate")), (2.0, 1.0));
    let bytes = own.checkpoint_to_bytes(&mut after).unwrap();
    let mut other = master(&text);
    let mut read = other.checkpoint_from_bytes(&bytes).unwrap();
    other.restore(&mut read).unwrap();
    assert_eq!((value(&mut other, "m.mass"), value(&mut other, "l.rate")), (3.0, 0.5));
    assert_eq!(on(&mut other), expected);
    assert_eq!(other.checkpoint_to_bytes(&mut read).unwrap(), bytes);
}
