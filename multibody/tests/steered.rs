//! Mechanisms under external forces and inputs: inputs, actuators, checkpoints, rates of measures.

use fourbar_multibody::analysis::Rates;
use fourbar_multibody::integrator::{Abam, Error as IntegratorError, Gstiff, Rkf45, Stop};
use fourbar_multibody::{Dynamics, DynamicsOptions, DynamicsSnapshot, Error, Formulation, Mechanism, Method, Model};
use serde_json::{Value, json};
use std::sync::Arc;

fn compile(model: &Value) -> Result<Mechanism, Error> {
    Mechanism::compile(&serde_json::from_value::<Model>(model.clone()).unwrap())
}

/// A mass of 2 kg on a slide along z, 1 m above the ground, and a cylinder between both.
fn slide() -> Value {
    json!({
        "body": [{ "name": "mass", "mass": 2, "inertia": [0.1, 0.1, 0.1], "position": [0, 0, 1] }],
        "joint": [{ "name": "slide", "type": "prismatic", "i": "mass", "j": "ground" }],
        "actuator": [{ "name": "cylinder", "i": "mass", "j": "ground" }],
    })
}

/// An arm on a hinge, moved by a cylinder beside it and by a motor in it, with everything that follows the two.
fn arm() -> Value {
    json!({
        "gravity": [0, -9.81, 0],
        "body": [{ "name": "arm", "mass": 3, "inertia": [0.1, 0.4, 0.4], "center_of_mass": [0.5, 0, 0] }],
        "joint": [{ "name": "hinge", "type": "revolute", "i": "arm", "j": "ground" }],
        "actuator": [
            { "name": "cylinder", "i": { "body": "arm", "position": [0.6, 0, 0] },
              "j": { "body": "ground", "position": [0.2, -0.8, 0] }, "start": 10 },
            { "name": "motor", "type": "torque", "i": "arm", "j": "ground" },
        ],
        "measure": [
            { "name": "lift", "type": "position", "i": { "body": "arm", "position": [1, 0, 0] }, "component": "y" },
            { "name": "speed", "type": "velocity", "i": { "body": "arm", "position": [1, 0, 0] } , "component": "magnitude" },
            { "name": "power", "type": "expression", "expression": "cylinder.force*cylinder.velocity + motor.torque*motor.rate" },
            { "name": "mixed", "type": "expression", "expression": "sin(time)*lift + cylinder.displacement^2" },
            { "name": "rise", "type": "acceleration", "i": { "body": "arm", "position": [1, 0, 0] }, "component": "y" },
        ],
    })
}

fn methods(tolerance: f64) -> [(Method, Formulation); 5] {
    [
        (Gstiff::with_tolerance(tolerance).into(), Formulation::Si2),
        (Gstiff::with_tolerance(tolerance).into(), Formulation::I3),
        (Rkf45::with_tolerance(tolerance).into(), Formulation::Si2),
        (Gstiff::with_tolerance(tolerance).into(), Formulation::Si1),
        (Abam::with_tolerance(tolerance).into(), Formulation::Si2),
    ]
}

fn start(model: &Value, (method, formulation): (Method, Formulation)) -> Dynamics {
    let mechanism = Arc::new(compile(model).unwrap());
    let options = DynamicsOptions { formulation, method, end: 0.0, stop_times: vec![] };
    Dynamics::new(&mechanism, &options).unwrap()
}

fn go(dynamics: &mut Dynamics, inputs: &[[f64; 3]], h: f64) {
    dynamics.set_inputs(inputs.iter().copied()).unwrap();
    dynamics.set_end(dynamics.time() + h).unwrap();
    while dynamics.step().unwrap() != Stop::EndTime {}
}

fn measures(dynamics: &mut Dynamics) -> Vec<f64> {
    let mut values = vec![0.0; dynamics.mechanism().measures().len()];
    dynamics.measures_at(dynamics.time(), &mut values).unwrap();
    values
}

/// A wild course of three coefficients.
fn course(k: usize) -> [f64; 3] {
    let k = k as f64;
    [20.0 * (1.3 * k).sin(), 60.0 * (0.7 * k).cos(), -900.0 * (2.1 * k).sin()]
}

#[test]
fn a_mass_follows_forces_that_jump_and_bend_between_the_steps() {
    let h = 0.05;
    // The index-3 form has no error test of velocities.
    for (method, bound) in methods(1e-10).into_iter().zip([1e-8, 1e-4, 1e-8, 1e-8]) {
        let mut dynamics = start(&slide(), method.clone());
        let (mut x, mut v, mut worst) = (1.0, 0.0, 0.0f64);
        for k in 0..60 {
            let [a, b, c] = course(k).map(|f| f / 2.0);
            x += h * (v + h * (a / 2.0 + h * (b / 6.0 + h * c / 24.0)));
            v += h * (a + h * (b / 2.0 + h * c / 6.0));
            go(&mut dynamics, &[course(k)], h);
            let found = measures(&mut dynamics);
            assert_eq!(dynamics.mechanism().measures()[0].name, "cylinder.displacement");
            worst = worst.max((found[0] - x.abs()).abs()).max((found[1] - v * x.signum()).abs());
        }
        println!("{method:?}: {worst:.2e}, {:?}", dynamics.statistics());
        assert!(worst < bound, "{method:?}: {worst:e}");
    }
}

#[test]
fn gears_method_keeps_its_order_where_a_force_jumps() {
    // Held forces that jump in each of 200 steps: a method that began anew there would take its first three steps in each.
    let mut dynamics = start(&slide(), methods(1e-6)[0].clone());
    for k in 0..200 {
        go(&mut dynamics, &[[course(k)[0], 0.0, 0.0]], 0.01);
    }
    let statistics = dynamics.statistics();
    println!("{statistics:?}");
    assert!(statistics.steps < 300 && statistics.restarts == 0, "{statistics:?}");
}

#[test]
fn a_restored_run_repeats_itself_bit_for_bit() {
    for method in methods(1e-7) {
        let mut dynamics = start(&arm(), method);
        let inputs = |k: usize| [course(k), course(k + 7).map(|c| 0.1 * c)];
        let mut saved = DynamicsSnapshot::default();
        for k in 0..5 {
            go(&mut dynamics, &inputs(k), 0.02);
        }
        dynamics.save(&mut saved);
        let run = |dynamics: &mut Dynamics, from: usize| -> Vec<Vec<f64>> {
            (from..from + 6).map(|k| (go(dynamics, &inputs(k), 0.02), measures(dynamics)).1).collect()
        };
        let first = run(&mut dynamics, 5);
        for other in [30, 5] {
            dynamics.restore(&saved).unwrap();
            let again = run(&mut dynamics, other);
            assert_eq!(again == first, other == 5);
        }
    }
}

#[test]
fn rates_are_those_of_the_measures_along_the_motion() {
    let mut dynamics = start(&arm(), methods(1e-11)[0].clone());
    let mechanism = Arc::clone(dynamics.mechanism());
    let mut rates = Rates::new(&mechanism, mechanism.start()).unwrap();
    let names: Vec<&str> = mechanism.measures().iter().map(|m| m.name.as_str()).collect();
    let known: Vec<&str> = (0..names.len()).filter(|&m| rates.known(m)).map(|m| names[m]).collect();
    let all =
        ["lift", "speed", "power", "mixed", "cylinder.displacement", "cylinder.velocity", "motor.angle", "motor.rate"];
    assert_eq!(known, all);
    let inputs = [[30.0, 40.0, 100.0], [2.0, -5.0, 10.0]];
    go(&mut dynamics, &inputs, 0.3);
    // Central differences of values 1 ms apart.
    let mut saved = DynamicsSnapshot::default();
    dynamics.save(&mut saved);
    let mut values = vec![];
    for s in [0.299, 0.3, 0.301] {
        let mut side = start(&arm(), methods(1e-12)[0].clone());
        go(&mut side, &inputs, s);
        values.push(measures(&mut side));
    }
    let mut found = vec![0.0; names.len()];
    dynamics.rates(&mut rates, &mut found).unwrap();
    for (m, name) in names.iter().enumerate().filter(|(m, _)| rates.known(*m)) {
        let expected = (values[2][m] - values[0][m]) / 2e-3;
        let scale = 1.0 + expected.abs();
        assert!((found[m] - expected).abs() < 1e-4 * scale, "{name}: {}, {expected}", found[m]);
    }
    let at = |name| names.iter().position(|n| *n == name).unwrap();
    for (coordinate, rate) in [("cylinder.displacement", "cylinder.velocity"), ("motor.angle", "motor.rate")] {
        assert!((found[at(coordinate)] - values[1][at(rate)]).abs() < 1e-8, "{coordinate}");
    }
    assert!(found[at("rise")].is_nan());
}

#[test]
fn what_depends_on_inputs_at_once_is_known() {
    let mechanism = compile(&arm()).unwrap();
    let feedthrough = |name: &str| {
        mechanism.feedthrough(mechanism.measures().iter().position(|measure| measure.name == name).unwrap())
    };
    let inputs: Vec<(&str, &str, f64)> =
        mechanism.inputs().iter().map(|i| (i.name.as_str(), i.unit.as_str(), i.start)).collect();
    assert_eq!(inputs, [("cylinder.force", "N", 10.0), ("motor.torque", "N m", 0.0)]);
    assert_eq!(feedthrough("power"), [0, 1]);
    assert_eq!(feedthrough("rise"), [0, 1]);
    assert!(feedthrough("mixed").is_empty() && feedthrough("cylinder.velocity").is_empty());
}

/// A beam on a vertical slide, held by five cylinders side by side, `driven` of which have motions of their own.
fn five_cylinders(driven: usize, replaced: &[usize]) -> Value {
    let x = |k: usize| 0.5 * (k as f64 - 2.0);
    let rod = |k: usize| json!({ "name": format!("rod{k}"), "mass": 1, "inertia": [0.1, 0.1, 0.1], "position": [x(k), 0, 1] });
    let mut bodies = vec![json!({ "name": "beam", "mass": 100, "inertia": [10, 10, 10], "position": [0, 0, 1] })];
    bodies.extend((0..5).map(rod));
    let mut joints = vec![];
    for k in 0..5 {
        let pin = |body: &str, x: f64| json!({ "body": body, "position": [x, 0, 0] });
        joints.push(json!({ "name": format!("barrel{k}"), "type": "prismatic", "i": format!("rod{k}"),
            "j": { "body": "ground", "position": [x(k), 0, 0] } }));
        joints.push(
            json!({ "name": format!("head{k}"), "type": "inline", "i": pin("beam", x(k)), "j": format!("rod{k}") }),
        );
        joints.push(
            json!({ "name": format!("seat{k}"), "type": "inplane", "i": pin("beam", x(k)), "j": format!("rod{k}") }),
        );
    }
    joints.push(json!({ "name": "guide", "type": "prismatic", "i": "beam", "j": "ground" }));
    let motion = |k: usize| json!({ "name": format!("stroke{k}"), "joint": format!("barrel{k}"), "displacement": "1 + 0.1*time" });
    let actuator = |k: &usize| {
        json!({ "name": format!("cylinder{k}"), "i": format!("rod{k}"),
        "j": { "body": "ground", "position": [x(*k), 0, 0] }, "replaces": format!("stroke{k}") })
    };
    json!({
        "body": bodies,
        "joint": joints,
        "motion": (0..driven).map(motion).collect::<Vec<_>>(),
        "actuator": replaced.iter().map(actuator).collect::<Vec<_>>(),
    })
}

#[test]
fn of_five_cylinders_in_one_direction_one_may_keep_its_motion() {
    // Two motions prescribe the one coordinate twice.
    for driven in [2, 5] {
        let error = compile(&five_cylinders(driven, &[])).unwrap_err();
        assert!(matches!(&error, Error::Overdriven { .. }), "{error}");
    }
    // One constrained, four free; five free: nothing is overdriven, the degrees of freedom are right, and the start is regular.
    for (replaced, freedoms) in [(&[1, 2, 3, 4][..], 0), (&[0, 1, 2, 3, 4], 1)] {
        let mechanism = compile(&five_cylinders(5, replaced)).unwrap();
        assert_eq!(mechanism.degrees_of_freedom(), freedoms);
        assert_eq!(mechanism.inputs().len(), replaced.len());
        assert!(!mechanism.assembly().singular_start);
    }
    // 105 kg under five forces.
    let mut dynamics = start(&five_cylinders(5, &[0, 1, 2, 3, 4]), methods(1e-9)[0].clone());
    let forces: Vec<[f64; 3]> = (1..=5).map(|k| [7.0 * f64::from(k), 0.0, 0.0]).collect();
    go(&mut dynamics, &forces, 0.4);
    let values = measures(&mut dynamics);
    for k in 0..5 {
        assert!((values[2 * k + 1] - 0.4).abs() < 1e-8, "{}", values[2 * k + 1]);
    }
}

#[test]
fn what_an_actuator_cannot_be_is_said_at_the_actuator() {
    let with = |actuator: Value, more: Value| {
        let mut model = slide();
        model["actuator"] = json!([actuator]);
        model.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        compile(&model).unwrap_err().to_string()
    };
    let between = |name: &str| json!({ "name": name, "i": "mass", "j": "ground" });
    let motion = json!({ "motion": [{ "name": "stroke", "joint": "slide", "displacement": "1" }] });
    let replacing = |motion: &str| json!({ "name": "a", "i": "mass", "j": "ground", "replaces": motion });
    for (message, words) in [
        (with(between("2nd"), json!({})), ["actuator \"2nd\"", "cannot name"]),
        (with(between("a"), json!({ "input": [{ "name": "a.force" }] })), ["a.force", "taken"]),
        (with(replacing("strike"), motion), ["did you mean \"stroke\"", "actuator \"a\", `replaces`"]),
        (with(between("a"), json!({ "input": [{ "name": "time" }] })), ["input \"time\"", "cannot name"]),
    ] {
        assert!(words.iter().all(|word| message.contains(word)), "{message}");
    }
}

#[test]
fn wrong_inputs_are_refused_and_change_nothing() {
    let mut dynamics = start(&slide(), methods(1e-6)[0].clone());
    let before = dynamics.inputs().clone();
    let refused = |error| match error {
        Error::Integrator(error) => error,
        other => panic!("{other}"),
    };
    let length = refused(dynamics.set_inputs([[0.0; 3]; 2].into_iter()).unwrap_err());
    assert!(matches!(length, IntegratorError::Length { given: 2, needed: 1, .. }), "{length}");
    let nan = refused(dynamics.set_inputs([[1.0, f64::NAN, 0.0]].into_iter()).unwrap_err());
    assert!(matches!(&nan, IntegratorError::NotFinite { name, .. } if name == "cylinder.force"), "{nan}");
    assert_eq!(*dynamics.inputs(), before);
}
