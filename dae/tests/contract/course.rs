//! The course of a run: interpolation, statistics, limits, rest, restarts.

use super::{cosine, error, failure, finish, is_fixed, methods, methods_with, try_begin};
use crate::support::VanDerPol;
use crate::support::ode::system;
use fourbar_dae::integrator::Method;
use fourbar_dae::integrator::{Abam, Dstiff, Error, Gstiff, StepLimits, Stop, Tolerance, Wstiff};

#[test]
fn interpolation_meets_both_ends_and_refuses_the_outside() {
    for method in methods() {
        let name = method.name();
        let mut run = cosine(&method, 3.0);
        let (mut y, mut yp) = ([0.0; 2], [0.0; 2]);
        loop {
            let (t, before) = (run.time(), run.state().to_vec());
            let stop = run.step().expect("step");
            run.interpolate(run.time(), &mut y, &mut yp).expect("inside");
            assert_eq!((&y[..], &yp[..]), (run.state(), run.derivative()), "{name}");
            run.interpolate(t, &mut y, &mut yp).expect("inside");
            assert!(
                (y[0] - before[0]).abs() < 1e-14 && (y[1] - before[1]).abs() < 1e-14,
                "{name} {t}: {y:?} {before:?}"
            );
            let outside = run.time() + 1e-9;
            assert!(matches!(run.interpolate(outside, &mut y, &mut yp), Err(Error::OutsideStep { .. })));
            if stop == Stop::EndTime {
                break;
            }
        }
        assert!(matches!(run.interpolate(3.0, &mut y[..1], &mut yp), Err(Error::Length { .. })));
    }
}

#[test]
fn statistics_are_consistent() {
    for method in methods() {
        let mut run = cosine(&method, 5.0);
        finish(&mut *run);
        let s = run.statistics();
        let name = method.name();
        assert_eq!(s.orders.iter().sum::<u64>(), s.steps, "{name}");
        assert_eq!(s.factorizations.total(), s.jacobian_evaluations, "{name}");
        assert!(s.residual_evaluations >= s.steps + s.rejected_by_error, "{name}: {s:?}");
        assert!(s.step_smallest <= s.step_last && s.step_last <= s.step_largest, "{name}: {s:?}");
        assert!(s.orders.iter().skip(method.order_max()).all(|&n| n == 0), "{name}: {s:?}");
        if !method.takes_ode() {
            assert_eq!((s.residual_evaluations, s.factorizations.first), (s.newton_iterations, 1), "{name}");
        }
    }
}

#[test]
fn the_highest_order_and_the_largest_step_are_kept() {
    let step = StepLimits { largest: 0.05, ..StepLimits::default() };
    let tolerance = || Tolerance::uniform(1e-4);
    let of_order = |order_max| -> [Method; 3] {
        [
            Gstiff { order_max, step, ..Gstiff::with_tolerance(1e-4) }.into(),
            Wstiff { order_max, step, tolerance: tolerance(), ..Wstiff::default() }.into(),
            Dstiff { order_max, step, tolerance: tolerance(), ..Dstiff::default() }.into(),
        ]
    };
    let abam = |order_max| Method::from(Abam { order_max, step, tolerance: tolerance() });
    let methods = (1..=6).flat_map(of_order).chain((1..=12).map(abam)).chain(methods_with(step, 1e-4));
    for method in methods {
        let mut run = cosine(&method, 10.0);
        finish(&mut *run);
        let (s, order_max) = (run.statistics(), method.order_max());
        assert!(s.orders.iter().skip(order_max).all(|&n| n == 0), "{}: {s:?}", method.name());
        assert!(s.step_largest <= 0.05 * (1.0 + 1e-8), "{}: {s:?}", method.name());
        // At order 1 a local error of 1e-4 per step of 0.02 adds up over the memory of the system, 1/2 s.
        let bound = if order_max == 1 { 1e-2 } else { 1e-3 };
        assert!(error(&*run) < bound, "{}, order {order_max}: {:e}", method.name(), error(&*run));
    }
}

#[test]
fn a_limit_of_steps_stops_the_run_with_its_state() {
    for method in methods_with(StepLimits { limit: 10, ..StepLimits::default() }, 1e-6) {
        let mut run = cosine(&method, 10.0);
        let error_of_run = failure(&mut *run);
        assert_eq!(error_of_run, Error::StepLimit { limit: 10, time: run.time(), end: 10.0 }, "{}", method.name());
        assert!(error(&*run) < 2e-5, "{}: the partial result stays", method.name());
        assert_eq!(failure(&mut *run), error_of_run);
    }
}

#[test]
fn rest_stays_at_rest() {
    // y = y' = 0 is a solution of van der Pol's equation.
    for method in methods() {
        let ode = system::<2, _>(|_: f64, y: &[f64], yp: &mut [f64]| {
            yp.copy_from_slice(&[y[1], 0.05 * (1.0 - y[0] * y[0]) * y[1] - y[0]]);
            Ok(())
        });
        let end = if is_fixed(&method) { 1.0 } else { 1e6 };
        let mut run = try_begin(&method, VanDerPol::system(5.0), ode, [&[0.0; 2], &[0.0; 2]], end).expect("a start");
        finish(&mut *run);
        assert_eq!(run.state(), [0.0, 0.0], "{}", method.name());
        assert!(is_fixed(&method) || run.statistics().steps < 100, "{}: {:?}", method.name(), run.statistics());
    }
}

/// A restart at a jump of the state counts; methods of several steps begin at order 1.
#[test]
fn restart_after_a_jump() {
    for method in methods() {
        let name = method.name();
        let mut run = cosine(&method, 4.0);
        run.set_stop_times(&[2.0, 3.0]).expect("increasing");
        while run.step().expect("step") != Stop::StopTime {}
        let t = run.time();
        // Off the solution by one: y = cos t + exp(-2 (t - 2)).
        let y = t.cos() + 1.0;
        run.restart(t, &[y, y * y], &[-t.sin() - 2.0, 0.0]).expect("restart");
        let _ = run.step().expect("step");
        let first = if name == "rkf45" { method.order_max() } else { 1 };
        assert_eq!((run.order(), run.statistics().restarts), (first, 1), "{name}");
        while run.step().expect("step") != Stop::StopTime {}
        assert_eq!(run.time(), 3.0);
        finish(&mut *run);
        let error = (run.state()[0] - 4f64.cos() - (-4f64).exp()).abs();
        assert!(error < 2e-5, "{name}: {error:e}");
        assert!(run.restart(5.0, &[1.0, 1.0], &[0.0; 2]).is_err(), "{name}: beyond the end");
    }
}
