//! Motions against equations written by hand, and what analyses make of the same reactions.

use super::derivatives::{KINDS, chain};
use super::{gstiff, methods};
use crate::support::runs::{named_measures, try_compile};
use fourbar_multibody::analysis::Kinematics;
use fourbar_multibody::dae::Dae;
use fourbar_multibody::integrator::Stop;
use fourbar_multibody::{Dynamics, DynamicsOptions, Equations, Formulation, Method};
use serde_json::{Value, json};
use std::sync::Arc;

const G: f64 = 9.81;
const MASS: f64 = 1.5;
const LENGTH: f64 = 0.4;
const MOMENT: f64 = 0.05;
const R: f64 = 0.03;
const MU: f64 = 0.3;
const V_T: f64 = 0.01;

fn pendulum() -> Value {
    json!({
        "gravity": [0, 0, -G],
        "body": [{ "name": "rod", "mass": MASS, "inertia": [MOMENT, MOMENT, MOMENT], "position": [LENGTH, 0, 0] }],
        "marker": [
            { "name": "pin", "body": "rod", "position": [-LENGTH, 0, 0], "orientation": { "z_axis": [0, 1, 0], "x_axis": [1, 0, 0] } },
            { "name": "base", "body": "ground", "orientation": { "z_axis": [0, 1, 0], "x_axis": [0, 0, -1] } },
        ],
        "joint": [{ "name": "hinge", "type": "revolute", "i": "pin", "j": "base" }],
        "friction": [{ "name": "rub", "joint": "hinge", "mu_dynamic": MU, "mu_static": 0.45, "transition_velocity": V_T, "pin_radius": R }],
        "measure": [
            { "name": "angle", "type": "angle", "i": "pin", "j": "base" },
            { "name": "w", "type": "angular_velocity", "i": "pin", "component": "y" },
            { "name": "m", "type": "reaction", "force": "rub", "quantity": "torque", "component": "y" },
        ],
    })
}

/// The coefficient of friction at a velocity of the surface, written again.
fn mu(v: f64) -> f64 {
    let x = v / V_T;
    MU * (4.0 * x).tanh() + 0.15 * x / (0.25 * x * x + 0.75).powi(2)
}

/// The angular acceleration from the lowest place: the reaction is the sum of m (g cos + l w^2) along the rod and m (l a + g sin) across it.
fn acceleration(weight: f64, angle: f64, w: f64) -> f64 {
    let along = weight * angle.cos() + MASS * LENGTH * w * w;
    let friction = R * mu(R * w);
    let mut a = 0.0_f64;
    // A contraction: mu R m l over the moment is 0.14.
    for _ in 0..40 {
        let across = MASS * LENGTH * a + weight * angle.sin();
        a = (-weight * LENGTH * angle.sin() - friction * along.hypot(across)) / (MOMENT + MASS * LENGTH * LENGTH);
    }
    a
}

/// Runge and Kutta's classical method with steps of 20 us.
fn by_hand(weight: f64, [mut angle, mut w]: [f64; 2], end: f64) -> [f64; 2] {
    let steps = (end / 2e-5).round() as usize;
    let h = end / steps as f64;
    for _ in 0..steps {
        let slope = |da: f64, dw: f64| [w + dw, acceleration(weight, angle + da, w + dw)];
        let k1 = slope(0.0, 0.0);
        let k2 = slope(0.5 * h * k1[0], 0.5 * h * k1[1]);
        let k3 = slope(0.5 * h * k2[0], 0.5 * h * k2[1]);
        let k4 = slope(h * k3[0], h * k3[1]);
        angle += h / 6.0 * (k1[0] + 2.0 * (k2[0] + k3[0]) + k4[0]);
        w += h / 6.0 * (k1[1] + 2.0 * (k2[1] + k3[1]) + k4[1]);
    }
    [angle, w]
}

/// HHT is of second order and 100 times as coarse; index 3 has velocities a thousand times the tolerance off.
fn allowed((method, formulation): &(Method, Formulation)) -> f64 {
    match method {
        Method::Hht(_) => 2e-4,
        _ if *formulation == Formulation::I3 => 1e-5,
        _ => 1e-6,
    }
}

#[test]
fn a_pendulum_swings_as_equations_by_hand_say() {
    let mechanism = try_compile(&pendulum()).expect("compiled");
    let start = named_measures(&mechanism, gstiff(1e-9, Formulation::Si2), &[1e-9])[0]["angle"];
    // It turns back once, at 0.7 s: through rest.
    for time in [0.3, 1.5] {
        let [angle, w] = by_hand(MASS * G, [start, 0.0], time);
        for method in methods(1e-9) {
            let found = &named_measures(&mechanism, method.clone(), &[time])[0];
            let off = (found["angle"] - angle).abs().max((found["w"] - w).abs());
            assert!(off < allowed(&method), "{method:?} {found:?}: {angle} {w}");
        }
    }
}

/// The first point satisfies all equations: accelerations and multipliers are found together.
#[test]
fn starts_satisfy_the_equations() {
    for kind in KINDS {
        for (ground_is_i, reversed) in [(false, false), (true, false), (false, true)] {
            let mut model = chain(kind, ground_is_i, reversed);
            model["body"][0]["angular_velocity"] = json!([1.0, -2.0, 0.5]);
            model["body"][0]["velocity"] = json!([0.3, 1.0, 0.5]);
            model["body"][1]["angular_velocity"] = json!([-1.0, 1.0, 2.5]);
            let mechanism = try_compile(&model).expect("compiled");
            let plain = {
                model["friction"] = json!([]);
                try_compile(&model).expect("compiled").start().multipliers.clone()
            };
            let with = &mechanism.start().multipliers;
            let change = with.iter().zip(&plain).fold(0.0_f64, |most, (a, b)| most.max((a - b).abs()));
            assert!(change > 1e-2, "{kind}: friction changes the reactions by {change} only");
            for formulation in [Formulation::Si2, Formulation::I3, Formulation::Si1] {
                let mut equations = Equations::new(Arc::clone(&mechanism), formulation, mechanism.start());
                let n = equations.dimension();
                let [mut y, mut yp, mut r] = [vec![0.0; n], vec![0.0; n], vec![0.0; n]];
                equations.write(mechanism.start(), &mut y, &mut yp);
                equations.residual(0.0, &y, &yp, &mut r).expect("a residual");
                let worst = r.iter().fold(0.0_f64, |most, r| most.max(r.abs()));
                assert!(worst < 1e-9, "{kind} {formulation:?}: {worst:e}");
            }
        }
    }
}

/// A slider-crank, driven: what its motor does is what friction takes and what the energy gains.
fn slider_crank() -> Value {
    let z = json!({ "z_axis": [0, 1, 0], "x_axis": [1, 0, 0] });
    let marker = |name: &str, body: &str, at: [f64; 3]| json!({ "name": name, "body": body, "position": at, "frame": "global", "orientation": z });
    let body =
        |name: &str, at: [f64; 3]| json!({ "name": name, "mass": 1.0, "inertia": [0.01, 0.01, 0.01], "position": at });
    let pin = |name: &str, i: &str, j: &str, kind: &str| json!({ "name": name, "type": kind, "i": i, "j": j });
    let rub = |joint: &str, arms: Value| {
        let mut rub =
            json!({ "name": format!("rub {joint}"), "joint": joint, "mu_dynamic": 0.2, "transition_velocity": 0.02 });
        arms.as_object().expect("arms").iter().for_each(|(name, value)| rub[name] = value.clone());
        rub
    };
    json!({
        "gravity": [0, 0, -G],
        "body": [body("crank", [0.0, 0.0, 0.1]), body("rod", [0.2, 0.0, 0.1]), body("slider", [0.4, 0.0, 0.0])],
        "marker": [
            marker("c0", "crank", [0.0; 3]), marker("g0", "ground", [0.0; 3]),
            marker("c1", "crank", [0.0, 0.0, 0.2]), marker("r1", "rod", [0.0, 0.0, 0.2]),
            marker("r2", "rod", [0.4, 0.0, 0.0]), marker("s2", "slider", [0.4, 0.0, 0.0]),
            { "name": "s3", "body": "slider", "orientation": { "z_axis": [1, 0, 0], "x_axis": [0, 1, 0] } },
            { "name": "g3", "body": "ground", "orientation": { "z_axis": [1, 0, 0], "x_axis": [0, 1, 0] } },
        ],
        "joint": [pin("a", "c0", "g0", "revolute"), pin("b", "r1", "c1", "revolute"), pin("c", "s2", "r2", "spherical"), pin("d", "s3", "g3", "prismatic")],
        "motion": [{ "name": "motor", "joint": "a", "displacement": "3*time" }],
        "friction": [rub("a", json!({ "pin_radius": 0.02 })), rub("b", json!({ "pin_radius": 0.02, "friction_arm": 0.01 })), rub("d", json!({ "bending_arm": 0.05 }))],
        "measure": [
            { "name": "motor", "type": "reaction", "motion": "motor", "quantity": "torque", "component": "y" },
            { "name": "kinetic", "type": "kinetic_energy" }, { "name": "energy", "type": "total_energy" },
            { "name": "wb", "type": "angular_velocity", "i": "r1", "j": "c1", "component": "y" },
            { "name": "vd", "type": "velocity", "i": "s3", "component": "x" },
            { "name": "ma", "type": "reaction", "force": "rub a", "quantity": "torque", "component": "y" },
            { "name": "mb", "type": "reaction", "force": "rub b", "quantity": "torque", "component": "y" },
            { "name": "fd", "type": "reaction", "force": "rub d", "quantity": "force", "component": "x" },
            { "name": "ra", "type": "reaction", "joint": "a", "quantity": "force" },
        ],
    })
}

#[test]
fn a_driven_crank_needs_what_friction_takes() {
    let mechanism = try_compile(&slider_crank()).expect("compiled");
    let index = |name: &str| mechanism.measures().iter().position(|info| info.name == name).expect(name);
    let mut kinematics = Kinematics::new(&mechanism).expect("driven");
    let mut sample = |t: f64| {
        kinematics.go_to(t).expect("it follows");
        let mut values = vec![0.0; mechanism.measures().len()];
        kinematics.measures(&mut values).expect("measures");
        values
    };
    let (at, h) = (0.37, 1e-3);
    let [before, now, after] = [at - h, at, at + h].map(&mut sample);
    let change = (after[index("energy")] - before[index("energy")]) / (2.0 * h);
    let get = |name: &str| now[index(name)];
    let friction = get("ma") * 3.0 + get("mb") * get("wb") + get("fd") * get("vd");
    assert!(friction < -0.5, "{friction}");
    let power = get("motor") * 3.0 + friction;
    // Differences leave the square of h times a third derivative, some 1e3.
    assert!((power - change).abs() < 1e-3, "{power} {change}");
    // Coulomb's law at the guide and at the crank's pin: 0.2 N, the velocity being ten times that of transition and more.
    let radial = get("ra.x").hypot(get("ra.z"));
    assert!((get("ma") + 0.2 * 0.02 * radial * (4.0_f64 * 3.0).tanh()).abs() < 1e-9, "{} {radial}", get("ma"));
    for method in methods(1e-9) {
        let found = &named_measures(&mechanism, method.clone(), &[at])[0];
        for name in ["motor", "ma", "mb", "fd"] {
            assert!((found[name] - get(name)).abs() < 1e-4, "{method:?} {name}: {} {}", found[name], get(name));
        }
    }
}

/// An input that jumps from 0 to 40 N adds to the weight, and to what presses.
#[test]
fn inputs_that_jump_change_what_presses() {
    let mut model = pendulum();
    model["input"] = json!([{ "name": "pull", "value": 0 }]);
    model["force"] = json!([{ "name": "load", "type": "force", "i": "rod", "value": [0, 0, "-pull"] }]);
    let mechanism = try_compile(&model).expect("compiled");
    let start = named_measures(&mechanism, gstiff(1e-9, Formulation::Si2), &[1e-9])[0]["angle"];
    let [angle, w] = by_hand(MASS * G, [start, 0.0], 0.2);
    let [angle, w] = by_hand(MASS * G + 40.0, [angle, w], 0.1);
    for (method, formulation) in methods(1e-9) {
        let options = DynamicsOptions { formulation, method: method.clone(), end: 0.0, stop_times: vec![] };
        let mut dynamics = Dynamics::new(&mechanism, &options).expect("a start");
        let to = |dynamics: &mut Dynamics, t: f64| {
            dynamics.set_end(t).expect("an end");
            while dynamics.step().expect("a step") != Stop::EndTime {}
        };
        to(&mut dynamics, 0.2);
        dynamics.set_inputs([[40.0, 0.0, 0.0]].into_iter()).expect("inputs");
        to(&mut dynamics, 0.3);
        let mut values = vec![0.0; mechanism.measures().len()];
        dynamics.measures_at(0.3, &mut values).expect("measures");
        let off = (values[0] - angle).abs().max((values[1] - w).abs());
        assert!(off < allowed(&(method.clone(), formulation)), "{method:?} {formulation:?} {values:?}: {angle} {w}");
    }
}
