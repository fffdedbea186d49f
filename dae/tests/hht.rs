//! `Hht`: its order in every formulation, what it damps and what it keeps, mechanisms over the tolerances.

use fourbar_dae::Dae;
use fourbar_dae::integrator::{Damping, Error, Hht, Integrator, Stop, Tolerance};
use num_dual::DualNum;

use crate::andrews::andrews;
use crate::stiff::{method, worst_error};
use crate::support::andrews::Form;
use crate::support::pendulum::{Index, Pendulum};
use crate::support::{Equations, ProtheroRobinson, Robertson, STATE, System};

const DAMPINGS: [Damping; 5] = [
    Damping::Alpha(-0.3),
    Damping::Alpha(-0.05),
    Damping::SpectralRadius(0.0),
    Damping::SpectralRadius(0.5),
    Damping::SpectralRadius(0.8),
];

/// A constant step with a corrector that is solved to round-off.
fn fixed(damping: Damping, step: f64) -> Hht {
    Hht { damping, tolerance: Tolerance::uniform(1e-13), fixed: Some(step), ..Hht::default() }
}

/// Largest errors of all unknowns at the ends of steps and half-way between, from t = 1 to 3: what the start leaves of itself is damped till then.
fn errors<D: Dae>(dae: D, method: &Hht, history: &[Vec<f64>], solution: impl Fn(f64) -> Vec<f64>) -> [Vec<f64>; 2] {
    let step = method.fixed.expect("a constant step");
    let columns: Vec<&[f64]> = history.iter().map(Vec::as_slice).collect();
    let mut run = method.start_with_history(dae, 0.0, step, &columns, 3.0).expect("a start");
    let n = columns[0].len();
    let (mut y, mut yp, mut worst) = (vec![0.0; n], vec![0.0; n], [vec![0.0; n], vec![0.0; n]]);
    loop {
        let stop = run.step().expect("a step");
        if run.time() > 1.0 {
            let middle = run.time() - 0.5 * step;
            run.interpolate(middle, &mut y, &mut yp).expect("within the step");
            for (worst, (t, y)) in worst.iter_mut().zip([(run.time(), run.state()), (middle, &y[..])]) {
                let errors = solution(t).into_iter().zip(y).map(|(exact, y)| (y - exact).abs());
                worst.iter_mut().zip(errors).for_each(|(worst, error)| *worst = f64::max(*worst, error));
            }
        }
        if stop == Stop::EndTime {
            return worst;
        }
    }
}

#[test]
fn the_order_is_two_for_positions_velocities_and_multipliers() {
    for damping in DAMPINGS {
        for index in [Index::Stabilized, Index::Integrated, Index::Three] {
            let run = |step: f64| {
                let multiplier = |t: f64| if index == Index::Integrated { t } else { 1.0 };
                let solution = |t: f64| vec![t.cos(), t.sin(), -t.sin(), t.cos(), multiplier(t)];
                let history = Pendulum::revolution_history(index, step, 2);
                errors(Pendulum::system(index, 0.0), &fixed(damping, step), &history, solution)
            };
            let (coarse, fine) = (run(0.02), run(0.01));
            for (place, (coarse, fine)) in coarse.iter().zip(&fine).enumerate() {
                for (i, (coarse, fine)) in coarse.iter().zip(fine).take(5).enumerate() {
                    let order = (coarse / fine).log2();
                    // The multiplier of the uniform revolution is constant, and a power better than of others.
                    let meets = if i < 4 { (order - 2.0).abs() < 0.2 } else { order > 1.8 || *coarse < 1e-9 };
                    assert!(meets, "{damping:?}, {index:?}, place {place}, unknown {i}: {coarse:e}, order {order}");
                }
            }
        }
        let run = |step: f64| {
            let history = [vec![1.0, 1.0], vec![0.0, 0.0], vec![-0.5 * step * step, -step * step]];
            let solution = |t: f64| vec![t.cos(), t.cos().powi(2)];
            errors(ProtheroRobinson::system(2.0), &fixed(damping, step), &history, solution)
        };
        let (coarse, fine) = (run(0.02), run(0.01));
        let order = (coarse[0][0] / fine[0][0]).log2();
        assert!((order - 2.0).abs() < 0.1, "{damping:?}: order {order}");
    }
}

/// y' = -k y.
struct Decay(f64);

impl Equations for Decay {
    fn residual<T: DualNum<Primitive = f64> + Copy>(&self, _: T, y: &[T], yp: &[T], r: &mut [T]) {
        r[0] = yp[0] / self.0 + y[0];
    }
}

/// |y_{n+1}/y_n| in the long run, of steps 1e9 times as long as the decay.
fn radius(damping: Damping) -> f64 {
    let system = System::new(vec![STATE], Decay(1e9));
    let mut run =
        fixed(damping, 1.0).start_with_history(system, 0.0, 1.0, &[&[1.0], &[-1e9], &[1.0]], 1e3).expect("a start");
    let mut last = f64::NAN;
    let mut ratio = f64::NAN;
    // The eigenvalue is double: y goes with n rho^n.
    for n in 1..=60 {
        let _ = run.step().expect("a step");
        ratio = (run.state()[0] / last).abs() * f64::from(n - 1) / f64::from(n);
        last = run.state()[0];
    }
    ratio
}

#[test]
fn the_spectral_radius_at_infinity_is_the_one_that_was_chosen() {
    for rho in [0.3, 0.5, 0.8, 0.9, 1.0] {
        let found = radius(Damping::SpectralRadius(rho));
        assert!((found - rho).abs() < 0.02, "{rho}: {found}");
    }
    for alpha in [-1.0 / 3.0, -0.3, -0.1] {
        let found = radius(Damping::Alpha(alpha));
        let expected = (-alpha / (1.0 + alpha)).max((0.5 + alpha) / (0.5 - alpha));
        assert!((found - expected).abs() < 0.02, "{alpha}: {found}, expected {expected}");
    }
}

/// A slow and a fast oscillator in sum and difference: q1'' = -q1 and q2'' = -w^2 q2.
struct Oscillators(f64);

impl Equations for Oscillators {
    fn residual<T: DualNum<Primitive = f64> + Copy>(&self, _: T, y: &[T], yp: &[T], r: &mut [T]) {
        for (i, w) in [1.0, self.0].into_iter().enumerate() {
            r[2 * i] = yp[2 * i] - y[2 * i + 1];
            r[2 * i + 1] = yp[2 * i + 1] + y[2 * i] * (w * w);
        }
    }
}

/// Amplitudes of both after `steps` steps of 0.05 s, the fast one at 1e4 rad/s.
fn amplitudes(damping: Damping, steps: usize) -> [f64; 2] {
    let system = System::new(vec![STATE; 4], Oscillators(1e4));
    let mut run =
        fixed(damping, 0.05).start(system, 0.0, &[1.0, 0.0, 1.0, 0.0], &[0.0, -1.0, 0.0, -1e8], 1e3).expect("a start");
    for _ in 0..steps {
        let _ = run.step().expect("a step");
    }
    let y = run.state();
    [y[0].hypot(y[1]), y[2].hypot(y[3] / 1e4)]
}

#[test]
fn fast_vibrations_are_damped_and_slow_ones_are_not() {
    for damping in [Damping::Alpha(-0.3), Damping::SpectralRadius(0.5)] {
        let [slow, fast] = amplitudes(damping, 60);
        assert!((slow - 1.0).abs() < 5e-3 && fast < 1e-10, "{damping:?}: {slow} {fast:e}");
    }
    // Nothing is damped but by the first step, of order 1: it takes the fast one to 1/(h w).
    let [slow, fast] = amplitudes(Damping::SpectralRadius(1.0), 60);
    let [_, first] = amplitudes(Damping::SpectralRadius(1.0), 1);
    assert!((slow - 1.0).abs() < 2e-3, "{slow}");
    assert!(fast > 0.5 * first, "{fast:e} of {first:e}");
}

#[test]
fn errors_follow_the_tolerance() {
    for damping in [Damping::default(), Damping::SpectralRadius(0.8), Damping::SpectralRadius(0.0)] {
        for (form, tolerance, error_max) in [
            (Form::Si2, 1e-4, 1e-2),
            (Form::Si2, 1e-6, 1e-4),
            (Form::Si1, 1e-6, 1e-4),
            (Form::I3, 1e-6, 1e-3),
            (Form::I3, 1e-8, 1e-4),
        ] {
            let run = andrews(form, &Hht { damping, ..Hht::with_tolerance(tolerance) });
            let s = &run.statistics;
            println!(
                "{damping:?} {form:?} {tolerance:e}: error {:.1e}, steps {} / {}, residuals {}, factorizations {}, orders {:?}",
                run.error,
                s.steps,
                s.rejected_by_error,
                s.residual_evaluations,
                s.factorizations.total(),
                &s.orders[..2]
            );
            assert!(run.error < error_max, "{damping:?} {form:?} {tolerance:e}: error {:e}", run.error);
        }
    }
    for damping in [Damping::default(), Damping::SpectralRadius(0.5)] {
        let tolerance = method(1e-6, &[1e-10, 1e-13, 1e-10]).tolerance;
        let hht = Hht { damping, tolerance, ..Hht::default() };
        let (error, s) = worst_error("robertson", Robertson::system(true), &Robertson::START, &Robertson::SLOPE, &hht);
        println!("Robertson {damping:?}: error {error:.1e}, steps {} / {}", s.steps, s.rejected_by_error);
        assert!(error < 1e-3, "{damping:?}: {error:e}");
    }
}

#[test]
fn options_are_checked() {
    let bad = [
        ("alpha", Hht { damping: Damping::Alpha(0.01), ..Hht::default() }),
        ("alpha", Hht { damping: Damping::Alpha(-0.34), ..Hht::default() }),
        ("alpha", Hht { damping: Damping::Alpha(f64::NAN), ..Hht::default() }),
        ("spectral radius at infinity", Hht { damping: Damping::SpectralRadius(-0.01), ..Hht::default() }),
        ("spectral radius at infinity", Hht { damping: Damping::SpectralRadius(1.01), ..Hht::default() }),
        ("fixed step", Hht { fixed: Some(0.0), ..Hht::default() }),
        ("fixed step", Hht { fixed: Some(f64::NAN), ..Hht::default() }),
        ("relative tolerance", Hht::with_tolerance(0.0)),
    ];
    for (option, bad) in bad {
        let error = bad.validate(1).expect_err(option);
        assert!(matches!(&error, Error::Option { name, .. } if name == option), "{option}: {error}");
    }
}
