//! Rolling without sliding in closed form: a wheel on a slope, a coin in steady precession, a ball on a turntable; what is refused.

use crate::support::runs::{compile, methods};
use fourbar_multibody::analysis::Kinematics;
use fourbar_multibody::integrator::Stop;
use fourbar_multibody::model::Model;
use fourbar_multibody::{Dynamics, DynamicsOptions, Equations, Formulation, Mechanism, Method, State};
use nalgebra::{Matrix3, Rotation3, Vector3};
use serde_json::{Value, json};
use std::sync::Arc;

type V3 = Vector3<f64>;
type M3 = Matrix3<f64>;

const GRAVITY: f64 = 9.81;
const MASS: f64 = 2.0;
const RADIUS: f64 = 0.1;

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

/// In metres, millimetres and kilometres, tilted, with axes exchanged, far from the origin.
const ALL: [Drawn; 5] = [
    Drawn { unit: 1.0, turn: [0.0; 3], origin: 0.0 },
    Drawn { unit: 1e-3, turn: [0.4, -1.1, 0.7], origin: 0.0 },
    Drawn { unit: 1e3, turn: [0.0, std::f64::consts::FRAC_PI_2, 0.0], origin: 0.0 },
    Drawn { unit: 1.0, turn: [1.209_199_576_156_145; 3], origin: 0.0 },
    Drawn { unit: 1.0, turn: [-0.3, 0.2, 0.1], origin: 1e3 },
];

impl Drawn {
    fn turn(&self) -> M3 {
        Rotation3::from_scaled_axis(V3::from(self.turn)).into_inner()
    }

    fn place(&self, at: V3) -> V3 {
        self.turn() * (at + V3::new(1.0, -0.5, 0.3) * self.origin) * self.unit
    }

    /// Back from where something is drawn, in units of length.
    fn read(&self, at: &V3) -> V3 {
        self.turn().transpose() * at / self.unit - V3::new(1.0, -0.5, 0.3) * self.origin
    }
}

fn list(v: V3) -> Value {
    json!([v.x, v.y, v.z])
}

/// What rolls: centre, axis and velocities where nothing is turned, inertia about the axis and across it over m r^2.
struct Roller {
    shape: &'static str,
    centre: V3,
    axis: V3,
    v: V3,
    w: V3,
    inertia: [f64; 2],
    gravity: V3,
}

impl Roller {
    /// On the x-y plane of `on`.
    fn model(&self, drawn: &Drawn, on: &str) -> Value {
        let (u, turn) = (drawn.unit, drawn.turn());
        let axes = Rotation3::rotation_between(&V3::z(), &self.axis).expect("not opposite").into_inner();
        let rotation = Rotation3::from_matrix_unchecked(turn * axes).scaled_axis();
        let [along, across] = self.inertia.map(|j| j * MASS * RADIUS * RADIUS * u * u);
        let plane = json!({"body": on, "position": list(drawn.place(V3::zeros())), "orientation": {"z_axis": list(turn * V3::z()), "x_axis": list(turn * V3::x())}, "frame": "global"});
        json!({
            "gravity": list(turn * self.gravity * u),
            "body": [{"name": "roller", "mass": MASS, "inertia": [across, across, along], "position": list(drawn.place(self.centre)),
                "orientation": {"axis": list(rotation), "angle": rotation.norm()},
                "velocity": list(turn * self.v * u), "angular_velocity": list(turn * self.w)}],
            "rolling": [{"name": "touch", "shape": self.shape, "radius": RADIUS * u, "i": "roller", "j": plane}],
            "measure": [{"name": "press", "type": "reaction", "joint": "touch", "quantity": "force", "frame": plane}],
        })
    }
}

/// The state and the measures at `end`.
fn run(mechanism: &Arc<Mechanism>, (method, formulation): (Method, Formulation), end: f64) -> (State, Vec<f64>) {
    let options = DynamicsOptions { formulation, method, end, stop_times: vec![] };
    let mut dynamics = Dynamics::new(mechanism, &options).expect("a start");
    while dynamics.step().expect("a step") != Stop::EndTime {
        assert!(dynamics.statistics().steps < 20_000, "t = {}", dynamics.time());
    }
    let mut values = vec![0.0; mechanism.measures().len()];
    dynamics.measures_at(end, &mut values).expect("measures");
    let violation = dynamics.violation().expect("rows");
    let fastest = mechanism.length() * 1e3;
    assert!(violation.velocity < 1e-6 * fastest, "{formulation:?} slides at {} m/s", violation.velocity);
    (dynamics.state_at(end).expect("a state").clone(), values)
}

/// x'' = g sin(s) m r^2/(m r^2 + J).
#[test]
fn a_wheel_rolls_down_a_slope() {
    let (slope, end) = (0.3_f64, 1.5);
    for drawn in ALL {
        let wheel = Roller {
            shape: "disc",
            centre: V3::z() * RADIUS,
            axis: V3::y(),
            v: V3::zeros(),
            w: V3::zeros(),
            inertia: [0.5, 0.25],
            gravity: V3::new(slope.sin(), 0.0, -slope.cos()) * GRAVITY,
        };
        let mechanism = compile(&wheel.model(&drawn, "ground"));
        assert_eq!((mechanism.degrees_of_freedom(), mechanism.velocity_row_count()), (3, 2));
        assert!(!Equations::fewest(Arc::clone(&mechanism), Formulation::Si2, mechanism.start()).is_planar());
        let a = GRAVITY * slope.sin() / 1.5;
        for way in methods() {
            let formulation = way.1;
            let (state, press) = run(&mechanism, way, end);
            let centre = drawn.read(&state.poses[0].x);
            let expected = V3::new(0.5 * a * end * end, 0.0, RADIUS);
            assert!((centre - expected).norm() < 1e-6, "{drawn:?} {formulation:?}: {centre} is not {expected}");
            // What presses, and what holds the wheel back.
            let force = V3::new(MASS * a - MASS * GRAVITY * slope.sin(), 0.0, MASS * GRAVITY * slope.cos());
            let press = V3::from_column_slice(&press) / drawn.unit;
            assert!((press - force).norm() < 1e-6 * force.norm(), "{drawn:?} {formulation:?}: {press} is not {force}");
        }
    }
}

/// With the axis at q from the vertical, precession W and spin w about the axis, A across and C along it:
/// A W^2 sin q cos q - (C + m r^2) w W sin q = m r g cos q (Routh, Advanced Rigid Dynamics, 1905, art. 244).
#[test]
fn a_coin_rolls_in_steady_precession() {
    let (tilt, precession, end) = (1.2_f64, 2.0, 1.5);
    let (sin, cos) = tilt.sin_cos();
    let (c, a) = (0.5, 0.25);
    let spin = (a * precession * precession * sin * cos - GRAVITY / RADIUS * cos) / ((c + 1.0) * precession * sin);
    let axis = V3::new(sin, 0.0, cos);
    // In the plane of the coin, upwards from the point that touches; the centre moves along `axis` x `up`.
    let up = V3::new(-cos, 0.0, sin);
    let v = axis.cross(&up) * (RADIUS * spin);
    let centre = V3::z() * (RADIUS * sin);
    for drawn in ALL {
        let coin = Roller {
            shape: "disc",
            centre,
            axis,
            v,
            w: axis * spin + up * (precession * sin),
            inertia: [c, a],
            gravity: V3::z() * -GRAVITY,
        };
        let mechanism = compile(&coin.model(&drawn, "ground"));
        let arm = v.cross(&V3::z()) / precession;
        let turned = Rotation3::from_scaled_axis(V3::z() * precession * end);
        let expected = centre - arm + turned * arm;
        for way in methods() {
            let formulation = way.1;
            let (state, _) = run(&mechanism, way, end);
            let found = drawn.read(&state.poses[0].x);
            assert!((found - expected).norm() < 1e-6, "{drawn:?} {formulation:?}: {found} is not {expected}");
            let leans = drawn.turn().transpose() * state.poses[0].a.column(2);
            assert!((leans - turned * axis).norm() < 1e-5, "{drawn:?} {formulation:?}: {leans}");
        }
    }
}

/// The centre of a homogeneous ball on a table that turns at W goes round a circle at 2/7 W.
#[test]
fn a_ball_on_a_turntable_goes_round_a_circle() {
    let (table, end) = (4.0, 2.0);
    let (centre, v) = (V3::new(0.3, -0.2, RADIUS), V3::new(0.1, 0.4, 0.0));
    // v + w x (-r z) = W z x centre; no spin about z.
    let w = V3::z().cross(&(v - V3::z().cross(&centre) * table)) / RADIUS;
    let rate = table * 2.0 / 7.0;
    let arm = v.cross(&V3::z()) / rate;
    let expected = centre - arm + Rotation3::from_scaled_axis(V3::z() * rate * end) * arm;
    for drawn in ALL {
        let ball = Roller {
            shape: "sphere",
            centre,
            axis: V3::new(0.6, 0.0, 0.8),
            v,
            w,
            inertia: [0.4, 0.4],
            gravity: V3::z() * -GRAVITY,
        };
        let mut model = ball.model(&drawn, "table");
        let bearing = |body: &str| {
            let mut marker = model["rolling"][0]["j"].clone();
            marker["body"] = json!(body);
            marker
        };
        let u = drawn.unit;
        model["joint"] =
            json!([{"name": "bearing", "type": "revolute", "i": bearing("table"), "j": bearing("ground")}]);
        model["motion"] = json!([{"name": "turn", "joint": "bearing", "velocity": table}]);
        model["body"].as_array_mut().expect("bodies").push(json!({"name": "table", "mass": 5.0, "inertia": [u * u, u * u, u * u], "position": list(drawn.place(V3::zeros()))}));
        let mechanism = compile(&model);
        assert_eq!((mechanism.degrees_of_freedom(), mechanism.velocity_row_count()), (3, 2));
        for way in methods() {
            let formulation = way.1;
            let (state, _) = run(&mechanism, way, end);
            let found = drawn.read(&state.poses[0].x);
            assert!((found - expected).norm() < 2e-6, "{drawn:?} {formulation:?}: {found} is not {expected}");
        }
    }
}

fn upright() -> Roller {
    Roller {
        shape: "disc",
        centre: V3::z() * RADIUS,
        axis: V3::y(),
        v: V3::zeros(),
        w: V3::zeros(),
        inertia: [0.5, 0.25],
        gravity: V3::z() * -GRAVITY,
    }
}

/// A wheel that is drawn above the plane and is given a spin comes down, and rolls as it spins at the start.
#[test]
fn assembly_brings_a_roller_to_its_plane_and_lets_it_roll() {
    let mut wheel = upright();
    (wheel.centre.z, wheel.w.y, wheel.v.x) = (RADIUS + 0.05, 3.0, 1.0);
    let mechanism = compile(&wheel.model(&ALL[0], "ground"));
    let pose = &mechanism.start().poses[0];
    assert!((pose.x.z - RADIUS).abs() < 1e-12 && pose.x.xy().norm() < 1e-9, "{}", pose.x);
    assert!((pose.v.x - RADIUS * pose.w.y).abs() < 1e-12 && pose.v.x > 0.1, "{} {}", pose.v, pose.w);
}

#[test]
fn kinematics_refuses_rolling_by_name() {
    let mechanism = compile(&upright().model(&ALL[0], "ground"));
    let error = Kinematics::new(&mechanism).map(|_| ()).expect_err("refused").to_string();
    assert!(
        error.contains("kinematics") && error.contains("rolling \"touch\"") && error.contains("dynamics"),
        "{error}"
    );
}

#[test]
fn rolling_that_makes_no_sense_is_refused_by_name() {
    let refused = |change: &dyn Fn(&mut Value), told: &str| {
        let mut model = upright().model(&ALL[0], "ground");
        change(&mut model);
        let model: Model = serde_json::from_value(model).expect("a model");
        let error = Mechanism::compile(&model).expect_err("refused").to_string();
        assert!(error.contains(told), "{error}\n  does not say: {told}");
    };
    refused(&|m| m["rolling"][0]["radius"] = json!(0), "rolling \"touch\", `radius`");
    refused(&|m| m["rolling"][0]["radius"] = json!(-0.1), "a positive radius");
    refused(&|m| m["rolling"][0]["j"] = json!("roller"), "both on \"roller\"");
    refused(
        &|m| m["body"][0]["orientation"] = json!({"axis": [0, 0, 1], "angle": 0}),
        "the disc lies flat on its plane",
    );
    refused(
        &|m| m["joint"] = json!([{"name": "touch", "type": "inplane", "i": "roller", "j": "ground"}]),
        "a joint has this name",
    );
    refused(&|m| m["rolling"] = json!([m["rolling"][0], m["rolling"][0]]), "name is taken");
}
