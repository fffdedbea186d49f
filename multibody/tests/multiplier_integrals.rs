//! What SI1 makes of its multipliers: lambda = eta' is as accurate as the other unknowns, also behind jumps and where nothing moves.

use crate::support;
use crate::support::runs::compile;
use fourbar_multibody::integrator::{Gstiff, Stop};
use fourbar_multibody::{Dynamics, DynamicsOptions, Formulation, Inputs, Mechanism};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::sync::Arc;
use support::linkages::Linkage;

fn start(mechanism: &Arc<Mechanism>, formulation: Formulation, tolerance: f64, end: f64) -> Dynamics {
    let method = Gstiff::with_tolerance(tolerance).into();
    let options = DynamicsOptions { formulation, method, end, stop_times: vec![] };
    // In a plane the multipliers of a state are not those of the integrator.
    Dynamics::in_space(mechanism, &options, mechanism.start()).expect("it starts")
}

/// Largest differences of the multipliers of the integrator from those of the accelerations at the same positions and velocities, relative to the
/// largest multiplier: at the ends of all steps, and of those of order 3 and above. Not at `jumps`, where the integrator stands before
/// and the accelerations behind.
fn off(mechanism: &Arc<Mechanism>, dynamics: &mut Dynamics, jumps: &[f64]) -> [f64; 2] {
    let inputs = Inputs::start(mechanism);
    let (mut worst, mut largest) = ([0.0_f64; 2], 0.0_f64);
    let mut stop = Stop::Step;
    while stop != Stop::EndTime {
        stop = dynamics.step().expect("a step");
        if jumps.contains(&dynamics.time()) {
            continue;
        }
        let state = dynamics.state_at(dynamics.time()).expect("a state").clone();
        let solved = mechanism.consistent(&state, &inputs).expect("accelerations");
        for (own, solved) in state.multipliers.iter().zip(&solved.multipliers) {
            let off = (own - solved).abs();
            worst[0] = worst[0].max(off);
            worst[1] = worst[1].max(if dynamics.order() > 2 { off } else { 0.0 });
            largest = largest.max(solved.abs());
        }
    }
    worst.map(|worst| worst / largest)
}

/// A pendulum that is pushed in its plane.
fn pushed_pendulum(force: &str) -> Value {
    json!({
        "gravity": [0, -9.81, 0],
        "body": [{"name": "rod", "mass": 2, "inertia": [0.01, 0.2, 0.2], "position": [0.5, 0, 0]}],
        "joint": [{"name": "pivot", "type": "revolute", "i": {"body": "rod", "position": [-0.5, 0, 0]}, "j": "ground"}],
        "force": [{"name": "push", "type": "force", "i": "rod", "value": [force, 0, 0]}],
    })
}

/// A body that is held under a force.
fn held(force: &str) -> Value {
    json!({
        "body": [{"name": "b", "mass": 1, "inertia": [1, 1, 1]}],
        "joint": [{"name": "weld", "type": "fixed", "i": "b", "j": "ground"}],
        "force": [{"name": "push", "type": "force", "i": "b", "value": [force, 0, 0]}],
    })
}

/// Behind a start the method has order 1 and steps that grow fast, and eta is as inaccurate over a step as the tolerance allows.
#[test]
fn multipliers_are_as_accurate_as_the_motion() {
    let mechanism = compile(&pushed_pendulum("0"));
    for tolerance in [1e-5, 1e-7, 1e-9] {
        let mut dynamics = start(&mechanism, Formulation::Si1, tolerance, 5.0);
        let [all, settled] = off(&mechanism, &mut dynamics, &[]);
        println!("{tolerance:e}: {all:.1e}, {settled:.1e}, {} steps", dynamics.statistics().steps);
        // A local error of eta is one of lambda times the step, which is a hundredth of the time of the motion.
        assert!(settled < 100.0 * tolerance && all < 1000.0 * tolerance, "{tolerance:e}: {all:e}, {settled:e}");
    }
}

/// The history of eta begins anew behind each.
#[test]
fn multipliers_behind_a_jump_are_those_of_the_force_there() {
    let mechanism = compile(&pushed_pendulum("if(time < 0.7, 0, if(time < 1.3, 80, -40))"));
    let mut dynamics = start(&mechanism, Formulation::Si1, 1e-7, 2.0);
    let [all, settled] = off(&mechanism, &mut dynamics, &[0.7, 1.3]);
    println!("{all:.1e}, {settled:.1e}, {:?}", dynamics.statistics());
    assert_eq!(dynamics.statistics().jumps, 2);
    assert!(settled < 1e-5 && all < 1e-4, "{all:e}, {settled:e}");
}

/// Nothing moves, so nothing but the multipliers has an error: their own size says what it may be, not the round-off of velocities.
#[test]
fn a_body_held_under_a_changing_force_takes_no_short_steps() {
    let mechanism = compile(&held("100*sin(10*time)"));
    let steps = [Formulation::Si2, Formulation::Si1].map(|formulation| {
        let mut dynamics = start(&mechanism, formulation, 1e-6, 10.0);
        while dynamics.step().expect("a step") != Stop::EndTime {}
        println!("{formulation:?}: {} steps", dynamics.statistics().steps);
        dynamics.statistics().steps
    });
    // In index 2 multipliers are not tested; in index 1 by the method of order 5, over 16 periods.
    assert!(steps[0] < 50 && steps[1] < 16 * 200, "{steps:?}");
}

/// A ball joint lets its body tumble through every orientation. An exchange of its chart leaves eta alone, since forces and torques are in global axes.
#[test]
fn an_exchange_of_charts_leaves_the_multipliers() {
    let mechanism = compile(&json!({
        "gravity": [0, 0, -9.81],
        "body": [{"name": "top", "mass": 2, "inertia": [0.1, 0.2, 0.28], "position": [0.5, 0, 0], "angular_velocity": [0.2, 0.1, 6]}],
        "joint": [{"name": "ball", "type": "spherical", "i": {"body": "top", "position": [-0.5, 0, 0]}, "j": "ground"}],
    }));
    let mut dynamics = start(&mechanism, Formulation::Si1, 1e-8, 20.0);
    let [_, settled] = off(&mechanism, &mut dynamics, &[]);
    let energy = dynamics.energy().expect("energy");
    println!("{settled:.1e}, {energy:?}, {:?}", dynamics.statistics());
    assert!(dynamics.statistics().factorizations.chart_exchange >= 3, "{:?}", dynamics.statistics());
    assert!(dynamics.statistics().restarts == 0 && settled < 1e-6, "{settled:e}");
    assert!(energy.balance_error.abs() < 1e-5 * energy.start, "{energy:?}");
}

/// A reaction far larger than what moves the body, over 200 rad of its change: it is asked for by its own size, not by that of the motion.
#[test]
fn a_heavy_side_load_is_no_heavy_run() {
    let axes = json!({"z_axis": [1, 0, 0], "x_axis": [0, 1, 0]});
    let mechanism = compile(&json!({
        "body": [{"name": "b", "mass": 1, "inertia": [1, 1, 1], "velocity": [1, 0, 0]}],
        "joint": [{"name": "g", "type": "prismatic",
            "i": {"body": "b", "orientation": axes}, "j": {"body": "ground", "orientation": axes}}],
        "measure": [{"name": "x", "type": "position", "i": "b", "component": "x"}],
        "force": [{"name": "push", "type": "force", "i": "b", "value": [0, "1e6*sin(20*x)", 0]}],
    }));
    let mut dynamics = start(&mechanism, Formulation::Si1, 1e-6, 10.0);
    let [_, settled] = off(&mechanism, &mut dynamics, &[]);
    println!("{settled:.1e}, {} steps", dynamics.statistics().steps);
    // Of order 5 at 1e-6: some 60 steps over 2 pi.
    assert!(settled < 1e-4 && dynamics.statistics().steps < 4000, "{settled:e}, {:?}", dynamics.statistics());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    /// Work of a motion that drives a linkage, from its multiplier between the ends of steps.
    #[test]
    fn the_energy_balance_of_driven_linkages_closes(linkage in Linkage::any()) {
        let linkage = Linkage { gravity: [1.0, -9.81], ..linkage };
        let mechanism = Arc::new(Mechanism::compile(&linkage.model()).expect("it compiles"));
        for formulation in [Formulation::Si2, Formulation::Si1] {
            let method = Gstiff::with_tolerance(1e-8).into();
            let options = DynamicsOptions { formulation, method, end: 1.0, stop_times: vec![] };
            let mut dynamics = Dynamics::new(&mechanism, &options).expect("it starts");
            let mut largest: f64 = 0.0;
            while dynamics.step().expect("a step") != Stop::EndTime {
                dynamics.account_energy().expect("energy");
                largest = largest.max(dynamics.energy().expect("energy").kinetic);
            }
            dynamics.account_energy().expect("energy");
            let error = dynamics.energy().expect("energy").balance_error / largest;
            println!("{formulation:?}: {error:.1e}, {} steps", dynamics.statistics().steps);
            prop_assert!(error.abs() < 1e-5, "{:?}: {:e}", formulation, error);
        }
    }
}
