//! Measures against closed forms and differences of the motion of two free balls, which is known exactly.

use fourbar_multibody::analysis::Sampler;
use fourbar_multibody::integrator::{Gstiff, Stop};
use fourbar_multibody::measure::{Kinematic, KinematicQuantity, Projection};
use fourbar_multibody::model::Component;
use fourbar_multibody::space::{FixedFrame, M3, Pose, V3, rotation};
use fourbar_multibody::{Dynamics, DynamicsOptions, Formulation, Mechanism, Model};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;

type Three = [f64; 3];

/// A ball of 2 kg and 0.3 kg m²: it turns with a constant angular velocity.
fn ball(name: &str, [position, turn, velocity, spin]: [Three; 4]) -> Value {
    let (turn, angle) = (V3::from(turn), V3::from(turn).norm());
    let axis: Three = if angle > 0.0 { (turn / angle).into() } else { [0.0, 0.0, 1.0] };
    json!({ "name": name, "mass": 2, "inertia": [0.3, 0.3, 0.3], "position": position, "velocity": velocity,
        "angular_velocity": spin, "orientation": { "axis": axis, "angle": angle } })
}

/// Two balls with a marker off the centre of each, forces and measures.
fn model(balls: [[Three; 4]; 2], forces: Value, measures: Value) -> Arc<Mechanism> {
    let marker = |name: &str, body: &str, r: Three, angle: f64| json!({ "name": name, "body": body, "position": r, "orientation": { "axis": [0.6, 0.0, 0.8], "angle": angle } });
    let model = json!({
        "body": [ball("a", balls[0]), ball("b", balls[1])],
        "marker": [marker("i", "a", [0.3, -0.2, 0.5], 0.4), marker("j", "b", [-0.1, 0.6, 0.2], 1.1)],
        "force": forces, "measure": measures,
    });
    let model: Model = serde_json::from_value(model).expect("a model");
    Arc::new(Mechanism::compile(&model).expect("compiled"))
}

/// The measures at the start, by name.
fn sampled(mechanism: &Mechanism) -> BTreeMap<String, f64> {
    let mut state = mechanism.start().clone();
    let mut values = vec![0.0; mechanism.measures().len()];
    let mut sampler = Sampler::new(mechanism, &state).expect("a sampler");
    sampler.sample(mechanism, &mut state, &mut values).expect("sampled");
    mechanism.measures().iter().map(|info| info.name.clone()).zip(values).collect()
}

fn vector(values: &BTreeMap<String, f64>, name: &str) -> V3 {
    V3::from(["x", "y", "z"].map(|k| values[&format!("{name}.{k}")]))
}

fn three(size: f64) -> impl Strategy<Value = Three> {
    prop::array::uniform3(-size..size)
}

fn balls() -> impl Strategy<Value = [[Three; 4]; 2]> {
    let one = || [three(2.0), three(1.7), three(3.0), three(2.0)];
    [one(), one()]
}

/// A marker's frame, body index and place as `model` gives them.
fn frames() -> [FixedFrame; 2] {
    let c = |angle: f64| rotation(&(V3::new(0.6, 0.0, 0.8) * angle));
    [
        FixedFrame { body: 0, r: V3::new(0.3, -0.2, 0.5), c: c(0.4) },
        FixedFrame { body: 1, r: V3::new(-0.1, 0.6, 0.2), c: c(1.1) },
    ]
}

/// The poses of the balls and the ground at another time.
fn moved(mechanism: &Mechanism, t: f64) -> Vec<Pose> {
    let free = |p: &Pose| Pose { x: p.x + p.v * t, a: rotation(&(p.w * t)) * p.a, ..*p };
    mechanism.start().poses.iter().map(free).chain([Pose::ground()]).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    /// Velocities and accelerations seen from a marker are differences of the vector written in its axes.
    #[test]
    fn vectors_are_differentiated_in_the_frame_they_are_seen_from(balls in balls()) {
        let kinds = ["velocity", "acceleration", "angular_velocity", "angular_acceleration"];
        let from = |kind: &&str| {
            let mut measure = json!({ "name": kind, "type": kind, "i": "i" });
            if *kind != "angular_velocity" { measure["seen_from"] = "j".into(); }
            measure
        };
        let mechanism = model(balls, json!([]), kinds.iter().map(from).collect());
        let values = sampled(&mechanism);
        let [i, j] = frames();
        // p of I against the global origin, and its angular velocity, in axes of J.
        let at = |t: f64| {
            let poses = moved(&mechanism, t);
            (j.axes(&poses).tr_mul(&i.origin(&poses)), j.axes(&poses).tr_mul(&poses[0].w))
        };
        let h = 1e-4;
        let [(before, w_before), (now, _), (behind, w_behind)] = [-h, 0.0, h].map(at);
        let axes = j.axes(&moved(&mechanism, 0.0));
        let first = axes * (behind - before) / (2.0 * h);
        let second = axes * (behind - 2.0 * now + before) / (h * h);
        let turning = axes * (w_behind - w_before) / (2.0 * h);
        // Third and fourth derivatives are at most some hundreds: h² times them; round-off is 1e-15/h² = 1e-7.
        prop_assert!((first - vector(&values, "velocity")).norm() < 1e-5);
        prop_assert!((second - vector(&values, "acceleration")).norm() < 1e-4);
        prop_assert!((turning - vector(&values, "angular_acceleration")).norm() < 1e-5);
    }

    /// Angles and quaternion give the rotation back that they describe.
    #[test]
    fn orientations_give_the_rotation_back(balls in balls()) {
        let pair = |kind: &str| json!({ "name": kind, "type": kind, "i": "i", "j": "j" });
        let all = ["euler_angles", "yaw_pitch_roll", "quaternion", "axis_angles"].map(pair);
        let mechanism = model(balls, json!([]), json!(all));
        let values = sampled(&mechanism);
        let [i, j] = frames();
        let poses = moved(&mechanism, 0.0);
        let r = j.axes(&poses).tr_mul(&i.axes(&poses));
        let about = |axis: usize, name: &str, sign: f64| {
            let mut v = V3::zeros();
            v[axis] = sign * values[name];
            rotation(&v)
        };
        let euler = about(2, "euler_angles.psi", 1.0) * about(0, "euler_angles.theta", 1.0) * about(2, "euler_angles.phi", 1.0);
        prop_assert!((euler - r).norm() < 1e-12);
        prop_assert!((0.0..=std::f64::consts::PI).contains(&values["euler_angles.theta"]));
        // Adams: pitch has the opposite sign of the second angle.
        let sequence = about(2, "yaw_pitch_roll.yaw", 1.0) * about(1, "yaw_pitch_roll.pitch", -1.0) * about(0, "yaw_pitch_roll.roll", 1.0);
        prop_assert!((sequence - r).norm() < 1e-12);
        let [w, x, y, z] = [0, 1, 2, 3].map(|k| values[&format!("quaternion.e{k}")]);
        let q = nalgebra::UnitQuaternion::new_unchecked(nalgebra::Quaternion::new(w, x, y, z));
        prop_assert!(w >= 0.0 && (q.norm() - 1.0).abs() < 1e-12 && (q.to_rotation_matrix().matrix() - r).norm() < 1e-12);
        let expected = [(-r[(1, 2)]).atan2(r[(2, 2)]), r[(0, 2)].atan2(r[(2, 2)]), r[(1, 0)].atan2(r[(0, 0)])];
        for (axis, expected) in ["x", "y", "z"].iter().zip(expected) {
            let found = values[&format!("axis_angles.{axis}")];
            prop_assert!((found - expected).abs() < 1e-12);
        }
    }

    /// The gradient of each kinematic measure is that of differences: of places, rotations, velocities, angular velocities.
    #[test]
    fn gradients_are_those_of_differences(balls in balls(), quantity in 0..4usize, third in 0..2usize) {
        let mechanism = model(balls, json!([]), json!([]));
        let [i, j] = frames();
        let seen_from = FixedFrame { body: third, r: V3::new(0.1, 0.2, 0.3), c: M3::identity() };
        let quantity = match quantity {
            0 => KinematicQuantity::Velocity { projection: Projection { frame: seen_from, component: Component::Y }, seen_from },
            1 => KinematicQuantity::Bearing,
            2 => KinematicQuantity::Inclination,
            _ => KinematicQuantity::Elevation,
        };
        let kinematic = Kinematic { quantity, i, j };
        let poses = moved(&mechanism, 0.0);
        // Near an axis along z the angles have no bounds on their slopes.
        let along = i.axis(&poses, 0).dot(&j.axis(&poses, 2));
        prop_assume!(along.abs() < 0.95);
        for body in 0..2 {
            prop_assert!(kinematic.depends_on(body));
            let gradient = kinematic.gradient(0.0, body, &poses, &[]);
            for k in 0..12 {
                let h = 1e-6;
                let value = |sign: f64| {
                    let (mut poses, mut by) = (poses.clone(), V3::zeros());
                    by[k % 3] = sign * h;
                    let p = &mut poses[body];
                    match k / 3 {
                        0 => p.x += by,
                        1 => p.a = rotation(&by) * p.a,
                        2 => p.v += by,
                        _ => p.w += by,
                    }
                    kinematic.value(0.0, &poses, &[])
                };
                let difference = (value(1.0) - value(-1.0)) / (2.0 * h);
                prop_assert!((difference - gradient[k / 3][k % 3]).abs() < 1e-6 * (1.0 + difference.abs()), "{k} of body {body}");
            }
        }
    }

    /// Momenta and energies of a body; wrenches of a spring, a force and a torque, in any axes.
    #[test]
    fn bodies_and_forces_by_closed_forms(balls in balls(), f in three(5.0)) {
        let reaction = |name: &str, force: &str, quantity: &str| {
            json!({ "name": name, "type": "reaction", "force": force, "quantity": quantity, "frame": "j" })
        };
        let measures = json!([
            { "name": "p", "type": "momentum", "body": "a" },
            { "name": "l", "type": "angular_momentum", "body": "a", "frame": "j" },
            { "name": "k", "type": "kinetic_energy", "body": "a" },
            { "name": "sum", "type": "kinetic_energy" },
            { "name": "other", "type": "kinetic_energy", "body": "b" },
            { "name": "size", "type": "momentum", "body": "b", "component": "magnitude" },
            reaction("pull", "spring", "force"), reaction("turn", "spring", "torque"),
            reaction("push", "push", "force"), reaction("moment", "moment", "torque"), reaction("none", "moment", "force"),
        ]);
        let forces = json!([
            { "name": "spring", "type": "spring_damper", "i": "i", "j": "j", "stiffness": 50, "damping": 3, "free_length": 0.7 },
            { "name": "push", "type": "force", "i": "i", "value": f, "frame": "i" },
            { "name": "moment", "type": "torque", "i": "i", "value": f },
        ]);
        let mechanism = model(balls, forces, measures);
        let values = sampled(&mechanism);
        let [i, j] = frames();
        let poses = moved(&mechanism, 0.0);
        let (a, b, axes) = (&poses[0], &poses[1], j.axes(&poses));
        prop_assert!((vector(&values, "p") - a.v * 2.0).norm() < 1e-12);
        prop_assert!((axes * vector(&values, "l") - a.w * 0.3).norm() < 1e-12);
        let kinetic = |p: &Pose| 0.5 * (2.0 * p.v.norm_squared() + 0.3 * p.w.norm_squared());
        prop_assert!((values["k"] - kinetic(a)).abs() < 1e-12 && (values["sum"] - values["k"] - values["other"]).abs() < 1e-12);
        prop_assert!((values["size"] - 2.0 * b.v.norm()).abs() < 1e-12);
        let d = i.origin(&poses) - j.origin(&poses);
        let (length, along) = (d.norm(), d.normalize());
        let rate = along.dot(&(i.velocity(&poses) - j.velocity(&poses)));
        let pull = along * (-50.0 * (length - 0.7) - 3.0 * rate);
        prop_assert!((axes * vector(&values, "pull") - pull).norm() < 1e-10);
        prop_assert!(vector(&values, "turn").norm() < 1e-10 && vector(&values, "none").norm() == 0.0);
        prop_assert!((axes * vector(&values, "push") - i.axes(&poses) * V3::from(f)).norm() < 1e-11);
        prop_assert!((axes * vector(&values, "moment") - V3::from(f)).norm() < 1e-11);
    }
}

/// A ball that turns by 3 rad/s about a tilted axis: e0 = cos(1.5 t), through more than two turns of the quaternion.
#[test]
fn a_quaternion_keeps_its_sign_through_turns() {
    let still = [[0.0; 3]; 4];
    let spin = [[0.0; 3], [0.0; 3], [0.0; 3], [1.8, 0.0, 2.4]];
    let mechanism = model([spin, still], json!([]), json!([{ "name": "q", "type": "quaternion", "i": "a" }]));
    let options = DynamicsOptions {
        formulation: Formulation::Si2,
        method: Gstiff::with_tolerance(1e-8).into(),
        end: 9.0,
        stop_times: (1..90).map(|k| 0.1 * f64::from(k)).collect(),
    };
    let mut dynamics = Dynamics::new(&mechanism, &options).expect("dynamics");
    loop {
        let stop = dynamics.step().expect("a step");
        if stop != Stop::Step {
            let (t, mut q) = (dynamics.time(), [0.0; 4]);
            dynamics.measures_at(t, &mut q).expect("measures");
            let (half_sin, half_cos) = (1.5 * t).sin_cos();
            let expected = [half_cos, 0.6 * half_sin, 0.0, 0.8 * half_sin];
            // The tolerance is 1e-8 a step; 9 s take some hundreds.
            for (q, e) in q.iter().zip(expected) {
                assert!((q - e).abs() < 1e-5, "at {t}: {q} for {e}");
            }
        }
        if stop == Stop::EndTime {
            return;
        }
    }
}
