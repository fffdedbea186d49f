//! Fixed steps: they stay what they are, and are halved where their equations cannot be solved.

use fourbar_dae::integrator::{BdfStepper, ConstantBdf, Error, Integrator, Snapshot, Stop};
use fourbar_dae::{Dae, EvalError, Unknown};
use nalgebra_sparse::pattern::SparsityPattern;

use crate::support::{ProtheroRobinson, System};

const STEP: f64 = 0.0625;

/// Equations with the solution cos t that refuse the first evaluations behind `wall` \[s\], as an element does whose border a long step would cross.
struct Refusing {
    inner: System<ProtheroRobinson>,
    wall: f64,
    refusals: f64,
}

impl Refusing {
    fn run(order: usize, wall: f64, refusals: f64) -> BdfStepper<Self> {
        let system = Self { inner: ProtheroRobinson::system(2.0), wall, refusals };
        ConstantBdf::new(STEP, order).start(system, 0.0, &[1.0, 1.0], &[0.0; 2], 4.0).expect("a start")
    }
}

impl Dae for Refusing {
    fn dimension(&self) -> usize {
        2
    }
    fn unknowns(&self) -> &[Unknown] {
        self.inner.unknowns()
    }
    fn pattern(&self) -> &SparsityPattern {
        self.inner.pattern()
    }
    fn residual(&mut self, t: f64, y: &[f64], yp: &[f64], r: &mut [f64]) -> Result<(), EvalError> {
        if t > self.wall && self.refusals > 0.0 {
            self.refusals -= 1.0;
            let (element, reason) = ("gap 'g'".to_owned(), "it is closed".to_owned());
            return Err(EvalError::Recoverable { element, time: t, reason });
        }
        self.inner.residual(t, y, yp, r)
    }
    fn jacobian(&mut self, t: f64, y: &[f64], yp: &[f64], c: f64, values: &mut [f64]) -> Result<(), EvalError> {
        self.inner.jacobian(t, y, yp, c, values)
    }
    fn save(&self, store: &mut Vec<f64>) {
        store.push(self.refusals);
    }
    fn restore(&mut self, store: &[f64]) -> Result<(), EvalError> {
        self.refusals = store[0];
        Ok(())
    }
}

/// Times of all steps to the end, and the error there.
fn finish(run: &mut BdfStepper<Refusing>) -> (Vec<f64>, f64) {
    let mut times = vec![run.time()];
    loop {
        let stop = run.step().expect("a step");
        times.push(run.time());
        if stop == Stop::EndTime {
            return (times, (run.state()[0] - run.time().cos()).abs());
        }
    }
}

#[test]
fn a_step_that_fails_is_halved_up_to_the_next_point_of_the_grid() {
    for order in 1..=6 {
        let free = finish(&mut Refusing::run(order, 1.0, 0.0)).1;
        for refusals in 1..=10 {
            let mut run = Refusing::run(order, 1.0, f64::from(refusals));
            let (times, error) = finish(&mut run);
            let s = run.statistics();
            assert_eq!((s.divided_steps, s.rejected_by_evaluation), (1, refusals as u64), "order {order}: {s:?}");
            // The grid is kept, and between two of its points the steps are parts of one length.
            let parts = 1 << refusals;
            let grid = |i: usize| STEP * i as f64;
            let expected = (0..=16).map(grid).chain((1..=parts).map(|i| 1.0 + grid(i) / parts as f64));
            let expected: Vec<f64> = expected.chain((18..=64).map(grid)).collect();
            assert_eq!(times, expected, "order {order}, {refusals} refusals");
            // From three halvings on the order rises anew from 1: behind parts of a sixtieth again, with steps off by their square.
            let bound = if refusals > 5 { 0.5 * STEP * STEP } else { 0.01 * STEP * STEP };
            assert!(error < free + bound, "order {order}, {refusals} refusals: {error:e}, without {free:e}");
        }
    }
}

#[test]
fn a_wall_ends_the_run_with_the_reason_and_the_step_stays() {
    let mut run = Refusing::run(2, 1.01, f64::INFINITY);
    let error = loop {
        if let Err(error) = run.step() {
            break error;
        }
    };
    let Error::FixedStep { time, step, .. } = error else { panic!("{error}") };
    assert_eq!((time, step), (run.time(), STEP), "{error}");
    assert!((1.01 - STEP / 1024.0..=1.01).contains(&time) && error.to_string().contains("gap 'g'"), "{error}");
    assert_eq!(run.statistics().divided_steps, 1);
    assert_eq!(run.step().expect_err("the wall is still there"), error);
    // Once the cause is removed the run goes on.
    run.dae_mut().refusals = 0.0;
    let (times, error) = finish(&mut run);
    assert!(times.contains(&(1.0 + STEP)) && error < 1e-3, "{times:?} {error:e}");
}

#[test]
fn points_within_a_divided_step_are_checkpoints_like_others() {
    let mut run = Refusing::run(3, 1.0, 4.0);
    while run.time() <= 1.0 {
        let _ = run.step().expect("a step");
    }
    assert_eq!(run.time(), 1.0 + STEP / 16.0);
    let mut snapshot = Snapshot::new();
    run.save(&mut snapshot);
    let first = finish(&mut run);
    run.restore(&snapshot).expect("its own");
    assert_eq!(first, finish(&mut run));
}

/// Steps that land on a stop time are shorter; the next one is whole again, and no accuracy is lost.
#[test]
fn the_step_is_the_same_behind_a_stop_time() {
    let error = |order: usize, stops: &[f64]| {
        let system = ProtheroRobinson::system(2.0);
        let mut run = ConstantBdf::new(0.05, order).start(system, 0.0, &[1.0, 1.0], &[0.0; 2], 10.0).expect("a start");
        run.set_stop_times(stops).expect("stop times");
        while run.step().expect("a step") != Stop::EndTime {}
        assert!(run.statistics().steps <= 201 + 2 * stops.len() as u64, "{:?}", run.statistics());
        (run.state()[0] - 10f64.cos()).abs()
    };
    for order in 1..=6 {
        let free = error(order, &[]);
        // The last one is met by a step of 1e-9 of the whole one: the order rises anew from 1, at which a step is off by its square.
        for (stops, bound) in [([3.0701, 7.033], 1e-8), ([5.0, 9.95 + 5e-11], 2.5e-3)] {
            let error = error(order, &stops);
            assert!(error < 10.0 * free + bound, "order {order}: {error:e}, without {free:e}");
        }
    }
}
