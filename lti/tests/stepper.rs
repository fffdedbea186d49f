//! What a stepper promises besides the right numbers: history, start-up, restart, save and restore, errors, its own error estimate.

use approx::assert_relative_eq;
use fourbar_lti::{
    Discretization, DyadicSteps, Ensemble, Error, FixedCoefficients, FixedError, FixedStepper, Method, StateSpace,
    Stepper, lag, simulate, suggest_step,
};
use nalgebra::{DMatrix, dmatrix};

fn servo() -> StateSpace {
    StateSpace::new(
        dmatrix![0.0, 1.0, 0.0; 0.0, -2.0, 30.0; 0.0, -40.0, -5e3],
        dmatrix![0.0, 0.0; 0.0, -1.0; 5e3, 0.0],
        dmatrix![1.0, 0.0, 0.0; 0.0, 0.0, 2.0],
        dmatrix![0.0, 0.0; 0.5, 0.0],
    )
    .unwrap()
}

fn drive(t: f64, u: &mut [f64]) {
    u[0] = (3.0 * t).sin();
    u[1] = (-t).exp() * (5.0 * t).cos();
}

fn every_method() -> Vec<Method> {
    vec![
        Method::Algorithm1 { order: 0 },
        Method::Algorithm1 { order: 3 },
        Method::Algorithm2 { order: 0 },
        Method::Algorithm2 { order: 3 },
        Method::Algorithm1RealTime { order: 2 },
        Method::Algorithm2RealTime { order: 2 },
        Method::Nodes(vec![-0.5, 0.2, 0.5, 1.0]),
        Method::Mtm4,
        Method::Qam4,
    ]
}

/// A stepper in the middle of a run.
fn running(method: Method) -> (Stepper, Vec<f64>) {
    let mut stepper = Stepper::new(&servo(), 0.01, method.clone()).unwrap();
    if let Method::Nodes(_) = method {
        stepper.set_history(&vec![0.0; 2 * stepper.missing_history()]).unwrap();
    }
    let mut y = vec![0.0; 2 * 20];
    simulate(&mut stepper, drive, &mut y).unwrap();
    (stepper, y)
}

#[test]
fn restored_runs_repeat_to_the_last_bit() {
    for method in every_method() {
        let (mut stepper, _) = running(method.clone());
        let saved = stepper.save();
        let (mut first, mut second) = (vec![0.0; 60], vec![0.0; 60]);
        simulate(&mut stepper, drive, &mut first).unwrap();
        let end = stepper.save();
        stepper.restore(&saved).unwrap();
        assert_eq!(stepper.steps(), 20);
        simulate(&mut stepper, drive, &mut second).unwrap();
        assert_eq!(first, second, "{method:?}");
        assert_eq!(stepper.save(), end, "{method:?}");
    }
}

#[test]
fn a_reset_stepper_is_as_new() {
    for method in every_method() {
        let (mut stepper, first) = running(method.clone());
        stepper.reset();
        if let Method::Nodes(_) = method {
            stepper.set_history(&vec![0.0; 2 * stepper.missing_history()]).unwrap();
        }
        let mut second = vec![0.0; first.len()];
        simulate(&mut stepper, drive, &mut second).unwrap();
        assert_eq!(first, second, "{method:?}");
    }
}

#[test]
fn special_cases_are_one_and_the_same() {
    let same = |a: Method, b: Method| {
        let [a, b] = [a, b].map(|method| Discretization::new(&servo(), 0.01, method).unwrap());
        assert_eq!(a.nodes(), b.nodes());
        for i in 0..a.nodes().len() {
            assert_eq!(a.input_matrix(i), b.input_matrix(i));
        }
    };
    same(Method::Algorithm1 { order: 1 }, Method::Algorithm2 { order: 1 }); // (18) is (28)
    same(Method::Algorithm1 { order: 0 }, Method::ZERO_ORDER_HOLD);
    same(Method::Algorithm1RealTime { order: 1 }, Method::ZERO_ORDER_HOLD); // (38)
    same(Method::FIRST_ORDER_HOLD, Method::Nodes(vec![0.0, 1.0]));
}

/// Given history and start-up lead to the same order; a start-up step is a step of the one-step method.
#[test]
fn start_up_steps_are_those_of_algorithm_1() {
    let mut multistep = Stepper::new(&servo(), 0.01, Method::Algorithm2 { order: 2 }).unwrap();
    let mut one_step = Stepper::new(&servo(), 0.01, Method::Algorithm1 { order: 2 }).unwrap();
    assert_eq!(multistep.missing_history(), 2);
    assert_eq!(multistep.startup_offsets(), one_step.sample_offsets());
    let mut u = [0.0; 2];
    drive(0.0, &mut u);
    multistep.set_input(&u).unwrap();
    one_step.set_input(&u).unwrap();
    let mut samples = [0.0; 4];
    let (half, full) = samples.split_at_mut(2);
    drive(0.005, half);
    drive(0.01, full);
    let (mut a, mut b) = ([0.0; 2], [0.0; 2]);
    multistep.start_step(&samples, &mut a).unwrap();
    one_step.step(&samples, &mut b).unwrap();
    assert_eq!(a, b);
    assert_eq!(multistep.missing_history(), 0);
    // The history now holds u(0) and u(T): the next step is that of a stepper told so.
    let mut told = Stepper::new(&servo(), 0.01, Method::Algorithm2 { order: 2 }).unwrap();
    told.set_state(multistep.state()).unwrap();
    told.set_history(&[u, [samples[2], samples[3]]].concat()).unwrap();
    multistep.step(&u, &mut a).unwrap();
    told.step(&u, &mut b).unwrap();
    assert_eq!(a, b);
}

/// u jumps from 0 to 1 at t = 1: exact only if no step interpolates across the jump.
#[test]
fn a_jump_of_the_input_restarts_the_history() {
    let system = lag(1.0, 0.5).unwrap();
    for method in [Method::FIRST_ORDER_HOLD, Method::Algorithm1 { order: 4 }, Method::Algorithm2 { order: 3 }] {
        let mut stepper = Stepper::new(&system, 0.1, method.clone()).unwrap();
        let mut before = [0.0; 10];
        simulate(&mut stepper, |_, u| u[0] = 0.0, &mut before).unwrap();
        stepper.set_input(&[1.0]).unwrap();
        let mut after = [0.0; 10];
        simulate(&mut stepper, |_, u| u[0] = 1.0, &mut after).unwrap();
        assert_eq!(before, [0.0; 10]);
        for (k, y) in after.iter().enumerate() {
            let exact = 1.0 - (-0.2 * (k + 1) as f64).exp();
            assert!((y - exact).abs() < 1e-15, "{method:?}: {y} {exact}");
        }
    }
}

/// Half the step and back: on a ramp, for which the hold is exact, nothing shows.
#[test]
fn the_step_is_halved_and_doubled_on_the_way() {
    let system = lag(1.0, 0.5).unwrap();
    let levels = DyadicSteps::new(&system, 0.05, 2, Method::FIRST_ORDER_HOLD).unwrap();
    let on = |level: usize| Stepper::from_discretization(&system, &levels.levels()[level], None).unwrap();
    let (mut fine, mut coarse) = (on(0), on(1));
    let exact = |t: f64| t - 0.5 + 0.5 * (-2.0 * t).exp();
    let ramp = |t: f64, u: &mut [f64]| u[0] = t;
    let mut y = [0.0; 4];
    for _ in 0..3 {
        simulate(&mut coarse, ramp, &mut y).unwrap();
        assert!((y[3] - exact(coarse.time())).abs() < 1e-15);
        fine.continue_from(&coarse).unwrap();
        assert_eq!(fine.missing_history(), 0);
        simulate(&mut fine, ramp, &mut y).unwrap();
        assert!((y[3] - exact(fine.time())).abs() < 1e-15);
        coarse.continue_from(&fine).unwrap();
    }
    assert_relative_eq!(coarse.time(), 1.8, epsilon = 1e-14);
    let other = Stepper::new(&servo(), 0.1, Method::FIRST_ORDER_HOLD).unwrap();
    assert!(matches!(fine.continue_from(&other), Err(Error::Length { length: 3, expected: 1, .. })));
}

/// D acts on the sample at the end of the step, or on its continuation in real time; `output` on what it is given.
#[test]
fn direct_feedthrough() {
    let through = StateSpace::gain(dmatrix![2.0]).unwrap();
    let after = |method: Method, samples: &[f64]| {
        let mut stepper = Stepper::new(&through, 1.0, method).unwrap();
        stepper.set_history(&vec![1.0; stepper.missing_history()]).unwrap();
        let mut y = [0.0];
        stepper.step(samples, &mut y).unwrap();
        y[0]
    };
    assert_eq!(after(Method::FIRST_ORDER_HOLD, &[5.0]), 10.0);
    assert_eq!(after(Method::ZERO_ORDER_HOLD, &[5.0]), 10.0);
    assert_eq!(after(Method::Algorithm2RealTime { order: 1 }, &[5.0]), 18.0); // 1, 5, then 9
    let mut y = [0.0];
    Stepper::new(&through, 1.0, Method::ZERO_ORDER_HOLD).unwrap().output(&[3.0], &mut y).unwrap();
    assert_eq!(y, [6.0]);
    let (stepper, _) = running(Method::FIRST_ORDER_HOLD);
    let mut y = [0.0; 2];
    stepper.output(&[1.0, 0.0], &mut y).unwrap();
    assert_relative_eq!(y[0], stepper.state()[0]);
    assert_relative_eq!(y[1], 2.0 * stepper.state()[2] + 0.5);
}

/// The estimate agrees with the true error of the step to leading order, stiff or not, and is refused where it is unknown.
#[test]
fn the_local_error_is_estimated() {
    for (lambda, step) in [(-1.0, 0.02), (-1e5, 0.01)] {
        let system = StateSpace::with_state_outputs(dmatrix![lambda], dmatrix![-lambda]).unwrap();
        for method in [
            Method::ZERO_ORDER_HOLD,
            Method::FIRST_ORDER_HOLD,
            Method::Algorithm1 { order: 3 },
            Method::Algorithm2 { order: 2 },
            Method::Algorithm1RealTime { order: 3 },
            Method::Algorithm2RealTime { order: 1 },
        ] {
            let mut stepper = Stepper::new(&system, step, method.clone()).unwrap();
            let mut y = [0.0; 6];
            let mut estimate = [0.0];
            assert!(!stepper.local_error(&mut estimate).unwrap());
            simulate(&mut stepper, |t, u| u[0] = (2.0 * t + 1.0).sin(), &mut y[..5]).unwrap();
            // One more step, from the state where it is, compared with one of a method of much higher order.
            let mut fine = Stepper::new(&system, step, Method::Algorithm1 { order: 9 }).unwrap();
            fine.set_state(stepper.state()).unwrap();
            let t = 5.0 * step;
            fine.set_input(&[(2.0 * t + 1.0).sin()]).unwrap();
            let samples: Vec<f64> = fine.sample_offsets().iter().map(|o| (2.0 * (t + o) + 1.0).sin()).collect();
            let mut exact = [0.0];
            fine.step(&samples, &mut exact).unwrap();
            simulate(&mut stepper, |t, u| u[0] = (2.0 * t + 1.0).sin(), &mut y[5..]).unwrap();
            assert!(stepper.local_error(&mut estimate).unwrap());
            let error = exact[0] - y[5];
            assert!(
                (estimate[0] - error).abs() < 0.15 * error.abs() + 1e-15,
                "{method:?} {lambda}: {error:e} {estimate:?}"
            );
        }
    }
}

#[test]
fn a_suggested_step_meets_its_tolerance() {
    let system = servo();
    for tolerance in [1e-3, 1e-6, 1e-9] {
        let method = Method::Algorithm2 { order: 2 };
        let step = suggest_step(&system, &method, &[5.0, 2.0], tolerance, 10.0).unwrap();
        let error = |step| {
            let d = Discretization::new(&system, step, method.clone()).unwrap();
            d.leading_error(&[5.0, 2.0]).unwrap().unwrap().amax()
        };
        assert!(error(step) <= tolerance && error(2.0 * step) > tolerance, "{step} for {tolerance:e}");
    }
    let free = suggest_step(&system, &Method::FIRST_ORDER_HOLD, &[0.0, 0.0], 1e-9, 0.3).unwrap();
    assert_eq!(free, 0.3);
    let classical = suggest_step(&system, &Method::Qam4, &[1.0, 1.0], 1e-6, 0.1);
    assert_eq!(classical, Err(Error::NoEstimate));
}

#[test]
fn bad_input_is_refused_and_changes_nothing() {
    let mut stepper = Stepper::new(&servo(), 0.01, Method::Algorithm2 { order: 2 }).unwrap();
    let mut y = [0.0; 2];
    assert_eq!(stepper.step(&[0.0; 2], &mut y), Err(Error::EmptyHistory { missing: 2 }));
    assert_eq!(stepper.start_step(&[0.0; 4], &mut y), Err(Error::EmptyHistory { missing: 1 }));
    stepper.set_history(&[1.0; 4]).unwrap();
    let before = stepper.save();
    assert!(matches!(stepper.step(&[0.0, f64::NAN], &mut y), Err(Error::NotFinite { index: 1, .. })));
    assert!(matches!(stepper.step(&[0.0; 3], &mut y), Err(Error::Length { length: 3, expected: 2, .. })));
    assert!(matches!(stepper.step(&[0.0; 2], &mut [0.0; 3]), Err(Error::Length { length: 3, expected: 2, .. })));
    assert!(matches!(stepper.set_state(&[0.0, 0.0, f64::INFINITY]), Err(Error::NotFinite { index: 2, .. })));
    assert!(matches!(stepper.set_input(&[1.0]), Err(Error::Length { .. })));
    assert!(matches!(stepper.set_history(&[1.0; 6]), Err(Error::Length { expected: 4, .. })));
    assert!(matches!(stepper.run(&[0.0; 5], &mut [0.0; 4]), Err(Error::Length { .. })));
    let other = Stepper::new(&servo(), 0.01, Method::ZERO_ORDER_HOLD).unwrap();
    assert!(matches!(stepper.restore(&other.save()), Err(Error::ForeignState { .. })));
    assert_eq!(stepper.save(), before);

    let make = |step: f64| Stepper::new(&servo(), step, Method::ZERO_ORDER_HOLD).map(|_| ());
    for step in [0.0, -0.1, f64::NAN, f64::INFINITY] {
        assert!(matches!(make(step), Err(Error::NotPositive { name: "step", .. })), "{step}");
    }
    let explosive = StateSpace::with_state_outputs(dmatrix![1e4], dmatrix![1.0]).unwrap();
    let overflow = Stepper::new(&explosive, 1.0, Method::ZERO_ORDER_HOLD).map(|_| ()).unwrap_err();
    assert!(overflow.to_string().contains("exceeds the range"), "{overflow}");
    let huge = StateSpace::new(dmatrix![-1.0], dmatrix![1e200], dmatrix![1e200], dmatrix![0.0]).unwrap();
    let product = Stepper::new(&huge, 1.0, Method::ZERO_ORDER_HOLD).map(|_| ());
    assert!(matches!(product, Err(Error::NotFinite { name: "matrix of a step", .. })));
    let [main, start] = [(0.1, Method::Algorithm2 { order: 2 }), (0.2, Method::Algorithm1 { order: 2 })]
        .map(|(step, method)| Discretization::new(&servo(), step, method).unwrap());
    let mismatch = Stepper::from_discretization(&servo(), &main, Some(&start)).map(|_| ());
    assert_eq!(mismatch, Err(Error::StepMismatch { step: 0.1, startup: 0.2 }));
    let foreign = Discretization::new(&explosive, 0.01, Method::ZERO_ORDER_HOLD).unwrap();
    assert!(matches!(
        Stepper::from_discretization(&servo(), &foreign, None).map(|_| ()),
        Err(Error::MatrixShape { .. })
    ));
}

#[test]
fn systems_without_states_inputs_or_outputs() {
    let zeros = DMatrix::zeros;
    for (n, m, q) in [(0, 0, 0), (0, 2, 1), (2, 0, 1), (2, 1, 0)] {
        let system = StateSpace::new(zeros(n, n), zeros(n, m), zeros(q, n), zeros(q, m)).unwrap();
        for method in [Method::ZERO_ORDER_HOLD, Method::Algorithm2 { order: 2 }, Method::Qam4] {
            let mut stepper = Stepper::new(&system, 0.1, method.clone()).unwrap();
            let mut y = vec![1.0; 5 * q];
            simulate(&mut stepper, |_, u| u.fill(1.0), &mut y).unwrap();
            assert!(y.iter().all(|y| *y == 0.0));
            let discretization = Discretization::new(&system, 0.1, method).unwrap();
            let mut ensemble = Ensemble::new(&system, &discretization, 3).unwrap();
            let retained = discretization.nodes().len() - discretization.sample_offsets().len();
            ensemble.set_history(&vec![0.0; 3 * m * retained]).unwrap();
            let mut y = vec![0.0; 3 * q];
            ensemble.step(&vec![0.0; 3 * m * discretization.sample_offsets().len()], &mut y).unwrap();
        }
    }
}

/// The stepper of fixed size makes the same steps, in f64 to rounding and in f32 to its own.
#[test]
fn fixed_size_steppers_agree() {
    let system = servo();
    for method in [Method::FIRST_ORDER_HOLD, Method::Nodes(vec![-1.0, 0.0])] {
        let d = Discretization::new(&system, 0.01, method.clone()).unwrap();
        let mut dynamic = Stepper::from_discretization(&system, &d, None).unwrap();
        let mut double =
            FixedStepper::new(FixedCoefficients::<f64, 3, 2, 2, 2>::from_discretization(&system, &d).unwrap()).unwrap();
        let mut single =
            FixedStepper::new(FixedCoefficients::<f32, 3, 2, 2, 2>::from_discretization(&system, &d).unwrap()).unwrap();
        assert_eq!(double.step(&[[0.0; 2]], &mut [0.0; 2]), Err(FixedError::EmptyHistory));
        dynamic.set_history(&[1.0, 0.0]).unwrap();
        double.set_history(&[[1.0, 0.0]]).unwrap();
        single.set_history(&[[1.0, 0.0]]).unwrap();
        for k in 0..50 {
            let mut u = [0.0; 2];
            drive(f64::from(k) * 0.01, &mut u);
            let (mut a, mut b, mut c) = ([0.0; 2], [0.0; 2], [0f32; 2]);
            dynamic.step(&u, &mut a).unwrap();
            double.step(&[u], &mut b).unwrap();
            single.step(&[u.map(|x| x as f32)], &mut c).unwrap();
            for i in 0..2 {
                assert!((a[i] - b[i]).abs() < 1e-14, "{method:?}");
                assert!((a[i] - f64::from(c[i])).abs() < 1e-5, "{method:?}");
            }
        }
        assert_eq!(double.step(&[[0.0; 2]; 2], &mut [0.0; 2]), Err(FixedError::SampleCount));
        assert_eq!(single.step(&[[f32::NAN, 0.0]], &mut [0.0; 2]), Err(FixedError::NotFinite));
    }
    let d = Discretization::new(&system, 0.01, Method::FIRST_ORDER_HOLD).unwrap();
    let wrong = FixedCoefficients::<f64, 3, 2, 2, 3>::from_discretization(&system, &d);
    assert!(matches!(wrong, Err(Error::Length { length: 3, expected: 2, .. })));
}

#[test]
fn run_feeds_samples_step_by_step() {
    let mut by_step = Stepper::new(&servo(), 0.02, Method::FIRST_ORDER_HOLD).unwrap();
    by_step.set_input(&[1.0, 0.0]).unwrap();
    let mut at_once = by_step.clone();
    let samples: Vec<f64> = (0..20).map(f64::from).map(f64::sin).collect();
    let mut expected = Vec::new();
    for u in samples.chunks_exact(2) {
        let mut y = [0.0; 2];
        by_step.step(u, &mut y).unwrap();
        expected.extend(y);
    }
    let mut outputs = vec![0.0; 20];
    assert_eq!(at_once.run(&samples, &mut outputs).unwrap(), 10);
    assert_eq!(outputs, expected);
}

/// Saved states of another step, method or number of inputs are refused, even where the storage would fit.
#[test]
fn foreign_states_are_refused() {
    let system = |inputs: usize| {
        StateSpace::with_state_outputs(DMatrix::from_element(1, 1, -1.0), DMatrix::from_element(1, inputs, 1.0))
            .unwrap()
    };
    let first = Stepper::new(&system(1), 0.1, Method::Algorithm2 { order: 3 }).unwrap();
    for (inputs, step, method) in [
        (2, 0.2, Method::FIRST_ORDER_HOLD),
        (1, 0.2, Method::Algorithm2 { order: 3 }),
        (1, 0.1, Method::Algorithm1 { order: 3 }),
    ] {
        let mut other = Stepper::new(&system(inputs), step, method).unwrap();
        assert!(matches!(other.restore(&first.save()), Err(Error::ForeignState { .. })));
    }
    let mut twin = Stepper::new(&system(1), 0.1, Method::Algorithm2 { order: 3 }).unwrap();
    twin.restore(&first.save()).unwrap();
}

/// Orders without bound, overflow, systems without inputs, derivatives that are no numbers: each has its answer.
#[test]
fn unusual_requests_have_an_answer() {
    let scalar = |x: f64| DMatrix::from_element(1, 1, x);
    let unstable = StateSpace::with_state_outputs(scalar(1.0), scalar(1.0)).unwrap();
    for method in [Method::Algorithm2RealTime { order: usize::MAX }, Method::Algorithm1RealTime { order: usize::MAX }] {
        assert!(matches!(Stepper::new(&unstable, 0.1, method), Err(Error::OrderTooHigh { .. })));
    }
    let mut stepper = Stepper::new(&unstable, 700.0, Method::ZERO_ORDER_HOLD).unwrap();
    let mut y = [0.0];
    stepper.step(&[1.0], &mut y).unwrap();
    let before = stepper.state().to_vec();
    assert!(matches!(stepper.step(&[1.0], &mut y), Err(Error::Overflow { .. })));
    assert!(y[0].is_finite() && stepper.state() == before && stepper.steps() == 1);

    let free = StateSpace::with_state_outputs(scalar(-1.0), DMatrix::zeros(1, 0)).unwrap();
    let mut stepper = Stepper::new(&free, 0.1, Method::ZERO_ORDER_HOLD).unwrap();
    stepper.set_state(&[1.0]).unwrap();
    let mut y = [0.0; 10];
    assert_eq!(stepper.run(&[], &mut y).unwrap(), 10);
    assert!((y[9] - (-1f64).exp()).abs() < 1e-15);

    use fourbar_lti::suggest_step;
    let step = suggest_step(&unstable, &Method::FIRST_ORDER_HOLD, &[1.0], 1e-6, 1e4).unwrap();
    assert!(step > 1e-3 && step < 0.1, "{step}");
    for bad in [f64::NAN, f64::INFINITY] {
        let answer = suggest_step(&unstable, &Method::FIRST_ORDER_HOLD, &[bad], 1e-6, 1.0);
        assert!(matches!(answer, Err(Error::NotFinite { name: "derivatives", .. })), "{answer:?}");
    }
}
