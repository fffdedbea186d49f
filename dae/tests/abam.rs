//! Abam: tolerances, dense output, events, changes of coordinates, stiffness. What all methods promise is tested in `contract`.
//! Orders at constant step are tested beside the formulas.

use crate::support::STATE;
use crate::support::ode::{Closures, NoRoots, forced, forced_solution, system};
use fourbar_dae::integrator::{Abam, AbamStepper, Error, Integrator, Rkf45, StepLimits, Stop, Tolerance};
use fourbar_dae::ode::Ode;
use fourbar_dae::{EvalError, Unknown};
use proptest::prelude::*;

type Slopes = fn(f64, &[f64], &mut [f64]) -> Result<(), EvalError>;
type Forced = Closures<2, Slopes, NoRoots>;

fn run(tolerance: f64, end: f64) -> AbamStepper<Forced> {
    let f: Slopes = forced;
    Abam::with_tolerance(tolerance).start(system::<2, _>(f), 0.0, &forced_solution(0.0), end).expect("start")
}

fn finish(run: &mut impl Integrator) {
    while run.step().expect("step") != Stop::EndTime {}
}

/// Largest errors at the ends of steps, and in between.
fn errors(run: &mut impl Integrator) -> [f64; 2] {
    let (mut at_ends, mut between) = (0.0_f64, 0.0_f64);
    let (mut y, mut yp) = ([0.0; 2], [0.0; 2]);
    let mut from = run.time();
    loop {
        let stop = run.step().expect("step");
        at_ends = at_ends.max((run.state()[0] - forced_solution(run.time())[0]).abs());
        for part in [0.0, 0.2, 0.5, 0.8] {
            let t = from + part * (run.time() - from);
            run.interpolate(t, &mut y, &mut yp).expect("inside");
            between = between.max((y[0] - forced_solution(t)[0]).abs());
        }
        from = run.time();
        if stop == Stop::EndTime {
            return [at_ends, between];
        }
    }
}

/// Of one step after another the error follows the tolerance, also between the steps; from 1e-6 on a third of the evaluations of Fehlberg's
/// method are enough, at 1e-12 a tenth.
#[test]
fn error_follows_the_tolerance() {
    for exponent in 4..=12 {
        let tolerance = 10.0_f64.powi(-exponent);
        let mut abam = run(tolerance, 30.0);
        let [at_ends, between] = errors(&mut abam);
        assert!(at_ends < 30.0 * tolerance && between < 30.0 * tolerance, "{tolerance:e}: {at_ends:e}, {between:e}");
        let mut rkf45 = Rkf45::with_tolerance(tolerance)
            .start(system::<2, _>(forced), 0.0, &forced_solution(0.0), 30.0)
            .expect("start");
        finish(&mut rkf45);
        let [own, other] = [abam.statistics(), rkf45.statistics()].map(|s| s.residual_evaluations);
        assert!(exponent < 6 || 3 * own < other, "{tolerance:e}: {own} against {other}");
        assert!(exponent < 12 || 10 * own < other, "{tolerance:e}: {own} against {other}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// Lengths and times in other units change nothing but by round-off.
    #[test]
    fn units_change_nothing(powers in prop::array::uniform2(-9.0..9.0f64)) {
        let [length, time] = powers.map(|power| 10.0_f64.powf(power));
        let unknown = |typical| Unknown { typical, ..STATE };
        let f = move |t: f64, y: &[f64], yp: &mut [f64]| {
            yp.copy_from_slice(&[y[1], (-y[0] / length + 3.0 * (2.0 * t / time).sin()) * length / time / time]);
            Ok(())
        };
        let mut scaled = system::<2, _>(f);
        scaled.unknowns = [unknown(length), unknown(length / time)];
        let start = forced_solution(0.0);
        let y = [start[0] * length, start[1] * length / time];
        let mut scaled = Abam::with_tolerance(1e-8).start(scaled, 0.0, &y, 10.0 * time).expect("start");
        finish(&mut scaled);
        let error = (scaled.state()[0] / length - forced_solution(10.0)[0]).abs();
        prop_assert!(error < 1e-6 && scaled.statistics().steps < 250, "{error:e} {:?}", scaled.statistics());
    }

}

/// A ball thrown up again at each impact: root functions are met to round-off, whatever order the step has.
#[test]
fn events_are_met_to_round_off_and_restarts_begin_at_order_1() {
    let bounce = Closures {
        unknowns: [STATE; 2],
        f: |_: f64, y: &[f64], yp: &mut [f64]| {
            yp.copy_from_slice(&[y[1], -9.81]);
            Ok(())
        },
        roots: |_: f64, y: &[f64], out: &mut [f64]| out[0] = y[0],
        root_count: 1,
    };
    let mut run = Abam::with_tolerance(1e-9).start(bounce, 0.0, &[1.0, 0.0], 100.0).expect("start");
    let (e, t1) = (0.8_f64, (2.0_f64 / 9.81).sqrt());
    for k in 0..40 {
        while run.step().expect("step") != Stop::Event {
            assert!(run.time() < 100.0, "impact {k} was missed");
        }
        let (t, v) = (run.time(), run.state()[1]);
        let exact = t1 * (1.0 + 2.0 * (1..=k).map(|j| e.powi(j)).sum::<f64>());
        assert!((t - exact).abs() < 1e-9, "impact {k}: {t} instead of {exact}");
        run.restart(t, &[0.0, -e * v], &[]).expect("restart");
        assert_eq!(run.events().len(), 0);
        run.step().expect("step");
        assert_eq!(run.order(), 1);
    }
    assert_eq!(run.statistics().restarts, 40);
}

/// An angle counted from a reference that moves on whenever it exceeds one, in steps of its own: y = (angle - reference) turned to another unit each time.
struct Turning {
    reference: f64,
    factor: f64,
    change: f64,
    rewrites: bool,
}

impl Ode for Turning {
    fn dimension(&self) -> usize {
        1
    }
    fn unknowns(&self) -> &[Unknown] {
        &[STATE]
    }
    fn rhs(&mut self, t: f64, _: &[f64], yp: &mut [f64]) -> Result<(), EvalError> {
        yp[0] = (2.0 + t.sin()) * self.factor;
        Ok(())
    }
    fn before_step(&mut self, _: f64, y: &mut [f64]) -> Result<bool, EvalError> {
        if y[0] <= self.factor {
            return Ok(false);
        }
        self.reference += y[0] / self.factor;
        self.change = if self.factor > 1.0 { 0.25 } else { 4.0 };
        self.factor *= self.change;
        y[0] = 0.0;
        Ok(true)
    }
    fn rewrite(&mut self, _: &[f64], y: &mut [f64], slope: &mut [f64]) -> bool {
        // y itself is not looked at by the method.
        (y[0], slope[0]) = (f64::NAN, slope[0] * self.change);
        self.rewrites
    }
    fn save(&self, store: &mut Vec<f64>) {
        store.extend([self.reference, self.factor]);
    }
    fn restore(&mut self, store: &[f64]) -> Result<(), EvalError> {
        (self.reference, self.factor) = (store[0], store[1]);
        Ok(())
    }
}

#[test]
fn history_goes_over_into_other_coordinates() {
    let go = |rewrites| {
        let turning = Turning { reference: 0.0, factor: 1.0, change: 1.0, rewrites };
        let mut run = Abam::with_tolerance(1e-9).start(turning, 0.0, &[0.0], 20.0).expect("start");
        loop {
            let stop = run.step().expect("step");
            let (t, angle) = (run.time(), run.ode().reference + run.state()[0] / run.ode().factor);
            assert!((angle - (2.0 * t + 1.0 - t.cos())).abs() < 1e-7, "{t} {angle}");
            if stop == Stop::EndTime {
                assert!(run.ode().reference > 30.0);
                return *run.statistics();
            }
        }
    };
    let (kept, lost) = (go(true), go(false));
    assert!(kept.orders[0] == 1 && 2 * kept.steps < lost.steps, "{kept:?} {lost:?}");
}

/// y' = -1000 (y - cos t) takes steps of some 1/1000 s whatever the tolerance: it ends with the remedy, or is told.
#[test]
fn stiffness_is_told() {
    let start = |limit| {
        let stiff = system::<1, _>(|t: f64, y: &[f64], yp: &mut [f64]| {
            yp[0] = -1e3 * (y[0] - t.cos());
            Ok(())
        });
        let method = Abam { step: StepLimits { limit, ..StepLimits::default() }, ..Abam::with_tolerance(1e-4) };
        method.start(stiff, 0.0, &[1.0], 2.0).expect("start")
    };
    let mut run = start(500);
    let error = loop {
        if let Err(error) = run.step() {
            break error;
        }
    };
    assert!(matches!(error, Error::Stiff { limit: 500, .. }) && error.to_string().contains("gstiff"), "{error}");
    let mut run = start(u64::MAX);
    finish(&mut run);
    assert!((run.state()[0] - 2f64.cos()).abs() < 1e-3);
    let text = run.statistics().warning().expect("a warning");
    assert!(text.contains("stiff"), "{text}");
    for exponent in 2..=12 {
        let mut smooth = self::run(10.0_f64.powi(-exponent), 100.0);
        finish(&mut smooth);
        assert_eq!(smooth.statistics().warning(), None, "1e-{exponent}: {:?}", smooth.statistics());
    }
}

#[test]
fn options_and_starts_are_checked() {
    let start = |method: Abam, y: &[f64]| method.start(system::<2, _>(forced), 0.0, y, 1.0).map(|_| ());
    for order_max in [0, 13] {
        let error = start(Abam { order_max, ..Abam::default() }, &[0.0; 2]).expect_err("no such order");
        assert!(matches!(&error, Error::Option { name, .. } if name == "highest order"), "{error}");
    }
    assert!(matches!(start(Abam::with_tolerance(1.0), &[0.0; 2]), Err(Error::Option { .. })));
    let step = StepLimits { first: -1.0, ..StepLimits::default() };
    assert!(matches!(start(Abam { step, ..Abam::default() }, &[0.0; 2]), Err(Error::Option { .. })));
    assert!(matches!(start(Abam::default(), &[0.0; 3]), Err(Error::Length { .. })));
    assert!(matches!(start(Abam::default(), &[0.0, f64::NAN]), Err(Error::NotFinite { .. })));
    let limited = Abam { step: StepLimits { limit: 3, ..StepLimits::default() }, ..Abam::with_tolerance(1e-10) };
    let mut run = limited.start(system::<2, _>(forced), 0.0, &[1.0, 0.0], 1.0).expect("start");
    for _ in 0..3 {
        run.step().expect("step");
    }
    assert!(matches!(run.step(), Err(Error::StepLimit { limit: 3, .. })));
    assert!(matches!(run.restart(0.5, &[1.0], &[]), Err(Error::Length { .. })));
    assert_eq!(Abam::default().tolerance, Tolerance::default());
}

/// Near the smallest tolerance what rounding takes from each sum is carried on: after thousands of steps the error is still the tolerance's.
#[test]
fn rounding_does_not_add_up() {
    let mut run = run(1e-13, 300.0);
    let [at_ends, _] = errors(&mut run);
    assert!(at_ends < 1e-10, "{at_ends:e} {:?}", run.statistics());
}

/// Where the longest allowed step is far below what accuracy and stability take, orders stay low; that tells nothing of stiffness.
#[test]
fn short_steps_by_choice_are_no_stiffness() {
    for (largest, end) in [(1e-3, 2.0), (0.01, 20.0), (0.1, 100.0)] {
        let smooth = system::<2, _>(|_, y: &[f64], yp: &mut [f64]| {
            (yp[0], yp[1]) = (y[1], -y[0]);
            Ok(())
        });
        let method = Abam { step: StepLimits { largest, ..StepLimits::default() }, ..Abam::with_tolerance(1e-3) };
        let mut run = method.start(smooth, 0.0, &[1.0, 0.0], end).expect("start");
        finish(&mut run);
        assert_eq!(run.statistics().warning(), None, "{largest}: {:?}", run.statistics());
        // Constant acceleration: no order is better than 2.
        let falling = system::<2, _>(|_, y: &[f64], yp: &mut [f64]| {
            (yp[0], yp[1]) = (y[1], -9.81);
            Ok(())
        });
        let mut run = method.start(falling, 0.0, &[1.0, 0.3], end).expect("start");
        finish(&mut run);
        assert_eq!(run.statistics().warning(), None, "falling {largest}: {:?}", run.statistics());
    }
    // A stiff one is told though its steps are limited to ten times what it takes.
    let stiff = system::<1, _>(|t: f64, y: &[f64], yp: &mut [f64]| {
        yp[0] = -1e3 * (y[0] - t.cos());
        Ok(())
    });
    let method = Abam { step: StepLimits { largest: 0.01, ..StepLimits::default() }, ..Abam::with_tolerance(1e-4) };
    let mut run = method.start(stiff, 0.0, &[1.0], 2.0).expect("start");
    finish(&mut run);
    assert!(run.statistics().warning().is_some_and(|text| text.contains("stiff")));
}
