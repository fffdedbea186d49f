//! Motions along and about any axis, of joints and between markers: where they take a body, what they need for it, and a pendulum whose plane is turned.

use crate::support::runs::{compile, measures, methods};
use fourbar_multibody::analysis::Kinematics;
use fourbar_multibody::integrator::{Abam, Gstiff, Rkf45, Stop};
use fourbar_multibody::model::Model;
use fourbar_multibody::{Dynamics, DynamicsOptions, Equations, Formulation, Mechanism, Method};
use nalgebra::{Matrix3, Rotation3, Vector3};
use serde_json::{Value, json};
use std::f64::consts::FRAC_PI_2;
use std::sync::Arc;

type V3 = Vector3<f64>;
type M3 = Matrix3<f64>;

const GRAVITY: f64 = 9.81;

/// Where and how large something is drawn.
#[derive(Debug, Clone, Copy)]
struct Drawn {
    /// Metres of a unit of length.
    unit: f64,
    /// Rotation vector of the whole.
    turn: [f64; 3],
    /// Shift of the whole, in units of length.
    origin: f64,
}

const PLAIN: Drawn = Drawn { unit: 1.0, turn: [0.0; 3], origin: 0.0 };

/// In metres, millimetres and kilometres, tilted, with axes exchanged, far from the origin.
const ALL: [Drawn; 5] = [
    PLAIN,
    Drawn { unit: 1e-3, turn: [0.4, -1.1, 0.7], origin: 0.0 },
    Drawn { unit: 1e3, turn: [0.0, std::f64::consts::FRAC_PI_2, 0.0], origin: 0.0 },
    Drawn { unit: 1.0, turn: [2.0 * std::f64::consts::FRAC_PI_3; 3], origin: 0.0 },
    Drawn { unit: 1.0, turn: [-0.3, 0.2, 0.1], origin: 1e3 },
];

impl Drawn {
    fn turn(&self) -> M3 {
        Rotation3::from_scaled_axis(V3::from(self.turn)).into_inner()
    }

    fn place(&self, at: V3) -> V3 {
        self.turn() * (at + V3::new(1.0, -0.5, 0.3) * self.origin) * self.unit
    }

    fn marker(&self, body: &str, at: V3, axes: &M3) -> Value {
        let axes = self.turn() * axes;
        let orientation = json!({"z_axis": list(axes.column(2).into()), "x_axis": list(axes.column(0).into())});
        json!({"body": body, "position": list(self.place(at)), "orientation": orientation, "frame": "global"})
    }
}

fn list(v: V3) -> Value {
    json!([v.x, v.y, v.z])
}

fn refused(model: &Value) -> String {
    let model: Model = serde_json::from_value(model.clone()).expect("a model");
    Mechanism::compile(&model).expect_err("refused").to_string()
}

fn about(axis: V3, angle: f64) -> M3 {
    Rotation3::from_scaled_axis(axis * angle).into_inner()
}

/// Displacements in units of length, then the three angles.
fn course(t: f64) -> [f64; 6] {
    [0.3 * t, 0.5 * t * t, (2.0 * t).sin(), 3.0 * t, 0.8 * t.sin(), 0.4 - 4.0 * t]
}

const COURSE: [(&str, &str); 6] = [
    ("x", "0.3*time"),
    ("y", "0.5*time^2"),
    ("z", "sin(2*time)"),
    ("rotation_x", "3*time"),
    ("rotation_y", "0.8*sin(time)"),
    ("rotation_z", "0.4 - 4*time"),
];

const MASS: f64 = 2.0;
const INERTIA: [f64; 3] = [0.2, 0.3, 0.4];

/// Axes of J where nothing is turned.
fn axes_j() -> M3 {
    about(V3::new(0.2, 0.9, -0.5), 1.0)
}

/// Axes of the body at `t`.
fn axes_i(t: f64) -> M3 {
    let [.., a, b, c] = course(t);
    axes_j() * about(V3::x(), a) * about(V3::y(), b) * about(V3::z(), c)
}

/// A body that six motions take along its course.
fn driven(drawn: &Drawn) -> Value {
    let (u, a) = (drawn.unit, drawn.turn() * axes_i(0.0));
    let rotation = Rotation3::from_matrix_unchecked(a).scaled_axis();
    let j = drawn.marker("ground", V3::zeros(), &axes_j());
    let motion = |(direction, text): (&str, &str)| {
        let of = if direction.len() == 1 { format!("{u}*({text})") } else { text.to_owned() };
        json!({"name": direction, "i": "body", "j": j, "direction": direction, "displacement": of})
    };
    let reaction = |name: &str, quantity: &str| json!({"name": format!("{quantity}_{name}"), "type": "reaction", "motion": name, "quantity": quantity});
    let names = COURSE.map(|(name, _)| name);
    let reactions: Vec<Value> =
        ["force", "torque"].into_iter().flat_map(|quantity| names.map(|name| reaction(name, quantity))).collect();
    json!({
        "gravity": list(drawn.turn() * V3::new(0.0, 0.0, -GRAVITY * u)),
        "body": [{"name": "body", "mass": MASS, "inertia": INERTIA.map(|j| j * u * u), "position": list(drawn.place(V3::zeros())),
            "orientation": {"axis": list(rotation), "angle": rotation.norm()}}],
        "motion": COURSE.map(motion),
        "measure": reactions,
    })
}

/// Force without gravity, and torque, by differences of the course.
fn needed(t: f64) -> [V3; 2] {
    let h = 1e-3;
    let place = |t| axes_j() * V3::from_column_slice(&course(t)[..3]);
    let force = (place(t + h) - place(t) * 2.0 + place(t - h)) / (h * h) * MASS + V3::z() * (GRAVITY * MASS);
    let momentum = |t: f64| {
        let w = Rotation3::from_matrix_unchecked(axes_i(t + h) * axes_i(t - h).transpose()).scaled_axis() / (2.0 * h);
        axes_i(t) * V3::from(INERTIA).component_mul(&(axes_i(t).transpose() * w))
    };
    [force, (momentum(t + h) - momentum(t - h)) / (2.0 * h)]
}

#[test]
fn six_motions_between_markers_take_a_body_along_its_course() {
    for drawn in ALL {
        let (u, mechanism) = (drawn.unit, compile(&driven(&drawn)));
        assert_eq!(mechanism.degrees_of_freedom(), 0);
        let mut kinematics = Kinematics::new(&mechanism).expect("driven");
        let end = 3.0;
        kinematics.go_to(end).expect("it follows");
        let pose = kinematics.state().poses[0];
        let expected = drawn.place(axes_j() * V3::from_column_slice(&course(end)[..3]));
        assert!((pose.x - expected).norm() < 1e-10 * u * (1.0 + drawn.origin), "{drawn:?} {} {expected}", pose.x);
        assert!((pose.a - drawn.turn() * axes_i(end)).norm() < 1e-9, "{drawn:?}");
        let found = measures(&mechanism, (Gstiff::with_tolerance(1e-9).into(), Formulation::Si2), end);
        let sum = |from: usize| -> V3 { found[from..from + 18].chunks_exact(3).map(V3::from_column_slice).sum() };
        let [force, torque] = needed(end).map(|v| drawn.turn() * v);
        // Differences leave 1e-6.
        assert!((sum(0) - force * u).norm() < 2e-5 * force.norm() * u, "{drawn:?} {} {force}", sum(0));
        assert!((sum(18) - torque * u * u).norm() < 2e-5 * torque.norm() * u * u, "{drawn:?} {} {torque}", sum(18));
    }
}

const LENGTH: f64 = 0.7;
const OMEGA: f64 = 5.0;
/// Inertia of the pendulum about axes across it, about its own, at its centre.
const ACROSS: f64 = 0.05;
const ALONG: f64 = 0.02;

/// A pendulum in a ball joint, at the angle `b` under the level, whose plane turns about the vertical x axis of J at `OMEGA`; it does not spin about
/// its own axis. Given by its rate, or by the angle.
fn turned_pendulum(drawn: &Drawn, b: f64, motion: &Value) -> Value {
    let u = drawn.unit;
    let vector = |v: V3| list(drawn.turn() * v);
    let axes = about(V3::y(), b);
    let z = axes * V3::z();
    let rotation = Rotation3::from_matrix_unchecked(drawn.turn() * axes).scaled_axis();
    let w = (V3::x() - z * z.x) * OMEGA;
    let mut motion = motion.clone();
    motion["name"] = json!("motor");
    motion["direction"] = json!("rotation_x");
    let joint = json!({"name": "ball", "type": "spherical", "i": drawn.marker("bob", V3::zeros(), &axes), "j": drawn.marker("ground", V3::zeros(), &M3::identity())});
    json!({
        "gravity": vector(V3::new(-GRAVITY * u, 0.0, 0.0)),
        "body": [{"name": "bob", "mass": MASS, "inertia": [ACROSS * u * u, ACROSS * u * u, ALONG * u * u], "position": list(drawn.place(z * LENGTH)),
            "orientation": {"axis": list(rotation), "angle": rotation.norm()}, "angular_velocity": vector(w), "velocity": vector(w.cross(&z) * LENGTH * u)}],
        "joint": [joint],
        "motion": [motion],
        "measure": [
            {"name": "height", "type": "position", "i": "bob", "j": joint["j"], "frame": joint["j"], "component": "x"},
            {"name": "motor", "type": "reaction", "motion": "motor", "quantity": "torque", "frame": joint["j"], "component": "x"},
        ],
    })
}

/// J b'' = -J W^2 sin b cos b - m g l cos b with J about the joint, no spin; by Runge and Kutta in small steps. Also the torque of the motor, the rate of
/// J W cos^2 b.
fn swing(b: f64, end: f64) -> [f64; 2] {
    let inertia = ACROSS + MASS * LENGTH * LENGTH;
    let f = |[b, v]: [f64; 2]| [v, -b.cos() * (OMEGA * OMEGA * b.sin() + MASS * GRAVITY * LENGTH / inertia)];
    let (mut y, n) = ([b, 0.0], 20_000);
    let h = end / f64::from(n);
    let add = |y: [f64; 2], k: [f64; 2], h: f64| [y[0] + h * k[0], y[1] + h * k[1]];
    for _ in 0..n {
        let k1 = f(y);
        let k2 = f(add(y, k1, h / 2.0));
        let k3 = f(add(y, k2, h / 2.0));
        let k4 = f(add(y, k3, h));
        y = [0, 1].map(|i| y[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]));
    }
    [LENGTH * y[0].sin(), -inertia * OMEGA * (2.0 * y[0]).sin() * y[1]]
}

#[test]
fn a_pendulum_swings_in_a_plane_that_is_turned() {
    for (k, drawn) in ALL.into_iter().enumerate() {
        let (u, b, end) = (drawn.unit, -0.4, 1.5);
        let of_joint = [json!({"joint": "ball", "velocity": "5"}), json!({"joint": "ball", "displacement": "5*time"})];
        let mut motion = of_joint[k % 2].clone();
        if k == 3 {
            let (i, j) = (
                drawn.marker("bob", V3::zeros(), &about(V3::y(), b)),
                drawn.marker("ground", V3::zeros(), &M3::identity()),
            );
            motion = json!({"i": i, "j": j, "acceleration": "0", "initial_displacement": 0, "initial_velocity": 5});
        }
        let mechanism = compile(&turned_pendulum(&drawn, b, &motion));
        assert_eq!(mechanism.degrees_of_freedom(), 2);
        let [height, torque] = swing(b, end);
        for way in methods() {
            let formulation = way.1;
            let found = measures(&mechanism, way, end);
            assert!((found[0] / u - height).abs() < 1e-6, "{drawn:?} {formulation:?}: {} is not {height}", found[0]);
            assert!(
                (found[1] / u / u - torque).abs() < 2e-5,
                "{drawn:?} {formulation:?}: {} is not {torque}",
                found[1]
            );
        }
    }
}

/// A slider with a hinged bar; both are driven.
fn crane(names: [&str; 2]) -> Value {
    let upright = json!({"z_axis": [1, 0, 0]});
    json!({
        "gravity": [0, -9.81, 0],
        "body": [
            {"name": "slider", "mass": 1, "inertia": [1, 1, 1], "position": [0, 0, 0]},
            {"name": "bar", "mass": 2, "inertia": [0.01, 0.2, 0.2], "position": [0.5, 0, 0]},
        ],
        "joint": [
            {"name": "guide", "type": "prismatic", "i": {"body": "slider", "orientation": upright}, "j": {"body": "ground", "orientation": upright}},
            {"name": "hinge", "type": "revolute", "i": {"body": "bar", "position": [-0.5, 0, 0]}, "j": "slider"},
        ],
        "motion": [
            {"name": "way", "i": "slider", "direction": names[0], "displacement": "0.2*sin(time)"},
            {"name": "turn", "joint": "hinge", "direction": names[1], "displacement": "5*time"},
        ],
        "measure": [{"name": "end", "type": "position", "i": {"body": "bar", "position": [0.5, 0, 0]}}],
    })
}

#[test]
fn motions_along_and_across_the_plane_leave_it_plane() {
    for turn in ["rotation", "rotation_z"] {
        let mechanism = compile(&crane(["x", turn]));
        assert!(Equations::fewest(Arc::clone(&mechanism), Formulation::Si2, mechanism.start()).is_planar(), "{turn}");
        let found = measures(&mechanism, (Gstiff::with_tolerance(1e-9).into(), Formulation::Si2), 3.0);
        let expected = [0.2 * 3.0_f64.sin() + 15.0_f64.cos(), 15.0_f64.sin(), 0.0];
        for (found, expected) in found.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-7, "{turn}: {found} is not {expected}");
        }
    }
}

#[test]
fn motions_that_make_no_sense_are_refused_by_name() {
    let with = |change: &dyn Fn(&mut Value)| {
        let mut model = crane(["x", "rotation"]);
        change(&mut model["motion"]);
        refused(&model)
    };
    let told = [
        (
            with(&|m| m[0]["joint"] = json!("guide")),
            "motion \"way\", `joint`: a motion is that of one joint, or of marker I",
        ),
        (with(&|m| drop(m[0].as_object_mut().expect("a table").remove("i"))), "give `joint`, or give `i` and `j`"),
        (
            with(&|m| drop(m[0].as_object_mut().expect("a table").remove("direction"))),
            "motion \"way\", `direction`: two markers have six coordinates",
        ),
        (with(&|m| m[0]["j"] = json!("slider")), "both on \"slider\""),
        (
            with(&|m| m[1]["direction"] = json!("x")),
            "motion \"turn\", `direction`: a revolute joint keeps \"x\" as it is",
        ),
        (with(&|m| m[1]["direction"] = json!("rotation_y")), "drive what it leaves free: \"rotation\", \"rotation_z\""),
        (with(&|m| m[1] = m[0].clone()), "name is taken"),
        (
            with(&|m| m[1] = json!({"name": "again", "i": "slider", "direction": "x", "velocity": "1"})),
            "another motion drives the same coordinate of these markers",
        ),
        (with(&|m| m[0]["direction"] = json!("y")), "way"),
        (
            with(
                &|m| m[1] = json!({"name": "turn", "i": "bar", "j": {"body": "slider", "orientation": {"z_axis": [1, 0, 0], "x_axis": [0, 0, 1]}}, "direction": "rotation_z", "velocity": "1"}),
            ),
            "z of I lies along x of J",
        ),
        (
            with(
                &|m| m[1] = json!({"name": "turn", "i": "bar", "j": "slider", "direction": "rotation_y", "velocity": "1", "initial_displacement": 2}),
            ),
            "beyond +-90 degrees",
        ),
    ];
    for (error, part) in told {
        assert!(error.contains(part), "{error}\n  does not say: {part}");
    }
}

/// A gimbal whose second angle is driven, or comes by itself, to a right one: the message names the motion, the angle and what to do.
#[test]
fn a_right_angle_ends_in_a_message_that_names_it() {
    let model = |driven: Value, w: f64| {
        let model = json!({
            "body": [{"name": "b", "mass": 1, "inertia": [1, 2, 3], "angular_velocity": [0, w, 0]}],
            "joint": [{"name": "s", "type": "spherical", "i": "b", "j": "ground"}],
            "motion": driven,
        });
        compile(&model)
    };
    let motion = |name: &str, direction: &str, value: &str| json!({"name": name, "joint": "s", "direction": direction, "displacement": value});
    let tilt = |value: &str| json!([motion("tilt", "rotation_y", value)]);
    let told = |error: fourbar_multibody::Error, name: &str, direction: &str, end: f64| {
        let text = error.to_string();
        let fourbar_multibody::Error::RightAngle { motion, direction: of, angle, time, .. } = error else {
            panic!("{text}")
        };
        assert!(motion == name && of == direction && (angle.abs() - FRAC_PI_2).abs() < 1e-2, "{text}");
        assert!((time - end).abs() < 0.02, "{text}");
        assert!(text.contains("degrees about y") && text.contains("turn the axes of I and J"), "{text}");
    };
    let methods =
        || [Gstiff::with_tolerance(1e-6).into(), Rkf45::with_tolerance(1e-6).into(), Abam::with_tolerance(1e-6).into()];
    for (value, end) in [
        ("time", FRAC_PI_2),
        ("-1.6*sin(time)", (FRAC_PI_2 / 1.6).asin()),
        ("0.5 + 3*time^2", ((FRAC_PI_2 - 0.5) / 3.0).sqrt()),
    ] {
        for formulation in [Formulation::Si2, Formulation::I3] {
            for method in methods() {
                let error = fail(&model(tilt(value), 0.0), method, formulation);
                told(error, "tilt", "rotation_y", end);
            }
        }
        let driven = json!([
            motion("tilt", "rotation_y", value),
            motion("roll", "rotation_x", "0"),
            motion("yaw", "rotation_z", "0")
        ]);
        let mechanism = model(driven, 0.0);
        let mut kinematics = Kinematics::new(&mechanism).unwrap();
        told(kinematics.go_to(end + 0.1).unwrap_err(), "tilt", "rotation_y", end);
        let inputs = fourbar_multibody::Inputs::start(&mechanism);
        let found =
            fourbar_multibody::analysis::Equilibrium::find_at(&mechanism, mechanism.start(), end + 0.1, &inputs);
        told(found.unwrap_err(), "tilt", "rotation_y", end);
    }
    // First angle held, the second free: it gets there by itself.
    for method in methods() {
        let held = json!([motion("roll", "rotation_x", "0.3*time"), motion("yaw", "rotation_z", "0")]);
        let text = fail(&model(held, 2.0), method, Formulation::Si2).to_string();
        assert!(text.contains("the motion \"roll\" (rotation_x)") && text.contains("degrees about y"), "{text}");
    }
}

/// What ends a run of 3 s.
fn fail(mechanism: &Arc<Mechanism>, method: Method, formulation: Formulation) -> fourbar_multibody::Error {
    let options = DynamicsOptions { formulation, method, end: 3.0, stop_times: Vec::new() };
    let mut dynamics = Dynamics::new(mechanism, &options).unwrap();
    loop {
        match dynamics.step() {
            Ok(Stop::EndTime) => panic!("the run went through"),
            Ok(_) => {}
            Err(error) => return error,
        }
    }
}
