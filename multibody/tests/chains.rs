//! Chains and ladders of hundreds and thousands of bodies in four drawings: what a step and a start cost grows as the number of bodies. Counted,
//! not timed; `examples/chains.rs` times them.

use crate::support::chains;

use chains::{DRAWINGS, Drawing, KINDS, Kind};
use fourbar_linalg::{Calahan, CalahanOptions};
use fourbar_multibody::dae::Dae;
use fourbar_multibody::integrator::{Abam, Gstiff, Rkf45};
use fourbar_multibody::{Dynamics, DynamicsOptions, Equations, Error, Formulation, Interrupt, Mechanism, Method};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Exponent of growth that is allowed.
const EXPONENT: f64 = 1.1;

pub(crate) fn compiled(kind: Kind, drawing: Drawing, bodies: usize) -> Arc<Mechanism> {
    Arc::new(Mechanism::compile(&chains::model(kind, drawing, bodies)).expect("it compiles"))
}

pub(crate) fn dynamics(mechanism: &Arc<Mechanism>, method: Method, formulation: Formulation) -> Dynamics {
    let options = DynamicsOptions { formulation, method, end: f64::INFINITY, stop_times: Vec::new() };
    Dynamics::new(mechanism, &options).expect("it starts")
}

/// Multiply-adds of one factorization of the Newton matrix at the start, for steps of about a millisecond.
fn multiply_adds(mechanism: &Arc<Mechanism>, formulation: Formulation) -> usize {
    let mut equations = Equations::new(Arc::clone(mechanism), formulation, mechanism.start());
    let n = equations.dimension();
    let (mut y, mut yp) = (vec![0.0; n], vec![0.0; n]);
    equations.write(mechanism.start(), &mut y, &mut yp);
    let mut values = vec![0.0; equations.pattern().nnz()];
    equations.jacobian(0.0, &y, &yp, 1e3, &mut values).expect("the matrix is evaluated");
    let pattern = equations.pattern();
    Calahan::new(pattern, &values, &CalahanOptions::default()).expect("a regular matrix").multiply_adds()
}

#[test]
fn factorizations_grow_as_the_number_of_bodies() {
    for kind in KINDS {
        for drawing in DRAWINGS {
            let [small, large] = [60, 600].map(|bodies| compiled(kind, drawing, bodies));
            for formulation in [Formulation::Si2, Formulation::I3, Formulation::Si1] {
                let [few, many] = [&small, &large].map(|mechanism| multiply_adds(mechanism, formulation) as f64);
                let exponent = (many / few).log10();
                println!("{kind:?} {drawing:?} {formulation:?}: {:.0} a body, exponent {exponent:.2}", many / 600.0);
                assert!(exponent <= EXPONENT, "{kind:?} {drawing:?} {formulation:?}: {exponent}");
                assert!(many <= 20_000.0 * 600.0, "{kind:?} {drawing:?} {formulation:?}: {many}");
            }
        }
    }
}

/// The dependent rows of each loop are found, and nothing else is.
#[test]
fn each_loop_of_a_ladder_has_three_rows_too_many() {
    for drawing in DRAWINGS {
        let mechanism = compiled(Kind::Ladder, drawing, 300);
        assert_eq!(mechanism.redundancies().len(), 300, "{drawing:?}");
        assert_eq!(mechanism.degrees_of_freedom(), 100, "{drawing:?}");
    }
}

/// Pivots wear out seldom: the first steps are shorter than the later ones by orders of magnitude, then nothing changes fast.
#[test]
fn pivots_are_seldom_chosen() {
    for kind in KINDS {
        for drawing in DRAWINGS {
            let mechanism = compiled(kind, drawing, 100);
            let mut dynamics = dynamics(&mechanism, Gstiff::with_tolerance(1e-6).into(), Formulation::Si2);
            for _ in 0..60 {
                let _ = dynamics.step().expect("a step");
            }
            let statistics = dynamics.statistics();
            println!("{kind:?} {drawing:?}: {} of {}", statistics.pivotings, statistics.factorizations.total());
            assert!(statistics.pivotings <= 6, "{kind:?} {drawing:?}: {statistics:?}");
        }
    }
}

/// Newton iterations and matrices a step do not grow with the number of bodies: neither the round-off of places that joints hand on, nor the multipliers that
/// carry all bodies behind keep the iteration from ending.
#[test]
fn long_chains_take_the_iterations_of_short_ones() {
    for (kind, drawing) in [(Kind::Chain, Drawing::Straight), (Kind::Ladder, Drawing::Twisted)] {
        for formulation in [Formulation::Si2, Formulation::I3, Formulation::Si1] {
            let [short, long] = [99, 1500].map(|bodies| {
                let mut dynamics =
                    dynamics(&compiled(kind, drawing, bodies), Gstiff::with_tolerance(1e-6).into(), formulation);
                for _ in 0..60 {
                    let _ = dynamics.step().expect("a step");
                }
                let statistics = dynamics.statistics();
                let steps = statistics.steps as f64;
                [statistics.newton_iterations as f64 / steps, statistics.jacobian_evaluations as f64 / steps]
            });
            println!("{kind:?} {drawing:?} {formulation:?}: iterations, matrices a step {short:.2?}, {long:.2?}");
            assert!(long[0] < 1.2 * short[0] && long[1] < 1.2 * short[1], "{kind:?} {drawing:?} {formulation:?}");
        }
    }
}

/// What took minutes, when pivots were searched again and again or among all entries, is done in seconds.
#[test]
fn thousands_of_bodies_start() {
    let gstiff = || Gstiff::with_tolerance(1e-6).into();
    let cases: [(_, _, Method, _); 4] = [
        (Drawing::Horizontal, 3000, gstiff(), Formulation::Si2),
        (Drawing::Zigzag, 3000, gstiff(), Formulation::I3),
        (Drawing::Horizontal, 3000, gstiff(), Formulation::Si1),
        (Drawing::Horizontal, 1000, Rkf45::with_tolerance(1e-6).into(), Formulation::Si2),
    ];
    for (drawing, bodies, method, formulation) in cases {
        let mut dynamics = dynamics(&compiled(Kind::Chain, drawing, bodies), method, formulation);
        let _ = dynamics.step().expect("a step");
        let statistics = dynamics.statistics();
        assert!(statistics.pivotings <= 3 && statistics.rejected_by_newton == 0, "{drawing:?}: {statistics:?}");
    }
}

/// Behind thousands of joints the corrections of dependent coordinates are round-off of the rows, which never gets small.
#[test]
fn dependent_coordinates_of_a_long_ladder_are_closed() {
    let mechanism = compiled(Kind::Ladder, Drawing::Twisted, 6000);
    let mut dynamics = dynamics(&mechanism, Rkf45::with_tolerance(1e-6).into(), Formulation::Si2);
    let _ = dynamics.step().expect("a step");
}

/// A raised flag ends a step at its next evaluation; the run stays where it was and goes on as if nothing had been.
#[test]
fn steps_are_interrupted_and_taken_again() {
    let mechanism = compiled(Kind::Chain, Drawing::Zigzag, 10);
    let explicit = [Method::from(Rkf45::with_tolerance(1e-6)), Abam::with_tolerance(1e-6).into()];
    for method in explicit.into_iter().chain([Gstiff::with_tolerance(1e-6).into()]) {
        let flag = Arc::new(AtomicBool::new(false));
        let mut whole = dynamics(&mechanism, method.clone(), Formulation::Si2);
        let mut halted = dynamics(&mechanism, method, Formulation::Si2);
        halted.set_interrupt(Interrupt::from(Arc::clone(&flag)));
        for step in 0..20 {
            let _ = whole.step().expect("a step");
            if step % 7 == 3 {
                let before = (halted.time(), halted.statistics().steps);
                flag.store(true, Ordering::Relaxed);
                let error = halted.step().expect_err("interrupted");
                assert!(error.to_string().contains("interrupted"), "{error}");
                assert!(matches!(error, Error::Integrator(_)));
                assert_eq!(before, (halted.time(), halted.statistics().steps));
                flag.store(false, Ordering::Relaxed);
            }
            let _ = halted.step().expect("a step");
        }
        assert!((whole.time() / halted.time() - 1.0).abs() < 0.2, "{} {}", whole.time(), halted.time());
    }
}
