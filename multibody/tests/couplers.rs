//! Couplers in closed form: shafts and a weight whose coordinates are related, however they are drawn, in every formulation; many turns, large ratios.

use crate::support::matrix::derivative;
use crate::support::runs::{compile, measures, methods, refused};
use crate::support::shafts::{Drawn, PLAIN, drawings};
use fourbar_multibody::analysis::{Equilibrium, Kinematics, Linearization};
use fourbar_multibody::formulation::Equations;
use fourbar_multibody::{Formulation, Inputs, Mechanism, State};
use serde_json::{Value, json};
use std::f64::consts::TAU;
use std::sync::Arc;

const GRAVITY: f64 = 9.81;
const MASS: f64 = 2.0;
const INERTIA: [f64; 2] = [0.3, 0.05];

/// Shafts "a" and "b" across each other, and a weight "w" on a slide, related by `ratios`; a torque on "a". Without `lies` they are in space, with it
/// all move in one plane.
#[derive(Debug, Clone, Copy)]
struct Winch {
    drawn: Drawn,
    ratios: [f64; 3],
    torque: f64,
    spin: f64,
    lies: bool,
}

const WINCH: Winch = Winch { drawn: PLAIN, ratios: [0.37, -1.3, 2.0], torque: 1.5, spin: 3.0, lies: false };

impl Winch {
    fn model(&self) -> Value {
        let (d, u) = (self.drawn, self.drawn.unit);
        let axis_b = if self.lies { [0.0, 0.0, 1.0] } else { [0.0, 1.0, 0.2] };
        let joint = |name: &str, kind: &str, p: [f64; 3], z: [f64; 3]| json!({"name": name, "type": kind, "i": d.marker(&format!("body {name}"), p, z), "j": d.marker("ground", p, z)});
        let places = [[0.0; 3], [1.0, 0.2, 0.0], [-1.0, 0.5, 0.0]];
        let mut joints = vec![
            joint("a", "revolute", places[0], [0.0, 0.0, 1.0]),
            joint("b", "revolute", places[1], axis_b),
            joint("w", "prismatic", places[2], [0.6, 0.8, 0.0]),
        ];
        let velocity = self.start();
        joints[0]["initial"] = json!({"angular_velocity": velocity[0]});
        joints[1]["initial"] = json!({"angular_velocity": velocity[1]});
        let push = -MASS * GRAVITY;
        let measure = |joint: &str, quantity: &str| {
            let at = joints.iter().find(|j| j["name"] == joint).expect("a joint")["j"].clone();
            json!({"name": format!("of_{joint}"), "type": "reaction", "coupler": "c", "joint": joint, "quantity": quantity,
                "frame": at, "component": "z"})
        };
        let reactions = [measure("a", "torque"), measure("b", "torque"), measure("w", "force")];
        let pair = |name: &str, joint: &Value| json!({"name": name, "type": "angle", "i": joint["i"], "j": joint["j"]});
        let way = json!({"name": "way", "type": "position", "i": joints[2]["i"], "j": joints[2]["j"], "frame": joints[2]["j"], "component": "z"});
        let mut all = vec![pair("turn_a", &joints[0]), pair("turn_b", &joints[1]), way];
        all.extend(reactions);
        json!({
            "body": [d.body("body a", places[0], 1.0, INERTIA[0]), d.body("body b", places[1], 1.0, INERTIA[1]),
                d.body("body w", places[2], MASS, 0.1)],
            "joint": joints,
            "coupler": [{"name": "c", "joints": [
                {"joint": "a", "ratio": self.ratios[0]}, {"joint": "b", "ratio": self.ratios[1]},
                {"joint": "w", "ratio": self.ratios[2] / u}]}],
            "force": [
                {"type": "axial_torque", "name": "drive", "i": joints[0]["i"], "j": joints[0]["j"], "value": self.torque * u * u},
                {"type": "force", "name": "weight", "i": {"body": "body w"}, "value": [0, 0, push * u], "frame": joints[2]["j"]}],
            "measure": all,
        })
    }

    /// Rates that the row allows, the weight at rest.
    fn start(&self) -> [f64; 2] {
        [self.spin, -self.ratios[0] / self.ratios[1] * self.spin]
    }

    /// The measures at `t`: coordinates q'' = (Q - c lambda)/M with lambda = sum(c Q/M)/sum(c^2/M), and what the row does, -c lambda.
    fn expected(&self, t: f64) -> [f64; 6] {
        let inertia = [INERTIA[0], INERTIA[1], MASS];
        let loads = [self.torque, 0.0, -MASS * GRAVITY];
        let c = self.ratios;
        let sum = |of: &dyn Fn(usize) -> f64| (0..3).map(of).sum::<f64>();
        let lambda = sum(&|k| c[k] * loads[k] / inertia[k]) / sum(&|k| c[k] * c[k] / inertia[k]);
        let [a, b] = self.start();
        let rates = [a, b, 0.0];
        let u = self.drawn.unit;
        let q = |k: usize| rates[k] * t + 0.5 * (loads[k] - c[k] * lambda) / inertia[k] * t * t;
        [q(0), q(1), q(2) * u, -c[0] * lambda * u * u, -c[1] * lambda * u * u, -c[2] * lambda * u]
    }

    fn check(&self, end: f64, relative: f64) {
        let mechanism = compile(&self.model());
        assert_eq!(mechanism.degrees_of_freedom(), 2);
        assert!(mechanism.redundancies().is_empty());
        assert!(mechanism.assembly().moved.iter().all(|moved| !moved.displaced), "{:?}", mechanism.assembly().moved);
        let expected = self.expected(end);
        for way in methods() {
            let formulation = way.1;
            let found = measures(&mechanism, way, end);
            for (k, (found, expected)) in found.iter().zip(expected).enumerate() {
                let error = (found - expected).abs() / expected.abs();
                assert!(
                    error < relative,
                    "{self:?}, {formulation:?}, {}: {found} is not {expected}",
                    mechanism.measures()[k].name
                );
            }
        }
    }
}

#[test]
fn shafts_and_a_weight_accelerate_together_however_they_are_drawn() {
    for drawn in drawings() {
        for lies in [false, true] {
            Winch { drawn, lies, ..WINCH }.check(2.0, 1e-6);
        }
    }
}

#[test]
fn large_ratios_and_many_turns_hold() {
    // 100 turns of "a"; ratios of 1e3 one way and the other.
    Winch { spin: 300.0, ..WINCH }.check(2.0, 1e-6);
    Winch { ratios: [1e3, 1.0, 0.5], torque: 0.0, spin: 0.2, ..WINCH }.check(2.0, 1e-5);
    Winch { ratios: [1e-3, 1.0, 1.0], spin: 500.0, torque: 0.0, ..WINCH }.check(1.0, 1e-5);
}

#[test]
fn what_lies_in_a_plane_is_solved_in_it() {
    for lies in [false, true] {
        let mechanism = compile(&Winch { lies, ..WINCH }.model());
        let equations = Equations::fewest(Arc::clone(&mechanism), Formulation::Si2, mechanism.start());
        assert_eq!(equations.is_planar(), lies);
    }
}

/// A carrier that turns and tumbles freely bears two shafts, one of them eccentric, which a coupler relates.
fn tumbling(ratio: f64, reversed: bool) -> Value {
    let d = Drawn { tilt: [0.4, -0.7, 1.1], ..PLAIN };
    let joint = |name: &str, p: [f64; 3], z: [f64; 3]| {
        let (i, j) = (d.marker(&format!("body {name}"), p, z), d.marker("carrier", p, z));
        if reversed {
            json!({"name": name, "type": "revolute", "i": j, "j": i})
        } else {
            json!({"name": name, "type": "revolute", "i": i, "j": j})
        }
    };
    let mut carrier = d.body("carrier", [0.1, 0.2, 0.3], 4.0, 0.5);
    carrier["angular_velocity"] = json!([1.0, -2.0, 0.5]);
    carrier["inertia"] = json!([0.4, 0.5, 0.7]);
    let mut eccentric = d.body("body b", [1.2, 0.3, -0.4], 1.5, 0.06);
    eccentric["inertia"] = json!([0.05, 0.06, 0.04]);
    json!({
        "body": [carrier, d.body("body a", [0.0, 0.0, 0.5], 1.0, 0.2), eccentric],
        "joint": [joint("a", [0.0; 3], [0.3, 0.0, 1.0]), joint("b", [1.0, 0.2, 0.0], [0.0, 1.0, 0.2])],
        "coupler": [{"name": "c", "joints": [{"joint": "a", "ratio": 1.0}, {"joint": "b", "ratio": ratio}]}],
        "measure": [{"name": "energy", "type": "kinetic_energy"}],
    })
}

#[test]
fn the_matrix_is_the_derivative_of_the_equations() {
    for (model, formulation) in [(tumbling(0.7, false), Formulation::Si2), (tumbling(-0.7, true), Formulation::Si1)] {
        derivative(&compile(&model), formulation);
    }
    for formulation in [Formulation::Si2, Formulation::I3, Formulation::Si1] {
        derivative(&compile(&Winch { lies: true, ..WINCH }.model()), formulation);
        derivative(&compile(&WINCH.model()), formulation);
    }
}

#[test]
fn a_tumbling_carrier_keeps_its_energy() {
    for reversed in [false, true] {
        let mechanism = compile(&tumbling(0.7, reversed));
        assert_eq!(mechanism.degrees_of_freedom(), 7);
        let start = first(&mechanism);
        for way in methods() {
            let found = measures(&mechanism, way, 2.0);
            for (found, start) in found.iter().zip(&start) {
                assert!((found - start).abs() < 1e-5 * start.abs().max(1.0), "{found} is not {start}");
            }
        }
    }
}

/// The measures at the start.
fn first(mechanism: &Arc<Mechanism>) -> Vec<f64> {
    let mut values = vec![0.0; mechanism.measures().len()];
    let mut sampler = fourbar_multibody::analysis::Sampler::new(mechanism, mechanism.start()).expect("a sampler");
    let mut state: State = mechanism.start().clone();
    sampler.sample(mechanism, &mut state, &mut values).expect("a sample");
    values
}

#[test]
fn a_driven_shaft_takes_the_others_along() {
    let mut model = Winch { ratios: [1.0, 40.0, 2.0], ..WINCH }.model();
    for joint in model["joint"].as_array_mut().expect("joints") {
        joint.as_object_mut().expect("a joint").remove("initial");
    }
    model["motion"] = json!([
        {"name": "drive", "joint": "b", "displacement": "10000*time"}, {"name": "hold", "joint": "w", "displacement": "0.1*time"}]);
    let mut kinematics = Kinematics::new(&compile(&model)).expect("driven");
    kinematics.go_to(0.01).expect("it follows");
    let turned = kinematics.state().angles[0].angle;
    let expected = -40.0 * 100.0 - 2.0 * 1e-3;
    assert!((turned - expected).abs() < 1e-7 && turned.abs() > 100.0 * TAU, "{turned}");
    model["motion"] = json!([{"name": "drive", "joint": "b", "velocity": "10000"}, {"name": "hold", "joint": "w", "displacement": "0.1*time"}]);
    let mechanism = compile(&model);
    for way in methods() {
        let found = measures(&mechanism, way, 0.01);
        assert!((found[0] - expected).abs() < 1e-6 * expected.abs(), "{}", found[0]);
    }
}

#[test]
fn a_shaft_that_starts_elsewhere_moves_no_other() {
    let mut model = WINCH.model();
    model["joint"][0]["initial"] = json!({"angle": 25.0, "angular_velocity": 3.0});
    let mechanism = compile(&model);
    let start = first(&mechanism);
    assert!((start[0] - 25.0).abs() < 1e-12 && start[1].abs() < 1e-12 && start[2].abs() < 1e-12, "{start:?}");
    let found = measures(&mechanism, methods()[0].clone(), 2.0);
    let expected = WINCH.expected(2.0);
    assert!((found[0] - 25.0 - expected[0]).abs() < 1e-6 && (found[1] - expected[1]).abs() < 1e-6);
}

/// The weight hangs on a spring of shaft "b" by the coupler: k q_b = m g/c at rest, two turns on, and omega^2 = k c^2/(m + J c^2).
#[test]
fn a_weight_comes_to_rest_turns_away_and_swings_about_there() {
    let (c, k) = (1.5, 1.0);
    let mut model = WINCH.model();
    model["joint"] = json!([model["joint"][1], model["joint"][2]]);
    model["body"] = json!([model["body"][1], model["body"][2]]);
    model["joint"][0].as_object_mut().expect("a joint").remove("initial");
    model["coupler"] = json!([{"name": "c", "joints": [{"joint": "b", "ratio": 1}, {"joint": "w", "ratio": c}]}]);
    let (i, j) = (model["joint"][0]["i"].clone(), model["joint"][0]["j"].clone());
    let weight = model["force"][1].clone();
    model["force"] =
        json!([weight, {"type": "torsion_spring_damper", "name": "spring", "i": i, "j": j, "stiffness": k}]);
    model["measure"] = json!([{"name": "turn", "type": "angle", "i": i, "j": j}]);
    let mechanism = compile(&model);
    let found = Equilibrium::find(&mechanism, mechanism.start(), &Inputs::start(&mechanism)).expect("a rest");
    let turn = MASS * GRAVITY / (c * k);
    assert!(turn > 2.0 * TAU && found.stable);
    assert!((found.state.angles[0].angle - turn).abs() < 1e-9 * turn, "{}", found.state.angles[0].angle);
    let linear = Linearization::new(&mechanism, &found.state, &Inputs::start(&mechanism)).expect("a regular state");
    let square = k * c * c / (MASS + INERTIA[1] * c * c);
    let eigenvalue = linear.a.complex_eigenvalues()[0];
    assert!(((eigenvalue * eigenvalue).re + square).abs() < 1e-8, "{eigenvalue}");
}

#[test]
fn a_coupler_too_many_is_told() {
    let mut model = Winch { torque: 0.0, ..WINCH }.model();
    let mut twice = model["coupler"][0].clone();
    twice["name"] = json!("again");
    model["coupler"].as_array_mut().expect("couplers").push(twice);
    let mechanism = compile(&model);
    let redundant = mechanism.redundancies();
    assert_eq!((redundant.len(), mechanism.degrees_of_freedom()), (1, 2));
    assert!(["c", "again"].contains(&redundant[0].joint.as_str()), "{redundant:?}");
    for joint in model["joint"].as_array_mut().expect("joints") {
        joint.as_object_mut().expect("a joint").remove("initial");
    }
    model["motion"] = json!([
        {"name": "one", "joint": "a", "displacement": "time"}, {"name": "two", "joint": "b", "displacement": "time"},
        {"name": "three", "joint": "w", "displacement": "time"}]);
    let error = Mechanism::compile(&crate::support::runs::read(&model)).expect_err("overdriven").to_string();
    assert!(error.contains("motion \"") && error.contains("coupler \""), "{error}");
}

#[test]
fn couplers_that_say_too_little_or_too_much_are_refused() {
    let with = |change: &dyn Fn(&mut Value)| {
        let mut model = WINCH.model();
        change(&mut model["coupler"][0]);
        model
    };
    refused(&with(&|c| c["joints"] = json!([{"joint": "a", "ratio": 1}])), "coupler \"c\", `joints`", "two or three");
    refused(&with(&|c| c["joints"][1]["ratio"] = json!(0)), "`joints[1].ratio`", "other than zero");
    refused(&with(&|c| c["joints"][1]["ratio"] = json!("1/0")), "`joints[1].ratio`", "");
    refused(&with(&|c| c["joints"][1]["joint"] = json!("bb")), "`joints[1].joint`", "bb");
    refused(&with(&|c| c["joints"][1]["joint"] = json!("a")), "`joints[1].joint`", "twice");
    refused(&with(&|c| c["joints"][2]["direction"] = json!("rotation")), "`joints[2].direction`", "only translation");
    let mut spherical = WINCH.model();
    spherical["joint"][0]["type"] = json!("spherical");
    refused(&spherical, "`joints[0].joint`", "no coordinate");
    let mut cylindrical = WINCH.model();
    cylindrical["joint"][0]["type"] = json!("cylindrical");
    refused(&cylindrical, "`joints[0].direction`", "turns and slides");
    let mut twice = WINCH.model();
    let one = twice["coupler"][0].clone();
    twice["coupler"].as_array_mut().expect("couplers").push(one);
    refused(&twice, "coupler \"c\"", "taken");
    let mut measured = WINCH.model();
    measured["measure"][3]["coupler"] = json!("d");
    refused(&measured, "`coupler`", "d");
}
