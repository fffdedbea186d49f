//! Rkf45: its orders, its dense output, what it promises at targets, events, restarts and failures.

use fourbar_dae::integrator::{Cause, Error, Integrator, Rkf45, Rkf45Stepper, Snapshot, StepLimits, Stop};
use fourbar_dae::ode::Ode;
use fourbar_dae::{EvalError, Unknown};

use crate::support::STATE;
use crate::support::ode::{Closures, forced, forced_solution, system};

/// Largest errors at the ends of the steps, and in between, of value and slope.
fn errors(method: &Rkf45) -> [f64; 3] {
    let mut run = method.start(system::<2, _>(forced), 0.0, &forced_solution(0.0), 3.0).expect("start");
    let (mut at_ends, mut between, mut slopes) = (0.0_f64, 0.0_f64, 0.0_f64);
    let (mut y, mut yp) = ([0.0; 2], [0.0; 2]);
    let mut from = 0.0;
    loop {
        let stop = run.step().expect("step");
        at_ends = at_ends.max((run.state()[0] - forced_solution(run.time())[0]).abs());
        for part in [0.2, 0.4, 0.6, 0.8] {
            let t = from + part * (run.time() - from);
            run.interpolate(t, &mut y, &mut yp).expect("inside");
            between = between.max((y[0] - forced_solution(t)[0]).abs());
            slopes = slopes.max((yp[0] - forced_solution(t)[1]).abs());
        }
        from = run.time();
        if stop == Stop::EndTime {
            return [at_ends, between, slopes];
        }
    }
}

/// Global order 5 with local extrapolation and 4 without; the dense output keeps its local order 5, so its slope has order 4.
#[test]
fn orders_at_fixed_steps() {
    for (local_extrapolation, expected) in [(true, [5.0, 5.0, 4.0]), (false, [4.0, 4.0, 4.0])] {
        let at = |step: f64| errors(&Rkf45 { fixed: Some(step), local_extrapolation, ..Rkf45::default() });
        let (coarse, fine) = (at(0.1), at(0.05));
        for k in 0..3 {
            let order = (coarse[k] / fine[k]).log2();
            assert!(
                (order - expected[k]).abs() < 0.25,
                "extrapolated: {local_extrapolation}, error {k}: order {order}"
            );
        }
    }
}

#[test]
fn error_follows_the_tolerance() {
    for exponent in 4..=12 {
        let tolerance = 10.0_f64.powi(-exponent);
        let [at_ends, between, _] = errors(&Rkf45::with_tolerance(tolerance));
        assert!(at_ends < 20.0 * tolerance && between < 20.0 * tolerance, "{tolerance:e}: {at_ends:e}, {between:e}");
    }
}

type Ball = Closures<2, fn(f64, &[f64], &mut [f64]) -> Result<(), EvalError>, fn(f64, &[f64], &mut [f64])>;

fn ball(height: f64) -> Rkf45Stepper<Ball> {
    let system: Ball = Closures {
        unknowns: [STATE; 2],
        f: |_, y, yp| {
            yp.copy_from_slice(&[y[1], -9.81]);
            Ok(())
        },
        roots: |_, y, out| out[0] = y[0],
        root_count: 1,
    };
    Rkf45::with_tolerance(1e-9).start(system, 0.0, &[height, 0.0], 10.0).expect("start")
}

/// Flights shrink by a fifth each time, far below the step, which restarts keep: every impact is met to round-off (which adds up), down to a height of
/// 1e-11 of the first, and no restart costs more than an evaluation.
#[test]
fn ball_bounces_until_its_flights_are_round_off() {
    let e = 0.8_f64;
    let mut run = ball(1.0);
    let t1 = (2.0_f64 / 9.81).sqrt();
    for k in 0..60 {
        loop {
            let stop = run.step().expect("step");
            assert_ne!(stop, Stop::EndTime, "impact {k} was missed");
            if stop == Stop::Event {
                break;
            }
        }
        let (t, v) = (run.time(), run.state()[1]);
        let exact = t1 * (1.0 + 2.0 * (1..=k).map(|j| e.powi(j)).sum::<f64>());
        assert!((t - exact).abs() < 1e-12, "impact {k}: {t} instead of {exact}");
        assert!((v + 9.81 * t1 * e.powi(k)).abs() < 1e-11, "impact {k}: {v}");
        run.restart(t, &[0.0, -e * v], &[]).expect("restart");
    }
    let s = run.statistics();
    assert_eq!(s.restarts, 60);
    assert!(s.steps < 100, "{s:?}");
}

#[test]
fn targets_are_met_exactly_and_do_not_shorten_the_steps_after_them() {
    let mut run =
        Rkf45::with_tolerance(1e-6).start(system::<2, _>(forced), 0.0, &forced_solution(0.0), 3.0).expect("start");
    while run.time() < 1.0 {
        run.step().expect("step");
    }
    let usual = run.statistics().step_last;
    let stop = run.time() + 1.01 * usual;
    run.set_stop_times(&[stop]).expect("stops");
    let mut met = Vec::new();
    loop {
        match run.step().expect("step") {
            Stop::StopTime => met.push(run.time()),
            Stop::EndTime => break,
            _ => {}
        }
        assert!(run.statistics().step_last > 0.4 * usual || run.time() == 3.0);
    }
    assert_eq!((met, run.time()), (vec![stop], 3.0));
    assert_eq!(run.step().expect("step"), Stop::EndTime);
}

/// A system that keeps its invariant by settling, and changes its coordinates between steps: the angle of a rotation, counted from a
/// reference that moves on whenever the angle exceeds one.
struct Turning {
    reference: f64,
    unknowns: [Unknown; 2],
}

impl Ode for Turning {
    fn dimension(&self) -> usize {
        2
    }
    fn unknowns(&self) -> &[Unknown] {
        &self.unknowns
    }
    /// The angle by its rate 2 + sin t, and its cosine, which settling restores.
    fn rhs(&mut self, t: f64, y: &[f64], yp: &mut [f64]) -> Result<(), EvalError> {
        let rate = 2.0 + t.sin();
        yp.copy_from_slice(&[rate, -(self.reference + y[0]).sin() * rate]);
        Ok(())
    }
    fn settle(&mut self, _t: f64, y: &mut [f64]) -> Result<(), EvalError> {
        y[1] = (self.reference + y[0]).cos();
        Ok(())
    }
    fn before_step(&mut self, _t: f64, y: &mut [f64]) -> Result<bool, EvalError> {
        if y[0] <= 1.0 {
            return Ok(false);
        }
        self.reference += y[0];
        y[0] = 0.0;
        Ok(true)
    }
    fn save(&self, store: &mut Vec<f64>) {
        store.push(self.reference);
    }
    fn restore(&mut self, store: &[f64]) -> Result<(), EvalError> {
        self.reference = store[0];
        Ok(())
    }
}

#[test]
fn coordinates_may_change_between_steps_and_invariants_are_kept() {
    let turning = Turning { reference: 0.0, unknowns: [STATE; 2] };
    let mut run = Rkf45::with_tolerance(1e-8).start(turning, 0.0, &[0.0, 1.0], 20.0).expect("start");
    let (mut snapshot, mut ends) = (Snapshot::new(), Vec::new());
    let (mut y, mut yp) = ([0.0; 2], [0.0; 2]);
    let mut from = 0.0;
    loop {
        let stop = run.step().expect("step");
        let (t, reference) = (run.time(), run.ode().reference);
        assert_eq!(run.state()[1], (reference + run.state()[0]).cos());
        run.interpolate(0.3 * from + 0.7 * t, &mut y, &mut yp).expect("inside");
        assert!((y[1] - (reference + y[0]).cos()).abs() < 1e-7);
        from = t;
        let angle = reference + run.state()[0];
        assert!((angle - (2.0 * t + 1.0 - t.cos())).abs() < 1e-6);
        ends.push((t, angle));
        if ends.len() == 10 {
            run.save(&mut snapshot);
        }
        if stop == Stop::EndTime {
            break;
        }
    }
    assert!(run.ode().reference > 30.0);
    run.restore(&snapshot).expect("restore");
    for &(t, angle) in &ends[10..] {
        run.step().expect("step");
        assert_eq!((run.time(), run.ode().reference + run.state()[0]), (t, angle));
    }
}

/// y' = -sqrt(y) - 0.1 has no value below y = 0: a NaN is no success.
#[test]
fn a_root_of_a_negative_number_ends_the_run() {
    let root = system::<1, _>(|_, y, yp| {
        yp[0] = -(y[0].sqrt()) - 0.1;
        Ok(())
    });
    let mut run = Rkf45::with_tolerance(1e-6).start(root, 0.0, &[1.0], 10.0).expect("start");
    let error = loop {
        if let Err(error) = run.step() {
            break error;
        }
    };
    assert!(
        matches!(&error, Error::SmallestStep { cause: Cause::NotFinite { .. } | Cause::ErrorTest { .. }, .. }),
        "{error}"
    );
}

#[test]
fn options_and_starts_are_checked() {
    let start = |method: Rkf45, y: &[f64]| method.start(system::<2, _>(forced), 0.0, y, 1.0).map(|_| ());
    assert!(matches!(start(Rkf45 { fixed: Some(0.0), ..Rkf45::default() }, &[0.0; 2]), Err(Error::Option { .. })));
    assert!(matches!(start(Rkf45::with_tolerance(1.0), &[0.0; 2]), Err(Error::Option { .. })));
    assert!(matches!(start(Rkf45::default(), &[0.0; 3]), Err(Error::Length { .. })));
    assert!(matches!(start(Rkf45::default(), &[0.0, f64::NAN]), Err(Error::NotFinite { .. })));
    let limited = Rkf45 { step: StepLimits { limit: 3, ..StepLimits::default() }, ..Rkf45::with_tolerance(1e-10) };
    let mut run = limited.start(system::<2, _>(forced), 0.0, &[1.0, 0.0], 1.0).expect("start");
    for _ in 0..3 {
        run.step().expect("step");
    }
    assert!(matches!(run.step(), Err(Error::StepLimit { limit: 3, .. })));
    assert!(matches!(run.set_end_time(0.0), Err(Error::EndBeforeStart { .. })));
    assert!(matches!(run.restart(0.5, &[1.0], &[]), Err(Error::Length { .. })));
}
