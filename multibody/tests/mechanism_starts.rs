//! The start of a run of a mechanism: at order 2, with the second derivatives of positions that its accelerations give.

use crate::chains::{compiled, dynamics};
use crate::support::chains::{Drawing, Kind};
use fourbar_multibody::dae::Dae;
use fourbar_multibody::integrator::{Gstiff, StepLimits, Wstiff};
use fourbar_multibody::{Equations, Formulation, Inputs, Method};
use std::sync::Arc;

/// Rows of a body that say what positions are derivatives of.
const KINEMATIC: usize = 6;
/// Unknowns of a body.
const PER_BODY: usize = 15;

/// With y + s y' + s^2 y''/2 and y' + s y'' the rows x' = V and omega = G e' are off by s^2 alone: half of s leaves a quarter.
#[test]
fn second_derivatives_of_positions_are_those_of_the_motion() {
    // In a plane turns are angles of their charts, and nothing is left of the second order.
    let mechanism = compiled(Kind::Chain, Drawing::Twisted, 5);
    let mut run = dynamics(&mechanism, Gstiff::with_tolerance(1e-8).into(), Formulation::Si2);
    while run.time() < 0.3 {
        let _ = run.step().expect("a step");
    }
    let time = run.time();
    let state = run.state_at(time).expect("the state at the end").clone();
    let state = mechanism.consistent(&state, &Inputs::start(&mechanism)).expect("a state on the constraints");
    let mut equations = Equations::new(Arc::clone(&mechanism), Formulation::Si2, &state);
    let n = equations.dimension();
    let [mut y, mut yp, mut ypp] = [(); 3].map(|()| vec![0.0; n]);
    equations.write(&state, &mut y, &mut yp);
    let step = equations.second_order(&y, &yp, &mut ypp).expect("a mechanism knows them");
    assert!(step > 0.0 && step < 1e-3, "{step:e}");
    assert!(state.poses.iter().any(|pose| pose.w.norm() > 0.1), "the chain moves");
    let mut off = |s: f64| {
        let at: Vec<f64> = (0..n).map(|i| y[i] + s * (yp[i] + 0.5 * s * ypp[i])).collect();
        // Velocities go on with their own derivatives.
        let rates: Vec<f64> = (0..n).map(|i| yp[i] + s * ypp[i]).collect();
        let mut residual = vec![0.0; n];
        equations.residual(time, &at, &rates, &mut residual).expect("it is evaluated");
        let bodies = residual.chunks_exact(PER_BODY).take(mechanism.bodies().len());
        bodies.flat_map(|rows| &rows[..KINEMATIC]).fold(0.0_f64, |worst, r| worst.max(r.abs()))
    };
    let [whole, half] = [off(1e-4), off(5e-5)];
    println!("off by {whole:.1e}, {half:.1e}");
    assert!((3.9..4.1).contains(&(whole / half)), "{whole:e}, {half:e}");
}

/// From rest nothing but round-off bounds the first step of order 1: u (R + L) = 2e-12 m here, which these accelerations pass in 2.5e-7 s.
#[test]
fn runs_from_rest_begin_at_order_2() {
    let mechanism = compiled(Kind::Chain, Drawing::Twisted, 5);
    for formulation in [Formulation::Si2, Formulation::Si1] {
        let begun = |first: f64| {
            let step = StepLimits { first, ..StepLimits::default() };
            let gstiff = Gstiff { step, ..Gstiff::with_tolerance(1e-6) };
            let mut run = dynamics(&mechanism, gstiff.into(), formulation);
            let _ = run.step().expect("a step");
            let order = run.order();
            for _ in 1..10 {
                let _ = run.step().expect("a step");
            }
            (order, run.time(), run.statistics().rejected_by_error)
        };
        let [chosen, given] = [begun(0.0), begun(2.5e-7)];
        println!("{formulation:?}: {chosen:?}, at order 1 {given:?}");
        assert_eq!((chosen.0, chosen.2, given.0), (2, 0, 1), "{formulation:?}");
        assert!(chosen.1 > 2.0 * given.1, "{formulation:?}: {chosen:?}, {given:?}");
    }
}

/// Order 1 remains in index 3, where a caller gives the first step or allows no higher order, and for coefficients that follow the ends of steps.
#[test]
fn other_runs_begin_at_order_1() {
    let mechanism = compiled(Kind::Chain, Drawing::Zigzag, 5);
    let given = StepLimits { first: 1e-7, ..StepLimits::default() };
    let methods: [(Method, Formulation); 4] = [
        (Gstiff::default().into(), Formulation::I3),
        (Gstiff { step: given, ..Gstiff::default() }.into(), Formulation::Si2),
        (Gstiff { order_max: 1, ..Gstiff::default() }.into(), Formulation::Si2),
        (Wstiff::default().into(), Formulation::Si2),
    ];
    for (method, formulation) in methods {
        let name = method.name();
        let mut run = dynamics(&mechanism, method, formulation);
        let _ = run.step().expect("a step");
        assert_eq!(run.order(), 1, "{name} {formulation:?}");
    }
}
