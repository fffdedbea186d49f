//! Sensors: where expressions cross values, by every method of integration, and what happens there.

use fourbar_multibody::analysis::{SwitchEvent, SwitchKind};
use fourbar_multibody::integrator::Stop;
use fourbar_multibody::model::Settings;
use fourbar_multibody::{Dynamics, DynamicsOptions, Error, Mechanism, Model, Simulation};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::sync::Arc;

pub(crate) const METHODS: [&str; 6] = ["gstiff", "wstiff", "dstiff", "hht", "rkf45", "abam"];

/// A model from JSON.
pub(crate) fn model(value: &Value) -> Model {
    serde_json::from_value(value.clone()).expect("a model")
}

pub(crate) fn begin(model: &Model, method: &str, tolerance: f64, end: f64) -> Result<Dynamics, Error> {
    let mechanism = Arc::new(Mechanism::compile(model)?);
    let settings = Settings {
        end: Some(end.into()),
        integrator: Some(method.into()),
        tolerance: Some(tolerance.into()),
        ..Settings::default()
    };
    let Simulation { dynamics, .. } = Simulation::new(model, &settings)?;
    let mut options: DynamicsOptions = dynamics;
    options.method.limit_step(end / 10.0);
    Dynamics::new(&mechanism, &options)
}

/// A run to its end, its energy accounted for.
pub(crate) fn run(model: &Model, method: &str, tolerance: f64, end: f64) -> Result<Dynamics, Error> {
    let mut dynamics = begin(model, method, tolerance, end)?;
    loop {
        let stop = dynamics.step()?;
        dynamics.account_energy()?;
        if stop == Stop::EndTime {
            return Ok(dynamics);
        }
    }
}

pub(crate) fn value(dynamics: &mut Dynamics, name: &str) -> f64 {
    let mechanism = Arc::clone(dynamics.mechanism());
    let mut values = vec![0.0; mechanism.measures().len()];
    let time = dynamics.time();
    dynamics.measures_at(time, &mut values).expect("measures");
    let at = mechanism.measures().iter().position(|measure| measure.name == name).expect("a column");
    values[at]
}

/// Times of the events of this kind.
pub(crate) fn times(events: &[SwitchEvent], kind: SwitchKind) -> Vec<f64> {
    events.iter().filter(|event| event.kind == kind).map(|event| event.time).collect()
}

/// A mass thrown up along y with `speed` under `gravity`.
fn thrown(speed: f64, gravity: f64, sensors: &Value) -> Model {
    model(&json!({
        "gravity": [0.0, -gravity, 0.0],
        "parameters": {"push": 0.0, "level": 1.0},
        "body": [{"name": "ball", "mass": 1.0, "inertia": [0.1, 0.1, 0.1], "velocity": [1.0, speed, 0.0]}],
        "force": [{"type": "force", "name": "thrust", "i": "ball", "value": ["push", 0.0, 0.0]}],
        "input": [{"name": "wind", "value": 0.0}],
        "measure": [
            {"name": "y", "type": "position", "i": "ball", "component": "y"},
            {"name": "x", "type": "position", "i": "ball", "component": "x"},
            {"name": "vx", "type": "velocity", "i": "ball", "component": "x"},
        ],
        "sensor": sensors,
    }))
}

#[test]
fn a_sensor_ends_the_run_where_the_height_is_reached() {
    for method in METHODS {
        let sensors = json!([{"name": "top", "expression": "y", "value": 0.5, "direction": "falling", "stop": true}]);
        let dynamics = run(&thrown(4.0, 10.0, &sensors), method, 1e-9, 2.0).unwrap();
        let exact = (4.0 + (16.0_f64 - 10.0).sqrt()) / 10.0;
        assert!((dynamics.time() - exact).abs() < 1e-7, "{method}: {}", dynamics.time());
        assert_eq!(dynamics.ended_by(), Some("top"));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(6))]

    #[test]
    fn times_of_events_are_those_of_the_closed_form_with_every_method(
        speed in 2.0..8.0_f64, gravity in 3.0..20.0_f64, part in 0.05..0.95_f64,
    ) {
        let height = part * speed * speed / (2.0 * gravity);
        let root = (speed * speed - 2.0 * gravity * height).sqrt();
        let exact = [(speed - root) / gravity, (speed + root) / gravity];
        let sensors = json!([{"name": "level", "expression": "y", "value": height, "print": ["x", "y - 1"]}]);
        for method in METHODS {
            let dynamics = run(&thrown(speed, gravity, &sensors), method, 1e-8, 2.0 * speed / gravity + 0.3).unwrap();
            let events = dynamics.switch_events();
            prop_assert_eq!(events.len(), 2, "{}: {:?}", method, events);
            prop_assert_eq!([events[0].kind, events[1].kind], [SwitchKind::Rose, SwitchKind::Fell]);
            for (event, exact) in events.iter().zip(exact) {
                // An error of y of a few tolerances is one of t over the speed there.
                prop_assert!((event.time - exact).abs() < 1e-5 * speed / root * exact, "{}: {} {}", method, event.time, exact);
                prop_assert!((event.values[0].value - exact).abs() < 1e-4 * exact);
                prop_assert!((event.values[1].value - (height - 1.0)).abs() < 1e-12 * (1.0 + height));
            }
        }
    }
}

#[test]
fn directions_conditions_and_once_are_kept() {
    let sensors = json!([
        {"name": "up", "expression": "y", "value": 0.5, "direction": "rising", "print": ["y"]},
        {"name": "right", "expression": "y", "value": 0.5, "when": "x - 0.3", "print": ["x"]},
        {"name": "first", "expression": "sin(10*time)", "once": true, "print": ["time"]},
    ]);
    let dynamics = run(&thrown(4.0, 10.0, &sensors), "gstiff", 1e-9, 1.0).unwrap();
    let of = |name: &str| {
        let wanted = format!("sensor \"{name}\"");
        dynamics.switch_events().iter().filter(|event| event.element == wanted).cloned().collect::<Vec<_>>()
    };
    assert_eq!(of("up").iter().map(|event| event.kind).collect::<Vec<_>>(), [SwitchKind::Rose]);
    assert_eq!(of("right").iter().map(|event| event.kind).collect::<Vec<_>>(), [SwitchKind::Fell]);
    let first = of("first");
    assert!(first.len() == 1 && (first[0].time - std::f64::consts::PI / 10.0).abs() < 1e-12, "{first:?}");
}

#[test]
fn a_sensor_that_touches_does_nothing_and_one_met_at_the_start_is_told() {
    let sensors = json!([
        {"name": "touch", "expression": "(time - 0.5)^2", "stop": true},
        {"name": "met", "expression": "time + 1", "direction": "rising", "stop": true},
        {"name": "zero", "expression": "time", "stop": true},
    ]);
    let dynamics = run(&thrown(4.0, 10.0, &sensors), "gstiff", 1e-6, 1.0).unwrap();
    assert!(dynamics.switch_events().is_empty() && dynamics.time() == 1.0, "{:?}", dynamics.switch_events());
    assert!(dynamics.warnings().iter().any(|warning| warning.contains("\"met\"") && !warning.contains("zero")));
}

#[test]
fn two_sensors_at_one_time_act_in_the_order_of_the_file() {
    let sensors = json!([
        {"name": "one", "expression": "time", "value": 0.3, "set": {"push": "push_now"}},
        {"name": "two", "expression": "3*time", "value": "0.1 + 0.2 + 0.6", "set": {"push": "7"}},
    ]);
    let mut model = thrown(4.0, 10.0, &sensors);
    model.sensors[0].set.insert("push".into(), 5.0.into());
    let dynamics = run(&model, "gstiff", 1e-8, 1.0).unwrap();
    let names: Vec<&str> = dynamics.switch_events().iter().map(|event| event.element.as_str()).collect();
    assert_eq!(names[..2], ["sensor \"one\"", "sensor \"two\""], "{:?}", dynamics.switch_events());
    let mut dynamics = dynamics;
    assert!((value(&mut dynamics, "vx") - (1.0 + 7.0 * 0.7)).abs() < 1e-6);
}

#[test]
fn discontinuous_expressions_and_pulses_shorter_than_a_step_are_found() {
    let sensors = json!([
        {"name": "step", "expression": "if(time > 0.31, 1, -1)", "print": ["time"]},
        {"name": "jump", "expression": "if(y > 0.5, 1, 0)", "value": 0.5, "print": ["y"]},
        {"name": "pulse", "expression": "if(time < 0.7, 0, if(time < 0.7000001, 1, 0))", "value": 0.5, "print": ["time"]},
        {"name": "dip", "expression": "(time - 0.4567)^2 - 1e-8", "print": ["time"]},
    ]);
    for method in METHODS {
        let dynamics = run(&thrown(4.0, 10.0, &sensors), method, 1e-7, 1.0).unwrap();
        let of = |name: &str| {
            let wanted = format!("sensor \"{name}\"");
            dynamics.switch_events().iter().filter(|e| e.element == wanted).map(|e| e.time).collect::<Vec<_>>()
        };
        let near = |found: Vec<f64>, exact: &[f64], tolerance: f64| {
            assert_eq!(found.len(), exact.len(), "{method}: {found:?}");
            found.iter().zip(exact).for_each(|(a, b)| assert!((a - b).abs() < tolerance, "{method}: {a} {b}"));
        };
        near(of("step"), &[0.31], 1e-12);
        let root = 6.0_f64.sqrt();
        near(of("jump"), &[(4.0 - root) / 10.0, (4.0 + root) / 10.0], 1e-5);
        near(of("pulse"), &[0.7, 0.700_000_1], 1e-12);
        near(of("dip"), &[0.4566, 0.4568], 1e-10);
    }
}

#[test]
fn parameters_and_inputs_are_set_from_then_on() {
    for method in METHODS {
        let sensors = json!([
            {"name": "burn", "expression": "time", "value": 0.25, "set": {"push": "2*x + 3"}},
            {"name": "end", "expression": "time", "value": 0.75, "set": {"push": 0.0, "wind": 4.0}},
        ]);
        let mut model = thrown(4.0, 10.0, &sensors);
        model
            .measures
            .push(serde_json::from_value(json!({"name": "w", "type": "expression", "expression": "wind"})).unwrap());
        let mut dynamics = run(&model, method, 1e-9, 1.0).unwrap();
        let x = 0.25;
        assert!((value(&mut dynamics, "vx") - (1.0 + 0.5 * (2.0 * x + 3.0))).abs() < 1e-6, "{method}");
        assert_eq!(value(&mut dynamics, "w"), 4.0);
        let energy = dynamics.energy().unwrap();
        assert!(energy.balance_error.abs() < 1e-5, "{method}: {energy:?}");
        let set = times(dynamics.switch_events(), SwitchKind::Set);
        assert_eq!(set.len(), 3);
    }
}

#[test]
fn a_smaller_step_holds_from_a_sensor_on() {
    let sensors = json!([{"name": "fine", "expression": "time", "value": 0.5, "step": 1e-4, "max_step": 2e-3}]);
    let mut dynamics = begin(&thrown(4.0, 10.0, &sensors), "gstiff", 1e-4, 1.0).unwrap();
    let mut sizes = Vec::new();
    while dynamics.step().unwrap() != Stop::EndTime {
        sizes.push((dynamics.time(), dynamics.step_size()));
    }
    let behind: Vec<f64> = sizes.iter().filter(|(time, _)| *time > 0.5 + 1e-9).map(|(_, size)| *size).collect();
    assert!(behind.len() > 200 && behind.iter().all(|size| *size <= 2e-3 * (1.0 + 1e-9)), "{}", behind.len());
    assert!(behind[0] <= 1e-4 * (1.0 + 1e-9));
    assert!(sizes.iter().any(|(time, size)| *time < 0.5 && *size > 2e-3));
}

#[test]
fn chattering_is_an_error_with_its_pace() {
    // A thrust against the way, of constant size: behind each crossing it drives back at once.
    let sensors = json!([
        {"name": "left", "expression": "vx", "direction": "falling", "set": {"push": 10.0}},
        {"name": "right", "expression": "vx", "direction": "rising", "set": {"push": -10.0}},
    ]);
    let mut model = thrown(0.0, 10.0, &sensors);
    model.parameters.insert("push".into(), (-10.0).into());
    let error = run(&model, "gstiff", 1e-6, 1.0).map(|_| ()).unwrap_err();
    assert!(
        matches!(&error, Error::Chattering { culprit, .. } if culprit.contains("left") || culprit.contains("right")),
        "{error}"
    );
    // One that changes what it is compared with.
    let sensors = json!([
        {"name": "up", "expression": "level*(time - 0.5)", "direction": "rising", "set": {"level": -1.0}},
        {"name": "shift", "expression": "push + time", "value": 0.5, "set": {"push": "-1 - push"}},
    ]);
    let error = run(&thrown(0.0, 10.0, &sensors), "gstiff", 1e-6, 1.0).map(|_| ()).unwrap_err();
    assert!(matches!(&error, Error::Chattering { .. }), "{error}");
}

#[test]
fn a_checkpoint_goes_back_over_a_switch() {
    let sensors = json!([{"name": "burn", "expression": "time", "value": 0.25, "set": {"push": "3"}}]);
    let mut dynamics = begin(&thrown(4.0, 10.0, &sensors), "gstiff", 1e-8, 1.0).unwrap();
    dynamics.step().unwrap();
    let mut point = Default::default();
    dynamics.save(&mut point);
    let finish = |dynamics: &mut Dynamics| {
        while dynamics.step().unwrap() != Stop::EndTime {}
        (value(dynamics, "x"), dynamics.statistics().steps, dynamics.switch_events().len())
    };
    let first = finish(&mut dynamics);
    dynamics.restore(&point).unwrap();
    assert!(dynamics.time() < 0.25 && dynamics.switch_events().is_empty());
    assert_eq!(finish(&mut dynamics), first);
}

#[test]
fn a_run_of_one_step_and_small_and_slow_models_have_their_events() {
    // Micrometres and hours: sizes of 1e-6 m and times of 1e4 s.
    let slow = model(&json!({
        "units": "um, kg, h, N",
        "body": [{"name": "slug", "mass": 1.0, "inertia": [1.0, 1.0, 1.0], "velocity": [2.0, 0.0, 0.0]}],
        "measure": [{"name": "x", "type": "position", "i": "slug", "component": "x"}],
        "sensor": [{"name": "mark", "expression": "x", "value": 5.0, "print": ["x", "time"], "max_step": 0.25}],
    }));
    let dynamics = run(&slow, "gstiff", 1e-6, 4.0 * 3600.0).unwrap();
    let event = &dynamics.switch_events()[0];
    assert!((event.time - 2.5 * 3600.0).abs() < 1e-6, "{event:?}");
    assert!((event.values[0].value - 5.0).abs() < 1e-9 && (event.values[1].value - 2.5).abs() < 1e-9);
    let sensors = json!([{"name": "half", "expression": "time", "value": 5e-7, "print": ["time"]}]);
    let mut dynamics = begin(&thrown(1.0, 10.0, &sensors), "rkf45", 1e-3, 1e-6).unwrap();
    while dynamics.step().unwrap() != Stop::EndTime {}
    assert!((dynamics.switch_events()[0].time - 5e-7).abs() < 1e-18);
}

/// What a sensor turns to what it is already, and what it sets for nobody.
#[test]
fn sensors_that_change_nothing_are_told() {
    let advice = |sensors: Value, active: Value| {
        let mut model = serde_json::to_value(thrown(1.0, 10.0, &sensors)).unwrap();
        model["joint"] = json!([{"name": "hold", "type": "fixed", "i": "ball", "j": "ground"}]);
        model["activity"] = active;
        let model: Model = serde_json::from_value(model).unwrap_or_else(|e| panic!("{e}"));
        Mechanism::compile(&model).unwrap().advice().to_vec()
    };
    let sensor = |what: Value| {
        let mut sensor = json!({"name": "s", "expression": "time", "value": 0.5});
        what.as_object().into_iter().flatten().for_each(|(name, value)| sensor[name] = value.clone());
        sensor
    };
    let off = |kind: &str, name: &str| json!([{"kind": kind, "name": name, "active": 0}]);
    let told =
        advice(json!([sensor(json!({"activate": ["thrust"], "lock": ["hold"], "set": {"level": 2}}))]), json!([]));
    assert_eq!(told.len(), 3, "{told:?}");
    for (told, parts) in
        told.iter().zip([["hold", "`active = 0`"], ["thrust", "`active = 0`"], ["level", "no expression"]])
    {
        assert!(parts.iter().all(|part| told.contains(part)), "{told}");
    }
    let told = advice(json!([sensor(json!({"deactivate": ["thrust"]}))]), off("force", "thrust"));
    assert!(told.len() == 1 && told[0].contains("does not act"), "{told:?}");
    // What is turned on where it is off, turned on and off, set and read: nothing to say.
    for (sensors, active) in [
        (json!([sensor(json!({"activate": ["thrust"]}))]), off("force", "thrust")),
        (json!([sensor(json!({"lock": ["hold"]}))]), off("joint", "hold")),
        (json!([sensor(json!({"release": ["hold"], "set": {"push": 2}}))]), json!([])),
        (
            json!([sensor(json!({"activate": ["thrust"]})), {"name": "t", "expression": "time", "value": 0.2, "deactivate": ["thrust"]}]),
            json!([]),
        ),
    ] {
        let told = advice(sensors, active);
        assert_eq!(told, Vec::<String>::new());
    }
}

#[test]
fn what_sensors_do_not_switch_is_named_for_what_it_is() {
    let refused = |list: &str, name: &str| {
        let mut sensor = json!({"name": "s", "expression": "time", "value": 0.5});
        sensor[list] = json!([name]);
        let mut model = serde_json::to_value(thrown(1.0, 10.0, &json!([sensor]))).unwrap();
        model["joint"] = json!([{"name": "pin", "type": "revolute", "i": "ball", "j": "ground"}]);
        model["friction"] = json!([{"name": "rub", "joint": "pin", "mu_dynamic": 0.1, "mu_static": 0.2, "pin_radius": 0.1, "transition_velocity": 0.01}]);
        model["actuator"] = json!([{"name": "drive", "type": "torque", "i": "ball", "j": "ground"}]);
        model
    };
    for (list, name, parts) in [
        ("deactivate", "rub", ["friction", "set"]),
        ("deactivate", "drive", ["actuator", "set"]),
        ("lock", "rub", ["friction", "set"]),
        ("lock", "thrust", ["a force", "`activate`"]),
        ("activate", "pin", ["a joint or motion", "`lock`"]),
    ] {
        let model: Model = serde_json::from_value(refused(list, name)).unwrap_or_else(|e| panic!("{e}"));
        let error = Mechanism::compile(&model).unwrap_err().to_string();
        assert!(parts.iter().all(|part| error.contains(part)), "{list} {name}: {error}");
    }
}

/// The displacement of a motion that jumps by a parameter is refused with a remedy for motions; the crossing is in the list of events.
#[test]
fn a_displacement_that_a_sensor_makes_jump_is_named() {
    let axis = json!({"z_axis": [1, 0, 0]});
    let model = model(&json!({
        "parameters": {"ahead": 0.0},
        "body": [{"name": "sled", "mass": 1.0, "inertia": [1, 1, 1]}],
        "joint": [{"name": "way", "type": "prismatic", "i": {"body": "sled", "orientation": axis}, "j": {"body": "ground", "orientation": axis}}],
        "motion": [{"name": "drive", "joint": "way", "displacement": "ahead + 0.1*time"}],
        "sensor": [{"name": "at", "expression": "time", "value": 0.5, "set": {"ahead": 0.2}}],
    }));
    for method in METHODS {
        let mut dynamics = begin(&model, method, 1e-6, 1.0).unwrap();
        let error = loop {
            match dynamics.step() {
                Ok(Stop::EndTime) => panic!("{method} went on"),
                Ok(_) => {}
                Err(error) => break error.to_string(),
            }
        };
        assert!(error.contains("drive") && error.contains("jump") && error.contains("`velocity`"), "{error}");
        let events: Vec<_> = dynamics.switch_events().iter().map(|event| event.kind).collect();
        assert_eq!(events, [SwitchKind::Rose], "{method}");
    }
}
