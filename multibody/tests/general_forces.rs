//! Forces of six components, fields and gyroscopic couples.

use crate::support::runs::{tight_methods, try_compile};
use fourbar_multibody::host::{ForceFunction, HostForce, HostFunctions, Refusal};
use fourbar_multibody::integrator::Stop;
use fourbar_multibody::{Dynamics, DynamicsOptions, Formulation, Mechanism, Method, Model};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Measures by name at `end`.
fn run(mechanism: &Arc<Mechanism>, (method, formulation): (Method, Formulation), end: f64) -> BTreeMap<String, f64> {
    let options = DynamicsOptions { formulation, method, end, stop_times: vec![] };
    let mut dynamics = Dynamics::new(mechanism, &options).expect("a start");
    while dynamics.step().expect("a step") != Stop::EndTime {}
    let mut values = vec![0.0; mechanism.measures().len()];
    dynamics.measures_at(end, &mut values).expect("measures");
    mechanism.measures().iter().map(|info| info.name.clone()).zip(values).collect()
}

/// Two bodies that turn, lengths times `scale`, with `forces` between their markers.
fn pair(forces: &Value, scale: f64) -> Value {
    let body = |name: &str, x: [f64; 3], w: [f64; 3]| {
        let own = 0.3 * scale * scale;
        json!({ "name": name, "mass": 2, "inertia": [own, 1.2 * own, 1.5 * own], "position": x.map(|x| scale * x), "angular_velocity": w })
    };
    let tilted = json!({ "axis": [0.6, 0.0, 0.8], "angle": 0.7 });
    json!({
        "parameters": { "l": scale },
        "body": [body("a", [0.1, 0.2, -0.1], [0.3, -0.2, 0.5]), body("b", [0.0, 0.0, 0.5], [-0.1, 0.4, 0.2])],
        "marker": [
            { "name": "i", "body": "a", "position": [0.3 * scale, -0.2 * scale, 0.5 * scale], "orientation": tilted },
            { "name": "j", "body": "b", "position": [-0.1 * scale, 0.6 * scale, 0.2 * scale] },
        ],
        "force": forces,
        "measure": [
            { "name": "p", "type": "position", "i": "i" }, { "name": "q", "type": "position", "i": "j" },
            { "name": "w", "type": "angular_velocity", "i": "a" }, { "name": "u", "type": "angular_velocity", "i": "b" },
            { "name": "v", "type": "velocity", "i": "i", "j": "j", "frame": "j", "seen_from": "j" },
            { "name": "d", "type": "position", "i": "i", "j": "j", "frame": "j" },
            { "name": "r", "type": "angular_velocity", "i": "i", "j": "j", "frame": "j" },
        ],
    })
}

fn close(one: &BTreeMap<String, f64>, other: &BTreeMap<String, f64>, scale: f64, allowed: f64) {
    for (name, value) in one {
        let length = if "pqvd".contains(&name[..1]) { scale } else { 1.0 };
        assert!((value - other[name]).abs() < allowed * length, "{scale:e} {name}: {value} {}", other[name]);
    }
}

const FORCE: [&str; 3] = ["3*l - 2*d.x - 0.3*v.x", "l*sin(4*time) - d.y", "-1.5*d.z - 0.1*v.z"];
const TORQUE: [&str; 3] = ["l^2*(0.1 - 0.2*r.x)", "-0.05*l^2*r.y", "0.2*l^2*cos(3*time)"];

#[test]
fn a_general_force_is_a_force_and_a_torque() {
    for (scale, reaction) in [(1.0, json!("b")), (1e-6, json!("b")), (1e3, json!("b")), (1.0, Value::Null)] {
        let part = |name: &str, kind: &str, value: [&str; 3]| json!({ "name": name, "type": kind, "i": "i", "reaction": reaction, "frame": "j", "value": value });
        let apart =
            try_compile(&pair(&json!([part("f", "force", FORCE), part("t", "torque", TORQUE)]), scale)).expect("two");
        let one = json!([{ "name": "g", "type": "gforce", "i": "i", "reaction": reaction, "frame": "j", "force": FORCE, "torque": TORQUE }]);
        let one = try_compile(&pair(&one, scale)).expect("one");
        assert_eq!((one.force_count(), apart.force_count()), (1, 2));
        for method in tight_methods() {
            close(&run(&one, method.clone(), 0.4), &run(&apart, method, 0.4), scale, 1e-9);
        }
    }
}

/// `FORCE` and `TORQUE` for l = 1 by a function.
#[derive(Debug)]
struct Six;

impl ForceFunction for Six {
    fn value(&self, time: f64, a: &[f64], value: &mut [f64]) -> Result<(), Refusal> {
        let force = [3.0 - 2.0 * a[0] - 0.3 * a[3], (4.0 * time).sin() - a[1], -1.5 * a[2] - 0.1 * a[4]];
        let torque = [0.1 - 0.2 * a[5], -0.05 * a[6], 0.2 * (3.0 * time).cos()];
        value[..3].copy_from_slice(&force);
        value[3..].copy_from_slice(&torque);
        Ok(())
    }
}

#[test]
fn a_general_force_may_come_from_a_function() {
    let named = |force: Value| {
        let mut force =
            json!({ "name": "g", "type": "gforce", "i": "i", "reaction": "b", "frame": "j", "force": force });
        force["torque"] = json!(TORQUE);
        pair(&json!([force]), 1.0)
    };
    let expected = run(&try_compile(&named(json!(FORCE))).expect("compiled"), tight_methods()[0].clone(), 0.4);
    let arguments = ["d.x", "d.y", "d.z", "v.x", "v.z", "r.x", "r.y"].map(str::to_owned).to_vec();
    let mut functions = HostFunctions::default();
    functions.forces.insert("g".into(), HostForce { arguments, function: Arc::new(Six) });
    let model: Model = serde_json::from_value(named(json!([0, 0, 0]))).expect("a model");
    let mechanism = Arc::new(Mechanism::compile_with(&model, &functions).expect("compiled"));
    for method in tight_methods() {
        close(&expected, &run(&mechanism, method, 0.4), 1.0, 1e-8);
    }
}

/// A field is a bushing whose preload holds K free, and a general force whose expressions say the same where no angle enters.
#[test]
fn a_field_is_a_bushing_and_a_general_force() {
    let k: Vec<Vec<f64>> =
        (0..6).map(|r| (0..6).map(|c| if c < 3 { f64::from(3 * r + c).sin() } else { 0.0 }).collect()).collect();
    let damping: Vec<Vec<f64>> = (0..6).map(|r| (0..6).map(|c| 0.2 * f64::from(r + 2 * c).cos()).collect()).collect();
    let free = [0.2, -0.1, 0.3, 0.0, 0.0, 0.0];
    let shifted: Vec<f64> =
        k.iter().map(|row| row.iter().zip(free).map(|(k, free)| k * free).sum::<f64>() + 0.5).collect();
    let q = ["d.x", "d.y", "d.z"];
    let rates = ["v.x", "v.y", "v.z", "r.x", "r.y", "r.z"];
    let says = |row: usize| -> String {
        let springs = (0..3).map(|c| format!(" - ({:e})*({} - ({:e}))", k[row][c], q[c], free[c]));
        let dampers = (0..6).map(|c| format!(" - ({:e})*{}", damping[row][c], rates[c]));
        std::iter::once("0.5".to_owned()).chain(springs).chain(dampers).collect()
    };
    let field = json!([{ "name": "f", "type": "field", "i": "i", "j": "j", "stiffness_matrix": k, "damping_matrix": damping, "free": free, "preload": [0.5, 0.5, 0.5, 0.5, 0.5, 0.5], "angles": "projected" }]);
    let bushing = json!([{ "name": "f", "type": "bushing", "i": "i", "j": "j", "stiffness_matrix": k, "damping_matrix": damping, "preload": shifted, "angles": "projected" }]);
    let [force, torque] = [0, 3].map(|first| [0, 1, 2].map(|k| says(first + k)));
    let general = json!([{ "name": "f", "type": "gforce", "i": "i", "reaction": "b", "frame": "j", "force": force, "torque": torque }]);
    let [field, bushing, general] =
        [field, bushing, general].map(|forces| try_compile(&pair(&forces, 1.0)).expect("compiled"));
    for method in tight_methods() {
        let expected = run(&field, method.clone(), 0.5);
        close(&expected, &run(&bushing, method.clone(), 0.5), 1.0, 1e-9);
        close(&expected, &run(&general, method, 0.5), 1.0, 1e-9);
    }
}

/// A rotor on an axle in a case, held at constant speed by a motion, against the case with the couple: the rotor is balanced and round about
/// its axis, so that at rest it is a part of the case.
#[test]
fn a_gyroscopic_couple_is_a_rotor() {
    for axis in [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.36, 0.48, 0.8]] {
        let tilt = json!({ "z_axis": axis });
        let (spin, own, across) = (400.0, 0.002, 0.0012);
        let case = |mass: f64, inertia: Value| json!({ "name": "case", "mass": mass, "inertia": inertia, "angular_velocity": [0.4, -0.7, 0.3], "velocity": [0.1, 0.0, 0.0] });
        let measures = json!([{ "name": "w", "type": "angular_velocity", "i": "case" }, { "name": "q", "type": "quaternion", "i": "case" }, { "name": "e", "type": "kinetic_energy", "body": "case" }]);
        let z = nalgebra::Vector3::from(axis);
        let turn = nalgebra::Vector3::new(0.4, -0.7, 0.3);
        let turning: [f64; 3] = (turn + z * spin).into();
        let rotor = json!({
            "body": [case(1.0, json!([0.02, 0.03, 0.04])), { "name": "rotor", "mass": 0.5, "inertia": [across, across, own], "orientation": tilt, "velocity": [0.1, 0.0, 0.0], "angular_velocity": turning }],
            "marker": [{ "name": "axle", "body": "case", "orientation": tilt }],
            "joint": [{ "name": "bearing", "type": "revolute", "i": "rotor", "j": "axle" }],
            "motion": [{ "name": "drive", "joint": "bearing", "displacement": format!("{spin}*time") }],
            "measure": measures,
        });
        // diag + across 1 + (own - across) z z^T.
        let sum = nalgebra::Matrix3::from_diagonal(&nalgebra::Vector3::new(0.02, 0.03, 0.04))
            + nalgebra::Matrix3::identity() * across
            + z * z.transpose() * (own - across);
        let inertia = json!([sum[(0, 0)], sum[(1, 1)], sum[(2, 2)], sum[(0, 1)], sum[(0, 2)], sum[(1, 2)]]);
        let couple = json!({
            "body": [case(1.5, inertia)],
            "marker": [{ "name": "axle", "body": "case", "orientation": tilt }],
            "force": [{ "name": "rotor", "type": "gyroscopic_couple", "i": "axle", "momentum": own * spin }],
            "measure": measures,
        });
        let [rotor, couple] = [rotor, couple].map(|model| try_compile(&model).expect("compiled"));
        let expected = run(&rotor, tight_methods()[0].clone(), 1.0);
        let start = 0.5 * (1.5 * 0.01 + (sum * turn).dot(&turn));
        for method in tight_methods() {
            let found = run(&couple, method, 1.0);
            for name in ["w.x", "w.y", "w.z"] {
                assert!((found[name] - expected[name]).abs() < 1e-6, "{axis:?} {name}: {found:?} {expected:?}");
            }
            assert!((found["e"] - start).abs() < 1e-8, "no work: {} {start}", found["e"]);
        }
    }
}

#[test]
fn forces_that_make_no_sense_are_refused_at_their_place() {
    for (force, parts) in [
        (json!({ "name": "f", "type": "gforce", "i": "i", "reaction": "a" }), ["reaction", "same body"]),
        (json!({ "name": "f", "type": "gforce", "i": "i", "torque": ["zz", 0, 0] }), ["torque", "zz"]),
        (json!({ "name": "f", "type": "gforce", "i": "i", "force": [0, 0, "d.x + d"] }), ["force", "`d`"]),
        (json!({ "name": "f", "type": "field", "i": "i", "j": "a" }), ["j", "both on"]),
        (json!({ "name": "f", "type": "field", "i": "i", "j": "j", "free": [0, 0, 0, 0, 0, "0/0"] }), ["free", "0/0"]),
        (json!({ "name": "f", "type": "gyroscopic_couple", "i": "ground", "momentum": 1 }), ["i", "ground"]),
        (json!({ "name": "f", "type": "gyroscopic_couple", "i": "i", "momentum": "log(-1)" }), ["momentum", "log(-1)"]),
    ] {
        let error = try_compile(&pair(&json!([force]), 1.0)).expect_err("refused").to_string();
        assert!(error.contains("\"f\"") && parts.iter().all(|part| error.contains(part)), "{error}");
    }
}
