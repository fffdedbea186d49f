//! Backward differentiation with variable coefficients (`Wstiff`) and with a fixed leading one (`Dstiff`): stiff problems, mechanisms, and what they are
//! for, steps that change.

use crate::andrews::andrews;
use crate::stiff::{method, worst_error};
use crate::support::andrews::Form;
use crate::support::{Differentiation, ProtheroRobinson, Robertson, VanDerPol};
use fourbar_dae::integrator::{Dstiff, Gstiff, Integrator, Stop, Tolerance, Wstiff};
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
