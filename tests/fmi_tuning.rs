//! Tunable parameters of units: the running model takes them over between steps.

use crate::fmi_instances::{begun, reference, written};
use crate::running::model;
use fourbar::fmi::FmiVersion;
use fourbar::fmi::description::description;

/// m x'' = force, from `start` on a rail.
const CART: &str = r#"
name = "cart"
[simulation]
end = 2
output_step = 0.1
tolerance = 1e-9
[parameters]
mass = 2
force = 4
twice = "2*force"
start = 0.5
[[body]]
name = "cart"
mass = "mass"
inertia = [1, 1, 1]
[[joint]]
name = "rail"
type = "prismatic"
i = "cart"
j = "ground"
initial = { displacement = "start" }
[[force]]
name = "push"
type = "force"
i = "cart"
value = [0, 0, "twice/2"]
[[measure]]
name = "x"
type = "position"
i = "cart"
component = "z"
"#;

#[test]
fn a_mechanism_goes_on_with_other_forces_and_masses_and_keeps_its_places() {
    let folder = tempfile::tempdir().unwrap();
    let mut instance = begun(&written(&folder, "cart.toml", CART), 2.0);
    let [mass, force, twice, start] =
        ["mass", "force", "twice", "start"].map(|name| reference(&instance, &format!("parameters.{name}")));
    let x = reference(&instance, "x");
    let tunable = [mass, force, twice, start].map(|own| instance.variables().get(own).unwrap().is_tunable);
    assert_eq!(tunable, [true, true, true, false]);
    for version in [FmiVersion::V2, FmiVersion::V3] {
        let text = description(&instance, version, "cart");
        let of = |name: &str| {
            let begin = text.find(&format!("name=\"parameters.{name}\"")).unwrap();
            text[begin..begin + text[begin..].find('>').unwrap()].to_owned()
        };
        assert!(of("mass").contains("variability=\"tunable\"") && of("start").contains("variability=\"fixed\""));
        assert!(of("twice").contains("causality=\"calculatedParameter\" variability=\"tunable\""), "{}", of("twice"));
    }
    instance.step(0.0, 0.7).unwrap();
    let state = instance.save().unwrap();
    let refused = instance.set(start, 1.0).unwrap_err().to_string();
    assert!(refused.contains("it is fixed"), "{refused}");
    // Both at once; one alone would be refused with the other.
    let refused = instance.set_all(&[mass, start], &[4.0, 1.0]).unwrap_err().to_string();
    assert!(refused.contains("start") && instance.get(mass).unwrap() == 2.0, "{refused}");
    instance.set_all(&[mass, force], &[4.0, -6.0]).unwrap();
    assert_eq!((instance.get(force).unwrap(), instance.get(twice).unwrap()), (-6.0, -12.0));
    instance.step(0.7, 0.5).unwrap();
    let (a, b) = (4.0 / 2.0, -6.0 / 4.0);
    let expected = 0.5 + a * 0.7 * 0.7 / 2.0 + a * 0.7 * 0.5 + b * 0.5 * 0.5 / 2.0;
    let value = instance.get(x).unwrap();
    assert!((value - expected).abs() < 1e-7, "{value} {expected}");
    // What no mechanism can have is refused, and it goes on with what it had.
    let refused = instance.set(mass, -1.0).unwrap_err().to_string();
    assert!(refused.contains("goes on with those that it had"), "{refused}");
    let bytes = {
        let state = instance.save().unwrap();
        instance.state_to_bytes(&state).unwrap()
    };
    instance.step(1.2, 0.3).unwrap();
    let on = instance.get(x).unwrap();
    let expected = expected + (a * 0.7 + b * 0.5) * 0.3 + b * 0.3 * 0.3 / 2.0;
    assert!((on - expected).abs() < 1e-7, "{on} {expected}");
    // States carry the parameters with which they were saved.
    let mut other = begun(&written(&folder, "cart.toml", CART), 2.0);
    let loaded = other.state_from_bytes(&bytes).unwrap();
    other.restore(&loaded).unwrap();
    other.step(1.2, 0.3).unwrap();
    assert_eq!((other.get(x).unwrap(), other.get(mass).unwrap()), (on, 4.0));
    instance.restore(&state).unwrap();
    assert_eq!((instance.get(mass).unwrap(), instance.get(force).unwrap()), (2.0, 4.0));
    instance.step(0.7, 0.5).unwrap();
    let value = instance.get(x).unwrap();
    assert!((value - (0.5 + a * 1.2 * 1.2 / 2.0)).abs() < 1e-7, "{value}");
    instance.terminate().unwrap();
    assert!(instance.set(mass, 3.0).unwrap_err().to_string().contains("no step follows"));
}

#[test]
fn a_linear_system_goes_on_from_its_state_with_other_matrices() {
    let folder = tempfile::tempdir().unwrap();
    let text = r#"
        type = "linear"
        [parameters]
        rate = 1
        [simulation]
        end = 2
        output_step = 0.1
        [state_space]
        a = [["-rate"]]
        initial = [3]
        [[output]]
        name = "x"
    "#;
    let mut instance = begun(&written(&folder, "decay.toml", text), 2.0);
    let (rate, x) = (reference(&instance, "parameters.rate"), reference(&instance, "x"));
    instance.step(0.0, 0.5).unwrap();
    instance.set(rate, 4.0).unwrap();
    instance.step(0.5, 0.25).unwrap();
    let (value, expected) = (instance.get(x).unwrap(), 3.0 * (-0.5_f64 - 4.0 * 0.25).exp());
    assert!((value - expected).abs() < 1e-12, "{value} {expected}");
}

#[test]
fn a_circuit_keeps_its_pressures() {
    let mut instance = begun(&model("hydraulic-axis.toml"), 0.1);
    let leakage = reference(&instance, "parameters.leakage");
    assert!(instance.variables().get(leakage).unwrap().is_tunable);
    let pressures: Vec<u32> = instance
        .variables()
        .all()
        .iter()
        .zip(0..)
        .filter(|(own, _)| own.name.ends_with(".pressure"))
        .map(|(_, reference)| reference)
        .collect();
    instance.step(0.0, 0.01).unwrap();
    let before: Vec<f64> = pressures.iter().map(|reference| instance.get(*reference).unwrap()).collect();
    instance.set(leakage, 4e-11).unwrap();
    for (reference, before) in pressures.iter().zip(&before) {
        let value = instance.get(*reference).unwrap();
        assert!((value - before).abs() <= 1e-9 * before.abs(), "{value} {before}");
    }
    instance.step(0.01, 0.02).unwrap();
    let moved = pressures
        .iter()
        .zip(&before)
        .any(|(reference, before)| (instance.get(*reference).unwrap() - before).abs() > 1e3);
    assert!(moved && !pressures.is_empty());
}

#[test]
fn the_simulators_of_a_coupled_model_take_theirs_over_and_states_carry_them() {
    let folder = tempfile::tempdir().unwrap();
    let text = r#"
        type = "coupled"
        parameters = { gain = 1 }
        [simulation]
        end = 2
        step = 0.125
        [[simulator]]
        name = "a"
        [simulator.equations]
        parameters = { rate = 1, start = 3 }
        state = [{ name = "x", start = "start", rate = "-rate*x" }]
        output = [{ name = "x", value = "x" }]
    "#;
    let mut instance = begun(&written(&folder, "decay.toml", text), 2.0);
    let [rate, start, gain, x] =
        ["parameters.a.rate", "parameters.a.start", "parameters.gain", "a.x"].map(|name| reference(&instance, name));
    let tunable = [rate, start, gain].map(|own| instance.variables().get(own).unwrap().is_tunable);
    assert_eq!(tunable, [true, false, false]);
    instance.step(0.0, 0.5).unwrap();
    let state = instance.save().unwrap();
    instance.set(rate, 4.0).unwrap();
    instance.step(0.5, 0.25).unwrap();
    let (value, expected) = (instance.get(x).unwrap(), 3.0 * (-0.5_f64 - 4.0 * 0.25).exp());
    assert!((value - expected).abs() < 1e-8, "{value} {expected}");
    let later = instance.save().unwrap();
    let bytes = instance.state_to_bytes(&later).unwrap();
    instance.restore(&state).unwrap();
    assert_eq!(instance.get(rate).unwrap(), 1.0);
    instance.step(0.5, 0.25).unwrap();
    let (value, expected) = (instance.get(x).unwrap(), 3.0 * (-0.75_f64).exp());
    assert!((value - expected).abs() < 1e-8, "{value} {expected}");
    instance.restore(&later).unwrap();
    instance.step(0.75, 0.25).unwrap();
    let on = instance.get(x).unwrap();
    let mut other = begun(&written(&folder, "decay.toml", text), 2.0);
    let loaded = other.state_from_bytes(&bytes).unwrap();
    other.restore(&loaded).unwrap();
    other.step(0.75, 0.25).unwrap();
    assert_eq!((other.get(x).unwrap(), other.get(rate).unwrap()), (on, 4.0));
}
