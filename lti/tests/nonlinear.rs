//! Exponential multistep and Runge-Kutta methods: orders, exactness, start-up, refusals.

use fourbar_lti::ExponentialMethod::{
    Adams, AdamsRealTime, Etdrk2, Etdrk4, HochbruckOstermann, Krogstad, MidpointRealTime,
};
use fourbar_lti::{Error, ExponentialMethod, GMatrices, Method, NonlinearStepper, StateSpace, Stepper};
use nalgebra::{DMatrix, DVector, dmatrix, dvector};
use proptest::prelude::*;

/// Method, order while not stiff, order on a discretized parabolic equation, order where F drives fast components.
const EXPECTED: [(ExponentialMethod, f64, f64, f64); 13] = [
    (Adams { order: 1 }, 1.0, 1.0, 1.0),
    (Adams { order: 2 }, 2.0, 2.0, 2.0),
    (Adams { order: 3 }, 3.0, 3.0, 3.0),
    (Adams { order: 4 }, 4.0, 4.0, 4.0),
    (AdamsRealTime { order: 1 }, 1.0, 1.0, 1.0),
    (AdamsRealTime { order: 2 }, 2.0, 2.0, 2.0),
    (AdamsRealTime { order: 3 }, 3.0, 3.0, 3.0),
    (AdamsRealTime { order: 4 }, 4.0, 4.0, 4.0),
    (MidpointRealTime, 2.0, 2.0, 1.0),
    (Etdrk2, 2.0, 2.0, 1.0),
    (Etdrk4, 4.0, 3.0, 1.0),
    (Krogstad, 4.0, 4.0, 2.0),
    (HochbruckOstermann, 4.0, 4.0, 4.0),
];

pub(crate) fn all() -> impl Iterator<Item = ExponentialMethod> {
    EXPECTED.into_iter().map(|row| row.0)
}

/// dx/dt = A x + N(x) + r'(t) - A r(t) - N(r(t)), whose solution is r.
struct Manufactured {
    a: DMatrix<f64>,
    solution: fn(f64) -> DVector<f64>,
    derivative: fn(f64) -> DVector<f64>,
    nonlinearity: fn(&[f64], &mut [f64]),
    end: f64,
}

impl Manufactured {
    /// Largest error at the end, after `count` steps.
    fn error(&self, method: ExponentialMethod, count: usize) -> f64 {
        let mut stepper = NonlinearStepper::new(&self.a, self.end / count as f64, method).unwrap();
        stepper.set_state(self.solution_at(0.0).as_slice()).unwrap();
        let mut other = vec![0.0; self.a.nrows()];
        for _ in 0..count {
            let f = |t: f64, x: &[f64], out: &mut [f64]| {
                let r = (self.solution)(t);
                let rest = (self.derivative)(t) - &self.a * &r;
                (self.nonlinearity)(x, out);
                (self.nonlinearity)(r.as_slice(), &mut other);
                for i in 0..out.len() {
                    out[i] += rest[i] - other[i];
                }
            };
            stepper.step(f).unwrap();
        }
        let error = DVector::from_column_slice(stepper.state()) - self.solution_at(self.end);
        error.amax()
    }

    fn solution_at(&self, t: f64) -> DVector<f64> {
        (self.solution)(t)
    }

    /// log2 of the ratio of the errors of `count` and twice as many steps.
    fn order(&self, method: ExponentialMethod, count: usize) -> f64 {
        (self.error(method, count) / self.error(method, 2 * count)).log2()
    }

    fn assert_order(&self, method: ExponentialMethod, count: usize, expected: f64) {
        let order = self.order(method, count);
        assert!((order - expected).abs() < 0.25, "{method:?}: {order:.2}, expected {expected}");
    }
}

fn not_stiff() -> Manufactured {
    Manufactured {
        a: dmatrix![-1.0, 2.0; -2.0, -1.0],
        solution: |t| dvector![t.sin(), (2.0 * t).cos()],
        derivative: |t| dvector![t.cos(), -2.0 * (2.0 * t).sin()],
        nonlinearity: |x, f| (f[0], f[1]) = (x[0] * x[1], x[1] * x[1] - x[0].sin()),
        end: 2.0,
    }
}

fn stiff_diagonal() -> Manufactured {
    Manufactured {
        a: DMatrix::from_diagonal(&dvector![-1.0, -1e6, -1e8]),
        solution: |t| dvector![t.sin(), (2.0 * t).cos(), (t + 1.0).sin()],
        derivative: |t| dvector![t.cos(), -2.0 * (2.0 * t).sin(), (t + 1.0).cos()],
        nonlinearity: |x, f| {
            (f[0], f[1], f[2]) = (x[1] * x[2] - x[0] * x[0], 10.0 * x[0] * x[2], 10.0 * x[0].sin() * x[1]);
        },
        end: 2.0,
    }
}

const CELLS: usize = 200;

/// u_t = u_xx + 1/(1 + u^2) + g(x, t), u = 0 at the ends, with the solution x (1 - x) e^t (Hochbruck and Ostermann 2005, section 6),
/// for which the second difference is exact.
fn parabolic() -> Manufactured {
    let n = CELLS - 1;
    let scale = (CELLS * CELLS) as f64;
    let entry = |i: usize, j: usize| match i.abs_diff(j) {
        0 => -2.0 * scale,
        1 => scale,
        _ => 0.0,
    };
    let solution = |t: f64| {
        DVector::from_fn(CELLS - 1, |i, _| {
            let x = (i + 1) as f64 / CELLS as f64;
            x * (1.0 - x) * t.exp()
        })
    };
    Manufactured {
        a: DMatrix::from_fn(n, n, entry),
        solution,
        derivative: solution,
        nonlinearity: |x, f| f.iter_mut().zip(x).for_each(|(f, x)| *f = 1.0 / (1.0 + x * x)),
        end: 1.0,
    }
}

#[test]
fn orders_where_the_system_is_not_stiff() {
    for (method, expected, _, _) in EXPECTED {
        not_stiff().assert_order(method, 160, expected);
    }
}

/// ||A|| h = 1250 at the finer step.
#[test]
fn orders_of_a_parabolic_equation() {
    let problem = parabolic();
    for (method, _, expected, _) in EXPECTED {
        problem.assert_order(method, 64, expected);
    }
}

/// ||A|| h = 6e5 at the finer step.
#[test]
fn orders_where_fast_components_are_driven() {
    for (method, _, _, expected) in EXPECTED {
        stiff_diagonal().assert_order(method, 160, expected);
    }
}

#[test]
fn methods_of_order_four_reach_round_off() {
    // x' = x - x^2, x(0) = 1/10; and a pendulum, whose energy stays.
    for method in all().filter(|method| method.order() == 4) {
        let mut logistic = NonlinearStepper::new(&dmatrix![1.0], 1e-3, method).unwrap();
        logistic.set_state(&[0.1]).unwrap();
        let mut pendulum = NonlinearStepper::new(&dmatrix![0.0, 1.0; -1.0, 0.0], 1e-3, method).unwrap();
        pendulum.set_state(&[1.5, 0.0]).unwrap();
        for _ in 0..3000 {
            logistic.step(|_, x, f| f[0] = -x[0] * x[0]).unwrap();
            pendulum.step(|_, x, f| (f[0], f[1]) = (0.0, x[0] - x[0].sin())).unwrap();
        }
        let error = (logistic.state()[0] - 1.0 / (1.0 + 9.0 * (-3f64).exp())).abs();
        assert!(error < 1e-12, "{method:?}: {error:e}");
        let x = pendulum.state();
        let energy = 0.5 * x[1] * x[1] - x[0].cos() + 1.5f64.cos();
        assert!(energy.abs() < 1e-11, "{method:?}: {energy:e}");
    }
}

proptest! {
    /// Without F every method is the exact linear step; F of time alone is integrated exactly up to the degree of the interpolation.
    #[test]
    fn linear_systems_are_stepped_exactly(
        entries in prop::collection::vec(-2.0..2.0f64, 9),
        shift in prop_oneof![Just(0.0), Just(-30.0), Just(-3000.0)],
        x in prop::collection::vec(-1.0..1.0f64, 3),
        polynomial in prop::collection::vec(-1.0..1.0f64, 12),
        step in 0.01..0.5f64,
    ) {
        let a = DMatrix::from_vec(3, 3, entries) + DMatrix::identity(3, 3) * shift;
        let g = GMatrices::new(&a, step, 3).unwrap();
        for method in all() {
            let degree = match method {
                Adams { order } | AdamsRealTime { order } => order - 1,
                MidpointRealTime | Etdrk2 => 1,
                _ => 2,
            };
            for terms in [0, degree + 1] {
                let coefficients = &polynomial[..3 * terms];
                let f = |t: f64, out: &mut [f64]| {
                    out.fill(0.0);
                    for (j, c) in coefficients.chunks_exact(3).enumerate() {
                        out.iter_mut().zip(c).for_each(|(f, c)| *f += c * (t / step).powi(j as i32));
                    }
                };
                let mut stepper = NonlinearStepper::new(&a, step, method).unwrap();
                stepper.set_state(&x).unwrap();
                let mut history = vec![0.0; 3 * stepper.missing_history()];
                history.chunks_exact_mut(3).enumerate().for_each(|(i, out)| f(-(i as f64 + 1.0) * step, out));
                stepper.set_history(&history).unwrap();
                stepper.step(|t, _, out| f(t, out)).unwrap();
                let exact = coefficients.chunks_exact(3).enumerate().fold(
                    g.exp() * DVector::from_column_slice(&x),
                    |sum, (j, c)| sum + g.g(j) * DVector::from_column_slice(c),
                );
                let size = 1.0 + g.exp().norm() + 10.0 * step;
                let error = (DVector::from_column_slice(stepper.state()) - exact).amax();
                prop_assert!(error < 1e-14 * size, "{method:?}, {terms} terms: {error:e}");
            }
        }
    }
}

/// With F = B u(t) the multistep methods are the holds of the linear stepper.
#[test]
fn adams_methods_are_the_holds_of_linear_systems() {
    let a = dmatrix![-1.0, 40.0; -40.0, -300.0];
    let b = dmatrix![1.0; 2.0];
    let system = StateSpace::with_state_outputs(a.clone(), b.clone()).unwrap();
    let u = |k: f64| (0.3 * k).sin();
    for order in 1..=4 {
        for (method, hold) in [
            (AdamsRealTime { order }, Method::Algorithm2RealTime { order: order - 1 }),
            (Adams { order }, Method::Algorithm2 { order: order - 1 }),
        ] {
            let mut linear = Stepper::new(&system, 0.1, hold).unwrap();
            let newest = if method == (Adams { order }) { 1.0 } else { 0.0 };
            let known = linear.missing_history();
            linear.set_history(&(0..known).map(|i| u(newest + i as f64 - known as f64)).collect::<Vec<_>>()).unwrap();
            let mut nonlinear = NonlinearStepper::new(&a, 0.1, method).unwrap();
            let past: Vec<_> = (1..order).flat_map(|i| [u(-(i as f64)), 2.0 * u(-(i as f64))]).collect();
            nonlinear.set_history(&past).unwrap();
            let mut y = [0.0; 2];
            for k in 0..50 {
                linear.step(&[u(k as f64 + newest)], &mut y).unwrap();
                nonlinear.step(|t, _, f| (f[0], f[1]) = (u(t / 0.1), 2.0 * u(t / 0.1))).unwrap();
                let error = (nonlinear.state()[0] - y[0]).abs() + (nonlinear.state()[1] - y[1]).abs();
                assert!(error < 1e-14, "{method:?}: {error:e}");
            }
        }
    }
}

/// The number of evaluations of F in a step and the latest of their times, in steps from its beginning, once the history is filled.
#[test]
fn evaluations_are_bounded_and_in_time() {
    for method in all() {
        let (count, latest) = match method {
            Adams { .. } => (2, 1.0),
            AdamsRealTime { .. } => (1, 0.0),
            MidpointRealTime => (2, 0.5),
            Etdrk2 => (2, 1.0),
            HochbruckOstermann => (5, 1.0),
            _ => (4, 1.0),
        };
        let mut stepper = NonlinearStepper::new(&dmatrix![-1.0], 0.25, method).unwrap();
        stepper.set_history(&vec![0.0; stepper.missing_history()]).unwrap();
        stepper.set_time(3.0).unwrap();
        for k in 0..8 {
            let mut times = Vec::new();
            stepper
                .step(|t, _, f| {
                    times.push(t);
                    f[0] = 0.0;
                })
                .unwrap();
            assert_eq!(times.len(), count, "{method:?}");
            let begin = 3.0 + 0.25 * f64::from(k);
            assert_eq!(times.iter().fold(f64::MIN, |a, &b| a.max(b)), begin + 0.25 * latest, "{method:?}");
            assert_eq!(stepper.time(), begin + 0.25);
        }
    }
}

#[test]
fn a_failed_step_leaves_everything_and_a_saved_state_returns() {
    let f = |t: f64, x: &[f64], f: &mut [f64]| (f[0], f[1]) = (x[1] * x[0] + t, -x[0]);
    for method in all() {
        let mut stepper = NonlinearStepper::new(&dmatrix![-1.0, 3.0; -3.0, -50.0], 0.01, method).unwrap();
        stepper.set_state(&[1.0, 0.5]).unwrap();
        for _ in 0..6 {
            stepper.step(f).unwrap();
        }
        let saved = stepper.save();
        let (state, time) = (stepper.state().to_vec(), stepper.time());
        // The first or a later evaluation fails.
        for good in 0..method_evaluations(method) {
            let mut calls = 0;
            let failure = stepper.step(|t, x, out| {
                f(t, x, out);
                out[1] = if calls == good { f64::NAN } else { out[1] };
                calls += 1;
            });
            assert!(matches!(failure, Err(Error::Evaluation { index: 1, .. })), "{method:?}");
        }
        assert_eq!((stepper.state(), stepper.time()), (&state[..], time));
        stepper.step(f).unwrap();
        let after = stepper.state().to_vec();
        stepper.restore(&saved).unwrap();
        stepper.step(f).unwrap();
        assert_eq!(stepper.state(), after, "{method:?}");
    }
}

fn method_evaluations(method: ExponentialMethod) -> usize {
    match method {
        AdamsRealTime { .. } => 1,
        Adams { .. } | MidpointRealTime | Etdrk2 => 2,
        HochbruckOstermann => 5,
        _ => 4,
    }
}

#[test]
fn a_jump_is_stepped_over_after_a_restart() {
    // F jumps at t = 1; the exact solution is piecewise exponential.
    let run = |restart: bool| {
        let mut stepper = NonlinearStepper::new(&dmatrix![-3.0], 0.1, Adams { order: 4 }).unwrap();
        for k in 0..20 {
            if restart && k == 10 {
                stepper.restart();
                assert_eq!(stepper.missing_history(), 3);
            }
            stepper.step(|_, _, f| f[0] = if k < 10 { 3.0 } else { -3.0 }).unwrap();
        }
        let before = 1.0 - (-3f64).exp();
        (stepper.state()[0] - (-1.0 + (before + 1.0) * (-3f64).exp())).abs()
    };
    assert!(run(true) < 1e-14);
    assert!(run(false) > 1e-3);
}

#[test]
fn bad_input_is_refused() {
    let a = dmatrix![-1.0];
    for step in [0.0, -0.1, f64::NAN, f64::INFINITY] {
        assert!(matches!(NonlinearStepper::new(&a, step, Etdrk4), Err(Error::NotPositive { name: "step", .. })));
    }
    for order in [0, 5] {
        for method in [Adams { order }, AdamsRealTime { order }] {
            let error = NonlinearStepper::new(&a, 1.0, method).unwrap_err();
            assert_eq!(error, Error::OrderOutOfRange { order, smallest: 1, largest: 4 });
        }
    }
    for bad in [DMatrix::zeros(2, 3), dmatrix![f64::NAN], dmatrix![1e4]] {
        for method in [Krogstad, Adams { order: 2 }, AdamsRealTime { order: 1 }] {
            assert!(matches!(NonlinearStepper::new(&bad, 1.0, method), Err(Error::Transition(_))), "{bad} {method:?}");
        }
    }
    let mut stepper = NonlinearStepper::new(&a, 1.0, Adams { order: 3 }).unwrap();
    assert!(matches!(stepper.set_state(&[1.0, 2.0]), Err(Error::Length { length: 2, expected: 1, .. })));
    assert!(matches!(stepper.set_state(&[f64::NAN]), Err(Error::NotFinite { .. })));
    assert!(matches!(stepper.set_history(&[1.0]), Err(Error::Length { length: 1, expected: 2, .. })));
    assert!(matches!(stepper.set_history(&[1.0, f64::NAN]), Err(Error::NotFinite { index: 1, .. })));
    assert!(matches!(stepper.set_time(f64::NAN), Err(Error::NotFinite { .. })));
    let foreign = NonlinearStepper::new(&a, 1.0, Etdrk2).unwrap().save();
    assert!(matches!(stepper.restore(&foreign), Err(Error::ForeignState { .. })));
    // Growth beyond f64, not of F but of the state.
    let mut growing = NonlinearStepper::new(&dmatrix![700.0], 1.0, AdamsRealTime { order: 1 }).unwrap();
    growing.set_state(&[1e10]).unwrap();
    assert!(matches!(growing.step(|_, _, f| f[0] = 0.0), Err(Error::NotFinite { name: "state", .. })));
    assert_eq!(growing.state(), [1e10]);
    // No states at all.
    for method in all() {
        let mut empty = NonlinearStepper::new(&DMatrix::zeros(0, 0), 1.0, method).unwrap();
        empty.step(|_, _, _| ()).unwrap();
    }
}

/// Saved states of another dimension, step or method are refused, even where the storage would fit.
#[test]
fn states_of_other_steppers_are_refused() {
    let a = |n: usize| DMatrix::from_diagonal_element(n, n, -1.0);
    let stepper = |n, h, method| NonlinearStepper::new(&a(n), h, method).unwrap();
    let mut first = stepper(3, 0.1, ExponentialMethod::Adams { order: 3 });
    for _ in 0..5 {
        first.step(|_, _, f| f.fill(1.0)).unwrap();
    }
    for mut other in [
        stepper(4, 0.1, ExponentialMethod::Adams { order: 2 }),
        stepper(3, 0.05, ExponentialMethod::Adams { order: 3 }),
        stepper(3, 0.1, ExponentialMethod::AdamsRealTime { order: 3 }),
    ] {
        assert!(matches!(other.restore(&first.save()), Err(Error::ForeignState { .. })));
    }
}
