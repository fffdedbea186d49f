//! `Newton`: outcomes on equations whose solutions are known.

use fourbar_linalg::{
    Calahan, CalahanOptions, CscMatrix, Error,
    newton::{Equations, Newton, NewtonOptions, Outcome},
};
use nalgebra::DMatrix;

/// f(x) = 0 in one unknown.
struct Scalar<F, D> {
    f: F,
    derivative: D,
    slope: f64,
}

fn scalar<F: Fn(f64) -> f64, D: Fn(f64) -> f64>(f: F, derivative: D) -> Scalar<F, D> {
    Scalar { f, derivative, slope: f64::NAN }
}

impl<F: Fn(f64) -> f64, D: Fn(f64) -> f64> Equations for Scalar<F, D> {
    type Error = std::convert::Infallible;
    fn dimension(&self) -> usize {
        1
    }
    fn residual(&mut self, x: &[f64], residual: &mut [f64]) -> Result<(), Self::Error> {
        residual[0] = (self.f)(x[0]);
        Ok(())
    }
    fn refresh(&mut self, x: &[f64]) -> Result<(), Self::Error> {
        self.slope = (self.derivative)(x[0]);
        Ok(())
    }
    fn correct(&mut self, r: &mut [f64]) -> Result<(), Self::Error> {
        r[0] /= self.slope;
        Ok(())
    }
}

fn solve<E: Equations<Error = std::convert::Infallible>>(
    mut equations: E,
    x: f64,
    options: NewtonOptions,
) -> (f64, Outcome) {
    let mut x = [x];
    let outcome = Newton::new(1, options).unwrap().solve(&mut equations, &mut x).unwrap();
    (x[0], outcome)
}

/// Chandrasekhar's H-equation (Kelley, Iterative Methods, section 5.6), c = 0.9, midpoint rule, on `Calahan`.
struct Chandrasekhar {
    n: usize,
    lu: Option<Calahan>,
}

impl Chandrasekhar {
    const C: f64 = 0.9;
    fn kernel(&self, i: usize, j: usize) -> f64 {
        let mu = |i: usize| (i as f64 + 0.5) / self.n as f64;
        Self::C / (2.0 * self.n as f64) * mu(i) / (mu(i) + mu(j))
    }
    fn sum(&self, i: usize, x: &[f64]) -> f64 {
        (0..self.n).map(|j| self.kernel(i, j) * x[j]).sum()
    }
}

impl Equations for Chandrasekhar {
    type Error = Error;
    fn dimension(&self) -> usize {
        self.n
    }
    fn residual(&mut self, x: &[f64], residual: &mut [f64]) -> Result<(), Error> {
        (0..self.n).for_each(|i| residual[i] = x[i] - 1.0 / (1.0 - self.sum(i, x)));
        Ok(())
    }
    fn refresh(&mut self, x: &[f64]) -> Result<(), Error> {
        let entry = |i: usize, j: usize| f64::from(i == j) - self.kernel(i, j) / (1.0 - self.sum(i, x)).powi(2);
        let jacobian = CscMatrix::from(&DMatrix::from_fn(self.n, self.n, entry));
        self.lu = Some(Calahan::new(jacobian.pattern(), jacobian.values(), &CalahanOptions::default())?);
        Ok(())
    }
    fn correct(&mut self, r: &mut [f64]) -> Result<(), Error> {
        if let Some(lu) = &mut self.lu {
            lu.solve(r);
        }
        Ok(())
    }
}

#[test]
fn a_kept_jacobian_is_enough_where_it_converges() {
    let n = 20;
    let mut equations = Chandrasekhar { n, lu: None };
    let mut x = vec![1.0; n];
    let outcome = Newton::new(n, NewtonOptions::default()).unwrap().solve(&mut equations, &mut x).unwrap();
    let Outcome::Converged { error, statistics } = outcome else { panic!("{outcome:?}") };
    let mut residual = vec![0.0; n];
    equations.residual(&x, &mut residual).unwrap();
    assert!(residual.iter().all(|r| r.abs() < 1e-10), "{residual:?}");
    assert!(error <= 1e-10 && statistics.jacobians < statistics.iterations, "{statistics:?}");
}

/// arctan from 10: full steps diverge, damped ones reach 0.
#[test]
fn damping_reaches_what_full_steps_miss() {
    let arctan = || scalar(f64::atan, |x| 1.0 / (1.0 + x * x));
    let (x, outcome) = solve(arctan(), 10.0, NewtonOptions::default());
    assert!(outcome.is_converged() && x.abs() < 1e-10, "{x} {outcome:?}");
    assert!(outcome.statistics().damping < 1.0);
    let undamped = NewtonOptions { smallest_damping: 1.0, ..Default::default() };
    let (_, outcome) = solve(arctan(), 10.0, undamped);
    assert!(matches!(outcome, Outcome::Diverged(_)), "{outcome:?}");
}

/// x^2 + 1 has no real root.
#[test]
fn no_solution_is_divergence() {
    let (_, outcome) = solve(scalar(|x| x * x + 1.0, |x| 2.0 * x), 0.5, NewtonOptions::default());
    assert!(!outcome.is_converged(), "{outcome:?}");
}

/// ln x from 3: the full step leaves the domain, half of it does not.
#[test]
fn a_step_out_of_the_domain_is_shortened() {
    let logarithm = scalar(f64::ln, |x| 1.0 / x);
    let (x, outcome) = solve(logarithm, 3.0, NewtonOptions::default());
    assert!(outcome.is_converged() && (x - 1.0).abs() < 1e-10, "{x} {outcome:?}");
}

#[test]
fn a_bad_start_is_told_at_once() {
    let (x, outcome) = solve(scalar(f64::sqrt, |x| 0.5 / x.sqrt()), -1.0, NewtonOptions::default());
    assert!(matches!(outcome, Outcome::NotFinite(statistics) if statistics.residuals == 1), "{outcome:?}");
    assert_eq!(x, -1.0);
}

/// A slope twice too steep halves the error at each correction: the error 1e-3 falls below 1e-12 after 30 of them.
#[test]
fn slow_convergence_says_how_slow() {
    let options = NewtonOptions { tolerance: 1e-12, max_iterations: 5, refresh_above: 0.9, ..Default::default() };
    let (_, outcome) = solve(scalar(|x| x, |_| 2.0), 1e-3, options);
    let Outcome::Slow { needed, statistics } = outcome else { panic!("{outcome:?}") };
    assert!((statistics.rate - 0.5).abs() < 1e-12);
    assert_eq!(statistics.iterations + needed, 30);
}

#[test]
fn options_out_of_range_are_named() {
    let bad = NewtonOptions { tolerance: f64::NAN, ..Default::default() };
    assert!(matches!(Newton::new(1, bad), Err(Error::Option { name: "tolerance", .. })));
    let bad = NewtonOptions { smallest_damping: 0.0, ..Default::default() };
    assert!(matches!(Newton::new(1, bad), Err(Error::Option { name: "smallest_damping", .. })));
}
