//! What the integrator promises whatever the equations: stops, snapshots, failures, statistics.

use crate::support;

use fourbar_multibody::dae::{Dae, EvalError, History, Kind, Unknown};
use fourbar_multibody::integrator::{
    Absolute, BdfStepper, Cause, Error, Gstiff, Integrator, KindTable, NewtonOptions, Snapshot, StepLimits, Stop,
    Tolerance,
};
use nalgebra_sparse::pattern::SparsityPattern;
use num_dual::DualNum;
use proptest::prelude::*;
use support::andrews::{Andrews, Form};
use support::pendulum::{Index, Pendulum};
use support::{Equations, ProtheroRobinson, Robertson, STATE, System, VanDerPol};

fn cosine(end: f64) -> BdfStepper<System<ProtheroRobinson>> {
    let system = ProtheroRobinson::system(2.0);
    Gstiff::with_tolerance(1e-6).start(system, 0.0, &[1.0, 1.0], &[0.0, 0.0], end).expect("start")
}

fn finish(run: &mut impl Integrator) {
    while run.step().expect("step") != Stop::EndTime {}
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// Stop times are met exactly, in order, and the solution there is right, however close together they are.
    #[test]
    fn stop_times_are_met_exactly(mut times in prop::collection::vec(1e-6..5.0f64, 1..12), gap in 1e-13..1e-3f64) {
        times.sort_by(f64::total_cmp);
        times.dedup();
        let last = times[times.len() - 1];
        times.push(last + gap);
        let mut run = cosine(6.0);
        run.set_stop_times(&times).expect("increasing");
        let mut met = Vec::new();
        loop {
            match run.step().expect("step") {
                Stop::StopTime => met.push(run.time()),
                Stop::EndTime => break,
                _ => {}
            }
            prop_assert!((run.state()[0] - run.time().cos()).abs() < 1e-4);
        }
        prop_assert_eq!(met, times);
        prop_assert_eq!(run.time(), 6.0);
    }
}

#[test]
fn stop_times_cost_little_and_do_not_break_the_order() {
    let (mut free, mut stopped) = (cosine(20.0), cosine(20.0));
    let times: Vec<f64> = (1..20).map(f64::from).collect();
    stopped.set_stop_times(&times).expect("increasing");
    finish(&mut free);
    finish(&mut stopped);
    assert!((stopped.state()[0] - 20f64.cos()).abs() < 1e-5);
    let (free, stopped) = (free.statistics(), stopped.statistics());
    assert!(stopped.steps < 2 * free.steps, "{} against {}", stopped.steps, free.steps);
}

#[test]
fn a_stop_just_ahead_does_not_spoil_what_follows() {
    let mut run = cosine(20.0);
    run.set_stop_times(&[10.0, 10.0 + 1e-12]).expect("increasing");
    finish(&mut run);
    assert!((run.state()[0] - 20f64.cos()).abs() < 1e-5);
    assert!(run.statistics().restarts >= 1 && run.statistics().steps < 500, "{:?}", run.statistics());
}

#[test]
fn end_times_and_runs_of_no_length() {
    let mut run = cosine(0.0);
    assert_eq!(run.step(), Ok(Stop::EndTime));
    assert_eq!((run.time(), run.statistics().steps), (0.0, 0));
    let (mut y, mut yp) = ([0.0; 2], [0.0; 2]);
    run.interpolate(0.0, &mut y, &mut yp).expect("the start itself");
    assert_eq!((y, yp), ([1.0, 1.0], [0.0, 0.0]));
    // Co-simulation: the end moves on.
    for i in 1..=50 {
        let end = 0.1 * f64::from(i);
        run.set_end_time(end).expect("forward");
        finish(&mut run);
        assert_eq!(run.time(), end);
    }
    assert!((run.state()[0] - 5f64.cos()).abs() < 1e-5);
    assert_eq!(run.set_end_time(1.0), Err(Error::EndBeforeStart { time: 5.0, end: 1.0 }));
    assert!(matches!(run.set_end_time(f64::NAN), Err(Error::NotFinite { .. })));
    assert!(matches!(run.set_stop_times(&[6.0, 6.0]), Err(Error::StopTimes { .. })));
    assert!(matches!(run.set_stop_times(&[f64::INFINITY]), Err(Error::NotFinite { .. })));
}

#[test]
fn interpolation_meets_both_ends_and_refuses_the_outside() {
    let mut run = cosine(3.0);
    let (mut y, mut yp) = ([0.0; 2], [0.0; 2]);
    loop {
        let (t, before) = (run.time(), run.state().to_vec());
        let stop = run.step().expect("step");
        run.interpolate(run.time(), &mut y, &mut yp).expect("inside");
        assert_eq!((&y[..], yp[0]), (run.state(), run.derivative()[0]));
        run.interpolate(t, &mut y, &mut yp).expect("inside");
        assert!((y[0] - before[0]).abs() < 1e-14 && (y[1] - before[1]).abs() < 1e-14);
        let outside = run.time() + 1e-9;
        assert!(matches!(run.interpolate(outside, &mut y, &mut yp), Err(Error::OutsideStep { .. })));
        if stop == Stop::EndTime {
            break;
        }
    }
    assert!(matches!(run.interpolate(3.0, &mut y[..1], &mut yp), Err(Error::Length { .. })));
}

/// y, y', time and statistics after each of some steps, as bits.
fn trace(run: &mut impl Integrator, steps: usize) -> Vec<u64> {
    let mut bits = Vec::new();
    for _ in 0..steps {
        run.step().expect("step");
        bits.push(run.time().to_bits());
        bits.extend(run.state().iter().chain(run.derivative()).map(|x| x.to_bits()));
    }
    bits.push(run.statistics().residual_evaluations);
    bits.push(run.statistics().factorizations.total());
    bits
}

#[test]
fn a_restored_run_repeats_bit_for_bit() {
    for form in [Form::Si2, Form::Si1] {
        let (y, yp) = Andrews::start(form);
        let start = || Gstiff::with_tolerance(1e-6).start(Andrews::system(form), 0.0, &y, &yp, 0.03).expect("start");
        let mut run = start();
        let mut snapshot = Snapshot::new();
        for offset in [0, 1, 7, 40, 100] {
            trace(&mut run, offset);
            run.save(&mut snapshot);
            let first = trace(&mut run, 30);
            run.restore(&snapshot).expect("own snapshot");
            assert_eq!(trace(&mut run, 30), first, "after {offset} more steps");
            // Into another object of the same system as well.
            let mut other = start();
            other.restore(&snapshot).expect("same system");
            assert_eq!(trace(&mut other, 30), first);
        }
    }
}

#[test]
fn foreign_snapshots_are_refused() {
    let mut run = cosine(1.0);
    assert_eq!(run.restore(&Snapshot::new()), Err(Error::ForeignSnapshot { dimension: 2 }));
    let mut snapshot = Snapshot::new();
    let robertson = Robertson::system(true);
    let other = Gstiff::default().start(robertson, 0.0, &Robertson::START, &Robertson::SLOPE, 1.0).expect("start");
    other.save(&mut snapshot);
    assert_eq!(run.restore(&snapshot), Err(Error::ForeignSnapshot { dimension: 2 }));
    finish(&mut run);
}

#[test]
fn rest_stays_at_rest() {
    // y = y' = 0 is a solution of van der Pol's equation.
    let mut run = Gstiff::default().start(VanDerPol::system(5.0), 0.0, &[0.0; 2], &[0.0; 2], 1e6).expect("start");
    finish(&mut run);
    assert_eq!(run.state(), [0.0, 0.0]);
    assert!(run.statistics().steps < 100, "{:?}", run.statistics());
}

#[test]
fn endless_runs_are_possible() {
    let mut run = cosine(f64::INFINITY);
    for _ in 0..200 {
        assert_eq!(run.step(), Ok(Stop::Step));
    }
    assert!((run.state()[0] - run.time().cos()).abs() < 1e-5);
}

#[test]
fn statistics_are_consistent() {
    let (y, yp) = Andrews::start(Form::Si2);
    let method = Gstiff::with_tolerance(1e-5);
    let mut run = method.start(Andrews::system(Form::Si2), 0.0, &y, &yp, 0.03).expect("start");
    finish(&mut run);
    let s = run.statistics();
    assert_eq!(s.orders.iter().sum::<u64>(), s.steps);
    assert_eq!(s.factorizations.total(), s.jacobian_evaluations);
    assert_eq!(s.residual_evaluations, s.newton_iterations);
    assert!(s.residual_evaluations >= s.steps + s.rejected_by_error);
    assert!(s.step_smallest <= s.step_last && s.step_last <= s.step_largest);
    assert!(s.factorizations.first == 1 && s.orders[5] == 0);
}

#[test]
fn the_highest_order_and_the_largest_step_are_kept() {
    for order_max in 1..=6 {
        let step = StepLimits { largest: 0.05, ..StepLimits::default() };
        let method = Gstiff { order_max, step, ..Gstiff::with_tolerance(1e-4) };
        let mut run = method.start(ProtheroRobinson::system(2.0), 0.0, &[1.0, 1.0], &[0.0; 2], 10.0).expect("start");
        finish(&mut run);
        let s = run.statistics();
        assert!(s.orders[order_max..].iter().all(|&n| n == 0), "{s:?}");
        assert!(s.step_largest <= 0.05 * (1.0 + 1e-8));
        // At order 1 a local error of 1e-4 per step of 0.02 adds up over the memory of the system, 1/2 s.
        let bound = if order_max == 1 { 1e-2 } else { 1e-3 };
        assert!((run.state()[0] - 10f64.cos()).abs() < bound, "order {order_max}: {}", run.state()[0]);
    }
}

#[test]
fn a_short_step_limit_stops_and_can_be_resumed_from_the_state() {
    let step = StepLimits { limit: 10, ..StepLimits::default() };
    let method = Gstiff { step, ..Gstiff::default() };
    let mut run = method.start(ProtheroRobinson::system(2.0), 0.0, &[1.0, 1.0], &[0.0; 2], 10.0).expect("start");
    let error = loop {
        if let Err(error) = run.step() {
            break error;
        }
    };
    let time = run.time();
    assert_eq!(error, Error::StepLimit { limit: 10, time, end: 10.0 });
    assert!((run.state()[0] - time.cos()).abs() < 1e-5, "the partial result stays");
}

/// Equations that fail in a chosen way once t passes 1.
#[derive(Clone, Copy, PartialEq)]
enum Failing {
    Fatal,
    OutOfDomain,
    NotANumber,
    Jump,
    Singular,
}

struct Wall {
    inner: System<ProtheroRobinson>,
    failing: Failing,
}

impl Wall {
    fn run(failing: Failing) -> (Error, f64) {
        let wall = Self { inner: ProtheroRobinson::system(2.0), failing };
        let mut run = Gstiff::default().start(wall, 0.0, &[1.0, 1.0], &[0.0; 2], 2.0).expect("start");
        loop {
            match run.step() {
                Ok(Stop::EndTime) => panic!("the wall was passed"),
                Ok(_) => {}
                Err(error) => return (error, run.time()),
            }
        }
    }
}

impl Dae for Wall {
    fn dimension(&self) -> usize {
        2
    }
    fn unknowns(&self) -> &[Unknown] {
        self.inner.unknowns()
    }
    fn unknown_name(&self, i: usize) -> String {
        format!("angle {i}")
    }
    fn equation_name(&self, i: usize) -> String {
        format!("closure {i}")
    }
    fn pattern(&self) -> &SparsityPattern {
        self.inner.pattern()
    }
    fn residual(&mut self, t: f64, y: &[f64], yp: &[f64], r: &mut [f64]) -> Result<(), EvalError> {
        self.inner.residual(t, y, yp, r)?;
        if t > 1.0 {
            let (element, reason) = ("spring 'K'".to_owned(), "the root of a negative number".to_owned());
            match self.failing {
                Failing::Fatal => return Err(EvalError::Fatal { element, time: t, reason }),
                Failing::OutOfDomain => return Err(EvalError::Recoverable { element, time: t, reason }),
                Failing::NotANumber => r[1] = f64::NAN,
                Failing::Jump => {
                    r[0] -= (1e12 * (t - 1.0)).min(1.0) * 1e9 * y[0].signum() * if yp[0] < 0.0 { 1.0 } else { -1.0 }
                }
                Failing::Singular => {}
            }
        }
        Ok(())
    }
    fn jacobian(&mut self, t: f64, y: &[f64], yp: &[f64], c: f64, values: &mut [f64]) -> Result<(), EvalError> {
        self.inner.jacobian(t, y, yp, c, values)?;
        if t > 1.0 && self.failing == Failing::Singular {
            (values[1], values[3]) = (0.0, 0.0);
        }
        Ok(())
    }
}

#[test]
fn failures_name_the_place_the_unknown_and_the_remedy() {
    let (error, time) = Wall::run(Failing::Fatal);
    assert!(matches!(error, Error::Evaluation(EvalError::Fatal { .. })), "{error}");
    assert!(error.to_string().contains("spring 'K'") && time <= 1.0);

    for (failing, name) in [(Failing::OutOfDomain, "spring 'K'"), (Failing::NotANumber, "closure 1")] {
        let (error, time) = Wall::run(failing);
        let Error::SmallestStep { time: at, ref cause, .. } = error else { panic!("{error}") };
        assert!(matches!(cause, Cause::Evaluation(_) | Cause::NotFinite { .. }), "{cause:?}");
        assert!(at == time && (1.0 - 1e-9..=1.0).contains(&time), "reached {time}");
        assert!(error.to_string().contains(name) && error.to_string().contains("border of the domain"), "{error}");
    }

    let (error, time) = Wall::run(Failing::Singular);
    assert!(matches!(error, Error::SmallestStep { cause: Cause::Singular { .. }, .. }), "{error}");
    // The matrix of a step before the wall may serve for some steps behind it.
    assert!(error.to_string().contains("closure 1") && (1.0 - 1e-9..1.9).contains(&time), "{error} {time}");

    let (error, time) = Wall::run(Failing::Jump);
    let text = error.to_string();
    assert!(matches!(error, Error::SmallestStep { .. }) && text.contains("angle 0"), "{text}");
    assert!(time <= 1.0 + 1e-6, "reached {time}");
}

#[test]
fn bad_input_is_refused_at_the_door() {
    let method = Gstiff::default;
    let start = |m: &Gstiff, t: f64, y: &[f64], yp: &[f64], end: f64| {
        m.start(ProtheroRobinson::system(2.0), t, y, yp, end).map(|_| ()).expect_err("must be refused")
    };
    let (y, yp) = ([1.0, 1.0], [0.0, 0.0]);
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let error = start(&method(), 0.0, &[1.0, bad], &yp, 1.0);
        assert!(matches!(&error, Error::NotFinite { name, .. } if name == "y1"), "{error}");
        let error = start(&method(), 0.0, &y, &[bad, 0.0], 1.0);
        assert!(matches!(&error, Error::NotFinite { name, .. } if name == "y0"), "{error}");
        assert!(matches!(start(&method(), bad, &y, &yp, 1.0), Error::NotFinite { .. }));
    }
    assert!(matches!(start(&method(), 0.0, &y[..1], &yp, 1.0), Error::Length { given: 1, needed: 2, .. }));
    assert!(matches!(start(&method(), 2.0, &y, &yp, 1.0), Error::EndBeforeStart { .. }));
    assert!(matches!(start(&method(), 2.0, &y, &yp, f64::NAN), Error::NotFinite { .. }));

    let limits = StepLimits::default();
    let newton = NewtonOptions::default();
    let bad_methods = [
        ("highest order", Gstiff { order_max: 0, ..method() }),
        ("highest order", Gstiff { order_max: 7, ..method() }),
        ("relative tolerance", Gstiff::with_tolerance(0.0)),
        ("relative tolerance", Gstiff::with_tolerance(f64::NAN)),
        ("first step", Gstiff { step: StepLimits { first: -1.0, ..limits }, ..method() }),
        ("smallest step", Gstiff { step: StepLimits { smallest: f64::NAN, ..limits }, ..method() }),
        ("largest step", Gstiff { step: StepLimits { largest: 0.0, ..limits }, ..method() }),
        ("largest step", Gstiff { step: StepLimits { largest: 1.0, smallest: 2.0, ..limits }, ..method() }),
        ("largest number of steps", Gstiff { step: StepLimits { limit: 0, ..limits }, ..method() }),
        ("Newton fraction", Gstiff { newton: NewtonOptions { fraction: 0.5, ..newton }, ..method() }),
        ("number of Newton iterations", Gstiff { newton: NewtonOptions { iterations: 1, ..newton }, ..method() }),
        ("matrix age", Gstiff { newton: NewtonOptions { matrix_age: 0, ..newton }, ..method() }),
    ];
    for (option, bad) in bad_methods {
        let error = start(&bad, 0.0, &y, &yp, 1.0);
        assert!(matches!(&error, Error::Option { name, .. } if name == option), "{option}: {error}");
    }
    let table = KindTable::uniform(1.0).with(Kind::STATE, 0.0);
    for absolute in [Absolute::Typical(table.clone()), Absolute::Kind(table), Absolute::Unknown(vec![1.0, -1.0])] {
        let bad = Gstiff { tolerance: Tolerance { relative: 1e-6, absolute }, ..method() };
        assert!(matches!(start(&bad, 0.0, &y, &yp, 1.0), Error::Option { .. }));
    }
    let short = Tolerance { relative: 1e-6, absolute: Absolute::Unknown(vec![1.0]) };
    assert!(matches!(start(&Gstiff { tolerance: short, ..method() }, 0.0, &y, &yp, 1.0), Error::Length { .. }));
}

/// A phase that grows at the rate 1 + sin(phase)/2 and is set back by a full turn after the step in which it passes one.
struct Phase {
    inner: System<Growth>,
    turns: f64,
}

struct Growth;

impl Equations for Growth {
    fn residual<T: DualNum<Primitive = f64> + Copy>(&self, _: T, y: &[T], yp: &[T], r: &mut [T]) {
        r[0] = yp[0] - y[0].sin() * 0.5 - 1.0;
    }
}

impl Dae for Phase {
    fn dimension(&self) -> usize {
        1
    }
    fn unknowns(&self) -> &[Unknown] {
        self.inner.unknowns()
    }
    fn pattern(&self) -> &SparsityPattern {
        self.inner.pattern()
    }
    fn residual(&mut self, t: f64, y: &[f64], yp: &[f64], r: &mut [f64]) -> Result<(), EvalError> {
        self.inner.residual(t, y, yp, r)
    }
    fn jacobian(&mut self, t: f64, y: &[f64], yp: &[f64], c: f64, values: &mut [f64]) -> Result<(), EvalError> {
        self.inner.jacobian(t, y, yp, c, values)
    }
    fn after_step(&mut self, history: &mut dyn History) -> Result<bool, EvalError> {
        let phase = history.coefficient(0, 0);
        if phase < std::f64::consts::TAU {
            return Ok(false);
        }
        self.turns += 1.0;
        history.set_coefficient(0, 0, phase - std::f64::consts::TAU);
        Ok(true)
    }
    fn save(&self, store: &mut Vec<f64>) {
        store.push(self.turns);
    }
    fn restore(&mut self, store: &[f64]) -> Result<(), EvalError> {
        self.turns = store[0];
        Ok(())
    }
}

/// A system may change its coordinates after a step: order and step survive, snapshots take its own state along.
#[test]
fn the_system_may_change_its_coordinates() {
    let phase = Phase { inner: System::new(vec![STATE], Growth), turns: 0.0 };
    let mut run = Gstiff::with_tolerance(1e-10).start(phase, 0.0, &[0.0], &[1.0], 50.0).expect("start");
    let mut snapshot = Snapshot::new();
    while run.time() < 20.0 {
        run.step().expect("step");
    }
    run.save(&mut snapshot);
    let turns = run.dae().turns;
    finish(&mut run);
    let (end, all_turns) = (run.state()[0], run.dae().turns);
    // tan(phase/2) = (sqrt(3) tan(w t + b) - 1)/2 with w = sqrt(3)/4, b = pi/6: the period is 2 pi / sqrt(3/4) / ... = pi / w.
    let w = 3f64.sqrt() / 4.0;
    let half = (3f64.sqrt() * (w * 50.0 + std::f64::consts::FRAC_PI_6).tan() - 1.0) / 2.0;
    let exact = (2.0 * half.atan()).rem_euclid(std::f64::consts::TAU);
    assert!((end - exact).abs() < 1e-7, "{end} against {exact}");
    let s = *run.statistics();
    assert!(all_turns == 6.0 && s.factorizations.chart_exchange == 6 && s.restarts == 0, "{all_turns} {s:?}");
    run.restore(&snapshot).expect("own snapshot");
    assert_eq!(run.dae().turns, turns);
    finish(&mut run);
    assert_eq!((run.state()[0].to_bits(), run.dae().turns), (end.to_bits(), all_turns));
}

/// A restart at a jump of the state begins anew at order 1 and counts.
#[test]
fn restart_after_a_jump() {
    let mut run = cosine(4.0);
    run.set_stop_times(&[2.0, 3.0]).expect("increasing");
    while run.step().expect("step") != Stop::StopTime {}
    let t = run.time();
    // Off the solution by one: y = cos t + exp(-2 (t - 2)).
    let y = t.cos() + 1.0;
    run.restart(t, &[y, y * y], &[-t.sin() - 2.0, 0.0]).expect("restart");
    run.step().expect("step");
    assert_eq!((run.order(), run.statistics().restarts), (1, 1));
    while run.step().expect("step") != Stop::StopTime {}
    assert_eq!(run.time(), 3.0);
    finish(&mut run);
    assert!((run.state()[0] - 4f64.cos() - (-4f64).exp()).abs() < 1e-5);
    assert!(run.restart(5.0, &[1.0, 1.0], &[0.0; 2]).is_err(), "beyond the end");
}

/// A pendulum that starts off its constraint by a hundred thousand tolerances is refused with the reason, not repaired in silence.
#[test]
fn an_inconsistent_start_is_an_error() {
    let system = Pendulum::system(Index::Stabilized, 9.81);
    let mut run = Gstiff::default().start(system, 0.0, &[1.1, 0.0, 0.0, 0.0, 0.0, 0.0], &[0.0; 6], 1.0).expect("start");
    let error = run.step().expect_err("1.1 m is not 1 m");
    assert!(error.to_string().contains("satisfy the"), "{error}");
}

/// y' = z, 0 = z - f(t), where f jumps by 1 at `known` and at `unknown`, and the system goes on behind both.
struct Switched {
    inner: System<ProtheroRobinson>,
    unknowns: [Unknown; 2],
    known: f64,
    unknown: f64,
    passed: f64,
    answers: bool,
}

impl Switched {
    fn new(answers: bool) -> Self {
        let state = Unknown { kind: Kind::STATE, error_tested: true, scale_power: 0, typical: 1.0 };
        let unknowns = [state, Unknown { kind: Kind::ALGEBRAIC, ..state }];
        let inner = ProtheroRobinson::system(2.0);
        Self { inner, unknowns, known: 0.3, unknown: 0.7, passed: f64::NEG_INFINITY, answers }
    }

    fn drive(&self, t: f64) -> f64 {
        // A step that ends at the known jump sees the value before it.
        let behind_known = t > self.known || (t == self.known && self.passed == self.known);
        1.0 + f64::from(u8::from(behind_known)) + f64::from(u8::from(t >= self.unknown))
    }
}

impl Dae for Switched {
    fn dimension(&self) -> usize {
        2
    }
    fn unknowns(&self) -> &[Unknown] {
        &self.unknowns
    }
    fn pattern(&self) -> &SparsityPattern {
        self.inner.pattern()
    }
    fn residual(&mut self, t: f64, y: &[f64], yp: &[f64], r: &mut [f64]) -> Result<(), EvalError> {
        (r[0], r[1]) = (yp[0] - y[1], y[1] - self.drive(t));
        Ok(())
    }
    fn jacobian(&mut self, _: f64, _: &[f64], _: &[f64], c: f64, values: &mut [f64]) -> Result<(), EvalError> {
        values.copy_from_slice(&[c, 0.0, -1.0, 1.0]);
        Ok(())
    }
    fn next_break(&mut self, t: f64) -> f64 {
        if t > self.known || self.passed == self.known { f64::INFINITY } else { self.known }
    }
    fn pass_jump(&mut self, t: f64, y: &mut [f64], yp: &mut [f64]) -> Result<bool, EvalError> {
        self.passed = t;
        let z = self.drive(t);
        let jumped = self.answers && z != y[1];
        if jumped {
            (y[1], yp[0]) = (z, z);
        }
        Ok(jumped)
    }
}

#[test]
fn a_system_goes_on_behind_its_jumps_and_no_further_than_it_says() {
    let start = |answers| {
        Gstiff::with_tolerance(1e-8).start(Switched::new(answers), 0.0, &[0.0, 1.0], &[1.0, 0.0], 1.0).expect("start")
    };
    let mut run = start(true);
    while run.step().expect("step") != Stop::EndTime {}
    // z is 1 up to 0.3, 2 up to 0.7, 3 to the end.
    assert!((run.state()[0] - (0.3 + 0.8 + 0.9)).abs() < 1e-9 && run.state()[1] == 3.0, "{:?}", run.state());
    assert_eq!((run.statistics().jumps, run.statistics().jumps_found), (2, 1));

    let mut run = start(false);
    let error = loop {
        match run.step() {
            Ok(Stop::EndTime) => panic!("the jump was passed"),
            Ok(_) => {}
            Err(error) => break error,
        }
    };
    assert!(matches!(error, Error::SmallestStep { .. }) && (0.3..0.300001).contains(&run.time()), "{error}");
    assert_eq!(run.statistics().jumps, 0);
}
