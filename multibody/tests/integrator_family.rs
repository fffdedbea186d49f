//! Backward differentiation with variable coefficients (`Wstiff`) and with a fixed leading one (`Dstiff`): stiff problems, mechanisms, and what they are
//! for, steps that change.

use crate::integrator_mechanism::andrews;
use crate::integrator_stiff::{method, worst_error};
use crate::support::andrews::{Andrews, Form};
use crate::support::{Differentiation, ProtheroRobinson, Robertson, VanDerPol};
use fourbar_multibody::integrator::{Dstiff, Gstiff, Integrator, Snapshot, StepLimits, Stop, Tolerance, Wstiff};
use proptest::prelude::*;

fn both(tolerance: &Tolerance) -> (Wstiff, Dstiff) {
    let wstiff = Wstiff { tolerance: tolerance.clone(), ..Wstiff::default() };
    (wstiff, Dstiff { tolerance: tolerance.clone(), ..Dstiff::default() })
}

#[test]
fn stiff_problems_meet_their_references() {
    let tolerance = method(1e-8, &[1e-12, 1e-15, 1e-12]).tolerance;
    let (wstiff, dstiff) = both(&tolerance);
    let run = |index1, by: u8| {
        let (system, y, yp) = (Robertson::system(index1), &Robertson::START, &Robertson::SLOPE);
        if by == 0 {
            worst_error("robertson", system, y, yp, &wstiff)
        } else {
            worst_error("robertson", system, y, yp, &dstiff)
        }
    };
    for index1 in [false, true] {
        for by in 0..2 {
            let (error, statistics) = run(index1, by);
            println!("Robertson {index1} {by}: {error:.1e} {statistics:?}");
            assert!(error < 1e-6, "index 1: {index1}, method {by}, worst relative error {error:e}");
        }
    }
    let (wstiff, dstiff) = both(&method(1e-8, &[1e-9, 1e-11]).tolerance);
    let system = || VanDerPol::system(1000.0);
    let by_w = worst_error("van_der_pol_mu1000", system(), &[2.0, 0.0], &[0.0, -2.0], &wstiff);
    let by_d = worst_error("van_der_pol_mu1000", system(), &[2.0, 0.0], &[0.0, -2.0], &dstiff);
    for (error, statistics) in [by_w, by_d] {
        println!("van der Pol: {error:.1e} {statistics:?}");
        assert!(error < 1e-6, "worst relative error {error:e}");
    }
}

/// As accurate as `Gstiff` at the same tolerance, or nearly so.
#[test]
fn andrews_over_the_tolerances() {
    let cases = [
        (Form::Si2, 1e-6, 3e-5),
        (Form::Si2, 1e-8, 3e-7),
        (Form::Si2, 1e-9, 3e-8),
        (Form::I3, 1e-8, 1e-4),
        (Form::I3, 1e-10, 2e-6),
    ];
    for (form, tolerance, error_max) in cases {
        let (wstiff, dstiff) = both(&Tolerance::uniform(tolerance));
        let runs = [
            ("Gstiff", andrews(form, &Gstiff::with_tolerance(tolerance))),
            ("Wstiff", andrews(form, &wstiff)),
            ("Dstiff", andrews(form, &dstiff)),
        ];
        for (name, run) in runs {
            let s = &run.statistics;
            println!(
                "{form:?} {tolerance:e} {name}: error {:.1e}, steps {} / {}, residuals {}, factorizations {}, orders {:?}",
                run.error,
                s.steps,
                s.rejected_by_error,
                s.residual_evaluations,
                s.factorizations.total(),
                s.orders
            );
            assert!(run.error < error_max, "{form:?} {tolerance:e} {name}: error {:e}", run.error);
        }
    }
}

fn error_with_stops(method: &impl Differentiation, times: &[f64]) -> (f64, u64) {
    let mut run = method.begin(ProtheroRobinson::system(2.0), &[1.0, 1.0], &[0.0; 2], 10.0);
    run.set_stop_times(times).expect("stop times");
    let mut worst: f64 = 0.0;
    loop {
        let stop = run.step().expect("step");
        worst = worst.max((run.state()[0] - run.time().cos()).abs());
        if stop == Stop::EndTime {
            return (worst, run.statistics().steps);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// Steps that end anywhere cost no accuracy.
    #[test]
    fn steps_may_end_anywhere(mut times in prop::collection::vec(0.01..9.99f64, 1..60)) {
        times.sort_by(f64::total_cmp);
        times.dedup();
        let (wstiff, dstiff) = both(&Tolerance::uniform(1e-8));
        for (name, error, free) in [
            ("Wstiff", error_with_stops(&wstiff, &times), error_with_stops(&wstiff, &[])),
            ("Dstiff", error_with_stops(&dstiff, &times), error_with_stops(&dstiff, &[])),
        ] {
            prop_assert!(error.0 < 10.0 * free.0.max(1e-8), "{name}: {error:?} {free:?}");
        }
    }
}

/// y and y' of the next steps, bit by bit.
fn trace(run: &mut impl Integrator, steps: usize) -> Vec<u64> {
    let mut bits = Vec::new();
    for _ in 0..steps {
        let _ = run.step().expect("step");
        bits.extend(run.state().iter().chain(run.derivative()).map(|x| x.to_bits()));
        bits.push(run.time().to_bits());
    }
    bits
}

fn repeats(method: &impl Differentiation) {
    let (y, yp) = Andrews::start(Form::Si2);
    let mut run = method.begin(Andrews::system(Form::Si2), &y, &yp, 0.03);
    let _ = trace(&mut run, 50);
    let mut snapshot = Snapshot::new();
    run.save(&mut snapshot);
    let first = trace(&mut run, 60);
    run.restore(&snapshot).expect("its own snapshot");
    assert_eq!(first, trace(&mut run, 60));
    let mut bytes = Vec::new();
    snapshot.store(&mut bytes);
    let mut other = method.begin(Andrews::system(Form::Si2), &y, &yp, 0.03);
    let loaded = other.load(&mut fourbar_linalg::checkpoint::Source::new(&bytes)).expect("stored");
    other.restore(&loaded).expect("a point of the same method");
    assert_eq!(first, trace(&mut other, 60));
}

#[test]
fn a_restored_run_repeats_bit_for_bit() {
    let (wstiff, dstiff) = both(&Tolerance::uniform(1e-6));
    repeats(&wstiff);
    repeats(&dstiff);
}

#[test]
fn points_of_another_method_are_refused() {
    let (wstiff, dstiff) = both(&Tolerance::uniform(1e-6));
    let system = || ProtheroRobinson::system(2.0);
    let mut one = wstiff.begin(system(), &[1.0, 1.0], &[0.0; 2], 1.0);
    let other = dstiff.begin(system(), &[1.0, 1.0], &[0.0; 2], 1.0);
    let mut snapshot = Snapshot::new();
    other.save(&mut snapshot);
    assert!(one.restore(&snapshot).is_err());
}

fn finish(run: &mut impl Integrator) {
    while run.step().expect("step") != Stop::EndTime {}
}

/// Sums of the statistics, rest, and a restart behind a jump of the state.
fn keeps_the_contract(method: &impl Differentiation) {
    let (y, yp) = Andrews::start(Form::Si2);
    let mut run = method.begin(Andrews::system(Form::Si2), &y, &yp, 0.03);
    finish(&mut run);
    let s = run.statistics();
    assert_eq!(s.orders.iter().sum::<u64>(), s.steps);
    assert_eq!(s.factorizations.total(), s.jacobian_evaluations);
    assert_eq!(s.residual_evaluations, s.newton_iterations);
    assert!(s.step_smallest <= s.step_last && s.step_last <= s.step_largest);

    let mut rest = method.begin(VanDerPol::system(5.0), &[0.0; 2], &[0.0; 2], 1e6);
    finish(&mut rest);
    assert_eq!(rest.state(), [0.0, 0.0]);
    assert!(rest.statistics().steps < 100, "{:?}", rest.statistics());

    let mut run = method.begin(ProtheroRobinson::system(2.0), &[1.0, 1.0], &[0.0; 2], 4.0);
    run.set_stop_times(&[2.0]).expect("a stop time");
    while run.step().expect("step") != Stop::StopTime {}
    // Off the solution by one: y = cos t + exp(-2 (t - 2)).
    let y = 2f64.cos() + 1.0;
    run.restart(2.0, &[y, y * y], &[-2f64.sin() - 2.0, 0.0]).expect("restart");
    let _ = run.step().expect("step");
    assert_eq!((run.order(), run.statistics().restarts), (1, 1));
    finish(&mut run);
    assert_eq!(run.time(), 4.0);
    assert!((run.state()[0] - 4f64.cos() - (-4f64).exp()).abs() < 1e-5);
}

#[test]
fn the_contract_of_integrators_holds() {
    let (wstiff, dstiff) = both(&Tolerance::uniform(1e-6));
    keeps_the_contract(&wstiff);
    keeps_the_contract(&dstiff);
}

fn keeps_limits(order_max: usize, method: &impl Differentiation) {
    let mut run = method.begin(ProtheroRobinson::system(2.0), &[1.0, 1.0], &[0.0; 2], 10.0);
    finish(&mut run);
    let s = run.statistics();
    assert!(s.orders[order_max..].iter().all(|&n| n == 0), "{s:?}");
    assert!(s.step_largest <= 0.05 * (1.0 + 1e-8), "{s:?}");
}

#[test]
fn the_highest_order_and_the_largest_step_are_kept() {
    let (tolerance, step) = (Tolerance::uniform(1e-4), StepLimits { largest: 0.05, ..StepLimits::default() });
    for order_max in 1..=6 {
        let (wstiff, dstiff) = both(&tolerance);
        keeps_limits(order_max, &Wstiff { order_max, step, ..wstiff });
        keeps_limits(order_max, &Dstiff { order_max, step, ..dstiff });
    }
}
