//! Mechanisms that move in one plane are solved there, with the results of the equations in space.

use crate::support::planes::{Drawn, Planar};

use fourbar_multibody::dae::Dae;
use fourbar_multibody::integrator::{Gstiff, StepLimits, Stop};
use fourbar_multibody::space::rotation;
use fourbar_multibody::{Dynamics, DynamicsOptions, Equations, Formulation, Inputs, Mechanism, Model};
use nalgebra::Vector3;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};
use std::f64::consts::PI;
use std::sync::Arc;

const FORMULATIONS: [Formulation; 3] = [Formulation::Si2, Formulation::I3, Formulation::Si1];

fn compile(model: &Value) -> Option<Arc<Mechanism>> {
    let model: Model = serde_json::from_value(model.clone()).expect("a model");
    Mechanism::compile(&model).ok().map(Arc::new)
}

fn is_planar(mechanism: &Arc<Mechanism>) -> bool {
    Equations::fewest(Arc::clone(mechanism), Formulation::Si2, mechanism.start()).is_planar()
}

fn options(formulation: Formulation, tolerance: f64, end: f64) -> DynamicsOptions {
    let method = Gstiff::with_tolerance(tolerance).into();
    DynamicsOptions { formulation, method, end, stop_times: vec![0.25 * end, 0.5 * end, 0.75 * end] }
}

/// Measures at the stop times and the end, and the number of steps.
fn run(mut dynamics: Dynamics) -> Result<(Vec<Vec<f64>>, u64), TestCaseError> {
    let mut samples = Vec::new();
    loop {
        let stop = dynamics.step().map_err(|e| TestCaseError::fail(e.to_string()))?;
        prop_assert!(dynamics.statistics().steps < 20_000);
        if stop != Stop::Step {
            let mut values = vec![0.0; dynamics.mechanism().measures().len()];
            dynamics.measures_at(dynamics.time(), &mut values).map_err(|e| TestCaseError::fail(e.to_string()))?;
            samples.push(values);
        }
        if stop == Stop::EndTime {
            return Ok((samples, dynamics.statistics().steps));
        }
    }
}

/// F and its matrix agree at the start, in a direction of all unknowns.
fn matrix_is_the_derivative(mechanism: &Arc<Mechanism>, formulation: Formulation) -> Result<(), TestCaseError> {
    let mut equations = Equations::fewest(Arc::clone(mechanism), formulation, mechanism.start());
    let n = equations.dimension();
    let (mut y, mut yp) = (vec![0.0; n], vec![0.0; n]);
    equations.write(mechanism.start(), &mut y, &mut yp);
    let (c, step) = (3.0, 1e-5);
    let direction: Vec<f64> = (0..n).map(|k| (1.0 + k as f64 * 0.618).fract() - 0.5).collect();
    let mut at = |sign: f64| {
        let moved = |z: &[f64], by: f64| -> Vec<f64> { z.iter().zip(&direction).map(|(z, d)| z + by * d).collect() };
        let mut residual = vec![0.0; n];
        equations.residual(0.0, &moved(&y, sign * step), &moved(&yp, sign * step * c), &mut residual).expect("F");
        residual
    };
    let (plus, minus) = (at(1.0), at(-1.0));
    let mut values = vec![0.0; equations.pattern().nnz()];
    equations.jacobian(0.0, &y, &yp, c, &mut values).expect("the matrix");
    let mut product = vec![0.0; n];
    for ((column, row), value) in equations.pattern().entries().zip(&values) {
        product[row] += value * direction[column];
    }
    let largest = product.iter().fold(1.0_f64, |a, b| a.max(b.abs()));
    for i in 0..n {
        let difference = (plus[i] - minus[i]) / (2.0 * step);
        let off = (product[i] - difference).abs();
        prop_assert!(off < 1e-6 * largest, "{}: {} {difference}", equations.equation_name(i), product[i]);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn results_in_the_plane_are_those_in_space(planar in Planar::any()) {
        let Some(mechanism) = compile(&planar.model()) else { return Err(TestCaseError::reject("it does not assemble")) };
        prop_assume!(mechanism.degrees_of_freedom() > 0);
        // A slide too many where nothing turns is a row too many in the plane.
        prop_assert!(is_planar(&mechanism) || !planar.turns());
        prop_assume!(is_planar(&mechanism));
        for formulation in FORMULATIONS {
            matrix_is_the_derivative(&mechanism, formulation)?;
            let options = options(formulation, 1e-8, 0.4);
            let fail = |e: fourbar_multibody::Error| TestCaseError::fail(e.to_string());
            // A motion may drive a chain to where it is stretched.
            let space = run(Dynamics::in_space(&mechanism, &options, mechanism.start()).map_err(fail)?);
            let Ok((space, steps)) = space else { return Err(TestCaseError::reject("a singular position")) };
            let (plane, fewer) = run(Dynamics::new(&mechanism, &options).map_err(fail)?)?;
            for (a, b) in space.iter().zip(&plane) {
                let largest = a.iter().fold(1.0_f64, |a, b| a.max(b.abs()));
                // Accelerations of index 3 follow from velocities whose errors are not tested.
                let allowed = largest * if formulation == Formulation::I3 { 1e-4 } else { 1e-5 };
                for ((a, b), info) in a.iter().zip(b).zip(mechanism.measures()) {
                    prop_assert!((a - b).abs() < allowed, "{formulation:?} {}: {a} in space, {b} in the plane", info.name);
                }
            }
            // In the sum far closer, as the next test says: here round-off of what is held may tell, in space or in the plane.
            prop_assert!(fewer <= 3 * steps, "{formulation:?}: {steps} steps in space, {fewer} in the plane");
        }
    }
}

/// In the sum over a hundred mechanisms, of a fixed seed. There may be fewer in the plane: nothing there asks for short steps by the round-off of what
/// is held across it, nor in SI1 by the errors of multipliers across it.
#[test]
fn a_plane_takes_the_steps_of_space() {
    let mut runner = TestRunner::deterministic();
    // Behind a first step that is given both begin at order 1.
    let step = StepLimits { first: 1e-9, ..StepLimits::default() };
    for formulation in FORMULATIONS {
        let (mut space, mut plane, mut members) = (0, 0, 0);
        while members < 100 {
            let planar = Planar::any().new_tree(&mut runner).expect("a member").current();
            let Some(mechanism) = compile(&planar.model()) else { continue };
            if mechanism.degrees_of_freedom() == 0 || !is_planar(&mechanism) {
                continue;
            }
            let method = Gstiff { step, ..Gstiff::with_tolerance(1e-6) }.into();
            let options = DynamicsOptions { method, ..options(formulation, 1e-6, 0.4) };
            let Ok((_, steps)) = run(Dynamics::in_space(&mechanism, &options, mechanism.start()).expect("a start"))
            else {
                continue;
            };
            space += steps;
            plane += run(Dynamics::new(&mechanism, &options).expect("a start")).expect("a run").1;
            members += 1;
        }
        println!("{formulation:?}: {space} steps in space, {plane} in the plane");
        assert!(20 * plane <= 21 * space && 10 * plane >= 7 * space, "{formulation:?}: {space} {plane}");
    }
}

/// Where nothing turns, torques move nothing, whatever they are over the time: their impulses are no errors, and index 3 and 1 take no more steps than
/// a few times those of index 2.
#[test]
fn sets_of_slides_take_few_steps() {
    let members = std::env::var("FOURBAR_SLIDES").ok().and_then(|count| count.parse().ok()).unwrap_or(60);
    let mut runner = TestRunner::deterministic();
    let (mut taken, mut differing) = (0, Vec::new());
    while taken < members {
        let planar = Planar::slides().new_tree(&mut runner).expect("a member").current();
        let Some(mechanism) = compile(&planar.model()) else { continue };
        let in_space = |formulation| {
            let options = options(formulation, 1e-8, 0.4);
            run(Dynamics::in_space(&mechanism, &options, mechanism.start()).expect("a start"))
        };
        let Ok((right, steps)) = in_space(Formulation::Si2) else { continue };
        taken += 1;
        for formulation in [Formulation::I3, Formulation::Si1] {
            let (values, own) = match in_space(formulation) {
                Ok(found) => found,
                Err(error) => {
                    differing.push(format!("{taken} {formulation:?}: {error}"));
                    continue;
                }
            };
            let far = |a: &[f64], b: &[f64]| {
                let largest = a.iter().fold(1.0_f64, |a, b| a.max(b.abs()));
                a.iter().zip(b).fold(0.0_f64, |far, (a, b)| far.max((a - b).abs() / largest))
            };
            let off = right.iter().zip(&values).fold(0.0_f64, |off, (a, b)| off.max(far(a, b)));
            if own > 10 * steps.max(100) || off > 1e-4 {
                differing.push(format!("{taken} {formulation:?}: {own} steps, {steps} in index 2; off by {off:e}"));
            }
        }
    }
    assert!(differing.is_empty(), "{} of {taken}:\n{}", differing.len(), differing.join("\n"));
}

/// A double pendulum in this plane, with another joint between its rods, on whose markers z is along `tilt` of the plane's own axes.
fn double_pendulum(drawn: &Drawn, kind: &str, z: [f64; 3], more: &[Value]) -> Value {
    let body = |name: &str, x: f64| {
        let at = drawn.vector([x, 0.0, 0.1 * x]);
        json!({"name": name, "mass": 1.0, "inertia": [0.05, 0.06, 0.07, 0.01, 0.0, 0.02], "position": at})
    };
    let joint = |name: &str, kind: &str, [i, j]: [&str; 2], at: [f64; 3], z: [f64; 3]| json!({"name": name, "type": kind, "i": drawn.marker(i, at, z), "j": drawn.marker(j, at, z)});
    let first = joint("first", "revolute", ["a", "ground"], [0.0; 3], [0.0, 0.0, 1.0]);
    let second = joint("second", kind, ["b", "a"], [1.0, 0.0, 0.0], z);
    let joints: Vec<Value> = [first, second].into_iter().chain(more.iter().cloned()).collect();
    json!({
        "gravity": [1.0, -9.0, 3.0],
        "body": [body("a", 0.5), body("b", 1.5)],
        "joint": joints,
    })
}

#[test]
fn what_leaves_its_plane_or_may_do_so_is_solved_in_space() {
    let drawn = Drawn::across([0.3, -0.5, 0.8]);
    let normal = [0.0, 0.0, 1.0];
    let planar = |kind: &str, z: [f64; 3], more: &[Value]| {
        is_planar(&compile(&double_pendulum(&drawn, kind, z, more)).expect("it compiles"))
    };
    let third = |kind: &str, z: [f64; 3]| {
        let [i, j] = ["b", "ground"].map(|body| drawn.marker(body, [2.0, 0.0, 0.0], z));
        json!({"name": "third", "type": kind, "i": i, "j": j})
    };
    assert!(planar("revolute", normal, &[]));
    assert!(planar("revolute", [0.0, 0.0, -1.0], &[]), "either sense of the axis");
    assert!(!planar("revolute", [1e-6, 0.0, 1.0], &[]), "a tilted hinge");
    assert!(!planar("spherical", normal, &[]), "a rod that may leave the plane");
    assert!(!planar("cylindrical", normal, &[]), "a rod that may slide across the plane");
    assert!(planar("cylindrical", normal, &[third("inplane", normal)]), "a rod that is kept from that");
    assert!(!planar("prismatic", [1.0, 0.0, 0.3], &[]), "a slide aslant to the plane");
    assert!(planar("prismatic", [1.0, 0.2, 0.0], &[]), "a slide in the plane");
    let mut cross = double_pendulum(&drawn, "universal", normal, &[]);
    cross["joint"][1]["i"] = drawn.marker("b", [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]);
    assert!(!is_planar(&compile(&cross).expect("it compiles")), "a cross that turns out of the plane");
    assert!(
        planar(
            "revolute",
            normal,
            &[third("distance", normal)].map(|mut third| {
                third["j"] = drawn.marker("ground", [2.5, 1.0, 0.7], normal);
                third
            })
        ),
        "a rod aslant to the plane"
    );
    // Two hinges where one does.
    let again = double_pendulum(&drawn, "revolute", normal, &[]);
    let mut twice = again.clone();
    let mut other = again["joint"][1].clone();
    other["name"] = "other".into();
    twice["joint"].as_array_mut().expect("joints").push(other);
    assert!(!is_planar(&compile(&twice).expect("it compiles")), "rows that depend on each other in the plane");
}

/// A hinge holds as well with one of its bodies turned over. A state like that is none of the plane as drawn.
#[test]
fn a_body_turned_over_is_solved_in_space() {
    let mechanism = compile(&double_pendulum(&Drawn::across([0.0, 0.0, 1.0]), "revolute", [0.0, 0.0, 1.0], &[]));
    let mechanism = mechanism.expect("it compiles");
    let mut state = mechanism.start().clone();
    let hinge = mechanism.constraint_sets()[1].j.origin(&state.poses);
    let over = rotation(&(Vector3::y() * PI));
    let pose = &mut state.poses[1];
    (pose.x, pose.a) = (hinge + over * (pose.x - hinge), over * pose.a);
    let state = mechanism.consistent(&state, &Inputs::start(&mechanism)).expect("a state");
    assert!(state.poses[1].a[(2, 2)] < 0.0);
    assert!(!Equations::fewest(Arc::clone(&mechanism), Formulation::Si2, &state).is_planar());
    let mut dynamics =
        Dynamics::from_state(&mechanism, &options(Formulation::Si2, 1e-6, 0.2), &state).expect("a start");
    while dynamics.step().expect("a step") != Stop::EndTime {}
}

/// Unknowns and rows of a four-bar: three bodies of seven, four hinges of two, twice.
#[test]
fn unknowns_and_equations_in_the_plane_have_names() {
    let linkage = crate::support::linkages::Linkage {
        follower: crate::support::linkages::Follower::Rocker { length: 3.0, pivot: 4.0 },
        turn: None,
        ..crate::support::linkages::Linkage::slider_crank(1.0)
    };
    let mechanism = Arc::new(Mechanism::compile(&linkage.model()).expect("it compiles"));
    let equations = Equations::fewest(Arc::clone(&mechanism), Formulation::Si2, mechanism.start());
    assert_eq!(equations.dimension(), 3 * 7 + 2 * 4 * 2);
    assert_eq!(equations.unknown_name(9), "body \"coupler\" angle");
    assert_eq!(equations.equation_name(5), "body \"crank\" torque balance in its plane");
    assert_eq!(equations.unknown_name(22), "lambda of joint \"O\" (coincident origins, y in its plane)");
    assert_eq!(equations.equation_name(36), "velocity constraint of joint \"C\" (coincident origins, y in its plane)");
}

/// Multipliers and accelerations of a state are those of the whole mechanism, not of its plane alone.
#[test]
fn states_of_a_plane_are_whole() {
    let mechanism = compile(&double_pendulum(&Drawn::across([0.3, -0.5, 0.8]), "revolute", [0.0, 0.0, 1.0], &[]));
    let mechanism = mechanism.expect("it compiles");
    let options = options(Formulation::Si2, 1e-6, 0.5);
    let mut dynamics = Dynamics::new(&mechanism, &options).expect("it starts");
    while dynamics.step().expect("a step") != Stop::EndTime {}
    let state = dynamics.state_at(0.5).expect("a state").clone();
    let whole = mechanism.consistent(&state, &Inputs::start(&mechanism)).expect("accelerations");
    let across = whole.multipliers.iter().fold(0.0_f64, |a, b| a.max(b.abs()));
    assert!(across > 1.0);
    for (own, whole) in state.multipliers.iter().zip(&whole.multipliers) {
        assert!((own - whole).abs() < 1e-4 * across, "{own} {whole}");
    }
    let violation = dynamics.violation().expect("a violation");
    assert!(violation.position < 1e-9 && violation.angular_velocity < 1e-9, "{violation:?}");
}

/// An input that jumps, as another program sets it, changes the history in the plane as in space.
#[test]
fn inputs_that_jump_in_a_plane() {
    let drawn = Drawn::across([0.3, -0.5, 0.8]);
    let mut model = double_pendulum(&drawn, "revolute", [0.0, 0.0, 1.0], &[]);
    model["input"] = json!([{"name": "push"}]);
    model["force"] = json!([{"name": "pushed", "type": "force", "i": "b", "value": ["push", "2*push", "-push"]}]);
    let mechanism = compile(&model).expect("it compiles");
    for formulation in FORMULATIONS {
        let options = DynamicsOptions { stop_times: vec![], ..options(formulation, 1e-8, 0.6) };
        let run = |mut dynamics: Dynamics| {
            for (end, push) in [(0.2, 0.0), (0.4, 8.0), (0.6, -3.0)] {
                dynamics.set_end(end).expect("an end");
                dynamics.set_inputs([[push, 0.0, 0.0]].into_iter()).expect("inputs");
                while dynamics.step().expect("a step") != Stop::EndTime {}
            }
            (dynamics.state_at(0.6).expect("a state").poses.clone(), dynamics.statistics().steps)
        };
        let (space, steps) = run(Dynamics::in_space(&mechanism, &options, mechanism.start()).expect("it starts"));
        let (plane, fewer) = run(Dynamics::new(&mechanism, &options).expect("it starts"));
        for (space, plane) in space.iter().zip(&plane) {
            let off = (space.x - plane.x).norm() + (space.a - plane.a).norm();
            assert!(off < 1e-5, "{formulation:?}: {off:e}");
        }
        assert!(10 * steps.abs_diff(fewer) <= steps, "{formulation:?}: {steps} {fewer}");
    }
}
