//! Constraints by expression: pendulums whose length an equation holds, in every formulation, however they are drawn; what is refused.

use crate::support::matrix::derivative;
use crate::support::runs::{compile, measures, methods, refused};
use crate::support::shafts::{Drawn, PLAIN, drawings, vector};
use fourbar_multibody::analysis::{Equilibrium, Kinematics, Linearization};
use fourbar_multibody::formulation::Equations;
use fourbar_multibody::{Formulation, Inputs};
use serde_json::{Value, json};
use std::sync::Arc;

const GRAVITY: f64 = 9.81;

/// A point mass on a plane, at (0.6, -0.8), whose place `equation` holds; `x`, `y`, `r` and `l` are its coordinates and lengths. Without `lies` it has
/// nothing that keeps its axes, and thus moves in space.
fn bead(d: Drawn, equation: &str, lies: bool) -> Value {
    let at = [0.6, -0.8, 0.0];
    let (i, j) = (d.marker("bead", at, [0.0, 0.0, 1.0]), d.marker("ground", [0.0; 3], [0.0, 0.0, 1.0]));
    let kind = if lies { "planar" } else { "inplane" };
    json!({
        "gravity": vector(d.direction([0.0, -GRAVITY * d.unit, 0.0])),
        "parameters": {"unit": d.unit},
        "body": [d.body("bead", at, 2.0, 0.1)],
        "joint": [{"name": "table", "type": kind, "i": i, "j": j}],
        "constraint": [{"name": "wire", "equation": equation, "i": i}],
        "measure": [
            {"name": "p", "type": "position", "i": i, "j": j, "frame": j},
            {"name": "r", "type": "distance", "i": i, "j": j},
            {"name": "wire_force", "type": "reaction", "constraint": "wire", "quantity": "force", "frame": j},
            {"name": "energy", "type": "total_energy"}],
    })
}

/// Angle from the lower vertical and its rate of a pendulum of the length 1 + a sin(b t), by Runge and Kutta's method of fourth order.
fn pendulum(a: f64, b: f64, end: f64) -> [f64; 2] {
    let rate = |t: f64, [angle, speed]: [f64; 2]| {
        let (l, l1) = (1.0 + a * (b * t).sin(), a * b * (b * t).cos());
        [speed, (-2.0 * l1 * speed - GRAVITY * angle.sin()) / l]
    };
    let count = 20_000;
    let (h, mut z) = (end / f64::from(count), [(0.6_f64).asin(), 0.0]);
    for k in 0..count {
        let t = h * f64::from(k);
        let add = |z: [f64; 2], k: [f64; 2], f: f64| [z[0] + k[0] * f, z[1] + k[1] * f];
        let k1 = rate(t, z);
        let k2 = rate(t + 0.5 * h, add(z, k1, 0.5 * h));
        let k3 = rate(t + 0.5 * h, add(z, k2, 0.5 * h));
        let k4 = rate(t + h, add(z, k3, h));
        z = [0, 1].map(|c| z[c] + h / 6.0 * (k1[c] + 2.0 * k2[c] + 2.0 * k3[c] + k4[c]));
    }
    z
}

#[test]
fn a_wire_that_an_equation_holds_swings_as_a_pendulum() {
    let equations = ["p.x^2 + p.y^2 - unit^2", "r - unit", "(r/unit)^4 - 1", "sqrt(p.x^2 + p.y^2) - unit"];
    let [angle, speed] = pendulum(0.0, 1.0, 1.5);
    for (k, d) in drawings().into_iter().enumerate() {
        let mechanism = compile(&bead(d, equations[k % 4], k % 2 == 0));
        assert!(mechanism.redundancies().is_empty());
        for way in methods() {
            let found = measures(&mechanism, way, 1.5);
            let (x, y) = (found[0] / d.unit, found[1] / d.unit);
            assert!((x - angle.sin()).abs() < 1e-6 && (y + angle.cos()).abs() < 1e-6, "{d:?} {x} {y}");
            // Towards the pivot: m (g cos + v^2/l).
            let pull = 2.0 * (GRAVITY * angle.cos() + speed * speed) * d.unit;
            let [fx, fy] = [found[4], found[5]];
            assert!((fx + pull * angle.sin()).abs() < 1e-4 * pull, "{fx}");
            assert!((fy - pull * angle.cos()).abs() < 1e-4 * pull, "{fy}");
        }
    }
}

#[test]
fn a_length_that_changes_in_time_does_work() {
    let equation = "p.x^2 + p.y^2 - (1 + 0.2*sin(5*time))^2";
    let [angle, _] = pendulum(0.2, 5.0, 1.5);
    let l = 1.0 + 0.2 * (5.0_f64 * 1.5).sin();
    for lies in [false, true] {
        let mechanism = compile(&bead(PLAIN, equation, lies));
        for way in methods() {
            let formulation = way.1;
            let found = measures(&mechanism, way, 1.5);
            let off = (found[0] - l * angle.sin()).abs().max((found[1] + l * angle.cos()).abs());
            assert!(off < 2e-6, "{formulation:?}: {off}");
        }
    }
}

#[test]
fn the_matrix_is_the_derivative_of_the_equations() {
    let all = ["p.x^2 + p.y^2 - 1 + sin(time)*p.x", "exp(p.x)*p.y + r^2", "p.x*p.y*r + 0.3*time*r"];
    for equation in all {
        for formulation in [Formulation::Si2, Formulation::I3, Formulation::Si1] {
            for lies in [false, true] {
                let mechanism = compile(&bead(PLAIN, equation, lies));
                let planar = Equations::fewest(Arc::clone(&mechanism), formulation, mechanism.start()).is_planar();
                assert_eq!(planar, lies);
                derivative(&mechanism, formulation);
            }
        }
    }
    for formulation in [Formulation::Si2, Formulation::I3, Formulation::Si1] {
        derivative(&compile(&cranks("turn_a.z*slide + 0.4*turn_b^2 - sin(turn_c) + 0.1*d.y*slide")), formulation);
    }
}

/// Three tumbling bodies, no two terms between the same two; measures in frames of third bodies.
fn cranks(equation: &str) -> Value {
    let d = Drawn { tilt: [0.4, -0.7, 1.1], ..PLAIN };
    let mark = |body: &str, p: [f64; 3], z: [f64; 3]| d.marker(body, p, z);
    let mut bodies = ["a", "b", "c"].map(|name| d.body(name, [0.1, 0.2, 0.3], 2.0, 0.1));
    for (k, body) in bodies.iter_mut().enumerate() {
        body["angular_velocity"] = json!([0.3, -0.2 * k as f64, 0.5]);
        body["inertia"] = json!([0.1, 0.12, 0.15]);
    }
    json!({
        "body": bodies,
        "constraint": [{"name": "all", "equation": equation}],
        "measure": [
            {"name": "turn_a", "type": "axis_angles", "i": mark("a", [0.5, 0.1, 0.2], [0.3, 0.2, 1.0]), "j": "ground"},
            {"name": "turn_b", "type": "angle", "i": mark("b", [0.0; 3], [0.1, 0.4, 1.0]), "j": mark("a", [0.3; 3], [0.0, 0.0, 1.0])},
            {"name": "turn_c", "type": "angle", "i": mark("c", [0.0; 3], [0.4, 0.1, 1.0]), "j": mark("b", [0.3; 3], [0.0, 0.0, 1.0])},
            {"name": "slide", "type": "position", "component": "z", "i": mark("c", [0.7, 0.2, 0.1], [0.0, 0.3, 1.0]), "j": mark("a", [-0.3, 0.0, 0.4], [0.0, 0.0, 1.0]), "frame": mark("b", [0.0; 3], [1.0, 0.3, 0.2])},
            {"name": "d", "type": "position", "i": "a", "j": "c", "frame": "a"},
            {"name": "energy", "type": "kinetic_energy"}],
    })
}

#[test]
fn an_equation_over_three_bodies_keeps_their_energy() {
    let mechanism = compile(&cranks("2*turn_b - turn_c + slide^2 + 0.3*turn_a.z*d.x"));
    assert_eq!(mechanism.degrees_of_freedom(), 17);
    let energy = |found: &[f64]| found[found.len() - 1];
    let first = measures(&mechanism, methods()[0].clone(), 1e-9);
    for way in methods() {
        let found = measures(&mechanism, way, 2.0);
        assert!(
            (energy(&found) - energy(&first)).abs() < 1e-6 * energy(&first),
            "{} {}",
            energy(&found),
            energy(&first)
        );
    }
}

#[test]
fn angles_are_counted_through_full_turns() {
    // A shaft driven for 20 turns lifts a weight by a quadratic law.
    let d = Drawn { tilt: [0.4, -0.7, 1.1], ..PLAIN };
    let z = [0.0, 0.0, 1.0];
    let joint = |name: &str, kind: &str| json!({"name": name, "type": kind, "i": d.marker(name, [0.0; 3], z), "j": d.marker("ground", [0.0; 3], z)});
    let joints = json!([joint("shaft", "revolute"), joint("weight", "prismatic")]);
    let model = json!({
        "body": [d.body("shaft", [0.0; 3], 1.0, 0.1), d.body("weight", [0.0; 3], 1.0, 0.1)],
        "joint": joints,
        "motion": [{"name": "drive", "joint": "shaft", "displacement": "40*pi*time"}],
        "constraint": [{"name": "law", "equation": "h - 0.01*turn - 0.0002*turn^2"}],
        "measure": [{"name": "turn", "type": "angle", "i": joints[0]["i"], "j": joints[0]["j"]},
            {"name": "h", "type": "position", "component": "z", "i": joints[1]["i"], "j": joints[1]["j"], "frame": joints[1]["j"]},
            {"name": "push", "type": "reaction", "constraint": "law", "quantity": "force", "component": "z", "frame": joints[1]["j"]}],
    });
    let mechanism = compile(&model);
    let turn = 40.0 * std::f64::consts::PI;
    let expected = 0.01 * turn + 0.0002 * turn * turn;
    let mut kinematics = Kinematics::new(&mechanism).expect("driven");
    for k in 1..=40 {
        kinematics.go_to(f64::from(k) / 40.0).expect("it follows");
    }
    let at = d.direction([0.0, 0.0, 1.0]).dot(&kinematics.state().poses[1].x);
    assert!((at - expected).abs() < 1e-10 * expected, "{at} {expected}");
    for way in methods() {
        let found = measures(&mechanism, way, 1.0);
        assert!((found[1] - expected).abs() < 1e-7 * expected, "{}", found[1]);
    }
}

#[test]
fn a_bead_rests_and_swings_in_a_parabola() {
    // y = k x^2 - 1.16: omega^2 = 2 k g about the lowest point.
    let k = 1.0;
    for lies in [false, true] {
        let mechanism = compile(&bead(PLAIN, "p.y - p.x^2 + 1.16", lies));
        let found = Equilibrium::find(&mechanism, mechanism.start(), &Inputs::start(&mechanism)).expect("a rest");
        assert!((found.state.poses[0].x - nalgebra::Vector3::new(0.0, -1.16, 0.0)).norm() < 1e-8);
        let linear = Linearization::new(&mechanism, &found.state, &Inputs::start(&mechanism)).expect("a regular state");
        let square = 2.0 * k * GRAVITY;
        let values = linear.a.complex_eigenvalues();
        assert!(values.iter().any(|v| ((v * v).re + square).abs() < 1e-6), "{values}");
    }
}

#[test]
fn two_equations_that_say_the_same_are_told() {
    let mut model = bead(PLAIN, "p.x^2 + p.y^2 - 1", true);
    let again = json!({"name": "again", "equation": "r - 1"});
    model["constraint"].as_array_mut().expect("a list").push(again);
    let mechanism = compile(&model);
    let redundant = mechanism.redundancies();
    assert_eq!((redundant.len(), mechanism.degrees_of_freedom()), (1, 2));
    assert!(["wire", "again"].contains(&redundant[0].joint.as_str()), "{redundant:?}");
}

#[test]
fn equations_that_hold_nothing_are_refused() {
    let of = |equation: &str| {
        let mut model = bead(PLAIN, equation, true);
        let pair = json!({"name": "v", "type": "velocity", "i": "bead"});
        let same = json!({"name": "own", "type": "distance", "i": model["joint"][0]["i"], "j": "bead"});
        let all = model["measure"].as_array_mut().expect("a list");
        all.extend([pair, same]);
        model
    };
    let place = "constraint \"wire\", `equation`";
    refused(&of("p.x + q"), place, "q");
    refused(&of("p.w - 1"), place, "p.w");
    refused(&of("time - 1"), place, "no displacement");
    refused(&of("v.x - 1"), place, "velocity");
    refused(&of("energy - 1"), place, "no displacement that a constraint");
    refused(&of("wire_force.x + p.x"), place, "no displacement that a constraint");
    refused(&of("own - 1"), place, "within one body");
    refused(&of("(p.x - 0.6)^2"), place, "largest slope");
    refused(&of("sqrt(p.x - 2)"), place, "at the start");
    refused(&of("p.x/0"), place, "");
    let mut model = of("r - 1");
    model["constraint"][0]["i"] = json!("beat");
    refused(&model, "`i`", "beat");
    let mut model = of("r - 1");
    model["body"].as_array_mut().expect("a list").push(json!({"name": "other", "mass": 1, "inertia": [1, 1, 1]}));
    model["constraint"][0]["i"] = json!("other");
    refused(&model, "`i`", "does not depend");
    let mut model = of("r - 1");
    let one = model["constraint"][0].clone();
    model["constraint"].as_array_mut().expect("a list").push(one);
    refused(&model, "constraint \"wire\"", "taken");
}

/// In millimetres, tonnes and newtons: an ellipse by its equation, and the same wire as a curve.
#[test]
fn equations_and_curves_have_the_units_of_their_file() {
    let point = |k: usize| {
        let turn = std::f64::consts::TAU * (k % 100) as f64 / 100.0;
        [500.0 * turn.cos(), 300.0 * turn.sin()]
    };
    let points: Vec<[f64; 2]> = (0..=100).map(point).collect();
    let model = |holder: &str, value: Value| {
        let mut model = json!({
            "units": "mm, t, s, N",
            "gravity": [0, -9810, 0],
            "body": [{"name": "bead", "mass": 0.002, "inertia": [0.1, 0.1, 0.1], "position": [300, -240, 0]}],
            "joint": [{"name": "table", "type": "planar", "i": "bead", "j": "ground"}],
            "curve": [{"name": "ellipse", "closed": true, "points": points}],
            "measure": [{"name": "p", "type": "position", "i": "bead"}],
        });
        model[holder] = json!([value]);
        compile(&model)
    };
    let equation = json!({"name": "wire", "equation": "(p.x/500)^2 + (p.y/300)^2 - 1"});
    let by_equation = model("constraint", equation);
    let by_curve = model("point_on_curve", json!({"name": "wire", "i": "bead", "curve": "ellipse"}));
    let [one, other] = [by_equation, by_curve].map(|mechanism| measures(&mechanism, methods()[0].clone(), 1.0));
    assert!(one[0].abs() < 0.5 && ((one[0] / 0.5).powi(2) + (one[1] / 0.3).powi(2) - 1.0).abs() < 1e-9, "{one:?}");
    assert!((one[0] - other[0]).abs() < 3e-6 && (one[1] - other[1]).abs() < 3e-6, "{one:?} {other:?}");
}
