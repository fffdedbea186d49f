//! Joints, motions and forces that act for a part of the time: impacts, momentum and energy in closed form.

use super::sensors::{METHODS, model, run, times, value};
use fourbar_multibody::analysis::SwitchKind;
use fourbar_multibody::{Error, Model};
use proptest::prelude::*;
use serde_json::{Value, json};

/// Two discs on one axis that stands along `axis`, with speeds.
fn discs(axis: [f64; 3], inertias: [f64; 2], speeds: [f64; 2], size: f64, clutch: &Value) -> Model {
    let n = nalgebra::Vector3::from(axis).normalize();
    let disc = |name: &str, k: usize| {
        let inertia = inertias[k] * size * size;
        let omega = n * speeds[k];
        json!({
            "name": name, "mass": 2.0, "inertia": [0.6 * inertia, 0.6 * inertia, inertia],
            "orientation": {"z_axis": [n.x, n.y, n.z]}, "angular_velocity": [omega.x, omega.y, omega.z],
        })
    };
    let at = |body: &str| json!({"body": body, "orientation": {"z_axis": [n.x, n.y, n.z]}});
    let own = |body: &str| json!({"body": body});
    let rate = |name: &str, body: &str| json!({"name": name, "type": "angular_velocity", "i": body, "component": "z", "frame": at("ground")});
    let mut whole = json!({
        "body": [disc("one", 0), disc("two", 1)],
        "joint": [
            {"name": "first", "type": "revolute", "i": own("one"), "j": at("ground")},
            {"name": "second", "type": "revolute", "i": own("two"), "j": at("ground")},
            {"name": "clutch", "type": "fixed", "i": own("one"), "j": own("two")},
        ],
        "measure": [rate("w1", "one"), rate("w2", "two")],
    });
    whole.as_object_mut().unwrap().extend(clutch.as_object().unwrap().clone());
    model(&whole)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    #[test]
    fn two_discs_that_clutch_keep_their_angular_momentum(
        axis in [-1.0..1.0_f64, -1.0..1.0, 0.2..1.0],
        inertias in [0.1..3.0_f64, 0.1..3.0],
        speeds in [-9.0..9.0_f64, -9.0..9.0],
        power in -6..4_i32,
        method in 0..METHODS.len(),
    ) {
        let size = 10.0_f64.powi(power);
        let clutch = json!({"activity": [{"kind": "joint", "name": "clutch", "active": "if(time < 0.37, 0, 1)"}]});
        let model = discs(axis, inertias, speeds, size, &clutch);
        let mut dynamics = run(&model, METHODS[method], 1e-8, 1.0).unwrap();
        let [i1, i2] = inertias;
        let mean = (i1 * speeds[0] + i2 * speeds[1]) / (i1 + i2);
        let largest = speeds[0].abs().max(speeds[1].abs());
        for name in ["w1", "w2"] {
            prop_assert!((value(&mut dynamics, name) - mean).abs() < 1e-6 * largest, "{}", value(&mut dynamics, name));
        }
        let locked = dynamics.switch_events().iter().find(|event| event.kind == SwitchKind::Locked).unwrap().clone();
        prop_assert!((locked.time - 0.37).abs() < 1e-12);
        let reduced = i1 * i2 / (i1 + i2) * size * size;
        let difference = speeds[0] - speeds[1];
        let (impulse, loss) = (reduced * difference.abs(), 0.5 * reduced * difference * difference);
        let scale = (i1 + i2) * size * size * largest;
        prop_assert!((locked.angular_impulse - impulse).abs() < 1e-6 * scale, "{} {}", locked.angular_impulse, impulse);
        prop_assert!((locked.energy + loss).abs() < 1e-6 * scale * largest, "{} {}", locked.energy, loss);
        prop_assert!(dynamics.energy().unwrap().balance_error.abs() < 1e-6 * scale * largest);
        prop_assert_eq!(dynamics.mechanism().degrees_of_freedom(), 1);
        prop_assert_eq!(value(&mut dynamics, "active.joint.clutch"), 1.0);
    }
}

/// The same on a carriage that a motion turns about an axis across that of the discs, off their centres: what integration leaves open of their places is
/// no reason to call the position singular.
fn discs_on_a_carriage(clutched: &str, axis: &[f64; 3], point: &[f64; 3]) -> Model {
    let [n, point] = [axis, point].map(|v| nalgebra::Vector3::from_column_slice(v));
    let n = n.normalize();
    let across = n.cross(&if n.x.abs() < 0.8 { nalgebra::Vector3::x() } else { nalgebra::Vector3::y() }).normalize();
    let turn = across * 1.5;
    let v = -turn.cross(&point);
    let body = |name: &str, inertia: f64, speed: f64| {
        let omega = n * speed + turn;
        json!({
            "name": name, "mass": 2.0, "inertia": [0.6 * inertia, 0.6 * inertia, inertia],
            "orientation": {"z_axis": [n.x, n.y, n.z]}, "angular_velocity": [omega.x, omega.y, omega.z], "velocity": [v.x, v.y, v.z],
        })
    };
    let at = |body: &str, place: nalgebra::Vector3<f64>, z: &nalgebra::Vector3<f64>| json!({"body": body, "position": [place.x, place.y, place.z], "orientation": {"z_axis": [z.x, z.y, z.z]}, "frame": "global"});
    let origin = nalgebra::Vector3::zeros();
    let pin = |name: &str, body: &str| json!({"name": name, "type": "revolute", "i": at(body, origin, &n), "j": at("carriage", origin, &n)});
    let rate = |name: &str, body: &str| json!({"name": name, "type": "angular_velocity", "i": body, "j": "carriage", "component": "z", "frame": at("carriage", origin, &n)});
    model(&json!({
        "body": [body("one", 1.0, 8.0), body("two", 3.0, 0.0), body("carriage", 9.0, 0.0)],
        "joint": [
            {"name": "pivot", "type": "revolute", "i": at("carriage", point, &across), "j": at("ground", point, &across)},
            pin("first", "one"), pin("second", "two"),
            {"name": "clutch", "type": clutched, "i": "one", "j": "two"},
        ],
        "motion": [{"name": "drive", "joint": "pivot", "displacement": "1.5*time + 0.7*time^2"}],
        "measure": [rate("w1", "one"), rate("w2", "two")],
        "activity": [{"kind": "joint", "name": "clutch", "active": "if(time < 0.37, 0, 1)"}],
    }))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn discs_clutch_on_a_carriage_as_on_the_ground(
        axis in [-1.0..1.0_f64, -1.0..1.0, 0.2..1.0],
        point in [-1.0..1.0_f64, -1.0..1.0, 0.2..1.0],
        kind in 0..3_usize,
        power in -8..-4_i32,
        method in 0..METHODS.len(),
    ) {
        let kind = ["fixed", "orientation", "revolute"][kind];
        let tolerance = 10.0_f64.powi(power);
        let mut dynamics = run(&discs_on_a_carriage(kind, &axis, &point), METHODS[method], tolerance, 0.6).unwrap();
        // The turn is across their axis: it changes neither the speed of one nor the sum of their angular momenta.
        let speeds = if kind == "revolute" { [8.0, 0.0] } else { [2.0, 2.0] };
        for (name, speed) in ["w1", "w2"].into_iter().zip(speeds) {
            let found = value(&mut dynamics, name);
            prop_assert!((found - speed).abs() < 8.0 * 100.0 * tolerance, "{} {found} {speed}", name);
        }
        prop_assert_eq!(value(&mut dynamics, "active.joint.clutch"), 1.0);
    }
}

#[test]
fn a_clutch_that_lets_go_and_holds_again_keeps_the_new_pose() {
    let clutch = json!({
        "activity": [{"kind": "joint", "name": "clutch", "active": "sin(20*time)"}],
        "force": [{"type": "axial_torque", "name": "drag", "i": "one", "j": "ground", "value": "-1.5*w1"}],
    });
    for method in METHODS {
        let model = discs([0.0, 0.0, 1.0], [1.0, 2.0], [4.0, 1.0], 1.0, &clutch);
        let mut dynamics = run(&model, method, 1e-9, 1.0).unwrap();
        let events = dynamics.switch_events();
        let (locked, released) = (times(events, SwitchKind::Locked), times(events, SwitchKind::Released));
        // It begins released: sin(0) is not above 0.
        assert_eq!((locked.len(), released.len()), (4, 3), "{method}: {events:?}");
        for (k, time) in released.iter().enumerate() {
            assert!((time - std::f64::consts::PI * (2 * k + 1) as f64 / 20.0).abs() < 1e-12);
        }
        // Speeds by intervals: alone the first slows down as exp(-1.5 t), together both as exp(-0.5 t).
        let (mut w, mut t, mut together) = ([2.0_f64; 2], 0.0, true);
        let mut marks: Vec<f64> = locked[1..].iter().chain(&released).copied().collect();
        marks.push(1.0);
        marks.sort_by(f64::total_cmp);
        for mark in marks {
            let h = mark - t;
            match together {
                true => w = w.map(|w| w * (-0.5 * h).exp()),
                false => w[0] *= (-1.5 * h).exp(),
            }
            together = !together;
            if together {
                w = [(w[0] + 2.0 * w[1]) / 3.0; 2];
            }
            t = mark;
        }
        for (name, w) in ["w1", "w2"].iter().zip(w) {
            assert!((value(&mut dynamics, name) - w).abs() < 1e-5, "{method}: {} {w}", value(&mut dynamics, name));
        }
    }
}

/// A rod hung at its end, released where its angle passes a value.
#[test]
fn a_pendulum_let_go_at_an_angle_flies_a_parabola() {
    let pendulum = model(&json!({
        "gravity": [0.0, -9.81, 0.0],
        "body": [{"name": "bob", "mass": 1.0, "inertia": [1e-3, 1e-3, 1e-3], "position": [1.0, 0.0, 0.0]}],
        "joint": [{"name": "pin", "type": "revolute", "i": {"body": "bob", "position": [-1.0, 0.0, 0.0]}, "j": "ground"}],
        "measure": [
            {"name": "x", "type": "position", "i": "bob", "component": "x"},
            {"name": "y", "type": "position", "i": "bob", "component": "y"},
            {"name": "angle", "type": "angle", "i": "bob", "j": "ground"},
            {"name": "pull", "type": "reaction", "joint": "pin", "quantity": "force", "component": "magnitude"},
        ],
        "sensor": [{"name": "gate", "expression": "angle", "value": "-60 deg", "release": ["pin"], "print": ["pull"]}],
    }));
    for method in METHODS {
        let mut dynamics = run(&pendulum, method, 1e-9, 1.0).unwrap();
        let events = dynamics.switch_events().to_vec();
        assert_eq!(times(&events, SwitchKind::Released).len(), 1, "{method}");
        let (inertia, sine) = (1.001, 0.75_f64.sqrt());
        let w2 = 2.0 * 9.81 * sine / inertia;
        // Pull along the rod, and across it what the small inertia asks for.
        let (along, across) = (w2 + 9.81 * sine, 9.81 * 0.5 * (1.0 - 1.0 / inertia));
        assert!((events[0].values[0].value - along.hypot(across)).abs() < 1e-5, "{method}: {:?}", events[0]);
        let (t, v) = (1.0 - events[0].time, w2.sqrt());
        let x = 0.5 - v * sine * t;
        let y = -sine - v * 0.5 * t - 0.5 * 9.81 * t * t;
        let found = [value(&mut dynamics, "x"), value(&mut dynamics, "y")];
        assert!((found[0] - x).abs() < 1e-5 && (found[1] - y).abs() < 1e-5, "{method}: {found:?} {x} {y}");
        assert_eq!(value(&mut dynamics, "pull"), 0.0);
        assert_eq!(dynamics.mechanism().degrees_of_freedom(), 6);
        let balance = dynamics.energy().unwrap().balance_error;
        // HHT-alpha is of second order and damps; the others lose less than a few tolerances a step.
        let allowed = if method == "hht" { 1e-5 } else { 1e-6 };
        assert!(balance.abs() < allowed, "{method}: {balance}");
    }
}

/// A ball on a driven arm that turns about z, dropped at an angle; and a cart that catches a falling mass.
#[test]
fn a_ball_dropped_from_a_moving_arm_goes_on_with_its_velocity() {
    let arm = model(&json!({
        "body": [
            {"name": "arm", "mass": 1.0, "inertia": [0.1, 0.1, 0.1]},
            {"name": "ball", "mass": 0.5, "inertia": [0.01, 0.01, 0.01], "position": [0.8, 0.0, 0.0]},
        ],
        "joint": [
            {"name": "axle", "type": "revolute", "i": "arm", "j": "ground"},
            {"name": "grip", "type": "fixed", "i": "ball", "j": {"body": "arm", "position": [0.8, 0.0, 0.0]}},
        ],
        "motion": [{"name": "drive", "joint": "axle", "displacement": "3*time"}],
        "measure": [
            {"name": "x", "type": "position", "i": "ball", "component": "x"},
            {"name": "y", "type": "position", "i": "ball", "component": "y"},
            {"name": "w", "type": "angular_velocity", "i": "ball", "component": "z"},
            {"name": "torque", "type": "reaction", "motion": "drive", "quantity": "torque", "component": "z"},
        ],
        "sensor": [{"name": "drop", "expression": "time", "value": 0.2, "release": ["grip"]}],
    }));
    for method in METHODS {
        let mut dynamics = run(&arm, method, 1e-9, 1.0).unwrap();
        let (s, c) = 0.6_f64.sin_cos();
        let (x, y) = (0.8 * c - 2.4 * s * 0.8, 0.8 * s + 2.4 * c * 0.8);
        assert!((value(&mut dynamics, "x") - x).abs() < 1e-6, "{method}");
        assert!((value(&mut dynamics, "y") - y).abs() < 1e-6, "{method}");
        assert!((value(&mut dynamics, "w") - 3.0).abs() < 1e-7, "{method}");
        // The arm alone turns at a constant speed.
        assert!(value(&mut dynamics, "torque").abs() < 1e-6);
    }
}

#[test]
fn a_mass_that_is_caught_shares_its_momentum() {
    let catch = model(&json!({
        "body": [
            {"name": "cart", "mass": 3.0, "inertia": [1.0, 1.0, 1.0], "position": [2.0, 0.0, 0.0]},
            {"name": "slug", "mass": 1.0, "inertia": [0.2, 0.2, 0.2], "velocity": [4.0, 0.0, 0.0]},
        ],
        "joint": [
            {"name": "rail", "type": "prismatic", "i": {"body": "cart", "orientation": {"z_axis": [1, 0, 0]}}, "j": {"body": "ground", "orientation": {"z_axis": [1, 0, 0]}}},
            {"name": "way", "type": "prismatic", "i": {"body": "slug", "orientation": {"z_axis": [1, 0, 0]}}, "j": {"body": "ground", "orientation": {"z_axis": [1, 0, 0]}}},
            {"name": "latch", "type": "fixed", "i": "slug", "j": "cart"},
        ],
        "measure": [
            {"name": "gap", "type": "distance", "i": "slug", "j": "cart"},
            {"name": "v", "type": "velocity", "i": "cart", "component": "x"},
            {"name": "u", "type": "velocity", "i": "slug", "component": "x"},
        ],
        "activity": [{"kind": "joint", "name": "latch", "active": 0.0}],
        "sensor": [{"name": "meet", "expression": "gap", "value": 0.4, "direction": "falling", "lock": ["latch"]}],
    }));
    for method in METHODS {
        let mut dynamics = run(&catch, method, 1e-8, 1.0).unwrap();
        let locked = dynamics.switch_events().iter().find(|event| event.kind == SwitchKind::Locked).unwrap().clone();
        assert!((locked.time - 0.4).abs() < 1e-8 && (locked.impulse - 3.0).abs() < 1e-8, "{method}: {locked:?}");
        assert!((locked.energy + 6.0).abs() < 1e-7, "{method}: {locked:?}");
        for (name, exact) in [("v", 1.0), ("u", 1.0), ("gap", 0.4)] {
            assert!((value(&mut dynamics, name) - exact).abs() < 1e-7, "{method}: {name}");
        }
        // The latch holds what the rails hold already.
        assert_eq!(dynamics.mechanism().redundancies().len(), 5);
    }
}

#[test]
fn joints_that_do_not_meet_are_refused_and_motions_go_on_from_where_they_are() {
    let base = |active: &Value, motion: &Value| {
        model(&json!({
            "body": [{"name": "cart", "mass": 3.0, "inertia": [1.0, 1.0, 1.0], "velocity": [1.0, 0.0, 0.0]}],
            "joint": [
                {"name": "rail", "type": "prismatic", "i": {"body": "cart", "orientation": {"z_axis": [1, 0, 0]}}, "j": {"body": "ground", "orientation": {"z_axis": [1, 0, 0]}}},
                {"name": "pin", "type": "spherical", "i": "cart", "j": {"body": "ground", "position": [0.5, 0.0, 0.0]}},
            ],
            "motion": motion,
            "measure": [{"name": "x", "type": "position", "i": "cart", "component": "x"}],
            "activity": active,
        }))
    };
    let pin = |at: &str| json!([{"kind": "joint", "name": "pin", "active": at}]);
    let error = run(&base(&pin("x - 0.4"), &json!([])), "gstiff", 1e-6, 1.0).map(|_| ()).unwrap_err();
    assert!(
        matches!(&error, Error::DoesNotMeet { element, gap, .. } if element.contains("pin") && (gap - 0.1).abs() < 1e-6),
        "{error}"
    );
    let mut met = run(&base(&pin("x - 0.5"), &json!([])), "gstiff", 1e-9, 1.0).unwrap();
    assert!((value(&mut met, "x") - 0.5).abs() < 1e-7);
    // Held by a motion by its velocity, wherever it is.
    let motion = json!([{"name": "brake", "joint": "rail", "velocity": "0"}]);
    let active = json!([{"kind": "joint", "name": "pin", "active": 0}, {"kind": "motion", "name": "brake", "active": "time - 0.3"}]);
    for method in METHODS {
        let mut held = run(&base(&active, &motion), method, 1e-8, 1.0).unwrap();
        assert!((value(&mut held, "x") - 0.3).abs() < 1e-8, "{method}: {}", value(&mut held, "x"));
        let locked = held.switch_events().iter().find(|event| event.kind == SwitchKind::Locked).unwrap();
        assert!((locked.impulse - 3.0).abs() < 1e-8 && (locked.energy + 1.5).abs() < 1e-8);
    }
    let motion = json!([{"name": "brake", "joint": "rail", "displacement": "0.7"}]);
    let error = run(&base(&active, &motion), "gstiff", 1e-6, 1.0).map(|_| ()).unwrap_err();
    assert!(matches!(&error, Error::DoesNotMeet { element, .. } if element.contains("brake")), "{error}");
}

#[test]
fn forces_act_while_they_are_active() {
    let pushed = model(&json!({
        "body": [{"name": "ball", "mass": 2.0, "inertia": [0.1, 0.1, 0.1], "position": [1.0, 0.0, 0.0]}],
        "force": [
            {"type": "force", "name": "push", "i": "ball", "value": ["6", 0.0, 0.0]},
            {"type": "spring_damper", "name": "spring", "i": "ball", "j": "ground", "stiffness": 8.0, "free_length": 0.5},
            {"type": "bushing", "name": "bush", "i": "ball", "j": "ground", "stiffness": [100, 100, 100, 0, 0, 0]},
        ],
        "measure": [
            {"name": "v", "type": "velocity", "i": "ball", "component": "x"},
            {"name": "f", "type": "reaction", "force": "push", "quantity": "force", "component": "x"},
            {"name": "x", "type": "position", "i": "ball", "component": "x"},
        ],
        "activity": [
            {"kind": "force", "name": "push", "active": "0.25 - abs(time - 0.5)"},
            {"kind": "force", "name": "spring", "active": 0},
            {"kind": "force", "name": "bush", "active": 0},
        ],
        "sensor": [{"name": "late", "expression": "time", "value": 1.0, "activate": ["spring"]}],
    }));
    for method in METHODS {
        let mut dynamics = run(&pushed, method, 1e-9, 0.9).unwrap();
        assert!((value(&mut dynamics, "v") - 1.5).abs() < 1e-7, "{method}: {}", value(&mut dynamics, "v"));
        assert_eq!(value(&mut dynamics, "f"), 0.0);
        let mut dynamics = run(&pushed, method, 1e-9, 1.5).unwrap();
        // From x = 1 + 0.5*0.75 + 1.5*0.25 at t = 1 on, x about 0.5 with the frequency 2.
        let (x0, t) = (1.75 - 0.5, 0.5_f64);
        let x = 0.5 + x0 * (2.0 * t).cos() + 0.75 * (2.0 * t).sin();
        assert!((value(&mut dynamics, "x") - x).abs() < 1e-6, "{method}: {} {x}", value(&mut dynamics, "x"));
        let events = dynamics.switch_events();
        assert_eq!(times(events, SwitchKind::Activated).len(), 2);
        assert_eq!(times(events, SwitchKind::Deactivated).len(), 1);
        assert!(dynamics.energy().unwrap().balance_error.abs() < 1e-6, "{:?}", dynamics.energy());
    }
}
