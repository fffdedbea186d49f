//! Step, impulse, initial and frequency responses against closed forms: lags of first and second order, integrators, chains.

use fourbar_lti::{Error, StateSpace, TransferFunction, TransferMatrix, ZerosPolesGain, integrator, lag};
use nalgebra::{Complex, DMatrix, dmatrix};
use proptest::prelude::*;

fn close(value: f64, exact: f64, size: f64) {
    assert!((value - exact).abs() <= 1e-13 * size, "{value:e} {exact:e}");
}

#[test]
fn a_lag() {
    let (gain, tau, step) = (3.0, 0.2, 0.05);
    let system = lag(gain, tau).unwrap();
    let steps = system.step_response(step, 100).unwrap();
    let impulse = system.impulse_response(step, 100).unwrap();
    let initial = system.initial_response(&[2.0], step, 100).unwrap();
    assert_eq!((steps.times().len(), steps.times()[100]), (101, 5.0));
    for (k, &t) in steps.times().iter().enumerate() {
        close(steps.values()[k][0], gain * -(-t / tau).exp_m1(), gain);
        close(impulse.values()[k][0], gain / tau * (-t / tau).exp(), gain / tau);
        close(initial.values()[k][0], 2.0 * (-t / tau).exp(), 2.0);
    }
}

#[test]
fn an_oscillator_and_a_double_integrator() {
    // 25/(s^2 + 6 s + 25): poles -3 +- 4i.
    let h = TransferFunction { numerator: vec![25.0], denominator: vec![1.0, 6.0, 25.0] }.to_state_space().unwrap();
    let steps = h.step_response(0.1, 50).unwrap();
    let impulse = h.impulse_response(0.1, 50).unwrap();
    for (k, &t) in steps.times().iter().enumerate() {
        let decay = (-3.0 * t).exp();
        close(steps.values()[k][0], 1.0 - decay * ((4.0 * t).cos() + 0.75 * (4.0 * t).sin()), 1.0);
        close(impulse.values()[k][0], 6.25 * decay * (4.0 * t).sin(), 6.25);
    }
    let double = integrator().series(&integrator()).unwrap();
    let steps = double.step_response(0.25, 40).unwrap();
    let impulse = double.impulse_response(0.25, 40).unwrap();
    for (k, &t) in steps.times().iter().enumerate() {
        close(steps.values()[k][0], 0.5 * t * t, 50.0);
        close(impulse.values()[k][0], t, 10.0);
    }
}

/// Each input has its column, direct feedthrough is in the step response from the start, and of an impulse only what follows it is a number.
#[test]
fn columns_and_feedthrough() {
    let system = StateSpace::new(
        dmatrix![-1.0, 0.0; 0.0, -2.0],
        dmatrix![1.0, 0.0; 0.0, 4.0],
        dmatrix![1.0, 1.0],
        dmatrix![0.5, 0.0],
    );
    let system = system.unwrap();
    let steps = system.step_response(0.5, 4).unwrap();
    assert_eq!(steps.values()[0], dmatrix![0.5, 0.0]);
    close(steps.values()[2][0], 0.5 - (-1f64).exp_m1(), 1.0);
    close(steps.values()[2][1], 2.0 * -(-2f64).exp_m1(), 2.0);
    assert_eq!(system.impulse_response(0.5, 4).unwrap().values()[0], dmatrix![1.0, 4.0]);
    let gain = StateSpace::gain(dmatrix![2.0]).unwrap();
    assert_eq!(gain.step_response(1.0, 2).unwrap().values(), [dmatrix![2.0], dmatrix![2.0], dmatrix![2.0]]);
    assert_eq!(gain.initial_response(&[], 1.0, 1).unwrap().values()[1].shape(), (1, 1));
}

#[test]
fn mistakes_are_named() {
    let system = lag(1.0, 1.0).unwrap();
    assert!(matches!(system.step_response(0.0, 3), Err(Error::NotPositive { .. })));
    assert!(matches!(system.initial_response(&[1.0, 2.0], 1.0, 3), Err(Error::Length { .. })));
    assert!(matches!(system.initial_response(&[f64::NAN], 1.0, 3), Err(Error::NotFinite { .. })));
    let unstable = StateSpace::with_state_outputs(dmatrix![1.0], dmatrix![1.0]).unwrap();
    assert!(matches!(unstable.step_response(100.0, 20), Err(Error::Overflow { .. })));
    assert!(matches!(system.frequency_grid(&[1.0, f64::NAN]), Err(Error::NotFinite { index: 1, .. })));
}

#[test]
fn frequency_response_over_a_grid() {
    let h = TransferFunction { numerator: vec![25.0], denominator: vec![1.0, 6.0, 25.0] }.to_state_space().unwrap();
    let frequencies: Vec<f64> = (-30..=30).map(|k| 10f64.powf(0.1 * f64::from(k))).collect();
    for (w, value) in frequencies.iter().zip(h.frequency_grid(&frequencies).unwrap()) {
        let s = Complex::new(0.0, *w);
        let exact = Complex::new(25.0, 0.0) / (s * s + s * 6.0 + 25.0);
        assert!((value.unwrap()[0] - exact).norm() < 1e-14 * exact.norm().max(1e-3), "{w}");
    }
    let double = integrator().series(&integrator()).unwrap();
    let grid = double.frequency_grid(&[0.0, 2.0]).unwrap();
    assert!(grid[0].is_none() && (grid[1].as_ref().unwrap()[0] + 0.25).norm() < 1e-16);
}

/// Slow modes behind fast ones keep their digits, although the reduction to Hessenberg form has round-off of the fast ones.
#[test]
fn slow_and_fast_together() {
    let real = |x: f64| Complex::new(x, 0.0);
    let poles = [-1.0, -1e3, -1e6, -1e9, -3.0].map(real).to_vec();
    let zpk = ZerosPolesGain { zeros: vec![real(-30.0)], poles, gain: 1e18 };
    let system = zpk.to_state_space().unwrap();
    for w in [0.0, 0.1, 1.0, 1e2, 1e5, 1e8] {
        let s = Complex::new(0.0, w);
        let product = |roots: &[Complex<f64>]| roots.iter().map(|r| s - r).product::<Complex<f64>>();
        let exact = product(&zpk.zeros) / product(&zpk.poles) * zpk.gain;
        let value = TransferMatrix::new(&system).at(s).unwrap()[0];
        assert!((value - exact).norm() < 1e-13 * exact.norm(), "{w}: {value} {exact}");
    }
}

/// Chains of masses with known modes, many states; and in any units.
#[test]
fn many_states_in_any_units() {
    let n = 60;
    let unit = |i: usize| 2f64.powi((i * 37 % 400) as i32 - 200);
    let a = DMatrix::from_fn(n, n, |i, j| match i.abs_diff(j) {
        0 => -2.0,
        1 => unit(j) / unit(i),
        _ => 0.0,
    });
    let b = DMatrix::from_fn(n, 1, |i, _| if i == 0 { 1.0 / unit(0) } else { 0.0 });
    let c = DMatrix::from_fn(1, n, |_, j| if j == 0 { unit(0) } else { 0.0 });
    let rod = StateSpace::new(a, b, c, DMatrix::zeros(1, 1)).unwrap();
    let frequencies: Vec<f64> = (0..50).map(|k| 0.1 * f64::from(k)).collect();
    let grid = rod.frequency_grid(&frequencies).unwrap();
    for (w, value) in frequencies.iter().zip(grid) {
        // Continued fraction: h_1 = 1/(s + 2 - h_2), ...
        let s = Complex::new(2.0, *w);
        let exact = (0..n).fold(Complex::ZERO, |h, _| (s - h).inv());
        assert!((value.unwrap()[0] - exact).norm() < 1e-13 * exact.norm(), "{w}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    /// (s I - A) X = B holds to round-off of its own terms, row by row, for states as outputs.
    #[test]
    fn responses_satisfy_their_equation(
        n in 1..9usize,
        entries in prop::collection::vec((-1.0..1.0f64, 0.0..1.0f64), 81),
        units in prop::collection::vec(-300..300i32, 9),
        sparsity in 0.0..0.8f64,
        w in -3.0..3.0f64,
    ) {
        let plain = DMatrix::from_fn(n, n, |i, j| if entries[9 * i + j].1 < sparsity { 0.0 } else { entries[9 * i + j].0 });
        let power = |e: i32| 2f64.powi(e);
        let a = DMatrix::from_fn(n, n, |i, j| plain[(i, j)] * power(units[j] - units[i]));
        let b = DMatrix::from_fn(n, 1, |i, _| power(-units[i]));
        let s = Complex::new(0.0, 10f64.powf(w));
        let system = StateSpace::with_state_outputs(a, b).unwrap();
        let Some(scaled) = TransferMatrix::new(&system).at(s) else { return Err(TestCaseError::fail("a pole")) };
        let x = DMatrix::from_fn(n, 1, |i, _| scaled[(i, 0)] * power(units[i]));
        for i in 0..n {
            let rest = s * x[i] - (0..n).map(|j| x[j] * plain[(i, j)]).sum::<Complex<f64>>() - 1.0;
            let size = s.norm() * x[i].norm() + (0..n).map(|j| x[j].norm() * plain[(i, j)].abs()).sum::<f64>() + 1.0;
            prop_assert!(rest.norm() < 32.0 * f64::EPSILON * size, "{} of {size}", rest.norm());
        }
    }
}

/// Polynomials whose roots lie up to 1e14 apart, at frequencies from below them to above: each within 1e-9 of the quotient of the polynomials.
#[test]
fn frequency_responses_of_widely_spread_polynomials() {
    let check = |numerator: &[f64], denominator: &[f64], from: f64, decades: f64| {
        let function = TransferFunction { numerator: numerator.to_vec(), denominator: denominator.to_vec() };
        let transfer = TransferMatrix::new(&function.to_state_space().unwrap());
        for k in 0..=200 {
            let s = Complex::new(0.0, from * 10f64.powf(decades * f64::from(k) / 200.0));
            let value = |p: &[f64]| -> Complex<f64> { p.iter().fold(Complex::ZERO, |sum, &c| sum * s + c) };
            let exact = value(numerator) / value(denominator);
            let found: Complex<f64> =
                transfer.at(s).unwrap_or_else(|| panic!("{numerator:?} {denominator:?} at {s}"))[0];
            assert!((found - exact).norm() <= 1e-9 * exact.norm(), "{denominator:?} at {s}: {found} {exact}");
        }
    };
    check(&[0.4, 2.5e6, 1.9], &[3.4e-14, 3.7e-7, 1.4, 2.5e6, 1.9], 1e-6, 15.0);
    // Real poles 10^(14 k/n), and zeros between some of them.
    for n in 2..=8 {
        let product = |roots: &[f64]| {
            roots.iter().fold(vec![1.0], |p: Vec<f64>, root| {
                let mut next = p.clone();
                next.push(0.0);
                p.iter().enumerate().for_each(|(i, c)| next[i + 1] += c * root);
                next
            })
        };
        let pole = |k: usize| 10f64.powf(14.0 * k as f64 / n as f64 - 5.0);
        let poles: Vec<f64> = (0..=n).map(pole).collect();
        let zeros: Vec<f64> = (0..n / 2).map(|k| 3.0 * pole(2 * k)).collect();
        check(&product(&zeros), &product(&poles), 1e-6, 16.0);
    }
}
